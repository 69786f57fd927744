#include "tests/lib/random_world.h"

#include "policies/profile/extension_points.h"

unsigned below(struct gs_rng *r, unsigned n)
{
    return (unsigned)gs_rng_below(r, n);
}

void topology_make(struct gs_rng *r, struct drawn_text *t, unsigned features)
{
    static const unsigned gpus[] = { 1, 2, 4, 8 };

    PUT(t, "tiers: [{name: rack}, {name: node}]\nnode_types:\n");
    PUT(t, "  a: {gpus: %u, model: A", gpus[below(r, 4)]);
    if (features & RANDOM_MIG) {
        PUT(t, "100-40, mig: {repartition: %s", below(r, 3) ? "yes" : "no");
        PUT(t, ", delay: %us}", below(r, 30) / 15 * 7);
    }
    PUT(t, ", cpu: %u}\n", 4 + below(r, 28));
    if ((features & RANDOM_MIG) && below(r, 2))
        PUT(t, "  b: {gpus: {B: %u, A100-40: 2}, cpu: 8", gpus[below(r, 4)]);
    else
        PUT(t, "  b: {gpus: %u, cpu: 8, model: B", gpus[below(r, 4)]);
    if (features & RANDOM_MIG)
        PUT(t, ", tasks_per_gpu: %u", 1 + below(r, 3));
    PUT(t, ", pods: %u}\n", 1 + below(r, 12));
    PUT(t, "nodes:\n");
    PUT(t, "  - {name: 'a[1-%u]', type: a, rack: r1}\n", 1 + below(r, 6));
    PUT(t, "  - {name: 'b[1-%u]', type: b, rack: r2}\n", 1 + below(r, 6));
}

/* --- jobs ----------------------------------------------------------------- */

static void task_make(struct gs_rng *r, struct drawn_text *t, unsigned features)
{
    static const char *const profiles[] = { "1g.5gb",  "1g.10gb", "2g.10gb",
                                            "3g.20gb", "4g.20gb", "7g.40gb" };
    const bool cuts = (features & RANDOM_MIG) && below(r, 3);
    const uint64_t draw = cuts ? 1 : below(r, 5);

    if (cuts)
        PUT(t, ", mig: %s", profiles[below(r, 6)]);
    switch (draw == 0 && (features & RANDOM_WHOLE) ? 1 : draw) {
    case 0:
        PUT(t, ", gpu_share: 0.%u", 1 + below(r, 9));
        break;
    case 1:
        break;
    default:
        PUT(t, ", gpus: %u", 1 + below(r, 8));
    }
    if (below(r, 2))
        PUT(t, ", cpu: %u", 1 + below(r, 6));
    if (below(r, 6) == 0)
        PUT(t, ", model: %s",
            !cuts && below(r, 2) == 0      ? "B"
            : (features & RANDOM_MIG) != 0 ? "A100-40"
                                           : "A");
}

static void spread_make(struct gs_rng *r, struct drawn_text *t, unsigned n)
{
    PUT(t, ", spread: {over: %s, max_skew: %u", below(r, 2) ? "rack" : "node",
        1 + below(r, n));
    if (below(r, 3) == 0)
        PUT(t, ", jobs: {app: l%u}", below(r, 2));
    if (below(r, 4) == 0)
        PUT(t, ", min_domains: %u", 1 + below(r, 4));
    if (below(r, 4) == 0)
        PUT(t, ", node_affinity: ignore");
    if (below(r, 4) == 0)
        PUT(t, ", node_taints: honor");
    PUT(t, "}");
}

/* `least`: 1 where it is all of the job. */
static void replicas_make(struct gs_rng *r, struct drawn_text *t, unsigned n,
                          unsigned least, unsigned features)
{
    if ((features & RANDOM_ELASTIC) && below(r, 2)) {
        const unsigned min = below(r, n + 1);

        PUT(t, "replicas: {min: %u, max: %u}", min < least ? least : min, n);
    } else
        PUT(t, "replicas: %u", n);
    if ((features & RANDOM_RULES) && below(r, 6) == 0)
        spread_make(r, t, n);
    else if ((features & RANDOM_PREFERS) && below(r, 3) == 0)
        PUT(t,
            ", spread: [{over: rack, max_skew: %u}, {over: %s, mode: "
            "preferred}]",
            1 + below(r, n), below(r, 2) ? "rack" : "node");
    if ((features & RANDOM_PREFERS) && below(r, 4) == 0)
        PUT(t, ", prefer: [{nodes: {node: r0n1}, weight: %u}]",
            1 + below(r, 100));
}

/* What one of several kinds of tasks states beside its job. */
static void own_rules_make(struct gs_rng *r, struct drawn_text *t,
                           unsigned features)
{
    if (!(features & RANDOM_RULES))
        return;
    if (below(r, 3) == 0)
        PUT(t, ", labels: {part: l%u}", below(r, 2));
    if (below(r, 10) == 0)
        PUT(t, ", affinity: [{jobs: {part: l%u}, within: rack}]", below(r, 2));
    if (below(r, 10) == 0)
        PUT(t, ", anti_affinity: [{jobs: {%s: l%u}, within: node}]",
            below(r, 2) ? "app" : "part", below(r, 2));
}

/* Rules among tasks called a and b. */
static void task_rules_make(struct gs_rng *r, struct drawn_text *t)
{
    static const char *const lists[] = { "[a]", "[b]", "[a, b]" };
    const unsigned with = below(r, 3), apart = below(r, 3), order = below(r, 3);

    PUT(t, ", task_affinity: {together: [%s], apart: [%s]", lists[with],
        lists[apart]);
    if (order)
        PUT(t, ", order: [%s]", order == 1 ? "b, a" : "b");
    PUT(t, "}");
}

/* Tasks of the job; `same` is what all tasks ask for, or NULL. */
static void tasks_make(struct gs_rng *r, struct drawn_text *t, const char *same,
                       unsigned features)
{
    const unsigned replicas = 1 + below(r, 6);

    if (below(r, 3) == 0 && !(features & RANDOM_ALIKE)) {
        if (features & RANDOM_TASKS)
            task_rules_make(r, t);
        PUT(t, ", tasks: [{%sreplicas: 1",
            features & RANDOM_TASKS ? "name: a, " : "");
        if ((features & RANDOM_CLASSES) && below(r, 4) == 0)
            PUT(t, ", preemptible: false");
        own_rules_make(r, t, features);
        if (same)
            PUT(t, "%s", same);
        else
            task_make(r, t, features);
        PUT(t, "}, {%s", features & RANDOM_TASKS ? "name: b, " : "");
        replicas_make(r, t, replicas, 0, features);
        own_rules_make(r, t, features);
        if (same)
            PUT(t, "%s", same);
        else
            task_make(r, t, features);
        PUT(t, "}]");
    } else {
        PUT(t, ", ");
        replicas_make(r, t, replicas, 1, features);
        if (same)
            PUT(t, "%s", same);
        else
            task_make(r, t, features);
    }
    if (!(features & (RANDOM_ELASTIC | RANDOM_RIGID)) && below(r, 3) == 0)
        PUT(t, ", gang: %u", 1 + below(r, replicas));
}

/* When it comes and how long it runs. */
static void times_make(struct gs_rng *r, struct drawn_text *t,
                       unsigned features)
{
    PUT(t, "submit: %u", below(r, 200));
    if (below(r, 20) == 0 && !(features & RANDOM_ESTIMATES)) {
        PUT(t, ", duration: forever");
    } else {
        const unsigned duration = below(r, 100);

        PUT(t, ", duration: %u", duration);
        if ((features & RANDOM_LEAVES) && below(r, 2))
            PUT(t, ", withdraw: true");
        if (features & RANDOM_ESTIMATES)
            PUT(t, ", estimate: %us", duration + below(r, 3) * below(r, 100));
    }
    if (below(r, 4) == 0 && !(features & RANDOM_ESTIMATES))
        PUT(t, ", task_interval: %us", 1 + below(r, 3));
}

static void priority_make(struct gs_rng *r, struct drawn_text *t,
                          unsigned features)
{
    static const char *const classes[] = { "high", "low", "polite" };

    if (below(r, 3) == 0 && !(features & RANDOM_EQUAL))
        PUT(t, ", priority: %s",
            features & RANDOM_CLASSES ? classes[below(r, 3)] : "high");
    if ((features & RANDOM_CLASSES) && below(r, 10) == 0)
        PUT(t, ", preemptible: false");
}

static void job_more(struct gs_rng *r, struct drawn_text *t, unsigned features)
{
    static const char *const queues[] = { "a",   "a/x", "a/x/1", "a/x/2",
                                          "a/y", "b",   "b/z" };
    /* each key once */
    const bool prefers = (features & RANDOM_PREFERS)
                         && !(features & RANDOM_RULES);

    if ((features & RANDOM_QUEUES) && below(r, 6))
        PUT(t, ", queue: %s", queues[below(r, 7)]);
    if ((features & RANDOM_QUEUES) && below(r, 2))
        PUT(t, ", user: u%u", below(r, 3));
    if ((features & RANDOM_QUEUES) && below(r, 2))
        PUT(t, ", account: %s, qos: %s, partition: %s, nice: %d",
            below(r, 2) ? "f" : "g", below(r, 2) ? "q" : "s",
            below(r, 2) ? "p" : "o", (int)below(r, 9) - 4);
    if ((features & RANDOM_QUEUES) && below(r, 4) == 0)
        PUT(t, ", pools: {m: %u}", 1 + below(r, 2));
    if ((features & RANDOM_SAVES) && below(r, 3) == 0)
        PUT(t, ", checkpoint: %us", 1 + below(r, 30));
    else if ((features & RANDOM_SAVES) && below(r, 6) == 0)
        PUT(t, ", restart: resume");
    if ((features & RANDOM_SAVES) && below(r, 6) == 0)
        PUT(t, ", retries: %u", below(r, 4));
    if ((features & RANDOM_RULES) && below(r, 3) == 0)
        PUT(t, ", labels: {app: l%u}", below(r, 2));
    if ((features & RANDOM_RULES) && below(r, 12) == 0)
        PUT(t, ", affinity: [{jobs: {app: l%u}, within: rack}]", below(r, 2));
    if ((features & RANDOM_RULES) && below(r, 12) == 0)
        PUT(t, ", anti_affinity: [{jobs: {app: l%u}, within: node}]",
            below(r, 2));
    if (prefers && below(r, 3) == 0)
        PUT(t, ", affinity: [{jobs: {app: l0}, within: rack, weight: %u}]",
            1 + below(r, 100));
    if (prefers && below(r, 3) == 0)
        PUT(t, ", anti_affinity: [{jobs: {app: l1}, within: node, weight: %u}]",
            1 + below(r, 100));
    if ((features & RANDOM_WITHIN) && below(r, 4) == 0)
        PUT(t, ", topology: {within: rack, mode: %s}",
            below(r, 2) ? "required" : "preferred");
}

static void amounts_make(struct gs_rng *r, struct drawn_text *t,
                         const char *key, unsigned odds, unsigned most)
{
    if (below(r, odds))
        return;
    PUT(t, ", %s: {gpu: %u", key, 1 + below(r, most));
    if (below(r, 2))
        PUT(t, ", cpu: %u", 1 + below(r, 2 * most));
    PUT(t, "}");
}

/* What action admit reads; draws of other settings stay as they are. */
static void terms_make(struct gs_rng r, struct drawn_text *t)
{
    static const char *const victims[] = { "never", "lower", "lower-or-newer",
                                           "any" };

    amounts_make(&r, t, "borrow", 3, 8);
    amounts_make(&r, t, "lend", 3, 4);
    PUT(t, ", evicts_own: %s, evicts_others: %s", victims[below(&r, 3)],
        victims[below(&r, 4)]);
    if (below(&r, 2))
        PUT(t, ", evicts_borrowing: true, evicts_most: %u", below(&r, 3));
    if (below(&r, 4) == 0)
        PUT(t, ", head_blocks: true");
    if (below(&r, 3) == 0)
        PUT(t, ", next_flavor_borrowing: true, next_flavor_evicting: false");
    if (below(&r, 3) == 0)
        PUT(t,
            ", flavors: [{name: near, guarantee: {gpu: %u}}, {name: any, "
            "guarantee: {gpu: %u}, borrow: {gpu: %u}}]",
            below(&r, 4), below(&r, 9), below(&r, 5));
}

static void queues_make(struct gs_rng *r, struct drawn_text *t)
{
    static const char *const queues[] = { "a",   "a/x", "a/x/1", "a/x/2",
                                          "a/y", "b",   "b/z" };

    PUT(t, "queues:\n");
    for (unsigned i = 0; i < 7; i++) {
        PUT(t, "  - {name: %s, weight: %u", queues[i], 1 + below(r, 4));
        amounts_make(r, t, "guarantee", 3, 4);
        amounts_make(r, t, "deserved", 3, 12);
        amounts_make(r, t, "limit", 4, 16);
        amounts_make(r, t, "user_limit", 5, 12);
        if (below(r, 6) == 0)
            PUT(t, ", priority: %u", below(r, 3));
        if (below(r, 12) == 0)
            PUT(t, ", reclaimable: false");
        terms_make(*r, t);
        PUT(t, "}\n");
    }
}

/* Nodes that are kept: m confines its jobs, f does not. */
static void booked_make(struct gs_rng *r, struct drawn_text *t)
{
    static const char *const nodes[] = { "a1", "a1, a2", "b1, a2", "b1, b2" };

    PUT(t, "reservations:\n");
    for (unsigned i = 0, n = 2 + below(r, 4); i < n; i++) {
        const unsigned start = 10 + below(r, 300);

        PUT(t, "  - {name: %s, start: %u, end: %u, nodes: [%s]%s}\n",
            i % 2 ? "m" : "f", start, start + 1 + below(r, 200),
            nodes[below(r, 4)], i % 2 ? "" : ", flexible: true");
    }
}

void trace_make(struct gs_rng *r, struct drawn_text *t, unsigned features)
{
    const unsigned jobs = 1 + below(r, 40);
    static struct drawn_text same;

    same.len = 0;
    same.at[0] = '\0';
    PUT(t, "priority_classes: {high: {value: 5}");
    if (features & RANDOM_CLASSES)
        PUT(t, ", low: {value: -5}, polite: {value: 9, preemption: never}");
    PUT(t, "}\n");
    if (features & RANDOM_QUEUES) {
        PUT(t, "flavors: [{name: near, nodes: {rack: r1}}, {name: any}]\n");
        queues_make(r, t);
        PUT(t,
            "accounts: [{name: f, shares: %u, usage: %u}, {name: g, parent: f, "
            "shares: parent, users: {u0: %u, u1: parent}}]\n",
            below(r, 3), below(r, 900), below(r, 3));
        PUT(t,
            "qos: {q: {priority: %u, usage_factor: %u, limits: {jobs: {user: "
            "%u}, minutes: {job: {cpu: %u}}}}, s: {limits: {running_minutes: "
            "{group: {cpu: %u}, user: {gpu: %u}}, group: {pods: %u}}}}\n",
            below(r, 9), below(r, 3), below(r, 5), below(r, 400), below(r, 400),
            below(r, 100), below(r, 40));
        PUT(t, "pools: {m: %u}\n", below(r, 6));
        PUT(t, "partitions: {p: {tier: %u}, o: {factor: %u}}\n", below(r, 3),
            below(r, 9));
    }
    if (features & RANDOM_BOOKED)
        booked_make(r, t);
    if (features & RANDOM_ONE_KIND)
        task_make(r, &same, features);
    PUT(t, "jobs:\n");
    for (unsigned i = 0; i < jobs; i++) {
        PUT(t, "  - {name: j%u, ", i);
        times_make(r, t, features);
        priority_make(r, t, features);
        tasks_make(r, t, features & RANDOM_ONE_KIND ? same.at : NULL, features);
        job_more(r, t, features);
        if ((features & RANDOM_BOOKED) && below(r, 4) == 0)
            PUT(t, ", reservation: %s", below(r, 2) ? "m" : "f");
        PUT(t, "}\n");
    }
}

/* --- nodes ---------------------------------------------------------------- */

/* What happens to the nodes that topology_make makes: a1, b1 are there. */
static void event_make(struct gs_rng *r, struct drawn_text *t)
{
    static const char *const whats[] = { "drain", "fail",   "fail", "repair",
                                         "add",   "remove", "fail" };
    const unsigned what = below(r, 7), where = below(r, 5);

    PUT(t, "  - {at: %us", below(r, 400));
    if (where == 0 && what != 6)
        PUT(t, ", rack: r%u", 1 + below(r, 2));
    else
        PUT(t, ", node: %s", below(r, 2) ? "a1" : "b1");
    if (what == 6)
        PUT(t, ", gpu: 0");
    PUT(t, ", what: %s", whats[what]);
    if (what != 3 && what != 4 && below(r, 4))
        PUT(t, ", for: %us", 1 + below(r, 120));
    if (what == 5 && below(r, 2))
        PUT(t, ", notice: %us", 1 + below(r, 60));
    PUT(t, "}\n");
}

static void failures_make(struct gs_rng *r, struct drawn_text *t)
{
    static const char *const whats[] = { "node", "gpu", "rack" };
    const unsigned what = below(r, 3);

    PUT(t, "  - {what: %s", whats[what]);
    if (what < 2 && below(r, 2))
        PUT(t, ", of: %s", below(r, 2) ? "a" : "b");
    PUT(t, ", mtbf: %us", below(r, 9) ? 50 + below(r, 800) : 1);
    PUT(t, ", shape: %u.5", below(r, 3));
    PUT(t, ", repair: %us", 1 + below(r, 60));
    if (below(r, 2))
        PUT(t, ", repair_shape: 2");
    PUT(t, "}\n");
}

static void scale_make(struct gs_rng *r, struct drawn_text *t, const char *type)
{
    const unsigned min = below(r, 3);

    PUT(t, "- {type: %s, min: %u", type, min);
    PUT(t, ", max: %u", (min ? min : 1) + below(r, 4));
    PUT(t, ", delay: %us, idle: %us}\n", 5 * below(r, 5), 1 + below(r, 50));
}

void outages_make(struct gs_rng *r, struct drawn_text *t)
{
    const unsigned events = below(r, 8), failures = below(r, 3);

    PUT(t, "# what happens to nodes\n");
    if (events)
        PUT(t, "events:\n");
    for (unsigned i = 0; i < events; i++)
        event_make(r, t);
    if (failures)
        PUT(t, "failures:\n");
    for (unsigned i = 0; i < failures; i++)
        failures_make(r, t);
    if (below(r, 6) == 0)
        PUT(t, "checkpoint: %us\n", 1 + below(r, 30));
    if (below(r, 3) == 0) {
        const bool both = below(r, 4) == 0;

        PUT(t, "autoscale:\n");
        scale_make(r, t, both || below(r, 2) ? "a" : "b");
        if (both)
            scale_make(r, t, "b");
    } else if (events + failures == 0) {
        PUT(t, "events: []\n");
    }
}

void speed_make(struct gs_rng *r, struct drawn_text *t)
{
    PUT(t, "replicas: %s\n", below(r, 2) ? "linear" : "none");
    PUT(t, "table:\n");
    PUT(t, "- {tier: rack, speed: 0.%u}\n", 1 + below(r, 9));
    PUT(t, "- {tier: cluster, speed: 0.%u33}\n", 1 + below(r, 9));
    PUT(t, "- {model: B, speed: %u.7}\n", below(r, 4));
    PUT(t, "- {gpus: %u, speed: 0.111}\n", 1 + below(r, 4));
}

/* --- profiles ------------------------------------------------------------- */

static void value_make(struct gs_rng *r, struct drawn_text *t,
                       const struct gsp_param *p)
{
    static const char *const tiers[] = { "rack", "node", "pod" };
    const int64_t most = p->max - p->min < 20 ? p->max - p->min : 20;
    unsigned n = 0;

    switch (p->type) {
    case GSP_WHOLE:
        PUT(t, "%lld", (long long)(p->min + below(r, (unsigned)most + 1)));
        break;
    case GSP_TIME:
        PUT(t, "%us", (p->min > 0) + below(r, 60));
        break;
    case GSP_YESNO:
        PUT(t, "%s", below(r, 2) ? "yes" : "no");
        break;
    case GSP_TEXT:
        PUT(t, "%s",
            strcmp(p->name, "tier") != 0
                ? p->fallback
                : tiers[below(r, 8) < 6 ? 0 : 1 + below(r, 2)]);
        break;
    case GSP_WEIGHTS:
        PUT(t, "{gpu: %u", below(r, 9));
        PUT(t, ", cpu: %u", below(r, 9));
        PUT(t, ", memory: %u}", below(r, 3));
        break;
    case GSP_REAL:
        PUT(t, "%lld.%u", (long long)p->min, below(r, 10));
        break;
    case GSP_CHOICE:
        while (p->choices[n])
            n++;
        PUT(t, "%s", p->choices[below(r, n)]);
        break;
    }
}

/* One of the module's points, and no other. */
static void only_make(struct gs_rng *r, struct drawn_text *t,
                      const struct gsp_module *m, const char *before)
{
    const struct {
        const char *name;
        bool is_there;
    } points[] = {
        { "job_order", m->job_order != NULL },
        { "queue_order", m->queue_order != NULL },
        { "overused", m->overused != NULL },
        { "allocatable", m->allocatable != NULL },
        { "preemptive", m->preemptive != NULL },
        { "enqueue", m->enqueue != NULL },
        { "filter", m->filter != NULL },
        { "score", m->score != NULL },
        { "gang_ready", m->gang_ready != NULL },
        { "hold_time", m->hold_time != NULL },
        { "holds_once", m->holds_once != NULL },
        { "subtree", m->subtree != NULL },
        { "refuses", m->refuses != NULL },
        { "preempt", m->victims != NULL },
        { "reclaim", m->victims != NULL },
        { "preemption", m->preemption != NULL },
        { "backfill", m->backfill != NULL },
        { "pick", m->pick != NULL },
        { "prefer", m->prefer != NULL },
        { "prefer_domain", m->prefer_domain != NULL },
        { "victims_ok", m->victims_ok != NULL },
        { "group_order", m->group_order != NULL },
        { "passes", m->passes != NULL },
        { "moves", m->moves != NULL },
        { "retry", m->retry != NULL },
        { "keep", m->keep != NULL },
        { "choice", m->choice != NULL },
        { "number", m->number != NULL },
        { "consolidation", m->consolidation != NULL },
        { "make_room", m->make_room != NULL },
        { "admit", m->admit != NULL },
    };
    unsigned i;

    do
        i = below(r, sizeof(points) / sizeof(points[0]));
    while (!points[i].is_there);
    PUT(t, "%sonly: [%s]", before, points[i].name);
}

static void module_make(struct gs_rng *r, struct drawn_text *t,
                        const struct gsp_module *m)
{
    unsigned told = 0;

    PUT(t, "%s", m->name);
    for (uint32_t i = 0; i < m->param_count; i++) {
        if (below(r, 2))
            continue;
        PUT(t, "%s%s: ", told++ ? ", " : ": {", m->param[i].name);
        value_make(r, t, &m->param[i]);
    }
    if (below(r, 10) == 0 && gsched_points_all(m))
        only_make(r, t, m, told++ ? ", " : ": {");
    if (told)
        PUT(t, "}");
}

/* In place: which is drawn may follow which. */
static void shuffle(struct gs_rng *r, unsigned *v, unsigned n)
{
    for (unsigned i = n; i > 1; i--) {
        const unsigned k = below(r, i), swap = v[i - 1];

        v[i - 1] = v[k];
        v[k] = swap;
    }
}

static void actions_make(struct gs_rng *r, struct drawn_text *t)
{
    unsigned order[GSCHED_ACTIONS], told = 0, taken = 0;

    for (unsigned i = 0; i < GSCHED_ACTIONS; i++)
        order[i] = i;
    shuffle(r, order, GSCHED_ACTIONS);
    PUT(t, "actions: [");
    for (unsigned i = 0; i < GSCHED_ACTIONS; i++) {
        /* admit comes first, and not together with enqueue */
        const unsigned not_with = order[i] == GSCHED_ADMIT
                                      ? ~(1u << GSCHED_SHUFFLE)
                                  : order[i] == GSCHED_ENQUEUE
                                      ? 1u << GSCHED_ADMIT
                                      : 0;

        if ((order[i] != GSCHED_ALLOCATE && !below(r, 2)) || (taken & not_with))
            continue;
        PUT(t, "%s%s", told++ ? ", " : "", gsched_action_names[order[i]]);
        taken |= 1u << order[i];
    }
    PUT(t, "]\n");
}

/* `must`: names of modules that are in, each followed by a blank. */
static void modules_make(struct gs_rng *r, struct drawn_text *t,
                         const char *must)
{
    const bool tiers = below(r, 3) == 0;
    unsigned order[GSCHED_MODULES_MAX], n = 0;
    bool is_open = false;

    while (gsched_module_at(n))
        order[n] = n, n++;
    shuffle(r, order, n);
    PUT(t, "modules:\n");
    for (unsigned i = 0; i < n; i++) {
        const struct gsp_module *m = gsched_module_at(order[i]);
        const char *in = strstr(must, m->name);

        if (!(in && in[strlen(m->name)] == ' ' && (in == must || in[-1] == ' '))
            && below(r, 5) >= 2)
            continue;
        if (tiers && (!is_open || below(r, 3) == 0)) {
            PUT(t, "  -\n");
            is_open = true;
        }
        PUT(t, "%s  - ", tiers ? "  " : "");
        module_make(r, t, m);
        PUT(t, "\n");
    }
}

void profile_make(struct gs_rng *r, struct drawn_text *t, const char *must)
{
    PUT(t, "name: drawn\n");
    actions_make(r, t);
    switch (below(r, 4)) {
    case 0:
        PUT(t, "unit: pod\n");
        break;
    case 1:
        break;
    default:
        PUT(t, "unit: gang\n");
    }
    if (below(r, 2))
        PUT(t, "head: %s\n", below(r, 2) ? "skip" : "block");
    if (below(r, 6) == 0)
        PUT(t, "trigger: {period: %us}\n", 1 + below(r, 10));
    if (below(r, 6) == 0)
        PUT(t, "decision_cost: %ums\n", below(r, 300));
    if (below(r, 4) == 0)
        PUT(t, "sample: {percentage: %u, minimum: %u}\n", below(r, 60),
            1 + below(r, 5));
    if (below(r, 4) == 0)
        PUT(t, "candidates: {minimum: %u, start: %s}\n", below(r, 4),
            below(r, 2) ? "random" : "3");
    modules_make(r, t, must);
}
