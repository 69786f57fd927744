/* reports/compare/compare.h - runs side by side: metrics as rows, runs as columns.
 *
 * Runs that differ only by chance are one column: a mean, an interval, and a
 * test of the difference to the first column.
 */
#ifndef REPORTS_COMPARE_COMPARE_H
#define REPORTS_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gs_arena;
struct gs_err;
struct report_choice;
struct report_store;

enum report_format {
    REPORT_TABLE,
    REPORT_JSON,
    REPORT_CSV,
    REPORT_MARKDOWN,
    REPORT_FORMATS
};

/* "table", "json", "csv", "markdown"; REPORT_FORMATS when unknown. */
enum report_format report_format_find(const char *name);

#define REPORT_COMPARE_RUNS 256u /* at most, that can be compared */

struct report_comparison; /* opaque; lives in its arena */

struct report_comparison *report_compare_create(struct gs_arena *arena);

/* Add the runs of the stores that `name` names (`names` entries; 0: all runs),
 * chosen by report_choose.
 */
int report_compare_take(struct report_comparison *c,
                        struct report_store *const *store, size_t stores,
                        const char *const *name, size_t names,
                        struct gs_err *err);
/* Add runs that were chosen; their stores must be open. */
int report_compare_put(struct report_comparison *c,
                       const struct report_choice *choice, uint32_t count,
                       struct gs_err *err);
/* The same of one store. */
int report_compare_add(struct report_comparison *c, struct report_store *s,
                       const char *const *name, size_t count,
                       struct gs_err *err);

/* Keep the metrics whose name, or name.label, matches a shell pattern; NULL
 * keeps the headline ones.
 */
void report_compare_select(struct report_comparison *c, const char *glob);
/* Keep the metrics that any of the patterns matches, those of the first pattern
 * first; none: the headline ones.  Returns the first pattern that matches no
 * metric, or NULL.
 */
const char *report_compare_select_all(struct report_comparison *c,
                                      const char *const *glob, size_t count);

/* Runs that become one column of means with intervals. */
enum report_by {
    REPORT_BY_SEED,   /* those that differ in the seed alone: "x-s1", "x-s2" */
    REPORT_BY_POLICY, /* those of one profile, on any trace */
    REPORT_BY_RUN,    /* none: every run is a column */
    REPORT_BYS
};

/* "seed", "policy", "run"; REPORT_BYS when unknown. */
enum report_by report_by_find(const char *name);

/* Make columns of the runs once all are added; else it is done by seed.  The
 * first run of each column comes first then, the others after them.  By policy
 * fails (GS_USAGE) when two runs are of the same policy, inputs and seed.
 */
int report_compare_group(struct report_comparison *c, enum report_by by,
                         struct gs_err *err);

/* The number of runs, and of selected metrics. */
uint32_t report_compare_runs(const struct report_comparison *c);
uint32_t report_compare_rows(const struct report_comparison *c);

struct report_layout {
    enum report_format format;
    uint32_t width; /* columns of the terminal */
    bool colour;
    bool is_utf8; /* the terminal shows blocks and lines */
};

void report_compare_print(const struct report_comparison *c,
                          const struct report_layout *layout, FILE *out);

#endif /* REPORTS_COMPARE_COMPARE_H */
