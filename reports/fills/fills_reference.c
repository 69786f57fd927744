/* reports/fills/fills_reference.c - published results of allocation
 * experiments, from a CSV file.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/input.h"
#include "base/quantity.h"
#include "reports/fills/fills.h"

enum {
    WORKLOAD,
    POLICY,
    PERCENT,
    ALLOCATED,
    FRAGMENTED,
    REQUIRED,
    ALLOCATED_SD = REQUIRED,
    FRAGMENTED_SD,
    COLUMNS
};

static const char *const column_names[COLUMNS] = {
    [WORKLOAD] = "workload",
    [POLICY] = "policy",
    [PERCENT] = "arrived_load_pct",
    [ALLOCATED] = "alloc_ratio_mean",
    [FRAGMENTED] = "frag_ratio_mean",
    [ALLOCATED_SD] = "alloc_ratio_stdev",
    [FRAGMENTED_SD] = "frag_ratio_stdev",
};

struct row {
    const char *list, *policy;
    uint64_t percent;
    struct report_fill_figures figures;
};

struct report_reference {
    struct row *row;
    uint32_t count;
};

/* The preset for the name of a policy in the artifact of ATC 2023. */
static const char *our_name(const char *policy)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {
        { "FGD", "fgd" },
        { "BestFit", "best-fit" },
        { "DotProd", "dot-product" },
        { "GpuPacking", "gpu-packing" },
        { "GpuClustering", "gpu-clustering" },
        { "Random", "random" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(policy, names[i].theirs) == 0)
            return names[i].ours;
    }
    return policy;
}

static int columns_find(const struct gs_csv *csv, int *column,
                        struct gs_err *err)
{
    const struct gs_mark at = { gs_input_name(csv->in), 1, 1 };

    for (int i = 0; i < COLUMNS; i++) {
        column[i] = gs_csv_column(csv, column_names[i]);
        if (column[i] < 0 && i < REQUIRED)
            return gs_fail(err, GS_INPUT, at,
                           "the header has no column '%s' (a reference has "
                           "workload, policy, arrived_load_pct, "
                           "alloc_ratio_mean, frag_ratio_mean)",
                           column_names[i]);
    }
    return 0;
}

/* Read a number; none when the file lacks the column. */
static int number(const struct gs_csv *csv, const int *column, int i,
                  double *out, struct gs_err *err)
{
    const struct gs_csv_field *f;

    *out = (double)NAN;
    if (column[i] < 0)
        return 0;
    f = &csv->field[column[i]];
    if (gs_quantity_parse_double(f->text, f->len, out) < 0)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)column[i]),
                       "'%s' must be a number (got '%.60s')", column_names[i],
                       f->text);
    return 0;
}

static int row_read(const struct gs_csv *csv, const int *column,
                    struct gs_arena *arena, struct row *row, struct gs_err *err)
{
    const struct gs_csv_field *list = &csv->field[column[WORKLOAD]];
    const struct gs_csv_field *policy = &csv->field[column[POLICY]];
    const struct gs_csv_field *percent = &csv->field[column[PERCENT]];

    if (gs_quantity_parse_u64(percent->text, percent->len, &row->percent) < 0)
        return gs_fail(err, GS_INPUT,
                       gs_csv_mark(csv, (uint32_t)column[PERCENT]),
                       "'%s' must be a whole number (got '%.60s')",
                       column_names[PERCENT], percent->text);
    if (number(csv, column, ALLOCATED, &row->figures.allocated, err) < 0
        || number(csv, column, ALLOCATED_SD, &row->figures.allocated_sd, err)
               < 0
        || number(csv, column, FRAGMENTED, &row->figures.fragmented, err) < 0
        || number(csv, column, FRAGMENTED_SD, &row->figures.fragmented_sd, err)
               < 0)
        return -1;
    row->list = gs_arena_strndup(arena, list->text, list->len);
    row->policy = our_name(gs_arena_strndup(arena, policy->text, policy->len));
    return 0;
}

static int rows_read(struct gs_csv *csv, struct gs_arena *arena,
                     struct report_reference *r, struct gs_err *err)
{
    struct row *row = NULL;
    int column[COLUMNS];
    uint32_t cap = 0;
    int rc = columns_find(csv, column, err);

    if (rc == 0)
        rc = gs_csv_next(csv, err);
    while (rc > 0) {
        row = gs_array_grow(row, &cap, r->count + 1, sizeof(*row));
        rc = row_read(csv, column, arena, &row[r->count], err);
        if (rc == 0) {
            r->count++;
            rc = gs_csv_next(csv, err);
        }
    }
    r->row = gs_arena_memdup(arena, row, r->count * sizeof(*row));
    gs_array_free(row);
    return rc;
}

struct report_reference *report_reference_read(struct gs_input *in,
                                               struct gs_arena *arena,
                                               struct gs_err *err)
{
    struct report_reference *r = gs_arena_alloc(arena, 1, sizeof(*r));
    struct gs_csv csv;
    int rc;

    assert(in);
    if (gs_csv_open(&csv, in, err) < 0)
        return NULL;
    rc = rows_read(&csv, arena, r, err);
    gs_csv_close(&csv);
    return rc < 0 ? NULL : r;
}

const struct report_fill_figures *report_reference_find(
    const struct report_reference *r, const char *list, const char *policy,
    uint32_t percent)
{
    for (uint32_t i = 0; r && i < r->count; i++) {
        if (r->row[i].percent == percent && strcmp(r->row[i].list, list) == 0
            && strcmp(r->row[i].policy, policy) == 0)
            return &r->row[i].figures;
    }
    return NULL;
}
