/* sim/study/examine.h - what the modules made of the nodes for a job at a time
 * of a run, as a table of filters and scores.
 */
#ifndef STUDY_EXAMINE_H
#define STUDY_EXAMINE_H

#include "sim/study/probe.h"

struct study_again;

/* Nodes of which all that is told is equal. */
struct study_examined_nodes {
    uint32_t count;
    const uint32_t *node;
    const char *refused; /* module, or another rule, see gsched_judge(); NULL */
    const char *why;     /* setting and amount, "gpu: asks for 8 GPUs, 4 GPUs
                            free"; "": not known */
    int64_t score;       /* millionths of a point */
    const int64_t *points; /* [modules] its parts */
    uint32_t chosen;       /* tasks that the cycle placed there */
};

struct study_examined_group {
    uint32_t kinds; /* of nodes: those that take a task, the best first; then
                       those that are refused */
    struct study_examined_nodes *kind;
};

struct study_examined {
    struct inputs *in;
    const struct gsched_profile *profile;
    int64_t at;
    uint32_t job;
    bool has_cycle; /* a cycle ran at that time: nodes are as before it */
    bool is_live;   /* the job was submitted, and is not over */
    uint32_t placed, placed_after;   /* its tasks, before and after */
    enum gsched_cause cause;         /* after */
    struct study_probe_answer quota; /* excesses and what it asks for */
    const char *refuser; /* module or limit that refuses the job; NULL */
    uint32_t modules;
    const char **module;
    uint32_t groups; /* of the job */
    struct study_examined_group *group;
};

/* Replay up to `at` and look at the job, a number of the workload.  The result
 * lives in the arena of the inputs.  -1 on failure, also when the job does not
 * wait or run then.
 */
int study_examine(struct inputs *in, const struct study_again *again,
                  int64_t at, uint32_t job, struct study_examined *out,
                  struct gs_err *err);

#endif /* STUDY_EXAMINE_H */
