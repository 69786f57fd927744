/* tests/reports/test_inputs.c - in which inputs runs differ. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "reports/store/run_inputs.h"
#include "reports/store/store.h"
#include "tests/lib/suite.h"

static const struct {
    const char *hashes[2], *options[2], *words; /* NULL: the same */
} cases[] = {
    { { "a b", "a b" }, { "{}", "{}" }, NULL },
    { { "a b", "c b" }, { "{}", "{}" }, "trace" },
    { { "a b", "a c" }, { "{}", "{}" }, "topology" },
    { { "a b", "ab " }, { "{}", "{}" }, "trace and topology" },
    /* what a sweep writes and what a replay writes */
    { { "a b", "a b" },
      { "{\"until\": -1, \"limit\": 0, \"set\": [], \"sweep\": \"x\"}",
        "{\"until\": -1, \"limit\": 0, \"gpu_processors\": false, \"set\": []}" },
      NULL },
    { { "a b", "a b" }, { "{\"limit\": 5}", "{\"limit\": 6}" }, "trace" },
    { { "a b", "a b" }, { "{\"until\": 5}", "{}" }, "window" },
    { { "a b", "a b" },
      { "{\"set\": [\"load=0.8\"]}", "{\"set\": [\"load=1.2\"]}" },
      "load" },
    { { "a b", "a b" },
      { "{\"set\": [\"nodes.gpu8=+22\", \"durations=2\"]}", "{}" },
      "topology and load" },
    { { "a b", "a b" }, { "{\"set\": [\"without=r1\"]}", "{}" }, "topology" },
    /* settings are what is compared */
    { { "a b", "a b" },
      { "{\"set\": [\"gang.timeout=10m\", \"queues.a.limit.gpu=8\"]}", "{}" },
      NULL },
    { { "a b", "a b" }, { "{\"set\": [\"loads=2\"]}", "{}" }, NULL },
    { { "a b", "a b" },
      { "{\"world\": \"x\", \"world_hash\": \"1\"}",
        "{\"world\": \"y\", \"world_hash\": \"1\"}" },
      NULL },
    { { "a b", "a b" },
      { "{\"world\": \"x\", \"world_hash\": \"1\"}",
        "{\"world\": \"x\", \"world_hash\": \"2\"}" },
      "world" },
    { { "a b", "a b" },
      { "{\"speed\": \"all-reduce\"}", "{}" },
      "speed model" },
    { { "a b", "a b" }, { "{\"anything\": 7}", "{}" }, "options" },
    { { "a b", "c d" },
      { "{\"until\": 7, \"limit\": 3}", "{}" },
      "trace, topology and window" },
    { { "a b", "a b" }, { "{\"x\":", "{}" }, "options" },
};

static void test_differ(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        const char *text[2];
        char words[128];
        unsigned differ;

        for (int k = 0; k < 2; k++) {
            const struct report_stored_run run = {
                .inputs = cases[i].hashes[k], .options = cases[i].options[k]
            };

            text[k] = report_inputs_text(&run, arena);
        }
        differ = report_inputs_differ(text[0], text[1]);
        CU_ASSERT_EQUAL(differ, report_inputs_differ(text[1], text[0]));
        CU_ASSERT_EQUAL(differ == 0, strcmp(text[0], text[1]) == 0);
        if (cases[i].words) {
            CU_ASSERT_NOT_EQUAL_FATAL(differ, 0);
            CU_ASSERT_STRING_EQUAL(
                report_inputs_names(differ, words, sizeof(words)),
                cases[i].words);
        } else
            CU_ASSERT_EQUAL(differ, 0);
        gs_arena_destroy(arena);
    }
}

/* Baselines that were written before options counted. */
static void test_hashes_alone(void)
{
    CU_ASSERT_EQUAL(report_inputs_differ("a b", "a b {\"load\":{}}"), 0);
    CU_ASSERT_EQUAL(report_inputs_differ("a b", "a c {}"),
                    REPORT_INPUT_TOPOLOGY);
}

static void test_settings(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    const struct report_stored_run run = {
        .options = "{\"set\": [\"load=2\", \"queues.a.limit.gpu=8\", \"x=1\", "
                   "\"priority_classes.p.value=3\"]}"
    };

    CU_ASSERT_STRING_EQUAL(
        report_inputs_settings(&run, arena),
        "queues.a.limit.gpu=8\npriority_classes.p.value=3\n");
    gs_arena_destroy(arena);
}

int main(void)
{
    static const struct suite_case list[] = {
        { "inputs that differ are named", test_differ },
        { "without options hashes alone are compared", test_hashes_alone },
        { "settings of a run are told in order", test_settings },
    };

    return suite_run("reports/inputs", list, N_ELEMENTS(list));
}
