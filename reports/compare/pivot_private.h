/* reports/compare/pivot_private.h - what pivot.c and pivot_print.c share. */
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
    const struct report_metric_info *info; /* NULL: not one of ours */
    struct pivot_cell *cell;               /* [row * cols + col] */
};

struct report_pivot {
    struct gs_arena *arena;
    const char **axis;   /* [axes] names; first those of rows */
    uint32_t axes, left; /* all, and those of rows */
    struct pivot_key *row, *col;
    uint32_t rows, cols; /* without axes of columns there is one */
    struct pivot_metric *metric;
    uint32_t metrics, metric_cap;
};

#endif /* REPORTS_COMPARE_PIVOT_PRIVATE_H */
