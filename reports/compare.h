/* reports/compare.h - runs side by side: metrics as rows, runs as columns. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gs_arena;
struct gs_err;
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

struct report_comparison; /* opaque; lives in its arena */

struct report_comparison *report_compare_create(struct gs_arena *arena);

/* Add the runs of `s` called as in `name` (`count` of them; 0: all), in that
 * order.  -1 when one is not there (GS_USAGE, naming those that are).
 */
int report_compare_add(struct report_comparison *c, struct report_store *s,
                       const char *const *name, size_t count,
                       struct gs_err *err);

/* Keep the metrics whose name, or name.label, matches a shell pattern; NULL
 * keeps the headline ones.
 */
void report_compare_select(struct report_comparison *c, const char *glob);

/* How many runs, and how many metrics are selected. */
uint32_t report_compare_runs(const struct report_comparison *c);
uint32_t report_compare_rows(const struct report_comparison *c);

struct report_layout {
    enum report_format format;
    uint32_t width; /* columns of the terminal */
    bool colour;
    bool is_utf8; /* it shows blocks and lines */
};

void report_compare_print(const struct report_comparison *c,
                          const struct report_layout *layout, FILE *out);

#endif /* REPORT_COMPARE_H */
