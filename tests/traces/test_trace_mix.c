/* tests/traces/test_trace_mix.c - the mix of a workload: what is left out, and
 * what is rounded where there are very many kinds.
 */
#include "base/arena.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

/* Jobs of one task each, of one GPU; the i-th asks for 4 + i / 100 CPUs. */
static struct trace_workload *jobs_make(struct load_topo *l, uint32_t kinds)
{
    struct trace_workload *w = trace_workload_create(l->arena, l->names,
                                                     &l->dims);

    for (uint32_t i = 0; i < kinds; i++) {
        struct topo_request r = { .gpus = 1 };
        struct trace_group g = { .replicas = 1 };
        const struct trace_job j = { .duration = 1, .group_count = 1 };

        r.amount[TOPO_CPU] = 4000 + 10 * (int64_t)i;
        g.shape = trace_workload_shape(w, &r);
        (void)trace_workload_add(w, &j, &g);
    }
    trace_workload_finish(w, 0);
    return w;
}

/* How many of the mix fit a node with one GPU and `cpu` thousandths. */
static int64_t fitting(struct topo_mix *m, int64_t cpu)
{
    struct topo_free f = { .gpus_free = 1 };

    f.free[TOPO_CPU] = cpu;
    return topo_mix_weight(m) - topo_mix_fragment(m, &f) / TOPO_SHARE_ONE;
}

static void test_kinds(void)
{
    static const char text[] = "node_types: {a: {gpus: 8, cpu: 200}}\n"
                               "nodes: [{name: a, type: a}]\n";
    static const struct {
        uint32_t jobs;
        int64_t weight, cpu, fits;
    } cases[] = {
        { 100, 95, 4000 + 200, 21 }, /* the last five are left out */
        { 2000, 1900, 4000 + 200, 21 },
        /* Steps of 256 at first, of 512 from 4096 on, 1024 from 8192 on and so
         * forth: the 10 up to 4095 are left out, and two steps of 51.
         */
        { 3000, 2888, 4000 + 200, 51 },
    };
    struct load_topo l;

    load_topo_text(&l, "one", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct trace_workload *w = jobs_make(&l, cases[i].jobs);
        struct topo_mix *m = trace_mix_create(w, l.t, TRACE_MIX_FULL);

        CU_ASSERT_EQUAL(topo_mix_weight(m), cases[i].weight);
        CU_ASSERT_EQUAL(fitting(m, cases[i].cpu), cases[i].fits);
        CU_ASSERT_EQUAL(fitting(m, 200000), cases[i].weight);
        topo_mix_destroy(m);
        trace_workload_destroy(w);
    }
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a mix leaves out the rarest kinds", test_kinds },
    };

    return suite_run("traces/mix", suite, N_ELEMENTS(suite));
}
