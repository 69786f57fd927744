/* policies/pending/wait_clock.c - wait time of jobs by cause.
 *
 * Jobs with the same request wait for the same reason, so the clock, in
 * microseconds for each cause, belongs to the request class.  A job reads the
 * clock when it enters a class queue (gsched_wait_in) and takes the difference
 * when it leaves (gsched_wait_for, gsched_wait_end); the cost does not depend
 * on the number of jobs and cycles.  A class queue with a wait reason of its
 * own (the quota of its queue, a reservation) uses that reason instead.
 *
 * The times of a job are summed over all its waits: gsched_wait_begin() at its
 * submission, gsched_wait_end() when it starts to run, gsched_wait_resume() at
 * an eviction, gsched_wait_close() when it is over.
 *
 * GPUs that the jobs lack are counted by cause in the same way, as they are and
 * not over time (lacking.h).
 *
 *   not held: reads class + adjust
 *   held:     reads     adjust + time since, for the cause that holds it
 */
#include "policies/pending/wait_clock.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/fetch.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/state/check.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* Wait times of one job by cause. */
struct wait {
    int64_t us[GSCHED_CAUSES];
    int64_t at;                    /* since when it waits because of `cause` */
    uint32_t cqueue;               /* the class queue whose clock counts;
                                      NONE: `cause` */
    uint32_t next;                 /* next in the free list; NONE */
    uint8_t cause;                 /* enum gsched_cause */
    int64_t refused[GSCHED_GATES]; /* of us[GSCHED_QUOTA], by gate */
    struct lack lack;              /* GPUs */
    bool is_over;                  /* it runs, or is over */
    bool is_head;  /* it is the first entry of a class queue that it blocks:
                      since `at` it waits because of `cause`, not
                      GSCHED_ORDER */
    int64_t order; /* is_head: GSCHED_ORDER on the clock of the class queue
                      at `at` */
};

/* The waits of all jobs. */
struct gsched_waits {
    struct wait *wait;
    uint32_t wait_count, wait_cap, free_wait;
    struct gs_numbers settled; /* jobs whose waits are freed at the begin of
                                  the next cycle */
    int64_t told_waits[GSCHED_CAUSES];
    int64_t told_refused[GSCHED_GATES];
};

/* --- what waiting jobs lack ------------------------------------------------- */

/* Count what a wait lacks for its present cause (sign 1), or no longer. */
static void lack_count(struct gsched *s, const struct wait *w, int sign)
{
    const int64_t milli = sign * gsched_lack_milli(&w->lack);
    int64_t *all = s->lacking->all.milli[w->lack.kind];
    struct class_queue *b;

    if (milli == 0)
        return;
    if (w->cqueue == NONE) {
        all[w->cause] += milli;
        return;
    }
    b = &s->pending->cqueue[w->cqueue];
    if (w->is_head)
        b->heads->milli[w->lack.kind][w->cause] += milli;
    else
        gsched_lack_add(s, &b->lack, w->lack.kind, milli);
    if (b->reason) {
        all[b->reason] += milli;
    } else if (w->is_head) {
        all[w->cause] += milli;
    } else {
        s->pending->rclass[b->rclass].lack[w->lack.kind] += milli;
        all[s->pending->rclass[b->rclass].cause] += milli;
    }
}

/* The same for all waits of a class queue. */
static void cqueue_lack_count(struct gsched *s, const struct class_queue *b,
                              int sign)
{
    struct request_class *a = &s->pending->rclass[b->rclass];

    for (uint32_t k = 0; k < s->lacking->kinds; k++) {
        int64_t *all = s->lacking->all.milli[k];

        const int64_t lack = sign * gsched_lack_in(&b->lack, k);

        all[b->reason ? b->reason : a->cause] += lack;
        a->lack[k] += b->reason ? 0 : lack;
        for (uint32_t c = 0; b->heads && c < GSCHED_CAUSES; c++)
            all[b->reason ? b->reason : c] += sign * b->heads->milli[k][c];
    }
}

/* --- clocks --------------------------------------------------------------- */

static int64_t rclass_reads(const struct request_class *a, uint32_t cause,
                            int64_t now)
{
    assert(cause < GSCHED_CAUSES && now >= a->clock_at);
    return a->clock[cause] + (cause == a->cause ? now - a->clock_at : 0);
}

static int64_t cqueue_reads(const struct gsched *s, const struct class_queue *b,
                            uint32_t cause)
{
    if (b->reason)
        return b->adjust[cause]
               + (cause == b->reason ? s->now - b->reason_at : 0);
    return b->adjust[cause]
           + rclass_reads(&s->pending->rclass[b->rclass], cause, s->now);
}

void gsched_rclass_waits_for(struct gsched *s, struct request_class *a,
                             enum gsched_cause why)
{
    assert(why < GSCHED_CAUSES && s->now >= a->clock_at);
    if (a->cause == why)
        return;
    a->clock[a->cause] += s->now - a->clock_at;
    a->clock_at = s->now;
    for (uint32_t k = 0; k < s->lacking->kinds; k++) {
        s->lacking->all.milli[k][a->cause] -= a->lack[k];
        s->lacking->all.milli[k][why] += a->lack[k];
    }
    a->cause = (uint8_t)why;
    gsched_head_reason(s, a);
}

static int64_t cqueue_refused(const struct gsched *s,
                              const struct class_queue *b, uint32_t gate)
{
    const bool goes_on = b->reason == GSCHED_QUOTA && b->gate == gate;

    return (gate < b->gates ? b->refused[gate] : 0)
           + (goes_on ? s->now - b->reason_at : 0);
}

/* It was refused by its gate until now. */
static void refused_add(struct gsched *s, struct class_queue *b)
{
    int64_t *more;

    if (b->gate >= b->gates) {
        more = gs_arena_alloc(s->arena, s->modules->gates, sizeof(*more));
        for (uint32_t g = 0; g < b->gates; g++)
            more[g] = b->refused[g];
        b->refused = more;
        b->gates = (uint8_t)s->modules->gates;
    }
    b->refused[b->gate] += s->now - b->reason_at;
}

/* From now on the wait reason of the class queue is `why`. */
static void cqueue_hold(struct gsched *s, struct class_queue *b,
                        enum gsched_cause why)
{
    const struct request_class *a = &s->pending->rclass[b->rclass];

    assert(why < GSCHED_CAUSES && b->rclass < s->pending->rclass_count);
    if (b->reason == GSCHED_QUOTA && b->gate != NO_GATE
        && s->now > b->reason_at)
        refused_add(s, b);
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        b->adjust[c] = cqueue_reads(s, b, c)
                       - (why ? 0 : rclass_reads(a, c, s->now));
    cqueue_lack_count(s, b, -1);
    b->reason = (uint8_t)why;
    b->reason_at = s->now;
    cqueue_lack_count(s, b, 1);
    gsched_head_waits(s, b);
}

void gsched_cqueue_waits_for(struct gsched *s, struct class_queue *b,
                             enum gsched_cause why)
{
    assert(why != GSCHED_QUOTA);
    if (b->reason != why)
        cqueue_hold(s, b, why);
}

void gsched_cqueue_refused(struct gsched *s, struct class_queue *b,
                           uint8_t gate)
{
    assert(gate == NO_GATE || gate < s->modules->gates);
    if (b->reason == GSCHED_QUOTA && b->gate == gate)
        return;
    cqueue_hold(s, b, GSCHED_QUOTA);
    b->gate = gate;
}

enum gsched_cause gsched_cqueue_cause(const struct gsched *s,
                                      const struct class_queue *b)
{
    return (enum gsched_cause)(b->reason ? b->reason
                                         : s->pending->rclass[b->rclass].cause);
}

/* --- jobs ----------------------------------------------------------------- */

/* Read the clock for a first entry.  Time by the order of its class queue
 * counts for the cause of the entry; time by a reason of the class queue counts
 * for that reason.
 */
static void head_reads(const struct gsched *s, const struct wait *w,
                       int64_t *us)
{
    int64_t order;

    if (!w->is_head)
        return;
    order = cqueue_reads(s, &s->pending->cqueue[w->cqueue], GSCHED_ORDER)
            - w->order;
    us[w->cause] += order;
    us[GSCHED_ORDER] -= order;
}

/* The unfinished wait of the job; NULL. */
static struct wait *wait_of(struct gsched *s, uint32_t job)
{
    struct wait *w = gsched_job(s, job)->wait == NONE
                         ? NULL
                         : &s->waits->wait[gsched_job(s, job)->wait];

    return w && !w->is_over ? w : NULL;
}

/* Add the time until now, and record its cause for reports.  What it lacks is
 * not counted until lack_count().
 */
static void settle(struct gsched *s, uint32_t job, struct wait *w)
{
    const int64_t since = s->now - w->at;

    assert(since >= 0 && !w->is_over);
    assert(w->cqueue == NONE || w->cqueue < s->pending->cqueue_count);
    lack_count(s, w, -1);
    if (w->cqueue == NONE) {
        w->us[w->cause] += since;
        if (since > 0)
            gsched_job(s, job)->cause = w->cause;
        w->at = s->now;
        return;
    }
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        w->us[c] += cqueue_reads(s, &s->pending->cqueue[w->cqueue], c);
    for (uint32_t g = 0; g < s->modules->gates; g++)
        w->refused[g] += cqueue_refused(s, &s->pending->cqueue[w->cqueue], g);
    head_reads(s, w, w->us);
    if (since > 0)
        gsched_job(s, job)->cause =
            w->is_head && !s->pending->cqueue[w->cqueue].reason
                ? w->cause
                : (uint8_t)gsched_cqueue_cause(s,
                                               &s->pending->cqueue[w->cqueue]);
    gsched_head_waits(s, &s->pending->cqueue[w->cqueue]);
    w->is_head = false;
    w->cqueue = NONE;
    w->at = s->now;
}

void gsched_wait_begin(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    uint32_t i = s->waits->free_wait;

    assert(gsched_job(s, job)->wait == NONE && why < GSCHED_CAUSES);
    if (i != NONE) {
        s->waits->free_wait = s->waits->wait[i].next;
    } else {
        s->waits->wait = gs_array_grow(s->waits->wait, &s->waits->wait_cap,
                                       s->waits->wait_count + 1,
                                       sizeof(*s->waits->wait));
        i = s->waits->wait_count++;
    }
    s->waits->wait[i] = (struct wait){ .at = s->now,
                                       .cqueue = NONE,
                                       .next = NONE,
                                       .cause = (uint8_t)why,
                                       .lack = gsched_lack_of(s, job) };
    gsched_job(s, job)->wait = i;
    lack_count(s, &s->waits->wait[i], 1);
}

void gsched_wait_carry(struct gsched *s, uint32_t job, const int64_t *us,
                       const int64_t *refused)
{
    struct wait *w = wait_of(s, job);

    assert(w);
    for (uint32_t c = 0; us && c < GSCHED_CAUSES; c++)
        w->us[c] += us[c];
    for (uint32_t g = 0; refused && g < GSCHED_GATES; g++)
        w->refused[g] += refused[g];
}

void gsched_wait_for(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    struct wait *w = wait_of(s, job);

    assert(job < s->jobs->job_count && why < GSCHED_CAUSES);
    if (!w || (w->cqueue == NONE && w->cause == why))
        return;
    settle(s, job, w);
    w->cause = (uint8_t)why;
    lack_count(s, w, 1);
}

void gsched_wait_in(struct gsched *s, uint32_t job, uint32_t cqueue)
{
    struct wait *w = wait_of(s, job);

    assert(cqueue < s->pending->cqueue_count);
    if (!w || w->cqueue == cqueue)
        return;
    settle(s, job, w);
    w->cqueue = cqueue;
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        w->us[c] -= cqueue_reads(s, &s->pending->cqueue[cqueue], c);
    for (uint32_t g = 0; g < s->modules->gates; g++)
        w->refused[g] -= cqueue_refused(s, &s->pending->cqueue[cqueue], g);
    lack_count(s, w, 1);
}

void gsched_wait_head(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    struct wait *w = wait_of(s, job);
    uint32_t cqueue;

    assert(why < GSCHED_CAUSES);
    if (!w || w->cqueue == NONE || (w->is_head && w->cause == why))
        return;
    cqueue = w->cqueue;
    settle(s, job, w);
    lack_count(s, w, 1);
    gsched_wait_in(s, job, cqueue);
    lack_count(s, w, -1);
    if (!s->pending->cqueue[cqueue].heads)
        s->pending->cqueue[cqueue].heads = gs_arena_alloc(
            s->arena, 1, sizeof(struct lack_sums));
    gsched_head_waits(s, &s->pending->cqueue[cqueue]);
    w->is_head = true;
    w->order = cqueue_reads(s, &s->pending->cqueue[cqueue], GSCHED_ORDER);
    w->cause = (uint8_t)why;
    lack_count(s, w, 1);
}

void gsched_wait_holds(struct gsched *s, uint32_t job, int64_t milli)
{
    struct wait *w = wait_of(s, job);

    if (!w)
        return;
    lack_count(s, w, -1);
    w->lack.held += milli;
    lack_count(s, w, 1);
}

void gsched_wait_end(struct gsched *s, uint32_t job)
{
    struct wait *w = wait_of(s, job);

    if (!w)
        return;
    settle(s, job, w);
    w->is_over = true;
}

void gsched_wait_resume(struct gsched *s, uint32_t job, enum gsched_cause why)
{
    struct wait *w;

    assert(gsched_job(s, job)->wait != NONE);
    w = &s->waits->wait[gsched_job(s, job)->wait];
    if (!w->is_over)
        return;
    assert(w->cqueue == NONE && !w->is_head);
    w->is_over = false;
    w->at = s->now;
    w->cause = (uint8_t)why;
    w->lack = gsched_lack_of(s, job);
    lack_count(s, w, 1);
}

void gsched_wait_close(struct gsched *s, uint32_t job)
{
    if (gsched_job(s, job)->wait == NONE)
        return;
    gsched_wait_end(s, job);
    (void)gs_numbers_add(&s->waits->settled, job);
}

void gsched_waits_free(struct gsched *s)
{
    assert(s->waits->settled.count <= s->waits->wait_count);
    for (uint32_t i = 0; i < s->waits->settled.count; i++) {
        struct job_state *j = gsched_job(s, s->waits->settled.at[i]);

        s->waits->wait[j->wait].next = s->waits->free_wait;
        s->waits->free_wait = j->wait;
        j->wait = NONE;
    }
    s->waits->settled.count = 0;
}

void gsched_wait_expect(const struct gsched *s, uint32_t job)
{
    const uint32_t i = gsched_job(s, job)->wait;

    if (i != NONE)
        gs_fetch(&s->waits->wait[i], sizeof(*s->waits->wait));
}

const int64_t *gsched_waits(struct gsched *s, uint32_t job, int64_t now)
{
    struct wait *w;

    if (gsched_check_now(s, now) < 0 || job >= s->jobs->job_count)
        return NULL;
    w = wait_of(s, job);
    if (!w)
        return gsched_job(s, job)->wait == NONE
                   ? NULL
                   : s->waits->wait[gsched_job(s, job)->wait].us;
    s->now = now;
    memcpy(s->waits->told_waits, w->us, sizeof(s->waits->told_waits));
    if (w->cqueue == NONE) {
        s->waits->told_waits[w->cause] += now - w->at;
        return s->waits->told_waits;
    }
    for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
        s->waits->told_waits[c] += cqueue_reads(
            s, &s->pending->cqueue[w->cqueue], c);
    head_reads(s, w, s->waits->told_waits);
    return s->waits->told_waits;
}

uint32_t gsched_gates(const struct gsched *s)
{
    return s ? s->modules->gates : 0;
}

const char *gsched_gate(const struct gsched *s, uint32_t gate)
{
    return s && gate < s->modules->gates ? s->modules->gate[gate] : NULL;
}

const int64_t *gsched_refused(struct gsched *s, uint32_t job, int64_t now)
{
    const struct wait *w;

    if (gsched_check_now(s, now) < 0 || job >= s->jobs->job_count
        || gsched_job(s, job)->wait == NONE)
        return NULL;
    s->now = now;
    w = &s->waits->wait[gsched_job(s, job)->wait];
    memcpy(s->waits->told_refused, w->refused, sizeof(s->waits->told_refused));
    for (uint32_t g = 0;
         g < s->modules->gates && !w->is_over && w->cqueue != NONE; g++)
        s->waits->told_refused[g] += cqueue_refused(
            s, &s->pending->cqueue[w->cqueue], g);
    return s->waits->told_refused;
}

enum gsched_cause gsched_wait_cause(const struct gsched *s, uint32_t job)
{
    const struct job_state *j;
    const struct wait *w;

    if (!s || job >= s->jobs->job_count)
        return GSCHED_NO_CAUSE;
    j = gsched_job(s, job);
    w = j->wait == NONE ? NULL : &s->waits->wait[j->wait];
    if (!w || w->cqueue == NONE)
        return (enum gsched_cause)j->cause;
    if (w->is_head && !s->pending->cqueue[w->cqueue].reason)
        return (enum gsched_cause)w->cause;
    return gsched_cqueue_cause(s, &s->pending->cqueue[w->cqueue]);
}

const char *gsched_wait_refuser(const struct gsched *s, uint32_t job)
{
    const struct wait *w;
    const struct class_queue *b;

    if (!s || job >= s->jobs->job_count || gsched_job(s, job)->wait == NONE)
        return NULL;
    w = &s->waits->wait[gsched_job(s, job)->wait];
    if (w->is_over || w->cqueue == NONE)
        return NULL;
    b = &s->pending->cqueue[w->cqueue];
    return b->reason == GSCHED_QUOTA ? gsched_gate(s, b->gate) : NULL;
}

bool gsched_wait_is_head(const struct gsched *s, uint32_t job, uint32_t cqueue,
                         enum gsched_cause *why)
{
    const uint32_t i = gsched_job(s, job)->wait;
    const struct wait *w = i == NONE ? NULL : &s->waits->wait[i];

    if (!w || !w->is_head || w->cqueue != cqueue
        || s->pending->cqueue[cqueue].reason)
        return false;
    *why = (enum gsched_cause)w->cause;
    return true;
}

void gsched_waits_open(struct gsched *s)
{
    s->waits = gs_arena_alloc(s->arena, 1, sizeof(*s->waits));
    s->waits->free_wait = NONE;
    gsched_lacking_open(s);
}

void gsched_waits_close(struct gsched *s)
{
    gs_array_free(s->waits->wait);
    gs_array_free(s->waits->settled.at);
    gsched_lacking_free(s);
}
