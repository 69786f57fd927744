/* reports/fills/fills.h - allocation experiments side by side: tables, and figures
 * that others published.
 */
#ifndef REPORTS_FILLS_FILLS_H
#define REPORTS_FILLS_FILLS_H

#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"

struct gs_arena;
struct gs_err;
struct gs_input;

/* At one percent of the cluster's GPUs arrived, in thousandths of GPUs. */
struct report_fill_point {
    int64_t allocated;
    double fragmented; /* of those free */
};

struct report_fill_list {
    const char *name, *path;
    uint64_t hash;
    uint32_t tasks;
};

struct report_fill_policy {
    const char *name;
    const char *profile; /* text, in full */
};

/* What a command was asked for, and all that came out. */
struct report_fills {
    const char *version;  /* of gsim */
    const char *topology; /* path */
    uint64_t topology_hash;
    uint32_t nodes; /* with GPUs */
    int64_t gpu_milli;
    uint32_t load; /* thousandths */
    uint32_t lists, policies, seeds, points;
    uint64_t first_seed;
    const struct report_fill_list *list;
    const struct report_fill_policy *policy;
    /* Percents 1 to points of each run: by list, then policy, then seed. */
    const struct report_fill_point *point;
};

static inline const struct report_fill_point *report_fill_run(
    const struct report_fills *f, uint32_t list, uint32_t policy, uint32_t seed)
{
    return f->point
           + ((size_t)(list * f->policies + policy) * f->seeds + seed)
                 * f->points;
}

/* Means and sample standard deviations, in percent of the cluster's GPUs and
 * of the free ones; a deviation that is not known is not a number.
 */
struct report_fill_figures {
    double allocated, allocated_sd, fragmented, fragmented_sd;
};

/* Over all seeds, at `percent` (1 to points). */
struct report_fill_figures report_fill_figures(const struct report_fills *f,
                                               uint32_t list, uint32_t policy,
                                               uint32_t percent);

/* --- what others published ---------------------------------------------------- */

struct report_reference; /* opaque */

/* CSV: workload, policy, arrived_load_pct, alloc_ratio_mean, frag_ratio_mean,
 * and alloc_ratio_stdev, frag_ratio_stdev if it has them.  In `arena`; NULL on
 * failure.
 */
struct report_reference *report_reference_read(struct gs_input *in,
                                               struct gs_arena *arena,
                                               struct gs_err *err);
/* NULL where there are none; policies may go by their published names. */
const struct report_fill_figures *report_reference_find(
    const struct report_reference *r, const char *list, const char *policy,
    uint32_t percent);

/* --- tables --------------------------------------------------------------------- */

/* As REPORT_TABLE, REPORT_CSV or REPORT_JSON; `r` may be NULL. */
void report_fills_print(const struct report_fills *f,
                        const struct report_reference *r,
                        enum report_format format, FILE *out);

#endif /* REPORTS_FILLS_FILLS_H */
