/* tests/topology/test_native.c - topologies in gsim's own YAML. */
#include "tests/lib/load_topo.h"

#define T "node_types:\n  g: {gpus: 8}\n"

static const struct load_topo_case good[] = {
    { T "nodes: [{name: a, type: g}]",
      "cluster: 1 nodes, 8 GPUs, 1 domains\n"
      "class g: 8 x '', gpu 8000\n"
      "a is g\n",
      NULL },
    { "{cluster: c, node_types: {g: {}}, nodes: [{name: a, type: g}]}",
      "c: 1 nodes, 0 GPUs, 1 domains\n"
      "class g: 0 x ''\n"
      "a is g\n",
      NULL },
    { "{\"node_types\": {\"g\": {\"gpus\": 1}},\n"
      " \"nodes\": [{\"name\": \"a\", \"type\": \"g\"}]}",
      "cluster: 1 nodes, 1 GPUs, 1 domains\n"
      "class g: 1 x '', gpu 1000\n"
      "a is g\n",
      NULL },
    /* all that a type may state */
    { "node_types:\n"
      "  g: {gpus: 8, model: H100, gpu_memory: 80GiB, cpu: 1.5, memory: 2TiB,"
      " rdma: 500m, pods: 110, numa: 2,\n"
      "      labels: {z: 1, y: two}, resources: {fpga: 2, \"nic/a\": 0.25},\n"
      "      taints: [\"a=b:NoExecute\", \"c:NoSchedule\", d, \"e=f\"]}\n"
      "nodes: [{name: a, type: g}]",
      "cluster: 1 nodes, 8 GPUs, 1 domains\n"
      "class g: 8 x 'H100' of 85899345920 B, 2 sides, cpu 1500, memory "
      "2199023255552, rdma 500, pods 110, gpu 8000, fpga 2000, nic/a 250, z=1, "
      "y=two, !a=b:NoExecute, !c=:NoSchedule, !d=:NoSchedule, "
      "!e=f:NoSchedule\n"
      "a is g\n",
      NULL },
    /* CPU-only nodes have no model */
    { "node_types: {g: {gpus: 0, model: H100, cpu: 4}}\n"
      "nodes: [{name: a, type: g}]",
      "cluster: 1 nodes, 0 GPUs, 1 domains\n"
      "class g: 0 x '', cpu 4000\n"
      "a is g\n",
      NULL },
    /* tiers, and what joins the devices of a node */
    { "tiers:\n"
      "  - {name: spine, fabric: rdma, bandwidth: 25GB/s, latency: 8us}\n"
      "  - {name: rack}\n"
      "  - {name: node, fabric: nvlink, bandwidth: 200Gbit/s, latency: 2us}\n"
      "  - {name: nvlink, fabric: nvlink}\n" T
      "nodes: [{name: \"n[1-4]\", type: g, rack: \"r[1-2]\", spine: s}]",
      "cluster: 4 nodes, 32 GPUs, 4 domains\n"
      "tier spine rdma 25000000000 B/s 8 us\n"
      "tier rack tcp 0 B/s 0 us\n"
      "tier node nvlink 25000000000 B/s 2 us\n"
      "class g: 8 x '', gpu 8000\n"
      "s/r1/n1 is g\n"
      "s/r1/n2 is g\n"
      "s/r2/n3 is g\n"
      "s/r2/n4 is g\n",
      NULL },
    /* an outer tier that is left out is one domain of its name */
    { "tiers: [{name: spine}, {name: rack}]\n" T
      "nodes: [{name: \"n[1-2]\", type: g, rack: \"r[1-2]\"}]",
      "cluster: 2 nodes, 16 GPUs, 4 domains\n"
      "tier spine tcp 0 B/s 0 us\n"
      "tier rack tcp 0 B/s 0 us\n"
      "class g: 8 x '', gpu 8000\n"
      "spine/r1/n1 is g\n"
      "spine/r2/n2 is g\n",
      NULL },
    /* each tier is spread by itself */
    { "tiers: [{name: spine}, {name: rack}]\n" T
      "nodes: [{name: \"n[1-8]\", type: g, spine: \"s[1-2]\", rack: "
      "\"r[1-4]\"}]",
      "cluster: 8 nodes, 64 GPUs, 7 domains\n"
      "tier spine tcp 0 B/s 0 us\n"
      "tier rack tcp 0 B/s 0 us\n"
      "class g: 8 x '', gpu 8000\n"
      "s1/r1/n1 is g\n"
      "s1/r1/n2 is g\n"
      "s1/r2/n3 is g\n"
      "s1/r2/n4 is g\n"
      "s2/r3/n5 is g\n"
      "s2/r3/n6 is g\n"
      "s2/r4/n7 is g\n"
      "s2/r4/n8 is g\n",
      NULL },
    /* entries may fill the same racks */
    { "tiers: [{name: rack}]\n"
      "node_types: {g: {gpus: 8}, c: {cpu: 64}}\n"
      "nodes:\n"
      "  - {name: \"g[1-2]\", type: g, rack: \"r[1-2]\"}\n"
      "  - {name: \"c[1-2]\", type: c, rack: \"r[1-2]\"}\n",
      "cluster: 4 nodes, 16 GPUs, 3 domains\n"
      "tier rack tcp 0 B/s 0 us\n"
      "class g: 8 x '', gpu 8000\n"
      "class c: 0 x '', cpu 64000\n"
      "r1/g1 is g\n"
      "r1/c1 is c\n"
      "r2/g2 is g\n"
      "r2/c2 is c\n",
      NULL },
    /* an entry adds labels and taints to its type's, or replaces a label */
    { "node_types: {g: {gpus: 8, labels: {a: 1, b: 2}, taints: [x]}}\n"
      "nodes:\n"
      "  - {name: n1, type: g}\n"
      "  - {name: n2, type: g, labels: {b: 3, c: 4}, taints: [\"y=z\"]}\n"
      "  - {name: n3, type: g, labels: {b: 2}}\n",
      "cluster: 3 nodes, 24 GPUs, 1 domains\n"
      "class g: 8 x '', gpu 8000, a=1, b=2, !x=:NoSchedule\n"
      "class g: 8 x '', gpu 8000, a=1, b=3, c=4, !x=:NoSchedule, "
      "!y=z:NoSchedule\n"
      "n1 is g\n"
      "n2 is g\n"
      "n3 is g\n",
      NULL },
    /* the order of labels does not make a class */
    { "node_types: {g: {labels: {a: 1, b: 2}}}\n"
      "nodes:\n"
      "  - {name: n1, type: g}\n"
      "  - {name: n2, type: g, labels: {b: 2, a: 1}}\n",
      "cluster: 2 nodes, 0 GPUs, 1 domains\n"
      "class g: 0 x '', a=1, b=2\n"
      "n1 is g\n"
      "n2 is g\n",
      NULL },
    { "# a comment, with a comma\n" T "nodes: [{name: a, type: g}]",
      "cluster: 1 nodes, 8 GPUs, 1 domains\n"
      "class g: 8 x '', gpu 8000\n"
      "a is g\n",
      NULL },
    { "node_types: {g: {gpus: 64}}\nnodes: [{name: a, type: g}]",
      "cluster: 1 nodes, 64 GPUs, 1 domains\n"
      "class g: 64 x '', gpu 64000\n"
      "a is g\n",
      NULL },
};

/* More of them are in tests/data/bad/topology. */
static const struct load_topo_case bad[] = {
    { "", NULL, "t.yaml:1:1: the file is empty" },
    { "a", NULL, "t.yaml:1:1: topology must be a mapping of keys to values" },
    { T "nodes: [{name: [a], type: g}]", NULL,
      "t.yaml:3:16: 'name' must be a text without control characters (got a "
      "list)" },
    { T "nodes: [{name: \"\", type: g}]", NULL,
      "t.yaml:3:16: 'name' must be a text without control characters (got "
      "'')" },
    { T "nodes: [{name: a, type: h}]", NULL,
      "t.yaml:3:25: no node type is called 'h' (known are 'g')" },
    { "node_types: {abc: {}, abd: {}}\nnodes: [{name: a, type: x}]", NULL,
      "t.yaml:2:25: no node type is called 'x' (known are 'abc' and "
      "others)" },
    { "cluster: \"a\\tb\"\n" T "nodes: [{name: a, type: g}]", NULL,
      "t.yaml:1:10: 'cluster' must be a text without control characters (got "
      "'a?b')" },
    { T "nodes: [{name: a, type: g, taints: [\":NoExecute\"]}]", NULL,
      "t.yaml:3:37: a taint must look like key=value:NoSchedule, "
      "key:NoExecute or key:PreferNoSchedule (got ':NoExecute')" },
    { T "nodes: [{name: a, type: g, labels: b}]", NULL,
      "t.yaml:3:36: 'labels' must be a mapping of names to values" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_topo_check("t.yaml", &good[i]);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_topo_check("t.yaml", &bad[i]);
}

/* As many labels and taints as a node may have, and one more. */
static void test_limits(void)
{
    static const struct {
        const char *what, *open, *value, *close;
        int most;
        const char *error;
    } lists[] = {
        { "labels", "{", ": v", "}", 1024,
          "t.yaml:2:9164: a node may have at most 1024 labels" },
        { "taints", "[", "", "]", 64,
          "t.yaml:2:26: 'taints' must be a list of at most 64 taints" },
        { "resources", "{", ": 1", "}", 11,
          "t.yaml:2:108: more than 16 kinds of resources" },
    };

    for (size_t i = 0; i < 2 * N_ELEMENTS(lists); i++) {
        const int n = lists[i / 2].most + (int)(i % 2);
        char text[12000], *to = text, got[512];
        struct load_topo l;

        to += sprintf(to, "nodes: [{name: a, type: g}]\nnode_types: {g: {%s: ",
                      lists[i / 2].what);
        for (int k = 0; k < n; k++) {
            to += sprintf(to, "%s", k ? ", " : lists[i / 2].open);
            to += sprintf(to, "k%d%s", k, lists[i / 2].value);
        }
        sprintf(to, "%s}}\n", lists[i / 2].close);
        load_topo_text(&l, "t.yaml", text);
        if (i % 2 == 0) {
            CU_ASSERT_PTR_NOT_NULL(l.t);
        } else {
            CU_ASSERT_PTR_NULL(l.t);
            gs_err_format(&l.err, 0, got, sizeof(got));
            load_topo_same(got, lists[i / 2].error);
        }
        load_topo_fini(&l);
    }
}

/* The samples are what their comments say. */
static void test_samples(void)
{
    static const struct {
        const char *file, *cluster;
        uint32_t nodes, gpus, domains, tiers;
    } samples[] = {
        { "two-racks", "two-racks", 16, 128, 4, 2 },
        { "philly-recorded", "philly", 552, 3030, 32, 1 },
        { "itp-cluster06", "itp-cluster06", 24, 192, 5, 1 },
        { "philly-tight", "philly-tight", 88, 704, 12, 1 },
        { "fragmentation", "two-nodes", 2, 16, 1, 0 },
        { "flat-128", "flat-128", 1, 0, 1, 0 },
        { "ten-gpus", "ten-gpus", 1, 10, 1, 0 },
        { "tiresias", "tiresias", 16, 128, 5, 1 },
        { "mig", "two-gpus", 2, 2, 1, 0 },
        { "mig-one", "one-gpu", 1, 1, 1, 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(samples); i++) {
        char path[200];
        struct load_topo l;

        snprintf(path, sizeof(path), "topology/samples/%s.yaml",
                 samples[i].file);
        load_topo_file(&l, path);
        CU_ASSERT_STRING_EQUAL(load_topo_str(l.t, l.t->cluster),
                               samples[i].cluster);
        CU_ASSERT_EQUAL(l.t->node_count, samples[i].nodes);
        CU_ASSERT_EQUAL(l.t->gpu_count, samples[i].gpus);
        CU_ASSERT_EQUAL(l.t->domain_count, samples[i].domains);
        CU_ASSERT_EQUAL(l.t->tier_count, samples[i].tiers);
        load_topo_fini(&l);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "good files are read", test_good },
        { "bad files are refused", test_bad },
        { "labels and taints are bounded", test_limits },
        { "samples are what their comments say", test_samples },
    };

    return suite_run("topology/native", cases, N_ELEMENTS(cases));
}
