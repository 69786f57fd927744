/* tests/lib/live_audit.c - consistency checks of the live host */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/live_host.h"
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
    static const char *const reason[] = { "timeout", "preempted", "reclaimed",
                                          "lost",    "moved",     "relocated" };
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

/* True when the pods bound to a node add up to its used amounts.  `used`
 * [node].
 */
static bool node_adds_up(const struct live *l, const struct live_node *n,
                         const int64_t *used)
{
    int64_t taken = 0;

    for (uint32_t i = 0; i < n->gpus; i++)
        taken += n->taken[i];
    return taken == used[TOPO_GPU]
           && memcmp(used, n->used, l->dims.count * sizeof(*used)) == 0;
}

/* Add what its pods use to `used` [node]; returns how many are bound. */
static uint32_t job_used(const struct live *l, const struct live_job *j,
                         int64_t (*used)[TOPO_DIMS_MAX])
{
    uint32_t bound = 0;

    for (uint32_t g = 0, p = 0; g < j->spec.group_count; g++) {
        for (uint32_t k = 0; k < j->group[g].replicas; k++, p++) {
            if (!j->pod[p].node)
                continue;
            bound++;
            for (uint32_t d = 0; d < l->dims.count; d++)
                used[j->pod[p].node - l->node][d] += j->group[g].asks.amount[d];
        }
    }
    return bound;
}

/* GPU thousandths that the gang of a pending job lacks; -1: its groups ask for
 * different amounts, and which are of the gang is not known here.
 */
static int64_t lack_of(const struct live_job *j)
{
    const int64_t each = j->group[0].asks.amount[TOPO_GPU];

    for (uint32_t g = 1; g < j->spec.group_count; g++) {
        if (j->group[g].asks.amount[TOPO_GPU] != each)
            return -1;
    }
    return j->bound < j->spec.gang ? (j->spec.gang - j->bound) * each : 0;
}

/* True when gsched_lacked() is what the pending jobs lack, by cause; of a job
 * that has not waited for any time yet no cause is told.
 */
static bool lacks_add_up(const struct live *l)
{
    int64_t sum[GSCHED_CAUSES] = { 0 };
    const int64_t *told;

    for (uint32_t i = 0; i < l->job_count; i++) {
        const struct live_job *j = l->job[i];
        const int64_t lack = j->phase == LIVE_PENDING ? lack_of(j) : 0;

        if (lack < 0)
            return true;
        sum[gsched_wait_cause(l->sched, j->id)] -= lack;
    }
    for (uint32_t k = 0; (told = gsched_lacked(l->sched, k)); k++) {
        for (uint32_t c = 0; c < GSCHED_CAUSES; c++)
            sum[c] += told[c];
    }
    for (uint32_t c = 1; c < GSCHED_CAUSES; c++) {
        if (sum[c] < 0)
            return false;
        sum[0] += sum[c];
    }
    return sum[0] == 0;
}

bool live_consistent(const struct live *l)
{
    int64_t(*used)[TOPO_DIMS_MAX] = gs_array_new(l->node_count, sizeof(*used));
    bool is_right = true;

    for (uint32_t i = 0; i < l->job_count; i++) {
        const struct live_job *j = l->job[i];
        const uint32_t bound = job_used(l, j, used);

        is_right &= bound == j->bound
                    && (live_is_over(j)
                        || gsched_placed(l->sched, j->id) == bound);
    }
    for (uint32_t n = 0; n < l->node_count; n++)
        is_right &= node_adds_up(l, &l->node[n], used[n]);
    gs_array_free(used);
    return is_right && lacks_add_up(l) && cluster_is_right(l->cluster);
}
