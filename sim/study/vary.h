/* sim/study/vary.h - a path and the list of its values:
 *
 *     nodes.h100=8..64:8          from, to and step; the step may be left out
 *     load=0.8..1.6:0.2           between whole numbers, and is 1 then
 *     queues.a.weight=1,2,4       a list of anything
 */
#ifndef STUDY_VARY_H
#define STUDY_VARY_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;

#define STUDY_VALUES_MAX 10000u

struct study_axis {
    const char *path;
    const char **value; /* as written after the '=' of a change */
    double *number;     /* [value], ascending or descending; NULL: not
                           numbers */
    uint32_t count;
};

/* Parse "7", or an ascending range "1..10".  -1: neither. */
int study_range_parse(const char *text, uint64_t *first, uint64_t *last);

/* Read `text`, in `arena`. */
int study_axis_parse(const char *text, struct gs_arena *arena,
                     struct study_axis *axis, struct gs_err *err);

/* "PATH=VALUE" of value `i`, in `arena`. */
const char *study_axis_change(const struct study_axis *axis, uint32_t i,
                              struct gs_arena *arena);

#endif /* STUDY_VARY_H */
