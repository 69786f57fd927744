/* reports/store/fill_runs.h - allocation experiments: inputs and results. */
#ifndef REPORTS_STORE_FILL_RUNS_H
#define REPORTS_STORE_FILL_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct report_store;

/* Values at a percentage of the cluster's GPUs arrived, in thousandths of GPUs.
 */
struct report_fill_point {
    int64_t allocated;
    double fragmented; /* fragmentation of the free GPUs */
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

/* Inputs and results of one command. */
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
    /* Points of all runs, percent 1 to `points` each: by list, then policy,
     * then seed.
     */
    const struct report_fill_point *point;
};

static inline const struct report_fill_point *report_fill_run(
    const struct report_fills *f, uint32_t list, uint32_t policy, uint32_t seed)
{
    return f->point
           + ((size_t)(list * f->policies + policy) * f->seeds + seed)
                 * f->points;
}

/* Fails (GS_USAGE, naming it) when one of these experiments is stored already.
 */
int report_store_check_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err);

/* Write all in one transaction; fails as report_store_check_fills does, too. */
int report_store_write_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err);

#endif /* REPORTS_STORE_FILL_RUNS_H */
