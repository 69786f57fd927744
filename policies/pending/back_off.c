/* policies/pending/back_off.c - see back_off.h.
 *
 * The times are in a heap, the earliest on top.  A job that ended or was
 * evicted again, and a class that was tried again, leave their old times
 * behind, which are skipped.
 *
 * The jobs of a request class share its pause.  It is doubled with each attempt
 * that fails, and the count begins anew with the first job that waits.
 */
#include "policies/pending/back_off.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/profile/profile.h"
#include "policies/reservation/reservation.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

struct away {
    int64_t until;
    uint32_t number; /* of a job or a class */
    bool is_class;
};

struct gsched_back_off {
    struct away *away;
    uint32_t count, cap;
};

/* --- the heap ------------------------------------------------------------- */

static bool away_before(const void *of, uint32_t a, uint32_t b)
{
    const struct away *x = &((const struct away *)of)[a];
    const struct away *y = &((const struct away *)of)[b];

    if (x->until != y->until)
        return x->until < y->until;
    return x->is_class != y->is_class ? y->is_class : x->number < y->number;
}

GS_HEAP_SWAP(away_swap, struct away)

static const struct gs_heap by_time = { away_before, away_swap };

static void away_add(struct gsched_back_off *b, int64_t until, uint32_t number,
                     bool is_class)
{
    b->away = gs_array_grow(b->away, &b->cap, b->count + 1, sizeof(*b->away));
    b->away[b->count] = (struct away){ until, number, is_class };
    (void)gs_heap_rise(&by_time, b->away, b->count++);
}

static void first_drop(struct gsched_back_off *b)
{
    assert(b->count > 0);
    b->away[0] = b->away[--b->count];
    (void)gs_heap_sink(&by_time, b->away, b->count, 0);
}

static bool is_away(const struct gsched *s, const struct away *a)
{
    const struct job_state *j;

    if (a->is_class)
        return s->pending->rclass[a->number].retry_at == a->until;
    j = gsched_job(s, a->number);
    return (j->phase == JOB_WAITING || j->phase == JOB_SUBMITTED)
           && gsched_job_aside(s, a->number).away_until == a->until;
}

/* The first that is away; NULL. */
static const struct away *first_away(const struct gsched *s)
{
    struct gsched_back_off *b = s->back_off;

    while (b->count && !is_away(s, &b->away[0]))
        first_drop(b);
    return b->count ? &b->away[0] : NULL;
}

/* --- jobs ----------------------------------------------------------------- */

void gsched_back_off_until(struct gsched *s, uint32_t job, int64_t at)
{
    if (at <= s->now)
        return;
    gsched_job_aside_put(s, job)->away_until = at;
    away_add(s->back_off, at, job, false);
}

void gsched_back_off(struct gsched *s, uint32_t job)
{
    gsched_back_off_until(s, job,
                          gsched_later(s->now, s->modules->preemption.delay));
}

/* --- request classes ------------------------------------------------------ */

/* The pause after so many attempts. */
static int64_t pause_after(const struct gsp_retry *r, uint32_t failures)
{
    int64_t pause = r->first;

    assert(failures > 0);
    for (uint32_t i = 1; i < failures && pause > 0 && pause < r->most; i++)
        pause = pause > r->most - pause ? r->most : pause + pause;
    return pause;
}

void gsched_pause_begin(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];
    const bool is_gang = a->kind == REQUEST_GANG
                         && s->work->job[a->sample].gang > 1;
    int64_t pause;

    if (!s->modules->retries)
        return;
    assert(a->kind != REQUEST_ADMISSION);
    a->failures += a->failures < UINT32_MAX;
    pause = pause_after(&s->modules->retry, a->failures);
    if (is_gang && pause < s->modules->retry.gang)
        pause = s->modules->retry.gang;
    a->tried_at = s->now;
    a->retry_at = gsched_later(s->now, pause);
    a->is_due = false;
    if (pause > 0)
        away_add(s->back_off, a->retry_at, rclass, true);
}

bool gsched_is_paused(const struct gsched *s, const struct request_class *a)
{
    return a->unschedulable_at != NONE && a->retry_at > s->now
           && a->tried_at != s->now;
}

/* The job does not age while it is away. */
static void come_back(struct gsched *s, uint32_t job)
{
    struct job_aside *j = gsched_job_aside_put(s, job);

    j->away_until = 0;
    if (gsched_requeues_last(s->profile))
        j->back_at = s->now;
    gsched_pending_add(s, job);
}

/* --- all ------------------------------------------------------------------ */

void gsched_back_off_end(struct gsched *s)
{
    const struct away *first;

    while ((first = first_away(s)) && first->until <= s->now) {
        const struct away a = *first;

        first_drop(s->back_off);
        if (a.is_class)
            gsched_rclass_retry(s, a.number);
        else
            come_back(s, a.number);
    }
}

int64_t gsched_back_off_next(const struct gsched *s)
{
    const struct away *first = first_away(s);

    return first ? first->until : GSCHED_NEVER;
}

void gsched_back_off_open(struct gsched *s)
{
    s->back_off = gs_arena_alloc(s->arena, 1, sizeof(*s->back_off));
}

void gsched_back_off_free(struct gsched *s)
{
    gs_array_free(s->back_off->away);
}
