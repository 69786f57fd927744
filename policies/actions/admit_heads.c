/* policies/actions/admit_heads.c - see admit_heads.h. */
#include "policies/actions/admit_heads.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/far.h"
#include "policies/actions/actions.h"
#include "policies/actions/admit_room.h"
#include "policies/pending/pending.h"
#include "policies/pending/quota_aside.h"
#include "policies/pending/quota_lacks.h"
#include "policies/pending/quota_rivals.h"
#include "policies/pending/service_order.h"
#include "policies/pending/wait_clock.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"

#define ROUNDS 16 /* at least, of evictions without any progress */

static uint32_t head_of(const struct gsched *s, uint32_t queue)
{
    const struct gs_numbers *active = &s->quotas->queue[queue].active;

    return active->count ? s->pending->cqueue[active->at[0]].heap[0].job : NONE;
}

struct contest_entry *gsched_head_add(struct gsched *s)
{
    struct gsched_admits *a = s->admits;

    a->entry = gs_array_grow(a->entry, &a->entry_cap, a->entries + 1,
                             sizeof(*a->entry));
    return &a->entry[a->entries++];
}

static void head_take(struct gsched *s, uint32_t queue, bool again)
{
    struct quota_queue *q = &s->quotas->queue[queue];
    struct contest_entry *e;
    uint32_t job;

    if (s->modules->usage && q->ordered != s->quotas->tells)
        gsched_quota_order(s, queue);
    job = head_of(s, queue);
    if (job == NONE || s->work->queue[queue].closed
        || (q->is_blocked && !again && q->tried_job == job)
        || q->taken_in == s->quotas->rounds)
        return;
    q->taken_in = s->quotas->rounds;
    e = gsched_head_add(s);
    e->job = job;
    e->node = queue;
    e->priority = s->quotas->how.by_time
                      ? 0
                      : s->work->klass[s->work->job[job].klass].value;
    e->since = gsched_job(s, job)->since;
    e->outcome = CONTEST_UNFIT;
}

/* Something changed in the tree: its blocked heads are looked at again, and, if
 * quota was freed, the jobs that were set aside.
 */
static void tree_wake(struct gsched *s, uint32_t tree)
{
    struct quota_wake *w = &s->quotas->wake[tree];

    w->is_listed = false;
    w->turns = 0;
    if (w->is_freed) {
        gsched_aside_wake(s, tree);
        gsched_rivals_begin(s, tree);
    }
    w->is_freed = false;
    for (uint32_t i = 0; i < w->blocked.count; i++)
        head_take(s, w->blocked.at[i], true);
}

/* Others of the tree are tried: heads that block their queues reserve what
 * these must leave.
 */
static void tree_along(struct gsched *s, uint32_t tree)
{
    struct gsched_quotas *q = s->quotas;
    struct quota_wake *w = &q->wake[tree];

    if (w->seen_in == q->rounds)
        return;
    w->seen_in = q->rounds;
    for (uint32_t i = 0; i < w->blocked.count; i++)
        head_take(s, w->blocked.at[i], true);
}

/* The same, while queues that sleep would be tried. */
static void quiet_along(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < q->quiet.count; i++) {
        const uint32_t tree = q->quiet.at[i];

        q->wake[tree].is_quiet = q->wake[tree].rounds >= q->rounds;
        if (q->wake[tree].is_quiet) {
            tree_along(s, tree);
            q->quiet.at[kept++] = tree;
        }
    }
    q->quiet.count = kept;
}

/* Nothing is tried until the last sleeping queue would have been. */
static void quiet_end(struct gsched_quotas *q)
{
    for (uint32_t i = 0; i < q->quiet.count; i++) {
        struct quota_wake *w = &q->wake[q->quiet.at[i]];

        w->is_quiet = false;
        if (q->rounds <= w->rounds)
            q->rounds = w->rounds + 1;
    }
    q->quiet.count = 0;
}

bool gsched_heads_take(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    s->admits->entries = 0;
    q->rounds++;
    for (uint32_t i = 0; i < q->moved.count; i++) {
        if (q->wake[q->moved.at[i]].is_freed)
            gsched_rivals_file(s, q->moved.at[i]);
    }
    gsched_aside_ease(s);
    for (uint32_t i = 0; i < q->moved.count; i++)
        tree_wake(s, q->moved.at[i]);
    q->moved.count = 0;
    gsched_rivals_turn(s);
    for (uint32_t i = 0; i < q->news.count; i++) {
        q->queue[q->news.at[i]].is_news = false;
        head_take(s, q->news.at[i], false);
    }
    q->news.count = 0;
    for (uint32_t i = 0, n = s->admits->entries; i < n; i++)
        tree_along(s, quotas_node(q->q, s->admits->entry[i].node)->tree);
    quiet_along(s);
    if (s->admits->entries || gsched_rivals_wait(s))
        return true;
    quiet_end(q);
    return false;
}

static void held_add(struct gsched_admits *a, const struct contest_entry *e)
{
    const uint32_t picks = e->choice.mode == QUOTA_FITS ? e->choice.picks : 0;

    a->held = gs_array_grow(a->held, &a->held_cap, a->helds + 1,
                            sizeof(*a->held));
    a->held[a->helds++] = (struct admit_held){ e->job, a->held_picks, picks };
    a->held_pick = gs_array_grow(a->held_pick, &a->held_pick_cap,
                                 a->held_picks + picks, sizeof(*a->held_pick));
    if (picks)
        memcpy(&a->held_pick[a->held_picks], e->choice.pick,
               picks * sizeof(*e->choice.pick));
    a->held_picks += picks;
}

/* The entry has the picks that the job had. */
static void held_take(const struct gsched_admits *a, const struct admit_held *h,
                      struct contest_entry *e)
{
    struct flavor_choice *c = &e->choice;

    if (h->picks == 0)
        return;
    c->pick = gs_array_grow(c->pick, &c->pick_cap, h->picks, sizeof(*c->pick));
    memcpy(c->pick, &a->held_pick[h->first], h->picks * sizeof(*c->pick));
    c->picks = h->picks;
    e->outcome = CONTEST_HELD;
}

void gsched_head_hold(struct gsched *s, struct contest_entry *e)
{
    s->quotas->is_held = true;
    e->outcome = CONTEST_HELD;
    held_add(s->admits, e);
}

bool gsched_heads_held(struct gsched *s)
{
    struct gsched_admits *a = s->admits;

    a->entries = 0;
    s->quotas->rounds++;
    for (uint32_t i = 0; i < a->helds; i++) {
        const uint32_t job = a->held[i].job;
        const uint32_t queue = s->work->job[job].queue;
        const uint32_t before = a->entries;

        if (head_of(s, queue) == job)
            head_take(s, queue, true);
        if (a->entries > before)
            held_take(a, &a->held[i], &a->entry[before]);
    }
    a->helds = a->held_picks = 0;
    return a->entries > 0;
}

bool gsched_heads_may_evict(const struct gsched *s)
{
    return s->quotas->evicted_at != s->quotas->progress
           || s->quotas->evictions < 2 * s->work->class_count + ROUNDS;
}

/* It is the first of its queue until it has quota, whatever comes. */
static void stick(struct gsched *s, struct quota_queue *q, uint32_t job)
{
    const uint32_t before = q->sticky;

    q->sticky = job;
    if (before != NONE && before != job)
        gsched_pending_unstick(s, before);
}

/* Is the job to be tried in the next round, too?  Where flavors are left, since
 * others were tried in this round or the one before, it goes on with them;
 * where another one was in its way, that may have gone on.  They stop when
 * nothing has changed for as many rounds as all of them take together.
 */
static bool goes_on(const struct quota_queue *q, const struct quota_wake *w,
                    const struct contest_entry *e, bool is_strict)
{
    if (e->outcome == CONTEST_PUT_OFF)
        return true;
    if (w->turns + 1 >= w->period)
        return false;
    return e->outcome == CONTEST_SKIPPED || e->outcome == CONTEST_HELD
           || (e->outcome == CONTEST_UNFIT
               && (q->tried_pending || (is_strict && q->tried_before)));
}

bool gsched_head_leave(struct gsched *s, const struct contest_entry *e)
{
    struct quota_queue *q = &s->quotas->queue[e->node];
    struct quota_wake *w =
        &s->quotas->wake[quotas_node(s->quotas->q, e->node)->tree];
    const uint32_t cqueue = q->active.at[0];
    struct class_queue *b = &s->pending->cqueue[cqueue];
    const bool is_strict = quotas_node(s->quotas->q, e->node)->policy.is_strict;
    const bool again = goes_on(q, w, e, is_strict);

    assert(b->heap[0].job == e->job);
    if (e->outcome == CONTEST_EVICTS || e->outcome == CONTEST_WAITS
        || e->outcome == CONTEST_HELD) {
        q->tried_pending = false; /* it begins with its first flavor again */
        if (!is_strict || e->outcome == CONTEST_HELD)
            stick(s, q, e->job);
    }
    if (e->choice.lacks_room) {
        gsched_cqueue_waits_for(s, b, gsched_admit_room_cause(s, e));
        gsched_admit_room_missed(s);
    } else {
        gsched_cqueue_refused(s, b, s->quotas->gate);
    }
    if (e->is_known)
        gsched_lack_again(s, cqueue, e->job);
    else if (e->outcome >= CONTEST_SKIPPED)
        gsched_lack_note(s, cqueue, e->job);
    if (e->outcome == CONTEST_UNFIT && !is_strict && !again) {
        gsched_active_drop(s, cqueue);
        gsched_aside_add(s, cqueue, e->job);
        return true;
    }
    for (uint32_t i = 1; i < q->active.count; i++)
        gsched_cqueue_waits_for(s, &s->pending->cqueue[q->active.at[i]],
                                GSCHED_ORDER);
    if (again)
        gsched_quota_news(s, e->node);
    else if (!q->is_blocked)
        (void)gs_numbers_add(&w->blocked, e->node);
    q->is_blocked = !again;
    return false;
}

void gsched_head_free(struct gsched *s, const struct contest_entry *e)
{
    struct quota_queue *q = &s->quotas->queue[e->node];

    if (q->sticky != e->job
        || (e->outcome != CONTEST_SKIPPED && e->outcome != CONTEST_UNFIT))
        return;
    q->sticky = NONE;
    gsched_pending_unstick(s, e->job);
}

void gsched_heads_sweep(struct gsched *s, uint32_t tree)
{
    struct gs_numbers *l = &s->quotas->wake[tree].blocked;
    uint32_t kept = 0;

    if (s->quotas->wake[tree].swept_in == s->quotas->rounds)
        return;
    s->quotas->wake[tree].swept_in = s->quotas->rounds;
    s->quotas->wake[tree].turns++;
    for (uint32_t i = 0; i < l->count; i++) {
        struct quota_queue *q = &s->quotas->queue[l->at[i]];

        if (q->is_blocked && q->tried_job == head_of(s, l->at[i])
            && q->tried_job != NONE)
            l->at[kept++] = l->at[i];
        else
            q->is_blocked = false;
    }
    l->count = kept;
}

void gsched_admits_open(struct gsched *s)
{
    if (!s->quotas)
        return;
    s->admits = gs_arena_alloc(s->arena, 1, sizeof(*s->admits));
    gsched_admit_room_open(s);
}

void gsched_admits_free(struct gsched *s)
{
    struct gsched_admits *a = s->admits;

    if (!a)
        return;
    for (uint32_t i = 0; i < a->entry_cap; i++)
        flavor_choice_free(&a->entry[i].choice);
    gs_array_free(a->entry);
    gs_array_free(a->victim);
    gs_array_free(a->taken.at);
    gs_array_free(a->held);
    gs_array_free(a->held_pick);
    gs_far_free(s->work->far, a->taken_in);
    gs_array_free(a->reserved);
    gs_array_free(a->place);
    gs_array_free(a->trial);
}
