/* policies/actions/admit.c - the action that gives quota to jobs.
 *
 * It works in rounds.  A round takes the first job of each queue
 * (gsched_heads_take), chooses flavors and victims for it (nominate), and goes
 * through them in the order of the contest (process): what fits is admitted,
 * for others victims are evicted at the end of the round, and what they will
 * use is reserved until then.  A job that does not fit is set aside with all of
 * its request class, or blocks its queue.  Rounds are repeated while they
 * change anything; jobs set aside come back when quota of their tree is freed.
 * With `one_by_one` a round stops before a job while one that was admitted does
 * not run, and goes on with this one and the rest when all do.
 */
#include <assert.h>

#include "base/far.h"

#include "policies/actions/actions.h"
#include "policies/actions/admit_heads.h"
#include "policies/actions/admit_reserve.h"
#include "policies/actions/admit_room.h"
#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/grace_ends.h"
#include "policies/pending/back_off.h"
#include "policies/pending/pending.h"
#include "policies/pending/quota_aside.h"
#include "policies/pending/quota_lacks.h"
#include "policies/pending/quota_rivals.h"
#include "policies/pending/service_order.h"
#include "policies/reservation/reservation.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/transaction.h"

/* --- nomination ----------------------------------------------------------- */

/* The flavors tried in the round before, if it was this job and some were left.
 */
static const struct flavor_pick *tried_of(const struct gsched *s,
                                          const struct contest_entry *e)
{
    const struct quota_queue *q = &s->quotas->queue[e->node];

    return q->tried_job == e->job && q->tried_in + 1 == s->quotas->rounds
                   && q->tried_pending
               ? q->tried
               : NULL;
}

static void tried_set(struct gsched *s, const struct contest_entry *e)
{
    struct quota_queue *q = &s->quotas->queue[e->node];

    if (q->tried_job != e->job)
        s->quotas->wake[quotas_node(s->quotas->q, e->node)->tree].turns = 0;
    q->tried_before = tried_of(s, e) != NULL;
    q->tried_job = e->job;
    q->tried_in = s->quotas->rounds;
    q->tried_pending = flavor_is_pending(&e->choice);
    if (!q->tried_pending)
        return;
    q->tried = gs_array_grow(q->tried, &q->tried_cap, e->choice.picks,
                             sizeof(*q->tried));
    for (uint32_t i = 0; i < e->choice.picks; i++)
        q->tried[i] = e->choice.pick[i];
}

/* Keep the victims that were found for the entry. */
static void victims_keep(struct gsched *s, struct contest_entry *e)
{
    struct gsched_admits *a = s->admits;
    const struct quota_search *found = &s->quotas->search;

    e->first_victim = a->victims;
    e->victims = found->victims;
    a->victim = gs_array_grow(a->victim, &a->victim_cap,
                              a->victims + found->victims, sizeof(*a->victim));
    for (uint32_t i = 0; i < found->victims; i++)
        a->victim[a->victims++] = found->victim[i];
}

/* Its class queue is known not to fit. */
static void nominate_none(struct gsched *s, struct contest_entry *e)
{
    e->choice.mode = QUOTA_NO_FIT;
    e->choice.asks = e->choice.picks = e->choice.level = 0;
    e->choice.lacks_room = false;
    e->victims = 0;
    tried_set(s, e);
}

static void nominate(struct gsched *s, struct contest_entry *e)
{
    struct flavor_query f;

    e->outcome = CONTEST_UNFIT;
    e->is_known = gsched_aside_lacks(s, s->quotas->queue[e->node].active.at[0]);
    if (e->is_known) {
        nominate_none(s, e);
        return;
    }
    f = gsched_quota_query(s, e->job);
    f.room = gsched_admit_room(s, e->job);
    s->quotas->search.victims = 0;
    flavor_choose_any(&f, tried_of(s, e), &e->choice);
    gsched_admit_places_keep(s, e);
    victims_keep(s, e);
    tried_set(s, e);
}

/* --- one entry ------------------------------------------------------------ */

static bool is_taken(const struct gsched *s, uint32_t job)
{
    return s->admits->taken_in[job] == s->quotas->rounds;
}

static bool is_overlapping(const struct gsched *s,
                           const struct contest_entry *e)
{
    for (uint32_t i = 0; i < e->victims; i++) {
        if (is_taken(s, s->admits->victim[e->first_victim + i].job))
            return true;
    }
    return false;
}

/* Hide the victims of earlier entries in the tree, or show them again. */
static void taken_hide(struct gsched *s, uint32_t node, bool hides)
{
    struct gsched_admits *a = s->admits;
    const uint32_t tree = quotas_node(s->quotas->q, node)->tree;

    for (uint32_t i = 0; i < a->taken.count; i++) {
        const uint32_t job = a->taken.at[i];
        const uint32_t of = quotas_job(s->quotas->q, job)->node;

        if (quotas_node(s->quotas->q, of)->tree != tree)
            continue;
        if (hides) {
            quotas_job_hide(s->quotas->q, job);
            gsched_admit_room_hide(s, job);
        } else {
            quotas_job_show(s->quotas->q, job);
            gsched_admit_room_show(s, job);
        }
    }
}

static void own_hide(struct gsched *s, const struct contest_entry *e,
                     bool hides)
{
    for (uint32_t i = 0; i < e->victims; i++) {
        const uint32_t job = s->admits->victim[e->first_victim + i].job;

        if (is_taken(s, job))
            continue;
        if (hides)
            quotas_job_hide(s->quotas->q, job);
        else
            quotas_job_show(s->quotas->q, job);
    }
}

/* Does it fit once all victims, its own and those of earlier entries, are gone?
 */
static bool fits_then(struct gsched *s, const struct contest_entry *e)
{
    const struct quota_request r = { .node = e->node,
                                     .ask = e->choice.ask,
                                     .asks = e->choice.asks };
    bool fits;

    taken_hide(s, e->node, true);
    own_hide(s, e, true);
    fits = quota_fits(s->quotas->q, &r, true);
    own_hide(s, e, false);
    taken_hide(s, e->node, false);
    return fits;
}

static void admit(struct gsched *s, struct contest_entry *e)
{
    gsched_lack_keep(s, gsched_cqueue_of(s, e->job), e->job);
    gsched_quota_take(s, e->job, &e->choice, s->now);
    gsched_admit_job(s, e->job);
    gsched_admit_place(s, e);
    s->admits->has_placed = true;
    s->quotas->queue[e->node].tried_job = NONE;
    if (s->quotas->queue[e->node].sticky == e->job)
        s->quotas->queue[e->node].sticky = NONE;
    e->outcome = CONTEST_DONE;
}

/* Choose anew in the flavors that it got. */
static void choose_pinned(struct gsched *s, struct contest_entry *e)
{
    struct flavor_query f = gsched_quota_query(s, e->job);

    f.room = gsched_admit_room(s, e->job);
    flavor_pin(&f, s->quotas->kind, &e->choice);
    e->is_known = false;
    s->quotas->search.victims = 0;
    flavor_choose_any(&f, NULL, &e->choice);
    gsched_admit_places_keep(s, e);
    victims_keep(s, e);
    tried_set(s, e);
}

/* Choose anew in the flavors that it got, on the state without the victims of
 * earlier entries.  False: it would fit then, or not at all.
 */
static bool choose_again(struct gsched *s, struct contest_entry *e)
{
    taken_hide(s, e->node, true);
    choose_pinned(s, e);
    taken_hide(s, e->node, false);
    if (e->choice.mode == QUOTA_FITS) {
        gsched_reserve_all(s, e);
        e->outcome = CONTEST_WAITS;
        return false;
    }
    e->outcome = CONTEST_UNFIT;
    return e->choice.mode != QUOTA_NO_FIT;
}

static void preempt(struct gsched *s, struct contest_entry *e)
{
    const struct quota_node *n = quotas_node(s->quotas->q, e->node);

    if (is_overlapping(s, e) && !choose_again(s, e))
        return;
    if (e->victims == 0 || !gsched_heads_may_evict(s)) {
        e->outcome = CONTEST_UNFIT;
        if (n->policy.reclaim != QUOTA_ANY
            && gsched_admit_may_have_room(s, e->job))
            gsched_reserve_own(s, e);
        return;
    }
    if (is_overlapping(s, e) || !fits_then(s, e)) {
        e->outcome = CONTEST_SKIPPED;
        return;
    }
    if (gsched_admit_puts_off(s, e))
        return;
    for (uint32_t i = 0; i < e->victims; i++) {
        const uint32_t job = s->admits->victim[e->first_victim + i].job;

        s->admits->taken_in[job] = s->quotas->rounds;
        (void)gs_numbers_add(&s->admits->taken, job);
    }
    gsched_reserve_all(s, e);
    e->outcome = CONTEST_EVICTS;
}

/* Jobs that were placed in this round may be on the nodes that were found for
 * it: then it is chosen for anew, unless they have its quota, too.
 */
static void room_recheck(struct gsched *s, struct contest_entry *e)
{
    if (s->quotas->how.with_room && e->choice.mode == QUOTA_FITS
        && s->admits->has_placed && fits_then(s, e)
        && !gsched_admit_has_room(s, e))
        choose_pinned(s, e);
}

static void process(struct gsched *s, struct contest_entry *e)
{
    room_recheck(s, e);
    if (e->choice.mode == QUOTA_NO_FIT) {
        e->outcome = CONTEST_UNFIT;
    } else if (s->quotas->is_held) {
        gsched_head_hold(s, e);
    } else if (e->choice.mode != QUOTA_FITS) {
        preempt(s, e);
    } else if (!fits_then(s, e)) {
        e->outcome = CONTEST_SKIPPED;
    } else if (s->quotas->how.one_by_one && s->quotas->unready) {
        gsched_head_hold(s, e);
    } else if (!gsched_admit_puts_off(s, e)) {
        admit(s, e);
    }
}

/* --- the end of a round --------------------------------------------------- */

/* Evict the job; with a grace time it gives its quota back now, and its nodes
 * later.
 */
static void victim_go(struct gsched *s, uint32_t job,
                      const struct gsched_decision *why)
{
    const int64_t grace = s->grace ? gsched_grace_of(s, job) : 0;
    const bool holds_nodes = gsched_job(s, job)->placed > 0;

    if (gsched_admit_is_placed_now(s, job)) {
        gsched_admit_place_back(s, job, why);
        return;
    }
    if (!grace || !holds_nodes || gsched_leaves_in_parts(s, job)) {
        gsched_put_back(s, job, gsched_since_again(s, job), why);
        return;
    }
    gsched_pending_drop(s, job);
    gsched_quota_drop(s, job);
    gsched_pending_add(s, job);
    if (!gsched_leaves(s, job))
        gsched_grace_begin(s, NONE, job, NONE, grace, why);
}

static void victims_evict(struct gsched *s, const struct contest_entry *e)
{
    static const enum gsched_reason reasons[] = {
        [QUOTA_IN_QUEUE] = GSCHED_PREEMPTED,
        [QUOTA_RECLAIMED] = GSCHED_RECLAIMED,
        [QUOTA_RECLAIMED_BORROWING] = GSCHED_RECLAIMED_BORROWING,
        [QUOTA_SHARED] = GSCHED_RECLAIMED_SHARE,
    };

    for (uint32_t i = 0; i < e->victims; i++) {
        const struct quota_victim v = s->admits->victim[e->first_victim + i];
        const struct gsched_decision why = { .job = v.job,
                                             .reason = reasons[v.reason],
                                             .by = e->job };

        victim_go(s, v.job, &why);
    }
}

static void round_end(struct gsched *s)
{
    struct gsched_admits *a = s->admits;
    bool evicts = false;

    gsched_reserved_free(s);
    for (uint32_t i = 0; i < a->entries; i++) {
        const struct contest_entry *e = &a->entry[i];

        /* what it reserved is free for those that it was in the way of */
        if (e->outcome != CONTEST_DONE && gsched_head_leave(s, e)
            && e->choice.mode != QUOTA_NO_FIT)
            gsched_quota_moved(s, quotas_node(s->quotas->q, e->node)->tree);
    }
    for (uint32_t i = 0; i < a->entries; i++) {
        if (a->entry[i].outcome != CONTEST_EVICTS)
            continue;
        evicts = true;
        victims_evict(s, &a->entry[i]);
    }
    for (uint32_t i = 0; i < a->entries; i++)
        gsched_heads_sweep(s,
                           quotas_node(s->quotas->q, a->entry[i].node)->tree);
    for (uint32_t i = 0; i < s->quotas->quiet.count; i++)
        gsched_heads_sweep(s, s->quotas->quiet.at[i]);
    gsched_rivals_end(s);
    a->taken.count = 0;
    if (!evicts)
        return;
    if (s->quotas->evicted_at != s->quotas->progress)
        s->quotas->evictions = 0;
    s->quotas->evicted_at = s->quotas->progress;
    s->quotas->evictions++;
}

/* Try the first of the queues that sleep. */
static void rival_process(struct gsched *s, const struct contest_entry *first)
{
    const struct flavor_query f = gsched_quota_query(s, first->job);
    struct contest_entry *e = gsched_head_add(s);

    e->job = first->job;
    e->node = first->node;
    e->priority = first->priority;
    e->since = first->since;
    e->victims = 0;
    e->is_known = false;
    e->places = 0;
    flavor_choose(&f, NULL, NULL, &e->choice);
    if (e->choice.mode != QUOTA_FITS) {
        s->admits->entries--;
        gsched_rivals_lost(s);
        return;
    }
    gsched_rivals_won(s);
    s->quotas->queue[e->node].taken_in = s->quotas->rounds;
    tried_set(s, e);
    process(s, e);
}

/* Try those that are before the entry; QUOTA_NONE: all of them. */
static void rivals_process(struct gsched *s, uint32_t before)
{
    struct contest_entry first;

    while (gsched_rivals_first(s, &first)
           && (before == QUOTA_NONE
               || contest_compare(&first, &s->admits->entry[before]) < 0))
        rival_process(s, &first);
}

/* The heads are the entries of a round: find flavors for each. */
static void nominate_all(struct gsched *s)
{
    s->admits->victims = 0;
    s->admits->places = 0;
    s->admits->has_placed = false;
    for (uint32_t i = 0; i < s->admits->entries; i++) {
        struct contest_entry *e = &s->admits->entry[i];

        if (e->outcome == CONTEST_HELD)
            choose_pinned(s, e);
        else
            nominate(s, e);
    }
}

/* One round; false: there was nothing to do. */
static bool round_run(struct gsched *s)
{
    struct gsched_admits *a = s->admits;
    uint32_t i;

    if (!gsched_heads_take(s))
        return false;
    nominate_all(s);
    contest_begin(&s->quotas->contest, a->entry, a->entries);
    do {
        i = contest_next(&s->quotas->contest);
        rivals_process(s, i);
        if (i != QUOTA_NONE)
            process(s, &a->entry[i]);
    } while (i != QUOTA_NONE);
    round_end(s);
    return true;
}

/* The rest of a round that was held. */
static void round_resume(struct gsched *s)
{
    struct gsched_admits *a = s->admits;

    if (a->helds == 0 || !gsched_heads_held(s))
        return;
    nominate_all(s);
    for (uint32_t i = 0; i < a->entries; i++)
        process(s, &a->entry[i]);
    round_end(s);
    for (uint32_t i = 0; i < a->entries; i++)
        gsched_head_free(s, &a->entry[i]);
}

/* --- jobs that do not run in time ----------------------------------------- */

static void unready_put_back(struct gsched *s, uint32_t job)
{
    const struct gsp_admit *how = &s->quotas->how;
    const struct gsched_decision why = { .reason = GSCHED_TIMEOUT, .by = NONE };
    struct quota_hold *h = &s->quotas->hold[job];
    const int64_t pause = gsched_quota_pause(how, h->times);
    const bool is_last = ++h->times == how->attempts;

    h->seen = s->quotas->progress;
    if (!is_last)
        gsched_back_off_until(s, job, gsched_later(s->now, pause));
    gsched_put_back(
        s, job, how->requeues_last ? s->now : gsched_job(s, job)->since, &why);
    if (is_last)
        gsched_give_up(s, job, GSCHED_GAVE_UP);
}

void gsched_admit(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;
    uint32_t job;

    s->admits->taken_in = gs_far_grow(s->work->far, s->admits->taken_in,
                                      &s->admits->taken_cap, s->jobs->job_count,
                                      sizeof(*s->admits->taken_in));
    while ((job = gsched_quota_late(s)) != NONE)
        unready_put_back(s, job);
    if (q->is_held && q->unready == 0) {
        q->is_held = false;
        for (uint32_t t = 0; t < quotas_trees(q->q); t++)
            gsched_quota_moved(s, t);
    }
    if (!q->is_held && !gsched_is_full(s))
        round_resume(s);
    gsched_admit_room_wake(s);
    while (!q->is_held && !gsched_is_full(s) && round_run(s))
        ;
    gsched_rivals_stop(s);
    gsched_admit_room_done(s);
}
