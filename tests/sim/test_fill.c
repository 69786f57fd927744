/* tests/sim/test_fill.c - allocation experiments small enough to be worked out
 * by hand.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "sim/study/fill.h"
#include "sim/study/fill_mix.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "traces/workload/workload_mix.h"

#define NODES_HEADER "sn,cpu_milli,memory_mib,gpu,model\n"
#define PODS_HEADER "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"

/* Four GPUs on two nodes, and a node without. */
static const char nodes[] = NODES_HEADER "a,64000,65536,2,T4\n"
                                         "c,64000,65536,0,\n"
                                         "b,64000,65536,2,T4\n";

struct fill_rig {
    struct world w;
    const struct topo *topo;
    struct fill_list *list;
};

static void rig_init(struct fill_rig *r, const char *topology, const char *pods,
                     uint32_t load)
{
    static const struct trace_options o = { .arrivals_only = true };

    world_init(&r->w);
    CU_ASSERT_EQUAL_FATAL(world_load(&r->w, topology, pods, &o), 0);
    r->topo = fill_topology(r->w.topo, "nodes", r->w.arena, &r->w.err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->topo);
    r->list = fill_list_create(r->topo, r->w.work, load, "pods", &r->w.err);
}

static void rig_fini(struct fill_rig *r)
{
    fill_list_destroy(r->list);
    world_fini(&r->w);
}

/* --- one experiment ------------------------------------------------------- */

/* Each device takes one task of 600 and then none: 8 come (4800 of 5200), one
 * at every 15 percent, 4 are placed.
 */
static void test_shares(void)
{
    struct fill_point p[130];
    struct fill_rig r;

    rig_init(&r, nodes, PODS_HEADER "x,1000,1,1,600,\ny,1000,1,1,600,\n", 1300);
    CU_ASSERT_EQUAL(r.topo->node_count, 2);
    CU_ASSERT_EQUAL(fill_points(1300), 130);
    CU_ASSERT_EQUAL(fill_list_tasks(r.list), 2);
    CU_ASSERT_EQUAL(fill_list_weight(r.list), 2);
    CU_ASSERT_EQUAL(
        fill_run(r.list, world_profile(&r.w, "binpack"), 1, 1300, p, &r.w.err),
        0);
    for (uint32_t percent = 1; percent <= 130; percent++) {
        const int64_t came = percent / 15, placed = came < 4 ? came : 4;

        CU_ASSERT_EQUAL(p[percent - 1].allocated, placed * 600);
        CU_ASSERT_EQUAL(p[percent - 1].fragmented, placed * 400 * 2);
    }
    rig_fini(&r);
}

/* For tasks without GPUs all that is free is fragmented; they come between
 * the others, and change nothing else.
 */
static void test_cpu_only_tasks(void)
{
    struct fill_point p[100];
    struct fill_rig r;

    rig_init(&r, nodes, PODS_HEADER "x,100,1,1,600,\ny,100,1,0,0,\n", 1000);
    CU_ASSERT_EQUAL(fill_list_weight(r.list), 2);
    for (uint64_t seed = 0; seed < 20; seed++) {
        CU_ASSERT_EQUAL(fill_run(r.list, world_profile(&r.w, "spread"), seed,
                                 1000, p, &r.w.err),
                        0);
        CU_ASSERT_EQUAL(p[14].allocated, 600);
        CU_ASSERT_EQUAL(p[14].fragmented, 400 + 3400);
        CU_ASSERT_EQUAL(p[13].allocated, 0);
        CU_ASSERT_EQUAL(p[13].fragmented, 4000);
        CU_ASSERT_EQUAL(p[99].allocated, 2400);
        CU_ASSERT_EQUAL(p[99].fragmented, 1600 + 1600);
    }
    rig_fini(&r);
}

/* A list that asks for more than the load is cut where it would be passed, as
 * what is drawn is.
 */
static void test_load_is_kept(void)
{
    struct fill_point p[50];
    struct fill_rig r;

    rig_init(&r, nodes,
             PODS_HEADER "a,1,1,1,1000,\nb,1,1,1,1000,\nc,1,1,1,1000,\n"
                         "d,1,1,1,1000,\ne,1,1,1,1000,\n",
             500);
    CU_ASSERT_EQUAL(
        fill_run(r.list, world_profile(&r.w, "binpack"), 1, 500, p, &r.w.err),
        0);
    CU_ASSERT_EQUAL(p[23].allocated, 0);
    CU_ASSERT_EQUAL(p[24].allocated, 1000);
    CU_ASSERT_EQUAL(p[49].allocated, 2000);
    CU_ASSERT_EQUAL(p[49].fragmented, 0);
    rig_fini(&r);
}

/* Any trace, any topology: queues' limits, gangs, tiers and times are nothing
 * here; models and memory are.
 */
static void test_native_trace(void)
{
    static const char topology[] = "tiers: [{name: rack, fabric: rdma}]\n"
                                   "node_types:\n"
                                   "  t: {gpus: 2, model: T4, cpu: 8,"
                                   " memory: 8GiB}\n"
                                   "nodes:\n"
                                   "  - {type: t, name: 'n[1-2]', rack: r1}\n"
                                   "  - {type: t, name: 'm[1-2]', rack: r2}\n";
    static const char trace[] = "queues: [{name: default, limit: {gpu: 1}}]\n"
                                "jobs:\n"
                                "  - {name: gang, submit: 1h, duration: 1s,"
                                " replicas: 6, gpus: 1, memory: 4GiB,"
                                " topology: {within: rack}}\n"
                                "  - {name: alien, submit: 0, duration: 1s,"
                                " gpus: 2, model: H100}\n";
    struct fill_point p[100];
    struct fill_rig r;

    rig_init(&r, topology, trace, 1000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.list);
    CU_ASSERT_EQUAL(fill_list_tasks(r.list), 7);
    CU_ASSERT_EQUAL(r.topo->domain_count, 3);
    CU_ASSERT_EQUAL(fill_run(r.list, world_profile(&r.w, "volcano-default"), 1,
                             1000, p, &r.w.err),
                    0);
    CU_ASSERT_EQUAL(p[99].allocated, 6000);
    CU_ASSERT_EQUAL(p[99].fragmented, 2000); /* what the alien cannot use */
    rig_fini(&r);
}

static void test_refused(void)
{
    struct fill_rig r;

    rig_init(&r, nodes, PODS_HEADER "x,100,1,0,0,\n", 1000);
    CU_ASSERT_PTR_NULL(r.list);
    CU_ASSERT_EQUAL(r.w.err.code, GS_INPUT);
    CU_ASSERT_STRING_EQUAL(r.w.err.problem[0].text, "no task asks for GPUs");
    memset(&r.w.err, 0, sizeof(r.w.err));
    CU_ASSERT_PTR_NULL(fill_list_create(r.topo, r.w.work, 1000, "pods", NULL));
    rig_fini(&r);

    world_init(&r.w);
    (void)world_load(&r.w, NODES_HEADER "c,64000,65536,0,\n",
                     PODS_HEADER "x,1,1,1,1000,\n",
                     &(struct trace_options){ .arrivals_only = true });
    CU_ASSERT_PTR_NULL(fill_topology(r.w.topo, "nodes", r.w.arena, &r.w.err));
    CU_ASSERT_STRING_EQUAL(r.w.err.problem[0].text, "no node has GPUs");
    world_fini(&r.w);
}

/* --- the mix -------------------------------------------------------------- */

static int64_t place(struct fill_fragments *f, struct topo_cluster *c,
                     const struct topo_request *q, uint32_t device)
{
    return fill_fragment(f, c, topo_cluster_allocate(c, 0, q, 1, device).node);
}

/* Two of half a GPU, one of two GPUs, one of none, one of a model that is not
 * there, on a node of two GPUs.
 */
static void test_fragment_by_hand(void)
{
    const struct topo_request half = { .amount[TOPO_GPU] = 500,
                                       .amount[TOPO_CPU] = 1000,
                                       .share = 500 };
    const struct topo_request most = { .amount[TOPO_GPU] = 700, .share = 700 };
    const struct topo_request cpu = { .amount[TOPO_CPU] = 3000 };
    struct fill_fragments *f;
    struct topo_cluster *c;
    struct topo_mix *m;
    struct fill_rig r;

    rig_init(&r, NODES_HEADER "n,4000,65536,2,T4\n",
             PODS_HEADER "a,1000,1,1,500,\na2,1000,9,1,500,\nb,0,1,2,1000,\n"
                         "c,0,1,0,0,\nd,0,1,1,1000,P100\n",
             1300);
    CU_ASSERT_EQUAL(fill_list_weight(r.list), 5);
    m = trace_mix_create(r.w.work, r.topo, TRACE_MIX_PUBLISHED);
    c = topo_cluster_create(r.topo);
    f = fill_fragments_create(m, c, r.w.arena);
    CU_ASSERT_EQUAL(fill_fragment(f, c, UINT32_MAX), 2000 + 2000);
    CU_ASSERT_EQUAL(place(f, c, &half, 0), 1500 * 3);
    CU_ASSERT_EQUAL(place(f, c, &most, 1), 2 * 300 + 800 * 3);
    CU_ASSERT_EQUAL(place(f, c, &cpu, UINT32_MAX), 5 * 800);
    topo_cluster_destroy(c);
    topo_mix_destroy(m);
    rig_fini(&r);
}

/* Memory tells no kinds apart; the rarest 5 percent are left out. */
static void test_mix_is_cut(void)
{
    char pods[2048] = PODS_HEADER;
    struct fill_rig r;

    for (uint32_t i = 0; i < 40; i++)
        snprintf(pods + strlen(pods), sizeof(pods) - strlen(pods),
                 "p%u,1000,%u,1,%u,\n", i, i + 1,
                 i < 19   ? 500
                 : i < 38 ? 250
                 : i < 39 ? 1
                          : 2);
    rig_init(&r, nodes, pods, 1300);
    CU_ASSERT_EQUAL(r.w.work->shape_count, 40);
    CU_ASSERT_EQUAL(fill_list_weight(r.list), 38);
    rig_fini(&r);
}

/* --- many ----------------------------------------------------------------- */

/* The points of three policies with five seeds, to be freed. */
static struct fill_point *grid_run(struct fill_rig *r, uint32_t jobs)
{
    struct gsched_profile *profile[] = { world_profile(&r->w, "random"),
                                         world_profile(&r->w, "fgd"),
                                         world_profile(&r->w, "kube-default") };
    const struct fill_grid g = {
        .list = &r->list,
        .profile = profile,
        .lists = 1,
        .profiles = 3,
        .seeds = 5,
        .first_seed = 42,
        .load = 1300,
        .jobs = jobs,
    };
    struct fill_point *p = gs_array_new((size_t)15 * 130, sizeof(*p));

    CU_ASSERT_EQUAL(fill_grid_run(&g, p, &r->w.err), 0);
    return p;
}

static void test_processes_do_not_matter(void)
{
    static const uint32_t jobs[] = { 1, 4, 40 };
    const size_t size = sizeof(struct fill_point) * 15 * 130;
    struct fill_point *first;
    struct fill_rig r;

    rig_init(&r, "topology/samples/openb-nodes.csv",
             "traces/samples/openb-pods.csv", 1300);
    first = grid_run(&r, 1);
    for (size_t i = 0; i < N_ELEMENTS(jobs); i++) {
        struct fill_point *p = grid_run(&r, jobs[i]);

        CU_ASSERT_EQUAL(memcmp(first, p, size), 0);
        gs_array_free(p);
    }
    /* a seed is what makes a difference */
    CU_ASSERT_NOT_EQUAL(memcmp(first, first + 130, size / 15), 0);
    gs_array_free(first);
    rig_fini(&r);
}

/* The first failure in order is told, however many fail at once. */
static void test_first_failure(void)
{
    static const char no_rack[] = "consolidate";
    struct gsched_profile *profile[2];
    struct fill_rig r;
    struct fill_grid g = { .profile = profile,
                           .lists = 1,
                           .profiles = 2,
                           .seeds = 4,
                           .load = 1300,
                           .jobs = 4 };
    struct fill_point *p = gs_array_new((size_t)8 * 130, sizeof(*p));

    rig_init(&r, nodes, PODS_HEADER "x,1000,1,1,600,\n", 1300);
    g.list = &r.list;
    profile[0] = world_profile(&r.w, "binpack");
    profile[1] = world_profile(&r.w, no_rack);
    CU_ASSERT_PTR_NOT_NULL_FATAL(profile[1]);
    CU_ASSERT_EQUAL(fill_grid_run(&g, p, &r.w.err), -1);
    CU_ASSERT_EQUAL(r.w.err.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(r.w.err.problem[0].text, "consolidate"));
    gs_array_free(p);
    rig_fini(&r);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a share is on one device", test_shares },
        { "tasks without GPUs are placed", test_cpu_only_tasks },
        { "no more than the load arrives", test_load_is_kept },
        { "a native trace fills a cluster with tiers", test_native_trace },
        { "traces that make no experiment are refused", test_refused },
        { "fragmentation is as worked out by hand", test_fragment_by_hand },
        { "the mix keeps 95 percent of the tasks", test_mix_is_cut },
        { "the number of processes changes nothing",
          test_processes_do_not_matter },
        { "the first failure is reported", test_first_failure },
    };

    return suite_run("fill", cases, N_ELEMENTS(cases));
}
