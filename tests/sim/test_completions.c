/* tests/sim/test_completions.c - jobs whose tasks run and end by themselves: as
 * many end as the job states, each after its duration, however often others
 * were evicted or lost meanwhile.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "sim/speed/speed.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define SECOND INT64_C(1000000)
#define TOPOLOGY                           \
    "node_types: {t: {gpus: 4, cpu: 6}}\n" \
    "nodes: [{name: \"n[1-3]\", type: t}]\n"

/* What the rows of the job say. */
struct seen {
    uint32_t ended; /* tasks that ran for the duration */
    int64_t lost;   /* GPU us of the others */
    bool is_right;  /* numbers are distinct; never too many at once */
};

static struct seen seen_of(const struct world *w, uint32_t job)
{
    const struct trace_job *j = &w->work->job[job];
    const struct topo_request *r =
        &w->work->shape[trace_group_at(w->work, j->first_group)->shape];
    const struct report_log *log = w->log;
    struct seen s = { .is_right = true };

    for (uint32_t i = 0; i < log->placement_count; i++) {
        const struct report_placement *p = &log->placement[i];
        uint32_t at_once = 0;

        if (p->job != job)
            continue;
        if (p->end - p->start == j->duration)
            s.ended += p->tasks;
        else if (p->end >= 0)
            s.lost += (p->end - p->start) * p->tasks * r->amount[TOPO_GPU]
                      / TOPO_SHARE_ONE;
        for (uint32_t k = 0; k < log->placement_count; k++) {
            const struct report_placement *q = &log->placement[k];

            if (q->job != job)
                continue;
            if (q->start <= p->start && (q->end < 0 || q->end > p->start))
                at_once += q->tasks;
            s.is_right &= k == i || q->first_task >= p->first_task + p->tasks
                          || q->first_task + q->tasks <= p->first_task;
        }
        s.is_right &= at_once <= j->tasks;
    }
    return s;
}

static const struct {
    const char *trace, *policy;
    int64_t end; /* of the job, in seconds */
} cases[] = {
    { "completions: 16, replicas: 16, gpus: 1, duration: 100s", "fifo", 200 },
    { "completions: 16, replicas: 16, gpus: 1, duration: 100s", "kube-default",
      200 },
    { "completions: 16, replicas: 16, gpus: 1, duration: 100s", "easy", 200 },
    { "completions: 16, replicas: 16, gpus: 1, duration: 100s", "conservative",
      200 },
    { "completions: 16, replicas: 16, gpus: 1, duration: 100s", "volcano",
      200 },
    { "completions: 7, replicas: 2, gpus: 4, duration: 10s", "fifo", 40 },
    { "completions: 7, replicas: 1, gpus: 4, duration: 10s", "fifo", 70 },
    { "completions: 3, replicas: 9, gpus: 4, duration: 10s", "fifo", 10 },
    { "completions: 1, replicas: 1, gpus: 4, duration: 10s", "fifo", 10 },
    { "completions: 5, replicas: 2, duration: 10s", "fifo", 30 },
    { "completions: 5, replicas: 5, gpu_share: 0.5, duration: 0s", "fifo", 0 },
};

static void test_ends(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { 0 };
        struct world w;
        struct seen s;
        char trace[256];

        (void)snprintf(trace, sizeof(trace),
                       "jobs:\n- {name: a, submit: 0, %s}\n", cases[i].trace);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, cases[i].policy, NULL, NULL), 0);
        s = seen_of(&w, 0);
        CU_ASSERT_EQUAL(w.job[0].end, cases[i].end * SECOND);
        CU_ASSERT_EQUAL(w.job[0].state, REPORT_DONE);
        CU_ASSERT_EQUAL(s.ended, w.work->job[0].aside->completions);
        CU_ASSERT_EQUAL(s.lost, 0);
        CU_ASSERT(s.is_right);
        world_fini(&w);
    }
}

/* One of three runs when a more important job takes its GPUs. */
static void test_preempted(void)
{
    static const char trace[] =
        "priority_classes: {high: {value: 1}}\n"
        "jobs:\n"
        "- {name: a, submit: 0, duration: 100s, replicas: 3, gpus: 4,"
        " completions: 3}\n"
        "- {name: b, submit: 60s, duration: 10s, gpus: 4, priority: high}\n";
    const struct trace_options o = { 0 };
    struct world w;
    struct seen s;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "priority-preempt", NULL, NULL), 0);
    s = seen_of(&w, 0);
    CU_ASSERT_EQUAL(s.ended, 3);
    CU_ASSERT_EQUAL(s.lost, 240 * SECOND);
    CU_ASSERT_EQUAL(w.job[0].lost_gpu_us, 240 * SECOND);
    CU_ASSERT_EQUAL(w.job[0].end, 170 * SECOND);
    CU_ASSERT_EQUAL(w.job[1].start, 60 * SECOND);
    world_fini(&w);
}

/* Two nodes, of which one goes for good: the head that needs both can never
 * start, so nothing is kept for it, and what runs takes what is free.
 */
static void test_hopeless_head(void)
{
    static const char *const policy[] = { "easy", "conservative", "hybrid" };
    static const char trace[] =
        "jobs:\n"
        "- {name: a, submit: 0, duration: 100s, replicas: 2, gpus: 4,"
        " completions: 4}\n"
        "- {name: b, submit: 10s, duration: 10s, replicas: 3, gpus: 4}\n"
        "- {name: c, submit: 30s, duration: 1000s, gpus: 1,"
        " replicas: {min: 1, max: 4}}\n";

    for (size_t i = 0; i < N_ELEMENTS(policy); i++) {
        const struct trace_options o = { 0 };
        struct world w;

        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(
            world_outages(&w, "events:\n"
                              "- {at: 20s, node: n3, what: drain}\n"),
            0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, policy[i], NULL, NULL), 0);
        CU_ASSERT_EQUAL(w.job[0].state, REPORT_DONE);
        CU_ASSERT_EQUAL(w.job[1].state, REPORT_PENDING);
        CU_ASSERT_EQUAL(w.job[2].state, REPORT_DONE);
        world_fini(&w);
    }
}

/* The planned starts of the gangs of 7 are missed, as n3 fails at 80.  Later
 * nothing runs, and only their next starts are due.
 */
static void test_missed(void)
{
    static const char trace[] =
        "jobs:\n"
        "- {submit: 43s, duration: 37s, replicas: 6, gpus: 4, completions: 8}\n"
        "- {submit: 53s, duration: 53s, completions: 19}\n"
        "- {submit: 63s, duration: 27s, gpus: 1}\n"
        "- {submit: 116s, duration: 79s, replicas: 7, gpus: 1}\n"
        "- {submit: 127s, duration: 56s, replicas: 7, gpus: 1}\n";
    const struct trace_options o = { 0 };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "events:\n"
                          "- {at: 80s, node: n3, what: fail, for: 19s}\n"),
        0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "conservative", NULL, NULL), 0);
    for (uint32_t i = 0; i < w.work->job_count; i++)
        CU_ASSERT_EQUAL(w.job[i].state, REPORT_DONE);
    world_fini(&w);
}

/* A node type that is twice as fast; a speed model knows no such jobs. */
static void test_speeds(void)
{
    static const char topology[] =
        "node_types: {f: {gpus: 1, speed: 2}, s: {gpus: 1}}\n"
        "nodes: [{name: a, type: f}, {name: b, type: s}]\n";
    static const char trace[] =
        "jobs:\n- {name: a, submit: 0, duration: 100s, replicas: 2, gpus: 1,"
        " completions: 3}\n";
    const struct trace_options o = { 0 };
    struct world w;
    struct gs_input *in;
    char text[256];

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, &o), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
    CU_ASSERT_EQUAL(w.job[0].end, 100 * SECOND);
    in = world_open(&w, "replicas: linear\n");
    w.speed = sim_speed_read(in, w.topo, w.arena, &w.err);
    gs_input_close(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w.speed);
    CU_ASSERT_EQUAL(world_run(&w, "fifo", NULL, NULL), -1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(gs_err_format(&w.err, 0, text, sizeof(text)), "completions"));
    world_fini(&w);
}

/* --- by chance ------------------------------------------------------------ */

static uint32_t draw(struct gs_rng *rng, uint32_t n)
{
    return (uint32_t)gs_rng_below(rng, n);
}

static void draw_jobs(struct gs_rng *rng, char *to, size_t size)
{
    static const char *const asks[] = {
        "cpu: 1", "gpu_share: 0.5", "gpus: 1", "gpus: 1", "gpus: 2", "gpus: 4"
    };
    const uint32_t jobs = 3 + draw(rng, 10);
    size_t at = (size_t)snprintf(to, size,
                                 "priority_classes: {high: {value: 1}}\n"
                                 "queues: [{name: x}, {name: y}]\n"
                                 "jobs:\n");

    for (uint32_t i = 0; i < jobs; i++) {
        const uint32_t submit = draw(rng, 200), duration = draw(rng, 90);
        const uint32_t replicas = 1 + draw(rng, 8), ask = draw(rng, 6);
        const uint32_t completions = 1 + draw(rng, 20), kind = draw(rng, 12);

        at += (size_t)snprintf(
            to + at, size - at,
            "- {name: j%" PRIu32 ", submit: %" PRIu32 "s, duration: %" PRIu32
            "s, replicas: %" PRIu32 ", %s, queue: %c%s",
            i, submit, duration, replicas, asks[ask], kind % 2 ? 'x' : 'y',
            kind % 3 ? "" : ", priority: high");
        if (kind > 2)
            at += (size_t)snprintf(to + at, size - at,
                                   ", completions: %" PRIu32, completions);
        at += (size_t)snprintf(to + at, size - at, "}\n");
    }
}

static void draw_events(struct gs_rng *rng, char *to, size_t size)
{
    size_t at = (size_t)snprintf(to, size, "events:\n");

    for (uint32_t i = 0, now = 0; i < 6; i++) {
        now += 1 + draw(rng, 60);
        if (i == 5 && draw(rng, 2)) {
            (void)snprintf(to + at, size - at,
                           "- {at: %" PRIu32 "s, node: n1, what: drain}\n",
                           now);
            break;
        }
        at += (size_t)snprintf(to + at, size - at,
                               "- {at: %" PRIu32 "s, node: n%" PRIu32
                               ", what: fail, for: %" PRIu32 "s}\n",
                               now, 1 + draw(rng, 3), 1 + draw(rng, 60));
    }
}

/* The rows of a job in a run that may have been cut short. */
static bool is_right(const struct world *w, uint32_t job)
{
    const struct report_job *j = &w->job[job];
    const struct seen s = seen_of(w, job);
    const uint32_t all = w->work->job[job].aside->completions;

    return s.is_right && s.lost == j->lost_gpu_us
           && (j->state == REPORT_DONE ? s.ended == all : s.ended <= all);
}

/* A job that holds GPUs for the rest of its tasks may keep others for ever. */
static bool is_hoarded(const struct world *w)
{
    bool is = false;

    for (uint32_t i = 0; i < w->work->job_count; i++)
        is |= w->job[i].state == REPORT_PARTLY;
    return is;
}

static void test_worlds(void)
{
    static const char *const policy[] = { "fifo",    "kube-default",
                                          "easy",    "conservative",
                                          "volcano", "priority-preempt",
                                          "hybrid",  "drf" };
    uint32_t done = 0;

    for (unsigned seed = 0; seed < suite_rounds(60); seed++) {
        const char *with = policy[seed % N_ELEMENTS(policy)];
        const struct trace_options o = { 0 };
        const struct gsched_profile *p;
        struct gs_rng rng;
        struct watch v;
        struct world w;
        char trace[4096], events[1024];

        gs_rng_init(&rng, seed, "completions");
        draw_jobs(&rng, trace, sizeof(trace));
        draw_events(&rng, events, sizeof(events));
        world_init(&w);
        if (world_load(&w, TOPOLOGY, trace, &o) < 0)
            printf("  %s\n", gs_err_format(&w.err, 0, events, sizeof(events)));
        CU_ASSERT_PTR_NOT_NULL_FATAL(w.work);
        if (draw(&rng, 2))
            CU_ASSERT_EQUAL_FATAL(world_outages(&w, events), 0);
        w.until = draw(&rng, 3) ? 0 : (1 + draw(&rng, 300)) * SECOND;
        p = world_profile(&w, with);
        watch_open(&v, &w, p);
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, &v.observer), 0);
        CU_ASSERT_EQUAL(watch_close(&v), 0);
        if (v.faults)
            printf("  seed %u, %s: watch.h:%d\n", seed, with, v.line);
        for (uint32_t i = 0; i < w.work->job_count; i++) {
            const struct report_job *j = &w.job[i];
            /* a run goes on while tasks that could run are left */
            const bool good = is_right(&w, i)
                              && (w.until || j->state != REPORT_RUNNING
                                  || is_hoarded(&w));

            if (!w.work->job[i].aside->completions)
                continue;
            done += j->state == REPORT_DONE;
            CU_ASSERT(good);
            if (!good)
                printf("  seed %u, %s, job %u is wrong\n", seed, with, i);
        }
        world_fini(&w);
    }
    CU_ASSERT(done > suite_rounds(60) * 2);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "as many tasks end as the job states", test_ends },
        { "tasks that are evicted are run again", test_preempted },
        { "each task runs at the speed of its node", test_speeds },
        { "a head of queue that can never start blocks no job",
          test_hopeless_head },
        { "a planned start that is missed has another", test_missed },
        { "random completions end once each", test_worlds },
    };

    return suite_run("completions", suite, N_ELEMENTS(suite));
}
