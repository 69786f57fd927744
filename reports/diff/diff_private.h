/* reports/diff/diff_private.h - functions shared by the files of diff. */
#ifndef REPORTS_DIFF_DIFF_PRIVATE_H
#define REPORTS_DIFF_DIFF_PRIVATE_H

#include "reports/diff/diff.h"

#define DIFF_NEVER INT64_MAX

struct gs_strtab;

/* A job as one of the runs stored it; times DIFF_NEVER where there is none. */
struct diff_job {
    int64_t submit, start, end, waited, gpu_milli;
    uint32_t name, queue, cause; /* in the table of names */
    bool is_rejected;
};

/* What is read of two runs, in order to compare them. */
struct diff_rows {
    const struct report_choice *run[2];
    struct gs_strtab *names;
    struct diff_job *job[2]; /* [jobs] */
    uint32_t jobs;
    uint32_t *node[2]; /* [nodes] name by number */
    uint32_t nodes[2];
    int64_t *at;        /* [jobs] when the runs part about it; DIFF_NEVER */
    uint32_t placed;    /* placements that are equal in both */
    int64_t *placed_at; /* [placed] */
    uint32_t placed_cap;
};

/* Read the rows; freed by diff_rows_free(), also after a failure. */
int diff_rows_read(struct diff_rows *r, const struct report_choice *a,
                   const struct report_choice *b, struct gs_err *err);
void diff_rows_free(struct diff_rows *r);

/* Sum up the changes of waits. */
int diff_groups_sum(const struct diff_rows *r, uint32_t list,
                    struct gs_arena *arena, struct report_diff *out,
                    struct gs_err *err);

/* Describe the job. */
struct report_diff_job diff_job_describe(const struct diff_rows *r,
                                         uint32_t job, struct gs_arena *arena);

#endif /* REPORTS_DIFF_DIFF_PRIVATE_H */
