/* reports/compare_private.h - what compare.c and compare_print.c share. */
#ifndef REPORT_COMPARE_PRIVATE_H
#define REPORT_COMPARE_PRIVATE_H

#include "reports/compare.h"
#include "reports/glossary.h"

#define COMPARE_RUNS_MAX 256u

struct compare_cell {
    double value;
    bool is_there;
};

struct compare_row {
    const char *name, *scope, *label, *unit;
    const struct report_metric_info *info; /* NULL: not one of ours */
    struct compare_cell *cell;             /* [COMPARE_RUNS_MAX] */
};

struct report_comparison {
    struct gs_arena *arena;
    const char *run[COMPARE_RUNS_MAX];
    uint32_t runs;
    struct compare_row *row;
    uint32_t rows, cap;
    uint32_t *selected; /* rows in the order they are shown */
    uint32_t selected_count;
};

#endif /* REPORT_COMPARE_PRIVATE_H */
