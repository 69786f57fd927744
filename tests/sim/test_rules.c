/* tests/sim/test_rules.c - affinity, anti-affinity and spread hold for every
 * task when it is placed, counted anew from all that is placed; and no two
 * tasks ever stand together of which one refuses the other.
 */
#include "tests/lib/cases.h"
#include "tests/lib/live_world.h"

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
    { "kube-scheduler's", "kube-default", FEATURES, 0 },
    { "kube-scheduler's, preferred and two spreads", "kube-default",
      RANDOM_PREFERS | RANDOM_CLASSES | RANDOM_ELASTIC, 0 },
    { "Volcano's, preferred and two spreads", "volcano",
      RANDOM_PREFERS | RANDOM_QUEUES, 0 },
    { "Volcano's", "volcano", FEATURES | RANDOM_QUEUES, 0 },
    { "Volcano's default", "volcano-default", FEATURES | RANDOM_QUEUES, 0 },
    { "beside a reservation",
      MODULES("gang", "allocate, backfill",
              "gang, constraints, {backfill: {mode: easy}}"),
      RANDOM_RULES | RANDOM_ESTIMATES, 0 },
};

struct stand {
    uint32_t *tasks; /* [group of the workload][node] */
    uint64_t count;  /* rules looked at */
};

static uint32_t *tasks_at(const struct live_world *l, uint32_t group,
                          uint32_t node)
{
    const struct stand *s = l->kept;

    return &s->tasks[(size_t)group * l->w->topo->node_count + node];
}

static bool is_together(const struct live_world *l, uint32_t a, uint32_t b,
                        const struct trace_rule *r)
{
    const struct topo *t = l->w->topo;
    const int level = topo_level_find(t, r->tier);

    if (level < 0 || (uint32_t)level > t->tier_count)
        return a == b;
    return topo_domain_of(t, a, (uint32_t)level)
           == topo_domain_of(t, b, (uint32_t)level);
}

static bool is_among(const struct live_world *l, uint32_t first, uint32_t count,
                     uint32_t label)
{
    for (uint32_t i = 0; i < count; i++) {
        if (l->w->work->label[first + i] == label)
            return true;
    }
    return false;
}

/* Do tasks of the group of the job have the label? */
static bool has_label(const struct live_world *l, uint32_t job, uint32_t group,
                      uint32_t label)
{
    const struct trace_job *j = live_spec(l, job);
    const struct trace_group *g = live_group_of(l, job, group);

    return is_among(l, j->aside->first_label, j->aside->label_count, label)
           || is_among(l, g->first_label, g->label_count, label);
}

/* Tasks of the group together with `node`, by the rule's tier. */
static uint32_t tasks_near(const struct live_world *l, uint32_t group,
                           uint32_t node, const struct trace_rule *r)
{
    uint32_t n = 0;

    for (uint32_t m = 0; m < l->w->topo->node_count; m++)
        n += is_together(l, m, node, r) ? *tasks_at(l, group, m) : 0;
    return n;
}

/* Tasks with the rule's label: near the node, and anywhere. */
static uint32_t labelled(const struct live_world *l, uint32_t node,
                         const struct trace_rule *r, bool anywhere)
{
    uint32_t n = 0;

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        const struct trace_job *spec = live_spec(l, j);

        for (uint32_t g = 0; g < spec->group_count; g++) {
            if (!has_label(l, j, g, r->label))
                continue;
            for (uint32_t m = 0; m < l->w->topo->node_count; m++) {
                if (anywhere || is_together(l, m, node, r))
                    n += *tasks_at(l, spec->first_group + g, m);
            }
        }
    }
    return n;
}

/* Kubernetes' nodeAffinityPolicy, nodeTaintsPolicy. */
static bool is_counted(const struct live_world *l,
                       const struct gsched_decision *d,
                       const struct trace_rule *r, uint32_t node)
{
    const uint32_t klass = l->w->topo->node_class[node];
    const enum topo_misfit misfit = topo_class_misfit(l->w->topo, klass,
                                                      live_request(l, d));

    if (r->counts & TRACE_SPREAD_TOLERATED
        && !topo_class_is_tolerated(l->w->topo, klass, live_request(l, d)))
        return false;
    return r->counts & TRACE_SPREAD_ANY
           || (misfit != TOPO_NO_MODEL && misfit != TOPO_NO_LABEL);
}

/* Tasks that the spread counts near the node. */
static uint32_t spread_near(const struct live_world *l, uint32_t group,
                            uint32_t node, const struct trace_rule *r)
{
    return r->label ? labelled(l, node, r, false)
                    : tasks_near(l, group, node, r);
}

/* One more there, against the least of all domains that count. */
static bool is_even(const struct live_world *l, const struct gsched_decision *d,
                    const struct trace_rule *r)
{
    const uint32_t group = live_spec(l, d->job)->first_group + d->group;
    const uint32_t nodes = l->w->topo->node_count;
    const uint32_t own = !r->label || has_label(l, d->job, d->group, r->label);
    uint32_t least = UINT32_MAX, domains = 0;

    for (uint32_t m = 0; m < nodes; m++) {
        uint32_t before = 0;

        if (!is_counted(l, d, r, m))
            continue;
        while (
            before < m
            && !(is_together(l, before, m, r) && is_counted(l, d, r, before)))
            before++;
        domains += before == m;
        if (spread_near(l, group, m, r) < least)
            least = spread_near(l, group, m, r);
    }
    if (domains == 0 || domains < r->min_domains)
        least = 0;
    return spread_near(l, group, d->grant.node, r) + own - least <= r->max_skew;
}

static void rule_check(struct live_world *l, const struct gsched_decision *d,
                       const struct trace_rule *r)
{
    const uint32_t node = d->grant.node;
    struct stand *s = l->kept;

    s->count++;
    switch (r->kind) {
    case TRACE_NEAR:
        LIVE_FAULT(l, labelled(l, node, r, false) == 0
                          && (labelled(l, node, r, true) > 0
                              || !has_label(l, d->job, d->group, r->label)));
        break;
    case TRACE_APART:
        LIVE_FAULT(l, labelled(l, node, r, false) > 0);
        break;
    case TRACE_SPREAD:
        LIVE_FAULT(l, !is_even(l, d, r));
        break;
    }
}

/* No job that stands there refuses the job. */
static void refusals_check(struct live_world *l,
                           const struct gsched_decision *d)
{
    const struct trace_workload *w = l->w->work;

    for (uint32_t g = 0; g < w->group_count; g++) {
        for (uint32_t i = 0; i < trace_group_at(w, g)->rule_count; i++) {
            const struct trace_rule *r =
                &w->rule[trace_group_at(w, g)->first_rule + i];

            LIVE_FAULT(l, r->kind == TRACE_APART
                              && has_label(l, d->job, d->group, r->label)
                              && tasks_near(l, g, d->grant.node, r) > 0);
        }
    }
}

static void rules_decided(struct live_world *l, const struct gsched_decision *d)
{
    const struct trace_group *g;
    uint32_t *at;

    if (d->kind != GSCHED_PLACE && d->kind != GSCHED_EVICT
        && d->kind != GSCHED_SHRINK)
        return;
    g = live_group_of(l, d->job, d->group);
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

static void rules_ended(struct live_world *l, const struct gsched_decision *d)
{
    *tasks_at(l, live_spec(l, d->job)->first_group + d->group,
              d->grant.node) -= d->grant.tasks;
}

static void rules_open(struct live_world *l)
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
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct stand stand = { .count = 0 };
        int faulty;

        faulty = live_rounds(&cases[i], seeds, &stand, rules_open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || stand.count >= seeds);
    }
}

/* gang's first task would stand with low, its second with kept; but low, which
 * would have to go for the second, takes the first one's company with it.
 */
static const struct case_world by_hand[] = {
    { "a job is not evicted that the job must stand with",
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
    /* b would not get its first task, and c would take its place */
    { "a task waits because of its own, not those of jobs with the same rule",
      "node_types: {g: {gpus: 4}, h: {gpus: 2}}\n"
      "nodes:\n"
      "- {name: n1, type: g}\n"
      "- {name: n2, type: h, labels: {node: n2}}\n",
      "jobs:\n"
      "- {name: d, submit: 0, duration: 10, gpus: 2, nodes: {node: n2}}\n"
      "- {name: a, submit: 0, duration: 100, tasks: [{gpus: 1, replicas: 2,\n"
      "   spread: {over: node, max_skew: 1}}]}\n"
      "- {name: b, submit: 0, duration: 100, tasks: [{gpus: 1, replicas: 2,\n"
      "   spread: {over: node, max_skew: 1}}]}\n"
      "- {name: c, submit: 1, duration: 10, gpus: 3}\n",
      "actions: [allocate]\nunit: pod\nmodules: [constraints, binpack]\n",
      { { "a", 10 * S, REPORT_DONE, REPORT_CONSTRAINT, "n1*1 n2*1", 0 },
        { "b", 10 * S, REPORT_DONE, REPORT_CONSTRAINT, "n1*1 n2*1", 0 },
        { "c", 110 * S, REPORT_DONE, ANY_CAUSE, "n1*1", 0 } } },
};

static void test_by_hand(void)
{
    cases_run(by_hand, N_ELEMENTS(by_hand));
}

#define RACKS                                                           \
    "tiers: [{name: rack}, {name: node}]\n"                             \
    "node_types: {g: {gpus: 8}, h: {gpus: 8, model: H}, c: {cpu: 8}}\n" \
    "nodes:\n"                                                          \
    "- {name: 'a[1-2]', type: g, rack: a}\n"                            \
    "- {name: 'b[1-2]', type: g, rack: b}\n"
#define FAR "submit: 0, duration: 1000, gpus: 1, "

/* As kube-scheduler's InterPodAffinity and PodTopologySpread do; under every
 * preset that says to be like it.
 */
static const struct case_world as_kubernetes[] = {
    { "apart from a job that was there before",
      RACKS,
      "jobs:\n"
      "- {name: db, " FAR "labels: {app: db}}\n"
      "- {name: web, submit: 1, duration: 10, gpus: 1, replicas: 4,\n"
      "   anti_affinity: [{jobs: {app: db}, within: rack}]}\n"
      "- {name: big, submit: 20, duration: 10, gpus: 8, replicas: 2,\n"
      "   anti_affinity: [{jobs: {app: db}, within: node}]}\n",
      NULL,
      { { "web", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "big", 20 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "refused by a job that was there before",
      RACKS,
      "jobs:\n"
      "- {name: db, " FAR "anti_affinity: [{jobs: {app: web}, within: rack}]}\n"
      "- {name: db2, " FAR "nodes: {rack: b},\n"
      "   anti_affinity: [{jobs: {app: web}, within: node}]}\n"
      "- {name: web, submit: 1, duration: 10, gpus: 1, replicas: 8,\n"
      "   labels: {app: web}}\n"
      "- {name: all, submit: 20, duration: 10, gpus: 2, replicas: 5,\n"
      "   labels: {app: web}}\n",
      NULL,
      { { "web", 1 * S, REPORT_DONE, ANY_CAUSE, "b2*8", 0 } } },
    { "tasks of one job apart from one another",
      RACKS,
      "jobs:\n"
      "- {name: web, submit: 1, duration: 10, gpus: 1, replicas: 4,\n"
      "   labels: {app: web},\n"
      "   anti_affinity: [{jobs: {app: web}, within: node}]}\n",
      NULL,
      { { "web", 1 * S, REPORT_DONE, ANY_CAUSE, "a1*1 a2*1 b1*1 b2*1", 0 } } },
    { "near a job, and nowhere before it is there",
      RACKS,
      "jobs:\n"
      "- {name: web, submit: 0, duration: 10, gpus: 4, replicas: 2,\n"
      "   affinity: [{jobs: {app: db}, within: rack}]}\n"
      "- {name: db, submit: 5, duration: 1000, gpus: 8, labels: {app: db},\n"
      "   nodes: {rack: b}}\n",
      NULL,
      { { "web", 5 * S, REPORT_DONE, REPORT_CONSTRAINT, "b2*2", 0 } } },
    { "near itself: the first stands anywhere, the others with it",
      RACKS,
      "jobs:\n"
      "- {name: one, " FAR "nodes: {rack: a}}\n"
      "- {name: web, submit: 1, duration: 10, gpus: 4, replicas: 3,\n"
      "   labels: {app: web},\n"
      "   affinity: [{jobs: {app: web}, within: rack}]}\n",
      NULL,
      { { "web", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "spread, one more here than there",
      RACKS,
      "jobs:\n"
      "- {name: s, submit: 0, duration: 10, tasks: [{gpus: 1, replicas: 4,\n"
      "   spread: {over: node, max_skew: 1}}]}\n",
      NULL,
      { { "s", 0, REPORT_DONE, ANY_CAUSE, "a1*1 a2*1 b1*1 b2*1", 0 } } },
    { "a domain without nodes that are selected does not count",
      RACKS "- {name: h1, type: h, rack: c}\n",
      "jobs:\n"
      "- {name: s, submit: 0, duration: 10, tasks: [{gpus: 8, replicas: 2,\n"
      "   model: H, spread: {over: rack, max_skew: 1}}]}\n"
      "- {name: r, submit: 100, duration: 10, tasks: [{gpus: 4, replicas: 4,\n"
      "   nodes: [{key: rack, op: In, values: [a]}],\n"
      "   spread: {over: rack, max_skew: 1}}]}\n",
      NULL,
      { { "r", 100 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "tasks with a label, of any job",
      RACKS,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 99, gpus: 1, replicas: 2,\n"
      "   labels: {app: w}, nodes: {rack: a}}\n"
      "- {name: b, submit: 1, duration: 10, gpus: 1, replicas: 3,\n"
      "   labels: {app: w}, spread: {over: rack, max_skew: 1,\n"
      "   jobs: {app: w}}}\n"
      "- {name: c, submit: 1, duration: 10, gpus: 1,\n"
      "   spread: {over: rack, max_skew: 1, jobs: {app: w}},\n"
      "   nodes: {rack: a}}\n",
      NULL,
      { { "b", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "c", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "... more than the skew of one domain beyond the others",
      RACKS,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 99, gpus: 1, replicas: 2,\n"
      "   labels: {app: w}, nodes: {rack: a}}\n"
      "- {name: b, submit: 1, duration: 10, gpus: 1, nodes: {rack: a},\n"
      "   spread: {over: rack, max_skew: 1, jobs: {app: w},\n"
      "   node_affinity: ignore}}\n",
      NULL,
      { { "b", 99 * S, REPORT_DONE, REPORT_CONSTRAINT, NULL, 0 } } },
    { "fewer domains than min_domains: none beyond the skew",
      RACKS,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 10, gpus: 1, replicas: 2,\n"
      "   spread: {over: rack, max_skew: 1, min_domains: 3}}\n"
      "- {name: b, submit: 1, duration: 10, tasks: [{gpus: 1, replicas: 3,\n"
      "   spread: {over: rack, max_skew: 2, min_domains: 2}}]}\n",
      NULL,
      { { "a", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "domains of nodes that it does not select, if it says so",
      RACKS,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 10, gpus: 1, nodes: {rack: a},\n"
      "   replicas: 2, spread: {over: rack, max_skew: 2,\n"
      "   node_affinity: ignore}}\n",
      NULL,
      { { "a", 0, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "one with nodes that are too small does",
      RACKS "- {name: c1, type: c, rack: c}\n",
      "jobs:\n"
      "- {name: two, submit: 1, duration: 10, tasks: [{gpus: 1, replicas: 4,\n"
      "   spread: {over: rack, max_skew: 2}}]}\n",
      NULL,
      { { "two", 1 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

static void test_as_kubernetes(void)
{
    static const char *const presets[] = { "kube-default", "volcano",
                                           "volcano-default" };

    for (size_t i = 0; i < N_ELEMENTS(presets); i++) {
        for (size_t k = 0; k < N_ELEMENTS(as_kubernetes); k++) {
            struct case_world c = as_kubernetes[k];

            c.policy = presets[i];
            cases_run(&c, 1);
        }
    }
}

/* kube-scheduler evicts the pods that the pod refuses, if that is lower. */
static const struct case_world made_way[] = {
    { "a lower job that it refuses makes way",
      RACKS,
      "jobs:\n"
      "- {name: low, submit: 0, duration: 1000, gpus: 1, replicas: 4,\n"
      "   labels: {app: l}, anti_affinity: [{jobs: {app: l}, within: node}]}\n"
      "- {name: high, submit: 10, duration: 10, gpus: 1, priority: 5,\n"
      "   anti_affinity: [{jobs: {app: l}, within: node}]}\n",
      "kube-default",
      { { "low", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "high", 10 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
    { "a domain with nodes that are too small is never full enough",
      RACKS "- {name: c1, type: c, rack: c}\n",
      "jobs:\n"
      "- {name: s, submit: 0, duration: 10, tasks: [{gpus: 1, replicas: 3,\n"
      "   spread: {over: rack, max_skew: 1}}]}\n",
      "volcano",
      { { "s", NEVER, REPORT_PENDING, REPORT_CONSTRAINT, NULL, 0 } } },
};

static void test_makes_way(void)
{
    cases_run(made_way, N_ELEMENTS(made_way));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "rules between jobs hold for every task", test_rules },
        { "rules hold as worked out by hand", test_by_hand },
        { "rules decide as the filters of Kubernetes", test_as_kubernetes },
        { "preemption makes room for a rule", test_makes_way },
    };

    return suite_run("sim/rules", suite, N_ELEMENTS(suite));
}
