/* tests/sim/test_held.c - jobs that depend on others are submitted when these
 * started or ended, and wait from then on.
 */
#include <inttypes.h>

#include "base/rng.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"
#include "traces/workload/dependencies.h"

#define SECOND INT64_C(1000000)
#define TOPOLOGY                           \
    "node_types: {t: {gpus: 4, cpu: 6}}\n" \
    "nodes: [{name: \"n[1-3]\", type: t}]\n"
#define A "- {name: a, submit: 0, duration: 100s, gpus: 1}\n"
#define FAILS                                                     \
    "- {name: f, submit: 0, duration: 50s, gpus: 4, replicas: 4," \
    " withdraw: true}\n"
#define B(after) \
    "- {name: b, submit: 10s, duration: 1s, gpus: 1, after: " after "}\n"

/* Times in seconds; -1: never. */
static const struct {
    const char *jobs;
    int64_t eligible;
    const char *reason; /* of a job that is held in the end */
} cases[] = {
    { A B("[a]"), 100, NULL },
    { A B("[{job: a, when: ended}]"), 100, NULL },
    { A B("[{job: a, when: started}]"), 10, NULL },
    { A B("[{job: a, when: started, delay: 30s}]"), 30, NULL },
    { A B("[{job: a, delay: 30s}]"), 130, NULL },
    { A B("[{job: a, when: failed}]"), -1,
      "needs job 'a' to fail, which it did not" },
    { A B("[a, c]") "- {name: c, submit: 20s, duration: 200s, cpu: 1}\n", 220,
      NULL },
    { A B("[a, c]") "- {name: c, submit: 20s, duration: forever, cpu: 1}\n", -1,
      "needs job 'c' to complete" },
    { A B("{any: [a, c]}") "- {name: c, submit: 20s, duration: forever, cpu: 1}\n",
      100, NULL },
    { A B("{any: [{job: a, when: failed}, c]}") "- {name: c, submit: 20s, duration: 200s, cpu: 1}\n",
      220, NULL },
    { A B("{any: [{job: a, when: failed}]}"), -1,
      "needs job 'a' to fail, which it did not" },
    { A B("[c]") "- {name: c, submit: 0, duration: 1s, after: [{job: a, when: "
                 "failed}]}\n",
      -1, "needs job 'c' to complete" },
    /* rejected: more than the cluster has */
    { "- {name: r, submit: 40s, duration: 1s, gpus: 4, replicas: 9}\n" B(
          "[{job: r, when: failed}]"),
      40, NULL },
    { "- {name: r, submit: 40s, duration: 1s, gpus: 4, replicas: 9}\n" B(
          "[{job: r, when: ended}]"),
      40, NULL },
    { "- {name: r, submit: 40s, duration: 1s, gpus: 4, replicas: 9}\n" B(
          "[{job: r, when: started}]"),
      -1, "needs job 'r' to start, which it did not" },
    /* b is first in the file and in time */
    { B("[z]") "- {name: z, submit: 30s, duration: 5s, gpus: 1}\n", 35, NULL },
    /* a long chain of one instant */
    { "- {name: x, submit: 0, duration: 0, after: [a]}\n" A B(
          "[y]") "- {name: y, submit: 0, duration: 0, after: [x]}\n",
      100, NULL },
};

static void test_conditions(void)
{
    static const char *const policy[] = { "fifo", "easy", "kube-default",
                                          "volcano" };

    for (size_t i = 0; i < N_ELEMENTS(cases) * N_ELEMENTS(policy); i++) {
        const struct trace_options o = { 0 };
        const size_t c = i / N_ELEMENTS(policy);
        const struct report_job *b;
        struct world w;
        char trace[600];

        (void)snprintf(trace, sizeof(trace), "jobs:\n%s", cases[c].jobs);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_run(&w, policy[i % N_ELEMENTS(policy)], NULL, NULL), 0);
        b = world_job(&w, "b");
        if (cases[c].eligible < 0) {
            CU_ASSERT_EQUAL(b->held, INT64_MAX);
            CU_ASSERT_EQUAL(b->state, REPORT_PENDING);
            CU_ASSERT_STRING_EQUAL(b->reason, cases[c].reason);
        } else {
            CU_ASSERT_EQUAL(b->held, (cases[c].eligible - 10) * SECOND);
            CU_ASSERT_EQUAL(b->start, cases[c].eligible * SECOND);
            CU_ASSERT_EQUAL(b->state, REPORT_DONE);
        }
        world_fini(&w);
    }
}

/* A job that waits for room after it was held: the time before is no wait. */
static void test_waits(void)
{
    static const char trace[] =
        "jobs:\n"
        "- {name: a, submit: 0, duration: 100s, gpus: 4}\n"
        "- {name: full, submit: 0, duration: 300s, gpus: 4, replicas: 2}\n"
        "- {name: b, submit: 0, duration: 1s, gpus: 4, replicas: 3, after: "
        "[a]}\n";
    const struct trace_options o = { 0 };
    int64_t waited = 0;
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
    CU_ASSERT_EQUAL(world_job(&w, "b")->held, 100 * SECOND);
    CU_ASSERT_EQUAL(world_job(&w, "b")->start, 300 * SECOND);
    for (uint32_t i = 0; i < w.log->wait_count; i++)
        waited += w.log->wait[i].us;
    CU_ASSERT_EQUAL(waited, 200 * SECOND);
    world_fini(&w);
}

/* Dependencies on jobs that are left out of the trace are met. */
static void test_left_out(void)
{
    const struct trace_options o = { .limit = 1 };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(
            &w, TOPOLOGY,
            "jobs:\n"
            "- {name: a, submit: 20s, duration: 100s, gpus: 1}\n" B("[a]"),
            &o),
        0);
    CU_ASSERT_EQUAL(w.work->job_count, 1);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
    CU_ASSERT_EQUAL(world_job(&w, "b")->start, 10 * SECOND);
    world_fini(&w);
}

/* --- by chance ------------------------------------------------------------ */

static uint32_t draw(struct gs_rng *rng, uint32_t n)
{
    return (uint32_t)gs_rng_below(rng, n);
}

/* Jobs depend on jobs of lower names, which stand anywhere in the file. */
static void draw_jobs(struct gs_rng *rng, char *to, size_t size)
{
    const uint32_t jobs = 3 + draw(rng, 12);
    size_t at = (size_t)snprintf(to, size, "jobs:\n");

    for (uint32_t k = jobs; k-- > 0;) {
        const uint32_t n = k ? draw(rng, 4) : 0;

        at += (size_t)snprintf(
            to + at, size - at,
            "- {name: j%" PRIu32 ", submit: %" PRIu32 "s, duration: %" PRIu32
            "s, replicas: %" PRIu32 ", gpus: %" PRIu32 "%s",
            k, draw(rng, 200), draw(rng, 90), 1 + draw(rng, 5),
            1 + draw(rng, 4), draw(rng, 8) ? "" : ", retries: 0");
        for (uint32_t i = 0; i < n; i++)
            at += (size_t)snprintf(to + at, size - at,
                                   "%s{job: j%" PRIu32
                                   ", when: %s, delay: %" PRIu32 "s}",
                                   i ? ", " : ", after: [", draw(rng, k),
                                   trace_when_names[draw(rng, TRACE_WHENS)],
                                   draw(rng, 2) * draw(rng, 50));
        at += (size_t)snprintf(to + at, size - at, n ? "]}\n" : "}\n");
    }
}

/* When the dependency was met; -1: not, as the rows tell. */
static int64_t met_at(const struct world *w, const struct trace_dependency *d)
{
    const struct report_job *on = world_job(w, gs_strtab_str(w->names, d->job));
    const bool is_over = on->state >= REPORT_DONE;
    const bool is_done = on->state == REPORT_DONE;
    const int64_t at = d->when == TRACE_STARTED ? on->start
                       : (is_over
                          && (d->when == TRACE_ENDED
                              || is_done == (d->when == TRACE_COMPLETED)))
                           ? on->end
                           : -1;

    return at < 0 ? -1 : at + d->delay;
}

static bool is_right(const struct world *w, uint32_t job)
{
    const struct trace_job *j = &w->work->job[job];
    const struct report_job *r = &w->job[job];
    int64_t eligible = j->submit;

    for (uint32_t i = 0; i < j->aside->dependency_count; i++) {
        const int64_t at = met_at(
            w,
            &w->work->dependencies->dependency[j->aside->first_dependency + i]);

        if (at < 0)
            return r->held == INT64_MAX && r->start < 0;
        eligible = at > eligible ? at : eligible;
    }
    return r->held == eligible - j->submit
           && (r->start < 0 || r->start >= eligible);
}

static void test_worlds(void)
{
    static const char *const policy[] = { "fifo",    "kube-default",
                                          "easy",    "conservative",
                                          "volcano", "priority-preempt",
                                          "hybrid" };
    uint32_t held = 0, ran = 0;

    for (unsigned seed = 0; seed < suite_rounds(80); seed++) {
        const char *with = policy[seed % N_ELEMENTS(policy)];
        const struct trace_options o = { 0 };
        const struct gsched_profile *p;
        struct gs_rng rng;
        struct watch v;
        struct world w;
        char trace[8192];

        gs_rng_init(&rng, seed, "held");
        draw_jobs(&rng, trace, sizeof(trace));
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        if (draw(&rng, 2))
            CU_ASSERT_EQUAL_FATAL(
                world_outages(&w, "events:\n- {at: 70s, node: n1, what: fail,"
                                  " for: 40s}\n"),
                0);
        p = world_profile(&w, with);
        watch_open(&v, &w, p);
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, &v.observer), 0);
        CU_ASSERT_EQUAL(watch_close(&v), 0);
        for (uint32_t i = 0; i < w.work->job_count; i++) {
            CU_ASSERT(is_right(&w, i));
            if (!is_right(&w, i))
                printf("  seed %u, %s: job %s\n%s", seed, with,
                       gs_strtab_str(w.names, w.work->job[i].name), trace);
            held += w.job[i].held == INT64_MAX;
            ran += w.job[i].held > 0 && w.job[i].start >= 0;
        }
        world_fini(&w);
    }
    CU_ASSERT(held > 0 && ran > suite_rounds(80));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a job is submitted when its dependencies are met", test_conditions },
        { "the time in which it was held is no wait", test_waits },
        { "dependencies on jobs that are left out are met", test_left_out },
        { "random dependencies are met before each start", test_worlds },
    };

    return suite_run("held", suite, N_ELEMENTS(suite));
}
