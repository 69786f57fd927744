/* tests/sim/test_audit.c - what a policy would have decided where the trace
 * recorded what another scheduler did.
 */
#include "base/err.h"
#include "sim/audit/audit.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define SECOND INT64_C(1000000)
#define TOPOLOGY                            \
    "node_types: {t: {gpus: 8, cpu: 64}}\n" \
    "nodes: [{name: \"n[1-2]\", type: t}]\n"

#define A "- {name: a, submit: 0, duration: 100, gpus: 8, recorded: "
#define B "- {name: b, submit: 2, duration: 100, gpus: 8, recorded: "
#define C "- {name: c, submit: 4, duration: 100, gpus: 8, recorded: "

/* It looks every 30 s. */
#define PASSES                                                  \
    "name: passes\nactions: [allocate, backfill]\nunit: gang\n" \
    "modules: [fifo, gang, fit, passes, backfill: {mode: windowed}]\n"

static void load(struct world *w, const char *jobs)
{
    const struct trace_options o = { 0 };
    char trace[8192], text[512];

    (void)snprintf(trace, sizeof(trace),
                   "priority_classes: {high: {value: 1}}\njobs:\n%s", jobs);
    world_init(w);
    if (world_load(w, TOPOLOGY, trace, &o) < 0)
        printf("\n  %s\n", gs_err_format(&w->err, 0, text, sizeof(text)));
    CU_ASSERT_EQUAL_FATAL(w->err.count, 0);
}

static const struct {
    const char *jobs, *policy;
    uint32_t count[4]; /* points, equal points, starts, equal starts */
    uint32_t kind[AUDIT_KINDS];
} cases[] = {
    /* within the latency */
    { A "{start: 2, end: 102}}\n", "fifo", { 3, 3, 1, 1 }, { 0 } },
    /* ... and a second beyond it: the first point is not equal */
    { A "{start: 3, end: 103}}\n",
      "fifo",
      { 3, 2, 1, 1 },
      { [AUDIT_EARLY] = 1 } },
    /* a policy of passes at intervals is asked for what any of them starts */
    { A "{start: 31, end: 131}}\n", PASSES, { 3, 3, 1, 1 }, { 0 } },
    { A "{start: 40, end: 140}}\n",
      PASSES,
      { 3, 2, 1, 1 },
      { [AUDIT_EARLY] = 1 } },
    /* never started, but wanted to the end */
    { A "{start: 0, end: 100}}\n"
        "- {name: b, submit: 10, duration: 1, gpus: 8}\n",
      "fifo",
      { 3, 1, 1, 1 },
      { [AUDIT_EARLY] = 1 } },
    /* withdrawn while it waits: as in the record */
    { A "{start: 0, end: 100, nodes: [n1]}}\n" B
        "{start: 2, end: 102, nodes: [n2]}}\n"
        "- {name: c, submit: 4, duration: 9, withdraw: true, gpus: 8}\n",
      "fifo",
      { 6, 6, 2, 2 },
      { 0 } },
    /* the order of starts: c before b, when a has ended */
    { A "{start: 0, end: 100, nodes: [n1]}}\n"
        "- {name: x, submit: 0, duration: 500, gpus: 8, recorded: {start: 0,"
        " end: 500, nodes: [n2]}}\n" B "{start: 201, end: 301}}\n" C
        "{start: 101, end: 200}}\n",
      "fifo",
      { 9, 8, 4, 3 },
      { [AUDIT_LATE] = 1 } },
    /* nodes are told, and are no part of the share */
    { A "{start: 0, end: 100, nodes: [n2]}}\n",
      "fifo",
      { 2, 2, 1, 1 },
      { [AUDIT_NODES] = 1 } },
    /* a run that does not fit the topology is told, and does not crash */
    { "- {name: a, submit: 0, duration: 9, gpus: 16, recorded: {start: 1,"
      " end: 9, nodes: [n1]}}\n",
      "fifo",
      { 3, 2, 1, 0 },
      { [AUDIT_REJECTS] = 1 } },
    { A "{start: 0, end: 100, nodes: [n9]}}\n",
      "fifo",
      { 2, 2, 1, 1 },
      { [AUDIT_NODES] = 1 } },
    /* an eviction that both decide */
    { "- {name: a, submit: 0, duration: 100, gpus: 8, recorded: [{start: 0,"
      " end: 10, nodes: [n2]}, {start: 60, end: 160, nodes: [n2]}]}\n"
      "- {name: x, submit: 0, duration: 500, gpus: 8, priority: high,"
      " recorded: {start: 0, end: 500, nodes: [n1]}}\n"
      "- {name: b, submit: 9, duration: 50, gpus: 8, priority: high,"
      " recorded: {start: 10, end: 60, nodes: [n2]}}\n",
      "priority-preempt",
      { 6, 6, 4, 4 },
      { 0 } },
    /* a run that was evicted in the second in which it began is not judged, and
       holds nothing when others start */
    { "- {name: a, submit: 0, duration: 100, gpus: 8, recorded: [{start: 10,"
      " end: 10, nodes: [n2]}, {start: 60, end: 160, nodes: [n2]}]}\n"
      "- {name: x, submit: 0, duration: 500, gpus: 8, priority: high,"
      " recorded: {start: 0, end: 500, nodes: [n1]}}\n"
      "- {name: b, submit: 10, duration: 50, gpus: 8, priority: high,"
      " recorded: {start: 10, end: 60, nodes: [n2]}}\n",
      "priority-preempt",
      { 5, 4, 3, 3 },
      { [AUDIT_EARLY] = 1 } },
    /* ... that the policy does not know */
    { "- {name: a, submit: 0, duration: 100, gpus: 8, recorded: [{start: 0,"
      " end: 10, nodes: [n2]}, {start: 60, end: 160, nodes: [n2]}]}\n"
      "- {name: x, submit: 0, duration: 500, gpus: 8, priority: high,"
      " recorded: {start: 0, end: 500, nodes: [n1]}}\n"
      "- {name: b, submit: 9, duration: 50, gpus: 8, priority: high,"
      " recorded: {start: 10, end: 60, nodes: [n2]}}\n",
      "fifo",
      { 6, 5, 4, 3 },
      { [AUDIT_SPARES] = 1, [AUDIT_LATE] = 1, [AUDIT_NODES] = 2 } },
    /* ... and one that the record does not */
    { "- {name: a, submit: 0, duration: 100, gpus: 8, recorded: {start: 0,"
      " end: 100, nodes: [n2]}}\n"
      "- {name: x, submit: 0, duration: 500, gpus: 8, priority: high,"
      " recorded: {start: 0, end: 500, nodes: [n1]}}\n"
      "- {name: b, submit: 9, duration: 50, gpus: 8, priority: high,"
      " recorded: {start: 100, end: 150, nodes: [n2]}}\n",
      "priority-preempt",
      { 5, 4, 3, 3 },
      { [AUDIT_EARLY] = 1, [AUDIT_EVICTS] = 1 } },
    /* what stands at time 0, and what comes after it */
    { "- {name: a, submit: 0, duration: 100, gpus: 8, running_since: -50,"
      " running_on: [n1]}\n"
      "- {name: b, submit: 0, duration: 100, gpus: 8, running_since: -10,"
      " running_on: [n2]}\n" C "{start: 50, end: 150, nodes: [n1]}}\n",
      "fifo",
      { 5, 5, 1, 1 },
      { 0 } },
    /* submitted when what it depends on has ended */
    { A "{start: 0, end: 100}}\n"
        "- {name: b, submit: 0, duration: 9, gpus: 8, after: [a], recorded:"
        " {start: 101, end: 110}}\n",
      "fifo",
      { 4, 4, 2, 2 },
      { 0 } },
};

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct audit_options o = { .tolerance = 2 * SECOND };
        struct audit a;
        struct world w;

        load(&w, cases[i].jobs);
        CU_ASSERT_EQUAL_FATAL(audit_run(w.topo, w.work,
                                        world_profile(&w, cases[i].policy), &o,
                                        &a, &w.err),
                              0);
        for (int k = 0; k < 4; k++) {
            const uint32_t count[] = { a.points, a.equal, a.starts,
                                       a.equal_starts };

            if (count[k] != cases[i].count[k])
                printf("\n  case %zu: count %d: %u\n", i, k, count[k]);
            CU_ASSERT_EQUAL(count[k], cases[i].count[k]);
        }
        for (int k = 0; k < AUDIT_KINDS; k++) {
            if (a.kinds[k] != cases[i].kind[k])
                printf("\n  case %zu: kind %d: %u\n", i, k, a.kinds[k]);
            CU_ASSERT_EQUAL(a.kinds[k], cases[i].kind[k]);
        }
        audit_free(&a);
        world_fini(&w);
    }
}

static void test_refused(void)
{
    const struct audit_options o = { .source = "t.yaml" };
    char text[512];
    struct audit a;
    struct world w;

    load(&w, "- {name: a, submit: 0, duration: 9}\n");
    CU_ASSERT_EQUAL(
        audit_run(w.topo, w.work, world_profile(&w, "fifo"), &o, &a, &w.err),
        -1);
    CU_ASSERT_STRING_EQUAL(
        gs_err_format(&w.err, 0, text, sizeof(text)),
        "t.yaml: no job has 'recorded': an audit compares with when and where "
        "jobs really ran");
    audit_free(&a);
    world_fini(&w);
}

static const struct suite_case all[] = {
    { "decisions are compared in the recorded state", test_cases },
    { "a trace without a record is refused", test_refused },
};

int main(void)
{
    return suite_run("audit", all, N_ELEMENTS(all));
}
