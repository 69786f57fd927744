/* policies/modules/constraints.c - where a job may stand among other jobs.
 *
 * Kubernetes' required rules between pods, for whole jobs: affinity (in a
 * domain that holds a job with the label), anti-affinity (in none that does,
 * and none whose jobs refuse this one), and spread over a tier with a largest
 * skew.  A job that asks for its own label may be the first that has it.
 *
 * Spread counts the domains in which some node could ever hold the task, by
 * model, labels, taints and size.  (Kubernetes counts those that the labels
 * select, tainted or too small though they be.)  A tier that the cluster has
 * not holds no jobs: nothing is near there, everything apart.
 *
 * Tasks are placed one by one, the best node first, and never moved: a gang
 * may be refused that another choice of its first node would have let in, as
 * a gang near its own label in a domain too small for it.  `topology: {within:
 * T}` is what looks at all domains.
 */
#include "policies/policy.h"

/* Tasks of one job's group, by domain of the tier that it spreads over. */
struct spread {
    uint32_t job, group;
    uint32_t next; /* of the same job, or free */
    uint32_t tasks;
    uint32_t level, max_skew;
    uint32_t *count; /* [domain] */
    uint8_t *counts; /* [domain] 1: some node there could hold a task */
};

struct constraints {
    const struct gsp_host *host;
    void *ctx;
    uint32_t labels, levels;
    uint32_t *first;    /* [level] place of its first domain in a row */
    uint32_t row;       /* domains of all levels */
    uint32_t *having;   /* [label][domain] tasks of jobs with the label */
    uint32_t *refusing; /* [label][domain] tasks that refuse such jobs */
    uint32_t *in_all;   /* [label] tasks of jobs with the label */
    struct spread **spread;
    uint32_t spreads, spread_cap, free_spread;
    uint32_t *of_job; /* [job] its first spread */
    uint32_t job_cap;
};

static int constraints_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct constraints *c = host->keep(ctx, sizeof(*c));

    (void)value; /* has no knobs */
    c->host = host;
    c->ctx = ctx;
    c->labels = host->labels(ctx);
    c->levels = host->levels(ctx);
    c->free_spread = GSP_NONE;
    c->first = host->keep(ctx, c->levels * sizeof(*c->first));
    for (uint32_t l = 0; l < c->levels; l++) {
        c->first[l] = c->row;
        c->row += host->domains(ctx, l);
    }
    c->having = host->keep(ctx,
                           ((size_t)c->labels * c->row + 1) * sizeof(uint32_t));
    c->refusing = host->keep(ctx, ((size_t)c->labels * c->row + 1)
                                      * sizeof(uint32_t));
    c->in_all = host->keep(ctx, (c->labels + 1) * sizeof(uint32_t));
    *self = c;
    return 0;
}

static uint32_t *cell(const struct constraints *c, uint32_t *table,
                      uint32_t label, uint32_t level, uint32_t node)
{
    return table + (size_t)label * c->row + c->first[level]
           + c->host->domain_of(c->ctx, node, level);
}

/* --- spreading ---------------------------------------------------------------- */

static void *grown(const struct constraints *c, const void *old, uint32_t *cap,
                   uint32_t need, size_t size)
{
    const uint32_t more = *cap * 2 > need ? *cap * 2 : need + 16;
    unsigned char *to = c->host->keep(c->ctx, more * size);
    const unsigned char *from = old;

    for (size_t i = 0; i < *cap * size; i++)
        to[i] = from[i];
    *cap = more;
    return to;
}

static struct spread *spread_find(const struct constraints *c, uint32_t job,
                                  uint32_t group)
{
    uint32_t i = job < c->job_cap ? c->of_job[job] : 0;

    while (i && c->spread[i - 1]->group != group)
        i = c->spread[i - 1]->next;
    return i ? c->spread[i - 1] : NULL;
}

/* One that is free, or new: its counts have room for any tier. */
static uint32_t spread_new(struct constraints *c)
{
    uint32_t i = c->free_spread;

    if (i != GSP_NONE) {
        c->free_spread = c->spread[i]->next;
        return i;
    }
    i = c->spreads++;
    if (c->spreads > c->spread_cap)
        c->spread = grown(c, c->spread, &c->spread_cap, c->spreads,
                          sizeof(struct spread *));
    c->spread[i] = c->host->keep(c->ctx, sizeof(struct spread));
    c->spread[i]->count = c->host->keep(c->ctx, c->row * sizeof(uint32_t));
    c->spread[i]->counts = c->host->keep(c->ctx, c->row);
    c->spread[i]->job = GSP_NONE;
    return i;
}

/* Which domains count: some node there could hold a task of the group. */
static void spread_look(const struct constraints *c, struct spread *s,
                        const struct gsp_job *j)
{
    const uint32_t nodes = c->host->domains(c->ctx, c->levels - 1);

    for (uint32_t d = 0; d < c->host->domains(c->ctx, s->level); d++)
        s->counts[d] = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        uint8_t *counts = &s->counts[c->host->domain_of(c->ctx, n, s->level)];

        if (!*counts)
            *counts = c->host->job_suits(j, s->group, n);
    }
}

static struct spread *spread_make(struct constraints *c,
                                  const struct gsp_job *j, uint32_t group,
                                  const struct gsp_rule *r)
{
    const uint32_t i = spread_new(c), job = c->host->job_id(j);
    bool is_known;
    struct spread *s;

    if (job >= c->job_cap)
        c->of_job = grown(c, c->of_job, &c->job_cap, job + 1, sizeof(uint32_t));
    s = c->spread[i];
    is_known = s->job == job && s->group == group; /* it was tried before */
    s->job = job;
    s->group = group;
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

    while (c->spread[*at - 1] != s)
        at = &c->spread[*at - 1]->next;
    i = *at - 1;
    *at = s->next;
    c->spread[i]->next = c->free_spread;
    c->free_spread = i;
}

static void spread_count(struct constraints *c, const struct gsp_job *j,
                         uint32_t group, uint32_t node, uint32_t tasks,
                         bool placed)
{
    const uint32_t job = c->host->job_id(j);
    struct spread *s = spread_find(c, job, group);

    for (uint32_t i = 0; !s && i < c->host->job_rules(j, group); i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (r.kind == GSP_SPREAD && r.level < c->levels)
            s = spread_make(c, j, group, &r);
    }
    if (!s)
        return;
    s->count[c->host->domain_of(c->ctx, node, s->level)] += placed ? tasks
                                                                   : -tasks;
    s->tasks += placed ? tasks : -tasks;
    if (s->tasks == 0)
        spread_drop(c, s);
}

/* Would one more task in the domain be too many? */
static bool is_skewed(const struct constraints *c, const struct gsp_job *j,
                      uint32_t group, uint32_t node)
{
    const struct spread *s = spread_find(c, c->host->job_id(j), group);
    uint32_t domains, least = UINT32_MAX;

    if (!s)
        return false;
    domains = c->host->domains(c->ctx, s->level);
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
                  uint32_t group, uint32_t node, uint32_t tasks, bool placed)
{
    const uint32_t n = placed ? tasks : -tasks;

    for (uint32_t l = 0; l < c->labels; l++) {
        if (!c->host->job_has_label(j, l))
            continue;
        c->in_all[l] += n;
        for (uint32_t level = 0; level < c->levels; level++)
            *cell(c, c->having, l, level, node) += n;
    }
    for (uint32_t i = 0; i < c->host->job_rules(j, group); i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (r.kind == GSP_APART && r.level < c->levels)
            *cell(c, c->refusing, r.label, r.level, node) += n;
    }
    spread_count(c, j, group, node, tasks, placed);
}

static void constraints_on_place(void *self, const struct gsp_job *j,
                                 uint32_t group, uint32_t node, uint32_t tasks)
{
    count(self, j, group, node, tasks, true);
}

static void constraints_on_release(void *self, const struct gsp_job *j,
                                   uint32_t group, uint32_t node,
                                   uint32_t tasks)
{
    count(self, j, group, node, tasks, false);
}

/* --- refusing ----------------------------------------------------------------- */

static bool rule_allows(const struct constraints *c, const struct gsp_job *j,
                        uint32_t group, const struct gsp_rule *r, uint32_t node)
{
    if (r->level >= c->levels)
        return r->kind != GSP_NEAR;
    switch (r->kind) {
    case GSP_NEAR:
        return *cell(c, c->having, r->label, r->level, node) > 0
               || (c->in_all[r->label] == 0
                   && c->host->job_has_label(j, r->label));
    case GSP_APART:
        return *cell(c, c->having, r->label, r->level, node) == 0;
    case GSP_SPREAD:
        return !is_skewed(c, j, group, node);
    }
    return true;
}

static uint32_t constraints_refuses(void *self, const struct gsp_job *j,
                                    uint32_t group, uint32_t node)
{
    const struct constraints *c = self;
    const uint32_t rules = c->host->job_rules(j, group);

    for (uint32_t i = 0; i < rules; i++) {
        const struct gsp_rule r = c->host->job_rule(j, group, i);

        if (!rule_allows(c, j, group, &r, node))
            return r.level < c->levels ? r.level + 1 : 1;
    }
    for (uint32_t l = 0; l < c->labels; l++) {
        if (!c->host->job_has_label(j, l))
            continue;
        for (uint32_t level = 0; level < c->levels; level++) {
            if (*cell(c, c->refusing, l, level, node))
                return level + 1;
        }
    }
    return 0;
}

extern const struct gsp_module gsp_module_constraints;
const struct gsp_module gsp_module_constraints = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "constraints",
    .summary = "affinity and anti-affinity between jobs, spread over a tier",
    .open = constraints_open,
    .refuses = constraints_refuses,
    .on_place = constraints_on_place,
    .on_release = constraints_on_release,
};
