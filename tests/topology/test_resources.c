/* tests/topology/test_resources.c - the dimensions; that requests compare is
 * in test_fit.c.
 */
#include "tests/lib/load_topo.h"

/* Files and presets name these, and what is stored counts on their order. */
static void test_fixed(void)
{
    static const char *const names[] = { "cpu", "memory", "rdma", "pods",
                                         "gpu" };
    struct load_topo l;

    load_topo_init(&l);
    CU_ASSERT_EQUAL_FATAL(l.dims.count, N_ELEMENTS(names));
    for (uint32_t i = 0; i < N_ELEMENTS(names); i++) {
        load_topo_same(gs_strtab_str(l.names, l.dims.name[i]), names[i]);
        CU_ASSERT_EQUAL(topo_dims_find(&l.dims, load_topo_id(&l, names[i])),
                        (int)i);
        CU_ASSERT_EQUAL(topo_dims_put(&l.dims, load_topo_id(&l, names[i])),
                        (int)i);
    }
    CU_ASSERT_EQUAL(l.dims.count, N_ELEMENTS(names));
    CU_ASSERT_EQUAL(topo_dims_find(&l.dims, load_topo_id(&l, "licence")), -1);
    CU_ASSERT_EQUAL(topo_dims_find(&l.dims, GS_STRTAB_NONE), -1);
    load_topo_fini(&l);
}

/* As many as there may be, and one more. */
static void test_put(void)
{
    struct load_topo l;

    load_topo_init(&l);
    for (int round = 0; round < 2; round++) {
        for (int i = TOPO_DIMS_FIXED; i < TOPO_DIMS_MAX; i++) {
            char name[16];

            snprintf(name, sizeof(name), "r%d", i);
            CU_ASSERT_EQUAL(topo_dims_put(&l.dims, load_topo_id(&l, name)), i);
            CU_ASSERT_EQUAL(topo_dims_find(&l.dims, load_topo_id(&l, name)), i);
        }
    }
    CU_ASSERT_EQUAL(topo_dims_put(&l.dims, load_topo_id(&l, "more")), -1);
    CU_ASSERT_EQUAL(topo_dims_put(&l.dims, load_topo_id(&l, "r7")), 7);
    CU_ASSERT_EQUAL(l.dims.count, TOPO_DIMS_MAX);
    load_topo_fini(&l);
}

/* The numbers that labels say. */
static void test_numbers(void)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t number;
    } numbers[] = {
        { "0", true, 0 },
        { "-0", true, 0 },
        { "+7", true, 7 },
        { "007", true, 7 },
        { "-12", true, -12 },
        { "9223372036854775807", true, INT64_MAX },
        { "9223372036854775808", false, 0 },
        { "-9223372036854775808", true, INT64_MIN },
        { "-9223372036854775809", false, 0 },
        { "99999999999999999999999", false, 0 },
        { "", false, 0 },
        { "-", false, 0 },
        { "+-1", false, 0 },
        { "1.5", false, 0 },
        { " 1", false, 0 },
        { "1 ", false, 0 },
        { "0x1", false, 0 },
        { "v3", false, 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(numbers); i++) {
        int64_t n = 0;

        CU_ASSERT_EQUAL(topo_label_number(numbers[i].text, &n), numbers[i].ok);
        CU_ASSERT_EQUAL(n, numbers[i].number);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "fixed resources have their numbers", test_fixed },
        { "resources are added up to the bound", test_put },
        { "numbers of labels are read", test_numbers },
    };

    return suite_run("topology/resources", cases, N_ELEMENTS(cases));
}
