/* policies/pending/job_waits.c - see job_waits.h. */
#include "policies/pending/job_waits.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/fetch.h"
#include "policies/pending/pending.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/wait_clock.h"
#include "policies/state/check.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

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

#define CHUNK 256u

/* The waits of all jobs, which stay where they are. */
struct gsched_waits {
    struct wait **chunk; /* each of CHUNK waits */
    uint32_t chunk_cap;
    uint32_t wait_count, free_wait;
    struct gs_numbers settled; /* jobs whose waits are freed at the begin of
                                  the next cycle */
    int64_t told_waits[GSCHED_CAUSES];
    int64_t told_refused[GSCHED_GATES];
};

static struct wait *wait_at(const struct gsched *s, uint32_t i)
{
    assert(i < s->waits->wait_count);
    return &s->waits->chunk[i / CHUNK][i % CHUNK];
}

static void chunk_add(struct gsched *s, uint32_t at)
{
    struct gsched_waits *w = s->waits;

    w->chunk = gs_array_grow(w->chunk, &w->chunk_cap, at + 1,
                             sizeof(struct wait *));
    w->chunk[at] = gs_arena_alloc(s->arena, CHUNK, sizeof(struct wait));
}

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
    order = gsched_clock_reads(s, &s->pending->cqueue[w->cqueue], GSCHED_ORDER)
            - w->order;
    us[w->cause] += order;
    us[GSCHED_ORDER] -= order;
}

/* The wait of the job, which may be over; NULL. */
static struct wait *last_of(const struct gsched *s, uint32_t job)
{
    const uint32_t i = gsched_job(s, job)->wait;

    return i == NONE ? NULL : wait_at(s, i);
}

/* The unfinished wait of the job; NULL. */
static struct wait *wait_of(const struct gsched *s, uint32_t job)
{
    struct wait *w = last_of(s, job);

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
    gsched_clock_add(s, &s->pending->cqueue[w->cqueue], 1, w->us);
    gsched_clock_refused_add(s, &s->pending->cqueue[w->cqueue], 1, w->refused);
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
        s->waits->free_wait = wait_at(s, i)->next;
    } else {
        i = s->waits->wait_count++;
        if (i % CHUNK == 0)
            chunk_add(s, i / CHUNK);
    }
    *wait_at(s, i) = (struct wait){ .at = s->now,
                                    .cqueue = NONE,
                                    .next = NONE,
                                    .cause = (uint8_t)why,
                                    .lack = gsched_lack_of(s, job) };
    gsched_job(s, job)->wait = i;
    lack_count(s, wait_at(s, i), 1);
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
    gsched_clock_add(s, &s->pending->cqueue[cqueue], -1, w->us);
    gsched_clock_refused_add(s, &s->pending->cqueue[cqueue], -1, w->refused);
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
    w->order = gsched_clock_reads(s, &s->pending->cqueue[cqueue], GSCHED_ORDER);
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
    struct wait *w = last_of(s, job);

    assert(w);
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

        wait_at(s, j->wait)->next = s->waits->free_wait;
        s->waits->free_wait = j->wait;
        j->wait = NONE;
    }
    s->waits->settled.count = 0;
}

void gsched_wait_expect(const struct gsched *s, uint32_t job)
{
    const struct wait *w = last_of(s, job);

    if (w)
        gs_fetch(w, sizeof(*w));
}

const int64_t *gsched_waits(struct gsched *s, uint32_t job, int64_t now)
{
    const struct wait *w;

    if (gsched_check_now(s, now) < 0 || job >= s->jobs->job_count)
        return NULL;
    w = last_of(s, job);
    if (!w || w->is_over)
        return w ? w->us : NULL;
    s->now = now;
    memcpy(s->waits->told_waits, w->us, sizeof(s->waits->told_waits));
    if (w->cqueue == NONE) {
        s->waits->told_waits[w->cause] += now - w->at;
        return s->waits->told_waits;
    }
    gsched_clock_add(s, &s->pending->cqueue[w->cqueue], 1,
                     s->waits->told_waits);
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

    if (gsched_check_now(s, now) < 0 || job >= s->jobs->job_count)
        return NULL;
    w = last_of(s, job);
    if (!w)
        return NULL;
    s->now = now;
    memcpy(s->waits->told_refused, w->refused, sizeof(s->waits->told_refused));
    if (!w->is_over && w->cqueue != NONE)
        gsched_clock_refused_add(s, &s->pending->cqueue[w->cqueue], 1,
                                 s->waits->told_refused);
    return s->waits->told_refused;
}

enum gsched_cause gsched_wait_cause(const struct gsched *s, uint32_t job)
{
    const struct wait *w;

    if (!s || job >= s->jobs->job_count)
        return GSCHED_NO_CAUSE;
    w = last_of(s, job);
    if (!w || w->cqueue == NONE)
        return (enum gsched_cause)gsched_job(s, job)->cause;
    if (w->is_head && !s->pending->cqueue[w->cqueue].reason)
        return (enum gsched_cause)w->cause;
    return gsched_cqueue_cause(s, &s->pending->cqueue[w->cqueue]);
}

const char *gsched_wait_refuser(const struct gsched *s, uint32_t job)
{
    const struct wait *w;
    const struct class_queue *b;

    if (!s || job >= s->jobs->job_count)
        return NULL;
    w = wait_of(s, job);
    if (!w || w->cqueue == NONE)
        return NULL;
    b = &s->pending->cqueue[w->cqueue];
    return b->reason == GSCHED_QUOTA ? gsched_gate(s, b->gate) : NULL;
}

bool gsched_wait_is_head(const struct gsched *s, uint32_t job, uint32_t cqueue,
                         enum gsched_cause *why)
{
    const struct wait *w = last_of(s, job);

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
    gs_array_free(s->waits->chunk);
    gs_array_free(s->waits->settled.at);
    gsched_lacking_free(s);
}
