/* reports/compare/axes.h - the axes of a run and its value on each.
 *
 * An axis is policy, seed, run, trace, topology, an axis of the sweep to which
 * the run belongs, or the path of a --set.
 */
#ifndef REPORTS_COMPARE_AXES_H
#define REPORTS_COMPARE_AXES_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct report_store;
struct report_stored_run;

struct report_axis_value {
    const char *axis, *value; /* clean texts */
};

struct report_axes {
    struct report_axis_value *at; /* each axis once */
    uint32_t count, cap;
};

/* Read the run's axes into `a`, in `arena`.  An axis of a sweep takes
 * precedence over a --set of the same name.  Returns 0, or -1 when the store
 * cannot be read.
 */
int report_axes_read(struct report_axes *a, struct report_store *from,
                     const struct report_stored_run *run,
                     struct gs_arena *arena, struct gs_err *err);

/* The run's value; NULL when it has no such axis. */
const char *report_axes_value(const struct report_axes *a, const char *axis);

#endif /* REPORTS_COMPARE_AXES_H */
