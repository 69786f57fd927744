/* reports/diff/diff.h - two runs of the same jobs: the first decision in which
 * they part, and the jobs that gained and lost.
 *
 * report_diff() reads the rows of both runs.  Why each run decided as it did is
 * not in the rows: a caller that can replay the runs fills `reason`.
 */
#ifndef REPORTS_DIFF_DIFF_H
#define REPORTS_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"
#include "reports/store/choose.h"

/* All texts are clean (base/text.h).  Times are microseconds since the start of
 * the trace.
 */

/* Tasks of the job on a node. */
struct report_diff_place {
    const char *node;
    int64_t tasks;
    uint64_t devices;
};

/* What a run did with the job at the instant. */
struct report_diff_act {
    const char *deed;      /* "waits", "is placed", "is evicted" ... */
    const char *kind, *by; /* of an eviction, and for which job; "" */
    const char *victims;   /* jobs evicted for it, "a, b, ..."; "" */
    const char *cause;     /* of most of its waiting in the whole run; "" */
    struct report_diff_place *place; /* given or held */
    uint32_t places;
};

/* A node as the profile saw it for a task of the job. */
struct report_diff_node {
    const char *node;
    const char *refused; /* what refuses it; "": nothing */
    int64_t score;       /* millionths of a point */
    int64_t *points;     /* [modules] parts of it */
};

struct report_diff_queue {
    const char *name;
    double used, asked, guarantee, deserved, limit; /* NAN: not stated */
};

/* Why, by a replay up to the decision. */
struct report_diff_reason {
    const char *missing;        /* why there is no replay; NULL: there is one */
    const char *cause, *module; /* of its wait after the instant; refusing
                                   module, or ""; "": it does not wait */
    const char *other, *order_by; /* the job that the other run decided at this
                                     point, or this run instead, and the
                                     module that orders the two; "" */
    bool is_first;                /* the job goes before the other here */
    const char **module_name;
    uint32_t modules, nodes, queues;
    struct report_diff_node *node; /* those of both runs, then the best */
    struct report_diff_queue *queue;
    const char *unit; /* of the amounts of queues: "GPUs" or "cores" */
};

/* Jobs of one queue, size or cause of waiting. */
struct report_diff_group {
    const char *label;
    uint32_t gained, lost; /* jobs that waited less, and more, in the second */
    double waited[2];      /* us, in sum */
};

struct report_diff_job {
    uint32_t job;
    const char *name, *queue;
    int64_t gpu_milli;
    int64_t waited[2];
    const char *cause[2]; /* "": it did not wait */
};

struct report_diff_groups {
    struct report_diff_group *at; /* the largest change first */
    uint32_t count;
};

struct report_diff {
    struct report_choice run[2];
    unsigned inputs; /* that differ, see run_inputs.h */
    uint32_t jobs;
    bool differs;
    /* The first decision that differs. */
    int64_t at;
    uint32_t job;       /* its job: the first of `together` unless set */
    uint32_t *together; /* jobs that differ at this instant, ascending */
    struct report_diff_job *of; /* [together_count] the same, described */
    uint32_t together_count;
    uint32_t before; /* placements before this instant, equal in both */
    uint32_t placed; /* equal ones in all */
    struct report_diff_act act[2];
    struct report_diff_reason reason[2];
    /* Lines of the profile that the other run's does not have. */
    const char **only[2];
    uint32_t only_count[2];
    /* The whole runs. */
    uint32_t gained, lost;
    double waited[2];
    struct report_diff_groups queue, size, cause;
    struct report_diff_job *most_gained, *most_lost; /* the most first */
    uint32_t gained_count, lost_count;
};

/* Compare the rows of two runs; all in `arena`, `list` jobs at most of those
 * that gained and lost most.  The stores stay open for report_diff_job_set().
 * -1 on failure, also when the runs have other jobs.
 */
int report_diff(const struct report_choice *a, const struct report_choice *b,
                uint32_t list, struct gs_arena *arena, struct report_diff *out,
                struct gs_err *err);

/* The decision is that about this job of `together`. */
void report_diff_job_set(struct report_diff *d, uint32_t job,
                         struct gs_arena *arena);

#define REPORT_DIFF_TEXT 400u /* bytes of a text */

/* "is placed on n1 (GPU 0-7), evicting low-2".  Returns buf of REPORT_DIFF_TEXT
 * bytes.
 */
const char *report_diff_act_text(const struct report_diff_act *a, char *buf);
/* The job of the decision. */
const struct report_diff_job *report_diff_job(const struct report_diff *d);

/* Print as a page for the terminal, `list` groups of a kind (REPORT_TABLE), or
 * as JSON.
 */
void report_diff_print(const struct report_diff *d, uint32_t list,
                       const struct report_layout *layout, FILE *out);
void report_diff_json(const struct report_diff *d, FILE *out);

#endif /* REPORTS_DIFF_DIFF_H */
