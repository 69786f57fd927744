/* reports/compare/compare.h - runs side by side: metrics as rows, runs as
 * columns.
 *
 * Runs that differ only in the seed form one column: a mean, an interval, and a
 * test of the difference from the first column.
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

#define REPORT_COMPARE_RUNS 256u /* most runs that can be compared */

struct report_comparison; /* opaque; lives in its arena */

struct report_comparison *report_compare_create(struct gs_arena *arena);

/* Add runs of the stores: those with the `names` names in `name` (0: all runs),
 * as report_choose finds them.
 */
int report_compare_take(struct report_comparison *c,
                        struct report_store *const *store, size_t stores,
                        const char *const *name, size_t names,
                        struct gs_err *err);
/* Add chosen runs; their stores must be open. */
int report_compare_put(struct report_comparison *c,
                       const struct report_choice *choice, uint32_t count,
                       struct gs_err *err);
/* report_compare_take for one store. */
int report_compare_add(struct report_comparison *c, struct report_store *s,
                       const char *const *name, size_t count,
                       struct gs_err *err);

/* Select the metrics whose name, or name.label, matches a shell pattern; NULL
 * selects the headline metrics.
 */
void report_compare_select(struct report_comparison *c, const char *glob);
/* Select the metrics that match any of the patterns, in the order of the
 * patterns; without patterns the headline metrics.  Returns the first pattern
 * that matches no metric, or NULL.
 */
const char *report_compare_select_all(struct report_comparison *c,
                                      const char *const *glob, size_t count);

/* How runs are grouped into columns of means with intervals. */
enum report_by {
    REPORT_BY_SEED,   /* runs that differ only in the seed: "x-s1", "x-s2" */
    REPORT_BY_POLICY, /* runs of one profile, on any trace */
    REPORT_BY_RUN,    /* not grouped: every run is a column */
    REPORT_BYS
};

/* "seed", "policy", "run"; REPORT_BYS when unknown. */
enum report_by report_by_find(const char *name);

/* Group the runs into columns after all are added; the default is by seed.
 * Reorders the runs: the first run of each column, then the others.  By policy
 * fails (GS_USAGE) when two runs have the same policy, inputs and seed.
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
