/* import/kubernetes/queue/kueue_load.c - the load that Kueue's scalability
 * tests describe (test/performance/scheduler/configs): cohorts, sets of queues,
 * sets of workloads that are created one after another, nodes in levels.
 *
 * As its runner does: the n-th workload of a set is created after n intervals,
 * and runs for runtimeMs from its admission on.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/kueue_gates.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/workload/kube_workload.h"

#define LOAD_MAX 1000000 /* workloads, queues, nodes */
#define MILLISECOND 1000

/* What is made, of which document. */
struct load {
    struct kube *k;
    uint32_t cpu, flavor;
    int64_t cpus;               /* nominal, of all queues */
    uint64_t workloads, queues; /* queues: with cohorts */
};

bool kube_kueue_load_is(const struct gs_ynode *root)
{
    return kube_list(root, "cohorts")
           && kube_list(kube_list(root, "cohorts"), "queuesSets");
}

static uint32_t whole(struct load *l, const struct gs_ynode *n,
                      const char *path, uint32_t fallback)
{
    return (uint32_t)kube_number(l->k, n, path, fallback, 0, LOAD_MAX);
}

static void amount_read(struct load *l, const struct gs_ynode *n,
                        const char *path, uint32_t name,
                        struct kube_amounts *to)
{
    const struct gs_ynode *v = kube_at(n, path);
    int64_t milli;

    if (v && kube_quantity_read(l->k, v, &milli) == 0)
        kube_amount_add(l->k, to, name, milli);
}

/* --- workloads ------------------------------------------------------------ */

/* Requests and run time of a kind of workloads. */
static const struct kube_template *template_make(struct load *l,
                                                 const struct gs_ynode *w,
                                                 uint32_t space)
{
    struct kube *k = l->k;
    struct kube_template *t = gs_arena_alloc(k->arena, 1, sizeof(*t));

    *t = (struct kube_template){
        .source = kube_put(k, k->source),
        .line = w->line,
        .column = w->column,
        .space = space,
        .container = gs_arena_alloc(k->arena, 1, sizeof(*t->container)),
        .containers = 1,
        .priority = KUBE_UNKNOWN,
        .deadline = KUBE_UNKNOWN,
        .annotations = { gs_arena_alloc(k->arena, 1,
                                        sizeof(*t->annotations.at)),
                         1 },
    };
    t->container[0] = (struct kube_container){ .is_init = false };
    amount_read(l, w, "request", l->cpu, &t->container[0].request);
    t->annotations.at[0] = (struct topo_label){
        kube_put(k, "gsim/duration"),
        kube_put(k, gs_arena_printf(k->arena, "%" PRIu32 "ms",
                                    whole(l, w, "runtimeMs", 0)))
    };
    return t;
}

static struct kube_within within_read(struct load *l, const struct gs_ynode *w)
{
    const char *mode = kube_text(w, "tasConstraint");
    const uint32_t level = kube_name(l->k, w, "tasLevel");
    struct kube_within x = { .line = w->line, .column = w->column };

    if (!level || !mode)
        return x;
    if (strcmp(mode, "balanced") == 0) {
        x.slice[0] = (struct kube_pod_slice){ level,
                                              whole(l, w, "sliceSize", 1) };
        x.slices = x.slice[0].size > 0;
        return x;
    }
    x.label = level;
    x.is_preferred = strcmp(mode, "preferred") == 0;
    return x;
}

/* The class of the workloads is a priority class, and a QOS, of its name. */
static uint32_t class_add(struct load *l, const struct gs_ynode *w)
{
    struct kube_classes *all = l->k->classes;
    const uint32_t name = kube_name(l->k, w, "className");
    const int32_t value = (int32_t)kube_number(l->k, w, "priority", 0,
                                               INT32_MIN, INT32_MAX);

    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].name == name)
            return name;
    }
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = (struct kube_class){ .name = name, .value = value };
    return name;
}

/* One kind of the workloads of a set: every `stride`-th after `first`
 * intervals.
 */
static int kind_take(struct load *l, const struct gs_ynode *w, uint32_t queue,
                     const struct gs_ynode *set, uint32_t set_number,
                     uint32_t first, uint32_t stride)
{
    struct kube *k = l->k;
    const int64_t interval = whole(l, set, "creationIntervalMs", 0)
                             * (int64_t)MILLISECOND;
    const uint32_t count = whole(l, set, "count", 0);
    const int64_t last = ((int64_t)count + 1) * stride;
    const char *name = kube_text(w, "className");
    const struct kube_member m = {
        .replicas = kube_count(k, w, "podCount", 1),
        .pods = template_make(l, w, queue),
    };
    struct kube_workload one = {
        .kind = kube_put(k, "Workload"),
        .space = queue,
        .source = m.pods->source,
        .line = w->line,
        .column = w->column,
        .life = KUBE_BATCH,
        .copies = 1,
        .queue = queue,
        .priority_class = class_add(l, w),
        .qos = kube_name(k, w, "className"),
        .start = KUBE_UNKNOWN,
        .end = KUBE_UNKNOWN,
        .deadline = KUBE_UNKNOWN,
        .retries = TRACE_NONE,
        .is_named = true,
        .within = within_read(l, w),
    };

    l->workloads += count;
    if (l->workloads > LOAD_MAX || !name
        || (interval && last > GS_TIME_MAX / interval)) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, w,
                            name ? "a load of more than %d workloads, or over "
                                   "more than a century"
                                 : "workloads without a className",
                            LOAD_MAX);
        return -1;
    }
    kube_member_add(k, &one, &m);
    for (uint32_t i = 0; i < count; i++) {
        one.name = kube_put(
            k, gs_arena_printf(k->arena,
                               "%.250s/%.250s-%" PRIu32 "-%" PRIu32 "-%" PRIu32,
                               kube_str(k, queue), name, set_number, i, first));
        one.submit = ((int64_t)i * stride + first + 1) * interval;
        if (kube_workload_add(k, &one) < 0)
            return -1;
    }
    return 0;
}

static int workloads_take(struct load *l, const struct gs_ynode *queues,
                          uint32_t queue)
{
    uint32_t number = 0;

    for (const struct gs_ynode *set = kube_list(queues, "workloadsSets"); set;
         set = set->next, number++) {
        const struct gs_ynode *kinds = kube_list(set, "workloads");
        uint32_t stride = 0, first = 0;

        for (const struct gs_ynode *w = kinds; w; w = w->next)
            stride++;
        for (const struct gs_ynode *w = kinds; w; w = w->next) {
            if (kind_take(l, w, queue, set, number, first++, stride) < 0)
                return -1;
        }
    }
    return 0;
}

/* --- queues --------------------------------------------------------------- */

/* One more cohort or queue; -1, told, when these are too many. */
static int queue_count(struct load *l, const struct gs_ynode *at)
{
    if (++l->queues <= LOAD_MAX)
        return 0;
    import_account_tell(l->k->account, IMPORT_LEFT, l->k->source, at,
                        "a load of more than %d queues", LOAD_MAX);
    return -1;
}

static int queue_take(struct load *l, const struct gs_ynode *queues,
                      const char *cohort, uint32_t set, uint32_t number)
{
    struct kube *k = l->k;
    struct kube_flavor_quota *f = gs_arena_alloc(k->arena, 1, sizeof(*f));
    const char *name = kube_text(queues, "className");
    struct kube_queue q = { .weight = 1, .flavor = f, .flavors = 1 };
    int64_t nominal;

    if (queue_count(l, queues) < 0)
        return -1;
    *f = (struct kube_flavor_quota){ .flavor = l->flavor };
    q.name = kube_put(
        k, gs_arena_printf(k->arena, "%.200s-%" PRIu32 "-%" PRIu32 "-%.200s",
                           name ? name : "cq", set, number, cohort));
    q.parent = kube_put(
        k, gs_arena_printf(k->arena, KUBE_COHORT "%.250s", cohort));
    amount_read(l, queues, "nominalQuota", l->cpu, &f->nominal);
    amount_read(l, queues, "borrowingLimit", l->cpu, &f->borrow);
    q.deserved = f->nominal;
    nominal = kube_amount_of(&f->nominal, l->cpu);
    if (f->borrow.count)
        kube_amount_add(k, &q.limit, l->cpu, nominal);
    if (f->borrow.count)
        kube_amount_add(k, &q.limit, l->cpu,
                        kube_amount_of(&f->borrow, l->cpu));
    if (nominal < INT64_MAX / 2 - l->cpus)
        l->cpus += nominal;
    kube_kueue_policy(k, &q, KUBE_EVICTS_OTHERS,
                      kube_at(queues, "reclaimWithinCohort"));
    kube_kueue_policy(k, &q, KUBE_EVICTS_OWN,
                      kube_at(queues, "withinClusterQueue"));
    return kube_queue_add(k, &q) < 0 ? -1 : workloads_take(l, queues, q.name);
}

static int cohort_take(struct load *l, const struct gs_ynode *set,
                       uint32_t number)
{
    const char *name = kube_text(set, "className");
    const char *cohort = gs_arena_printf(l->k->arena, "%.200s-%" PRIu32,
                                         name ? name : "cohort", number);
    uint32_t at = 0;

    if (queue_count(l, set) < 0)
        return -1;
    for (const struct gs_ynode *q = kube_list(set, "queuesSets"); q;
         q = q->next, at++) {
        const uint32_t count = whole(l, q, "count", 0);

        for (uint32_t i = 0; i < count; i++) {
            if (queue_take(l, q, cohort, at, i) < 0)
                return -1;
        }
    }
    return 0;
}

/* --- nodes ---------------------------------------------------------------- */

static void node_add(struct load *l, uint32_t name, struct kube_labels labels,
                     struct kube_amounts amounts)
{
    struct kube_nodes *all = l->k->nodes;

    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = (struct kube_node){
        .name = name,
        .source = kube_put(l->k, l->k->source),
        .line = 1,
        .labels = labels,
        .amounts = amounts,
    };
}

/* The label of a level whose domains count from 0 in each domain above. */
static struct topo_label label_of(struct load *l, const struct gs_ynode *level,
                                  uint32_t i)
{
    const char *name = kube_text(level, "name");

    return (struct topo_label){
        kube_name(l->k, level, "nodeLabel"),
        kube_put(l->k, gs_arena_printf(l->k->arena, "%.200s-%" PRIu32,
                                       name ? name : "level", i))
    };
}

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* A node of each combination of domains, number `n`. */
static void level_node(struct load *l, const struct gs_ynode *levels,
                       uint32_t depth, uint32_t n, struct kube_amounts amounts)
{
    struct topo_label label[TOPO_TIERS_MAX + 1];
    uint32_t domain[TOPO_TIERS_MAX + 1], at = 0;
    const char *name = "node";

    for (const struct gs_ynode *x = levels; x; x = x->next)
        domain[at++] = whole(l, x, "count", 1);
    while (at-- > 0) {
        const uint32_t count = domain[at];

        domain[at] = n % count;
        n /= count;
    }
    at = 0;
    for (const struct gs_ynode *x = levels; x; x = x->next, at++) {
        label[at] = label_of(l, x, domain[at]);
        name = gs_arena_printf(l->k->arena, "%.200s-%.1s%" PRIu32, name,
                               kube_str(l->k, label[at].value), domain[at]);
    }
    qsort(label, depth, sizeof(*label), by_key);
    node_add(l, kube_put(l->k, name),
             (struct kube_labels){
                 gs_arena_memdup(l->k->arena, label, depth * sizeof(*label)),
                 depth },
             amounts);
}

static int levels_take(struct load *l, const struct gs_ynode *levels)
{
    const struct gs_ynode *last = levels;
    struct kube_tiers *t = l->k->tiers;
    struct kube_amounts amounts = { 0 };
    uint64_t nodes = 1;
    uint32_t depth = 0;

    for (const struct gs_ynode *x = levels; x; x = x->next, depth++) {
        nodes *= whole(l, x, "count", 1);
        last = x;
        if (!kube_name(l->k, x, "nodeLabel") || nodes > LOAD_MAX
            || depth == TOPO_TIERS_MAX + 1 || nodes == 0) {
            import_account_tell(l->k->account, IMPORT_LEFT, l->k->source, x,
                                "a load of more than %d nodes or %d levels, or "
                                "a level without a nodeLabel",
                                LOAD_MAX, TOPO_TIERS_MAX);
            return -1;
        }
        if (x->next && t->levels < TOPO_TIERS_MAX)
            t->level[t->levels++] = kube_name(l->k, x, "nodeLabel");
    }
    amount_read(l, last, "capacity.cpu", l->cpu, &amounts);
    amount_read(l, last, "capacity.memory", kube_put(l->k, "memory"), &amounts);
    if (!amounts.count)
        kube_amount_add(l->k, &amounts, l->cpu, 96 * 1000);
    kube_amount_add(l->k, &amounts, kube_put(l->k, "pods"), 110 * 1000);
    for (uint32_t n = 0; n < nodes; n++)
        level_node(l, levels, depth, n, amounts);
    return 0;
}

/* Without levels Kueue's runner has no nodes at all. */
static void one_node(struct load *l)
{
    struct kube_amounts amounts = { 0 };

    import_account_tell(l->k->account, IMPORT_ASSUMED, l->k->source, NULL,
                        "a load of Kueue without levels has no nodes: one "
                        "node has the CPUs of all quotas");
    kube_amount_add(l->k, &amounts, l->cpu, l->cpus);
    node_add(l, kube_put(l->k, "node"), (struct kube_labels){ NULL, 0 },
             amounts);
}

int kube_kueue_load_take(struct kube *k, const struct gs_ynode *root)
{
    const struct gs_ynode *levels = kube_list(root, "topology.levels");
    const char *flavor = kube_text(root, "resourceFlavor.name");
    struct load l = { .k = k,
                      .cpu = kube_put(k, "cpu"),
                      .flavor = kube_put(k, flavor ? flavor : "rf") };
    struct kube_flavor *f = kube_flavor_add(k, l.flavor);
    int rc = 0;

    f->has_levels = kube_text(root, "resourceFlavor.topologyName") != NULL;
    k->kueue->with_levels += f->has_levels;
    for (const struct gs_ynode *c = kube_list(root, "cohorts"); c && rc == 0;
         c = c->next) {
        const uint32_t count = whole(&l, c, "count", 0);

        for (uint32_t i = 0; i < count && rc == 0; i++)
            rc = cohort_take(&l, c, i);
    }
    if (rc == 0 && levels)
        rc = levels_take(&l, levels);
    else if (rc == 0)
        one_node(&l);
    return rc;
}

bool kube_kueue_has_topologies(const struct kube *k)
{
    return k->kueue->with_levels > 0
           && kube_gate_is_open(k, KUBE_GATE_TOPOLOGY);
}
