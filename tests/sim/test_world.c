/* tests/sim/test_world.c - worlds by hand: what becomes of jobs when nodes are
 * drained, fail, go and come, and of files that are wrong.
 */
#include "base/duration.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define MIN (60 * GS_SECOND)
#define HOUR (60 * MIN)

static const char three[] = "tiers: [{name: rack}, {name: node}]\n"
                            "node_types:\n"
                            "  g: {gpus: 8, cpu: 64, model: G}\n"
                            "  s: {gpus: 8, cpu: 64, model: S}\n"
                            "nodes:\n"
                            "  - {name: n1, type: g, rack: r1}\n"
                            "  - {name: n2, type: g, rack: r1}\n"
                            "  - {name: 's[1-3]', type: s, rack: r2}\n";

/* What becomes of the job called j. */
static const struct {
    const char *what, *jobs, *world;
    int64_t start, end; /* -1: never */
    uint32_t evictions;
    int64_t lost; /* GPU us */
    int cause;    /* that kept it, all of the time; 0: it did not wait */
} cases[] = {
    { "drained, it ends", "{name: j, submit: 0, duration: 4h, gpus: 8}",
      "- {at: 1h, node: n1, what: drain, for: 1h}", 0, 4 * HOUR, 0, 0, 0 },
    { "no node of the type is open",
      "{name: j, submit: 30m, duration: 1h, gpus: 8, model: G}",
      "- {at: 10m, rack: r1, what: drain, for: 1h}", 70 * MIN, 130 * MIN, 0, 0,
      REPORT_CONSTRAINT },
    { "too few of them",
      "{name: j, submit: 30m, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 10m, node: n2, what: drain, for: 1h}", 70 * MIN, 130 * MIN, 0, 0,
      REPORT_CAPACITY },
    { "failed, it begins anew elsewhere",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G}",
      "- {at: 1h, node: n1, what: fail}", 0, 5 * HOUR, 1, 8 * HOUR, 0 },
    { "or when there is room",
      "{name: j, submit: 0, duration: 4h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n1, what: fail, for: 30m}", 0, 330 * MIN, 1, 16 * HOUR,
      REPORT_CAPACITY },
    { "from its checkpoint",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, checkpoint: 25m}",
      "- {at: 1h, node: n1, what: fail}", 0, 250 * MIN, 1, 80 * MIN, 0 },
    { "or the one that all make",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G}",
      "- {at: 1h, node: n1, what: fail}\ncheckpoint: 25m", 0, 250 * MIN, 1,
      80 * MIN, 0 },
    { "or from where it was",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, restart: resume}",
      "- {at: 1h, node: n1, what: fail}", 0, 4 * HOUR, 1, 0, 0 },
    { "too often",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, retries: 0}",
      "- {at: 1h, node: n1, what: fail}", 0, 1 * HOUR, 1, 8 * HOUR, 0 },
    { "reclaimed, it saves what it has",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, checkpoint: 25m}",
      "- {at: 1h, node: n1, what: remove, notice: 2m}", 0, 242 * MIN, 1,
      16 * MIN, 0 },
    { "without checkpoints it cannot",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G}",
      "- {at: 1h, node: n1, what: remove, notice: 2m}", 0, 5 * HOUR, 1,
      8 * HOUR, 0 },
    { "a job that comes after the notice goes elsewhere",
      "{name: j, submit: 59m, duration: 4h, gpus: 8, model: G}",
      "- {at: 1h, node: n1, what: remove, notice: 2m}", 59 * MIN, 299 * MIN, 0,
      0, 0 },
    { "a GPU of others",
      "{name: j, submit: 0, duration: 4h, gpus: 2, model: G}",
      "- {at: 1h, node: n1, gpu: 2, what: fail}", 0, 4 * HOUR, 0, 0, 0 },
    { "a GPU of its own",
      "{name: j, submit: 0, duration: 4h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n2, gpu: 7, what: fail, for: 2h}", 0, 7 * HOUR, 1,
      16 * HOUR, REPORT_CAPACITY },
    { "a rack", "{name: j, submit: 0, duration: 4h, gpus: 8, model: G}",
      "- {at: 1h, rack: r1, what: fail, for: 1h}", 0, 6 * HOUR, 1, 8 * HOUR,
      REPORT_CONSTRAINT },
    { "repaired before it was said",
      "{name: j, submit: 0, duration: 4h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n1, what: fail, for: 9h}\n"
      "  - {at: 2h, node: n1, what: repair}",
      0, 6 * HOUR, 1, 16 * HOUR, REPORT_CAPACITY },
    { "an outage that a repair ended ends no other",
      "{name: j, submit: 4h, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n1, what: fail, for: 3h}\n"
      "  - {at: 2h, node: n1, what: repair}\n"
      "  - {at: 3h, node: n1, what: fail, for: 3h}",
      6 * HOUR, 7 * HOUR, 0, 0, REPORT_CAPACITY },
    { "tasks above the gang are lost alone",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, replicas: {min: 1,"
      " max: 2}}",
      "- {at: 1h, node: n1, what: fail, for: 1h}", 0, 4 * HOUR, 0, 0, 0 },
    { "tasks of the gang are not lost alone",
      "{name: j, submit: 0, duration: 4h, gpus: 8, model: G, replicas: {min: 1,"
      " max: 2}}",
      "- {at: 1h, rack: r1, what: fail, for: 1h}", 0, 6 * HOUR, 1, 8 * HOUR,
      REPORT_CONSTRAINT },
    { "withdrawn, it does not wait any longer",
      "{name: j, submit: 30m, duration: 1h, gpus: 8, model: G, withdraw: true}",
      "- {at: 10m, rack: r1, what: drain, for: 3h}", -1, 90 * MIN, 0, 0,
      REPORT_CONSTRAINT },
    { "a withdrawn job does not run for longer",
      "{name: j, submit: 30m, duration: 1h, gpus: 8, model: G, withdraw: true}",
      "- {at: 10m, rack: r1, what: drain, for: 1h}", 70 * MIN, 90 * MIN, 0, 0,
      REPORT_CONSTRAINT },
    { "two outages at once",
      "{name: j, submit: 90m, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n1, what: fail, for: 1h}\n"
      "  - {at: 90m, rack: r1, what: drain, for: 2h}",
      210 * MIN, 270 * MIN, 0, 0, -1 },
    { "a node that comes",
      "{name: j, submit: 0, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 2d, node: n2, what: add}", 48 * HOUR, 49 * HOUR, 0, 0,
      REPORT_CAPACITY },
    { "no node ever could", "{name: j, submit: 0, duration: 1h, gpus: 9}",
      "- {at: 2d, node: n2, what: add}", -1, 0, 0, 0, -1 },
    { "a job ends at the instant of the failure",
      "{name: j, submit: 0, duration: 1h, gpus: 8}",
      "- {at: 1h, node: n1, what: fail}", 0, HOUR, 0, 0, 0 },
    { "a job is submitted at the instant of the repair",
      "{name: j, submit: 2h, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 1h, node: n1, what: fail, for: 1h}", 2 * HOUR, 3 * HOUR, 0, 0,
      0 },
    { "the run ends when nothing is left that could help",
      "{name: j, submit: 0, duration: 1h, gpus: 8, replicas: 2, model: G}",
      "- {at: 0, node: n1, what: fail}\n"
      "failures:\n"
      "  - {what: node, of: s, mtbf: 1h, repair: 10m}",
      -1, -1, 0, 0, 0 },
    { "the run ends when a job never completes between failures",
      "{name: j, submit: 0, duration: 30d, gpus: 8, model: G}",
      "[]\n"
      "failures: [{what: rack, mtbf: 1h, repair: 10m}]",
      0, -1, UINT32_MAX, -1, REPORT_CONSTRAINT },
    { "a node that is needed is brought",
      "{name: j, submit: 0, duration: 1h, gpus: 8, replicas: 2, model: S}",
      "[]\n"
      "autoscale: {type: s, min: 1, max: 2, delay: 5m, idle: 10m}",
      5 * MIN, 65 * MIN, 0, 0, REPORT_CAPACITY },
    { "no more nodes are added than the maximum",
      "{name: j, submit: 0, duration: 1h, gpus: 8, replicas: 3, model: S}",
      "[]\n"
      "autoscale: {type: s, min: 1, max: 2, delay: 5m, idle: 10m}",
      -1, -1, 0, 0, 0 },
    { "a gang on nodes that are there and some that are brought",
      "{name: j, submit: 1h, duration: 1h, gpus: 8, replicas: 3}",
      "[]\n"
      "autoscale: {type: s, min: 0, max: 2, delay: 5m, idle: 10m}",
      65 * MIN, 125 * MIN, 0, 0, REPORT_CAPACITY },
    { "but none for one that is larger than all of them",
      "{name: j, submit: 1h, duration: 1h, gpus: 8, replicas: 5}",
      "[]\n"
      "autoscale: {type: s, min: 0, max: 2, delay: 5m, idle: 10m}",
      -1, -1, 0, 0, 0 },
    { "an idle node with a GPU out of order is none to wait for",
      "{name: j, submit: 1h, duration: 1h, gpus: 8, model: S}",
      "- {at: 0, node: s1, gpu: 3, what: fail}\n"
      "autoscale: {type: s, min: 1, max: 2, delay: 5m, idle: 10m}",
      65 * MIN, 125 * MIN, 0, 0, REPORT_CAPACITY },
    /* 1e18 us are lost, on 64 GPUs */
    { "GPU time that no number holds",
      "{name: j, submit: 0, duration: 12000000d, gpus: 8, replicas: 2, model: "
      "G, retries: 0}",
      "- {at: 11574074d, node: n1, what: fail}", 0, 11574074 * 24 * HOUR, 1,
      INT64_C(1) << 62, 0 },
};

static bool case_is_right(size_t i)
{
    const struct trace_options o = { 0 };
    const struct report_job *j;
    char jobs[400], world[800];
    struct world w;
    bool right;

    world_init(&w);
    snprintf(jobs, sizeof(jobs), "jobs:\n  - %s\n", cases[i].jobs);
    snprintf(world, sizeof(world), "events:%s%s\n",
             cases[i].world[0] == '[' ? " " : "\n  ", cases[i].world);
    if (world_load(&w, three, jobs, &o) < 0 || world_outages(&w, world) < 0
        || world_run(&w, "binpack", NULL, NULL) < 0) {
        printf("%s\n", w.err.problem[0].text);
        world_fini(&w);
        return false;
    }
    j = world_job(&w, "j");
    right = j->start == cases[i].start && j->end == cases[i].end
            && (cases[i].evictions == UINT32_MAX
                || (j->evictions == cases[i].evictions
                    && j->lost_gpu_us == cases[i].lost))
            && (cases[i].cause < 0
                || (w.log->wait_count == (cases[i].cause != 0)
                    && (w.log->wait_count == 0
                        || (int)w.log->wait[0].cause == cases[i].cause)));
    if (!right)
        printf("%s: start %lld end %lld evictions %u lost %lld cause %d\n",
               cases[i].what, (long long)j->start, (long long)j->end,
               j->evictions, (long long)j->lost_gpu_us,
               w.log->wait_count ? (int)w.log->wait[0].cause : 0);
    world_fini(&w);
    return right;
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_TRUE(case_is_right(i));
}

/* --- files that are wrong ------------------------------------------------- */

static const struct {
    const char *text, *says;
} wrong[] = {
    { "events: 3\n", "'events' must be a list" },
    { "events:\n  - {at: 1h, what: fail}\n",
      "an event must name one of: a node, a domain of a tier" },
    { "events:\n  - {at: 1h, node: n1, rack: r1, what: fail}\n",
      "an event must name one of" },
    { "events:\n  - {at: 1h, node: n9, what: fail}\n",
      "the topology has no node 'n9'" },
    { "events:\n  - {at: 1h, rack: r9, what: fail}\n",
      "the topology has no rack 'r9'" },
    { "events:\n  - {at: 1h, zone: r9, what: fail}\n", "'zone'" },
    { "events:\n  - {at: 1h, node: n1, gpu: 8, what: fail}\n",
      "node 'n1' has 8 GPUs, numbered from 0 (got 8)" },
    { "events:\n  - {at: 1h, node: n1, gpu: 1, what: drain}\n",
      "'gpu' is for 'what: fail' and 'what: repair' of a node" },
    { "events:\n  - {at: 1h, node: n1, what: burn}\n",
      "'what' must be one of: drain, fail, repair, add, remove (got 'burn')" },
    { "events:\n  - {at: 1h, node: n1, what: fail, for: 0}\n",
      "'for' must be a time above 0 (got '0')" },
    { "events:\n  - {at: 1h, node: n1, what: add, for: 1h}\n",
      "'for' is for 'what: drain', 'fail' and 'remove'" },
    { "events:\n  - {at: 1h, node: n1, what: fail, notice: 1h}\n",
      "'notice' is for 'what: remove'" },
    { "events:\n  - {node: n1, what: fail}\n", "'at'" },
    { "failures: often\n",
      "'failures' must be a list, or one of: published, rsc-1, rsc-2 (got "
      "'often')" },
    { "failures:\n  - {what: pod, mtbf: 1d}\n",
      "'what' must be node, gpu or a tier of the topology (got 'pod')" },
    { "failures:\n  - {what: rack, of: g, mtbf: 1d}\n",
      "'of' is for 'what: node' and 'what: gpu'" },
    { "failures:\n  - {what: node, of: x, mtbf: 1d}\n",
      "the topology has no node type 'x'" },
    { "failures:\n  - {what: node, mtbf: 1ms}\n",
      "'mtbf' must be a time of 1s or more (got '1ms')" },
    { "failures:\n  - {what: node, mtbf: 1d, shape: 0}\n",
      "'shape' must be a number from 0.1 to 10 (got '0')" },
    { "failures:\n  - {what: node, mtbf: 1d, shape: nan}\n", "'shape' must" },
    { "autoscale: {min: 1}\n", "'type'" },
    { "autoscale: {type: s, min: 3, max: 2}\n",
      "'min' must not be above 'max' (got 3, 2)" },
    { "autoscale: [{type: s}, {type: s}]\n",
      "two autoscale entries for one node type" },
    { "autoscale:\n", "autoscale" },
    { "nodes: []\n", "'nodes'" },
};

static void test_wrong(void)
{
    const struct trace_options o = { 0 };

    for (size_t i = 0; i < N_ELEMENTS(wrong); i++) {
        struct world w;
        bool said;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(
            world_load(&w, three,
                       "jobs:\n  - {name: j, submit: 0, duration: 1h}\n", &o),
            0);
        CU_ASSERT_TRUE(world_outages(&w, wrong[i].text) < 0);
        said = w.err.count > 0
               && strstr(w.err.problem[0].text, wrong[i].says) != NULL;
        if (!said)
            printf("%s%s\n", wrong[i].text,
                   w.err.count ? w.err.problem[0].text : "(nothing)");
        CU_ASSERT_TRUE(said);
        world_fini(&w);
    }
}

/* --- draws ---------------------------------------------------------------- */

/* When nodes and GPUs fail, as told. */
struct told {
    struct report_observer observer;
    uint32_t failed[5], broken[5]; /* [node] times */
    uint64_t rows[5];              /* [node] hash of when */
};

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    struct told *t = self;

    t->rows[n->node] = t->rows[n->node] * 31 + (uint64_t)now;
    if (n->state == REPORT_NODE_FAILED && n->device == UINT32_MAX)
        t->failed[n->node]++;
    t->broken[n->node] += n->state == REPORT_NODE_FAILED
                          && n->device != UINT32_MAX;
}

/* A service that runs for as long as another job: what fails meanwhile. */
static void draws(struct told *t, const char *world, const char *policy)
{
    const struct trace_options o = { 0 };
    struct world w;

    *t = (struct told){ .observer = { .self = t, .node = on_node } };
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, three,
                   "jobs:\n  - {name: j, submit: 0, duration: 1000d, restart: "
                   "resume, cpu: 1}\n",
                   &o),
        0);
    CU_ASSERT_EQUAL_FATAL(world_outages(&w, world), 0);
    CU_ASSERT_EQUAL(world_run(&w, policy, NULL, &t->observer), 0);
    world_fini(&w);
}

/* As often as the mean says; one unit's draws are no other's. */
static void test_draws(void)
{
    struct told a, b;

    draws(&a, "failures:\n  - {what: node, of: s, mtbf: 99h, repair: 1h}\n",
          "binpack");
    for (uint32_t n = 2; n < 5; n++) /* 240 on average, 15 about it */
        CU_ASSERT_TRUE(a.failed[n] > 180 && a.failed[n] < 300);
    CU_ASSERT_EQUAL(a.failed[0] + a.failed[1], 0);
    CU_ASSERT_NOT_EQUAL(a.rows[2], a.rows[3]);
    draws(&b, "failures:\n  - {what: node, mtbf: 99h, repair: 1h}\n", "spread");
    CU_ASSERT_TRUE(b.failed[0] > 180);
    draws(&b,
          "failures:\n"
          "  - {what: node, of: s, mtbf: 99h, repair: 1h, shape: 3,"
          " repair_shape: 2}\n",
          "binpack");
    for (uint32_t n = 2; n < 5; n++) /* 240, 5 about it */
        CU_ASSERT_TRUE(b.failed[n] > 220 && b.failed[n] < 260);
    draws(&b, "failures:\n  - {what: gpu, mtbf: 790h, repair: 10h}\n",
          "binpack");
    for (uint32_t n = 0; n < 5; n++)
        CU_ASSERT_TRUE(b.broken[n] > 180 && b.broken[n] < 300);
}

/* Racks of one name in two zones do not fail as one. */
static void test_racks(void)
{
    static const char zones[] =
        "tiers: [{name: zone}, {name: rack}, {name: node}]\n"
        "node_types: {g: {gpus: 1}}\n"
        "nodes:\n"
        "  - {name: a, type: g, zone: z1, rack: r1}\n"
        "  - {name: b, type: g, zone: z2, rack: r1}\n";
    const struct trace_options o = { 0 };
    struct told t = { .observer = { .self = &t, .node = on_node } };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, zones,
                   "jobs:\n  - {name: j, submit: 0, duration: 100d, restart: "
                   "resume, gpus: 1}\n",
                   &o),
        0);
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "failures: [{what: rack, mtbf: 1d, repair: 1h}]\n"),
        0);
    CU_ASSERT_EQUAL(world_run(&w, "binpack", NULL, &t.observer), 0);
    CU_ASSERT_TRUE(t.failed[0] > 50);
    CU_ASSERT_NOT_EQUAL(t.rows[0], t.rows[1]);
    world_fini(&w);
}

/* A job that gives up after a failure is not placed again before. */
static void test_retries(void)
{
    const struct trace_options o = { 0 };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, three,
                   "jobs:\n  - {name: j, submit: 0, duration: 4h, gpus: 8, "
                   "retries: 0}\n",
                   &o),
        0);
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "events: [{at: 1h, node: n1, what: fail}]\n"), 0);
    CU_ASSERT_EQUAL(world_run(&w, "binpack", NULL, NULL), 0);
    CU_ASSERT_EQUAL(world_job(&w, "j")->state, REPORT_FAILED);
    CU_ASSERT_EQUAL(w.stats.tasks, 1);
    world_fini(&w);
}

static void ended_count(void *self, int64_t now, const struct report_job *j)
{
    (void)now;
    (void)j;
    ++*(uint32_t *)self;
}

/* A job that failed 2^16 times does not end when its first attempt would. */
static void test_attempts(void)
{
    static char text[65536 * 56 + 16];
    const struct trace_options o = { 0 };
    uint32_t ended = 0;
    const struct report_observer count = { .self = &ended,
                                           .ended = ended_count };
    size_t len = (size_t)snprintf(text, sizeof(text), "events:\n");
    struct world w;

    for (int i = 1; i <= 65536; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "- {at: %ds, rack: r1, what: fail, for: 1ms}\n",
                                i);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, three,
                   "jobs:\n"
                   "  - {name: j, submit: 0, duration: 70000s, model: G}\n"
                   "  - {name: last, submit: 66000s, duration: 1s}\n",
                   &o),
        0);
    CU_ASSERT_EQUAL_FATAL(world_outages(&w, text), 0);
    CU_ASSERT_EQUAL(world_run(&w, "binpack", NULL, &count), 0);
    CU_ASSERT_EQUAL(ended, 2);
    CU_ASSERT_EQUAL(world_job(&w, "j")->evictions, 65536);
    CU_ASSERT_EQUAL(world_job(&w, "j")->end,
                    (65536 + 70000) * GS_SECOND + 1000);
    world_fini(&w);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs end as worked out by hand", test_cases },
        { "wrong files are refused", test_wrong },
        { "failures are drawn by their seed", test_draws },
        { "racks of one name are told apart", test_racks },
        { "a job without retries left fails", test_retries },
        { "the 65,536th attempt is counted", test_attempts },
    };

    return suite_run("sim/world", suite, N_ELEMENTS(suite));
}
