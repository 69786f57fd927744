/* tests/lib/live_host.h - a scheduler as one would run beside an API server:
 * jobs, pods and nodes are its own objects, with names and phases; libgsched.a
 * decides, and this carries it out.
 *
 * Nodes check decisions like a kubelet: they refuse a device that is taken and
 * a pod that is not theirs.  A refusal is counted as a fault.
 */
#ifndef TEST_LIVE_HOST_H
#define TEST_LIVE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "policies/scheduler.h"
#include "topology/resources.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define LIVE_NAME 48
#define LIVE_GROUPS_MAX 8
#define LIVE_LINE 256

struct live_node {
    char name[LIVE_NAME];
    uint32_t klass, path[TOPO_TIERS_MAX]; /* string ids of its domains */
    uint32_t gpus;
    uint32_t taken[TOPO_DEVICES_MAX]; /* thousandths of each device */
    int64_t capacity[TOPO_DIMS_MAX], used[TOPO_DIMS_MAX];
};

struct live_pod {
    struct live_node *node; /* it is bound to; NULL */
    uint64_t devices;
};

/* Pods that are alike. */
struct live_group {
    uint32_t name, replicas, min;
    struct topo_request asks;
};

enum live_phase {
    LIVE_PENDING,
    LIVE_RUNNING,
    LIVE_SUCCEEDED,
    LIVE_FAILED,
    LIVE_REJECTED
};

struct live_job {
    char name[LIVE_NAME];
    enum live_phase phase;
    struct trace_job spec; /* as submitted; its indices of groups unused */
    struct trace_job_aside aside; /* of spec */
    struct live_group group[LIVE_GROUPS_MAX];
    struct live_pod *pod; /* group by group */
    uint32_t pods, created, bound;
    uint32_t id;       /* the scheduler's; UINT32_MAX: unknown to it */
    int64_t run_start; /* of this attempt */
    int64_t saved;     /* us of work that it need not repeat */
    uint32_t preempted;
};

struct live {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    uint32_t tier_count, class_count, node_count, queue_count, prio_count;
    uint32_t tier[TOPO_TIERS_MAX];
    struct topo_class *klass;
    struct live_node *node;
    struct trace_queue *queue;
    struct trace_class *prio;
    struct live_job **job; /* by age */
    uint32_t job_count, job_cap;
    struct gsched_profile *profile;

    /* the scheduler, and what it knows: gone after a restart */
    const struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct live_job **known; /* by the scheduler's number */
    uint32_t known_cap;

    /* Called before a decision is carried out, with `listener`; NULL. */
    void (*decided)(void *listener, const struct gsched_decision *d);
    void *listener;
    int64_t now;
    bool is_lent;   /* topo and work are the caller's */
    uint32_t limit; /* decisions in a cycle; 0: not set */
    bool is_dirty;  /* something happened since the last cycle */
    unsigned faults;
    struct gs_err err;
};

struct live *live_create(void);
void live_destroy(struct live *l); /* NULL is fine */

/* A host with the nodes of a topology and the jobs of a workload, by its
 * numbers; ready without live_start().  The caller owns the arguments, which
 * must outlive it.  NULL when the profile does not suit them.
 */
struct live *live_of(const struct topo *topo, struct trace_workload *work,
                     struct gsched_profile *p);
struct live_job *live_submit_listed(struct live *l, uint32_t job, int64_t now);

/* The cluster, node by node, its queues and classes; then live_start.  Lists
 * are copied; a node's `path` has a string id for each tier.
 */
void live_tier(struct live *l, const char *name);
void live_class(struct live *l, const struct topo_class *k);
void live_node(struct live *l, const char *name, uint32_t klass,
               const uint32_t *path);
void live_queue(struct live *l, const struct trace_queue *q);
void live_priority(struct live *l, const struct trace_class *c);
/* -1 on failure, told in l->err. */
int live_start(struct live *l, const char *preset, const char *setting);
/* The scheduler stops; a new one adopts the running jobs and gets the pending
 * ones.
 */
int live_restart(struct live *l, int64_t now);

/* Another scheduler, for the same nodes, takes over. */
int live_take_over(struct live *l, int64_t now);
/* Forget a job that is over; its number may be reused. */
void live_forget(struct live *l, struct live_job *j);

/* What happens.  `spec` tells its strings by id. */
struct live_job *live_submit(struct live *l, const char *name,
                             const struct trace_job *spec,
                             const struct live_group *group, uint32_t created,
                             int64_t now);
void live_created(struct live *l, struct live_job *j, uint32_t created,
                  int64_t now);
void live_ended(struct live *l, struct live_job *j, int64_t now);

/* When a cycle is due; GSCHED_NEVER. */
int64_t live_due(const struct live *l);
/* Decide and carry out; the decisions stand until the next. */
const struct gsched_decision *live_cycle(struct live *l, int64_t now,
                                         uint32_t *count);

/* The node refuses the last decision, which is given back. */
void live_refuse(struct live *l, const struct gsched_decision *d, int64_t now);

/* The decision as a line of a recording, with names; returns `line`. */
const char *live_tell(const struct live *l, const struct gsched_decision *d,
                      char line[LIVE_LINE]);

struct live_job *live_find(const struct live *l, const char *name);
bool live_is_over(const struct live_job *j); /* neither pending nor running */
/* Jobs that are over. */
uint32_t live_over(const struct live *l);
/* True when pods, nodes and the scheduler agree on allocations. */
bool live_consistent(const struct live *l);
/* Count a fault and print it. */
void live_fault(struct live *l, const char *what, const char *name);

/* live_job.c: a new scheduler learns of the job, then of its pods that are
 * bound.
 */
void live_job_again(struct live *l, struct live_job *j);
void live_job_adopt(struct live *l, struct live_job *j, int64_t now);
/* Check that the scheduler did not refuse a call. */
void live_accepted(struct live *l, int status, const char *name);

/* live_node.c: what a node does for `n` pods that come or go together, with the
 * devices of all of them.
 */
void live_bind(struct live *l, struct live_node *n,
               const struct topo_request *r, struct live_pod *pod,
               uint32_t pods, uint64_t devices);
void live_unbind(struct live *l, struct live_node *n,
                 const struct topo_request *r, struct live_pod *pod,
                 uint32_t pods, uint64_t devices);

#endif /* TEST_LIVE_HOST_H */
