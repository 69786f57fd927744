/* tests/topology/test_openb_nodes.c - openb's node lists. */
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

#define H "sn,cpu_milli,memory_mib,gpu,model\n"
#define COLUMNS " (a node list has sn, cpu_milli, memory_mib, gpu, model)"

static const struct load_topo_case good[] = {
    { H "a,64000,262144,2,P100\n",
      "cluster: 1 nodes, 2 GPUs, 1 domains\n"
      "class P100: 2 x 'P100', cpu 64000, memory 274877906944, gpu 2000\n"
      "a is P100\n",
      NULL },
    /* equal nodes are one class, others are not; order stays */
    { H "b,1,1,1,T4\na,1,1,1,T4\nc,1,2,1,T4\nd,1,1,0,\ne,1,1,0,T4\n",
      "cluster: 5 nodes, 3 GPUs, 1 domains\n"
      "class T4: 1 x 'T4', cpu 1, memory 1048576, gpu 1000\n"
      "class T4: 1 x 'T4', cpu 1, memory 2097152, gpu 1000\n"
      "class cpu: 0 x '', cpu 1, memory 1048576\n"
      "b is T4\n"
      "a is T4\n"
      "c is T4\n"
      "d is cpu\n"
      "e is cpu\n",
      NULL },
    /* any order of columns, others beside them, CR LF, no last line end */
    { "model,zone,gpu,sn,memory_mib,cpu_milli\r\nA10,x,64,\"a,b\",0,0",
      "cluster: 1 nodes, 64 GPUs, 1 domains\n"
      "class A10: 64 x 'A10', gpu 64000\n"
      "a,b is A10\n",
      NULL },
    { "\xef\xbb\xbf" H "\na,1,0,1,\n\n",
      "cluster: 1 nodes, 1 GPUs, 1 domains\n"
      "class : 1 x '', cpu 1, gpu 1000\n"
      "a is \n",
      NULL },
    { H "\xc3\xa4,1,0,1,\xe2\x82\xac\n",
      "cluster: 1 nodes, 1 GPUs, 1 domains\n"
      "class \xe2\x82\xac: 1 x '\xe2\x82\xac', cpu 1, gpu 1000\n"
      "\xc3\xa4 is \xe2\x82\xac\n",
      NULL },
    { H "a,4294967295,4294967295,0,\n",
      "cluster: 1 nodes, 0 GPUs, 1 domains\n"
      "class cpu: 0 x '', cpu 4294967295, memory 4503599626321920\n"
      "a is cpu\n",
      NULL },
};

/* More of them are in tests/data/bad/topology. */
static const struct load_topo_case bad[] = {
    { H, NULL, "t.csv: the topology has no nodes" },
    { "name,cpu_milli,memory_mib,gpu,model\na,1,1,1,T4\n", NULL,
      "t.csv:1:1: the header has no column 'sn'" COLUMNS },
    { "sn,gpu\n", NULL,
      "t.csv:1:1: the header has no column 'cpu_milli'" COLUMNS },
    { H "a,4294967296,1,1,T4\n", NULL,
      "t.csv:2:3: 'cpu_milli' must be a whole number from 0 to 4294967295 (got "
      "'4294967296')" },
    { H "a,1,,1,T4\n", NULL,
      "t.csv:2:5: 'memory_mib' must be a whole number from 0 to 4294967295 "
      "(got '')" },
    { H "a,1,1,99999999999999999999,T4\n", NULL,
      "t.csv:2:7: 'gpu' must be a whole number from 0 to 64 (got "
      "'99999999999999999999')" },
    { H "a,1,1,1.0,T4\n", NULL,
      "t.csv:2:7: 'gpu' must be a whole number from 0 to 64 (got '1.0')" },
    { H "a,1,1,1,T4\n\na,1,1,1,T4\n", NULL,
      "t.csv:4:1: two nodes are called 'a'" },
    { H "a\x7f,1,1,1,T4\n", NULL,
      "t.csv:2:1: 'sn' must be printable text (got 'a?')" },
    { H "a\xc2\x9b,1,1,1,T4\n", NULL,
      "t.csv:2:1: 'sn' must be printable text (got 'a?\?')" },
    { H "a,1,1,1,T\xff\n", NULL,
      "t.csv:2:9: 'model' must be printable text (got 'T?')" },
    { H "a,1,1,1,T4,5\n", NULL,
      "t.csv:2:1: 6 fields where the header names 5" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_topo_check("t.csv", &good[i]);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_topo_check("t.csv", &bad[i]);
}

static bool fits_somewhere(const struct topo *t, const struct topo_request *r)
{
    for (uint32_t k = 0; k < t->class_count; k++) {
        if (topo_class_fit(t, k, r) > 0)
            return true;
    }
    return false;
}

/* Every pod of the sample has a node in the sample. */
static void test_sample(void)
{
    static const char *const models[] = { "V100M16", "V100M32", "T4",
                                          "P100",    "A10",     "G2" };
    const struct trace_options o = { .format = TRACE_AUTO };
    struct trace_facts facts;
    struct trace_workload *w;
    struct gs_input *in;
    struct load_topo l;

    load_topo_file(&l, "topology/samples/openb-nodes.csv");
    for (size_t i = 0; i < N_ELEMENTS(models); i++) {
        const uint32_t model = load_topo_id(&l, models[i]);
        const struct topo_request r = { .gpus = 1,
                                        .model = &model,
                                        .model_count = 1 };

        CU_ASSERT_TRUE(fits_somewhere(l.t, &r));
    }
    in = gs_input_open("traces/samples/openb-pods.csv", &l.err);
    w = trace_workload_create(l.arena, l.names, &l.dims);
    CU_ASSERT_EQUAL_FATAL(trace_read(in, &o, w, &facts, &l.err), 0);
    CU_ASSERT_TRUE(w->shape_count > 10);
    for (uint32_t i = 0; i < w->shape_count; i++)
        CU_ASSERT_TRUE(fits_somewhere(l.t, &w->shape[i]));
    gs_input_close(in);
    trace_workload_destroy(w);
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "good files are read", test_good },
        { "bad files are refused", test_bad },
        { "the sample has the published nodes", test_sample },
    };

    return suite_run("topology/openb", cases, N_ELEMENTS(cases));
}
