/* reports/measure/samples.c - buckets that double, see samples.h. */
#include "reports/measure/samples.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

void report_samples_init(struct report_samples *s)
{
    assert(s);
    *s = (struct report_samples){
        .row = gs_array_new(REPORT_SAMPLES_MAX, sizeof(*s->row)),
        .span = 1000000,
    };
}

void report_samples_fini(struct report_samples *s)
{
    gs_array_free(s->row);
    *s = (struct report_samples){ 0 };
}

/* Merge neighbouring rows: half the rows, each twice as long. */
static void join(struct report_samples *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct report_sample *to = &s->row[i / 2];
        const struct report_sample from = s->row[i];

        if (i % 2 == 0)
            *to = from;
        else
            for (int k = 0; k < REPORT_SERIES; k++)
                to->sum[k] += from.sum[k];
    }
    s->count = (s->count + 1) / 2;
    memset(&s->row[s->count], 0,
           (REPORT_SAMPLES_MAX - s->count) * sizeof(*s->row));
    s->span *= 2;
}

void report_samples_add(struct report_samples *s, int64_t us,
                        const double *value)
{
    int64_t from = s->length;
    const int64_t to = from + us;

    assert(us >= 0 && s->span > 0);
    while ((to - 1) / s->span >= REPORT_SAMPLES_MAX)
        join(s);
    while (from < to) {
        const int64_t i = from / s->span;
        const int64_t end = (i + 1) * s->span < to ? (i + 1) * s->span : to;
        struct report_sample *row = &s->row[i];

        for (int k = 0; k < REPORT_SERIES; k++)
            row->sum[k] += value[k] * (double)(end - from);
        s->count = (uint32_t)i + 1;
        from = end;
    }
    s->length = to;
}

double report_samples_value(const struct report_samples *s, uint32_t i,
                            enum report_series series)
{
    const int64_t from = (int64_t)i * s->span;
    const int64_t to = from + s->span < s->length ? from + s->span : s->length;

    assert(i < s->count);
    return s->row[i].sum[series] / (double)(to - from);
}
