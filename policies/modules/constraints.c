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
 *   spread         tasks in the domain + 1 - the least of all eligible domains
 *   is
 *                  at most max_skew; counted are tasks of the group, or those
 *                  with a label (then + 1 only if the group has it)
 * A domain is eligible if it has a node that the group's models and `nodes`
 * select, even if taints or size exclude the tasks, unless the rule says
 * otherwise; with fewer than min_domains of them the least is 0.  A tier that
 * the cluster lacks is a label that no node has: affinity and spread are never
 * met, anti-affinity always is.  Each rule is checked separately;
 * kube-scheduler requires one pod that matches all affinity terms of another.
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
    uint32_t label; /* GSP_NONE: the group's own tasks are counted */
    uint32_t level, max_skew;
    uint32_t *count; /* [domain] own tasks */
    uint8_t *counts; /* [domain] 1: eligible */
    uint32_t eligible, min_domains;
    uint64_t least_at; /* changes + 1 when `least` was found; 0 */
    int64_t least;
};

#define BY_LABEL 8u /* spreads by labels that are kept */

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
    struct spread *by_label[BY_LABEL]; /* [rule] of the last group that asked */
    uint64_t changes;                  /* tasks placed and released */
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

/* --- spreading ------------------------------------------------------------ */

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

static struct spread *spread_create(const struct constraints *c)
{
    struct spread *s = c->host->keep(c->ctx, sizeof(*s));

    s->count = c->host->keep(c->ctx, c->tallies.places * sizeof(uint32_t));
    s->counts = c->host->keep(c->ctx, c->tallies.places);
    s->job = GSP_NONE;
    return s;
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
    c->spread[i] = spread_create(c);
    return i;
}

/* Mark the eligible domains. */
static void spread_look(const struct constraints *c, struct spread *s,
                        const struct gsp_job *j)
{
    const uint32_t nodes = c->host->domains(c->ctx, c->levels - 1);

    s->eligible = 0;
    for (uint32_t d = 0; d < c->host->domains(c->ctx, s->level); d++)
        s->counts[d] = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        uint8_t *counts = &s->counts[c->host->domain_of(c->ctx, n, s->level)];

        if (!*counts) {
            *counts = c->host->spread_counts(j, s->group, s->rule, n);
            s->eligible += *counts;
        }
    }
}

/* Make it that of rule `r` of a group; the eligible domains of the same rule
 * are known from an earlier attempt.
 */
static void spread_set(const struct constraints *c, struct spread *s,
                       const struct gsp_job *j, uint32_t group, uint32_t rule,
                       const struct gsp_rule *r)
{
    const uint32_t job = c->host->job_id(j);
    const bool is_known = s->job == job && s->group == group && s->rule == rule;

    assert(r->kind == GSP_SPREAD && r->level < c->levels);
    s->job = job;
    s->group = group;
    s->rule = rule;
    s->label = r->label;
    s->level = r->level;
    s->max_skew = r->max_skew;
    s->min_domains = c->host->spread_domains(j, group, rule);
    s->least_at = 0;
    if (!is_known)
        spread_look(c, s, j);
}

static struct spread *spread_make(struct constraints *c,
                                  const struct gsp_job *j, uint32_t group,
                                  uint32_t rule, const struct gsp_rule *r)
{
    const uint32_t i = spread_new(c), job = c->host->job_id(j);
    struct spread *s = c->spread[i];

    assert(!spread_find(c, job, group, rule));
    if (job >= c->job_cap)
        c->of_job = grown(c, c->of_job, &c->job_cap, job + 1, sizeof(uint32_t));
    s->tasks = 0;
    spread_set(c, s, j, group, rule, r);
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

/* The spread by a label: set anew when another group asked since. */
static struct spread *spread_by_label(struct constraints *c,
                                      const struct gsp_job *j, uint32_t group,
                                      uint32_t rule, const struct gsp_rule *r)
{
    struct spread **s = &c->by_label[rule % BY_LABEL];

    if (!*s)
        *s = spread_create(c);
    if ((*s)->job != c->host->job_id(j) || (*s)->group != group
        || (*s)->rule != rule || (*s)->label != r->label)
        spread_set(c, *s, j, group, rule, r);
    return *s;
}

static int64_t tasks_in(const struct constraints *c, const struct spread *s,
                        uint32_t domain)
{
    return s->label == GSP_NONE
               ? s->count[domain]
               : tallies_find(&c->tallies, s->label,
                              c->tallies.first[s->level] + domain)
                     ->having;
}

/* The least of the eligible domains. */
static int64_t least_of(const struct constraints *c, struct spread *s)
{
    const uint32_t domains = c->host->domains(c->ctx, s->level);
    int64_t least = INT64_MAX;

    if (s->least_at == c->changes + 1)
        return s->least;
    for (uint32_t d = 0; d < domains; d++) {
        const int64_t n = s->counts[d] ? tasks_in(c, s, d) : INT64_MAX;

        least = n < least ? n : least;
    }
    s->least = s->eligible < s->min_domains || s->eligible == 0 ? 0 : least;
    s->least_at = c->changes + 1;
    return s->least;
}

/* True when one more task in the domain exceeds max_skew. */
static bool is_skewed(struct constraints *c, const struct gsp_job *j,
                      uint32_t group, uint32_t rule, const struct gsp_rule *r,
                      uint32_t node)
{
    struct spread *s = r->label == GSP_NONE
                           ? spread_find(c, c->host->job_id(j), group, rule)
                           : spread_by_label(c, j, group, rule, r);
    const bool counts_own = r->label == GSP_NONE
                            || c->host->task_has_label(j, group, r->label);

    return s
           && tasks_in(c, s, c->host->domain_of(c->ctx, node, s->level))
                      + counts_own - least_of(c, s)
                  > s->max_skew;
}

/* --- following ------------------------------------------------------------ */

/* Count tasks of a job at a node, in the domains of all tiers. */
static void count(struct constraints *c, const struct gsp_job *j,
                  uint32_t group, uint32_t node, int64_t tasks)
{
    assert(tasks != 0);
    c->changes++;
    for (uint32_t i = 0; i < c->host->task_labels(j, group); i++) {
        const uint32_t label = c->host->task_label(j, group, i);

        if (label != GSP_NONE)
            tallies_add_around(&c->tallies, label, node, tasks);
    }
    for (uint32_t i = 0; i < c->host->job_rules(j, group); i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (r.level >= c->levels)
            continue;
        if (r.kind == GSP_SPREAD && r.label == GSP_NONE)
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

/* --- refusing ------------------------------------------------------------- */

static int64_t having(const struct constraints *c, uint32_t label,
                      uint32_t level, uint32_t node)
{
    return tallies_at(&c->tallies, label, level, node)->having;
}

static bool rule_allows(struct constraints *c, const struct gsp_job *j,
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
        return !is_skewed(c, j, group, rule, r, node);
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
    struct constraints *c = self;
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
    .promises = GSP_REFUSES_BY_LABELS,
    .open = constraints_open,
    .refuses = constraints_refuses,
    .on_place = constraints_on_place,
    .on_release = constraints_on_release,
};
