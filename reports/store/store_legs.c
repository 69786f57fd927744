/* reports/store/store_legs.c - the rows of how fast jobs ran. */
#include "reports/store/feed.h"
#include "reports/store/store_private.h"
#include "reports/store/words.h"
#include "topology/topology.h"

static void leg_value(const void *self, int64_t row, int column,
                      sqlite3_context *out)
{
    const struct report_writing *w = self;
    const struct report_run_segment *l = &w->log->leg[row];
    const int64_t number[] = { row,      l->job,
                               l->start, l->us,
                               l->tasks, l->gpu_milli,
                               l->speed, l->nodes * INT64_C(1000),
                               l->model };

    if (column <= 9)
        sqlite3_result_int64(out, number[column - 1]);
    else
        sqlite3_result_text(out,
                            column == 10 ? report_pace_name(l->by)
                                         : topo_level_name(w->topo, l->level),
                            -1, SQLITE_STATIC);
}

int report_write_legs(const struct report_writing *w)
{
    const struct report_feed feed = { "legs", 12,
                                      w->run, w->log->leg_count,
                                      w,      leg_value };

    return report_feed_insert(w->db, &feed);
}
