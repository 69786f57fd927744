/* tests/sim/test_recorded.c - a replay in which no policy decides, and policies
 * audited against their own replays.
 */
#include <stdlib.h>

#include "base/err.h"
#include "sim/audit/audit.h"
#include "tests/lib/cases.h"
#include "traces/workload/records.h"

#define TOPOLOGY                            \
    "node_types: {t: {gpus: 8, cpu: 64}}\n" \
    "nodes: [{name: \"n[1-2]\", type: t}]\n"

static const struct case_world worlds[] = {
    { "jobs start when and where the trace says, and run as long as they did",
      TOPOLOGY,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 9, gpus: 8, recorded: {start: 5, end:"
      " 25, nodes: [n2]}}\n"
      "- {name: b, submit: 1, duration: 9, gpus: 8, replicas: 2, recorded:"
      " {start: 25, end: 30, nodes: [n1, n2]}}\n"
      "- {name: c, submit: 2, duration: 9, gpus: 4, recorded: {start: 2}}\n",
      "recorded",
      { { "a", 5 * S, REPORT_DONE, ANY_CAUSE, "n2*1", 0 },
        { "b", 25 * S, REPORT_DONE, ANY_CAUSE, "n1*1 n2*1", 0 },
        { "c", 2 * S, REPORT_DONE, ANY_CAUSE, "n1*1", 0 } } },
    { "a job that was requeued is evicted, and runs again",
      TOPOLOGY,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 9, gpus: 8, retries: 0, recorded:"
      " [{start: 0, end: 5, nodes: [n1]}, {start: 10, end: 19, nodes: [n2]}]}\n"
      "- {name: b, submit: 4, duration: 20, gpus: 8, recorded: {start: 5, end:"
      " 25, nodes: [n1]}}\n",
      "recorded",
      { { "a", 0, REPORT_DONE, ANY_CAUSE, NULL, 1 },
        { "b", 5 * S, REPORT_DONE, ANY_CAUSE, "n1*1", 0 } } },
    { "where nodes have no room others are taken, else it starts later",
      TOPOLOGY,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 9, gpus: 8, recorded: {start: 0, end: 9,"
      " nodes: [n1]}}\n"
      "- {name: b, submit: 0, duration: 9, gpus: 8, recorded: {start: 1, end:"
      " 12, nodes: [n1]}}\n"
      "- {name: c, submit: 0, duration: 9, gpus: 8, recorded: {start: 2, end: 9,"
      " nodes: [n9]}}\n"
      "- {name: d, submit: 0, duration: 9, gpus: 8}\n",
      "recorded",
      { { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1", 0 },
        { "b", 1 * S, REPORT_DONE, ANY_CAUSE, "n2*1", 0 },
        { "c", 9 * S, REPORT_DONE, ANY_CAUSE, "n1*1", 0 },
        { "d", NEVER, REPORT_PENDING, ANY_CAUSE, NULL, 0 } } },
    { "quotas, dependencies and what stands at time 0 do not hold it up",
      TOPOLOGY,
      "quotas: [{name: q, limit: {gpu: 0}}]\njobs:\n"
      "- {name: a, submit: 0, duration: 9, gpus: 8, running_since: -5,"
      " running_on: [n1]}\n"
      "- {name: b, submit: 0, duration: 9, gpus: 8, quotas: q, recorded: {start:"
      " 1, end: 3, nodes: [n2]}}\n"
      "- {name: c, submit: 0, duration: 9, gpus: 8, after: [b], recorded:"
      " {start: 3, end: 9, nodes: [n2]}}\n",
      "recorded",
      { { "a", 0, REPORT_DONE, ANY_CAUSE, "n1*1", 0 },
        { "b", 1 * S, REPORT_DONE, ANY_CAUSE, "n2*1", 0 },
        { "c", 3 * S, REPORT_DONE, ANY_CAUSE, "n2*1", 0 } } },
    { "cycles run later than events, and nodes are free later than runs",
      TOPOLOGY,
      "jobs:\n"
      "- {name: a, submit: 0, duration: 10, gpus: 8, replicas: 2}\n"
      "- {name: b, submit: 5, duration: 10, gpus: 8, replicas: 2}\n",
      "name: slow\nactions: [allocate]\nunit: pod\nmodules: [fifo, fit]\n"
      "start_latency: 2s\nend_latency: 1s\n",
      { { "a", 2 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 },
        { "b", 15 * S, REPORT_DONE, ANY_CAUSE, NULL, 0 } } },
};

static void test_worlds(void)
{
    cases_run(worlds, N_ELEMENTS(worlds));
}

/* --- a policy and its own record ------------------------------------------ */

static int by_start(const void *x, const void *y)
{
    const struct report_placement *a = x, *b = y;

    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->first_task > b->first_task) - (a->first_task < b->first_task);
}

/* Record in the workload what its replay did; nothing was evicted. */
static void record(struct world *w)
{
    struct report_placement *p = w->log->placement;
    const uint32_t count = w->log->placement_count;

    CU_ASSERT_EQUAL_FATAL(w->log->eviction_count, 0);
    qsort(p, count, sizeof(*p), by_start);
    for (uint32_t i = 0; i < count;) {
        const uint32_t job = p[i].job;
        struct trace_job *j = &w->work->job[job];
        struct trace_record r = { .wait = w->job[job].start - j->submit,
                                  .length = w->job[job].end - w->job[job].start,
                                  .first_spot = w->work->records->spot_count };

        for (; i < count && p[i].job == job; i++)
            (void)trace_workload_spot(w->work, w->topo->node_name[p[i].node],
                                      p[i].tasks);
        r.spot_count = w->work->records->spot_count - r.first_spot;
        j->record_count = 1;
        j->first_record = trace_workload_record(w->work, &r);
    }
}

static const struct {
    const char *policy;
    bool is_stateful; /* it keeps a plan, so that it decides by its past, too */
} policies[] = {
    { "fifo", false },    { "binpack", false }, { "spread", false },
    { "hybrid", true },   { "easy", true },     { "conservative", true },
    { "volcano", false }, { "drf", false },
};

static void own_check(const char *policy, bool is_stateful)
{
    const struct trace_options o = { .limit = 400 };
    const struct audit_options zero = { 0 };
    const struct gsched_profile *p;
    struct report_job *were;
    struct audit a;
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, "topology/samples/philly-tight.yaml",
                                     "traces/samples/philly.csv.gz", &o),
                          0);
    p = world_profile(&w, policy);
    CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, NULL), 0);
    record(&w);
    were = malloc(w.work->job_count * sizeof(*were));
    memcpy(were, w.job, w.work->job_count * sizeof(*were));
    CU_ASSERT_EQUAL_FATAL(audit_run(w.topo, w.work, p, &zero, &a, &w.err), 0);
    CU_ASSERT_EQUAL(a.starts, w.work->job_count);
    CU_ASSERT_EQUAL(a.elsewhere + a.nowhere + a.unknown, 0);
    if (!is_stateful && a.equal != a.points)
        printf("\n  %s: %u of %u points, %u of %u starts\n", policy, a.equal,
               a.points, a.equal_starts, a.starts);
    CU_ASSERT(is_stateful || a.equal == a.points);
    CU_ASSERT(a.equal >= a.points - a.points / 10);
    audit_free(&a);
    CU_ASSERT_EQUAL_FATAL(
        world_run_profile(&w, world_profile(&w, "recorded"), NULL), 0);
    for (uint32_t i = 0; i < w.work->job_count; i++) {
        CU_ASSERT_EQUAL(w.job[i].start, were[i].start);
        CU_ASSERT_EQUAL(w.job[i].end, were[i].end);
    }
    CU_ASSERT_EQUAL(w.stats.recorded.runs, w.work->job_count);
    CU_ASSERT_EQUAL(w.stats.recorded.late + w.stats.recorded.elsewhere, 0);
    free(were);
    world_fini(&w);
}

static void test_own(void)
{
    for (size_t i = 0; i < N_ELEMENTS(policies); i++)
        own_check(policies[i].policy, policies[i].is_stateful);
}

/* --- what it needs -------------------------------------------------------- */

static void test_refused(void)
{
    const struct trace_options o = { 0 };
    char text[512];
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, TOPOLOGY, "jobs: [{name: a, submit: 0, duration: 1}]\n",
                   &o),
        0);
    CU_ASSERT_EQUAL(world_run_profile(&w, world_profile(&w, "recorded"), NULL),
                    -1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(gs_err_format(&w.err, 0, text, sizeof(text)),
               "policy 'recorded' follows when and where jobs really ran, and "
               "no job has 'recorded'"));
    world_fini(&w);
}

static const struct suite_case all[] = {
    { "small worlds", test_worlds },
    { "a policy agrees with its own replay, which is replayed as it was",
      test_own },
    { "a trace without a record is refused", test_refused },
};

int main(void)
{
    return suite_run("recorded", all, N_ELEMENTS(all));
}
