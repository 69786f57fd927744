/* reports/store/store_outages.c - the rows of what happened to nodes. */
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"
#include "reports/store/stored_names.h"

static void outage_value(const void *self, int64_t row, int column,
                         sqlite3_context *out)
{
    const struct report_writing *w = self;
    const struct report_outage *o = &w->log->outage[row];

    switch (column) {
    case 1:
        sqlite3_result_int64(out, row);
        break;
    case 2:
        sqlite3_result_int64(out, o->at);
        break;
    case 3:
        sqlite3_result_int64(out, o->what.node);
        break;
    case 4:
        if (o->what.device != UINT32_MAX)
            sqlite3_result_int64(out, o->what.device);
        break;
    case 5:
        sqlite3_result_text(out, report_node_state_name(o->what.state), -1,
                            SQLITE_STATIC);
        break;
    case 6:
        sqlite3_result_int64(out, o->what.is_scaled);
        break;
    }
}

int report_write_outages(const struct report_writing *w)
{
    const struct report_row_source source = { "outages", 7,
                                              w->run,    w->log->outage_count,
                                              w,         outage_value };

    return report_rows_insert(w->db, &source);
}
