/* policies/actions/passes.c - when passes are due, and the main pass.
 *
 * The main pass tries jobs in order.  A job that cannot start closes its
 * partition: those behind it in the partition are skipped, and jobs of other
 * partitions start on none of its nodes.
 */
#include "policies/actions/passes.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/partitions.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/limit_sets.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

#define FEW 64u /* jobs listed at first */

struct gsched_passes *gsched_passes_of(struct gsched *s)
{
    if (!s->passes) {
        s->passes = gs_array_new(1, sizeof(*s->passes));
        s->passes->main_full = s->passes->main_timed = s->passes->backfill_at =
            -1;
        s->passes->avoid = gs_array_new(s->topo->node_count, 1);
        s->passes->has_main = s->modules->has_passes
                              && gsched_has_action(s, GSCHED_ALLOCATE);
    }
    return s->passes;
}

void gsched_passes_free(struct gsched *s)
{
    struct gsched_passes *p = s->passes;

    if (!p)
        return;
    gsched_list_free(&p->list);
    gsched_pass_limits_free(&p->limits);
    gs_array_free(p->avoid);
    gs_array_free(p->is_closed);
    gs_far_free(s->work->far, p->looked);
    gs_array_free(p);
}

/* --- when ----------------------------------------------------------------- */

int64_t gsched_tick_after(int64_t phase, int64_t interval, int64_t after)
{
    assert(phase >= 0 && interval >= 0);
    if (interval == 0 || after < phase)
        return after < phase ? phase : after + 1;
    if (after - phase > GSCHED_LAST - interval)
        return GSCHED_NEVER;
    return phase + ((after - phase) / interval + 1) * interval;
}

static struct pass_changes changes_of(const struct gsched *s)
{
    return (struct pass_changes){ s->pending->pushes, s->allocations->releases,
                                  s->pending->reorders
                                      + gsched_limits_turns(s) };
}

static bool is_unseen(const struct gsched *s, const struct pass_changes *saw)
{
    const struct pass_changes now = changes_of(s);

    return now.pushes != saw->pushes || now.releases != saw->releases
           || now.orders != saw->orders;
}

/* When the next main pass is due because of submissions or its interval. */
static int64_t main_timed(const struct gsched *s)
{
    const struct gsp_passes *how = &s->modules->passes;
    const struct gsched_passes *p = s->passes;
    int64_t at = GSCHED_NEVER;

    if (how->interval && (p->is_cut || is_unseen(s, &p->main_saw)))
        at = gsched_tick_after(how->phase, how->interval, p->main_full);
    if (s->pending->pushes != p->main_saw.pushes
        && p->main_timed + how->submit_delay < at)
        at = p->main_timed < 0 ? s->now : p->main_timed + how->submit_delay;
    return at;
}

bool gsched_main_is_due(struct gsched *s, bool *full)
{
    const struct gsp_passes *how = &s->modules->passes;
    const struct gsched_passes *p = gsched_passes_of(s);

    *full = how->interval
            && gsched_tick_after(how->phase, how->interval, p->main_full)
                   <= s->now;
    return changes_of(s).releases != p->main_saw.releases
           || main_timed(s) <= s->now;
}

bool gsched_windowed_is_due(struct gsched *s)
{
    const struct gsp_backfill *how = &s->modules->backfill;
    const struct gsched_passes *p = gsched_passes_of(s);

    return is_unseen(s, &p->backfill_saw)
           && gsched_tick_after(how->phase, how->interval, p->backfill_at)
                  <= s->now;
}

void gsched_windowed_seen(struct gsched *s)
{
    s->passes->backfill_saw = changes_of(s);
    s->passes->backfill_at = s->now;
}

int64_t gsched_passes_next(const struct gsched *s)
{
    const struct gsp_backfill *how = &s->modules->backfill;
    const struct gsched_passes *p = s->passes;
    int64_t at, next;

    if (!p || s->jobs->waiting == 0)
        return GSCHED_NEVER;
    at = p->has_main ? main_timed(s) : GSCHED_NEVER;
    if (s->modules->is_windowed && is_unseen(s, &p->backfill_saw)) {
        next = gsched_tick_after(how->phase, how->interval, p->backfill_at);
        at = next < at ? next : at;
    }
    return at > s->now ? at : s->now;
}

int gsched_passes_hurry(struct gsched *s)
{
    const struct pass_changes none = { UINT64_MAX, UINT64_MAX };
    struct gsched_passes *p;

    if (!s)
        return -1;
    if (!s->modules->has_passes && !s->modules->is_windowed)
        return 0;
    p = gsched_passes_of(s);
    p->main_full = p->main_timed = p->backfill_at = -1;
    p->main_saw = p->backfill_saw = none;
    return 0;
}

int64_t gsched_passes_interval(const struct gsched *s)
{
    const struct gsched_modules *m = s ? s->modules : NULL;
    int64_t us = 0;

    if (m && m->has_passes)
        us = m->passes.submit_delay;
    if (m && m->is_windowed && m->backfill.interval > us)
        us = m->backfill.interval;
    return us;
}

/* --- jobs in order -------------------------------------------------------- */

void gsched_pass_begin(struct gsched *s, uint32_t jobs)
{
    struct gsched_passes *p = s->passes;

    p->looked = gs_far_grow(s->work->far, p->looked, &p->looked_cap,
                            s->jobs->job_count, sizeof(*p->looked));
    p->limits.pass++;
    p->list.count = p->listed = p->next = 0;
    p->list_first = jobs < s->jobs->waiting ? jobs : s->jobs->waiting;
}

/* The list is made anew, twice as long, when its end is reached: jobs that
 * started in between left the heaps that it comes from.
 */
uint32_t gsched_pass_next(struct gsched *s)
{
    struct gsched_passes *p = s->passes;

    for (;;) {
        while (p->next < p->list.count) {
            const uint32_t job = p->list.job[p->next++];

            if (p->looked[job] == p->limits.pass)
                continue;
            p->looked[job] = p->limits.pass;
            return job;
        }
        if (p->list.count < p->listed)
            return NONE;
        p->listed = p->listed ? 2 * p->listed : p->list_first + 1;
        p->next = 0;
        gsched_list_in_order(s, p->listed, &p->list);
    }
}

/* --- the main pass -------------------------------------------------------- */

static void closed_begin(struct gsched *s)
{
    struct gsched_passes *p = s->passes;

    memset(p->avoid, 0, s->topo->node_count);
    if (p->is_closed)
        memset(p->is_closed, 0, p->closed_cap);
}

static bool is_closed(struct gsched *s, uint32_t partition)
{
    struct gsched_passes *p = s->passes;

    p->is_closed = gs_array_grow(p->is_closed, &p->closed_cap, partition + 1,
                                 sizeof(*p->is_closed));
    return p->is_closed[partition];
}

/* Close the partition.  Returns the number of nodes that are open still. */
static uint32_t partition_close(struct gsched *s, uint32_t partition)
{
    struct gsched_passes *p = s->passes;
    uint32_t open = 0;

    p->is_closed[partition] = 1;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        p->avoid[n] |= gsched_partition_has(s, partition, n);
        open += !p->avoid[n];
    }
    return open;
}

/* Start the job on nodes that are not closed; `whole`: none is. */
static bool try_start(struct gsched *s, const struct queue_entry *it,
                      uint32_t cqueue, bool whole)
{
    const uint32_t rclass = s->pending->cqueue[cqueue].rclass;
    const uint32_t first = s->decision_count;
    uint32_t mark;

    if (gsched_rclass_is_unschedulable(s, rclass))
        return false;
    if (!gsched_gang_has_room(s, it->job)) {
        gsched_rclass_unschedulable(s, rclass, gsched_cause_of(s, it));
        return false;
    }
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, it->job, whole ? NULL : s->passes->avoid)) {
        topo_cluster_rollback(s->cluster, mark);
        if (whole)
            gsched_rclass_unschedulable(s, rclass, gsched_cause_of(s, it));
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    gsched_gang_commit(s, it->job, first);
    gsched_entry_served(s, it);
    return true;
}

/* Set the wait reason of jobs that are blocked by those before them. */
static void order_tell(struct gsched *s)
{
    struct gsched_pending *p = s->pending;

    for (uint32_t i = p->active.count; i-- > 0;) {
        const uint32_t rclass = p->active.at[i];

        if (p->rclass[rclass].waiting == 0) {
            gsched_rclass_unlist(s, rclass);
            continue;
        }
        for (uint32_t b = p->rclass[rclass].first_cqueue; b != NONE;
             b = p->cqueue[b].next) {
            if (p->cqueue[b].count && p->cqueue[b].at != NONE)
                gsched_cqueue_waits_for(s, &p->cqueue[b], GSCHED_ORDER);
        }
    }
}

static void seen(struct gsched *s, bool full)
{
    struct gsched_passes *p = s->passes;
    const bool timed = full || s->pending->pushes != p->main_saw.pushes;

    p->main_saw = changes_of(s);
    if (timed)
        p->main_timed = s->now;
    if (full)
        p->main_full = s->now;
}

/* The class queue stays the head when the job is its first entry: actions that
 * evict make room for it.
 */
static void head_note(struct gsched *s, uint32_t job, uint32_t cqueue)
{
    if (s->head == NONE && s->pending->cqueue[cqueue].heap[0].job == job)
        s->head = cqueue;
}

void gsched_main_pass(struct gsched *s, bool full)
{
    const struct gsp_passes *how = &s->modules->passes;
    struct gsched_passes *p = gsched_passes_of(s);
    uint32_t looked = 0, starts = 0, job;
    bool whole = true, is_left = false, is_refused;

    gsched_pass_begin(s, FEW);
    closed_begin(s);
    p->is_cut = false;
    while ((job = gsched_pass_next(s)) != NONE) {
        const struct queue_entry it = { gsched_job(s, job)->since, 0, job,
                                        NONE };
        const uint32_t cqueue = gsched_cqueue_of(s, job);
        const uint32_t partition = gsched_partition_of(s, job);
        /* its nodes are kept for it: others do not close them */
        const bool has_own = s->booked && s->work->job[job].aside->reservation;

        if (gsched_is_full(s))
            return;
        p->is_cut = (how->starts && starts == how->starts)
                    || (!full && how->depth && looked++ > how->depth);
        if (p->is_cut)
            break;
        if (!has_own && is_closed(s, partition))
            continue;
        if (!gsched_pass_looks(s, &p->limits, partition)) {
            is_left = true;
            continue;
        }
        is_refused = !gsched_entry_allocatable(s, &it);
        if (is_refused)
            gsched_cqueue_refused(s, &s->pending->cqueue[cqueue],
                                  s->modules->refuser);
        else if (try_start(s, &it, cqueue, whole || has_own)) {
            starts++;
            continue;
        }
        if (has_own || (is_refused && !how->limits_block)
            || !gsched_pass_counts(s, job, how->min_priority, how->min_wait))
            continue;
        head_note(s, job, cqueue);
        whole = false;
        if (partition_close(s, partition) == 0 && !s->booked)
            break;
    }
    p->is_cut |= is_left && starts > 0; /* else they are left again */
    seen(s, full);
    order_tell(s);
}
