/* tests/host/audit.c - does what the live host does make sense? */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "tests/host/live.h"
#include "topology/cluster.h"

#define FAULTS_TOLD 10

void live_fault(struct live *l, const char *what, const char *name)
{
    if (l->faults++ < FAULTS_TOLD)
        printf("  at %" PRId64 " us: %s (%s)\n", l->now, what, name);
}

void live_accepted(struct live *l, int status, const char *name)
{
    if (status < 0)
        live_fault(l, gsched_refusal(l->sched), name);
}

static const char *by_of(const struct live *l, const struct gsched_decision *d)
{
    return d->by == UINT32_MAX ? "-" : l->known[d->by]->name;
}

const char *live_tell(const struct live *l, const struct gsched_decision *d,
                      char line[LIVE_LINE])
{
    static const char *const kind[] = { "place", "evict", "return", "shrink",
                                        "reject" };
    static const char *const reason[] = { "timeout", "preempted", "reclaimed" };
    const char *job = l->known[d->job]->name;
    const bool is_given_back = d->kind == GSCHED_EVICT
                               || d->kind == GSCHED_SHRINK;
    int n = snprintf(line, LIVE_LINE, " %s %s", kind[d->kind], job);

    if (d->kind == GSCHED_PLACE || is_given_back)
        n += snprintf(line + n, LIVE_LINE - (size_t)n,
                      " %" PRIu32 " %" PRIu32 "+%" PRIu32 " %s %" PRIx64,
                      d->group, d->first_task, d->grant.tasks,
                      l->node[d->grant.node].name, d->grant.devices);
    if (d->kind == GSCHED_RETURN || is_given_back)
        (void)snprintf(line + n, LIVE_LINE - (size_t)n, " %s %s",
                       reason[d->reason], by_of(l, d));
    return line;
}

/* What pods hold is what their nodes say is taken. */
static bool node_adds_up(const struct live *l, const struct live_node *n)
{
    int64_t used[TOPO_DIMS_MAX] = { 0 }, taken = 0;

    for (uint32_t i = 0; i < l->job_count; i++) {
        const struct live_job *j = l->job[i];

        for (uint32_t g = 0, p = 0; g < j->spec.group_count; g++) {
            for (uint32_t k = 0; k < j->group[g].replicas; k++, p++) {
                for (uint32_t d = 0; j->pod[p].node == n && d < l->dims.count;
                     d++)
                    used[d] += j->group[g].asks.amount[d];
            }
        }
    }
    for (uint32_t i = 0; i < n->gpus; i++)
        taken += n->taken[i];
    return taken == used[TOPO_GPU]
           && memcmp(used, n->used, l->dims.count * sizeof(*used)) == 0;
}

bool live_consistent(const struct live *l)
{
    for (uint32_t i = 0; i < l->job_count; i++) {
        const struct live_job *j = l->job[i];
        uint32_t bound = 0;

        for (uint32_t p = 0; p < j->pods; p++)
            bound += j->pod[p].node != NULL;
        if (bound != j->bound
            || (!live_is_over(j) && gsched_placed(l->sched, j->id) != bound))
            return false;
    }
    for (uint32_t n = 0; n < l->node_count; n++) {
        if (!node_adds_up(l, &l->node[n]))
            return false;
    }
    return topo_cluster_check(l->cluster);
}
