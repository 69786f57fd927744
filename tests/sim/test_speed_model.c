/* tests/sim/test_speed_model.c - placement and replicas change a job's speed.
 *
 * Cases are worked out by hand; random workloads show that a model of 1 changes
 * nothing, and that no work is lost or made where speeds change during a run.
 */
#include "sim/speed/speed.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define S INT64_C(1000000)

/* A step of the ring without latency takes 6 times as long in a rack as in a
 * node, and 16 times across the spine.
 */
static const char cluster[] =
    "tiers:\n"
    "  - {name: spine, bandwidth: 6GB/s, latency: 20us}\n"
    "  - {name: rack, bandwidth: 16GB/s, latency: 8us}\n"
    "  - {name: node, fabric: nvlink, bandwidth: 96GB/s, latency: 1us}\n"
    "node_types:\n"
    "  t1: {gpus: 2, model: H100, labels: {node: n1}}\n"
    "  t2: {gpus: 2, model: H100, labels: {node: n2}}\n"
    "  t3: {gpus: 2, model: H100, labels: {node: n3}}\n"
    "  t5: {gpus: 2, model: V100, speed: 0.5, labels: {node: n5}}\n"
    "  t6: {gpus: 2, model: V100, speed: 0.5, labels: {node: n6}}\n"
    "nodes:\n"
    "  - {name: n1, type: t1, rack: r1}\n"
    "  - {name: n2, type: t2, rack: r1}\n"
    "  - {name: n3, type: t3, rack: r2}\n"
    "  - {name: n5, type: t5, rack: r3}\n"
    "  - {name: n6, type: t6, rack: r3}\n";

#define JOB(more) "jobs: [{name: j, submit: 0, duration: 100s, " more "}]\n"
#define ON(nodes) ", nodes: [{key: node, op: In, values: [" nodes "]}]"
#define RING "placement: all-reduce\n"

/* 1 of 2 tasks until 50 s, as the other node is taken. */
#define GROWS                                                                       \
    "jobs:\n"                                                                       \
    "- {name: other, submit: 0, duration: 50s, gpus: 2" ON(                         \
        "n1") "}\n"                                                                 \
              "- {name: j, submit: 1s, duration: 100s, gpus: 2, replicas: {min: 1," \
              " max: 2}" ON("n1, n2") "}\n"
/* 1 of 2 tasks from 40 to 60 s. */
#define SHRINKS                                                                         \
    "priority_classes: {high: {value: 9}, low: {value: 1}}\n"                           \
    "jobs:\n"                                                                           \
    "- {name: j, submit: 0, duration: 100s, gpus: 2, replicas: {min: 1,"                \
    " max: 2}, priority: low" ON(                                                       \
        "n1, n2") "}\n"                                                                 \
                  "- {name: h, submit: 40s, duration: 20s, gpus: 2, priority: high" ON( \
                      "n1, n2") "}\n"
#define RESUMES                                                                         \
    "priority_classes: {high: {value: 9}, low: {value: 1}}\n"                           \
    "jobs:\n"                                                                           \
    "- {name: j, submit: 0, duration: 100s, gpus: 2, replicas: 2,"                      \
    " priority: low, restart: resume, communication: 0.2" ON(                           \
        "n1, n2") "}\n"                                                                 \
                  "- {name: h, submit: 50s, duration: 20s, gpus: 2, priority: high" ON( \
                      "n1, n2") "}\n"
#define TABLE                                          \
    "table:\n"                                         \
    "- {speed: 2}\n"                                   \
    "- {class: nlp, speed: 0.5}\n"                     \
    "- {class: nlp, tier: rack, speed: 0.25}\n"        \
    "- {class: nlp, gpus: 2, model: H100, speed: 4}\n" \
    "- {name: \"k*\", class: nlp, tier: rack, gpus: 4, model: H100, speed: 8}\n"
#define NLP ", labels: {class: nlp}"

static const struct {
    const char *what, *model, *trace;
    int64_t end;
} cases[] = {
    { "in a node, as measured", RING, JOB("gpus: 2, communication: 0.2"),
      100 * S },
    { "in a rack: 0.8 + 0.2 x 6 = 2", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n1, n2")), 200 * S },
    { "across the spine: 0.8 + 0.2 x 16 = 4", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n1, n3")), 400 * S },
    { "measured in a rack, and there", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.2, measured_on: rack" ON(
          "n1, n2")),
      100 * S },
    { "in a node then 1.2 times as fast", RING,
      JOB("gpus: 1, replicas: 2, communication: 0.2, measured_on: rack" ON(
          "n1")),
      83333334 },
    { "across the spine then 0.75 times", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.2, measured_on: rack" ON(
          "n1, n3")),
      133333334 },
    /* 4 ranks: 1 us + 1 us in a node, 8 us + 6 us in a rack; 0.5 + 0.5 x 7 */
    { "with latency", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.5, gradient: 384kB" ON(
          "n1, n2")),
      400 * S },
    /* 1 / 6 in millionths is 0.166667 */
    { "all of a step", RING,
      JOB("gpus: 2, replicas: 2, communication: 1" ON("n1, n2")), 599998801 },
    { "one rank alone does not communicate", RING,
      JOB("gpus: 1, communication: 1"), 100 * S },
    { "no communication", RING, JOB("gpus: 2, replicas: 2" ON("n1, n3")),
      100 * S },
    { "and no model", NULL,
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n1, n3")), 100 * S },
    { "a model that says nothing", "placement: none\nreplicas: none\n",
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n1, n3")), 100 * S },
    { "slow nodes multiply", RING,
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n5, n6")), 400 * S },
    { "a row for all", TABLE, JOB("gpus: 2" ON("n1")), 50 * S },
    { "and of slow nodes", TABLE, JOB("gpus: 2" ON("n5")), 100 * S },
    { "a row that says more", TABLE, JOB("gpus: 1" NLP ON("n1")), 200 * S },
    { "and the one that says most", TABLE, JOB("gpus: 2" NLP ON("n1")),
      25 * S },
    { "by tier, of another name", TABLE,
      JOB("gpus: 2, replicas: 2" NLP ON("n1, n2")), 400 * S },
    { "a row stands for the ring", RING "table: [{name: \"?\", speed: 0.5}]\n",
      JOB("gpus: 2, replicas: 2, communication: 0.2" ON("n1, n3")), 200 * S },
    /* 50 s at half speed are 25 s of work; 75 s are left after h */
    { "evicted, and goes on", RING, RESUMES, 220 * S },
    /* 49 s at half speed are 24.5 s; 75.5 s are left at 50 s */
    { "grows, its speed with it", "replicas: linear\n", GROWS, 125500000 },
    { "grows, its speed does not", RING, GROWS, 101 * S },
    { "shrinks and grows", "replicas: linear\n", SHRINKS, 110 * S },
    { "a row by GPUs says what replicas do",
      "replicas: linear\ntable: [{name: j, gpus: 2, speed: 0.8}]\n", SHRINKS,
      104 * S },
};

static const struct sim_speed *model_load(struct world *w, const char *text)
{
    struct gs_input *in = world_open(w, text);
    const struct sim_speed *m = sim_speed_read(in, w->topo, w->arena, &w->err);

    gs_input_close(in);
    return m && sim_speed_check(m, w->topo, w->work, NULL, &w->err) == 0 ? m
                                                                         : NULL;
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { 0 };
        const struct report_job *j;
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, cluster, cases[i].trace, &o), 0);
        if (cases[i].model) {
            w.speed = model_load(&w, cases[i].model);
            CU_ASSERT_PTR_NOT_NULL_FATAL(w.speed);
        }
        CU_ASSERT_EQUAL_FATAL(world_run(&w, "priority-preempt", NULL, NULL), 0);
        j = world_job(&w, "j");
        if (j->end != cases[i].end) {
            printf("%s: ends at %lld us, not %lld, %s\n", cases[i].what,
                   (long long)j->end, (long long)cases[i].end,
                   j->reason ? j->reason : "");
            CU_FAIL("not as worked out by hand");
        }
        world_fini(&w);
    }
}

/* --- speeds and nodes that go --------------------------------------------- */

#define TWO "jobs: [{name: j, submit: 0, duration: 100s, gpus: 2, "

static const struct {
    const char *what, *model, *trace, *outages, *set;
    int64_t end;
} lost[] = {
    /* 40 s at full speed, 60 s of work left at half of it */
    { "it loses a task, and is slower from then on", "replicas: linear\n",
      TWO "replicas: {min: 1, max: 2}" ON("n1, n2") "}]\n",
      "events: [{at: 40s, node: n2, what: fail}]\n", NULL, 160 * S },
    { "be the next cycle due or not", "replicas: linear\n",
      TWO "replicas: {min: 1, max: 2}" ON("n1, n2") "}]\n",
      "events: [{at: 40s, node: n2, what: fail}]\n", "trigger.period=60s",
      160 * S },
    /* 1 of 2 tasks until 50 s, so 24.5 + 40 s of work at 90 s; that is saved,
     * and 35.5 s are left on one node, which take 71 s
     */
    { "what it saves when warned is what it did", "replicas: linear\n",
      "jobs:\n"
      "- {name: other, submit: 0, duration: 50s, gpus: 2" ON(
          "n1") "}\n"
                "- {name: j, submit: 1s, duration: 100s, gpus: 2, replicas: "
                "{min: 1, max: 2}, checkpoint: 90s" ON("n1, n2") "}\n",
      "events:\n"
      "- {at: 91s, node: n1, what: remove, notice: 1s}\n"
      "- {at: 91s, node: n2, what: fail, for: 9s}\n",
      NULL, 171 * S },
    { "a replica of a service serves until it is withdrawn, on fast nodes, too",
      "table: [{speed: 4}]\n", TWO "withdraw: true" ON("n1") "}]\n", NULL, NULL,
      100 * S },
};

static void lost_check(size_t i)
{
    const struct trace_options o = { 0 };
    const struct report_job *j;
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, cluster, lost[i].trace, &o), 0);
    w.speed = model_load(&w, lost[i].model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w.speed);
    if (lost[i].outages)
        CU_ASSERT_EQUAL_FATAL(world_outages(&w, lost[i].outages), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "binpack", lost[i].set, NULL), 0);
    j = world_job(&w, "j");
    if (j->end != lost[i].end)
        printf("%s: ends at %lld us, not %lld\n", lost[i].what,
               (long long)j->end, (long long)lost[i].end);
    CU_ASSERT_EQUAL(j->end, lost[i].end);
    world_fini(&w);
}

static void test_lost(void)
{
    for (size_t i = 0; i < N_ELEMENTS(lost); i++)
        lost_check(i);
}

/* --- estimates ------------------------------------------------------------ */

/* j grows at 50 s, so that it ends at 125.5 s and not at 201 s; `wide` is
 * promised that, and `back` may go before it only if it ends until then.
 */
#define BACK(duration)                                                                            \
    "jobs:\n"                                                                                     \
    "- {name: other, submit: 0, duration: 50s, gpus: 2" ON(                                       \
        "n1") "}\n"                                                                               \
              "- {name: j, submit: 1s, duration: 100s, gpus: 2, replicas: {min: 1,"               \
              " max: 2}" ON(                                                                      \
                  "n1, n2") "}\n"                                                                 \
                            "- {name: wide, submit: 60s, duration: 10s, gpus: 2, replicas: 3" ON( \
                                "n1, n2, n3") "}\n"                                               \
                                              "- {name: back, submit: 61s, duration: " duration   \
                                              ", gpus: 2" ON("n3") "}\n"

static const struct {
    const char *trace;
    int64_t back, wide; /* when they start */
} estimated[] = {
    { BACK("64s"), 61 * S, 125500000 },
    { BACK("65s"), 135500000, 125500000 },
};

static void test_estimates(void)
{
    for (size_t i = 0; i < N_ELEMENTS(estimated); i++) {
        const struct trace_options o = { 0 };
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, cluster, estimated[i].trace, &o),
                              0);
        w.speed = model_load(&w, "replicas: linear\n");
        CU_ASSERT_EQUAL_FATAL(world_run(&w, "easy", NULL, NULL), 0);
        CU_ASSERT_EQUAL(world_job(&w, "j")->end, 125500000);
        CU_ASSERT_EQUAL(world_job(&w, "back")->start, estimated[i].back);
        CU_ASSERT_EQUAL(world_job(&w, "wide")->start, estimated[i].wide);
        world_fini(&w);
    }
}

/* --- what is refused ------------------------------------------------------ */

static const struct {
    const char *model, *says;
} refused[] = {
    { "placement: ring\n", "'placement' must be one of: none, all-reduce" },
    { "replicas: 2\n", "'replicas' must be one of: none, linear" },
    { "placements: none\n", "did you mean 'placement'?" },
    { "- 1\n", "speed model" },
    { "table: []\n", "'table' must be a list of rows such as" },
    { "table: [{class: a}]\n", "'speed'" },
    { "table: [{speed: 0}]\n", "'speed' must be a number from 0.001 to 1000" },
    { "table: [{speed: 1001}]\n", "0.001 to 1000 (got '1001')" },
    { "table: [{speed: .nan}]\n", "'speed'" },
    { "table: [{gpus: 0, speed: 1}]\n", "'gpus'" },
    { "table: [{tier: row, speed: 1}]\n", "the topology has no tier 'row'" },
    { "table:\n- {class: a, speed: 1}\n- {class: a, speed: 2}\n",
      "row 1 of the table is of the same jobs" },
};

static void refusal_check(const char *topology, const char *trace,
                          const char *model, const char *says)
{
    const struct trace_options o = { 0 };
    char text[256] = "";
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, &o), 0);
    CU_ASSERT_PTR_NULL(model_load(&w, model));
    gs_err_format(&w.err, 0, text, sizeof(text));
    if (!strstr(text, says)) {
        printf("%s: got %s\nwant %s\n", model, text, says);
        CU_FAIL("another error");
    }
    world_fini(&w);
}

static void test_refused(void)
{
    static const char trace[] = JOB("gpus: 1, communication: 0.1");

    for (size_t i = 0; i < N_ELEMENTS(refused); i++)
        refusal_check(cluster, trace, refused[i].model, refused[i].says);
    refusal_check("tiers: [{name: rack}, {name: node, bandwidth: 9GB/s}]\n"
                  "node_types: {a: {gpus: 2}}\n"
                  "nodes: [{name: \"n[1-2]\", type: a, rack: r}]\n",
                  trace, RING,
                  "all-reduce needs the 'bandwidth' of tier 'rack'");
    refusal_check("tiers: [{name: rack, bandwidth: 1GB/s}]\n"
                  "node_types: {a: {gpus: 2}}\n"
                  "nodes: [{name: \"n[1-2]\", type: a, rack: \"r[1-2]\"}]\n",
                  trace, RING, "that joins all outermost domains");
    refusal_check("node_types: {a: {gpus: 2}}\n"
                  "nodes: [{name: \"n[1-2]\", type: a}]\n",
                  trace, RING, "that joins all nodes");
}

/* --- random workloads ----------------------------------------------------- */

#define WORKLOADS 24

static uint64_t rows_of(struct world *w, const char *policy, bool paced)
{
    struct gsched_profile *p = gsched_profile_named(policy, w->arena, NULL);
    struct watch v;

    watch_open(&v, w, p);
    v.paced = paced;
    CU_ASSERT_EQUAL(world_run(w, policy, NULL, &v.observer), 0);
    watch_close(&v);
    if (v.faults) {
        printf("%s: %d faults, the first in line %d\n", policy, v.faults,
               v.line);
        CU_FAIL("what always holds does not");
    }
    return v.rows;
}

/* What the legs of job `job` did, in millionths of us; *last: the last's speed.
 */
__extension__ typedef unsigned __int128 wide;

static wide work_of(const struct report_log *l, uint32_t job, int64_t *us,
                    uint32_t *last)
{
    wide work = 0;

    *us = 0;
    *last = 0;
    for (uint32_t i = 0; i < l->segment_count; i++) {
        if (l->segment[i].job != job)
            continue;
        work += (wide)(uint64_t)l->segment[i].us * l->segment[i].speed;
        *us += l->segment[i].us;
        *last = l->segment[i].speed;
    }
    return work;
}

/* A job that was never evicted ends in the microsecond in which its work is
 * done, whatever its speeds were.
 */
static int faults_in_work(const struct world *w, uint64_t *changed)
{
    int faults = 0;

    for (uint32_t i = 0; i < w->work->job_count; i++) {
        const struct report_job *j = &w->job[i];
        const int64_t duration = w->work->job[i].duration;
        uint32_t last;
        int64_t us;
        const wide work = work_of(w->log, i, &us, &last);
        const wide asked = (wide)(uint64_t)duration * SIM_FULL_SPEED;

        if (j->state != REPORT_DONE || j->evictions || duration == 0)
            continue;
        faults += us != j->end - j->start || work < asked
                  || work - last >= asked;
        *changed += work != (wide)(uint64_t)us * last;
    }
    return faults;
}

static void random_check(uint64_t seed, uint64_t *changed)
{
    static const char ones[] = RING
        "table: [{speed: 1}, {gpus: 2, speed: 1}]\n";
    static const char many[] = "replicas: linear\n"
                               "table:\n"
                               "- {tier: rack, speed: 0.7}\n"
                               "- {tier: cluster, speed: 0.333}\n"
                               "- {model: A, speed: 1.7}\n"
                               "- {gpus: 3, speed: 0.111}\n";
    const struct trace_options o = { 0 };
    static struct drawn_text topology, trace;
    struct gs_rng r;
    struct world w;

    topology.len = trace.len = 0;
    gs_rng_init(&r, seed, "speed");
    topology_make(&r, &topology, 0);
    trace_make(&r, &trace, RANDOM_ALL);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology.at, trace.at, &o), 0);
    for (size_t i = 0; gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;
        uint64_t plain;

        if (strcmp(policy, "conservative") == 0 && w.work->shape_count > 1)
            continue; /* it says that it cannot */
        if (strcmp(policy, "recorded") == 0)
            continue; /* nothing was recorded */
        w.speed = NULL;
        plain = rows_of(&w, policy, false);
        CU_ASSERT_EQUAL(w.log->segment_count, 0);
        w.speed = model_load(&w, ones);
        CU_ASSERT_EQUAL(rows_of(&w, policy, false), plain);
        w.speed = model_load(&w, many);
        (void)rows_of(&w, policy, true);
        if (faults_in_work(&w, changed)) {
            printf("seed %llu, %s\n", (unsigned long long)seed, policy);
            CU_FAIL("work was lost or made");
        }
    }
    world_fini(&w);
}

static void test_random(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);
    uint64_t changed = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++)
        random_check(seed, &changed);
    CU_ASSERT(changed > seeds * 3 / 4); /* else this tests little */
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "speeds are as worked out by hand", test_cases },
        { "work survives nodes that leave", test_lost },
        { "estimates follow the speed", test_estimates },
        { "models that do not fit the cluster are refused", test_refused },
        { "a speed of 1 changes nothing, work is kept", test_random },
    };

    return suite_run("sim/speed_model", suite, N_ELEMENTS(suite));
}
