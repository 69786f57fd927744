/* reports/compare_private.h - what compare.c and compare_print.c share. */
#ifndef REPORT_COMPARE_PRIVATE_H
#define REPORT_COMPARE_PRIVATE_H

#include "reports/cells.h"
#include "reports/compare.h"
#include "reports/glossary.h"

#define COMPARE_RUNS_MAX 256u

/* All texts are fit to be shown: UTF-8 without control characters. */
struct compare_cell {
    double value;
    bool is_there;
};

struct compare_row {
    const char *name, *scope, *label, *unit;
    const struct report_metric_info *info; /* NULL: not one of ours */
    struct compare_cell *cell;             /* [COMPARE_RUNS_MAX] */
};

struct compare_run {
    const char *name, *path; /* of its database */
    const char *title;       /* the name, with the path where needed */
};

struct report_comparison {
    struct gs_arena *arena;
    struct compare_run run[COMPARE_RUNS_MAX];
    uint32_t runs;
    struct compare_row *row;
    uint32_t rows, cap;
    const struct compare_row **selected; /* in the order they are shown */
    uint32_t selected_count;
};

/* --- values as they are shown, compare_value.c --------------------------------- */

#define COMPARE_TEXT REPORT_VALUE_TEXT /* bytes of a value or a difference */

/* "2h14m", "12.50 %", "7"; in buf of COMPARE_TEXT bytes. */
const char *compare_value(const struct compare_row *r, uint32_t run, char *buf);
/* '+' better than the first run, '-' worse, '=' the same, ' ' no opinion. */
char compare_mark(const struct compare_row *r, uint32_t run);
/* Difference to the first run, "+12%" or "x31", or ""; as above. */
const char *compare_difference(const struct compare_row *r, uint32_t run,
                               char *buf);
/* "wait.mean [size 8]". */
const char *compare_row_name(const struct compare_row *r, char *buf,
                             size_t size);

/* --- formats for programs, compare_export.c ------------------------------------- */

void compare_json(const struct report_comparison *c, FILE *out);
void compare_csv(const struct report_comparison *c, FILE *out);
void compare_markdown(const struct report_comparison *c, FILE *out);

#endif /* REPORT_COMPARE_PRIVATE_H */
