/* tests/import/test_slurm_values.c - lists of nodes, times and amounts as Slurm
 * writes them.
 */
#include <string.h>

#include "base/duration.h"
#include "base/text.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_cluster.h"
#include "import/slurm/slurm_values.h"
#include "tests/lib/suite.h"

static int name_add(void *ctx, const char *name, size_t len)
{
    char *all = ctx;

    CU_ASSERT_EQUAL(strlen(name), len);
    gs_text_add(all, 400, "%s%s", all[0] ? " " : "", name);
    return 0;
}

static void test_lists_of_nodes(void)
{
    static const struct {
        const char *text, *names; /* NULL: no list */
    } cases[] = {
        { "host[1-3],host5", "host1 host2 host3 host5" },
        { "n[01-03]", "n01 n02 n03" },
        { "n[9-11]", "n9 n10 n11" },
        { "n[09-11]", "n09 n10 n11" },
        { "n[007-9]", "n007 n008 n009" },
        { "n[8-0010]", "n8 n9 n10" },
        { "a[1-2]b[3-4]", "a1b3 a1b4 a2b3 a2b4" },
        { "rack[0-1]-node[01-02]",
          "rack0-node01 rack0-node02 rack1-node01 rack1-node02" },
        { "n[1-3]-ib[0]", "n1-ib0 n2-ib0 n3-ib0" },
        { "n1,n3,n2,n1", "n1 n3 n2 n1" },
        { "gpu[01,03-05],cpu1", "gpu01 gpu03 gpu04 gpu05 cpu1" },
        { "cpn-k08-[01-02,12]-[01-02],cpn-k08-28-02",
          "cpn-k08-01-01 cpn-k08-01-02 cpn-k08-02-01 cpn-k08-02-02 "
          "cpn-k08-12-01 cpn-k08-12-02 cpn-k08-28-02" },
        { "a b\tc,,d", "a b c d" },
        { "n[1", "n[1" },
        { "n[1,2", "n[1 2" },
        { "[1-2]", "1 2" },
        { "", "" },
        { "n[3-1]", NULL },
        { "n[a-b]", NULL },
        { "x[1--3]", NULL },
        { "n[1,2]x", NULL },
        { "n[]", NULL },
        { "n[1,]", NULL },
        { "n[1-]", NULL },
        { "n[1-2-3]", NULL },
        { "n[0-65536]", NULL },
        { "n[99999999999999999999]", NULL },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const char *why = NULL;
        char all[400] = "";
        const int rc = slurm_hostlist_read(cases[i].text, strlen(cases[i].text),
                                           name_add, all, &why);

        CU_ASSERT_EQUAL(rc, cases[i].names ? 0 : -2);
        CU_ASSERT_EQUAL(why == NULL, cases[i].names != NULL);
        if (cases[i].names)
            CU_ASSERT_STRING_EQUAL(all, cases[i].names);
    }
}

static void test_spans_of_time(void)
{
    static const struct {
        const char *text;
        int64_t seconds; /* -1: none; -2: without end */
    } cases[] = {
        { "-1", -2 },
        { "unlimited", -2 },
        { "INFINITE", -2 },
        { "60", 3600 },
        { "60:15", 3615 },
        { "60:", -1 },
        { "60:-10", -1 },
        { "1:60:15", 7215 },
        { "0-1:60:15", 7215 },
        { "1-1:60:15", 93615 },
        { "365-0:0:0", 31536000 },
        { " 0:0:0 ", -1 },
        { "2-12", 216000 },
        { "2-12:30", 217800 },
        { "7-0:00:00", 604800 },
        { "168:00:00", 604800 },
        { "", -1 },
        { "x", -1 },
        { "1-", -1 },
        { "-5", -1 },
        { "1:2:3:4", -1 },
        { "01:00:0-", -1 },
        { "1:2:3-4", -1 },
        { "99999999999", -1 },
        { "9999999999-0", -1 },
    };
    int64_t us;

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const int rc = slurm_span_read(cases[i].text, strlen(cases[i].text),
                                       &us);

        CU_ASSERT_EQUAL(rc, cases[i].seconds == -1 ? -1 : 0);
        if (rc == 0)
            CU_ASSERT_EQUAL(us, cases[i].seconds == -2
                                    ? SLURM_INFINITE
                                    : cases[i].seconds * GS_SECOND);
    }
    CU_ASSERT_EQUAL(slurm_elapsed_read("00:04.410", 9, &us), 0);
    CU_ASSERT_EQUAL(us, 4 * GS_SECOND);
    CU_ASSERT_EQUAL(slurm_elapsed_read("90", 2, &us), -1);
}

static void test_memory(void)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: none */
        char of;
    } cases[] = {
        { "3000Mn", INT64_C(3000) << 20, 'n' },
        { "100Mc", INT64_C(100) << 20, 'c' },
        { "4G", INT64_C(4) << 30, '\0' },
        { "1Gn", INT64_C(1) << 30, 'n' },
        { "62.50G", INT64_C(64000) << 20, '\0' },
        { "2T", INT64_C(2) << 40, '\0' },
        { "512K", 512 << 10, '\0' },
        { "500", INT64_C(500) << 20, '\0' },
        { "0n", 0, 'n' },
        { "", -1, '\0' },
        { "G", -1, '\0' },
        { "4Gx", -1, '\0' },
        { "99999999999P", -1, '\0' },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        int64_t bytes;
        char of;
        const int rc = slurm_memory_read(cases[i].text, strlen(cases[i].text),
                                         &bytes, &of);

        CU_ASSERT_EQUAL(rc, cases[i].bytes < 0 ? -1 : 0);
        if (rc == 0) {
            CU_ASSERT_EQUAL(bytes, cases[i].bytes);
            CU_ASSERT_EQUAL(of, cases[i].of);
        }
    }
}

static void test_constraints_on_features(void)
{
    static const struct {
        const char *features, *expression;
        bool yes;
    } cases[] = {
        { "a100,ib", "a100", true },
        { "a100,ib", "A100&ib", true },
        { "a100,ib", "h100|a100", true },
        { "a100,ib", "h100|v100", false },
        { "a100,ib", "[h100|a100]", true },
        { "a100,ib", "(h100|a100)&ib", true },
        { "a100", "(h100|a100)&ib", false },
        { "a100", "a100*4&x", false },
        { "a100,x", "[a100*4&x*2]", true },
        { NULL, "a100", false },
        { "a", "((((", false },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_EQUAL(
            slurm_features_match(cases[i].features, cases[i].expression),
            cases[i].yes);
}

/* Files hold zero bytes, and a text may be longer than the word it begins with.
 */
static void test_words(void)
{
    static const struct {
        const char *text;
        size_t len;
        const char *word;
        bool yes;
    } cases[] = {
        { "Priority", 8, "priority", true },
        { "Priority", 7, "priority", false },
        { "Priority\0\0", 10, "Priority", false },
        { "Priority\0", 9, "Priority", false },
        { "Prio", 4, "Priority", false },
        { "", 0, "", true },
        { "", 0, "all", false },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        CU_ASSERT_EQUAL(
            slurm_is_word(cases[i].text, cases[i].len, cases[i].word),
            cases[i].yes);
}

int main(void)
{
    static const struct suite_case list[] = {
        { "lists of nodes", test_lists_of_nodes },
        { "spans of time", test_spans_of_time },
        { "memory", test_memory },
        { "constraints on features", test_constraints_on_features },
        { "words", test_words },
    };

    return suite_run("import/slurm_values", list, N_ELEMENTS(list));
}
