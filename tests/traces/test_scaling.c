/* tests/traces/test_scaling.c - the rules of autoscalers step by step, worked
 * out by hand from their documentation, and series.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "tests/lib/suite.h"
#include "traces/services/scaling.h"
#include "traces/services/series.h"

#define MINUTE (60 * GS_SECOND)
#define END      \
    {            \
        -1, 0, 0 \
    }

enum rules { HPA, KEDA, RAY };

/* From `second` on the load is so much; the replicas asked for then. */
struct step {
    int second;
    double load; /* of a service whose replicas take 50 each */
    uint32_t replicas;
};

/* Up: from 2, at most to twice as many or four more within 15 s. */
static const struct step up[] = {
    { 0, 1000, 6 }, { 15, 1000, 12 }, { 30, 1000, 20 }, { 45, 1000, 20 }, END,
};

/* Tolerance: 10 x 50 = 500; 10 % more or less changes nothing. */
static const struct step within[] = {
    { 0, 500, 10 },    { 15, 550, 10 }, { 30, 450, 10 },
    { 45, 550.5, 12 }, { 60, 600, 12 }, END,
};

/* Down: the most that was wanted in five minutes. */
static const struct step down[] = {
    { 0, 500, 10 },
    { 45, 500, 10 },
    { 60, 100, 10 },
    { 195, 100, 10 },
    { 210, 400, 10 },
    { 225, 100, 10 },
    { 330, 100, 10 },
    { 345, 100, 8 },
    { 495, 100, 8 },
    { 510, 100, 2 },
    END,
};

/* Kubernetes' own example: 4 replicas or 10 % a minute, whichever is more. */
static const struct step slow_down[] = {
    { 0, 4000, 80 },  { 15, 500, 72 },  { 30, 500, 72 },  { 60, 500, 72 },
    { 75, 500, 64 },  { 135, 500, 57 }, { 195, 500, 51 }, { 255, 500, 45 },
    { 315, 500, 40 }, { 375, 500, 36 }, { 435, 500, 32 }, END,
};

/* The same, whichever is less. */
static const struct step slower_down[] = {
    { 0, 4000, 80 }, { 15, 500, 76 }, { 75, 500, 72 }, { 135, 500, 68 }, END,
};

/* A window of a minute upwards: the least that was wanted in it. */
static const struct step steady_up[] = {
    { 0, 100, 2 },  { 15, 500, 2 },   { 30, 400, 2 },
    { 45, 400, 2 }, { 60, 500, 6 },   { 75, 500, 8 },
    { 90, 500, 8 }, { 105, 500, 10 }, END,
};

/* KEDA: looks for a load each 30 s, rests five minutes after the last. */
static const struct step keda[] = {
    { 0, 0, 0 },     { 15, 60, 0 },   { 30, 60, 1 },   { 45, 60, 2 },
    { 60, 400, 6 },  { 75, 400, 8 },  { 90, 0, 8 },    { 345, 0, 8 },
    { 360, 0, 0 },   { 375, 0, 0 },   { 390, 0, 0 },   { 405, 400, 0 },
    { 420, 400, 1 }, { 435, 400, 5 }, { 450, 400, 8 }, END,
};

/* KEDA: a load of up to 20 does not wake it. */
static const struct step dozing[] = {
    { 0, 20, 0 },   { 30, 20, 0 },  { 60, 21, 1 }, { 90, 10, 1 },
    { 345, 20, 1 }, { 360, 20, 0 }, END,
};

/* Ray: a mean of 30 s; up when it was so for 30 s, down for ten minutes, and
 * for as long again from 1 to 0.
 */
static const struct step ray[] = {
    { 0, 0, 0 },
    { 9, 0, 0 },
    { 10, 430, 1 },
    { 11, 430, 1 },
    { 40, 430, 1 },
    { 41, 430, 9 },
    { 100, 0, 9 },
    { 101, 0, 9 },
    { 701, 0, 9 },
    { 702, 0, 1 },
    { 1302, 0, 1 },
    { 1303, 0, 0 },
    END,
};

/* Half of each change, at once. */
static const struct step half[] = {
    { 0, 500, 6 },   { 15, 500, 8 },  { 30, 500, 9 },
    { 45, 500, 10 }, { 60, 100, 6 },  { 75, 100, 4 },
    { 90, 100, 3 },  { 105, 100, 2 }, END,
};

static void any(struct trace_scaling *r)
{
    (void)r;
}

static void from_10(struct trace_scaling *r)
{
    r->start = 10;
}

static void slow(struct trace_scaling *r)
{
    r->start = 80;
    r->down.window = 0;
    r->down.limit[0] = (struct trace_scaling_limit){ MINUTE, 10, true };
    r->down.limit[1] = (struct trace_scaling_limit){ MINUTE, 4, false };
    r->down.limit_count = 2;
}

static void slower(struct trace_scaling *r)
{
    slow(r);
    r->down.select = TRACE_SCALING_LEAST;
}

static void steady(struct trace_scaling *r)
{
    r->up.window = MINUTE;
}

static void to_zero(struct trace_scaling *r)
{
    r->min = r->start = 0;
}

static void doze(struct trace_scaling *r)
{
    to_zero(r);
    r->activation = 20 * TRACE_SERIES_UNIT;
}

static void halved(struct trace_scaling *r)
{
    r->down.window = 0;
    r->up.factor = r->down.factor = 0.5;
    r->up.tolerance = r->down.tolerance = 0;
}

static const struct {
    const char *name;
    enum rules rules;
    void (*change)(struct trace_scaling *r);
    const struct step *step;
} tables[] = {
    { "up", HPA, any, up },
    { "tolerance", HPA, from_10, within },
    { "down", HPA, from_10, down },
    { "limits, most", HPA, slow, slow_down },
    { "limits, least", HPA, slower, slower_down },
    { "window up", HPA, steady, steady_up },
    { "idle", KEDA, to_zero, keda },
    { "activation", KEDA, doze, dozing },
    { "delays", RAY, to_zero, ray },
    { "factor", HPA, halved, half },
};

static void test_steps(void)
{
    for (size_t i = 0; i < N_ELEMENTS(tables); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct trace_scaling r = *trace_scaling_rules(tables[i].rules);
        const struct step *at = tables[i].step;
        struct trace_scaler *s;
        int64_t now = 0;

        r.min = r.start = 2;
        r.max = 100;
        r.target = 50 * TRACE_SERIES_UNIT;
        tables[i].change(&r);
        s = trace_scaler_create(&r, arena);
        for (; at->second >= 0; at++) {
            const double load = at->load * (double)TRACE_SERIES_UNIT;
            uint32_t n = 0;

            for (; now <= at->second * GS_SECOND; now += r.period) {
                const bool is_then = now == at->second * GS_SECOND;

                n = trace_scaler_step(
                    s, now,
                    (int64_t)(is_then
                                  ? load
                                  : at[-1].load * (double)TRACE_SERIES_UNIT));
            }
            CU_ASSERT_EQUAL(n, at->replicas);
            if (n != at->replicas)
                printf("%s, %d s: %u, not %u\n", tables[i].name, at->second, n,
                       at->replicas);
        }
        gs_arena_destroy(arena);
    }
}

static const char *const text[] = { "app" }, *const value[] = { "chat" };

static const struct {
    const char *file;
    struct trace_series_pick pick;
    const char *says; /* NULL: read */
    int64_t at[4];    /* loads at 0, 60, 90 and 150 s, in ones */
} files[] = {
    { "time,rps\n0,5\n60,7\n120,9\n", { 0 }, NULL, { 5, 7, 7, 9 } },
    { "time,rps\n0,5\n1m,7\n", { 0 }, NULL, { 5, 7, 7, 5 } },
    { "a,timestamp,b\n1,2024-01-01 00:00:00,5\n2,2024-01-01T00:01:00Z,\n"
      "3,2024-01-01 00:01:30,6\n",
      { .column = "b" },
      NULL,
      { 5, 5, 6, 6 } },
    { "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
      "{\"metric\":{\"app\":\"x\"},\"values\":[[1,\"1\"]]},"
      "{\"metric\":{\"app\":\"chat\"},\"values\":[[100.5,\"5\"],"
      "[160.5,\"NaN\"],[190.5,\"6\"],[220.5,\"1e1\"]]}]}}",
      { .label = text, .is = value, .label_count = 1 },
      NULL,
      { 5, 5, 6, 5 } },
    { "[{\"metric\":{},\"values\":[[7,\"3\"]]}]", { 0 }, NULL, { 3, 3, 3, 3 } },
    { "time,a,b\n0,1,2\n", { 0 }, "say which with 'column'", { 0 } },
    { "time,a\n0,1\n", { .column = "b" }, "no column 'b'", { 0 } },
    { "when,a\n0,1\n", { 0 }, "no column 'time'", { 0 } },
    { "time,a\n", { 0 }, "no samples", { 0 } },
    { "time,a\n5,1\n5,2\n", { 0 }, "later than", { 0 } },
    { "time,a\n5,-1\n", { 0 }, "0 to 1000000000", { 0 } },
    { "time,a\n5,x\n", { 0 }, "must be a number (got 'x')", { 0 } },
    { "time,a\nx,1\n", { 0 }, "(got 'x')", { 0 } },
    { "{}", { 0 }, "query_range", { 0 } },
    { "{\"result\":[]}", { 0 }, "0 of its 0 series", { 0 } },
    { "{\"result\":[{\"metric\":{},\"value\":[1,\"1\"]}]}",
      { 0 },
      "no 'values'",
      { 0 } },
    { "[{\"values\":[[1]]}]", { 0 }, "[time, \"value\"]", { 0 } },
    { "[{\"values\":[[\"a\",\"1\"]]}]", { 0 }, "a time in seconds", { 0 } },
    { "[]", { .column = "a" }, "has no columns", { 0 } },
    { "time,a\n0,1\n",
      { .label = text, .is = value, .label_count = 1 },
      "has no labels",
      { 0 } },
};

static void test_files(void)
{
    static const int64_t second[] = { 0, 60, 90, 150 };

    for (size_t i = 0; i < N_ELEMENTS(files); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct gs_input *in = gs_input_open_memory("s", files[i].file,
                                                   strlen(files[i].file));
        struct gs_err err = { 0 };
        struct trace_series s;
        const int rc = trace_series_read(in, &files[i].pick, arena, &s, &err);
        const bool as_wanted =
            files[i].says ? rc < 0 && strstr(err.problem[0].text, files[i].says)
                          : rc == 0;

        CU_ASSERT_TRUE(as_wanted);
        if (!as_wanted)
            printf("%zu: %s\n", i, err.count ? err.problem[0].text : "read");
        for (size_t k = 0; rc == 0 && k < N_ELEMENTS(second); k++)
            CU_ASSERT_EQUAL(trace_series_at(&s, second[k] * GS_SECOND),
                            files[i].at[k] * TRACE_SERIES_UNIT);
        gs_input_close(in);
        gs_arena_destroy(arena);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "replicas step by step", test_steps },
        { "series are read", test_files },
    };

    return suite_run("traces/scaling", suite, N_ELEMENTS(suite));
}
