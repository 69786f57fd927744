/* policies/modules/pod-affinity.c - places beside, or away from, other jobs
 * that a task prefers.
 *
 * kube-scheduler's InterPodAffinity.  A node has the sum, over the domains
 * around it, of
 *   + weight  for each task there with the label of an affinity of this task
 *   - weight  for each with the label of an anti-affinity
 *   the same  for each task there that prefers a label of this one so
 *   + `hard`  for each task there whose required affinity names such a label
 * and with the least and the most of the nodes where the task fits
 *   score = floor(100 x (sum - least) / (most - least)), 0 if all are equal
 */
#include "policies/modules/tallies.h"
#include "policies/policy.h"

enum { WEIGHT, HARD };

struct affinity {
    struct tallies tallies; /* by label: tasks, and weights of those that name
                               it */
    int64_t weight, hard;
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "2", 0, 1000, "factor of the score", NULL },
    { "hard", GSP_WHOLE, "1", 0, 100,
      "weight of a required affinity of tasks that run", NULL },
};

static int affinity_open(const struct gsp_host *host, void *ctx,
                         const union gsp_value *value, void **self)
{
    struct affinity *a = host->keep(ctx, sizeof(*a));

    tallies_open(&a->tallies, host, ctx);
    a->weight = value[WEIGHT].whole;
    a->hard = value[HARD].whole;
    *self = a;
    return 0;
}

/* --- following ------------------------------------------------------------ */

/* A task at the node names the label. */
static void name(struct affinity *a, uint32_t label, uint32_t level,
                 uint32_t node, int64_t weight)
{
    if (level >= a->tallies.levels || weight == 0)
        return;
    tallies_add(&a->tallies, label, tallies_place(&a->tallies, level, node), 0,
                weight);
}

/* Tasks that name the label anywhere, counted as `having` where no domain is.
 */
static void name_count(struct affinity *a, uint32_t label, uint32_t level,
                       int64_t tasks)
{
    if (level < a->tallies.levels)
        tallies_add(&a->tallies, label, a->tallies.places, tasks, 0);
}

static void count(struct affinity *a, const struct gsp_job *j, uint32_t group,
                  uint32_t node, int64_t tasks)
{
    const struct gsp_host *host = a->tallies.host;

    if (a->weight == 0)
        return;
    for (uint32_t i = 0; i < host->task_labels(j, group); i++) {
        const uint32_t label = host->task_label(j, group, i);

        if (label != GSP_NONE)
            tallies_add_around(&a->tallies, label, node, tasks);
    }
    for (uint32_t i = 0; a->hard && i < host->job_rules(j, group); i++) {
        const struct gsp_rule r = host->job_rule(j, group, i);

        if (r.kind != GSP_NEAR)
            continue;
        name(a, r.label, r.level, node, a->hard * tasks);
        name_count(a, r.label, r.level, tasks);
    }
    for (uint32_t i = 0; i < host->job_soft_rules(j, group); i++) {
        const struct gsp_soft_rule r = host->job_soft_rule(j, group, i);

        if (r.kind == GSP_SPREAD)
            continue;
        name(a, r.label, r.level, node,
             (r.kind == GSP_NEAR ? r.weight : -r.weight) * tasks);
        name_count(a, r.label, r.level, tasks);
    }
}

static void affinity_on_place(void *self, const struct gsp_job *j,
                              uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, tasks);
}

static void affinity_on_release(void *self, const struct gsp_job *j,
                                uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, -(int64_t)tasks);
}

/* --- scoring -------------------------------------------------------------- */

/* Does a task that runs name the label? */
static bool is_named(const struct affinity *a, uint32_t label)
{
    return label != GSP_NONE
           && tallies_find(&a->tallies, label, a->tallies.places)->having > 0;
}

static enum gsp_regard affinity_regards(void *self, const struct gsp_job *j,
                                        uint32_t group)
{
    const struct affinity *a = self;
    const struct gsp_host *host = a->tallies.host;
    bool any = false;

    if (a->weight == 0)
        return GSP_NO_REGARD;
    for (uint32_t i = 0; i < host->job_soft_rules(j, group) && !any; i++)
        any = host->job_soft_rule(j, group, i).kind != GSP_SPREAD;
    for (uint32_t i = 0; i < host->task_labels(j, group) && !any; i++)
        any = is_named(a, host->task_label(j, group, i));
    return any ? GSP_BY_NODE : GSP_NO_REGARD;
}

static int64_t points_of(const struct affinity *a, const struct gsp_job *j,
                         uint32_t group, uint32_t node)
{
    const struct tallies *t = &a->tallies;
    int64_t points = 0;

    for (uint32_t i = 0; i < t->host->job_soft_rules(j, group); i++) {
        const struct gsp_soft_rule r = t->host->job_soft_rule(j, group, i);

        if (r.kind != GSP_SPREAD && r.level < t->levels)
            points += (r.kind == GSP_NEAR ? r.weight : -r.weight)
                      * tallies_at(t, r.label, r.level, node)->having;
    }
    for (uint32_t i = 0; i < t->host->task_labels(j, group); i++) {
        const uint32_t label = t->host->task_label(j, group, i);

        for (uint32_t l = 0; is_named(a, label) && l < t->levels; l++)
            points += tallies_at(t, label, l, node)->asking;
    }
    return points;
}

static void affinity_prefer(void *self, const struct gsp_job *j, uint32_t group,
                            const struct gsp_nodes *n, int64_t *score)
{
    const struct affinity *a = self;
    int64_t least = INT64_MAX, most = INT64_MIN;

    for (uint32_t i = 0; i < n->count; i++) {
        const int64_t p = points_of(a, j, group, n->node[i]);

        least = p < least ? p : least;
        most = p > most ? p : most;
    }
    for (uint32_t i = 0; i < n->count && most > least; i++) {
        const int64_t p = points_of(a, j, group, n->node[i]);

        /* in its order of operations: 100 x (29 / 100) is less than 29 */
        score[i] +=
            a->weight * GSP_POINT
            * (int64_t)(100 * ((double)(p - least) / (double)(most - least)));
    }
}

static uint32_t affinity_unread(const union gsp_value *value)
{
    return value[WEIGHT].whole ? 0 : GSP_READS_SOFT_AFFINITY;
}

extern const struct gsp_module gsp_module_pod_affinity;
const struct gsp_module gsp_module_pod_affinity = {
    GSP_ABI,
    .name = "pod-affinity",
    .summary = "beside some jobs, away from others (kube-scheduler)",
    GSP_PARAMS(params),
    .reads = GSP_READS_SOFT_AFFINITY,
    .unread = affinity_unread,
    .open = affinity_open,
    .on_place = affinity_on_place,
    .on_release = affinity_on_release,
    .regards = affinity_regards,
    .prefer = affinity_prefer,
};
