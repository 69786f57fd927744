/* sim/study/probe.h - would a job start at a time of a replay; if not, why,
 * when, and with which smallest change?
 *
 * The trace is replayed up to that time.  Then the job is submitted in copies
 * of the process (pool.h), each with another change of the job or its queues,
 * and the scheduler decides: what is told was tried.
 */
#ifndef STUDY_PROBE_H
#define STUDY_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "policies/scheduler.h"
#include "sim/replay/replay.h"

struct gs_err;
struct gsched_profile;
struct inputs;

enum study_probe_outcome {
    PROBE_STARTS,  /* its gang is placed */
    PROBE_EVICTS,  /* so it is, by eviction of others */
    PROBE_WARNS,   /* others are warned, and go later (grace time) */
    PROBE_WAITS,   /* it is left pending */
    PROBE_REJECTED /* nothing in the cluster could ever run it */
};

#define PROBE_SPOTS 64   /* of a placement; more are counted only */
#define PROBE_VICTIMS 64 /* likewise */
#define PROBE_REFUSERS 8 /* modules that refuse nodes */
#define PROBE_EXCESSES 8 /* limits of queues that would be exceeded */
#define PROBE_CHANGES 64 /* that are tried */
#define PROBE_NAME 64

struct study_probe_spot {
    uint32_t node, group, tasks;
    uint64_t devices;
};

/* A job that gives back tasks, or (moves) gets others in the same cycle. */
struct study_probe_victim {
    uint32_t job, tasks;
    bool is_whole, moves;
    enum gsched_reason reason;
};

struct study_probe_refuser {
    char name[PROBE_NAME]; /* of a module, or of another rule */
    uint32_t nodes;
};

/* An amount of a queue, at or above that of the job, beside what it holds. */
enum study_probe_amount {
    PROBE_LIMIT,
    PROBE_GUARANTEE,
    PROBE_DESERVED,
    PROBE_AMOUNTS
};
extern const char *const study_probe_amount_names[PROBE_AMOUNTS];

struct study_probe_excess {
    enum study_probe_amount which;
    uint32_t queue, dim;
    int64_t amount, used; /* stated; held by its jobs */
};

/* What the scheduler does with the job. */
struct study_probe_answer {
    enum study_probe_outcome outcome;
    enum gsched_cause cause;  /* of a wait */
    char refuser[PROBE_NAME]; /* module or limit that refuses the job; "" */
    int64_t at;               /* us; its start, or GSCHED_NEVER: not found */
    uint32_t spots, victims, moved; /* numbers; the first are listed */
    struct study_probe_spot spot[PROBE_SPOTS];
    struct study_probe_victim victim[PROBE_VICTIMS];
    uint32_t nodes, suitable; /* open nodes that accept a task; that have the
                                 hardware */
    uint32_t room;            /* tasks of the first kind that have room */
    uint32_t refusers, excesses;
    struct study_probe_refuser refuser_of[PROBE_REFUSERS]; /* of nodes */
    struct study_probe_excess excess[PROBE_EXCESSES];
    int64_t asked[TOPO_DIMS_MAX]; /* by its gang */
    int64_t free[TOPO_DIMS_MAX];  /* on suitable nodes */
    uint32_t ahead;               /* jobs that wait and are served before it */
    uint32_t overdue; /* jobs that run for longer than estimated: at the start
                         of the forecast they end */
};

/* A change of the job, of its queue, or of an amount of a queue. */
enum study_probe_kind {
    PROBE_REPLICAS, /* fewer tasks of group `group`: `value` */
    PROBE_WITHIN,   /* in a domain of level `value`; 0: anywhere */
    PROBE_QUEUE,    /* queue `value` */
    PROBE_CLASS,    /* priority class `value` */
    PROBE_AMOUNT    /* excess `value` of the answer: as much as it takes */
};

struct study_probe_change {
    enum study_probe_kind kind;
    uint32_t value, group;
    struct study_probe_excess excess; /* of PROBE_AMOUNT */
    int64_t amount;                   /* ... the amount then */
    uint32_t victims;                 /* that it evicts */
};

struct study_probe {
    struct inputs *in;
    const struct gsched_profile *profile;
    struct sim_options sim; /* `until` is the time in question */
    uint32_t job;           /* the last one of in->work */
    /* Out: */
    int64_t now;
    struct study_probe_answer answer; /* now */
    struct study_probe_answer later;  /* by the estimates, without others to
                                         come; when it does not start now */
    struct study_probe_change change[PROBE_CHANGES]; /* with which it starts */
    uint32_t changes;
};

/* Read the job from `path`: a trace of one job, or a
 * manifest of one.  It becomes the last job of in->work, submitted after all
 * others.  With `tells` the account of a manifest goes to standard error.
 */
int study_probe_job(struct inputs *in, const char *path, bool tells,
                    uint32_t *job, struct gs_err *err);

/* Replay, and answer. */
int study_probe_run(struct study_probe *p, struct gs_err *err);

#endif /* STUDY_PROBE_H */
