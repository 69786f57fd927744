/* tests/topology/test_bad_topologies.c - every malformed file of
 * tests/data/bad/topology fails with the line that stands beside it.
 */
#include "tests/lib/bad_files.h"
#include "tests/lib/load_topo.h"
#include "topology/read.h"

static bool read(const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    struct load_topo l;
    bool is_read;

    load_topo_init(&l);
    is_read = in && topo_read(in, l.arena, l.names, &l.dims, err);
    gs_input_close(in);
    load_topo_fini(&l);
    return is_read;
}

static void test_all(void)
{
    bad_files_check("tests/data/bad/topology", 60, read);
}

/* A file with many mistakes is read to its end, and never more are kept than
 * were asked for.
 */
static void check_limit(const char *name, const char *text)
{
    for (unsigned limit = 0; limit <= GS_ERR_MAX; limit += 5) {
        struct gs_input *in = gs_input_open_memory(name, text, strlen(text));
        struct load_topo l;

        load_topo_init(&l);
        l.err.limit = limit;
        CU_ASSERT_PTR_NULL(topo_read(in, l.arena, l.names, &l.dims, &l.err));
        CU_ASSERT_EQUAL(l.err.count, limit ? limit : 1);
        gs_input_close(in);
        load_topo_fini(&l);
    }
}

static void test_limit(void)
{
    char csv[4000] = "sn,cpu_milli,memory_mib,gpu,model\n";
    char yaml[4000] = "node_types: {a: {gpus: 8}}\nnodes:\n";

    for (int i = 0; i < 50; i++) {
        strcat(csv, "a,x,1,1,T4\n");
        strcat(yaml, "  - {name: a, type: b}\n");
    }
    check_limit("t.csv", csv);
    check_limit("t.yaml", yaml);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "bad files are refused as written", test_all },
        { "no more mistakes are kept than asked for", test_limit },
    };

    return suite_run("topology: malformed files", cases, N_ELEMENTS(cases));
}
