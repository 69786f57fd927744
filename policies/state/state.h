/* policies/state/state.h - the scheduler: its inputs and its parts.
 *
 * Each part is a struct that is defined in the file named beside it; the rooms
 * from the bottom up are profile, state, placement, reservation, pending,
 * lifecycle, preemption, actions.
 */
#ifndef POLICIES_STATE_STATE_H
#define POLICIES_STATE_STATE_H

#include "base/rng.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NONE UINT32_MAX
#define NO_GATE UINT8_MAX

/* --- modules -------------------------------------------------------------- */

/* A task as modules see it: its request. */
struct gsp_task {
    struct topo_request request;
};

/* The state groups behind views. */
struct gsp_states {
    const struct topo_cluster *cluster;
    const struct topo_groups *groups;
};

/* A job as modules see it, or one task group of it. */
struct gsp_job {
    const struct gsched *s;
    uint32_t id;
    uint32_t group; /* NONE: the job as a whole */
    uint32_t tasks; /* of a victim that is not the whole job */
    uint32_t node;  /* of a victim */
};

/* --- placement ------------------------------------------------------------ */

/* The nodes that a task may use: [from, end), except where modules that follow
 * other jobs refuse.
 */
struct scope {
    uint32_t from, end;
    uint32_t job, group;  /* the job and group whose rules apply */
    bool has_rules;       /* rules must be checked */
    const uint8_t *avoid; /* [node] 1: excluded; NULL: none */
};

/* --- the scheduler -------------------------------------------------------- */

struct gsched_modules;
struct gsched_shapes;
struct gsched_sample;
struct gsched_late;
struct gsched_fragments;
struct gsched_jobs;
struct gsched_allocations;
struct gsched_limits;
struct gsched_back_off;
struct gsched_grace;
struct gsched_kept;
struct gsched_waits;
struct gsched_lacking;
struct gsched_pending;
struct gsched_order;
struct gsched_refusals;
struct gsched_usage;
struct gsched_queue_keys;
struct gsched_budgets;
struct gsched_running;
struct gsched_labels;
struct gsched_admission;
struct gsched_services;
struct shadow_state;
struct gsched_plan;
struct gsched_evict;
struct gsched_solver;
struct gsched_partitions;
struct gsched_passes;
struct gsched_window;
struct gsched_windows;
struct node_choice;
struct gsched_moves;
struct gsched_waiting;
struct gsched_quotas;
struct gsched_admits;
struct gsched_rivals;
struct gsched_depths;

/* Repeated cycles at one instant. */
struct gsched_early {
    int64_t min_runtime_at; /* when the protection of the first job by its
                               run time ends */
    int64_t admits_at;      /* when modules admit the first job that others
                               keep out */
    bool has_evicted;       /* in this cycle */
    bool is_early;          /* a job placed in this cycle might be a victim
                               in the next: that is due at once */
    bool is_over;           /* no further one is due at early_at */
    uint32_t early_count;   /* cycles at early_at */
    int64_t early_at;
};

struct gsched {
    struct gs_arena *arena;
    struct topo_cluster *cluster;
    const struct topo *topo;
    struct gsp_states states;
    const struct trace_workload *work;
    const struct gsched_profile *profile;
    uint32_t dims, queues, classes; /* counts at creation */
    const char *why_refused;        /* of the last call refused; NULL */
    bool nodes_change;    /* nodes have changed: tasks are no longer only
                             counted */
    uint32_t queue_count; /* without the root */
    int64_t booked_seen;  /* begins and ends of reservations until then have
                             been seen */
    int64_t reserved;     /* start of the reservation of the head;
                             GSCHED_NEVER */
    uint32_t head;        /* class queue whose first entry is blocked in this
                             cycle; NONE */
    struct gsched_decision *decision;
    uint32_t decision_count, decision_cap;
    uint32_t decision_limit; /* a cycle stops at this many decisions */
    bool is_cut;             /* the last cycle stopped at the limit */
    uint64_t cut_changes;    /* allocation_changes at that time */
    int64_t now;
    int64_t adopts_since; /* start of the run that is adopted now;
                             GSCHED_NEVER: none is */
    uint64_t cycle;
    uint64_t attempts;                /* to place a gang, or a part of it */
    int64_t dim_total[TOPO_DIMS_MAX]; /* of the nodes that queues share */
    uint32_t *domain_place;           /* [domain] its index within its level */
    struct gsched_early early;        /* cycles that are due at once */

    /* The parts; beside each the file that defines it. */
    struct gsched_services *services;       /* state/module_services.c */
    struct gsched_modules *modules;         /* state/module_calls.h */
    struct gsched_jobs *jobs;               /* state/jobs.h */
    struct gsched_labels *labels;           /* state/job_labels.h */
    struct gsched_usage *usage;             /* state/usage.c */
    struct gsched_queue_keys *queue_keys;   /* state/queue_keys.h; NULL: no
                                               module has numbers */
    struct gsched_budgets *budgets;         /* state/budgets.h; NULL: none */
    struct gsched_accounts *accounts;       /* state/associations.h; NULL: no
                                               module reads accounts */
    struct gsched_running *running;         /* state/running_index.h */
    struct gsched_fragments *fragments;     /* state/fragmentation.c */
    struct gsched_allocations *allocations; /* state/spans.h */
    struct gsched_limits *limits;           /* state/limit_sets.c; NULL: none */
    struct gsched_booked *booked;           /* state/booked_nodes.c; NULL: no
                                               node is reserved */
    struct gsched_back_off *back_off;       /* lifecycle/back_off.c */
    struct gsched_grace *grace;             /* state/grace.h; NULL: victims
                                               leave at once */
    struct gsched_kept *kept;               /* state/kept_nodes.h; NULL: none
                                               are */
    struct gsched_shapes *shapes;           /* placement/shapes.c */
    struct gsched_sample *sample;           /* placement/sample.c; NULL: all
                                               nodes are searched */
    struct gsched_late *late;               /* placement/late_nodes.c; NULL: no
                                               nodes come last in trials */
    struct node_choice *choice;             /* placement/node_choice.h; NULL:
                                               nodes are scored */
    struct gsched_pending *pending;         /* pending/pending.h */
    struct gsched_waiting *waiting;         /* state/waiting_priority.c; NULL:
                                               no module orders by it */
    struct gsched_order *order;             /* pending/service_order.h */
    struct gsched_refusals *refusals;       /* pending/refusals.h; NULL */
    struct gsched_waits *waits;             /* pending/wait_clock.c */
    struct gsched_lacking *lacking;         /* pending/lacking.h */
    struct gsched_admission *admission;     /* lifecycle/admission.c */
    struct shadow_state *shadow;            /* reservation/reservation.h */
    struct gsched_plan *plan;               /* reservation/reservation.h */
    struct gsched_evict *evict;             /* preemption/attempt.h */
    struct gsched_solver *solver;           /* solver/solver.h; NULL: none */
    struct gsched_partitions *partitions;   /* placement/partitions.c */
    struct gsched_window *window;           /* reservation/window.h */
    struct gsched_passes *passes;           /* actions/passes.h */
    struct gsched_windows *windows; /* lifecycle/node_windows.c; NULL: none */
    struct gsched_moves *moves;     /* actions/shuffle.c; NULL: none */
    struct gsched_depths *depths;   /* actions/queue_depth.c; NULL: none */
    struct gsched_quotas *quotas;   /* state/quota_holds.h; NULL: no action
                                     admit */
    struct gsched_rivals *rivals;   /* pending/quota_rivals.c, with quotas */
    struct gsched_admits *admits;   /* actions/admit.c, with quotas */
};

/* A candidate for eviction. */
struct victim {
    uint32_t job;
    int32_t value;       /* its priority */
    bool is_whole;       /* else tasks that may go alone */
    bool breaks;         /* as of struct evicted */
    uint32_t allocation; /* of that task */
    uint32_t node;       /* that is examined */
    int64_t amount[TOPO_DIMS_MAX];
};

#endif /* POLICIES_STATE_STATE_H */
