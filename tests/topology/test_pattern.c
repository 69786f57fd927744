/* tests/topology/test_pattern.c - what names a pattern stands for. */
#include "tests/lib/load_topo.h"
#include "topology/pattern.h"

static const struct {
    const char *pattern;
    int64_t count;
    const char *names; /* all of them, or the first and the last */
} good[] = {
    { "n1", 1, "n1" },
    { "a-b.c", 1, "a-b.c" },
    { "n[1-3]", 3, "n1 n2 n3" },
    { "n[7-7]", 1, "n7" },
    { "n[9-11]", 3, "n9 n10 n11" },
    { "n[08-11]", 4, "n08 n09 n10 n11" },
    { "n[0-2]", 3, "n0 n1 n2" },
    { "n[00-2]", 3, "n00 n01 n02" },
    { "n[001-016]", 16, "n001 n016" },
    { "n[098-101]", 4, "n098 n099 n100 n101" },
    { "[a,b]", 2, "a b" },
    { "n[a,b,07-09]", 5, "na nb n07 n08 n09" },
    { "n[a-b]", 1, "na-b" },
    { "n[5,3,1-2]", 4, "n5 n3 n1 n2" },
    { "r[1-2]n[a,b,7]", 6, "r1na r1nb r1n7 r2na r2nb r2n7" },
    { "[1-2][1-2][1-2]x", 8, "111x 112x 121x 122x 211x 212x 221x 222x" },
    { "n[1-2]-gpu", 2, "n1-gpu n2-gpu" },
    { "n[999999998-999999999]", 2, "n999999998 n999999999" },
    { "n[1234567890]", 1, "n1234567890" },
    { "n[0-1048575]", 1048576, "n0 n1048575" },
    { "r[0-1023]n[0000-1023]", 1048576, "r0n0000 r1023n1023" },
};

#define SHAPE "a pattern must look like n[001-016] or gpu-[a,b,7-9] (got "

static const struct {
    const char *pattern, *error;
} bad[] = {
    { "n[", SHAPE "'n[')" },
    { "n[]", SHAPE "'n[]')" },
    { "n]", SHAPE "'n]')" },
    { "n[1-3", SHAPE "'n[1-3')" },
    { "n[1-3]]", SHAPE "'n[1-3]]')" },
    { "n[[1-3]]", SHAPE "'n[[1-3]]')" },
    { "n[3-1]", SHAPE "'n[3-1]')" },
    { "n[1-]", SHAPE "'n[1-]')" },
    { "n[1-3x]", SHAPE "'n[1-3x]')" },
    { "n[1-2-3]", SHAPE "'n[1-2-3]')" },
    { "n[,1]", SHAPE "'n[,1]')" },
    { "n[1,]", SHAPE "'n[1,]')" },
    { "n[a,,b]", SHAPE "'n[a,,b]')" },
    { "n[1-1000000000]", SHAPE "'n[1-1000000000]')" },
    { "n[1000000000-1000000001]", SHAPE "'n[1000000000-1000000001]')" },
    { "n[0-1048576]", "'n[0-1048576]' stands for more than 1048576 names" },
    { "n[0-999999999][0-999999999][0-999999999]",
      "'n[0-999999999][0-999999999][0-999999999]' stands for more than "
      "1048576 names" },
    { "0123456789012345678901234567890123456789012345678901234567890123",
      "a name may hold at most 63 bytes (got "
      "'0123456789012345678901234567890123456789...')" },
};

/* The names, separated by spaces; only the ends of a long list. */
static void names_text(const char *pattern, uint32_t count, char *to)
{
    for (uint32_t i = 0; i<count; i += count> 10 ? count - 1 : 1) {
        char name[TOPO_NAME_MAX];

        CU_ASSERT_EQUAL(topo_pattern_name(pattern, i, name), strlen(name));
        to += sprintf(to, "%s%s", i ? " " : "", name);
    }
}

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++) {
        const struct gs_mark at = { "t.yaml", 3, 4 };
        struct gs_err err = { 0 };
        char names[20 * TOPO_NAME_MAX] = "";
        const int64_t n = topo_pattern_count(good[i].pattern, at, &err);

        CU_ASSERT_EQUAL(n, good[i].count);
        CU_ASSERT_EQUAL(err.count, 0);
        if (n > 0)
            names_text(good[i].pattern, (uint32_t)n, names);
        load_topo_same(names, good[i].names);
    }
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++) {
        const struct gs_mark at = { "t.yaml", 3, 4 };
        struct gs_err err = { 0 };
        char got[512], want[512];

        CU_ASSERT_EQUAL(topo_pattern_count(bad[i].pattern, at, &err), -1);
        gs_err_format(&err, 0, got, sizeof(got));
        snprintf(want, sizeof(want), "t.yaml:3:4: %s", bad[i].error);
        load_topo_same(got, want);
        CU_ASSERT_EQUAL(topo_pattern_count(bad[i].pattern, at, NULL), -1);
    }
}

/* The longest pattern gives names that fit. */
static void test_longest(void)
{
    char pattern[TOPO_NAME_MAX / 2], name[TOPO_NAME_MAX];
    const struct gs_mark nowhere = { 0 };

    memset(pattern, 'x', sizeof(pattern));
    memcpy(pattern, "[999999999-999999999]", 21);
    memcpy(pattern + 21, "[0000-0001]", 11);
    pattern[sizeof(pattern) - 1] = '\0';
    CU_ASSERT_EQUAL(topo_pattern_count(pattern, nowhere, NULL), 2);
    CU_ASSERT_EQUAL(topo_pattern_name(pattern, 1, name), 9 + 4 + 63 - 32);
    load_topo_same(name, "9999999990001xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "good patterns are expanded", test_good },
        { "bad patterns are refused", test_bad },
        { "the longest pattern is expanded", test_longest },
    };

    return suite_run("topology/pattern", cases, N_ELEMENTS(cases));
}
