/* reports/store/store_causes.c - the rows of why jobs waited and were evicted. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"
#include "reports/store/stored_names.h"

static void text(sqlite3_context *out, const char *s)
{
    sqlite3_result_text(out, s, -1, SQLITE_STATIC);
}

/* Those of one job, in the order of the table. */
static int wait_compare(const void *pa, const void *pb)
{
    const struct report_wait *a = pa, *b = pb;

    return strcmp(report_cause_name(a->cause), report_cause_name(b->cause));
}

/* They come in order of end. */
static struct report_wait *waits_sort(const struct report_log *l)
{
    struct report_wait *out = gs_array_new(l->wait_count, sizeof(*out));
    uint32_t *at = gs_array_new((size_t)l->job_count + 1, sizeof(*at));

    for (uint32_t i = 0; i < l->wait_count; i++)
        at[l->wait[i].job + 1]++;
    for (uint32_t j = 0; j < l->job_count; j++)
        at[j + 1] += at[j];
    for (uint32_t i = 0; i < l->wait_count; i++)
        out[at[l->wait[i].job]++] = l->wait[i];
    for (uint32_t j = 0, from = 0; j < l->job_count; from = at[j++]) {
        if (at[j] - from > 1)
            qsort(out + from, at[j] - from, sizeof(*out), wait_compare);
    }
    gs_array_free(at);
    return out;
}

static void wait_value(const void *self, int64_t row, int column,
                       sqlite3_context *out)
{
    const struct report_wait *w = (const struct report_wait *)self + row;

    switch (column) {
    case 1:
        sqlite3_result_int64(out, w->job);
        break;
    case 2:
        text(out, report_cause_name(w->cause));
        break;
    case 3:
        sqlite3_result_int64(out, w->us);
        break;
    }
}

int report_write_waits(const struct report_writing *w)
{
    struct report_wait *sorted = waits_sort(w->log);
    const struct report_row_source source = { "waits", 4,
                                              w->run,  w->log->wait_count,
                                              sorted,  wait_value };
    const int rc = report_rows_insert(w->db, &source);

    gs_array_free(sorted);
    return rc;
}

static void refusal_value(const void *self, int64_t row, int column,
                          sqlite3_context *out)
{
    const struct report_refused *r = (const struct report_refused *)self + row;

    switch (column) {
    case 1:
        sqlite3_result_int64(out, r->job);
        break;
    case 2:
        text(out, r->module);
        break;
    case 3:
        sqlite3_result_int64(out, r->us);
        break;
    }
}

int report_write_refusals(const struct report_writing *w)
{
    const struct report_row_source source = {
        "refusals",   4, w->run, w->log->refused_count, w->log->refused,
        refusal_value
    };

    return report_rows_insert(w->db, &source);
}

static void eviction_value(const void *self, int64_t row, int column,
                           sqlite3_context *out)
{
    const struct report_evicted *e = (const struct report_evicted *)self + row;

    switch (column) {
    case 1:
        sqlite3_result_int64(out, row);
        break;
    case 2:
        sqlite3_result_int64(out, e->at);
        break;
    case 3:
        sqlite3_result_int64(out, e->what.job);
        break;
    case 4:
        if (e->what.by != UINT32_MAX)
            sqlite3_result_int64(out, e->what.by);
        break;
    case 5:
        text(out, report_eviction_name(e->what.kind));
        break;
    case 6:
        sqlite3_result_int64(out, e->what.tasks);
        break;
    case 7:
        sqlite3_result_int64(out, e->what.is_whole);
        break;
    case 8:
        sqlite3_result_int64(out, e->what.lost_us);
        break;
    case 9:
        sqlite3_result_int64(out, e->what.lost_gpu_us);
        break;
    }
}

int report_write_evictions(const struct report_writing *w)
{
    const struct report_row_source source = {
        "evictions",   10, w->run, w->log->eviction_count, w->log->eviction,
        eviction_value
    };

    return report_rows_insert(w->db, &source);
}
