/* policies/modules/topology-spread.c - tasks of a group evenly over domains, as
 * far as possible.
 *
 * kube-scheduler's PodTopologySpread for `mode: preferred` (ScheduleAnyway).
 * With c tasks of the group, or with the label of the spread, in the node's
 * domain of the tier, and d domains that
 * hold a node where the task fits, the node has
 *   s = round(sum over its spreads of c x ln(d + 2) + max_skew - 1)
 * and with the least and the most of these nodes
 *   score = floor(100 x (most + least - s) / most), 100 if all are 0
 * A tier that the cluster has not is a label that no node has: no node scores.
 */
#include <math.h>

#include "policies/modules/tallies.h"
#include "policies/policy.h"

#define SPREADS_MAX 8u

struct spreading {
    struct tallies tallies; /* tasks of a group of a job, or with a label */
    int64_t weight;
    uint32_t *seen; /* [place] number of the last count that met it */
    uint32_t counts;
};

/* One spread of the task that is placed. */
struct spread_part {
    uint64_t id; /* of the tasks that are counted */
    uint32_t level;
    double weight;
    double skew; /* max_skew - 1 */
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "2", 0, 1000, "factor of the score", NULL },
};

static int spreading_open(const struct gsp_host *host, void *ctx,
                          const union gsp_value *value, void **self)
{
    struct spreading *s = host->keep(ctx, sizeof(*s));

    tallies_open(&s->tallies, host, ctx);
    s->seen = host->keep(ctx, s->tallies.places * sizeof(*s->seen));
    s->weight = value->whole;
    *self = s;
    return 0;
}

static uint64_t id_of(const struct spreading *s, const struct gsp_job *j,
                      uint32_t group)
{
    return (uint64_t)s->tallies.host->job_id(j) << 32 | group;
}

/* No job has this number. */
static uint64_t id_of_label(uint32_t label)
{
    return (uint64_t)GSP_NONE << 32 | label;
}

/* The preferred spreads of the group; at most SPREADS_MAX. */
static uint32_t parts_of(const struct spreading *s, const struct gsp_job *j,
                         uint32_t group, struct spread_part *part)
{
    const struct gsp_host *host = s->tallies.host;
    uint32_t n = 0;

    for (uint32_t i = 0; i < host->job_soft_rules(j, group); i++) {
        const struct gsp_soft_rule r = host->job_soft_rule(j, group, i);

        if (r.kind == GSP_SPREAD && n < SPREADS_MAX)
            part[n++] = (struct spread_part){
                .id = r.label == GSP_NONE ? id_of(s, j, group)
                                          : id_of_label(r.label),
                .level = r.level,
                .skew = r.max_skew - 1.0,
            };
    }
    return n;
}

/* --- following ------------------------------------------------------------ */

static void count(struct spreading *s, const struct gsp_job *j, uint32_t group,
                  uint32_t node, int64_t tasks)
{
    const struct gsp_host *host = s->tallies.host;
    struct spread_part part[SPREADS_MAX];
    const uint32_t n = s->weight ? parts_of(s, j, group, part) : 0;
    bool any = false;

    for (uint32_t i = 0; i < n && !any; i++)
        any = part[i].id == id_of(s, j, group);
    if (any)
        tallies_add_around(&s->tallies, id_of(s, j, group), node, tasks);
    for (uint32_t i = 0; s->weight && i < host->task_labels(j, group); i++) {
        const uint32_t label = host->task_label(j, group, i);

        if (label != GSP_NONE)
            tallies_add_around(&s->tallies, id_of_label(label), node, tasks);
    }
}

static void spreading_on_place(void *self, const struct gsp_job *j,
                               uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, tasks);
}

static void spreading_on_release(void *self, const struct gsp_job *j,
                                 uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, -(int64_t)tasks);
}

/* --- scoring -------------------------------------------------------------- */

static enum gsp_regard spreading_regards(void *self, const struct gsp_job *j,
                                         uint32_t group)
{
    const struct spreading *s = self;
    struct spread_part part[SPREADS_MAX];
    const uint32_t n = s->weight ? parts_of(s, j, group, part) : 0;

    for (uint32_t i = 0; i < n; i++) {
        if (part[i].level >= s->tallies.levels)
            return GSP_NO_REGARD;
    }
    return n ? GSP_BY_NODE : GSP_NO_REGARD;
}

/* Domains of a level that hold one of the nodes. */
static uint32_t domains_of(struct spreading *s, uint32_t level,
                           const struct gsp_nodes *n)
{
    uint32_t domains = 0;

    s->counts++;
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t *seen =
            &s->seen[tallies_place(&s->tallies, level, n->node[i])];

        domains += *seen != s->counts;
        *seen = s->counts;
    }
    return domains;
}

static int64_t crowd(const struct spreading *s, const struct spread_part *part,
                     uint32_t parts, uint32_t node)
{
    double sum = 0;

    for (uint32_t i = 0; i < parts; i++) {
        const struct tally *t = tallies_at(&s->tallies, part[i].id,
                                           part[i].level, node);

        sum += (double)t->having * part[i].weight + part[i].skew;
    }
    return (int64_t)round(sum);
}

static void spreading_prefer(void *self, const struct gsp_job *j,
                             uint32_t group, const struct gsp_nodes *n,
                             int64_t *score)
{
    struct spreading *s = self;
    struct spread_part part[SPREADS_MAX];
    const uint32_t parts = parts_of(s, j, group, part);
    int64_t least = INT64_MAX, most = 0;

    for (uint32_t i = 0; i < parts; i++)
        part[i].weight = log(domains_of(s, part[i].level, n) + 2.0);
    for (uint32_t i = 0; i < n->count; i++) {
        const int64_t c = crowd(s, part, parts, n->node[i]);

        least = c < least ? c : least;
        most = c > most ? c : most;
    }
    for (uint32_t i = 0; i < n->count && most; i++) {
        const int64_t c = crowd(s, part, parts, n->node[i]);

        score[i] += s->weight * (100 * (most + least - c) / most) * GSP_POINT;
    }
}

static uint32_t spreading_unread(const union gsp_value *value)
{
    return value->whole ? 0 : GSP_READS_SOFT_SPREAD;
}

extern const struct gsp_module gsp_module_topology_spread;
const struct gsp_module gsp_module_topology_spread = {
    GSP_ABI,
    .name = "topology-spread",
    .summary = "tasks evenly over a tier, if possible (kube-scheduler)",
    GSP_PARAMS(params),
    .reads = GSP_READS_SOFT_SPREAD,
    .unread = spreading_unread,
    .open = spreading_open,
    .on_place = spreading_on_place,
    .on_release = spreading_on_release,
    .regards = spreading_regards,
    .prefer = spreading_prefer,
};
