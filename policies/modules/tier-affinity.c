/* policies/modules/tier-affinity.c - nodes near the other tasks of a job, and
 * full domains.
 *
 * Volcano's network-topology-aware.  With T tiers above the node, of which
 * level 0 is the cluster and level T the innermost:
 *
 * A node, for a task of a job that states a tier and has tasks placed: l / T,
 * where l is the innermost level of which one domain holds the node and all of
 * them.  Equals with the most points have in addition the part of the job's
 * tasks that is in their innermost domain.
 *
 * A node, for other tasks: the weighted mean over the levels T to 0 of how full
 * the domain around it becomes, a level with `fading` times the weight of the
 * one below it.
 *
 * A domain that may hold a gang: how full it becomes, and for equals with the
 * most points the part of the job's tasks that is there.
 *
 * How full: sum of w_r x (used_r + asked_r) / capacity_r / sum of w_r over the
 * resources asked for with a weight; 0 when one does not fit.  All times 100 x
 * weight.
 */
#include <assert.h>

#include "policies/modules/tallies.h"
#include "policies/policy.h"

enum { WEIGHT, RESOURCES, OTHERS, FADING };

struct tier_affinity {
    struct tallies tallies; /* by job: its tasks */
    const union gsp_value *value;
    uint32_t dims, tiers;
    int64_t *capacity;  /* [place of the innermost level or above][dims] */
    double *points;     /* [place] how full it becomes for the task at hand */
    uint64_t *computed; /* [place] for which call */
    uint64_t calls;
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource by which domains fill", NULL },
    { "others", GSP_YESNO, "yes", 0, 0,
      "tasks of jobs that state no tier go to full domains", NULL },
    { "fading", GSP_REAL, "0.8", 0, 100,
      "weight of a tier, of that of the tier below it", NULL },
};

/* --- domains -------------------------------------------------------------- */

static void capacity_sum(struct tier_affinity *a)
{
    const struct gsp_host *host = a->tallies.host;
    void *ctx = a->tallies.ctx;
    const uint32_t places = a->tallies.first[a->tiers + 1];
    const uint32_t nodes = a->tallies.places - places;

    a->capacity = host->keep(ctx,
                             (size_t)places * a->dims * sizeof(*a->capacity));
    a->points = host->keep(ctx, places * sizeof(*a->points));
    a->computed = host->keep(ctx, places * sizeof(*a->computed));
    for (uint32_t n = 0; n < nodes; n++) {
        const int64_t *has = host->node_capacity(ctx, n);

        for (uint32_t l = 0; l <= a->tiers; l++) {
            int64_t *sum = a->capacity
                           + (size_t)tallies_place(&a->tallies, l, n) * a->dims;

            for (uint32_t d = 0; d < a->dims; d++)
                sum[d] += has[d];
        }
    }
}

/* How full the domain at `level` around the node becomes by what `asked` has.
 */
static double fullness(const struct tier_affinity *a, uint32_t node,
                       uint32_t level, const int64_t *asked)
{
    const struct gsp_host *host = a->tallies.host;
    const uint32_t place = tallies_place(&a->tallies, level, node);
    const int64_t *capacity = a->capacity + (size_t)place * a->dims;
    double sum = 0, weights = 0;

    assert(level <= a->tiers);
    for (uint32_t d = 0; d < a->dims; d++) {
        const double weight = a->value[RESOURCES].weights[d];
        int64_t left;

        if (asked[d] <= 0 || weight <= 0)
            continue;
        left = host->domain_free(a->tallies.ctx, node, level, d) - asked[d];
        if (left < 0)
            return 0;
        sum += weight * (double)(capacity[d] - left) / (double)capacity[d];
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

static int64_t scaled(const struct tier_affinity *a, double points)
{
    return (int64_t)(points * 100 * (double)a->value[WEIGHT].whole
                         * (double)GSP_POINT
                     + 0.5);
}

static int64_t tasks_in(const struct tier_affinity *a, const struct gsp_job *j,
                        uint32_t level, uint32_t node)
{
    const struct gsp_host *host = a->tallies.host;

    return tallies_at(&a->tallies, host->job_id(j), level, node)->having;
}

/* The part of the job's tasks that is in the domain around the node. */
static double part_in(const struct tier_affinity *a, const struct gsp_job *j,
                      uint32_t level, uint32_t node)
{
    return (double)tasks_in(a, j, level, node)
           / (double)a->tallies.host->job_tasks(j);
}

/* --- nodes ---------------------------------------------------------------- */

/* The innermost level of which one domain holds the node and all tasks of the
 * job, as a part of all levels.
 */
static double nearness(const struct tier_affinity *a, const struct gsp_job *j,
                       uint32_t node)
{
    const int64_t all = tasks_in(a, j, 0, node);
    uint32_t level = a->tiers;

    while (level > 0 && tasks_in(a, j, level, node) < all)
        level--;
    return (double)level / (double)a->tiers;
}

static void score_near(const struct tier_affinity *a, const struct gsp_job *j,
                       const struct gsp_nodes *n, int64_t *score)
{
    double most = -1;
    uint32_t equal = 0;

    for (uint32_t i = 0; i < n->count; i++) {
        const double points = nearness(a, j, n->node[i]);

        equal = points > most ? 1 : equal + (points == most);
        most = points > most ? points : most;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        double points = nearness(a, j, n->node[i]);

        if (equal > 1 && points == most)
            points += part_in(a, j, a->tiers, n->node[i]);
        score[i] += scaled(a, points);
    }
}

/* How full the domain becomes, computed once a call. */
static double fullness_once(struct tier_affinity *a, uint32_t node,
                            uint32_t level, const int64_t *asked)
{
    const uint32_t place = tallies_place(&a->tallies, level, node);

    if (a->computed[place] != a->calls) {
        a->computed[place] = a->calls;
        a->points[place] = fullness(a, node, level, asked);
    }
    return a->points[place];
}

#define DIMS_MAX 64u

static void score_full(struct tier_affinity *a, const struct gsp_job *j,
                       uint32_t group, const struct gsp_nodes *n,
                       int64_t *score)
{
    const struct gsp_host *host = a->tallies.host;
    const struct gsp_task *t = host->job_task(j, group);
    int64_t asked[DIMS_MAX];

    a->calls++;
    for (uint32_t d = 0; d < a->dims; d++)
        asked[d] = host->amount(t, d);
    for (uint32_t i = 0; i < n->count; i++) {
        double sum = 0, weights = 0, weight = 1;

        for (uint32_t l = a->tiers + 1; l-- > 0;) {
            if (weight > 0)
                sum += weight * fullness_once(a, n->node[i], l, asked);
            weights += weight;
            weight *= a->value[FADING].real;
        }
        score[i] += scaled(a, sum / weights);
    }
}

/* --- extension points ----------------------------------------------------- */

static int tiers_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    struct tier_affinity *a = host->keep(ctx, sizeof(*a));

    tallies_open(&a->tallies, host, ctx);
    a->value = value;
    a->dims = host->dims(ctx);
    a->tiers = a->tallies.levels - 2;
    if (a->dims > DIMS_MAX)
        return host->fail(ctx, "too many resources for", "tier-affinity");
    capacity_sum(a);
    *self = a;
    return 0;
}

static void tiers_on_place(void *self, const struct gsp_job *j, uint32_t group,
                           uint32_t node, uint32_t tasks)
{
    struct tier_affinity *a = self;

    (void)group;
    tallies_add_around(&a->tallies, a->tallies.host->job_id(j), node, tasks);
}

static void tiers_on_release(void *self, const struct gsp_job *j,
                             uint32_t group, uint32_t node, uint32_t tasks)
{
    struct tier_affinity *a = self;

    (void)group;
    tallies_add_around(&a->tallies, a->tallies.host->job_id(j), node,
                       -(int64_t)tasks);
}

static bool states_tier(const struct tier_affinity *a, const struct gsp_job *j)
{
    bool required;

    return a->tallies.host->job_within(j, &required) != GSP_NONE;
}

static enum gsp_regard tiers_regards(void *self, const struct gsp_job *j,
                                     uint32_t group)
{
    const struct tier_affinity *a = self;

    (void)group;
    if (a->tiers == 0 || !a->value[WEIGHT].whole)
        return GSP_NO_REGARD;
    if (states_tier(a, j)) /* node 0: the count of the whole cluster */
        return tasks_in(a, j, 0, 0) > 0 ? GSP_BY_NODE : GSP_NO_REGARD;
    return a->value[OTHERS].whole ? GSP_BY_NODE : GSP_NO_REGARD;
}

static void tiers_prefer(void *self, const struct gsp_job *j, uint32_t group,
                         const struct gsp_nodes *n, int64_t *score)
{
    struct tier_affinity *a = self;

    if (states_tier(a, j))
        score_near(a, j, n, score);
    else
        score_full(a, j, group, n, score);
}

static void tiers_prefer_domain(void *self, const struct gsp_job *j,
                                uint32_t level, const struct gsp_nodes *n,
                                int64_t *score)
{
    const struct tier_affinity *a = self;
    const int64_t *asked = a->tallies.host->job_minimum(j);
    double most = -1;
    uint32_t equal = 0;

    for (uint32_t i = 0; i < n->count; i++) {
        const double points = fullness(a, n->node[i], level, asked);

        equal = points > most ? 1 : equal + (points == most);
        most = points > most ? points : most;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        double points = fullness(a, n->node[i], level, asked);

        if (equal > 1 && points == most)
            points += part_in(a, j, level, n->node[i]);
        score[i] += scaled(a, points);
    }
}

extern const struct gsp_module gsp_module_tier_affinity;
const struct gsp_module gsp_module_tier_affinity = {
    GSP_ABI,
    .name = "tier-affinity",
    .summary = "near a job's other tasks; full domains first (Volcano)",
    GSP_PARAMS(params),
    .reads = GSP_READS_WITHIN,
    .open = tiers_open,
    .on_place = tiers_on_place,
    .on_release = tiers_on_release,
    .regards = tiers_regards,
    .prefer = tiers_prefer,
    .prefer_domain = tiers_prefer_domain,
};
