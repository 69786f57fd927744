/* tests/sim/test_reads.c - modules ask for what they state to read, and all of
 * it; what profiles read, what traces state, what estimates are drawn.
 */
#include <inttypes.h>

#include "policies/profile/profile_file.h"
#include "policies/profile/reads.h"
#include "policies/profile/registry.h"
#include "policies/scheduler.h"
#include "policies/state/module_services.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"
#include "traces/edit/estimates.h"

#define TOPOLOGY                                     \
    "tiers: [{name: rack}, {name: node}]\n"          \
    "node_types: {t: {gpus: 4, cpu: 32}}\n"          \
    "nodes: [{name: 'a[1-2]', type: t, rack: r1},\n" \
    "        {name: 'b[1-2]', type: t, rack: r2}]\n"

/* Everything that a trace can state, in every order of queues and priorities.
 */
static const char everything[] =
    "flavors: [{name: f}]\n"
    "queues:\n"
    "- {name: a, weight: 2, guarantee: {gpu: 1}, deserved: {gpu: 4}}\n"
    "- {name: b, limit: {gpu: 12}, deserved: {gpu: 8}, priority: 3}\n"
    "- {name: c, user_limit: {gpu: 8}, reclaimable: false}\n"
    "- {name: d, state: closed, borrow: {gpu: 1}, lend: {gpu: 1}, max_jobs: 9,\n"
    "   guarantee: {gpu: 2},\n"
    "   over_quota: {gpu: 2}, flavors: [{name: f, guarantee: {gpu: 1}}],\n"
    "   user_limits: [{users: ['*'], limit: {gpu: 1}}]}\n"
    "- {name: e, limit: {cpu: 1}}\n"
    "priority_classes: {low: {value: 1}, top: {value: 7},\n"
    "  high: {value: 9, preemption: never}}\n"
    "accounts: [{name: x, shares: 2}]\n"
    "qos: {q: {priority: 1}}\n"
    "partitions: {p: {tier: 2}}\n"
    "jobs:\n"
    "- {submit: 0, duration: 1h, gpus: 1, replicas: 8, queue: a, priority: low,\n"
    "   max_wait: 1h, gang_timeout: 5m, nice: 1, account: x, qos: q, partition: p,\n"
    "   min_resources: {gpu: 4}}\n"
    "- {submit: 0, duration: 1h, gpus: 2, replicas: 2, queue: a, user: u,\n"
    "   preemptible: false, estimate: 2h, account: x, qos: q, partition: p}\n"
    "- {submit: 1m, duration: 1h, gpus: 4, queue: b, priority: top,\n"
    "   topology: {within: rack}, labels: {app: x}}\n"
    "- {submit: 1m, duration: 1h, gpus: 2, queue: c, priority: high, user: u,\n"
    "   anti_affinity: [{jobs: {app: x}, within: node}]}\n"
    "- {submit: 2m, duration: 1h, gpus: 1, replicas: 4, queue: b, user: v,\n"
    "   priority: top, spread: {over: rack}}\n"
    "- {submit: 2m, duration: 1h, gpus: 1, queue: a, priority: top,\n"
    "   affinity: [{jobs: {app: x}, within: rack}]}\n"
    "- {submit: 3m, duration: 1h, gpus: 4, replicas: 2, queue: c, user: w}\n"
    "- {submit: 3m, duration: 1h, gpus: 1, queue: d, priority: top}\n"
    "- {submit: 3m, duration: 1h, cpu: 1, queue: e}\n"
    "- {submit: 3m, duration: 1h, cpu: 1, queue: e}\n";

static struct gsched_profile *profile_of(struct world *w, const char *text)
{
    struct gs_input *in = gs_input_open_memory("p", text, strlen(text));
    struct gsched_profile *p = gsched_profile_read(in, w->arena, &w->err);

    gs_input_close(in);
    return p;
}

/* All that happens in the trace, in its order; what modules asked for. */
static uint64_t drive(struct world *w, const struct gsched_profile *p)
{
    struct topo_cluster *c = topo_cluster_create(w->topo);
    struct gsched *s = gsched_create(c, w->work, p, 1, &w->err);
    uint64_t asked;
    uint32_t count;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (uint32_t i = 0; i < w->work->job_count; i++) {
        const struct trace_job *j = &w->work->job[i];

        const int64_t now = j->submit + i; /* time does not go back */

        CU_ASSERT_EQUAL(gsched_submit(s, i, j->tasks, now), 0);
        if (i % 2)
            gsched_cycle(s, now, &count);
    }
    for (int minute = 4; minute < 20; minute++)
        gsched_cycle(s, (int64_t)minute * 60000000, &count);
    asked = gsched_services_asked(s);
    gsched_destroy(s);
    topo_cluster_destroy(c);
    return asked;
}

/* Alone in a profile, a module that asked for more would end the program by an
 * assertion (host.c).  Over its parameters it asks for all that it states.
 */
static void test_modules_are_honest(void)
{
    const uint64_t by_host = GSP_READS_ESTIMATE | GSP_READS_SLICES
                             | GSCHED_READS_HOLD;
    static const char *const given[] = { "{}",
                                         "{mode: capacity}",
                                         "{enqueue_asks: own}",
                                         "{queues: no}",
                                         "{tier: rack}",
                                         "{order: fair}",
                                         "{delay: 0s}",
                                         "{delay: 1m}",
                                         "{mode: conservative}",
                                         "{mode: easy}",
                                         "{mode: forbid}",
                                         "{qos: 1, job_size: 1}",
                                         "{shape: [[0, 0], [100, 10]]}" };

    for (size_t i = 0; gsched_module_at(i); i++) {
        const struct gsp_module *m = gsched_module_at(i);
        const uint64_t states = gsched_module_reads(m);
        uint64_t asked = 0;
        uint32_t runs = 0;

        for (size_t k = 0; k < N_ELEMENTS(given); k++) {
            const char *unit[] = { "pod", "gang" };

            for (size_t u = 0; u < 2; u++) {
                struct gsched_profile *p;
                struct world w;
                char text[300];

                snprintf(text, sizeof(text),
                         "actions: [%s, allocate, backfill, preempt, "
                         "reclaim, shuffle]\nunit: %s\nmodules: [%s%s%s: %s]\n",
                         m->on_quota ? "admit" : "enqueue", unit[u],
                         /* nothing to spare without victims */
                         m->promises & GSP_VICTIMS_ARE_SPARED ? "priority, "
                                                              : "",
                         u && strcmp(m->name, "gang") != 0 ? "gang, " : "",
                         m->name, given[k]);
                world_init(&w);
                CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, everything,
                                                 &(struct trace_options){ 0 }),
                                      0);
                p = profile_of(&w, text);
                if (p) {
                    struct topo_cluster *c = topo_cluster_create(w.topo);
                    struct gsched *s = gsched_create(c, w.work, p, 1, &w.err);

                    gsched_destroy(s);
                    topo_cluster_destroy(c);
                    if (s) {
                        asked |= drive(&w, p);
                        runs++;
                    }
                }
                world_fini(&w);
            }
        }
        if (runs == 0 || (states & ~asked & ~by_host))
            printf("\n%s: %u runs, states %" PRIx64 ", asked for %" PRIx64 "\n",
                   m->name, runs, states, asked);
        CU_ASSERT(runs > 0);
        /* what action admit reads of queues, the host reads */
        CU_ASSERT(m->admit || (states & ~asked & ~by_host) == 0);
    }
}

#define EVICTS \
    (GSP_READS_PREEMPTION | GSP_READS_PREEMPTIBLE | GSP_READS_PRIORITY)
#define QUEUES                                                                 \
    (GSP_READS_QUEUE_WEIGHT | GSP_READS_QUEUE_PRIORITY | GSP_READS_QUEUE_STATE \
     | GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_LIMIT                       \
     | GSP_READS_USER_LIMIT)

static void test_profiles_read(void)
{
    static const struct {
        const char *text;
        uint32_t reads;
    } cases[] = {
        { "actions: [allocate]\nmodules: [fifo, binpack]\n", 0 },
        { "actions: [allocate]\nmodules: [priority]\n", GSP_READS_PRIORITY },
        { "actions: [allocate, preempt]\nmodules: [priority]\n", EVICTS },
        { "actions: [allocate]\nmodules: [drf]\n", GSP_READS_QUEUE_WEIGHT },
        { "actions: [allocate]\nmodules: [drf: {queues: no}]\n", 0 },
        { "actions: [allocate]\nmodules: [queue]\n", QUEUES },
        { "actions: [allocate]\nmodules: [queue: {mode: capacity}]\n",
          QUEUES | GSP_READS_QUEUE_DESERVED },
        { "actions: [allocate, reclaim]\nmodules: [queue]\n",
          QUEUES | EVICTS | GSP_READS_QUEUE_RECLAIMABLE },
        { "actions: [allocate, backfill]\nmodules: [backfill]\n",
          GSP_READS_ESTIMATE },
        { "actions: [allocate]\nmodules: [backfill]\n", 0 },
        { "actions: [allocate, backfill]\n"
          "modules: [backfill: {mode: best-effort}]\n",
          0 },
        { "actions: [allocate]\nmodules: [topology]\n", GSP_READS_WITHIN },
        { "actions: [allocate]\nmodules: [constraints]\n", GSP_READS_RULES },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gsched_profile *p;
        uint64_t reads = 0;
        struct world w;

        world_init(&w);
        p = profile_of(&w, cases[i].text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(
            gsched_profile_reads(p, &w.dims, w.names, w.arena, &reads, &w.err),
            0);
        if (reads != cases[i].reads)
            printf("\n%s: got %" PRIx64 ", want %x\n", cases[i].text, reads,
                   cases[i].reads);
        CU_ASSERT_EQUAL(reads, cases[i].reads);
        world_fini(&w);
    }
}

/* "limit 1 b, ..." of a trace. */
static void settings_of(const char *trace, char *to)
{
    struct gsched_setting s[GSCHED_SETTINGS_MAX];
    struct world w;
    uint32_t n;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, TOPOLOGY, trace, &(struct trace_options){ 0 }), 0);
    n = gsched_settings(w.work, s);
    *to = '\0';
    for (uint32_t i = 0; i < n; i++)
        sprintf(to + strlen(to), "%s%s.%s %u %s", i ? ", " : "", s[i].of,
                s[i].name, s[i].count, gs_strtab_str(w.names, s[i].first));
    world_fini(&w);
}

static void test_traces_state(void)
{
#define JOB "submit: 0, duration: 1, gpus: 1"
    static const struct {
        const char *trace, *want;
    } cases[] = {
        { everything,
          "queue.limit 2 b, queue.user_limit 1 c, queue.guarantee 2 a, "
          "queue.deserved 2 a, queue.weight 1 a, queue.priority 1 b, "
          "queue.state 1 d, queue.reclaimable 1 c, queue.borrow 1 d, "
          "queue.lend 1 d, queue.over_quota 1 d, queue.flavors 1 d, "
          "queue.user_limits 1 d, queue.max_jobs 1 d, job.priority 6 job-1, "
          "job.preemption 1 job-4, job.preemptible 1 job-2, "
          "job.topology 1 job-3, job.affinity 1 job-6, "
          "job.anti_affinity 1 job-4, job.spread 1 job-5, "
          "job.max_wait 1 job-1, job.gang_timeout 1 job-1, "
          "job.nice 1 job-1, "
          "job.min_resources 1 job-1, job.estimate 1 job-2, "
          "account.shares 1 x, "
          "QOS level.priority 1 q, partition.tier 1 p" },
        /* what equals the default, and what is the same for all */
        { "queues: [{name: a, weight: 1}]\njobs:\n- {" JOB ", queue: a}\n",
          "" },
        { "queues: [{name: a, weight: 2, priority: 1}, "
          "{name: b, weight: 2, priority: 1}]\n"
          "jobs:\n- {" JOB ", queue: a}\n",
          "" },
        { "queues: [{name: a, weight: 2}]\njobs:\n- {" JOB ", queue: a}\n"
          "- {" JOB "}\n",
          "queue.weight 1 a" },
        { "priority_classes: {x: {value: 5}}\njobs:\n- {" JOB ", priority: x}\n"
          "- {" JOB ", priority: x}\n",
          "" },
        { "jobs:\n- {" JOB ", spread: {over: rack}}\n", "" },
        { "jobs:\n- {" JOB ", preemptible: true}\n", "" },
    };
#undef JOB

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char got[800];

        settings_of(cases[i].trace, got);
        if (strcmp(got, cases[i].want) != 0)
            printf("\n got %s\nwant %s\n", got, cases[i].want);
        CU_ASSERT_STRING_EQUAL(got, cases[i].want);
    }
}

static void test_paths(void)
{
    static const struct {
        const char *path;
        uint64_t input;
    } cases[] = {
        { "queues.a.limit.gpu", GSP_READS_QUEUE_LIMIT },
        { "queues.a.limit.gpu=4", GSP_READS_QUEUE_LIMIT },
        { "queues.root.a.guarantee.gpu", GSP_READS_QUEUE_GUARANTEE },
        { "queues.a.weight=2", GSP_READS_QUEUE_WEIGHT },
        { "queues.a.user_limit.gpu", GSP_READS_USER_LIMIT },
        { "queues.a.preemptible", GSP_READS_PREEMPTIBLE },
        { "queues.a.lend.gpu=1", GSP_READS_QUEUE_BORROW },
        { "queues.a.max_jobs=1", GSCHED_READS_TERM(GSP_TERM_MAX_JOBS) },
        { "priority_classes.x.preemption", GSP_READS_PREEMPTION },
        { "priority_classes.x.value", GSP_READS_PRIORITY },
        { "load", 0 },
        { "nodes.limit", 0 },
        { "gang.timeout=1m", 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_EQUAL(gsched_input_of_path(cases[i].path), cases[i].input);
}

/* --- estimates ------------------------------------------------------------ */

static void test_estimates_parse(void)
{
    static const char *const good[] = { "exact",        "factor:2",
                                        "factor:0.5",   "uniform:1..6",
                                        "uniform:2..2", "classes",
                                        "classes:1h",   "classes:15m,1h,1d" };
    static const char *const bad[] = {
        "",           "factor",        "factor:",
        "factor:0",   "factor:-1",     "factor:nan",
        "factor:1e9", "uniform:1",     "uniform:6..1",
        "uniform:..", "classes:",      "classes:1h,1h",
        "classes:x",  "classes:2h,1h", "Exact",
        "classesx",   "factor:2x"
    };
    struct trace_estimates e;

    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        CU_ASSERT_EQUAL(trace_estimates_parse(good[i], &e, NULL), 0);
    for (size_t i = 0; i < N_ELEMENTS(bad); i++) {
        struct gs_err err = { 0 };

        CU_ASSERT_EQUAL(trace_estimates_parse(bad[i], &e, &err), -1);
        CU_ASSERT_EQUAL(err.code, GS_USAGE);
    }
}

/* Jobs of 10 minutes under `spec` and a seed: the least, and most, estimate. */
static void estimates_of(const char *spec, uint64_t seed, int64_t *least,
                         int64_t *most, int64_t *sum)
{
    struct trace_estimates e;
    char text[40000] = "jobs:\n";
    struct world w;

    for (int i = 0; i < 400; i++)
        strcat(text, "- {submit: 0, duration: 10m, gpus: 1}\n");
    strcat(text, "- {submit: 0, duration: forever, gpus: 1}\n");
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, TOPOLOGY, text, &(struct trace_options){ 0 }), 0);
    CU_ASSERT_EQUAL(trace_estimates_parse(spec, &e, NULL), 0);
    trace_estimates_draw(w.work, &e, seed);
    *least = INT64_MAX;
    *most = *sum = 0;
    for (uint32_t i = 0; i < w.work->job_count; i++) {
        const int64_t us = w.work->job[i].estimate / 1000;

        if (w.work->job[i].duration == TRACE_FOREVER)
            continue;
        *least = us < *least ? us : *least;
        *most = us > *most ? us : *most;
        *sum += us * (i % 7 + 1);
    }
    world_fini(&w);
}

static void test_estimates_are_drawn(void)
{
    static const struct {
        const char *spec;
        int64_t least, most; /* ms; at least, at most */
    } cases[] = {
        { "exact", 600000, 600000 },
        { "factor:2.5", 1500000, 1500000 },
        { "uniform:1..6", 600000, 3600000 },
        { "classes:15m,1h", 900000, 900000 },
        { "classes:1m,5m", 600000, 600000 },
        { "classes", 600000, 600000 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        int64_t least, most, sum, again[3];

        estimates_of(cases[i].spec, 1, &least, &most, &sum);
        CU_ASSERT(least >= cases[i].least && most <= cases[i].most);
        estimates_of(cases[i].spec, 1, &again[0], &again[1], &again[2]);
        CU_ASSERT_EQUAL(sum, again[2]);
        estimates_of(cases[i].spec, 2, &again[0], &again[1], &again[2]);
        /* another seed draws others, where anything is drawn */
        CU_ASSERT_EQUAL(sum == again[2], cases[i].least == cases[i].most);
        if (cases[i].least < cases[i].most) /* of all of its range */
            CU_ASSERT(least < 650000 && most > 3500000);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "modules ask for what they state", test_modules_are_honest },
        { "profiles tell what they read", test_profiles_read },
        { "traces tell what they state", test_traces_state },
        { "paths of changes tell what they change", test_paths },
        { "models of estimates are read or refused", test_estimates_parse },
        { "estimates follow their seed", test_estimates_are_drawn },
    };

    return suite_run("sim/reads", cases, N_ELEMENTS(cases));
}
