/* policies/lifecycle/node_events.c - events of the host: nodes cordoned, GPUs
 * failed, tasks lost, given back or ended.
 *
 * The cluster records which nodes accept tasks; reservations on other nodes are
 * made anew, and pending jobs are activated when room is added.
 */
#include <assert.h>

#include "base/arena.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/node_windows.h"
#include "policies/pending/back_off.h"
#include "policies/pending/pending.h"
#include "policies/reservation/reservation.h"
#include "policies/state/check.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/quota_holds.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

int gsched_node_cordoned(struct gsched *s, uint32_t node, int64_t now)
{
    if (gsched_check_now(s, now) < 0 || gsched_check_node(s, node) < 0)
        return -1;
    s->now = now;
    gsched_node_close(s, node);
    return 0;
}

int gsched_node_uncordoned(struct gsched *s, uint32_t node, int64_t now)
{
    if (gsched_check_now(s, now) < 0 || gsched_check_node(s, node) < 0)
        return -1;
    s->now = now;
    gsched_node_open(s, node);
    return 0;
}

static bool is_failed(const struct gsched *s, uint32_t node, uint32_t device)
{
    assert(device < TOPO_DEVICES_MAX);
    return topo_cluster_failed(s->cluster, node) >> device & 1;
}

int gsched_gpu_failed(struct gsched *s, uint32_t node, uint32_t device,
                      int64_t now)
{
    if (gsched_check_now(s, now) < 0
        || gsched_check_device(s, node, device) < 0)
        return -1;
    if (!is_failed(s, node, device)
        && !topo_device_is_free(s->cluster, node, device))
        return gsched_refuse(s, "tasks hold the GPU that is out of order");
    s->now = now;
    if (is_failed(s, node, device))
        return 0;
    topo_cluster_fail(s->cluster, node, device);
    gsched_node_changed(s, node, -(int64_t)TOPO_SHARE_ONE);
    return 0;
}

int gsched_gpu_repaired(struct gsched *s, uint32_t node, uint32_t device,
                        int64_t now)
{
    if (gsched_check_now(s, now) < 0
        || gsched_check_device(s, node, device) < 0)
        return -1;
    s->now = now;
    if (!is_failed(s, node, device))
        return 0;
    topo_cluster_repair(s->cluster, node, device);
    gsched_node_freed(s, node);
    gsched_node_changed(s, node, TOPO_SHARE_ONE);
    return 0;
}

int gsched_lost(struct gsched *s, uint32_t job, int64_t now)
{
    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0)
        return -1;
    if (gsched_job(s, job)->placed == 0)
        return gsched_refuse(s, "the job holds nothing that it could lose");
    s->now = now;
    gsched_claims_lost(s, job);
    gsched_back_off(s, job);
    gsched_wait_again(s, job, gsched_since_again(s, job), NULL);
    return 0;
}

bool gsched_can_spare(const struct gsched *s, uint32_t job, uint32_t node,
                      uint64_t devices)
{
    const struct trace_job *j;
    uint32_t lost = 0;
    bool can;

    if (!gsched_is_live(s, job))
        return false;
    j = &s->work->job[job];
    can = gsched_job(s, job)->phase == JOB_RUNNING;

    for (uint32_t g = 0; g < j->group_count && can; g++) {
        const uint32_t first = gsched_job(s, job)->first_allocation;
        uint32_t here = 0;

        for (const struct allocation *a = gsched_allocation_at(s, first); a;
             a = gsched_allocation_at(s, a->next)) {
            if (a->group == g && gsched_stands_on(&a->grant, node, devices))
                here += a->grant.tasks;
        }
        lost += here;
        can = here == 0
              || s->jobs->group_placed[j->first_group + g]
                     >= gsched_group(s, job, g)->min + here;
    }
    return can && gsched_job(s, job)->placed >= j->gang + lost;
}

/* True when the job holds anything on these devices of the node. */
static bool stands_there(const struct gsched *s, uint32_t job, uint32_t node,
                         uint64_t devices)
{
    const struct allocation *a = gsched_allocation_at(
        s, gsched_job(s, job)->first_allocation);

    while (a && !gsched_stands_on(&a->grant, node, devices))
        a = gsched_allocation_at(s, a->next);
    return a != NULL;
}

int gsched_lost_part(struct gsched *s, uint32_t job, uint32_t node,
                     uint64_t devices, int64_t now)
{
    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0)
        return -1;
    if (!stands_there(s, job, node, devices))
        return gsched_refuse(s, "the job holds nothing there");
    if (!gsched_can_spare(s, job, node, devices))
        return gsched_refuse(s, "the job cannot spare what it would lose");
    s->now = now;
    gsched_release_on(s, job, node, devices);
    return 0;
}

int gsched_give_back(struct gsched *s, const struct gsched_decision *d,
                     int64_t now)
{
    const struct trace_job *j;
    uint32_t i;

    if (gsched_check_now(s, now) < 0)
        return -1;
    if (!d || d->kind != GSCHED_PLACE)
        return gsched_refuse(s, "only tasks that were placed are given back");
    if (gsched_check_live(s, d->job) < 0)
        return -1;
    i = gsched_allocation_of(s, d);
    if (i == NONE)
        return gsched_refuse(s, "the job does not hold these tasks any more");
    j = &s->work->job[d->job];
    s->now = now;
    if (gsched_job(s, d->job)->phase == JOB_RUNNING
        && gsched_job(s, d->job)->placed >= j->gang + d->grant.tasks
        && (s->profile->unit == GSCHED_UNIT_POD /* it counts tasks only */
            || s->jobs->group_placed[j->first_group + d->group]
                   >= gsched_group(s, d->job, d->group)->min + d->grant.tasks))
        gsched_release_part(s, d->job, i, false);
    else
        gsched_wait_again(s, d->job, gsched_job(s, d->job)->since, NULL);
    return 0;
}

int gsched_task_ended(struct gsched *s, uint32_t job, uint32_t at,
                      uint32_t created, int64_t now)
{
    struct job_state *j;
    uint32_t ended;

    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0)
        return -1;
    j = gsched_job(s, job);
    if (j->phase != JOB_RUNNING || s->work->job[job].group_count > 1
        || s->work->job[job].gang > 1)
        return gsched_refuse(s, "the job's tasks do not end one by one");
    if (at >= s->allocations->allocation_count
        || s->allocations->allocation[at].job != job)
        return gsched_refuse(s, "the job has no such tasks");
    ended = s->allocations->allocation[at].grant.tasks;
    if (created > j->created || created < j->created - ended)
        return gsched_refuse(s, "as many tasks remain as before, or fewer by"
                                " those that ended");
    s->now = now;
    gsched_usage_requested(s, job, created, j->created, -1);
    j->created = created;
    gsched_release_part(s, job, at, true);
    gsched_quota_shrink(s, job, ended);
    return 0;
}

int gsched_follow_nodes(struct gsched *s)
{
    if (!s)
        return -1;
    if (s->allocations->node_allocation)
        return 0;
    if (s->allocations->allocation_count)
        return gsched_refuse(s, "spans are followed from the first on");
    s->allocations->node_allocation = gs_arena_alloc(
        s->arena, s->topo->node_count,
        sizeof(*s->allocations->node_allocation));
    for (uint32_t i = 0; i < s->topo->node_count; i++)
        s->allocations->node_allocation[i] = NONE;
    return 0;
}

/* --- what is wanted ------------------------------------------------------- */

/* Number of tasks of the shape that fit an empty node of the type; 0: none. */
static uint32_t type_fit(struct gsched *s, uint32_t type, uint32_t shape)
{
    const struct topo *t = s->topo;
    uint32_t most = 0;

    for (uint32_t k = 0; k < t->class_count; k++) {
        const uint32_t n = t->klass[k].type == type
                               ? topo_class_fit(t, k, &s->work->shape[shape])
                               : 0;

        most = n > most ? n : most;
    }
    return most;
}

/* Number of tasks of the shape that fit on the open nodes of other types. */
static uint64_t others_fit(struct gsched *s, uint32_t type, uint32_t shape)
{
    const struct topo *t = s->topo;
    uint64_t tasks = 0;

    for (uint32_t k = 0; k < t->class_count; k++) {
        if (t->klass[k].type != type)
            tasks += (uint64_t)topo_class_open(s->cluster, k)
                     * topo_class_fit(t, k, &s->work->shape[shape]);
    }
    return tasks;
}

/* Thousandths of nodes of the type that the entry would fill; 0: it does not
 * fit on `most` of them and all others, empty.
 */
static uint64_t entry_milli(struct gsched *s, uint32_t type,
                            const struct queue_entry *it, uint64_t most)
{
    uint64_t milli = 0, beside = 0;

    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t shape = gsched_group(s, it->job, g)->shape;
        const uint32_t fit = type_fit(s, type, shape);
        const uint64_t tasks = it->group == NONE ? gsched_gang_of(s, it->job, g)
                               : it->group == g
                                   ? gsched_group_missing(s, it->job, g)
                                   : 0;

        if (!fit || !tasks)
            continue;
        milli += (tasks * 1000 + fit - 1) / fit;
        if (milli > most)
            beside += others_fit(s, type, shape) * 1000 / fit;
    }
    if (milli <= most)
        return milli;
    return milli - most <= beside ? most : 0;
}

static uint64_t cqueue_milli(struct gsched *s, uint32_t type,
                             const struct class_queue *b, uint64_t most)
{
    const bool is_alike = s->pending->rclass[b->rclass].kind == REQUEST_GANG;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < b->count && sum < most; i++) {
        const uint64_t milli = entry_milli(s, type, &b->heap[i], most);

        if (is_alike)
            return milli * b->count;
        sum += milli;
    }
    return sum;
}

uint32_t gsched_nodes_wanted(struct gsched *s, uint32_t type, uint32_t most)
{
    const uint64_t enough = (uint64_t)most * 1000;
    uint64_t milli = 0;

    for (uint32_t i = 0; s && i < s->pending->cqueue_count && milli < enough;
         i++) {
        const struct class_queue *b = &s->pending->cqueue[i];
        const uint8_t kind = s->pending->rclass[b->rclass].kind;

        if (b->count == 0 || kind == REQUEST_ADMISSION
            || kind == REQUEST_ELASTIC || b->reason == GSCHED_QUOTA)
            continue;
        milli += cqueue_milli(s, type, b, enough);
    }
    milli = milli < enough ? milli : enough;
    return (uint32_t)((milli + 999) / 1000);
}
