/* policies/actions/windowed.c - windowed backfill: at intervals, the first jobs
 * in order are planned anew.
 *
 * A job that fits now starts, unless it would run into a reservation made
 * before in this pass; else it gets a reservation, at the earliest start that
 * is found, on whole nodes.  See reservation/window.h.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/actions/actions.h"
#include "policies/actions/passes.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/partitions.h"
#include "policies/placement/placement.h"
#include "policies/reservation/window.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* --- one job -------------------------------------------------------------- */

static void avoid_set(struct gsched *s)
{
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        s->passes->avoid[n] = !gsched_bit(s->window->given, n);
}

/* The nodes that the gang would get now, of those given, are in `picked`; with
 * `starts` it starts there.  False: it does not fit.
 */
static bool place(struct gsched *s, uint32_t job, bool starts)
{
    const struct queue_entry it = { gsched_job(s, job)->since, 0, job, NONE };
    const uint32_t first = s->decision_count;
    struct gsched_window *w = s->window;
    uint32_t mark;

    if (!gsched_window_has_room(s))
        return false;
    avoid_set(s);
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, job, s->passes->avoid)) {
        topo_cluster_rollback(s->cluster, mark);
        return false;
    }
    memset(w->picked, 0, w->words * sizeof(*w->picked));
    for (uint32_t i = first; i < s->decision_count; i++) {
        const uint32_t n = s->decision[i].grant.node;

        w->picked[n / 64] |= UINT64_C(1) << n % 64;
    }
    if (!starts) {
        gsched_undo(s, mark, first);
        return true;
    }
    topo_cluster_commit(s->cluster, mark);
    gsched_gang_commit(s, job, first);
    gsched_window_took(s, job, first);
    gsched_entry_served(s, &it);
    return true;
}

/* Start the job in room made by eviction.  Within a pass, until a job starts, a
 * job like one that failed, with no shorter limit, fails too.
 */
static bool make_room(struct gsched *s, uint32_t job)
{
    const int64_t limit = gsched_job(s, job)->estimate;
    const uint32_t klass = s->work->job[job].klass;
    struct window_view *v = s->window->of;

    if (v->is_tried && v->tried_class == klass && v->tried_limit <= limit)
        return false;
    avoid_set(s);
    if (gsched_make_room(s, job, s->passes->avoid)) {
        gsched_window_renew(s);
        return true;
    }
    if (gsched_claims_of(s, job, NONE)) { /* victims leave later, or left */
        gsched_window_renew(s);
        return false;
    }
    v->is_tried = true;
    v->tried_class = klass;
    v->tried_limit = limit;
    return false;
}

/* What became of a job. */
enum outcome { STARTED, RESERVED, LEFT };

/* The earliest start of the job at `at` or later, at most `latest`, on the
 * nodes given then, with the nodes in `picked`; the time now: it started;
 * GSCHED_NEVER: none.
 */
static int64_t start_from(struct gsched *s, uint32_t job, int64_t at,
                          int64_t latest, bool reserves)
{
    int64_t start = GSCHED_NEVER;

    if (!gsched_window_has_nodes(s))
        return start;
    if (place(s, job, at <= s->now))
        return at;
    if (at <= s->now && make_room(s, job))
        return at;
    if (reserves)
        start = gsched_window_start(s, job, latest);
    return start == GSCHED_NEVER || start > at ? start : at;
}

/* Take the nodes that are reserved for others from those that are given at
 * `at`.  Returns when other nodes are given, at `later` or before.
 */
static int64_t booked_give(struct gsched *s, uint32_t job, int64_t at,
                           int64_t later)
{
    const int64_t turn = gsched_booked_next(s, at);
    struct gsched_window *w = s->window;

    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        if (gsched_bit(w->given, n)
            && gsched_booked_refuses(s, job, n, at,
                                     gsched_job(s, job)->estimate))
            w->given[n / 64] &= ~(UINT64_C(1) << n % 64);
    }
    gsched_booked_look(s, at);
    return turn < later ? turn : later;
}

static bool booked_overlaps(const struct gsched *s, uint32_t job, int64_t start)
{
    bool overlaps = false;

    for (uint32_t n = 0; n < s->topo->node_count && !overlaps; n++)
        overlaps = gsched_bit(s->window->picked, n)
                   && gsched_booked_refuses(s, job, n, start,
                                            gsched_job(s, job)->estimate);
    return overlaps;
}

/* Start the job or reserve for it, from `*at` on, which becomes the last time
 * from which it was searched; GSCHED_NEVER: in vain.
 */
static enum outcome job_plan(struct gsched *s, uint32_t job, bool reserves,
                             int64_t *at)
{
    const struct gsp_backfill *how = &s->modules->backfill;
    struct gsched_window *w = s->window;
    const int64_t time = gsched_job(s, job)->estimate;
    int64_t later;

    for (; *at <= w->limit; *at = later) {
        int64_t start, begin, end;

        later = gsched_window_give(w, *at, gsched_later(*at, time));
        if (s->booked)
            later = booked_give(s, job, *at, later);
        start = start_from(s, job, *at, later < w->limit ? later : w->limit,
                           reserves);
        if (start <= s->now)
            return STARTED;
        if (!reserves)
            return LEFT;
        if (start > later || start == GSCHED_NEVER)
            continue;
        if (start > w->limit)
            break;
        gsched_window_slot(w, start, time, how->rounds_down, &begin, &end);
        if (!gsched_window_overlaps(w, begin, end)
            && !(s->booked && booked_overlaps(s, job, start))) {
            gsched_window_reserve(w, begin, end);
            return RESERVED;
        }
        later = start > *at ? start : gsched_later(start, w->resolution);
    }
    *at = GSCHED_NEVER;
    return LEFT;
}

/* --- the pass ------------------------------------------------------------- */

/* Plan the job, if limits allow it; *searched: a place was searched. */
static enum outcome job_look(struct gsched *s, uint32_t job, bool *searched)
{
    const struct queue_entry it = { gsched_job(s, job)->since, 0, job, NONE };
    struct class_queue *b = &s->pending->cqueue[gsched_cqueue_of(s, job)];
    const struct gsp_backfill *how = &s->modules->backfill;
    const uint32_t partition = gsched_partition_of(s, job), rclass = b->rclass;
    const int64_t limit = gsched_job(s, job)->estimate;
    struct pass_limits *l = &s->passes->limits;
    enum outcome outcome = LEFT;
    bool reserves;
    int64_t at;

    *searched = false;
    if (!gsched_entry_allocatable(s, &it)) {
        gsched_cqueue_refused(s, b, s->modules->refuser);
        return LEFT;
    }
    if (!gsched_pass_count(s, l, job, partition))
        return LEFT;
    *searched = true;
    at = gsched_window_bound(s, rclass, limit);
    reserves = gsched_pass_counts(s, job, how->min_priority, how->min_wait)
               && gsched_pass_may_reserve(s, l, partition);
    if (at > s->now && (!reserves || at == GSCHED_NEVER))
        return LEFT;
    gsched_window_job(s, job, rclass);
    outcome = job_plan(s, job, reserves, &at);
    gsched_booked_look(s, GSCHED_NEVER);
    if (outcome != STARTED && reserves)
        gsched_window_note(s, rclass, limit, at);
    if (outcome == RESERVED)
        gsched_pass_reserved(s, l, partition);
    return outcome;
}

void gsched_windowed(struct gsched *s)
{
    const struct gsp_backfill *how = &s->modules->backfill;
    const uint32_t records = how->records ? how->records : how->jobs;
    uint32_t searched = 0, starts = 0, job;

    assert(s->modules->is_windowed);
    if (!gsched_windowed_is_due(s))
        return;
    (void)gsched_window_begin(s);
    gsched_pass_begin(s, how->jobs);
    while (!gsched_is_full(s) && searched < how->jobs
           && (how->starts == 0 || starts < how->starts)
           && s->window->records < records
           && (job = gsched_pass_next(s)) != NONE) {
        bool any;

        starts += job_look(s, job, &any) == STARTED;
        searched += any;
    }
    if (!gsched_is_full(s))
        gsched_windowed_seen(s);
}
