/* sim/study/rejection.c - why a job is rejected, see rejection.h. */
#include "sim/study/rejection.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/strtab.h"
#include "topology/amount_text.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* The refusal closest to a fit among the node classes. */
static enum topo_misfit nearest(const struct topo *t,
                                const struct topo_request *r)
{
    enum topo_misfit best = TOPO_NO_MODEL;

    for (uint32_t k = 0; k < t->class_count; k++) {
        const enum topo_misfit m = topo_class_misfit(t, k, r);

        if (m == TOPO_FITS)
            return m;
        best = m > best ? m : best;
    }
    return best;
}

/* The largest capacity of one node in the dimension; unless `of_all`, only of
 * nodes whose only problem is their size.
 */
static int64_t largest(const struct topo *t, const struct topo_request *r,
                       uint32_t dim, bool of_all)
{
    int64_t most = 0;

    for (uint32_t k = 0; k < t->class_count; k++) {
        if ((of_all || topo_class_misfit(t, k, r) == TOPO_TOO_SMALL)
            && t->klass[k].capacity[dim] > most)
            most = t->klass[k].capacity[dim];
    }
    return most;
}

/* The amount that a task asks for, in the units of a capacity. */
static int64_t asked(const struct topo_request *r, uint32_t dim)
{
    if (dim == TOPO_GPU && r->gpus)
        return (int64_t)r->gpus * TOPO_SHARE_ONE;
    return r->amount[dim];
}

static void too_small_text(const struct topo *t, const struct topo_request *r,
                           char *buf, size_t size)
{
    char wants[TOPO_AMOUNT_TEXT], has[TOPO_AMOUNT_TEXT];

    for (uint32_t d = 0; d < t->dims->count; d++) {
        const int64_t most = largest(t, r, d, false);

        if (asked(r, d) <= most)
            continue;
        snprintf(buf, size, "asks for %s a task, the largest node%s has %s",
                 topo_amount_text(t, d, asked(r, d), wants),
                 largest(t, r, d, true) > most ? " of its kind" : "",
                 topo_amount_text(t, d, most, has));
        return;
    }
    snprintf(buf, size, "no node has all that a task asks for at once%s",
             r->mig ? ", its MIG instance among it" : "");
}

static void constraint_text(const struct topo *t, const struct topo_request *r,
                            char *buf, size_t size)
{
    switch (nearest(t, r)) {
    case TOPO_NO_MODEL:
        snprintf(buf, size,
                 "no node has the GPU model that it asks for%s%.60s%s",
                 r->model_count ? " (" : "",
                 r->model_count ? gs_strtab_str(t->names, r->model[0]) : "",
                 r->model_count > 1 ? " ...)"
                 : r->model_count   ? ")"
                                    : "");
        break;
    case TOPO_NO_LABEL:
        snprintf(buf, size, "no node has the labels that it asks for");
        break;
    case TOPO_TAINTED:
        snprintf(buf, size,
                 "the nodes of its kind have taints that it does not tolerate");
        break;
    case TOPO_TOO_SMALL:
        too_small_text(t, r, buf, size);
        break;
    case TOPO_FITS:
    case TOPO_FULL:
        snprintf(buf, size, "no node of the kind it asks for");
        break;
    }
}

/* The amount that the whole gang asks for. */
static int64_t gang_asks(const struct trace_workload *w,
                         const struct trace_job *j, uint32_t dim)
{
    uint32_t left = j->gang;
    int64_t sum = 0;

    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = trace_group_at(w, j->first_group + g);
        const uint32_t n = group->replicas < left ? group->replicas : left;

        sum += asked(&w->shape[group->shape], dim) * n;
        left -= n;
    }
    return sum;
}

/* The largest capacity of a domain of the level; level 0 is the cluster. */
static int64_t largest_domain(const struct topo *t, uint32_t level,
                              uint32_t dim)
{
    int64_t most = 0, sum = 0;

    /* nodes of a domain are consecutive */
    for (uint32_t k = 0; k < t->node_count; k++) {
        if (k && topo_domain_of(t, k, level) != topo_domain_of(t, k - 1, level))
            sum = 0;
        sum += t->klass[t->node_class[k]].capacity[dim];
        most = sum > most ? sum : most;
    }
    return most;
}

/* The first amount, GPUs first, of which the gang asks for more than any domain
 * of the level has, as texts; false: none.
 */
static bool is_short(const struct topo *t, const struct trace_workload *w,
                     const struct trace_job *j, uint32_t level, char *wants,
                     char *has)
{
    for (uint32_t i = 0; i < t->dims->count; i++) {
        const uint32_t d = (i + TOPO_GPU) % t->dims->count;
        const int64_t sum = gang_asks(w, j, d);
        const int64_t most = largest_domain(t, level, d);

        topo_amount_text(t, d, sum, wants);
        topo_amount_text(t, d, most, has);
        if (sum > most)
            return true;
    }
    return false;
}

static void capacity_text(const struct topo *t, const struct trace_workload *w,
                          const struct trace_job *j, char *buf, size_t size)
{
    char wants[TOPO_AMOUNT_TEXT], has[TOPO_AMOUNT_TEXT];

    if (is_short(t, w, j, 0, wants, has))
        snprintf(buf, size, "asks for %s at once, the cluster has %s", wants,
                 has);
    else
        snprintf(
            buf, size,
            "asks for more nodes of its kind at once than the cluster has");
}

/* Write the text of a job that does not fit its tier: that of the job, or one
 * of the policy.
 */
static void topology_text(const struct topo *t, const struct trace_workload *w,
                          const struct trace_job *j, char *buf, size_t size)
{
    const int level = j->aside->within_tier
                          ? topo_level_find(t, j->aside->within_tier)
                          : -1;
    const char *tier = gs_strtab_str(t->names, j->aside->within_tier);
    char wants[TOPO_AMOUNT_TEXT], has[TOPO_AMOUNT_TEXT];

    if (level < 0)
        snprintf(buf, size, "no domain of its tier is large enough");
    else if (level <= (int)t->tier_count
             && is_short(t, w, j, (uint32_t)level, wants, has))
        snprintf(buf, size, "asks for %s within one %.60s, the largest has %s",
                 wants, tier, has);
    else
        snprintf(buf, size,
                 "no %.60s has room for its %" PRIu32 " tasks at once", tier,
                 j->gang);
}

const char *study_rejection_text(const struct topo *t,
                                 const struct trace_workload *w, uint32_t job,
                                 enum report_cause cause, char *buf,
                                 size_t size)
{
    const struct trace_job *j = &w->job[job];

    assert(size > 0);
    if (cause == REPORT_TOPOLOGY) {
        topology_text(t, w, j, buf, size);
        return buf;
    }
    for (uint32_t g = 0; cause == REPORT_CONSTRAINT && g < j->group_count;
         g++) {
        const struct topo_request *r =
            &w->shape[trace_group_at(w, j->first_group + g)->shape];

        if (nearest(t, r) == TOPO_FITS)
            continue;
        constraint_text(t, r, buf, size);
        return buf;
    }
    if (cause == REPORT_CONSTRAINT)
        snprintf(buf, size, "no node of the kind it asks for");
    else
        capacity_text(t, w, j, buf, size);
    return buf;
}
