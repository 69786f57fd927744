/* traces/edit/estimates.c - estimates drawn from durations, see estimates.h. */
#include "traces/edit/estimates.h"

#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/rng.h"
#include "traces/workload/workload.h"

#define FACTOR_MIN 0.01
#define FACTOR_MAX 1000.0
#define PARTS (UINT64_C(1) << 32)

/* Most estimates are a few round times (Tsafrir et al., table 2). */
static const int64_t popular[] = {
    5 * 60,    10 * 60,   15 * 60,   20 * 60,   30 * 60,   3600,      2 * 3600,
    3 * 3600,  4 * 3600,  5 * 3600,  6 * 3600,  8 * 3600,  10 * 3600, 12 * 3600,
    18 * 3600, 24 * 3600, 36 * 3600, 48 * 3600, 72 * 3600, 168 * 3600
};

static int wrong(const char *text, struct gs_err *err)
{
    return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                   "estimates must be " TRACE_ESTIMATES_HELP ", where factors "
                   "are from 0.01 to 1000 and rise, as times do (got '%.80s')",
                   text);
}

static int factor_parse(const char *s, size_t len, double *out)
{
    return gs_quantity_parse_double(s, len, out) < 0 || *out < FACTOR_MIN
                   || *out > FACTOR_MAX
               ? -1
               : 0;
}

static int classes_parse(const char *s, struct trace_estimates *e)
{
    for (;;) {
        const size_t len = strcspn(s, ",");
        int64_t t;

        if (e->classes == TRACE_CLASSES_MAX || gs_duration_parse(s, len, &t) < 0
            || t <= 0 || (e->classes && t <= e->klass[e->classes - 1]))
            return -1;
        e->klass[e->classes++] = t;
        if (s[len] == '\0')
            return 0;
        s += len + 1;
    }
}

int trace_estimates_parse(const char *text, struct trace_estimates *out,
                          struct gs_err *err)
{
    static const char factor[] = "factor:", uniform[] = "uniform:",
                      classes[] = "classes";
    const char *dots;

    *out = (struct trace_estimates){ .kind = TRACE_ESTIMATES_UNIFORM };
    if (strcmp(text, "exact") == 0) {
        out->kind = TRACE_ESTIMATES_EXACT;
        return 0;
    }
    if (strncmp(text, factor, sizeof(factor) - 1) == 0) {
        text += sizeof(factor) - 1;
        if (factor_parse(text, strlen(text), &out->low) < 0)
            return wrong(text, err);
        out->high = out->low;
        return 0;
    }
    if (strncmp(text, uniform, sizeof(uniform) - 1) == 0) {
        const char *from = text + sizeof(uniform) - 1;

        dots = strstr(from, "..");
        if (!dots || factor_parse(from, (size_t)(dots - from), &out->low) < 0
            || factor_parse(dots + 2, strlen(dots + 2), &out->high) < 0
            || out->high < out->low)
            return wrong(text, err);
        return 0;
    }
    out->kind = TRACE_ESTIMATES_CLASSES;
    if (strcmp(text, classes) == 0) {
        out->classes = sizeof(popular) / sizeof(popular[0]);
        for (uint32_t i = 0; i < out->classes; i++)
            out->klass[i] = popular[i] * GS_SECOND;
        return 0;
    }
    if (strncmp(text, classes, sizeof(classes) - 1) != 0
        || text[sizeof(classes) - 1] != ':'
        || classes_parse(text + sizeof(classes), out) < 0)
        return wrong(text, err);
    return 0;
}

static int64_t class_of(const struct trace_estimates *e, int64_t duration)
{
    for (uint32_t i = 0; i < e->classes; i++) {
        if (e->klass[i] >= duration)
            return e->klass[i];
    }
    return duration;
}

void trace_estimates_draw(struct trace_workload *w,
                          const struct trace_estimates *e, uint64_t seed)
{
    struct gs_rng rng;

    gs_rng_init(&rng, seed, "estimates");
    for (uint32_t i = 0; i < w->job_count; i++) {
        struct trace_job *j = &w->job[i];
        const double part = (double)gs_rng_below(&rng, PARTS + 1)
                            / (double)PARTS;
        double us;

        if (j->duration == TRACE_FOREVER)
            continue;
        if (e->kind == TRACE_ESTIMATES_CLASSES) {
            j->estimate = class_of(e, j->duration);
            continue;
        }
        us = (double)j->duration;
        if (e->kind == TRACE_ESTIMATES_UNIFORM)
            us *= e->low + (e->high - e->low) * part;
        j->estimate = us < (double)GS_TIME_MAX ? (int64_t)floor(us + 0.5)
                                               : GS_TIME_MAX;
    }
}
