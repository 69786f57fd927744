/* tests/sim/test_admission.c - quota before nodes: scenarios with their numbers
 * worked out by hand, replayed under preset kueue.
 */
#include "base/text.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define NODES                                                              \
    "cluster: c\nnode_types:\n  n: {gpus: 8, cpu: 64}\nnodes:\n"           \
    "  - {name: od, type: n, labels: {capacity: reserved}}\n"              \
    "  - {name: spot, type: n, labels: {capacity: spot}, taints: [\"spot=" \
    "true:NoSchedule\"]}\n"

struct case_of {
    const char *name, *set, *trace;
    const char *runs;    /* "job=first start-end ..." in seconds */
    const char *evicted; /* "job:reason ..." */
    const char *nodes;   /* "job=node ...", of the last placement of each */
};

/* team/b lends 4 of its 8 GPUs, team/a has none: x (4) runs at once on what is lent,
 * y (1) waits until x ends at 100 although 4 GPUs are free.
 */
#define LENDS                                                    \
    "queues:\n  - {name: team}\n  - {name: team/a, weight: 1}\n" \
    "  - {name: team/b, guarantee: {gpu: 8}, lend: {gpu: 4}}\n"

/* Three levels with 8 GPUs: x1 (6) has 2 of org/x/1, 2 of org/x and borrows 2 of
 * org/y.  At 10 z (4) wants all of org/y back: x1 goes, runs anew when z ends at
 * 60, and ends at 110.
 */
#define LEVELS                                                     \
    "queues:\n  - {name: org}\n  - {name: org/x, guarantee: "      \
    "{gpu: 2}}\n  - {name: org/x/1, guarantee: {gpu: 2}}\n"        \
    "  - {name: org/x/2}\n  - {name: org/y, guarantee: {gpu: 4}, " \
    "evicts_others: any}\n"

/* On-demand has 4 GPUs and is tried first: a takes them; b (2) and c (7) go to spot,
 * whose 8 are too few for both, so c waits until b ends at 101.
 */
#define KINDS                                                           \
    "flavors:\n  - {name: on-demand, nodes: {capacity: reserved}}\n"    \
    "  - {name: spot, nodes: {capacity: spot}, tolerations: "           \
    "[\"spot=true:NoSchedule\"]}\nqueues:\n  - name: q\n    flavors: "  \
    "[{name: on-demand, guarantee: {gpu: 4}}, {name: spot, guarantee: " \
    "{gpu: 8}}]\n"

#define THREE                                                      \
    "jobs:\n"                                                      \
    "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 3}\n" \
    "  - {name: b, queue: q, submit: 1, duration: 100, gpus: 2}\n" \
    "  - {name: c, queue: q, submit: 2, duration: 100, gpus: 1}\n"

static const struct case_of cases[] = {
    { "a cohort that lends 4 of 8", NULL,
      LENDS "jobs:\n"
            "  - {name: x, queue: team/a, submit: 0, duration: 100, gpus: 4}\n"
            "  - {name: y, queue: team/a, submit: 10, duration: 10, gpus: 1}\n",
      "x=0-100 y=100-110", "", "x=od y=od" },
    { "what is lent is taken back in three levels", NULL,
      LEVELS
      "jobs:\n"
      "  - {name: x1, queue: org/x/1, submit: 0, duration: 50, gpus: 6}\n"
      "  - {name: z, queue: org/y, submit: 10, duration: 50, gpus: 4}\n",
      "x1=0-110 z=10-60", "x1:reclaim", "x1=od z=od" },
    { "but not from a job that is not preemptible", NULL,
      LEVELS "jobs:\n"
             "  - {name: x1, queue: org/x/1, submit: 0, duration: 50, gpus: 6, "
             "preemptible: false}\n"
             "  - {name: z, queue: org/y, submit: 10, duration: 50, gpus: 4}\n",
      "x1=0-50 z=50-100", "", "x1=od z=od" },
    { "spot when on-demand is used up", NULL,
      KINDS "jobs:\n"
            "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 4}\n"
            "  - {name: b, queue: q, submit: 1, duration: 100, gpus: 2}\n"
            "  - {name: c, queue: q, submit: 2, duration: 100, gpus: 7}\n",
      "a=0-100 b=1-101 c=101-201", "", "a=od b=spot c=spot" },
    { "a first job blocks those behind it", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}, head_blocks: true}\n" THREE,
      "a=0-100 b=100-200 c=100-200", "", "a=od b=od c=od" },
    { "or those behind it pass", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\n" THREE,
      "a=0-100 b=100-200 c=2-102", "", "a=od b=od c=od" },
    /* 6 tasks of at least 2 get 4 GPUs, and no more when some are free again. */
    { "as many tasks as fit", NULL,
      "queues:\n  - {name: q, guarantee: {gpu: 4}}\njobs:\n"
      "  - {name: a, queue: q, submit: 0, duration: 100, gpus: 1, replicas: "
      "{min: 2, max: 6}}\n"
      "  - {name: b, queue: q, submit: 1, duration: 10, gpus: 1}\n",
      "a=0-100 b=100-110", "", "a=od b=od" },
};

static void equal(const char *name, const char *got, const char *want)
{
    if (strcmp(got, want) != 0) {
        printf("  %s: '%s', not '%s'\n", name, got, want);
        CU_FAIL("a scenario");
    }
}

static const char *job_name(const struct world *w, uint32_t job)
{
    return gs_strtab_str(w->names, w->work->job[job].name);
}

static void case_check(const struct case_of *c, const struct world *w)
{
    static const char *const reasons[REPORT_EVICTION_KINDS] = {
        [REPORT_TIMEOUT] = "timeout",
        [REPORT_PREEMPT] = "preempt",
        [REPORT_RECLAIM] = "reclaim",
        [REPORT_RECLAIM_BORROWING] = "reclaim-borrowing",
        [REPORT_RECLAIM_SHARE] = "reclaim-share",
    };
    char runs[400] = "", evicted[400] = "", nodes[400] = "";

    for (uint32_t j = 0; j < w->work->job_count; j++) {
        const char *node = "none";

        gs_text_add(runs, sizeof(runs), "%s%s=%lld-%lld", j ? " " : "",
                    job_name(w, j), (long long)w->log->job[j].start / 1000000,
                    (long long)w->log->job[j].end / 1000000);
        for (uint32_t i = 0; i < w->log->placement_count; i++) {
            if (w->log->placement[i].job == j)
                node = gs_strtab_str(
                    w->names, w->topo->node_name[w->log->placement[i].node]);
        }
        gs_text_add(nodes, sizeof(nodes), "%s%s=%s", j ? " " : "",
                    job_name(w, j), node);
    }
    for (uint32_t i = 0; i < w->log->eviction_count; i++) {
        const struct report_eviction *e = &w->log->eviction[i].what;

        gs_text_add(evicted, sizeof(evicted), "%s%s:%s", *evicted ? " " : "",
                    job_name(w, e->job),
                    reasons[e->kind] ? reasons[e->kind] : "?");
    }
    equal(c->name, runs, c->runs);
    equal(c->name, evicted, c->evicted);
    equal(c->name, nodes, c->nodes);
}

static void test_scenarios(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct world w;

        world_init(&w);
        if (world_load(&w, NODES, cases[i].trace, &(struct trace_options){ 0 })
                == 0
            && world_run(&w, "kueue", cases[i].set, NULL) == 0)
            case_check(&cases[i], &w);
        else
            equal(cases[i].name, w.err.problem[0].text, "");
        world_fini(&w);
    }
}

static void test_refused(void)
{
    static const char *const profiles[] = {
        "actions: [allocate, admit]\nunit: pod\nmodules: [fit]\n",
        "actions: [admit, enqueue, allocate]\nunit: pod\nmodules: [fit]\n",
    };

    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        struct world w;

        world_init(&w);
        CU_ASSERT_PTR_NULL(world_profile(&w, profiles[i]));
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "quota is held before nodes", test_scenarios },
        { "the place of admit in a profile", test_refused },
    };

    return suite_run("sim/admission", suite, sizeof(suite) / sizeof(suite[0]));
}
