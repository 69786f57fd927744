/* tests/study/test_vary.c - axes as they are written. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/study/vary.h"
#include "tests/lib/suite.h"

static void good(void)
{
    static const struct {
        const char *text, *values;
        bool numbers;
    } cases[] = {
        { "nodes.h100=8..64:8", "8 16 24 32 40 48 56 64", true },
        { "nodes.h100=8..12", "8 9 10 11 12", true },
        { "nodes.h100=8..13:2", "8 10 12", true },
        { "nodes.h100=3..3", "3", true },
        { "load=0.8..1.6:0.2", "0.8 1 1.2 1.4 1.6", true },
        { "load=0.1..0.3:0.1", "0.1 0.2 0.3", true },
        { "x=-1..1", "-1 0 1", true },
        { "x=-0.5..0.5:0.25", "-0.5 -0.25 0 0.25 0.5", true },
        { "queues.a/b.weight=1,2,4", "1 2 4", true },
        { "load=2,1.5,1", "2 1.5 1", true },
        { "load=1,3,2", "1 3 2", false },
        { "unit=gang,pod", "gang pod", false },
        { "gang.timeout=10m,1h", "10m 1h", false },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { 0 };
        struct study_axis axis;
        char values[256] = "", change[128];

        CU_ASSERT_EQUAL_FATAL(
            study_axis_parse(cases[i].text, arena, &axis, &err), 0);
        for (uint32_t k = 0; k < axis.count; k++) {
            strcat(values, k ? " " : "");
            strcat(values, axis.value[k]);
        }
        CU_ASSERT_STRING_EQUAL(values, cases[i].values);
        CU_ASSERT_EQUAL(axis.number != NULL, cases[i].numbers);
        snprintf(change, sizeof(change), "%s=%s", axis.path, axis.value[0]);
        CU_ASSERT_STRING_EQUAL(study_axis_change(&axis, 0, arena), change);
        gs_arena_destroy(arena);
    }
}

static void bad(void)
{
    static const char *const cases[] = {
        "",
        "load",
        "=1..2",
        "load=",
        "load=1,,2",
        "load=1,",
        "load=2..1",
        "load=1..2:0",
        "load=1..2:",
        "load=1..2:-1",
        "load=0.5..2",
        "load=1..x",
        "load=..2",
        "load=1..",
        "load=nan..2",
        "load=1..inf",
        "load=0..1e9",
        "load=1..2:1e-9",
        "load=1..2:1e300",
        "a\n=1..2",
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1024);
        struct gs_err err = { 0 };
        struct study_axis axis;

        CU_ASSERT_EQUAL(study_axis_parse(cases[i], arena, &axis, &err), -1);
        CU_ASSERT_EQUAL(err.code, GS_USAGE);
        CU_ASSERT_EQUAL(err.count, 1);
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "good axes are read", good },
        { "bad axes are refused", bad },
    };

    return suite_run("study/vary", cases, N_ELEMENTS(cases));
}
