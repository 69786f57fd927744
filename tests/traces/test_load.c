/* tests/traces/test_load.c - services whose replicas follow a daily curve. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "tests/lib/suite.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

#define HOUR (3600 * GS_SECOND)

struct load {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct trace_workload *w;
    struct gs_err err;
    int rc;
};

static void load_init(struct load *l, const char *text)
{
    const struct trace_options o = { 0 };
    struct trace_facts facts = { 0 };
    struct gs_input *in = gs_input_open_memory("t", text, strlen(text));

    *l = (struct load){ .arena = gs_arena_create(1 << 14),
                        .names = gs_strtab_create() };
    topo_dims_init(&l->dims, l->names);
    l->w = trace_workload_create(l->arena, l->names, &l->dims);
    l->rc = trace_read(in, &o, l->w, &facts, &l->err);
    gs_input_close(in);
}

static void load_fini(struct load *l)
{
    trace_workload_destroy(l->w);
    gs_strtab_destroy(l->names);
    gs_arena_destroy(l->arena);
}

/* Replicas there at a time. */
static uint32_t wanted(const struct load *l, int64_t at)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->w->job_count; i++) {
        const struct trace_job *j = &l->w->job[i];

        CU_ASSERT_TRUE(j->aside->withdraws && j->aside->resumes);
        n += j->submit <= at && at < j->submit + j->duration;
    }
    return n;
}

/* low 2, high 10, peak 14:00: by hand, rounded. */
static const struct {
    int64_t hour;
    uint32_t replicas;
} curve[] = {
    { 14, 10 }, { 2, 2 },  { 26, 2 }, { 38, 10 }, { 8, 6 },
    { 20, 6 },  { 11, 9 }, { 5, 3 },  { 23, 3 },  { 0, 3 },
};

static void test_curve(void)
{
    struct load l;

    load_init(&l,
              "jobs:\n  - {name: s, submit: 0, duration: 2d, gpus: 1, load: "
              "{low: 2, high: 10, peak: 14h}}\n");
    CU_ASSERT_EQUAL_FATAL(l.rc, 0);
    for (size_t i = 0; i < N_ELEMENTS(curve); i++) {
        const int64_t at = curve[i].hour * HOUR;
        /* on the hours 8, 20 the curve is at a half: a second counts */
        const uint32_t n = wanted(&l, at);

        CU_ASSERT_EQUAL(n, curve[i].replicas);
        if (n != curve[i].replicas)
            printf("%d h: %u\n", (int)curve[i].hour, n);
    }
    CU_ASSERT_EQUAL(wanted(&l, 48 * HOUR), 0);
    CU_ASSERT_EQUAL(wanted(&l, 48 * HOUR - 1), 3);
    load_fini(&l);
    load_init(&l, "jobs:\n  - {name: s, submit: 13h, duration: 2h, gpus: 1, "
                  "load: {low: 3, high: 3}}\n");
    CU_ASSERT_EQUAL(l.w->job_count, 3);
    CU_ASSERT_EQUAL(wanted(&l, 14 * HOUR), 3);
    load_fini(&l);
}

static const struct {
    const char *keys, *says;
} wrong[] = {
    { "duration: forever, load: {low: 1, high: 2}",
      "'load' needs a 'duration'" },
    { "duration: forever, withdraw: true", "'withdraw' needs a 'duration'" },
    { "duration: 1d, load: {low: 3, high: 2}",
      "'low' must not be above 'high'" },
    { "duration: 1d, load: {low: 3, high: 200000}", "above 100000" },
    { "duration: 1d, load: {high: 3}", "'low'" },
    { "duration: 1d, load: {low: 1, high: 3, peak: 25h}",
      "a time of day below 24h" },
    { "duration: 100000d, load: {low: 1, high: 1000}", "1000000" },
};

static void test_wrong(void)
{
    for (size_t i = 0; i < N_ELEMENTS(wrong); i++) {
        char text[300];
        struct load l;
        bool said;

        snprintf(text, sizeof(text), "jobs:\n  - {submit: 0, %s}\n",
                 wrong[i].keys);
        load_init(&l, text);
        CU_ASSERT_TRUE(l.rc < 0);
        said = l.err.count && strstr(l.err.problem[0].text, wrong[i].says);
        CU_ASSERT_TRUE(said);
        if (!said)
            printf("%s: %s\n", wrong[i].keys,
                   l.err.count ? l.err.problem[0].text : "");
        load_fini(&l);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a load follows its curve", test_curve },
        { "wrong loads are refused", test_wrong },
    };

    return suite_run("traces/load", suite, N_ELEMENTS(suite));
}
