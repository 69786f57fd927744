/* traces/model/generate.c - workloads from distributions, in integers.
 *
 * Sizes and durations are drawn first; the mean gap between arrivals follows
 * from the work that they add up to, so that the load is what was asked for.
 */
#include "traces/model/generate.h"

#include <assert.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "traces/workload/workload.h"

#define MS (GS_SECOND / 1000)
#define TASK_GPUS 8
#define DURATION_MAX (30 * 86400 * GS_SECOND)

static const struct trace_mix usual_mix[] = {
    { 1, 500 }, { 2, 120 }, { 4, 80 },  { 8, 220 },
    { 16, 40 }, { 32, 25 }, { 64, 15 },
};

/* --- distributions -------------------------------------------------------- */

/* -log2(x / 2^32) for x in [1, 2^32], with 24 bits of fraction. */
static uint64_t neg_log2(uint64_t x)
{
    uint64_t log = 0;
    uint64_t whole = 1;

    if (x >> 32)
        return 0;
    while (!(x >> 31)) {
        x <<= 1;
        whole++;
    }
    /* x / 2^31 is in [1, 2): squaring it doubles its logarithm, bit by bit */
    for (int i = 0; i < 24; i++) {
        x *= x;
        log = log << 1 | x >> 63;
        x >>= x >> 63 ? 32 : 31;
    }
    return (whole << 24) - log;
}

/* 2^(e / 2^16) for e in [-2^20, 2^20], with 31 bits of fraction at most:
 * `unit` times it.
 */
static int64_t exp2_times(int64_t unit, int64_t e)
{
    /* 2^(2^-i) * 2^31, i = 1 .. 16 */
    static const uint32_t root[16] = {
        3037000500, 2553802834, 2341847524, 2242560872, 2194507417, 2170868212,
        2159144272, 2153306067, 2150392887, 2148937775, 2148210589, 2147847087,
        2147665360, 2147574502, 2147529075, 2147506361,
    };
    uint64_t m = UINT64_C(1) << 31;
    int64_t whole = e >= 0 ? e >> 16 : -((-e + 65535) >> 16);
    const uint64_t fraction = (uint64_t)(e - whole * 65536);

    for (int i = 0; i < 16; i++) {
        if (fraction >> (15 - i) & 1)
            m = m * root[i] >> 31;
    }
    /* in thousandths of 2^31, so that 64 bits hold the product */
    unit = (int64_t)((uint64_t)unit * (m >> 11) >> 20);
    for (; whole > 0 && unit < DURATION_MAX; whole--)
        unit *= 2;
    return whole < -62 ? 0 : whole < 0 ? unit >> -whole : unit;
}

/* A normal variable with 16 bits of fraction: the sum of twelve uniform ones,
 * less 6.
 */
static int64_t draw_normal(struct gs_rng *r)
{
    int64_t sum = 0;

    for (int i = 0; i < 6; i++) {
        const uint32_t u = gs_rng_u32(r);

        sum += (int64_t)(u >> 16) + (int64_t)(u & 0xffff);
    }
    return sum + 6 - 6 * 65536;
}

/* An exponential variable of mean `mean`, which is below 2^36. */
static int64_t draw_exponential(struct gs_rng *r, int64_t mean)
{
    const uint64_t log = neg_log2((uint64_t)gs_rng_u32(r) + 1);

    /* ln 2 = 45426 / 65536; log / 2^24 is at most 32 */
    return (int64_t)(((uint64_t)mean * (log * 45426 >> 24)) >> 16);
}

static uint32_t draw_size(struct gs_rng *r, const struct trace_generator *g,
                          uint64_t total)
{
    uint64_t at = gs_rng_below(r, total);
    uint32_t i = 0;

    while (at >= g->mix[i].weight)
        at -= g->mix[i++].weight;
    return g->mix[i].gpus;
}

/* --- jobs ----------------------------------------------------------------- */

static int check(const struct trace_generator *g, uint64_t *total,
                 struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    *total = 0;
    for (uint32_t i = 0; i < g->mix_count; i++) {
        const uint32_t n = g->mix[i].gpus;

        if (n == 0 || (n > TASK_GPUS && n % TASK_GPUS) || n > 4096)
            return gs_fail(err, GS_USAGE, nowhere,
                           "a generated job has 1 to 8 GPUs or a multiple of "
                           "8 up to 4096 (got %u)",
                           n);
        *total += g->mix[i].weight;
    }
    if (*total == 0)
        return gs_fail(err, GS_USAGE, nowhere, "the mix of sizes is empty");
    if (g->jobs > TRACE_JOBS_MAX)
        return gs_fail(err, GS_LIMIT, nowhere, "more than %d jobs",
                       TRACE_JOBS_MAX);
    if (g->median < MS || g->median > DURATION_MAX || g->spread_milli > 8000)
        return gs_fail(err, GS_USAGE, nowhere,
                       "durations must have a median of 1 ms to 30 days and "
                       "a spread of at most 8");
    return 0;
}

/* Add all jobs, at time 0.  Returns the GPU time that they ask for, in
 * milliseconds.
 */
static uint64_t add_jobs(const struct trace_generator *g, uint64_t total,
                         struct trace_workload *w)
{
    struct gs_rng sizes, durations;
    uint64_t work = 0;

    gs_rng_init(&sizes, g->seed, "generate sizes");
    gs_rng_init(&durations, g->seed, "generate durations");
    for (uint32_t i = 0; i < g->jobs; i++) {
        const uint32_t gpus = draw_size(&sizes, g, total);
        const int64_t spread = draw_normal(&durations)
                               * (int64_t)g->spread_milli / 1000;
        const int64_t ms = exp2_times(g->median, spread) / MS;
        const struct topo_request q = {
            .gpus = gpus < TASK_GPUS ? gpus : TASK_GPUS,
        };
        struct trace_group group = { .replicas = gpus / q.gpus };
        struct trace_job job = { .group_count = 1, .retries = TRACE_NONE };

        job.duration = (ms > 0 ? ms : 1) * MS;
        if (job.duration > DURATION_MAX)
            job.duration = DURATION_MAX;
        job.estimate = job.duration;
        job.name = trace_number_name(w->names, "job-", i + 1);
        group.shape = trace_workload_shape(w, &q);
        trace_workload_add(w, &job, &group);
        work += (uint64_t)(job.duration / MS) * gpus;
    }
    return work;
}

static void set_arrivals(const struct trace_generator *g, uint64_t work,
                         struct trace_workload *w)
{
    const uint64_t span_ms = work / g->gpus * 1000 / g->load_milli;
    const uint64_t mean = span_ms / g->jobs * 1000
                          + span_ms % g->jobs * 1000 / g->jobs;
    const int64_t gap = mean < UINT64_C(1) << 36 ? (int64_t)mean
                                                 : (INT64_C(1) << 36) - 1;
    struct gs_rng r;
    int64_t now = 0;

    gs_rng_init(&r, g->seed, "generate arrivals");
    for (uint32_t i = 0; i < g->jobs; i++) {
        w->job[i].submit = now / MS * MS;
        now += draw_exponential(&r, gap);
    }
}

int trace_generate(const struct trace_generator *generator,
                   struct trace_workload *w, struct gs_err *err)
{
    struct trace_generator g = *generator;
    uint64_t total;

    assert(w);
    g.jobs = g.jobs ? g.jobs : 1000;
    g.gpus = g.gpus ? g.gpus : 512;
    g.load_milli = g.load_milli ? g.load_milli : 900;
    g.median = g.median ? g.median : 1200 * GS_SECOND;
    g.spread_milli = g.spread_milli ? g.spread_milli : 2000;
    if (!g.mix) {
        g.mix = usual_mix;
        g.mix_count = sizeof(usual_mix) / sizeof(usual_mix[0]);
    }
    if (check(&g, &total, err) < 0)
        return -1;
    set_arrivals(&g, add_jobs(&g, total, w), w);
    trace_workload_finish(w, 0);
    return 0;
}
