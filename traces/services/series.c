/* traces/services/series.c - a recorded series, from CSV or Prometheus. */
#include "traces/services/series.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"

struct reader {
    struct gs_input *in;
    struct gs_arena *arena;
    int64_t *time, *value;
    uint32_t count, time_cap, value_cap;
    int64_t begin; /* time of the first sample */
};

static int sample_add(struct reader *r, int64_t time, double value,
                      struct gs_mark at, struct gs_err *err)
{
    if (!(value >= 0 && value <= (double)TRACE_SERIES_MOST))
        return gs_fail(err, GS_INPUT, at, "a load must be 0 to %d",
                       (int)TRACE_SERIES_MOST);
    if (r->count == 0)
        r->begin = time;
    time -= r->begin;
    if (r->count && time <= r->time[r->count - 1])
        return gs_fail(err, GS_INPUT, at,
                       "the time of a sample must be later than that of the "
                       "one before it");
    r->time = gs_arena_grow(r->arena, r->time, &r->time_cap, r->count,
                            sizeof(*r->time));
    r->value = gs_arena_grow(r->arena, r->value, &r->value_cap, r->count,
                             sizeof(*r->value));
    r->time[r->count] = time;
    r->value[r->count++] = llround(value * (double)TRACE_SERIES_UNIT);
    return 0;
}

/* --- CSV ------------------------------------------------------------------ */

static int column_find(const struct gs_csv *csv, const char *const *name,
                       uint32_t count)
{
    int found = -1;

    for (uint32_t i = 0; i < count && found < 0; i++)
        found = gs_csv_column(csv, name[i]);
    return found;
}

static int columns_find(const struct gs_csv *csv, const char *wanted, int *time,
                        int *value, struct gs_err *err)
{
    static const char *const times[] = { "time", "timestamp", "Time",
                                         "Timestamp" };
    const struct gs_mark at = { .source = gs_input_name(csv->in), .line = 1 };

    *time = column_find(csv, times, sizeof(times) / sizeof(times[0]));
    if (*time < 0)
        return gs_fail(err, GS_INPUT, at, "no column 'time' (or 'timestamp')");
    if (wanted) {
        *value = gs_csv_column(csv, wanted);
        if (*value >= 0)
            return 0;
        return gs_fail(err, GS_INPUT, at, "no column '%.200s'", wanted);
    }
    if (csv->count != 2)
        return gs_fail(err, GS_INPUT, at,
                       "has %u columns beside the time: say which with "
                       "'column'",
                       csv->count - 1);
    *value = 1 - *time;
    return 0;
}

static int csv_row(struct reader *r, const struct gs_csv *csv, int time,
                   int value, struct gs_err *err)
{
    const struct gs_csv_field *t = &csv->field[time], *v = &csv->field[value];
    int64_t at;
    double load;

    if (v->len == 0)
        return 0;
    if (gs_duration_parse(t->text, t->len, &at) < 0
        && gs_date_parse(t->text, t->len, &at) < 0)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)time),
                       "a time must be seconds, a duration or a date (got "
                       "'%.60s')",
                       t->text);
    if (strcmp(v->text, "NaN") == 0)
        return 0;
    if (gs_quantity_parse_double(v->text, v->len, &load) < 0)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)value),
                       "a load must be a number (got '%.60s')", v->text);
    return sample_add(r, at, load, gs_csv_mark(csv, (uint32_t)value), err);
}

static int csv_read(struct reader *r, const char *column, struct gs_err *err)
{
    struct gs_csv csv;
    int time = -1, value = -1, rc;

    if (gs_csv_open(&csv, r->in, err) < 0)
        return -1;
    rc = columns_find(&csv, column, &time, &value, err);
    while (rc == 0) {
        rc = gs_csv_next(&csv, err);
        if (rc <= 0)
            break;
        rc = csv_row(r, &csv, time, value, err);
    }
    gs_csv_close(&csv);
    return rc;
}

/* --- Prometheus: JSON is YAML --------------------------------------------- */

static bool has_labels(const struct gs_ynode *series,
                       const struct trace_series_pick *pick)
{
    const struct gs_ynode *metric = gs_ynode_find(series, "metric");

    for (uint32_t i = 0; i < pick->label_count; i++) {
        const struct gs_ynode *v = gs_ynode_find(metric, pick->label[i]);

        if (!v || v->kind != GS_YSCALAR || strcmp(v->text, pick->is[i]) != 0)
            return false;
    }
    return true;
}

/* The one series of `list` with the labels. */
static const struct gs_ynode *series_find(const struct gs_yctx *c,
                                          const struct gs_ynode *list,
                                          const struct trace_series_pick *pick,
                                          struct gs_err *err)
{
    const struct gs_ynode *found = NULL;
    uint32_t count = 0;

    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (!has_labels(v, pick))
            continue;
        found = v;
        count++;
    }
    if (count == 1)
        return found;
    (void)gs_fail(err, GS_INPUT, gs_ynode_mark(c, list),
                  "%u of its %u series have the labels that 'labels' states, "
                  "which must be those of one",
                  count, list->len);
    return NULL;
}

static int pair_read(struct reader *r, const struct gs_yctx *c,
                     const struct gs_ynode *pair, struct gs_err *err)
{
    const struct gs_ynode *t = pair->child, *v = t ? t->next : NULL;
    double seconds, load;

    if (pair->kind != GS_YSEQ || pair->len != 2 || t->kind != GS_YSCALAR
        || v->kind != GS_YSCALAR)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, pair),
                       "a sample must be [time, \"value\"]");
    if (strcmp(v->text, "NaN") == 0)
        return 0;
    if (gs_quantity_parse_double(t->text, t->len, &seconds) < 0
        || !(seconds >= 0 && seconds < 1e11)
        || gs_quantity_parse_double(v->text, v->len, &load) < 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "a sample must be a time in seconds and a number (got "
                       "'%.60s', '%.60s')",
                       t->text, v->text);
    return sample_add(r, llround(seconds * 1e3) * (GS_SECOND / 1000), load,
                      gs_ynode_mark(c, v), err);
}

static int json_read(struct reader *r, const struct trace_series_pick *pick,
                     struct gs_err *err)
{
    const struct gs_yctx c = { .source = gs_input_name(r->in) };
    const struct gs_ynode *root = gs_yaml_read(r->in, r->arena, NULL, err);
    const struct gs_ynode *data = gs_ynode_find(root, "data"), *list, *values;

    if (!root)
        return -1;
    list = root->kind == GS_YSEQ ? root
                                 : gs_ynode_find(data ? data : root, "result");
    if (!list || list->kind != GS_YSEQ)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&c, root),
                       "must be CSV, or what Prometheus answers to "
                       "query_range: {data: {result: [...]}}");
    list = series_find(&c, list, pick, err);
    if (!list)
        return -1;
    values = gs_ynode_find(list, "values");
    if (!values || values->kind != GS_YSEQ)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&c, list),
                       "the series has no 'values', as the answer to "
                       "query_range has them");
    for (const struct gs_ynode *v = values->child; v; v = v->next) {
        if (pair_read(r, &c, v, err) < 0)
            return -1;
    }
    return 0;
}

int trace_series_read(struct gs_input *in, const struct trace_series_pick *pick,
                      struct gs_arena *arena, struct trace_series *out,
                      struct gs_err *err)
{
    const struct gs_mark at = { .source = gs_input_name(in) };
    struct reader r = { .in = in, .arena = arena };
    size_t size;
    const char *head = gs_input_head(in, &size, err);
    int rc;

    assert(pick && out);
    if (!head)
        return -1;
    while (size && strchr(" \t\r\n", *head) && *head) {
        head++;
        size--;
    }
    if (size && (*head == '{' || *head == '['))
        rc = pick->column
                 ? gs_fail(err, GS_INPUT, at,
                           "is JSON, which has no columns: say which series "
                           "with 'labels'")
                 : json_read(&r, pick, err);
    else
        rc = pick->label_count
                 ? gs_fail(err, GS_INPUT, at,
                           "is no JSON, and has no labels: say which series "
                           "with 'column'")
                 : csv_read(&r, pick->column, err);
    if (rc == 0 && r.count == 0)
        rc = gs_fail(err, GS_INPUT, at, "has no samples");
    if (rc < 0)
        return -1;
    *out = (struct trace_series){ .count = r.count,
                                  .time = r.time,
                                  .value = r.value };
    if (r.count > 1)
        out->length = 2 * r.time[r.count - 1] - r.time[r.count - 2];
    return 0;
}

int64_t trace_series_at(const struct trace_series *s, int64_t time)
{
    uint32_t low = 0, high = s->count; /* time[low] <= time < time[high] */

    assert(s->count && time >= 0);
    if (s->length)
        time %= s->length;
    while (high - low > 1) {
        const uint32_t mid = low + (high - low) / 2;

        if (s->time[mid] <= time)
            low = mid;
        else
            high = mid;
    }
    return s->value[low];
}
