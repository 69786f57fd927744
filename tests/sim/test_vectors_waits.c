/* tests/sim/test_vectors_waits.c - what the tests of kube-scheduler and of its
 * plugin Coscheduling expect of groups that wait for pods
 * (tests/data/vectors/volcano-kube.yaml).
 */
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

int main(void)
{
    static const struct vector_group groups[] = {
        { "sp-cosched-", permit_run },
        { "k8s-ganghint-", hint_run },
    };
    static const struct vector_listed listed[] = {
        { "sp-cosched-02",
          "needs podGroupBackoffSeconds, a pause after a group could not be "
          "placed: in gsim a group is tried again as soon as something is "
          "freed" },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors of waiting groups", VECTORS, groups, N_ELEMENTS(groups),
        listed, N_ELEMENTS(listed) });
}
