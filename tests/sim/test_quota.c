/* tests/sim/test_quota.c - tasks are created while their quotas have room; what
 * may not be created waits because of the quota, and nothing else does.
 */
#include <inttypes.h>

#include "base/rng.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"
#include "traces/workload/quotas.h"

#define SECOND INT64_C(1000000)
#define TOPOLOGY                            \
    "node_types: {t: {gpus: 8, cpu: 32}}\n" \
    "nodes: [{name: \"n[1-3]\", type: t}]\n"

/* The start of job b in seconds, -1: never; and its wait for quota. */
static const struct {
    const char *quota, *jobs;
    int64_t start, quota_wait;
} cases[] = {
    { "limit: {gpu: 8}",
      "- {name: a, submit: 0, duration: 100s, gpus: 4, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, gpus: 4, quotas: q}\n",
      10, 0 },
    { "limit: {gpu: 7}",
      "- {name: a, submit: 0, duration: 100s, gpus: 4, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, gpus: 4, quotas: [q]}\n",
      100, 90 },
    { "limit: {gpu: 7}",
      "- {name: a, submit: 0, duration: 100s, gpus: 4, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, gpus: 4}\n",
      10, 0 },
    /* half of its gang exists, and counts */
    { "limit: {gpu: 6}",
      "- {name: a, submit: 0, duration: 100s, gpus: 4, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, gpus: 1, replicas: 4, quotas: q}\n"
      "- {name: c, submit: 20s, duration: 1s, gpus: 1, quotas: q}\n",
      100, 90 },
    /* pods; jobs */
    { "limit: {pods: 3}",
      "- {name: a, submit: 0, duration: 100s, cpu: 1, replicas: 2, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, cpu: 1, replicas: 2, quotas: q}\n",
      100, 90 },
    { "jobs: 1",
      "- {name: a, submit: 0, duration: 100s, cpu: 1, replicas: 2, quotas: q}\n"
      "- {name: b, submit: 10s, duration: 1s, cpu: 1, replicas: 2, quotas: q}\n",
      100, 90 },
    /* less than a task asks for; 0 is a limit */
    { "limit: {gpu: 3}",
      "- {name: b, submit: 10s, duration: 1s, gpus: 4, quotas: q}\n", -1, 0 },
    { "limit: {cpu: 0}",
      "- {name: b, submit: 10s, duration: 1s, gpus: 4, quotas: q}\n", 10, 0 },
    /* above the gang: it starts with what it has */
    { "limit: {gpu: 2}",
      "- {name: b, submit: 10s, duration: 50s, gpus: 1, replicas: {min: 2, max: "
      "8}, quotas: q}\n",
      10, 0 },
    /* a smaller job goes first, the larger one has what is left */
    { "limit: {gpu: 8}",
      "- {name: a, submit: 0, duration: 100s, gpus: 5, quotas: q}\n"
      "- {name: b, submit: 5s, duration: 1s, gpus: 8, quotas: q}\n"
      "- {name: c, submit: 10s, duration: 200s, gpus: 3, quotas: q}\n",
      210, 205 },
    /* a job that is withdrawn before it exists frees nothing */
    { "limit: {gpu: 8}",
      "- {name: a, submit: 0, duration: 100s, gpus: 8, quotas: q}\n"
      "- {name: c, submit: 5s, duration: 20s, gpus: 8, quotas: q, withdraw: "
      "true}\n"
      "- {name: b, submit: 6s, duration: 1s, gpus: 8, quotas: q}\n",
      100, 94 },
    /* tasks that are created one after the other */
    { "limit: {gpu: 3}",
      "- {name: a, submit: 0, duration: 100s, gpus: 2, quotas: q}\n"
      "- {name: b, submit: 0, duration: 1s, gpus: 1, replicas: 3, "
      "task_interval: 10s, quotas: q}\n",
      100, 90 },
    /* completions give back what they need no more */
    { "limit: {gpu: 4}",
      "- {name: a, submit: 0, duration: 10s, gpus: 1, replicas: 4, "
      "completions: 6, quotas: q}\n"
      "- {name: b, submit: 1s, duration: 1s, gpus: 2, quotas: q}\n",
      10, 9 },
};

static void test_waits(void)
{
    static const char *const policy[] = { "fifo", "easy", "kube-default",
                                          "volcano", "conservative" };

    for (size_t i = 0; i < N_ELEMENTS(cases) * N_ELEMENTS(policy); i++) {
        const struct trace_options o = { 0 };
        const size_t c = i / N_ELEMENTS(policy);
        const struct report_job *b;
        int64_t waited = 0;
        struct world w;
        char trace[900];

        (void)snprintf(trace, sizeof(trace),
                       "quotas: [{name: q, %s}]\njobs:\n%s", cases[c].quota,
                       cases[c].jobs);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_run(&w, policy[i % N_ELEMENTS(policy)], NULL, NULL), 0);
        b = world_job(&w, "b");
        for (uint32_t k = 0; k < w.log->refused_count; k++) {
            if (w.log->refused[k].job == b->job) {
                waited += w.log->refused[k].us;
                CU_ASSERT_STRING_EQUAL(w.log->refused[k].module, "quota q");
            }
        }
        CU_ASSERT_EQUAL(b->start,
                        cases[c].start < 0 ? -1 : cases[c].start * SECOND);
        if (b->start != cases[c].start * SECOND && cases[c].start >= 0)
            printf("  case %zu, %s: starts at %" PRId64 "\n", c,
                   policy[i % N_ELEMENTS(policy)], b->start / SECOND);
        if (cases[c].start < 0)
            CU_ASSERT_EQUAL(b->cause, REPORT_QUOTA)
        else
            CU_ASSERT_EQUAL(waited, cases[c].quota_wait * SECOND);
        world_fini(&w);
    }
}

/* --- whole gangs ---------------------------------------------------------- */

/* Two gangs that exist in parts keep each other waiting; with module gang-quota
 * the second has no tasks, and what asks for less goes first.
 */
static void test_gangs(void)
{
    static const struct {
        const char *jobs;
        int64_t without, with; /* start of job b in seconds; -1: never */
    } table[] = {
        { "- {name: a, submit: 0, duration: 10s, gpus: 1, replicas: 4, quotas: "
          "q, task_interval: 1s}\n"
          "- {name: b, submit: 0, duration: 1s, gpus: 1, replicas: 4, quotas: "
          "q, task_interval: 1s}\n",
          -1, 13 },
        { "- {name: a, submit: 0, duration: 9s, gpus: 1, replicas: 4, quotas: "
          "q}\n"
          "- {name: c, submit: 1s, duration: 9s, gpus: 2, replicas: 2, quotas: "
          "q}\n"
          "- {name: b, submit: 2s, duration: 1s, gpus: 2, replicas: 1, quotas: "
          "q}\n",
          9, 2 },
        { "- {name: a, submit: 0, duration: 9s, gpus: 1, replicas: 4, quotas: "
          "q}\n"
          "- {name: c, submit: 2s, duration: 1s, quotas: q, gang: 3, tasks: ["
          "{name: x, gpus: 1, replicas: 1}, {name: y, gpus: 1, replicas: "
          "{min: 2, max: 3}}]}\n"
          "- {name: b, submit: 3s, duration: 9s, gpus: 1, replicas: 2, quotas: "
          "q}\n",
          9, 3 },
    };

    for (size_t i = 0; i < 2 * N_ELEMENTS(table); i++) {
        const int64_t start = i % 2 ? table[i / 2].with : table[i / 2].without;
        const struct trace_options o = { 0 };
        const struct report_job *b;
        struct world w;
        char trace[900];

        (void)snprintf(trace, sizeof(trace),
                       "quotas: [{name: q, limit: {gpu: 6}}]\njobs:\n%s",
                       table[i / 2].jobs);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_run(&w, i % 2 ? "fifo,gang,gang-quota" : "fifo,gang", NULL,
                      NULL),
            0);
        b = world_job(&w, "b");
        CU_ASSERT_EQUAL(b->start, start < 0 ? -1 : start * SECOND);
        if (b->start != (start < 0 ? -1 : start * SECOND))
            printf("  case %zu: starts at %" PRId64 "\n", i, b->start);
        world_fini(&w);
    }
}

/* --- by chance ------------------------------------------------------------ */

static uint32_t draw(struct gs_rng *rng, uint32_t n)
{
    return (uint32_t)gs_rng_below(rng, n);
}

#define QUOTAS 3u

static void draw_jobs(struct gs_rng *rng, char *to, size_t size)
{
    static const char *const more[] = { "",
                                        "",
                                        ", gang: 1",
                                        ", task_interval: 5s",
                                        ", retries: 0",
                                        ", completions: 9, gang: 1",
                                        ", after: [{job: j0, when: started}]" };
    const uint32_t jobs = 3 + draw(rng, 15);
    size_t at = (size_t)snprintf(to, size,
                                 "priority_classes: {high: {value: 1}}"
                                 "\nquotas:\n");

    for (uint32_t q = 0; q < QUOTAS; q++)
        at += (size_t)snprintf(to + at, size - at,
                               "- {name: q%" PRIu32 ", limit: {gpu: %" PRIu32
                               ", pods: %" PRIu32 "}, jobs: %" PRIu32 "}\n",
                               q, 8 + draw(rng, 9), 6 + draw(rng, 9),
                               1 + draw(rng, 6));
    at += (size_t)snprintf(to + at, size - at, "jobs:\n");
    for (uint32_t k = 0; k < jobs; k++)
        at += (size_t)snprintf(
            to + at, size - at,
            "- {name: j%" PRIu32 ", submit: %" PRIu32 "s, duration: %" PRIu32
            "s, replicas: %" PRIu32 ", gpus: 1, quotas: [q%" PRIu32
            ", q%" PRIu32 "]%s%s}\n",
            k, draw(rng, 100), 1 + draw(rng, 60), 1 + draw(rng, 6),
            draw(rng, QUOTAS), draw(rng, QUOTAS),
            k ? more[draw(rng, N_ELEMENTS(more))] : "",
            draw(rng, 4) ? "" : ", priority: high");
}

static bool counts(const struct world *w, uint32_t job, uint32_t quota)
{
    const struct trace_quota_set *s =
        &w->work->quotas->quota_set[w->work->job[job].aside->quotas - 1];
    bool is = false;

    for (uint32_t i = 0; i < s->count; i++)
        is = is || w->work->quotas->quota_of[s->first + i] == quota;
    return is;
}

/* Tasks that are placed when `p` is, of all jobs that count, are within. */
static bool is_within(const struct world *w, const struct report_placement *p,
                      uint32_t quota)
{
    int64_t tasks = 0;

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *x = &w->log->placement[i];

        if (counts(w, x->job, quota) && x->start <= p->start
            && (x->end < 0 || x->end > p->start))
            tasks += x->tasks;
    }
    return tasks * 1000 <= w->work->quotas->quota[quota].limit[TOPO_GPU]
           && tasks <= w->work->quotas->quota[quota].limit[TOPO_PODS];
}

static void test_worlds(void)
{
    static const char *const policy[] = { "fifo",    "kube-default",
                                          "easy",    "conservative",
                                          "volcano", "priority-preempt",
                                          "hybrid",  "fifo,gang,gang-quota" };
    uint32_t waited = 0;

    for (unsigned seed = 0; seed < suite_rounds(120); seed++) {
        const char *with = policy[seed % N_ELEMENTS(policy)];
        const struct trace_options o = { 0 };
        const struct gsched_profile *p;
        struct gs_rng rng;
        struct watch v;
        struct world w;
        char trace[8192];
        bool good = true;

        gs_rng_init(&rng, seed, "quota");
        draw_jobs(&rng, trace, sizeof(trace));
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        if (draw(&rng, 2))
            CU_ASSERT_EQUAL_FATAL(
                world_outages(&w, "events:\n- {at: 30s, node: n1, what: fail,"
                                  " for: 40s}\n"),
                0);
        p = world_profile(&w, with);
        watch_open(&v, &w, p);
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, &v.observer), 0);
        CU_ASSERT_EQUAL(watch_close(&v), 0);
        for (uint32_t i = 0; i < w.log->placement_count; i++) {
            for (uint32_t q = 0; q < w.work->quotas->quota_count; q++)
                good = good && is_within(&w, &w.log->placement[i], q);
        }
        CU_ASSERT(good);
        for (uint32_t i = 0; i < w.log->refused_count; i++)
            waited += strncmp(w.log->refused[i].module, "quota ", 6) == 0;
        if (!good || v.faults)
            printf("  seed %u, %s\n%s", seed, with, trace);
        world_fini(&w);
    }
    CU_ASSERT(waited > suite_rounds(120));
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "tasks are created while their quotas have room", test_waits },
        { "gangs exist as a whole or not at all", test_gangs },
        { "random jobs stay within their quotas", test_worlds },
    };

    return suite_run("quota", suite, N_ELEMENTS(suite));
}
