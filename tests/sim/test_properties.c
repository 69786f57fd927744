/* tests/sim/test_properties.c - what holds for any workload under any preset:
 * no device is given twice, free + used = capacity after every instant, a
 * gang is never partly placed with unit gang, every job ends in a final state
 * or is counted as unfinished, and a second replay is the first.
 */
#include "base/array.h"
#include "base/rng.h"
#include "policies/registry.h"
#include "tests/sim/world.h"
#include "tests/suite.h"
#include "topology/cluster.h"

#define WORKLOADS 1000
#define NODES_MAX 12

/* --- random worlds ------------------------------------------------------------ */

struct text {
    char at[16384];
    size_t len;
};

#define PUT(t, ...)                                   \
    ((t)->len += (size_t)snprintf((t)->at + (t)->len, \
                                  sizeof((t)->at) - (t)->len, __VA_ARGS__))

static unsigned below(struct gs_rng *r, unsigned n)
{
    return (unsigned)gs_rng_below(r, n);
}

/* Two racks, two kinds of nodes.  One draw a statement: C leaves the order
 * within one open.
 */
static void topology_make(struct gs_rng *r, struct text *t)
{
    static const unsigned gpus[] = { 1, 2, 4, 8 };

    PUT(t, "tiers: [{name: rack}, {name: node}]\nnode_types:\n");
    PUT(t, "  a: {gpus: %u, model: A", gpus[below(r, 4)]);
    PUT(t, ", cpu: %u}\n", 4 + below(r, 28));
    PUT(t, "  b: {gpus: %u, cpu: 8, model: B", gpus[below(r, 4)]);
    PUT(t, ", pods: %u}\n", 1 + below(r, 12));
    PUT(t, "nodes:\n");
    PUT(t, "  - {name: 'a[1-%u]', type: a, rack: r1}\n", 1 + below(r, 6));
    PUT(t, "  - {name: 'b[1-%u]', type: b, rack: r2}\n", 1 + below(r, 6));
}

static void task_make(struct gs_rng *r, struct text *t)
{
    switch (below(r, 5)) {
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
        PUT(t, ", model: %s", below(r, 2) ? "A" : "B");
}

static void job_make(struct gs_rng *r, struct text *t, unsigned i)
{
    const unsigned replicas = 1 + below(r, 6);

    PUT(t, "  - {name: j%u, submit: %u", i, below(r, 200));
    if (below(r, 20) == 0)
        PUT(t, ", duration: forever");
    else
        PUT(t, ", duration: %u", below(r, 100));
    if (below(r, 3) == 0)
        PUT(t, ", priority: high");
    if (below(r, 4) == 0)
        PUT(t, ", task_interval: %us", 1 + below(r, 3));
    if (below(r, 3) == 0) {
        PUT(t, ", tasks: [{replicas: 1");
        task_make(r, t);
        PUT(t, "}, {replicas: %u", replicas);
        task_make(r, t);
        PUT(t, "}]");
    } else {
        PUT(t, ", replicas: %u", replicas);
        task_make(r, t);
    }
    if (below(r, 3) == 0)
        PUT(t, ", gang: %u", 1 + below(r, replicas));
    PUT(t, "}\n");
}

static void trace_make(struct gs_rng *r, struct text *t)
{
    const unsigned jobs = 1 + below(r, 40);

    PUT(t, "priority_classes: {high: {value: 5}}\njobs:\n");
    for (unsigned i = 0; i < jobs; i++)
        job_make(r, t, i);
}

/* --- watching ------------------------------------------------------------------ */

struct watch {
    struct report_observer observer;
    const struct world *w;
    bool gangs; /* unit gang: nothing partly placed */
    int64_t share[NODES_MAX * TOPO_DEVICES_MAX]; /* used thousandths */
    int64_t used[NODES_MAX][TOPO_DIMS_MAX];
    uint32_t *placed; /* [job] tasks */
    uint32_t *ends;   /* [job] times `ended` was called */
    uint64_t rows;    /* hash of all that was told */
    int faults;
    int line; /* of the first */
};

/* Count a fault, and note where the first was found. */
#define FAULT(v, is)                  \
    do {                              \
        if (is) {                     \
            (v)->faults++;            \
            if ((v)->line == 0)       \
                (v)->line = __LINE__; \
        }                             \
    } while (0)

static void mix(struct watch *v, uint64_t x)
{
    v->rows = (v->rows ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    v->rows ^= v->rows >> 29;
}

static const struct topo_request *request(const struct watch *v,
                                          const struct report_span *s)
{
    const struct trace_workload *t = v->w->work;

    return &t->shape[t->group[t->job[s->job].first_group + s->group].shape];
}

static void span_count(struct watch *v, const struct report_span *s, int by)
{
    const struct topo_request *r = request(v, s);
    const struct topo *t = v->w->topo;
    const struct topo_class *k = &t->klass[t->node_class[s->node]];

    for (uint32_t i = 0; i < TOPO_DEVICES_MAX; i++) {
        int64_t *share = &v->share[s->node * TOPO_DEVICES_MAX + i];

        if (!(s->devices >> i & 1))
            continue;
        *share += by * (int64_t)(r->share ? r->share : TOPO_SHARE_ONE);
        FAULT(v, i >= k->gpus || *share < 0 || *share > TOPO_SHARE_ONE);
    }
    if (r->gpus)
        FAULT(v,
              (uint32_t)__builtin_popcountll(s->devices) != r->gpus * s->tasks);
    for (uint32_t d = 0; d < t->dims->count; d++) {
        v->used[s->node][d] += by * r->amount[d] * s->tasks;
        FAULT(v, v->used[s->node][d] > k->capacity[d]);
    }
    v->placed[s->job] += (uint32_t)by * s->tasks;
}

static void on_placed(void *self, int64_t now, const struct report_span *s)
{
    struct watch *v = self;

    span_count(v, s, 1);
    mix(v, (uint64_t)now);
    mix(v, (uint64_t)s->job << 32 | s->node);
    mix(v, s->devices);
}

static void on_released(void *self, int64_t now, const struct report_span *s)
{
    span_count(self, s, -1);
    mix(self, (uint64_t)now);
}

/* What held it back adds up to its wait. */
static void waits_check(struct watch *v, int64_t now,
                        const struct report_job *j)
{
    int64_t left = (j->start >= 0 ? j->start : now)
                   - v->w->work->job[j->job].submit;

    FAULT(v, j->waits == NULL);
    for (uint32_t c = 0; j->waits && c < REPORT_CAUSES; c++) {
        left -= j->waits[c];
        FAULT(v, j->waits[c] < 0);
    }
    FAULT(v, left != 0);
}

static void on_ended(void *self, int64_t now, const struct report_job *j)
{
    struct watch *v = self;

    v->ends[j->job]++;
    mix(v, (uint64_t)now);
    mix(v, (uint64_t)j->job << 32 | j->state);
    if (j->state == REPORT_DONE)
        FAULT(v,
              j->end - j->start < v->w->work->job[j->job].duration
                  || (j->preemptions == 0
                      && j->end - j->start != v->w->work->job[j->job].duration)
                  || j->start < v->w->work->job[j->job].submit);
    waits_check(v, now, j);
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct watch *v = self;
    const struct topo_groups *g = topo_cluster_groups(i->cluster);
    const struct trace_workload *w = v->w->work;

    (void)now; /* it holds at any time */
    FAULT(v, !topo_cluster_check(i->cluster));
    for (uint32_t n = 0; n < v->w->topo->node_count; n++) {
        const uint32_t group = topo_cluster_group_of(i->cluster, n);

        for (uint32_t d = 0; d < v->w->topo->dims->count; d++)
            FAULT(v,
                  g->free[d][group] + v->used[n][d] != g->capacity[d][group]);
    }
    for (uint32_t j = 0; v->gangs && j < w->job_count; j++)
        FAULT(v, v->placed[j] > 0 && v->placed[j] < w->job[j].gang);
    FAULT(v, v->gangs && i->partly > 0);
}

/* Faults under one preset; *rows becomes the hash of what happened. */
static int faults_under(struct world *w, const char *policy,
                        const char *setting, uint64_t *rows)
{
    struct gsched_profile *p = gsched_profile_named(policy, w->arena, NULL);
    struct watch v = { .w = w };

    v.gangs = p->unit == GSCHED_UNIT_GANG;
    v.observer = (struct report_observer){ .self = &v,
                                           .placed = on_placed,
                                           .released = on_released,
                                           .ended = on_ended,
                                           .instant = on_instant };
    v.placed = gs_array_new(w->work->job_count, sizeof(*v.placed));
    v.ends = gs_array_new(w->work->job_count, sizeof(*v.ends));
    v.faults += world_run(w, policy, setting, &v.observer) < 0;
    for (uint32_t j = 0; j < w->work->job_count; j++)
        v.faults += v.ends[j] != 1;
    if (v.faults)
        printf("%s %s: %d faults, the first in line %d\n", policy,
               setting ? setting : "", v.faults, v.line);
    *rows = v.rows;
    gs_array_free(v.placed);
    gs_array_free(v.ends);
    return v.faults;
}

static const struct {
    const char *policy, *set;
} extra[] = {
    { "kube-default", "gang.timeout=10s" },
    { "gang,binpack,priority", "head=block" },
    { "random,priority", NULL },
    { "binpack", "trigger.period=7s" },
    { "spread", "decision_cost=200ms" },
};

static int faults_of(uint64_t seed)
{
    const struct trace_options o = { 0 };
    static struct text topology, trace;
    struct gs_rng r;
    struct world w;
    int faults = 0;

    topology.len = trace.len = 0;
    gs_rng_init(&r, seed, "properties");
    topology_make(&r, &topology);
    trace_make(&r, &trace);
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) < 0) {
        printf("seed %llu: %s\n", (unsigned long long)seed,
               w.err.problem[0].text);
        world_fini(&w);
        return 1;
    }
    for (size_t i = 0; gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;
        uint64_t rows, again;

        if (strcmp(policy, "conservative") == 0 && w.work->shape_count > 1)
            continue; /* it says that it cannot */
        faults += faults_under(&w, policy, NULL, &rows);
        faults += faults_under(&w, policy, NULL, &again);
        faults += rows != again;
    }
    for (size_t i = 0; i < N_ELEMENTS(extra); i++) {
        uint64_t rows;

        faults += faults_under(&w, extra[i].policy, extra[i].set, &rows);
    }
    if (faults)
        printf("seed %llu: %d faults\n%s\n%s\n", (unsigned long long)seed,
               faults, topology.at, trace.at);
    world_fini(&w);
    return faults;
}

static void test_workloads(void)
{
    int faulty = 0;

    for (uint64_t seed = 1; seed <= WORKLOADS && faulty < 3; seed++)
        faulty += faults_of(seed) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "1,000 random workloads under every preset", test_workloads },
    };

    return suite_run("sim/properties", suite, N_ELEMENTS(suite));
}
