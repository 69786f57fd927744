/* reports/store/store_segments.c - the rows of how fast jobs ran. */
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"
#include "reports/store/stored_names.h"
#include "topology/topology.h"

static void segment_value(const void *self, int64_t row, int column,
                          sqlite3_context *out)
{
    const struct report_writing *w = self;
    const struct report_run_segment *l = &w->log->segment[row];
    const int64_t number[] = { row,      l->job,
                               l->start, l->us,
                               l->tasks, l->gpu_milli,
                               l->speed, l->nodes * INT64_C(1000),
                               l->model };

    if (column <= 9)
        sqlite3_result_int64(out, number[column - 1]);
    else
        sqlite3_result_text(out,
                            column == 10 ? report_speed_name(l->by)
                                         : topo_level_name(w->topo, l->level),
                            -1, SQLITE_STATIC);
}

int report_write_segments(const struct report_writing *w)
{
    const struct report_row_source source = { "legs", 12,
                                              w->run, w->log->segment_count,
                                              w,      segment_value };

    return report_rows_insert(w->db, &source);
}
