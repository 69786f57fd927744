/* reports/fills/fills.h - tables of allocation experiments, side by side with
 * published results.
 */
#ifndef REPORTS_FILLS_FILLS_H
#define REPORTS_FILLS_FILLS_H

#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"
#include "reports/store/fill_runs.h"

struct gs_arena;
struct gs_err;
struct gs_input;

/* Means and sample standard deviations, in percent of the GPUs of the cluster
 * (allocated) and of the free GPUs (fragmented); an unknown deviation is NAN.
 */
struct report_fill_figures {
    double allocated, allocated_sd, fragmented, fragmented_sd;
};

/* Over all seeds, at `percent` (1 to points). */
struct report_fill_figures report_fill_figures(const struct report_fills *f,
                                               uint32_t list, uint32_t policy,
                                               uint32_t percent);

/* --- what others published ------------------------------------------------ */

struct report_reference; /* opaque */

/* CSV: workload, policy, arrived_load_pct, alloc_ratio_mean, frag_ratio_mean,
 * and alloc_ratio_stdev, frag_ratio_stdev if it has them.  In `arena`; NULL on
 * failure.
 */
struct report_reference *report_reference_read(struct gs_input *in,
                                               struct gs_arena *arena,
                                               struct gs_err *err);
/* The published figures; NULL when there are none.  Policies may have their
 * published names.
 */
const struct report_fill_figures *report_reference_find(
    const struct report_reference *r, const char *list, const char *policy,
    uint32_t percent);

/* --- tables --------------------------------------------------------------- */

/* Print as REPORT_TABLE, REPORT_CSV or REPORT_JSON; `r` may be NULL. */
void report_fills_print(const struct report_fills *f,
                        const struct report_reference *r,
                        enum report_format format, FILE *out);

#endif /* REPORTS_FILLS_FILLS_H */
