/* reports/compare/pivot.h - tables of one metric of many runs over two axes,
 * for example of a sweep.
 *
 * An axis is policy, trace, topology, seed, run, an axis of the sweep to which
 * the run belongs, or the path of a --set.  Cells are means over the seeds; no
 * cell is called better than another, since rows and columns usually have
 * different inputs.
 */
#ifndef REPORTS_COMPARE_PIVOT_H
#define REPORTS_COMPARE_PIVOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"

struct report_pivot; /* opaque; lives in its arena */

struct report_pivot_axes {
    const char *const *rows, *const *cols; /* names of axes */
    size_t row_count, col_count; /* rows: at least one; cols: 0 makes metrics
                                    the columns */
    const char *const *where;    /* "AXIS=VALUE": only runs with this value */
    size_t where_count;
};

/* Sort the runs that `name` names (reports/store/choose.h) into cells and read
 * the metrics that match any of `glob` (name, or name.label; 0: wait.mean).
 * Returns NULL (GS_USAGE) for an axis or metric that no run has, and when the
 * runs of a cell differ in more than seed and name: the error names the axis.
 */
struct report_pivot *report_pivot_create(
    struct report_store *const *store, size_t stores, const char *const *name,
    size_t names, const struct report_pivot_axes *axes, const char *const *glob,
    size_t globs, struct gs_arena *arena, struct gs_err *err);

void report_pivot_print(const struct report_pivot *p,
                        const struct report_layout *layout, FILE *out);

#endif /* REPORTS_COMPARE_PIVOT_H */
