/* tests/sim/test_vectors_victims.c - the order in which Slurm takes victims,
 * from the data (tests/data/vectors/slurm.yaml).
 */
#include "policies/scheduler.h"
#include "tests/lib/pods.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

#define SLURM "tests/data/vectors/slurm.yaml"
#define RANK_MAX 65535 /* of what Slurm compares */

static const char policy[] =
    "actions: [allocate, preempt]\n"
    "modules: [priority, gang, fit, {preemption: {search: order, delay: 1d}}]\n";

static uint32_t number(const struct gs_ynode *n, const char *key)
{
    const struct gs_ynode *v = gs_ynode_find(n, key);
    uint32_t whole = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_EQUAL_FATAL(sscanf(v->text, "%u", &whole), 1);
    return whole;
}

static const struct gs_ynode *candidate(const struct vector *v,
                                        const char *name)
{
    const struct gs_ynode *c = vector_in(v, "candidates")->child;

    while (c && strcmp(gs_ynode_find(c, "job")->text, name) != 0)
        c = c->next;
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    return c;
}

/* The candidates fill the cluster.  Then jobs come that need one node more than
 * is free, so that each of them takes the next victim.
 */
static void world_write(const struct vector *v, struct pods_text *topology,
                        struct pods_text *trace)
{
    uint32_t nodes = 0, asks = 1;

    pods_put(trace, "jobs:\n");
    for (const struct gs_ynode *c = vector_in(v, "candidates")->child; c;
         c = c->next) {
        const uint32_t rank = number(c, "tier_or_qos_prio");

        pods_put(trace,
                 "- {name: %s, submit: 0, duration: 1d, gpus: 1, replicas: "
                 "%u, priority: %u}\n",
                 gs_ynode_find(c, "job")->text, number(c, "nodes"),
                 rank < RANK_MAX ? rank : RANK_MAX);
        nodes += number(c, "nodes");
    }
    pods_put(topology,
             "node_types: {g: {gpus: 1}}\nnodes: [{name: 'n[1-%u]', type: "
             "g}]\n",
             nodes);
    for (const struct gs_ynode *o =
             gs_ynode_find(v->expected, "victim_order")->child;
         o; o = o->next) {
        pods_put(trace,
                 "- {name: for-%s, submit: 1, duration: 1d, gpus: 1, "
                 "replicas: %u, priority: %u}\n",
                 o->text, asks, RANK_MAX + 1);
        asks = number(candidate(v, o->text), "nodes");
    }
}

static const char *victim_of(const struct world *w,
                             const struct gsched_decision *d, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (d[i].kind == GSCHED_RETURN)
            return gs_strtab_str(w->names, w->work->job[d[i].job].name);
    }
    return "none";
}

static void order_check(const struct vector *v, const struct world *w,
                        struct gsched *s)
{
    const struct gs_ynode *o = gs_ynode_find(v->expected, "victim_order");
    uint32_t count = 0, job = 0;

    for (; w->work->job[job].submit == 0; job++)
        CU_ASSERT_EQUAL(gsched_submit(s, job, w->work->job[job].tasks, 0), 0);
    (void)gsched_cycle(s, 0, &count);
    for (o = o->child; o; o = o->next, job++) {
        const struct gsched_decision *d;

        CU_ASSERT_EQUAL(gsched_submit(s, job, w->work->job[job].tasks, job + 1),
                        0);
        d = gsched_cycle(s, job + 1, &count);
        if (strcmp(victim_of(w, d, count), o->text) != 0)
            vector_fails(v, victim_of(w, d, count), o->text);
    }
}

static void order_run(const struct vector *v)
{
    struct pods_text topology = { .len = 0 }, trace = { .len = 0 };
    const struct trace_options o = { 0 };
    const struct gsched_profile *p;
    struct topo_cluster *c = NULL;
    struct gsched *s = NULL;
    struct world w;

    CU_ASSERT_PTR_NOT_NULL_FATAL(gs_ynode_find(v->expected, "victim_order"));
    world_write(v, &topology, &trace);
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) == 0
        && (p = world_profile(&w, policy))) {
        c = topo_cluster_create(w.topo);
        s = gsched_create(c, w.work, p, 1, &w.err);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    order_check(v, &w, s);
    gsched_destroy(s);
    topo_cluster_destroy(c);
    world_fini(&w);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-preempt-", order_run },
    };
    static const struct vector_suite suite = {
        .name = "sim/vectors_victims",
        .file = SLURM,
        .group = groups,
        .groups = N_ELEMENTS(groups),
    };

    return vectors_main(&suite);
}
