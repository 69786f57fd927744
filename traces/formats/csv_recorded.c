/* traces/formats/csv_recorded.c - the recorded runs of a job in native CSV: a
 * column each of starts, ends and nodes ("n1|n2*4"), with ';' between runs.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "traces/formats/csv_row.h"
#include "traces/formats/writing.h"
#include "traces/workload/records.h"

#define NODES_ALLOWED \
    "nodes and how many tasks they hold, such as n1|n2*4, with ';' between runs"

/* The next part up to `mark`, and skip it; false after the last. */
static bool part_next(const char **p, char mark, const char **part, size_t *len)
{
    const char *end;

    if (!*p)
        return false;
    end = strchr(*p, mark);
    *part = *p;
    *len = end ? (size_t)(end - *p) : strlen(*p);
    *p = end ? end + 1 : NULL;
    return true;
}

static int nodes_take(struct trace_workload *w, const char *text, size_t len,
                      struct gs_mark at, struct gs_err *err)
{
    size_t from = 0;

    while (from < len) {
        const char *bar = memchr(text + from, '|', len - from);
        const size_t to = bar ? (size_t)(bar - text) : len;
        size_t name;
        const uint32_t tasks = trace_node_tasks(text + from, to - from, &name);

        if (tasks == 0 || name == 0 || (bar && to + 1 == len))
            return gs_fail(err, GS_INPUT, at,
                           "'recorded_nodes' must be " NODES_ALLOWED
                           " (got '%.80s')",
                           text);
        (void)trace_workload_spot(w, gs_strtab_put(w->names, text + from, name),
                                  tasks);
        from = to + 1;
    }
    return 0;
}

static int time_take(const char *column, const char *text, size_t len,
                     int64_t *out, struct gs_mark at, struct gs_err *err)
{
    if (gs_duration_parse(text, len, out) == 0)
        return 0;
    return gs_fail(err, GS_INPUT, at,
                   "'%s' must be " TRACE_TIME_ALLOWED
                   ", with ';' between runs (got '%.*s')",
                   column, len < 80 ? (int)len : 80, text);
}

int trace_csv_records_read(struct trace_workload *w, struct trace_csv_row *row,
                           struct gs_mark at, struct gs_err *err)
{
    const char *cell[TRACE_RECORD_COLUMNS], *text;
    size_t len;

    for (int i = 0; i < TRACE_RECORD_COLUMNS; i++) {
        const uint32_t id = row->record[i];

        cell[i] = id ? gs_strtab_str(w->names, id) : NULL;
    }
    row->own.job.tasks = row->replicas;
    if (!cell[TRACE_CSV_STARTS]
        && (cell[TRACE_CSV_ENDS] || cell[TRACE_CSV_NODES]))
        return gs_fail(err, GS_INPUT, at, "'%s' needs 'recorded_start'",
                       cell[TRACE_CSV_ENDS] ? "recorded_end"
                                            : "recorded_nodes");
    while (part_next(&cell[TRACE_CSV_STARTS], ';', &text, &len)) {
        const uint32_t first_spot = w->records->spot_count;
        int64_t start = 0, end = TRACE_FOREVER;

        if (time_take("recorded_start", text, len, &start, at, err) < 0
            || (part_next(&cell[TRACE_CSV_ENDS], ';', &text, &len) && len
                && time_take("recorded_end", text, len, &end, at, err) < 0)
            || (part_next(&cell[TRACE_CSV_NODES], ';', &text, &len) && len
                && nodes_take(w, text, len, at, err) < 0)
            || trace_record_put(w, &row->own.job, start, end, first_spot, at,
                                err)
                   < 0)
            return -1;
    }
    if (!cell[TRACE_CSV_ENDS] && !cell[TRACE_CSV_NODES])
        return 0;
    return gs_fail(err, GS_INPUT, at,
                   "'%s' states more runs than 'recorded_start'",
                   cell[TRACE_CSV_ENDS] ? "recorded_end" : "recorded_nodes");
}

/* --- writing -------------------------------------------------------------- */

static void nodes_put(FILE *out, const struct trace_workload *w,
                      const struct trace_record *r)
{
    for (uint32_t i = 0; i < r->spot_count; i++) {
        const struct trace_spot *s = &w->records->spot[r->first_spot + i];
        const char *name = gs_strtab_str(w->names, s->node);

        fprintf(out, "%s%s", i ? "|" : "", name);
        if (s->tasks != 1 || strchr(name, '*'))
            fprintf(out, "*%" PRIu32, s->tasks);
    }
}

void trace_csv_records_put(FILE *out, const struct trace_workload *w,
                           const struct trace_job *j, int column)
{
    assert(out && w && j && column < TRACE_RECORD_COLUMNS);
    for (uint32_t i = 0; i < j->record_count; i++) {
        const struct trace_record *r = &w->records->record[j->first_record + i];

        if (i)
            putc(';', out);
        if (column == TRACE_CSV_STARTS)
            trace_put_time(out, trace_record_start(j, r));
        else if (column == TRACE_CSV_NODES)
            nodes_put(out, w, r);
        else if (r->length != TRACE_FOREVER)
            trace_put_time(out, trace_record_end(j, r));
    }
}

bool trace_csv_records_fit(const struct trace_workload *w,
                           const struct trace_job *j)
{
    for (uint32_t i = 0; i < j->record_count; i++) {
        const struct trace_record *r = &w->records->record[j->first_record + i];

        for (uint32_t k = 0; k < r->spot_count; k++) {
            if (strpbrk(gs_strtab_str(w->names,
                                      w->records->spot[r->first_spot + k].node),
                        ",\"|; "))
                return false;
        }
    }
    return true;
}
