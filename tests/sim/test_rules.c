/* tests/sim/test_rules.c - affinity, anti-affinity and spread hold for every
 * task when it is placed, counted anew from all that is placed; and no two
 * tasks ever stand together of which one refuses the other.
 */
#include "tests/sim/cases.h"
#include "tests/sim/live_world.h"

#define MODULES(unit, actions, more) \
    "actions: [" actions "]\nunit: " unit "\nmodules: [" more "]\n"
#define FEATURES (RANDOM_RULES | RANDOM_CLASSES | RANDOM_ELASTIC)

static const struct live_case cases[] = {
    { "gangs", MODULES("gang", "allocate", "gang, constraints, binpack"),
      FEATURES, 0 },
    { "gangs, spread by score",
      MODULES("gang", "allocate", "gang, constraints, least-allocated"),
      FEATURES | RANDOM_WITHIN, 0 },
    { "pods", MODULES("pod", "allocate", "constraints, binpack"), FEATURES, 0 },
    { "where room is made",
      MODULES("gang", "allocate, preempt", "priority, gang, constraints"),
      FEATURES, 0 },
    { "beside a reservation",
      MODULES("gang", "allocate, backfill",
              "gang, constraints, {backfill: {mode: easy}}"),
      RANDOM_RULES | RANDOM_ESTIMATES, 0 },
};

struct stand {
    uint32_t *tasks; /* [group of the workload][node] */
    uint64_t count;  /* rules looked at */
};

static uint32_t *tasks_at(const struct live *l, uint32_t group, uint32_t node)
{
    const struct stand *s = l->kept;

    return &s->tasks[(size_t)group * l->w->topo->node_count + node];
}

static bool is_together(const struct live *l, uint32_t a, uint32_t b,
                        const struct trace_rule *r)
{
    const struct topo *t = l->w->topo;
    const int level = topo_level_find(t, r->tier);

    if (level < 0 || (uint32_t)level > t->tier_count)
        return a == b;
    return topo_domain_of(t, a, (uint32_t)level)
           == topo_domain_of(t, b, (uint32_t)level);
}

static bool has_label(const struct live *l, uint32_t job, uint32_t label)
{
    const struct trace_job *j = live_spec(l, job);

    for (uint32_t i = 0; i < j->label_count; i++) {
        if (l->w->work->label[j->first_label + i] == label)
            return true;
    }
    return false;
}

/* Tasks of the group together with `node`, by the rule's tier. */
static uint32_t tasks_near(const struct live *l, uint32_t group, uint32_t node,
                           const struct trace_rule *r)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < l->w->topo->node_count; m++)
        n += is_together(l, m, node, r) ? *tasks_at(l, group, m) : 0;
    return n;
}

/* Tasks with the rule's label: near the node, and anywhere. */
static uint32_t labelled(const struct live *l, uint32_t node,
                         const struct trace_rule *r, bool anywhere)
{
    uint32_t n = 0;

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        const struct trace_job *spec = live_spec(l, j);

        if (!has_label(l, j, r->label))
            continue;
        for (uint32_t g = 0; g < spec->group_count; g++) {
            for (uint32_t m = 0; m < l->w->topo->node_count; m++) {
                if (anywhere || is_together(l, m, node, r))
                    n += *tasks_at(l, spec->first_group + g, m);
            }
        }
    }
    return n;
}

/* One more there, against the least of all domains that could hold one. */
static bool is_even(const struct live *l, const struct gsched_decision *d,
                    const struct trace_rule *r)
{
    const uint32_t group = live_spec(l, d->job)->first_group + d->group;
    uint32_t least = UINT32_MAX;

    for (uint32_t m = 0; m < l->w->topo->node_count; m++) {
        const uint32_t n = tasks_near(l, group, m, r);

        if (topo_class_fit(l->w->topo, l->w->topo->node_class[m],
                           live_request(l, d))
            && n < least)
            least = n;
    }
    return tasks_near(l, group, d->grant.node, r) + 1 - least <= r->max_skew;
}

static void rule_check(struct live *l, const struct gsched_decision *d,
                       const struct trace_rule *r)
{
    const uint32_t node = d->grant.node;
    struct stand *s = l->kept;

    s->count++;
    switch (r->kind) {
    case TRACE_NEAR:
        LIVE_FAULT(l, labelled(l, node, r, false) == 0
                          && (labelled(l, node, r, true) > 0
                              || !has_label(l, d->job, r->label)));
        break;
    case TRACE_APART:
        LIVE_FAULT(l, labelled(l, node, r, false) > 0);
        break;
    case TRACE_SPREAD:
        LIVE_FAULT(l, !is_even(l, d, r));
        break;
    }
}

/* Nobody who stands there refuses the job. */
static void refusals_check(struct live *l, const struct gsched_decision *d)
{
    const struct trace_workload *w = l->w->work;

    for (uint32_t g = 0; g < w->group_count; g++) {
        for (uint32_t i = 0; i < w->group[g].rule_count; i++) {
            const struct trace_rule *r = &w->rule[w->group[g].first_rule + i];

            LIVE_FAULT(l, r->kind == TRACE_APART
                              && has_label(l, d->job, r->label)
                              && tasks_near(l, g, d->grant.node, r) > 0);
        }
    }
}

static void rules_decided(struct live *l, const struct gsched_decision *d)
{
    const struct trace_group *g;
    uint32_t *at;

    if (d->kind != GSCHED_PLACE && d->kind != GSCHED_EVICT
        && d->kind != GSCHED_SHRINK)
        return;
    g = live_group(l, d->job, d->group);
    at = tasks_at(l, live_spec(l, d->job)->first_group + d->group,
                  d->grant.node);
    if (d->kind != GSCHED_PLACE) {
        *at -= d->grant.tasks;
        return;
    }
    for (uint32_t i = 0; i < g->rule_count; i++)
        rule_check(l, d, &l->w->work->rule[g->first_rule + i]);
    refusals_check(l, d);
    LIVE_FAULT(l, g->rule_count && d->grant.tasks > 1);
    *at += d->grant.tasks;
}

static void rules_ended(struct live *l, const struct gsched_decision *d)
{
    *tasks_at(l, live_spec(l, d->job)->first_group + d->group,
              d->grant.node) -= d->grant.tasks;
}

static void rules_open(struct live *l)
{
    struct stand *s = l->kept;

    s->tasks = gs_arena_alloc(
        l->w->arena, (size_t)l->w->work->group_count * l->w->topo->node_count,
        sizeof(*s->tasks));
    l->decided = rules_decided;
    l->ended = rules_ended;
}

static void test_rules(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct stand stand = { .count = 0 };
        int faulty = 0;

        for (uint64_t seed = 1; seed <= WORKLOADS && !faulty; seed++) {
            struct live l = { .kept = &stand };

            faulty = live_faults(&cases[i], seed, &l, rules_open);
        }
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || stand.count >= WORKLOADS);
    }
}

/* gang's first task would stand with low, its second with kept; but low, which
 * would have to go for the second, takes the first one's company with it.
 */
static const struct case_world by_hand[] = {
    { "nobody goes whom the job itself must stand with",
      "node_types: {g: {gpus: 8}}\n"
      "nodes:\n"
      "- {name: n1, type: g}\n"
      "- {name: n2, type: g, labels: {node: n2}}\n",
      "priority_classes: {high: {value: 5}}\n"
      "jobs:\n"
      "- {name: low, submit: 0, duration: 100, replicas: 2, gpus: 6, "
      "labels: {app: l}}\n"
      "- {name: kept, submit: 0, duration: 1000, gpus: 1, priority: high, "
      "labels: {app: l}, nodes: {node: n2}}\n"
      "- {name: gang, submit: 10, duration: 10, priority: high, "
      "tasks: [{replicas: 1, gpus: 2}, {replicas: 1, gpus: 7}], "
      "affinity: [{jobs: {app: l}, within: node}]}\n",
      "actions: [allocate, preempt]\n"
      "modules: [priority, gang, constraints]\n",
      { { "low", 0, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 0 },
        { "kept", 0, REPORT_DONE, ANY_CAUSE, "n2*1", 0 },
        { "gang", NEVER, REPORT_PENDING, ANY_CAUSE, "", 0 } } },
};

static void test_by_hand(void)
{
    cases_run(by_hand, N_ELEMENTS(by_hand));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "rules between jobs hold for every task", test_rules },
        { "worked out by hand", test_by_hand },
    };

    return suite_run("sim/rules", suite, N_ELEMENTS(suite));
}
