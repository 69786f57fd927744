/* reports/compare/pivot_private.h - types shared by pivot.c and pivot_print.c.
 */
#ifndef REPORTS_COMPARE_PIVOT_PRIVATE_H
#define REPORTS_COMPARE_PIVOT_PRIVATE_H

#include "reports/compare/pivot.h"
#include "reports/glossary/glossary.h"

struct pivot_cell {
    uint32_t n; /* runs; 0: none */
    double mean, low, high;
};

/* A row or a column: the values of its axes, in order. */
struct pivot_key {
    const char **value;
};

struct pivot_metric {
    const char *name, *scope, *label;
    const struct report_metric_info *info; /* NULL: not in the glossary */
    struct pivot_cell *cell;               /* [row * cols + col] */
};

struct report_pivot {
    struct gs_arena *arena;
    const char **axis;   /* [axes] names; those of rows first */
    uint32_t axes, left; /* number of axes; of row axes */
    struct pivot_key *row, *col;
    uint32_t rows, cols; /* cols: 1 without column axes */
    struct pivot_metric *metric;
    uint32_t metrics, metric_cap;
};

#endif /* REPORTS_COMPARE_PIVOT_PRIVATE_H */
