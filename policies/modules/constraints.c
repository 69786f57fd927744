/* policies/modules/constraints.c - rules about other jobs.
 *
 * Kubernetes' required rules between pods, as kube-scheduler's filters
 * InterPodAffinity and PodTopologySpread (DoNotSchedule) apply them, and
 * Volcano's predicates with them:
 *   affinity       in a domain that holds a task with the label; while no task
 *                  has it, a job with the label itself may stand anywhere
 *   anti-affinity  in no domain that holds a task with the label, be it of the
 *                  same job; nor in one that holds a task that refuses a label
 *                  of this job
 *   spread         tasks of the group in the domain + 1 - the least of all
 *                  eligible domains is at most max_skew
 * A domain is eligible if it has a node that the group's models and `nodes`
 * select, even if taints or size exclude the tasks (nodeAffinityPolicy Honor,
 * nodeTaintsPolicy Ignore).  A tier that the cluster lacks is a label that no
 * node has: affinity and spread are never met, anti-affinity always is.  Each
 * rule is checked separately; kube-scheduler requires one pod that matches all
 * affinity terms of another.
 *
 * Tasks are placed one by one on the best node and never moved.  So a gang may
 * be refused although another first node would have been possible, for example
 * a gang with affinity to its own label in a domain that is too small.
 * `topology: {within: T}` tries all domains.
 */
#include "policies/modules/tallies.h"
#include "policies/policy.h"

#include <assert.h>

/* Number of tasks of a group, by domain of a tier over which it spreads. */
struct spread {
    uint32_t job, group;
    uint32_t rule; /* index among the rules of the group */
    uint32_t next; /* next of the same job, or in the free list */
    uint32_t tasks;
    uint32_t level, max_skew;
    uint32_t *count; /* [domain] */
    uint8_t *counts; /* [domain] 1: eligible */
};

struct constraints {
    const struct gsp_host *host;
    void *ctx;
    uint32_t levels;
    struct tallies tallies; /* by label: tasks with it; tasks that refuse it,
                               also anywhere */
    struct spread **spread;
    uint32_t spreads, spread_cap, free_spread;
    uint32_t *of_job; /* [job] its first spread */
    uint32_t job_cap;
};

static int constraints_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct constraints *c = host->keep(ctx, sizeof(*c));

    (void)value; /* no parameters */
    c->host = host;
    c->ctx = ctx;
    c->free_spread = GSP_NONE;
    tallies_open(&c->tallies, host, ctx);
    c->levels = c->tallies.levels;
    *self = c;
    return 0;
}

/* --- spreading ---------------------------------------------------------------- */

static void *grown(const struct constraints *c, const void *old, uint32_t *cap,
                   uint32_t need, size_t size)
{
    const uint32_t more = *cap * 2 > need ? *cap * 2 : need + 16;
    unsigned char *to = c->host->keep(c->ctx, more * size);
    const unsigned char *from = old;

    assert(need > *cap);
    for (size_t i = 0; i < *cap * size; i++)
        to[i] = from[i];
    *cap = more;
    return to;
}

static struct spread *spread_find(const struct constraints *c, uint32_t job,
                                  uint32_t group, uint32_t rule)
{
    uint32_t i = job < c->job_cap ? c->of_job[job] : 0;

    while (
        i
        && (c->spread[i - 1]->group != group || c->spread[i - 1]->rule != rule))
        i = c->spread[i - 1]->next;
    return i ? c->spread[i - 1] : NULL;
}

/* A spread from the free list, or a new one, with room for the domains of any
 * tier.
 */
static uint32_t spread_new(struct constraints *c)
{
    uint32_t i = c->free_spread;

    assert(i == GSP_NONE || i < c->spreads);
    if (i != GSP_NONE) {
        c->free_spread = c->spread[i]->next;
        return i;
    }
    i = c->spreads++;
    if (c->spreads > c->spread_cap)
        c->spread = grown(c, c->spread, &c->spread_cap, c->spreads,
                          sizeof(struct spread *));
    c->spread[i] = c->host->keep(c->ctx, sizeof(struct spread));
    c->spread[i]->count = c->host->keep(c->ctx,
                                        c->tallies.places * sizeof(uint32_t));
    c->spread[i]->counts = c->host->keep(c->ctx, c->tallies.places);
    c->spread[i]->job = GSP_NONE;
    return i;
}

/* Mark the eligible domains: those where the group selects some node. */
static void spread_look(const struct constraints *c, struct spread *s,
                        const struct gsp_job *j)
{
    const uint32_t nodes = c->host->domains(c->ctx, c->levels - 1);

    for (uint32_t d = 0; d < c->host->domains(c->ctx, s->level); d++)
        s->counts[d] = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        uint8_t *counts = &s->counts[c->host->domain_of(c->ctx, n, s->level)];

        if (!*counts)
            *counts = c->host->job_selects(j, s->group, n);
    }
}

static struct spread *spread_make(struct constraints *c,
                                  const struct gsp_job *j, uint32_t group,
                                  uint32_t rule, const struct gsp_rule *r)
{
    const uint32_t i = spread_new(c), job = c->host->job_id(j);
    bool is_known;
    struct spread *s;

    assert(r->kind == GSP_SPREAD && r->level < c->levels);
    assert(!spread_find(c, job, group, rule));
    if (job >= c->job_cap)
        c->of_job = grown(c, c->of_job, &c->job_cap, job + 1, sizeof(uint32_t));
    s = c->spread[i];
    is_known = s->job == job && s->group == group
               && s->rule == rule; /* it exists from an earlier attempt */
    s->job = job;
    s->group = group;
    s->rule = rule;
    s->tasks = 0;
    s->level = r->level;
    s->max_skew = r->max_skew;
    if (!is_known)
        spread_look(c, s, j);
    s->next = c->of_job[job];
    c->of_job[job] = i + 1;
    return s;
}

static void spread_drop(struct constraints *c, const struct spread *s)
{
    uint32_t *at = &c->of_job[s->job];
    uint32_t i;

    assert(s->tasks == 0 && s->job < c->job_cap);
    while (c->spread[*at - 1] != s)
        at = &c->spread[*at - 1]->next;
    i = *at - 1;
    *at = s->next;
    c->spread[i]->next = c->free_spread;
    c->free_spread = i;
}

static void spread_count(struct constraints *c, const struct gsp_job *j,
                         uint32_t group, uint32_t rule,
                         const struct gsp_rule *r, uint32_t node, int64_t tasks)
{
    struct spread *s = spread_find(c, c->host->job_id(j), group, rule);
    uint32_t domain;

    if (!s)
        s = spread_make(c, j, group, rule, r);
    domain = c->host->domain_of(c->ctx, node, s->level);
    assert(s->count[domain] + tasks >= 0 && s->tasks + tasks >= 0);
    s->count[domain] += (uint32_t)tasks;
    s->tasks += (uint32_t)tasks;
    if (s->tasks == 0)
        spread_drop(c, s);
}

/* True when one more task in the domain exceeds max_skew. */
static bool is_skewed(const struct constraints *c, const struct gsp_job *j,
                      uint32_t group, uint32_t rule, uint32_t node)
{
    const struct spread *s = spread_find(c, c->host->job_id(j), group, rule);
    uint32_t domains, least = UINT32_MAX;

    if (!s)
        return false;
    domains = c->host->domains(c->ctx, s->level);
    assert(domains > 0 && s->counts);
    for (uint32_t d = 0; d < domains; d++) {
        if (s->counts[d] && s->count[d] < least)
            least = s->count[d];
    }
    return s->count[c->host->domain_of(c->ctx, node, s->level)] + 1 - least
           > s->max_skew;
}

/* --- following ---------------------------------------------------------------- */

/* Count tasks of a job at a node, in the domains of all tiers. */
static void count(struct constraints *c, const struct gsp_job *j,
                  uint32_t group, uint32_t node, int64_t tasks)
{
    assert(tasks != 0);
    for (uint32_t i = 0; i < c->host->task_labels(j, group); i++) {
        const uint32_t label = c->host->task_label(j, group, i);

        if (label != GSP_NONE)
            tallies_add_around(&c->tallies, label, node, tasks);
    }
    for (uint32_t i = 0; i < c->host->job_rules(j, group); i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (r.level >= c->levels)
            continue;
        if (r.kind == GSP_SPREAD)
            spread_count(c, j, group, i, &r, node, tasks);
        if (r.kind != GSP_APART)
            continue;
        tallies_add(&c->tallies, r.label,
                    tallies_place(&c->tallies, r.level, node), 0, tasks);
        tallies_add(&c->tallies, r.label, c->tallies.places, 0, tasks);
    }
}

static void constraints_on_place(void *self, const struct gsp_job *j,
                                 uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, tasks);
}

static void constraints_on_release(void *self, const struct gsp_job *j,
                                   uint32_t group, uint32_t node,
                                   uint32_t tasks)
{
    count(self, j, group, node, -(int64_t)tasks);
}

/* --- refusing ----------------------------------------------------------------- */

static int64_t having(const struct constraints *c, uint32_t label,
                      uint32_t level, uint32_t node)
{
    return tallies_at(&c->tallies, label, level, node)->having;
}

static bool rule_allows(const struct constraints *c, const struct gsp_job *j,
                        uint32_t group, uint32_t rule, const struct gsp_rule *r,
                        uint32_t node)
{
    if (r->level >= c->levels)
        return r->kind == GSP_APART;
    switch (r->kind) {
    case GSP_NEAR:
        return having(c, r->label, r->level, node) > 0
               || (having(c, r->label, 0, node) == 0
                   && c->host->task_has_label(j, group, r->label));
    case GSP_APART:
        return having(c, r->label, r->level, node) == 0;
    case GSP_SPREAD:
        return !is_skewed(c, j, group, rule, node);
    }
    return true;
}

/* 1 + the level of a domain of the node where a task refuses the label; 0:
 * none.
 */
static uint32_t refused_at(const struct constraints *c, uint32_t label,
                           uint32_t node)
{
    if (!tallies_find(&c->tallies, label, c->tallies.places)->asking)
        return 0;
    for (uint32_t l = 0; l < c->levels; l++) {
        if (tallies_at(&c->tallies, label, l, node)->asking)
            return l + 1;
    }
    return 0;
}

static uint32_t constraints_refuses(void *self, const struct gsp_job *j,
                                    uint32_t group, uint32_t node)
{
    const struct constraints *c = self;
    const uint32_t rules = c->host->job_rules(j, group);
    uint32_t no = 0;

    for (uint32_t i = 0; i < rules; i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (!rule_allows(c, j, group, i, &r, node))
            return r.level < c->levels ? r.level + 1 : 1;
    }
    for (uint32_t i = 0; i < c->host->task_labels(j, group) && !no; i++) {
        const uint32_t label = c->host->task_label(j, group, i);

        no = label == GSP_NONE ? 0 : refused_at(c, label, node);
    }
    return no;
}

extern const struct gsp_module gsp_module_constraints;
const struct gsp_module gsp_module_constraints = {
    GSP_ABI,
    .name = "constraints",
    .summary = "affinity and anti-affinity between jobs, spread over a tier",
    .reads = GSP_READS_RULES,
    .open = constraints_open,
    .refuses = constraints_refuses,
    .on_place = constraints_on_place,
    .on_release = constraints_on_release,
};
