/* traces/workload/workload.h - the workload: jobs, task groups, shapes, queues,
 * priority classes, as arrays indexed by dense ids.
 *
 * Tasks with equal requests have one *shape*, so the scheduler computes what it
 * knows of a request once.
 */
#ifndef TRACES_WORKLOAD_WORKLOAD_H
#define TRACES_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct gs_arena;
struct gs_far;
struct gs_hash;
struct gs_strtab;
struct trace_accounts;
struct trace_budgets;
struct trace_dependencies;
struct trace_limits;
struct trace_pools;
struct trace_queue_tables;
struct trace_quotas;
struct trace_records;
struct trace_reservations;

#define TRACE_FOREVER INT64_MAX /* duration of a service */
#define TRACE_NONE UINT32_MAX
#define TRACE_ALL INT64_C(-1) /* of a resource, as a deserved amount */
#define TRACE_DEFAULT_SCHEDULER "default-scheduler"
#define TRACE_REPLICAS_MAX 1000000 /* tasks in one job */
#define TRACE_JOBS_MAX 200000000
#define TRACE_GROUPS_MAX 200000000  /* of all jobs */
#define TRACE_TABLE_MAX 1000000000u /* labels, or rules, of all jobs */
#define TRACE_QUEUE_DEPTH_MAX 8     /* names in a path a/b/c */
#define TRACE_RETRIES_MAX 1000000
#define TRACE_LABELS_MAX 32   /* of one job, or one of its groups */
#define TRACE_REUSED_GROUPS 8 /* a job of more keeps its number for ever */
#define TRACE_RULES_MAX 32    /* of one group, but its spreads */
#define TRACE_SPREADS_MAX 8   /* of one group */
#define TRACE_QUOTAS_MAX 32   /* of one job */
#define TRACE_HELD_MAX 64     /* flavors that one group holds */
#define TRACE_VICTIMS_MAX 256 /* classes that one class lists */
#define TRACE_DEPENDENCIES_MAX 10000 /* of one job */
#define TRACE_RECORDS_MAX 10000      /* of one job */

/* Identical tasks of one job, without padding: compared as bytes. */
struct trace_group {
    uint32_t shape;    /* index into shape[] */
    uint32_t replicas; /* at least 1 */
    uint32_t name;     /* string id; 0 unnamed */
    uint32_t min;      /* its minimum in the gang, 0..replicas; the rest of
                          the gang is taken in group order */
    uint32_t first_rule, rule_count;   /* into rule[]: required */
    uint32_t soft_count;               /* preferred; they follow these */
    uint32_t first_label, label_count; /* into label[]: of its tasks, beside
                                          those of the job */
    uint32_t klass;    /* index into klass[] and 1 of its tasks' priority class;
                       0: that of its job */
    uint32_t topology; /* index into topology[] and 1: where its tasks stand, in
                          place of what the job says; 0: nothing; slices.h */
    uint32_t first_held; /* into held[]: flavors whose quota its tasks hold
                            when the job is submitted, or runs then */
    uint8_t held_count;  /* at most TRACE_HELD_MAX */
    bool fixed;          /* preemptible: false, though not all of its job is */
    bool unused[2];
};

/* Rules about the placement of a task relative to other jobs. */
enum trace_rule_kind {
    TRACE_NEAR,   /* affinity: only in a domain that holds a job with the
                     label */
    TRACE_APART,  /* anti-affinity: not in a domain that holds such a job */
    TRACE_SPREAD, /* tasks evenly over the domains */
};

/* Nodes that make a domain count for a spread, other than those that the task
 * selects.
 */
#define TRACE_SPREAD_ANY 1u       /* also those that it does not select */
#define TRACE_SPREAD_TOLERATED 2u /* only those whose taints it tolerates */

struct trace_rule {
    enum trace_rule_kind kind;
    uint32_t label;       /* string id of "key=value"; TRACE_SPREAD: 0, the
                          group's own tasks */
    uint32_t tier;        /* string id of the tier of the domains */
    uint32_t max_skew;    /* TRACE_SPREAD: at least 1 */
    uint32_t min_domains; /* TRACE_SPREAD: with fewer that count the least is 0;
                             0 or 1: none */
    uint32_t counts;      /* TRACE_SPREAD: bits TRACE_SPREAD_... */
    uint32_t weight; /* 0: required; else preferred, 1 to TOPO_WEIGHT_MAX (of
                          a spread 1) */
};

/* Tasks of one group of a job that stand on a node when time begins. */
struct trace_stand {
    uint32_t node;  /* string id of its name */
    uint32_t group; /* position within the job; rising */
    uint32_t tasks; /* at least 1 */
};

/* Amounts that jobs state, all of them at least 0. */
struct trace_minimum {
    int64_t amount[TOPO_DIMS_MAX];
};

enum trace_within {
    TRACE_ANYWHERE,
    TRACE_REQUIRED,
    TRACE_PREFERRED,
    TRACE_UNCONSTRAINED, /* anywhere, where little room is left first */
};

/* What few jobs state, without padding: compared as bytes.  All of it is 0 when
 * it is not stated.
 */
struct trace_job_aside {
    int64_t task_interval; /* us between the creation of its tasks */
    int64_t since; /* us, start of the tasks in stand[], at most 0; else 0 */
    int64_t queued_since;   /* us, at most 0, since when it waits or runs;
                               submit is then 0; 0: since it is submitted */
    int64_t admitted_since; /* us, at most 0, since when it holds its quota;
                               0: since it is submitted, or runs */
    int64_t max_wait;       /* us that it should wait at most; 0: not stated */
    int64_t gang_timeout;   /* us that it may hold a part of its gang; 0: as the
                             policy says */
    int64_t checkpoint;     /* us of work between checkpoints; 0:
                                          none */
    int64_t nice;           /* subtracted from its priority, an int32_t */
    int64_t gradient;       /* bytes of all-reduce in a step; 0: not stated */
    uint32_t user_group;    /* string id of the group of its user for limits of
                              groups; 0: none */
    uint32_t first_label, label_count; /* into label[] */
    uint32_t first_stand, stand_count; /* into stand[]; submit is then 0 */
    uint32_t measured_on;   /* string id of the tier `duration` was measured
                             within; 0: the node's */
    uint32_t communication; /* share of a step spent in all-reduce on that
                               tier, in thousandths, 0..1,000 */
    uint32_t scheduler; /* string id of the one that serves it; 0: that called
                           TRACE_DEFAULT_SCHEDULER, else the first */
    uint32_t first_dependency, dependency_count; /* into dependency[]: it is
                         submitted when they are met, at `submit` or later */
    uint32_t quotas;     /* index into quota_set[] and 1; 0: none */
    uint32_t pools;      /* index into pool_set[] and 1; 0: none; pools.h */
    uint32_t minimum;    /* index into minimum[] and 1 of the amounts that count
                         when it is admitted; 0: those of its gang */
    uint32_t task_rules; /* index into task_rules[] and 1; 0: none */
    uint32_t slices;     /* index into slices[] and 1; 0: none; slices.h */
    uint32_t within_tier; /* string id; required or preferred; 0: none */
    uint32_t prefers;     /* string id of a tier inside within_tier, which is
                            required, that is tried first; 0: none */
    uint32_t completions; /* number of tasks to complete, each `duration`
                             after its own start, at most `tasks` at a time;
                             0: the job ends as a whole */
    uint32_t account, qos, partition; /* string ids; 0: none; accounts.h */
    uint32_t reservation;             /* string id; 0: none; reservations.h */
    bool resumes;                     /* it loses no work when evicted */
    bool fails_late; /* it fails when it held part of its gang for the longest
                           time that the policy allows; else it waits again */
    bool withdraws;  /* it ends `duration` after its submission, whether it
                         runs or waits; `duration` is then not TRACE_FOREVER */
    bool needs_any;  /* one of its dependencies is enough */
    bool admitted;   /* it is when it is submitted */
    uint8_t within;  /* enum trace_within */
    bool unused[2];
};

struct trace_job {
    int64_t submit;   /* us since the trace's start, >= 0 */
    int64_t duration; /* us at full strength, >= 0; TRACE_FOREVER */
    int64_t estimate; /* us the user asked for; >= duration when
                                   the trace does not say otherwise */
    struct trace_job_aside *aside; /* in a workload that of all jobs that state
                             the same, never NULL, and written by
                             trace_job_aside_set() only; in a job that is added
                             NULL: nothing */
    uint32_t name;                 /* string id */
    uint32_t queue;                /* index into queue[] */
    uint32_t user;                 /* string id; 0 unknown */
    uint32_t klass;                /* index into klass[] */
    uint32_t first_group, group_count;
    uint32_t tasks;   /* of all groups */
    uint32_t gang;    /* least tasks that start together, 1..tasks */
    uint32_t retries; /* evictions after which it fails; TRACE_NONE: never */
    uint32_t line;    /* of the trace file; 0: not read from one */
    uint32_t first_record; /* into record[]: its runs as they really were, one
                              after another; all but the last one were
                              evicted */
    uint16_t record_count;
    bool fixed; /* preemptible: false */
};

/* Amounts that a queue states. */
struct trace_queue_amounts {
    int64_t guarantee[TOPO_DIMS_MAX];  /* 0: none */
    int64_t deserved[TOPO_DIMS_MAX];   /* as stated; 0: not stated; or
                                          TRACE_ALL */
    int64_t limit[TOPO_DIMS_MAX];      /* -1: none */
    int64_t user_limit[TOPO_DIMS_MAX]; /* of one user; -1: none */
};

struct trace_queue {
    uint32_t name;   /* string id of the full path a/b/c */
    uint32_t parent; /* queue index; TRACE_NONE at the top */
    double weight;   /* >= 0 */
    struct trace_queue_amounts *amounts; /* its own; NULL: it states none, see
                                            trace_queue_amounts() */
    int32_t priority;                    /* higher is served first; 0 */
    uint32_t line;  /* of the trace file that defines it; 0: none */
    uint32_t extra; /* index into queue_extra[] and 1; 0: none; queue_terms.h */
    bool closed;    /* accepts no more jobs */
    bool keeps;     /* reclaimable: false: nothing is reclaimed from it */
};

struct trace_class {
    uint32_t name;                       /* string id */
    int32_t value;                       /* higher is served first */
    uint32_t line;                       /* as of a queue */
    bool preempts;                       /* false: preemption: never */
    uint32_t first_victim, victim_count; /* into victim[]: the classes whose
                      jobs its jobs may evict; without any, those of lower
                      value */
};

/* Written by workload.c and the readers only.  After trace_workload_finish jobs
 * are in order of submission (ties: the order of the file).
 */
struct trace_workload {
    int64_t epoch; /* us since 1970 of time 0; 0: not known */
    struct gs_arena *arena;
    struct gs_strtab *names; /* shared with the topology */
    struct topo_dims *dims;  /* shared with the topology */
    struct gs_far *far; /* where arrays with an entry for each job, or of that
                           kind, lie (base/far.h), those of others that read
                           the workload too; NULL: on the heap.  Set before a
                           job is added; closed later */
    struct trace_job *job;
    struct trace_job_aside **aside; /* each once; private */
    uint32_t aside_count, aside_cap;
    struct gs_hash *aside_index;    /* aside[]; private */
    struct trace_job_aside *plain;  /* aside of jobs that state nothing */
    uint32_t *group;                /* [group] its place in group_kind[] */
    struct trace_group *group_kind; /* each once; read by trace_group_at(),
                                  written by trace_group_set() only */
    uint32_t group_kind_count, group_kind_cap;
    struct gs_hash *group_index; /* group_kind[]; private */
    struct topo_request *shape;
    struct trace_queue *queue; /* 0 is "default", always there */
    struct trace_class *klass; /* 0 is "", value 0, always there */
    struct trace_rule *rule;
    uint32_t *label; /* string ids of "key=value" */
    uint32_t *held;  /* string ids of flavors */
    uint32_t held_count, held_cap;
    uint32_t *victim; /* string ids of classes */
    uint32_t victim_count, victim_cap;
    struct trace_stand *stand;
    uint32_t rule_count, rule_cap, label_count, label_cap;
    uint32_t stand_count, stand_cap;
    uint32_t job_count, group_count, shape_count, queue_count, class_count;
    uint32_t job_cap, group_cap, shape_cap, queue_cap, class_cap;
    struct gs_hash *shape_index; /* requests; private */
    uint32_t
        removed[TRACE_REUSED_GROUPS + 1]; /* [groups] number + 1; private */
    uint32_t shape_last;                  /* the last one found; private */
    uint32_t *queue_of, *class_of;        /* [string id] index + 1; private */
    uint32_t queue_of_cap, class_of_cap;
    struct trace_minimum *minimum;
    uint32_t minimum_count, minimum_cap;
    struct trace_task_rules *task_rules; /* task_rules.h */
    uint32_t task_rules_count, task_rules_cap;
    struct trace_slices *slices; /* slices.h */
    uint32_t slices_count, slices_cap;
    struct trace_topology *topology; /* of groups; slices.h */
    uint32_t topology_count, topology_cap;
    struct trace_records *records;           /* records.h */
    struct trace_dependencies *dependencies; /* dependencies.h */
    struct trace_budgets *budgets;           /* budgets.h */
    struct trace_quotas *quotas;             /* quotas.h */
    struct trace_pools *pools;               /* pools.h */
    struct trace_reservations *reservations; /* reservations.h */
    struct trace_accounts *accounts;         /* accounts.h */
    struct trace_queue_tables *terms;        /* queue_terms.h */
    struct trace_limits *limits;             /* limits.h */
    uint32_t limits_count, limits_cap;
};

/* The string id of `prefix` (at most 11 bytes) and a number, such as "job-7".
 */
uint32_t trace_number_name(struct gs_strtab *names, const char *prefix,
                           int64_t n);

/* Lives on the heap; lists of requests go into `arena`. */
struct trace_workload *trace_workload_create(struct gs_arena *arena,
                                             struct gs_strtab *names,
                                             struct topo_dims *dims);
void trace_workload_destroy(struct trace_workload *w); /* NULL is fine */

/* The shape equal to `r`, added when new (lists are copied).  Sets the GPU
 * dimension from r->gpus, r->share or r->mig.
 */
uint32_t trace_workload_shape(struct trace_workload *w,
                              const struct topo_request *r);

/* Append rules of a group, labels of a job, or flavors that a group holds.
 * Returns the index of the first.  If they equal those appended last, these are
 * shared.
 */
uint32_t trace_workload_rules(struct trace_workload *w,
                              const struct trace_rule *rule, uint32_t count);
uint32_t trace_workload_labels(struct trace_workload *w, const uint32_t *label,
                               uint32_t count);
uint32_t trace_workload_held(struct trace_workload *w, const uint32_t *flavor,
                             uint32_t count);

/* Append the classes, by name, whose jobs those of a class may evict. */
uint32_t trace_workload_victims(struct trace_workload *w, const uint32_t *klass,
                                uint32_t count);

/* May jobs of class `by` evict jobs of class `of`? */
bool trace_class_evicts(const struct trace_workload *w, uint32_t by,
                        uint32_t of);

/* Append where tasks of a job stand when time begins; the index of the first.
 */
uint32_t trace_workload_stands(struct trace_workload *w,
                               const struct trace_stand *stand, uint32_t count);

/* Append amounts of a job, for trace_job.minimum; those appended last are
 * shared if they are equal.
 */
uint32_t trace_workload_minimum(struct trace_workload *w,
                                const struct trace_minimum *minimum);

/* Set what the job of the workload states aside; NULL: nothing. */
void trace_job_aside_set(struct trace_workload *w, uint32_t job,
                         const struct trace_job_aside *aside);
/* True unless what several jobs state was written through one of them. */
bool trace_job_asides_hold(const struct trace_workload *w);
void trace_job_asides_free(struct trace_workload *w);

/* The group: that of a job is number first_group and its position within the
 * job.  Valid until a group is added or set.
 */
static inline const struct trace_group *trace_group_at(
    const struct trace_workload *w, uint32_t group)
{
    return &w->group_kind[w->group[group]];
}

/* Change the group. */
void trace_group_set(struct trace_workload *w, uint32_t group,
                     const struct trace_group *g);
/* True unless several groups were changed through one of them. */
bool trace_groups_hold(const struct trace_workload *w);
void trace_groups_free(struct trace_workload *w);

/* Append a job; its job->group_count groups are copied, and its `aside`.  Sets
 * first_group and tasks, and gang to all tasks when it is 0.  Returns its
 * index.
 */
uint32_t trace_workload_add(struct trace_workload *w,
                            const struct trace_job *job,
                            const struct trace_group *group);

/* Free the number and the groups of the job for a job that is added later with
 * as many groups; see gsched_forget.
 */
void trace_workload_remove(struct trace_workload *w, uint32_t job);

/* The queue or class called by string id `name`; TRACE_NONE if unknown. */
uint32_t trace_queue_find(const struct trace_workload *w, uint32_t name);
uint32_t trace_class_find(const struct trace_workload *w, uint32_t name);

/* True for a path of 1 to TRACE_QUEUE_DEPTH_MAX names, none of them empty. */
bool trace_queue_name_ok(const char *name);

/* A queue with weight 1 and no limits. */
struct trace_queue trace_queue_bare(uint32_t name, uint32_t parent);
/* The amounts of the queue; of one that states none, the defaults. */
const struct trace_queue_amounts *trace_queue_amounts(
    const struct trace_queue *q);
/* The same, to be changed. */
struct trace_queue_amounts *trace_queue_amounts_put(struct trace_workload *w,
                                                    struct trace_queue *q);

/* The queue, created with weight 1 and no limits when new, with the parents
 * that its path names.
 */
uint32_t trace_queue_put(struct trace_workload *w, uint32_t name);
/* Does the trace's file define a queue? */
bool trace_queues_are_stated(const struct trace_workload *w);
/* Forget all queues, none of which is stated, but "default"; jobs have those
 * that their `queue` is set to next.
 */
void trace_queues_clear(struct trace_workload *w);
/* The class, created with value 0 when new. */
uint32_t trace_class_put(struct trace_workload *w, uint32_t name);
/* The class whose name is its value, created when new; 0 for value 0. */
uint32_t trace_class_value(struct trace_workload *w, int32_t value);

/* Sort jobs by submit time, stably; keep the first `limit` (0: all).  Queues
 * are sorted by name (0 stays), so that their numbers do not depend on which
 * job names them first.
 */
void trace_workload_finish(struct trace_workload *w, uint32_t limit);

/* Give back memory once all is read: the room for more jobs, and where there
 * are many the index of their names.
 */
void trace_workload_settle(struct trace_workload *w);

/* Give `g` the rules: required ones first, each by kind, in their order. */
void trace_group_rules(struct trace_workload *w, struct trace_group *g,
                       const struct trace_rule *rule, uint32_t count);

/* Do two groups, of this workload, have the same rules; and labels? */
bool trace_group_same_rules(const struct trace_workload *w,
                            const struct trace_group *a,
                            const struct trace_group *b);
bool trace_group_same_labels(const struct trace_workload *w,
                             const struct trace_group *a,
                             const struct trace_group *b);

/* Its label_count labels; NULL without any. */
static inline const uint32_t *trace_job_labels(const struct trace_workload *w,
                                               const struct trace_job *j)
{
    return j->aside->label_count ? w->label + j->aside->first_label : NULL;
}

/* The priority class of the tasks of a group of the job. */
static inline uint32_t trace_group_class(const struct trace_job *j,
                                         const struct trace_group *g)
{
    return g->klass ? g->klass - 1 : j->klass;
}

/* us that the job ran before time 0: it does when its gang stands then. */
int64_t trace_job_ran_before(const struct trace_workload *w,
                             const struct trace_job *j);

/* The number of tasks that the job runs in total; and the least number of
 * rounds, each of `duration`, in which they can run.
 */
static inline uint32_t trace_job_runs(const struct trace_job *j)
{
    return j->aside->completions ? j->aside->completions : j->tasks;
}

static inline uint32_t trace_job_rounds(const struct trace_job *j)
{
    return j->aside->completions ? (j->aside->completions - 1) / j->tasks + 1
                                 : 1;
}

/* Number of tasks of the job that exist after `ended` of them have completed.
 */
static inline uint32_t trace_job_left(const struct trace_job *j, uint32_t ended)
{
    const uint32_t left = trace_job_runs(j) - ended;

    return left < j->tasks ? left : j->tasks;
}

/* `rounds` times the duration; TRACE_FOREVER when that is out of range. */
static inline int64_t trace_rounds_time(int64_t duration, uint32_t rounds)
{
    return rounds <= 1                         ? duration
           : duration > TRACE_FOREVER / rounds ? TRACE_FOREVER
                                               : duration * rounds;
}

/* GPUs that all tasks of the job ask for, in thousandths of devices. */
int64_t trace_job_gpu_milli(const struct trace_workload *w, uint32_t job);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_WORKLOAD_H */
