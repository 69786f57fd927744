/* tests/sim/test_vectors_waits.c - what the tests of kube-scheduler and of its
 * plugin Coscheduling expect of groups that wait for pods, and of the pauses
 * between attempts (tests/data/vectors/volcano-kube.yaml).
 */
#include <stdlib.h>

#include "policies/scheduler.h"
#include "tests/lib/pods.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

static const char one_node[] = "node_types: {t: {cpu: 16}}\n"
                               "nodes: [{name: n1, type: t}]\n";
static const char by_permits[] = "actions: [allocate]\n"
                                 "unit: pod\n"
                                 "modules: [priority, gang, fit]\n";
static const char by_gangs[] = "actions: [allocate]\n"
                               "modules: [priority, gang, fit]\n";

/* --- permits ------------------------------------------------------------ */

/* Pods of a group come one by one: which of them waits for the others, and
 * which lets them all start?
 */
static void permit_run(const struct vector *v)
{
    static const char *const nth[] = { "first", "second", "third", "fourth" };
    const struct trace_options o = { 0 };
    struct pods_text trace = { .len = 0 };
    struct world w;

    CU_ASSERT_STRING_EQUAL(vector_in(v, "assigned")->text, "0");
    pods_put(&trace,
             "jobs: [{name: group, submit: 0, duration: 100, cpu: 1, "
             "replicas: %s, gang: %s, task_interval: 1s}]\n",
             vector_in(v, "siblings")->text, vector_in(v, "minMember")->text);
    world_init(&w);
    if (world_load(&w, one_node, trace.at, &o) < 0
        || world_run(&w, by_permits, NULL, NULL) < 0)
        vector_fails(v, w.err.problem[0].text, trace.at);
    for (size_t i = 0; w.log && i < N_ELEMENTS(nth); i++) {
        const struct gs_ynode *e = gs_ynode_find(v->expected, nth[i]);
        const int64_t then = (int64_t)i * INT64_C(1000000);
        const int64_t start = world_job(&w, "group")->start;

        if (e
            && (strncmp(e->text, "Wait", 4) == 0 ? start <= then
                                                 : start != then))
            vector_fails(v, nth[i], e->text);
    }
    world_fini(&w);
}

/* --- hints ---------------------------------------------------------------- */

/* A group of 4 pods, 2 of them created, that waits for 3; and the same with
 * another minimum.
 */
#define GROUP(name, gang)                                                \
    "- {name: " name ", submit: 0, duration: 100, cpu: 1, replicas: 4, " \
    "gang: " gang "}\n"
static const char waiting[] = "jobs:\n" GROUP("group", "3")
    GROUP("decreased", "2") GROUP("increased", "4") GROUP("unchanged", "3");

/* What the event does to job 0, the group, after it was found to wait. */
static bool event_happens(struct gsched *s, const struct world *w,
                          const char *event)
{
    char word[32];

    if (strcmp(event, "pod of same group added") == 0)
        return gsched_tasks_created(s, 0, 3, 1) == 0;
    if (sscanf(event, "minCount %31s", word) != 1)
        return false;
    for (uint32_t i = 1; i < w->work->job_count; i++) {
        if (strcmp(gs_strtab_str(w->names, w->work->job[i].name), word) == 0)
            return gsched_replace(s, 0, i, 2, 1) == 0;
    }
    return false;
}

/* After an event that hints "Queue" the group is placed, since there is room;
 * after one that hints "Skip" it still waits.
 */
static void hint_check(const struct vector *v, const char *event,
                       const char *hint)
{
    const struct trace_options o = { 0 };
    const struct gsched_decision *d;
    struct topo_cluster *c = NULL;
    struct gsched *s = NULL;
    const struct gsched_profile *p;
    uint32_t before = 0, after = 0;
    struct world w;

    world_init(&w);
    if (world_load(&w, one_node, waiting, &o) == 0
        && (p = world_profile(&w, by_gangs))) {
        c = topo_cluster_create(w.topo);
        s = gsched_create(c, w.work, p, 1, &w.err);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(gsched_submit(s, 0, 2, 0), 0);
    (void)gsched_cycle(s, 0, &before);
    if (!event_happens(s, &w, event))
        vector_fails(v, "unknown event", event);
    d = gsched_cycle(s, 1, &after);
    CU_ASSERT_EQUAL(before, 0);
    if ((after > 0 && d[0].kind == GSCHED_PLACE)
        != (strcmp(hint, "Queue") == 0))
        vector_fails(v, event, hint);
    gsched_destroy(s);
    topo_cluster_destroy(c);
    world_fini(&w);
}

static void hint_run(const struct vector *v)
{
    const struct gs_ynode *hint = gs_ynode_find(v->expected, "hint");

    CU_ASSERT_PTR_NOT_NULL_FATAL(hint);
    hint = hint->child;
    for (const struct gs_ynode *e = vector_in(v, "events")->child; e;
         e = e->next) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(hint);
        hint_check(v, e->text, hint->text);
        hint = hint->next;
    }
}

/* --- pauses --------------------------------------------------------------- */

/* Job 0, a group that needs the whole node; the others hold one CPU each. */
struct retry_world {
    struct world w;
    struct topo_cluster *c;
    struct gsched *s;
    int64_t now;
};

static void retry_open(struct retry_world *r, const char *group,
                       uint32_t others, const char *profile)
{
    const struct trace_options o = { 0 };
    struct pods_text trace = { .len = 0 };
    const struct gsched_profile *p;
    uint32_t count;

    *r = (struct retry_world){ .now = 0 };
    pods_put(&trace, "jobs:\n- {name: group, submit: 0, duration: 1, %s}\n",
             group);
    for (uint32_t i = 0; i < others; i++)
        pods_put(&trace, "- {name: j%u, submit: 0, duration: 1, cpu: 1}\n", i);
    world_init(&r->w);
    if (world_load(&r->w, one_node, trace.at, &o) == 0
        && (p = world_profile(&r->w, profile))) {
        r->c = topo_cluster_create(r->w.topo);
        r->s = gsched_create(r->c, r->w.work, p, 1, &r->w.err);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->s);
    for (uint32_t i = 1; i <= others; i++)
        CU_ASSERT_EQUAL(gsched_submit(r->s, i, 1, 0), 0);
    (void)gsched_cycle(r->s, 0, &count);
    CU_ASSERT_EQUAL(count, others);
    CU_ASSERT_EQUAL(gsched_submit(r->s, 0, r->w.work->job[0].tasks, 0), 0);
    (void)gsched_cycle(r->s, 0, &count);
    CU_ASSERT_EQUAL(count, 0);
}

static void retry_close(struct retry_world *r)
{
    gsched_destroy(r->s);
    topo_cluster_destroy(r->c);
    world_fini(&r->w);
}

/* One of the others ends; the number of tasks that are placed then. */
static uint32_t after_end(struct retry_world *r, uint32_t job, int64_t at)
{
    uint32_t count;

    CU_ASSERT_EQUAL(gsched_end(r->s, job, at), 0);
    (void)gsched_cycle(r->s, at, &count);
    r->now = at;
    return count;
}

#define MOST_ATTEMPTS 15

/* Each attempt but the first is made when an event frees too little, long after
 * the pause before it.
 */
static void pauses_run(const struct vector *v)
{
    const struct gs_ynode *expected = gs_ynode_find(v->expected, "backoff_s");
    const struct gs_ynode *attempt = vector_in(v, "attempts")->child;
    char profile[200];
    struct retry_world r;
    uint32_t made = 1;

    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    snprintf(profile, sizeof(profile),
             "actions: [allocate]\nunit: pod\n"
             "modules: [priority, fit, retry: {first: %ss, most: %ss}]\n",
             vector_in(v, "initial_s")->text, vector_in(v, "max_s")->text);
    retry_open(&r, "cpu: 16", MOST_ATTEMPTS, profile);
    for (expected = expected->child; expected && attempt;
         expected = expected->next, attempt = attempt->next) {
        const int64_t pause = strtoll(expected->text, NULL, 10) * 1000000;
        const uint32_t wanted = (uint32_t)strtoul(attempt->text, NULL, 10);

        CU_ASSERT_FATAL(wanted > 0 && wanted < MOST_ATTEMPTS);
        for (; made < wanted; made++)
            CU_ASSERT_EQUAL(after_end(&r, made, r.now + INT64_C(9000000000)),
                            0);
        if (gsched_next_wake(r.s) != r.now + pause)
            vector_fails(v, attempt->text, expected->text);
    }
    CU_ASSERT(!expected && !attempt);
    retry_close(&r);
}

/* A group could not be placed.  What is freed in its pause changes nothing. */
static void group_pause_run(const struct vector *v)
{
    const char *seconds = vector_in(v, "podGroupBackoffSeconds")->text;
    const int64_t pause = strtoll(seconds, NULL, 10) * 1000000;
    const struct gs_ynode *e = gs_ynode_find(v->expected,
                                             "following_prefilter");
    const bool waits = e && strstr(e->text, "during backoff");
    char profile[200];
    struct retry_world r;
    uint32_t count;

    CU_ASSERT_STRING_EQUAL(vector_in(v, "case")->text, "group not schedulable");
    CU_ASSERT(pause > 1);
    snprintf(profile, sizeof(profile),
             "actions: [allocate]\nunit: pod\n"
             "modules: [priority, gang, fit, "
             "retry: {first: 0s, gang: %ss, part: 100}]\n",
             seconds);
    retry_open(&r, "cpu: 1, replicas: 16", 1, profile);
    count = after_end(&r, 1, pause - 1);
    if ((count == 0) != waits)
        vector_fails(v, "in the pause", e ? e->text : "");
    (void)gsched_cycle(r.s, pause, &count);
    CU_ASSERT_EQUAL(gsched_placed(r.s, 0) == 16, waits);
    retry_close(&r);
}

static void group_run(const struct vector *v)
{
    (gs_ynode_find(v->in, "podGroupBackoffSeconds") ? group_pause_run
                                                    : permit_run)(v);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "sp-cosched-", group_run },
        { "k8s-ganghint-", hint_run },
        { "k8s-backoff-", pauses_run },
    };

    return vectors_main(&(struct vector_suite){ "sim/vectors of what waits",
                                                VECTORS, groups,
                                                N_ELEMENTS(groups), NULL, 0 });
}
