/* tests/sim/test_warm.c - jobs that run when time begins: what is left of their
 * work, what they lose, what is told of them, and mistakes.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "sim/replay/warm.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"
#include "topology/resize.h"
#include "traces/formats/writer.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define TOPOLOGY                                \
    "tiers: [{name: rack}, {name: node}]\n"     \
    "node_types:\n"                             \
    "  t: {gpus: 4, cpu: 64}\n"                 \
    "  slow: {gpus: 4, cpu: 64, speed: 0.5}\n"  \
    "nodes:\n"                                  \
    "- {name: \"n[1-3]\", type: t, rack: r1}\n" \
    "- {name: s1, type: slow, rack: r2}\n"

static void load(struct world *w, const char *jobs)
{
    const struct trace_options o = { 0 };
    char trace[16384];

    (void)snprintf(trace, sizeof(trace),
                   "priority_classes: {high: {value: 1}}\njobs:\n%s", jobs);
    world_init(w);
    if (world_load(w, TOPOLOGY, trace, &o) < 0)
        printf("\n  %s\n", gs_err_format(&w->err, 0, trace, sizeof(trace)));
    CU_ASSERT_EQUAL_FATAL(w->err.count, 0);
}

/* --- what is left --------------------------------------------------------- */

static const struct {
    const char *jobs, *policy;
    int64_t start, end, ran; /* of job a, in minutes */
} cases[] = {
    { "- {name: a, submit: 0, duration: 6h, gpus: 4, running_since: -2h,"
      " running_on: [n2]}\n",
      "fifo", 0, 240, 240 },
    { "- {name: a, submit: 0, duration: 6h, gpus: 4, running_on: [n2]}\n",
      "fifo", 0, 360, 360 },
    /* two hours on a slow node are one of work */
    { "- {name: a, submit: 0, duration: 6h, gpus: 4, running_since: -2h,"
      " running_on: [s1]}\n",
      "fifo", 0, 600, 600 },
    { "- {name: a, submit: 0, duration: 6h, gpus: 1, withdraw: true,"
      " running_since: -2h, running_on: [s1]}\n",
      "fifo", 0, 240, 240 },
    /* less than the gang stands: it waits for the rest, and then runs */
    { "- {name: a, submit: 0, duration: 1h, gpus: 4, replicas: 2,"
      " running_since: -30m, running_on: [n1]}\n"
      "- {name: b, submit: 0, duration: 1h, gpus: 4, running_since: -50m,"
      " running_on: [n2]}\n"
      "- {name: c, submit: 0, duration: 1h, gpus: 4, running_since: -50m,"
      " running_on: [n3]}\n"
      "- {name: d, submit: 0, duration: 30m, gpus: 4, running_since: -20m,"
      " running_on: [s1]}\n",
      "fifo", 10, 70, 60 },
    /* tasks that end by themselves: 2 + 2 + 1 */
    { "- {name: a, submit: 0, duration: 30m, completions: 5, replicas: 2,"
      " gpus: 1, running_since: -10m, running_on: [\"n1*2\"]}\n",
      "fifo", 0, 80, 80 },
    /* its estimate counts from before time 0: a would delay the head h */
    { "- {name: w, submit: 0, duration: 1h, gpus: 4, replicas: 3,"
      " running_since: -50m, running_on: [n1, n2, n3]}\n"
      "- {name: h, submit: 0, duration: 1h, gpus: 4, replicas: 4}\n"
      "- {name: a, submit: 1m, duration: 15m, gpus: 4}\n",
      "easy", 130, 145, 15 },
    /* evicted after 10 minutes: it does the 130 minutes again, */
    { "- {name: a, submit: 0, duration: 3h, gpus: 4, running_since: -2h,"
      " running_on: [n1]}\n"
      "- {name: b, submit: 10m, duration: 1h, gpus: 4, replicas: 3,"
      " priority: high}\n"
      "- {name: c, submit: 0, duration: 9h, gpus: 4, priority: high,"
      " running_on: [s1]}\n",
      "priority-preempt", 0, 250, 190 },
    /* ... or 10 of them, after a checkpoint before time 0 */
    { "- {name: a, submit: 0, duration: 3h, gpus: 4, running_since: -2h,"
      " checkpoint: 1h, running_on: [n1]}\n"
      "- {name: b, submit: 10m, duration: 1h, gpus: 4, replicas: 3,"
      " priority: high}\n"
      "- {name: c, submit: 0, duration: 9h, gpus: 4, priority: high,"
      " running_on: [s1]}\n",
      "priority-preempt", 0, 130, 70 },
};

static void test_left(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct gsched_profile *p;
        const struct report_job *a;
        struct watch v;
        struct world w;

        load(&w, cases[i].jobs);
        p = world_profile(&w, cases[i].policy);
        watch_open(&v, &w, p);
        v.paced = true;
        v.gangs = false; /* of which a part stands */
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, &v.observer), 0);
        CU_ASSERT_EQUAL(watch_close(&v), 0);
        if (v.faults)
            printf("\n  case %zu: watch.c:%d\n", i, v.line);
        a = world_job(&w, "a");
        CU_ASSERT_EQUAL(a->state, REPORT_DONE);
        CU_ASSERT_EQUAL(a->start, cases[i].start * MINUTE);
        CU_ASSERT_EQUAL(a->end, cases[i].end * MINUTE);
        CU_ASSERT_EQUAL(a->ran, cases[i].ran * MINUTE);
        if (a->end != cases[i].end * MINUTE)
            printf("\n  case %zu: ends at %" PRId64 "\n", i, a->end / MINUTE);
        world_fini(&w);
    }
}

/* No row begins before time 0, and each stands where the trace says. */
static void test_rows(void)
{
    uint32_t nodes = 0;
    struct world w;

    load(&w, "- {name: a, submit: 0, duration: 6h, running_since: -2h, tasks:"
             " [{name: x, gpus: 1, running_on: [n3]},"
             " {name: y, replicas: 3, gpus: 2, running_on: [n1, s1*2]}]}\n");
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
    CU_ASSERT_EQUAL(w.log->placement_count, 3);
    for (uint32_t i = 0; i < w.log->placement_count; i++) {
        const struct report_placement *p = &w.log->placement[i];
        const char *node = gs_strtab_str(w.names, w.topo->node_name[p->node]);

        CU_ASSERT_EQUAL(p->start, 0);
        CU_ASSERT_EQUAL(p->end, 600 * MINUTE); /* half as fast */
        if (strcmp(node, "n3") == 0)
            CU_ASSERT(p->group == 0 && p->tasks == 1);
        if (strcmp(node, "n1") == 0)
            CU_ASSERT(p->group == 1 && p->tasks == 1 && p->first_task == 0);
        if (strcmp(node, "s1") == 0)
            CU_ASSERT(p->group == 1 && p->tasks == 2 && p->first_task == 1);
        nodes |= 1u << p->node;
    }
    CU_ASSERT_EQUAL(nodes, 0xd); /* n1, n3, s1 */
    world_fini(&w);
}

/* The youngest of equals is the victim, by when it began before time 0. */
static void test_youngest(void)
{
    struct world w;

    load(&w, "- {name: a, submit: 0, duration: 6h, gpus: 4, running_since: -1h,"
             " running_on: [n1]}\n"
             "- {name: b, submit: 0, duration: 6h, gpus: 4, running_since: -2h,"
             " running_on: [n2]}\n"
             "- {name: c, submit: 0, duration: 6h, gpus: 4, running_since: -2h,"
             " running_on: [n3]}\n"
             "- {name: d, submit: 0, duration: 9h, gpus: 4, running_since: -2h,"
             " running_on: [s1]}\n"
             "- {name: x, submit: 1m, duration: 1h, gpus: 4,"
             " priority: high}\n");
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "priority-preempt", NULL, NULL), 0);
    CU_ASSERT_EQUAL(world_job(&w, "a")->evictions, 1);
    CU_ASSERT_EQUAL(world_job(&w, "b")->evictions, 0);
    CU_ASSERT_EQUAL(world_job(&w, "c")->evictions, 0);
    CU_ASSERT_EQUAL(world_job(&w, "d")->evictions, 0);
    world_fini(&w);
}

/* --- cut anywhere, it goes on the same ------------------------------------ */

static uint32_t draw(struct gs_rng *rng, uint32_t n)
{
    return gs_rng_u32(rng) % n;
}

/* Policies whose state is what runs and waits.  Not `plan: keep`, which keeps
 * its plan, and not `enqueue`, which keeps those that it let in.  EASY and
 * plans try a job once in a cycle: a gang may be passed over that fits what
 * jobs behind it left, and the cut tries it again.
 */
static const struct {
    const char *policy, *set;
    bool alone;        /* jobs have one task each */
    uint32_t estimate; /* at least, in seconds */
} goes_on[] = {
    { "fifo", NULL, false, 30 },
    { "binpack", NULL, false, 30 },
    { "spread", NULL, false, 30 },
    { "kube-default", NULL, false, 30 },
    { "drf", NULL, false, 30 },
    { "topology", NULL, false, 30 },
    { "priority-preempt", NULL, false, 30 },
    { "easy", NULL, true, 30 },
    { "hybrid", NULL, true, 30 },
    { "conservative", "backfill.plan=replan", true, 900 },
    { "actions: [allocate, reclaim, preempt, backfill]\n"
      "modules: [priority, gang, drf, queue, fit, binpack]\n",
      NULL, false, 30 },
};

static void draw_jobs(struct gs_rng *rng, size_t c, char *out, size_t size)
{
    out[0] = '\0';
    for (uint32_t i = 0; i < 30; i++)
        gs_text_add(out, size,
                    "- {name: j%u, submit: %us, duration: %us, estimate: %us,"
                    " gpus: %u, replicas: %u}\n",
                    i, draw(rng, 4) * 100, 50 + draw(rng, 400),
                    goes_on[c].estimate + draw(rng, 500), 1 + draw(rng, 4),
                    goes_on[c].alone ? 1 : 1 + draw(rng, 3));
}

/* Tasks of the job on the node at time `at`. */
static uint32_t tasks_on(const struct world *w, uint32_t job, uint32_t node,
                         int64_t at)
{
    uint32_t tasks = 0;

    for (uint32_t k = 0; k < w->log->placement_count; k++) {
        const struct report_placement *p = &w->log->placement[k];

        if (p->job == job && p->node == node && p->start < at
            && (p->end < 0 || p->end > at))
            tasks += p->tasks;
    }
    return tasks;
}

/* What `w` held at time `at`, as a trace that begins then. */
static void cut(const struct world *w, int64_t at, char *out, size_t size)
{
    out[0] = '\0';
    for (uint32_t i = 0; i < w->work->job_count; i++) {
        const struct trace_job *j = &w->work->job[i];
        const struct report_job *r = &w->job[i];
        const int64_t submit = j->submit > at ? j->submit - at : 0;
        const char *first = ", running_on: [";

        if (r->end >= 0 && r->end <= at)
            continue;
        gs_text_add(
            out, size,
            "- {name: %s, submit: %" PRId64 "s, duration: %" PRId64
            "s, estimate: %" PRId64 "s, gpus: %u, replicas: %u",
            gs_strtab_str(w->names, j->name), submit / SECOND,
            j->duration / SECOND, j->estimate / SECOND,
            w->work->shape[trace_group_at(w->work, j->first_group)->shape].gpus,
            j->tasks);
        if (r->start >= 0 && r->start < at)
            gs_text_add(out, size, ", running_since: -%" PRId64 "s",
                        (at - r->start) / SECOND);
        for (uint32_t n = 0; n < w->topo->node_count; n++) {
            const uint32_t tasks = tasks_on(w, i, n, at);

            if (tasks == 0)
                continue;
            gs_text_add(out, size, "%s%s*%u", first,
                        gs_strtab_str(w->names, w->topo->node_name[n]), tasks);
            first = ", ";
        }
        gs_text_add(out, size, first[2] == '\0' ? "]}\n" : "}\n");
    }
}

static const struct gsched_profile *profile_of(struct world *w, size_t c)
{
    struct gsched_profile *p = world_profile(w, goes_on[c].policy);

    if (goes_on[c].set)
        CU_ASSERT_EQUAL_FATAL(
            gsched_profile_set(p, goes_on[c].set, w->arena, &w->err), 0);
    return p;
}

static void test_cut(void)
{
    uint32_t warm = 0;

    for (unsigned seed = 0; seed < suite_rounds(110); seed++) {
        const size_t c = seed % N_ELEMENTS(goes_on);
        const char *with = goes_on[c].policy;
        const struct gsched_profile *p;
        char whole[8192], rest[8192];
        struct world w, x;
        struct gs_rng rng;
        struct watch v;
        int64_t at;

        gs_rng_init(&rng, seed, "warm");
        draw_jobs(&rng, c, whole, sizeof(whole));
        /* between two instants at which anything happens */
        at = (1 + draw(&rng, 500)) * SECOND;
        load(&w, whole);
        p = profile_of(&w, c);
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&w, p, NULL), 0);
        cut(&w, at, rest, sizeof(rest));
        load(&x, rest);
        warm += x.work->stand_count;
        p = profile_of(&x, c);
        watch_open(&v, &x, p);
        v.paced = true;
        CU_ASSERT_EQUAL_FATAL(world_run_profile(&x, p, &v.observer), 0);
        CU_ASSERT_EQUAL(watch_close(&v), 0);
        for (uint32_t i = 0; i < x.work->job_count; i++) {
            const char *name = gs_strtab_str(x.names, x.work->job[i].name);
            const struct report_job *before = world_job(&w, name);
            const struct report_job *r = &x.job[i];

            CU_ASSERT_EQUAL(r->end, before->end < 0 ? -1 : before->end - at);
            if (r->end != (before->end < 0 ? -1 : before->end - at))
                printf("\n  seed %u, %s: %s ends at %" PRId64 ", not %" PRId64
                       "\n",
                       seed, with, name, r->end / SECOND,
                       (before->end - at) / SECOND);
        }
        world_fini(&w);
        world_fini(&x);
    }
    CU_ASSERT(warm > suite_rounds(110));
}

/* --- mistakes ------------------------------------------------------------- */

static const struct {
    const char *job, *why; /* told of line 4 */
} mistakes[] = {
    { "gpus: 4, running_on: [n9]", "the topology has no such node" },
    { "gpus: 4, running_on: [n1]", "no room for them" },
    { "gpus: 5, running_on: [n2]", "too small" },
    { "gpus: 1, model: H100, running_on: [n2]", "has other GPUs" },
    { "gpus: 1, replicas: 2, running_on: [n2, n2]", "node 'n2' twice" },
    { "gpus: 1, replicas: 2, running_on: [n2*3]", "3 tasks stand, of 2" },
    { "gpus: 1, replicas: 3, running_on: [n2*3], completions: 2",
      "3 tasks stand, of 2 'completions'" },
    { "gpus: 1, running_on: [n2*0]", "must be a list of nodes" },
    { "gpus: 1, running_on: [n2*99999999999]", "must be a list of nodes" },
    { "gpus: 1, running_on: [\"*2\"]", "must be a list of nodes" },
    { "gpus: 1, running_on: n2", "must be a list of nodes" },
    { "gpus: 1, running_on: []", "must be a list of nodes" },
    { "gpus: 1, running_on: [[n2]]", "must be a list of nodes" },
    { "gpus: 1, running_since: -1h", "needs 'running_on'" },
    { "gpus: 1, running_since: 1h, running_on: [n2]", "0 or a time before" },
    { "gpus: 1, running_since: -2h, running_on: [n2]", "would be over" },
    { "gpus: 1, queued_since: 1h", "0 or a time before" },
    { "gpus: 1, admitted_since: -1h", "needs 'admitted: true' or" },
    { "gpus: 1, task_interval: 5s, running_on: [n2]", "exclude each other" },
    { "gpus: 1, load: {low: 1, high: 2}, running_on: [n2]",
      "exclude each other" },
};

static void test_mistakes(void)
{
    for (size_t i = 0; i <= N_ELEMENTS(mistakes); i++) {
        const bool is_late = i == N_ELEMENTS(mistakes);
        const char *why = is_late ? "its 'submit' is 0" : mistakes[i].why;
        const struct trace_options o = { 0 };
        struct world w;
        char trace[512], told[512];
        int rc;

        (void)snprintf(trace, sizeof(trace),
                       "jobs:\n"
                       "- {name: a, submit: 0, duration: 2h, gpus: 4,"
                       " running_on: [n1]}\n"
                       "#\n"
                       "- {name: b, submit: %s, duration: 2h, %s}\n",
                       is_late ? "1" : "0",
                       is_late ? "gpus: 1, running_on: [n2]" : mistakes[i].job);
        world_init(&w);
        rc = world_load(&w, TOPOLOGY, trace, &o);
        if (rc == 0)
            rc = world_run(&w, "fifo", NULL, NULL);
        CU_ASSERT_EQUAL(rc, -1);
        (void)gs_err_format(&w.err, 0, told, sizeof(told));
        CU_ASSERT(strstr(told, ":4:") && strstr(told, why));
        if (!strstr(told, ":4:") || !strstr(told, why))
            printf("\n  case %zu: %s\n", i, told);
        world_fini(&w);
    }
}

/* A node that the scenario has not yet holds nothing. */
static void test_absent(void)
{
    struct world w;
    char told[512];

    load(&w, "- {name: a, submit: 0, duration: 2h, gpus: 4,"
             " running_on: [n1]}\n");
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "events: [{at: 1h, node: n1, what: add}]\n"), 0);
    CU_ASSERT_EQUAL(world_run(&w, "fifo", NULL, NULL), -1);
    (void)gs_err_format(&w.err, 0, told, sizeof(told));
    CU_ASSERT(strstr(told, "which the scenario has not then") != NULL);
    world_fini(&w);
}

/* A node that jobs hold is not one that the autoscaler has still to bring. */
static void test_scaled(void)
{
    struct world w;

    load(&w, "- {name: a, submit: 0, duration: 2h, gpus: 4,"
             " running_on: [n2]}\n"
             "- {name: b, submit: 0, duration: 1h, gpus: 4}\n");
    CU_ASSERT_EQUAL_FATAL(
        world_outages(&w, "autoscale: [{type: t, min: 1, delay: 10m},"
                          " {type: slow, delay: 1h}]\n"),
        0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
    CU_ASSERT_EQUAL(world_job(&w, "a")->end, 120 * MINUTE);
    CU_ASSERT_EQUAL(world_job(&w, "b")->start, 10 * MINUTE);
    world_fini(&w);
}

/* --- nodes that are gone -------------------------------------------------- */

/* Of job a, once n2 is gone: tasks that stand, and minutes it has to do. */
static const struct {
    const char *job;
    uint32_t jobs, stands;
    int64_t duration, since;
} leaving[] = {
    { "duration: 6h, gpus: 1, replicas: 3, running_since: -100m,"
      " running_on: [n1, n2, n3]",
      1, 0, 360, 0 },
    { "duration: 6h, gpus: 1, replicas: 3, running_since: -100m,"
      " checkpoint: 30m, running_on: [n1, n2, n3]",
      1, 0, 270, 0 },
    { "duration: 6h, gpus: 1, running_since: -100m, restart: resume,"
      " running_on: [n2]",
      1, 0, 260, 0 },
    { "duration: 6h, gpus: 1, running_since: -100m, running_on: [n1]", 0, 1,
      360, -100 },
    { "duration: forever, gpus: 1, replicas: 2, gang: 1, running_since: -100m,"
      " running_on: [n2, n3]",
      1, 1, INT64_MAX / MINUTE, -100 },
    { "duration: 6h, gpus: 1, replicas: 2, completions: 9,"
      " running_since: -100m, running_on: [n1, n2]",
      1, 1, 360, -100 },
    /* it held a part only, and holds the rest of it */
    { "duration: 6h, gpus: 1, replicas: 3, running_since: -100m,"
      " running_on: [n1, n2]",
      1, 1, 360, -100 },
};

static void test_leaving(void)
{
    for (size_t i = 0; i < N_ELEMENTS(leaving); i++) {
        const struct trace_job *a;
        const struct topo *t;
        char jobs[512];
        struct world w;

        (void)snprintf(jobs, sizeof(jobs), "- {name: a, submit: 0, %s}\n",
                       leaving[i].job);
        load(&w, jobs);
        t = topo_without(w.topo, gs_strtab_put(w.names, "n2", 2), w.arena,
                         &w.err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_EQUAL(sim_warm_leave(w.topo, t, w.work), leaving[i].jobs);
        a = &w.work->job[0];
        CU_ASSERT_EQUAL(a->aside->stand_count, leaving[i].stands);
        CU_ASSERT_EQUAL(a->duration / MINUTE, leaving[i].duration);
        CU_ASSERT_EQUAL(a->aside->since, leaving[i].since * MINUTE);
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "what is left of a job's work is done", test_left },
        { "rows begin at time 0 where the trace says", test_rows },
        { "the youngest is the victim, by its time before 0", test_youngest },
        { "a trace that is cut anywhere goes on the same", test_cut },
        { "mistakes are told with their line", test_mistakes },
        { "a node that is not there holds nothing", test_absent },
        { "an autoscaler begins with the nodes that jobs hold", test_scaled },
        { "jobs on nodes that are gone begin anew", test_leaving },
    };

    return suite_run("warm", suite, N_ELEMENTS(suite));
}
