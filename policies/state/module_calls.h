/* policies/state/module_calls.h - what the modules of a profile answer
 * together.
 */
#ifndef POLICIES_STATE_MODULE_CALLS_H
#define POLICIES_STATE_MODULE_CALLS_H

#include "policies/state/state.h"

/* An open module; also the `ctx` of its calls to the host. */
struct gsched_module {
    const struct gsp_module *module;
    void *self; /* made by its open(), or else `plain` */
    struct gsp_self plain;
    struct gsched *s;
    struct gs_rng rng;
    uint32_t tier, only;
    uint8_t gate;             /* number among those that may refuse; NO_GATE */
    const char *why, *detail; /* it cannot start */
};

/* The open modules of the profile, and what they mean for the core. */
struct gsched_modules {
    struct gsched_module module[GSCHED_MODULES_MAX + 1]; /* and fit */
    uint32_t module_count;
    const char *gate[GSCHED_GATES]; /* names of modules that may refuse */
    uint32_t gates;
    const struct gsched_module *order_by[GSCHED_MODULES_MAX + 1];
    uint32_t order_count;
    bool fills_nodes;                    /* every score rises as a node fills */
    bool has_queues;                     /* a module tells queues apart */
    bool may_refuse, has_quota;          /* a module refuses nodes, amounts */
    bool notifies;                       /* a module follows placements */
    bool victims_are_lower;              /* only lower priorities make room */
    const struct gsched_module *pick;    /* NULL: ties to the lowest node */
    const struct gsched_module *subtree; /* NULL: anywhere */
    struct gsp_backfill backfill;
    int64_t hold_time;
    int64_t min_runtime; /* jobs that have run for less may be protected */
    bool picks_devices;  /* a module does */
    bool keeps_order;    /* the first in order matters, unschedulable or not */
    bool counts_entered, counts_users;
    bool needs_admission;  /* or all may enter the queue at once */
    uint32_t depth;        /* blocked jobs with a reservation at once */
    bool is_planned;       /* these are kept by the plan, see reservation.h */
    uint32_t module_reads; /* inputs that modules state to read */
    uint8_t refuser;       /* gate of the last module that refused; NO_GATE */
};

/* What the open modules mean for the core. */
void gsched_modules_sum_up(struct gsched *s);
/* < 0: job `a` goes first; 0: no module tells them apart. */
int gsched_modules_compare_jobs(const struct gsched *s, uint32_t a, uint32_t b);
int gsched_modules_compare_queues(const struct gsched *s, uint32_t a,
                                  uint32_t b);
/* These three note the gate that refuses in s->refuser. */
bool gsched_modules_overused(struct gsched *s, uint32_t queue);
bool gsched_modules_allocatable(struct gsched *s, uint32_t job,
                                const int64_t *asked);
bool gsched_modules_enqueue(struct gsched *s, uint32_t job);
bool gsched_modules_preemptive(const struct gsched *s, uint32_t job,
                               const int64_t *asked);
bool gsched_modules_ready(const struct gsched *s, uint32_t job);
/* The node from which on tasks of the group are not refused; `node` itself,
 * or the first after the domain that is refused.
 */
uint32_t gsched_modules_allow_node(const struct gsched *s,
                                   const struct scope *w, uint32_t node);
/* Which of the victims may go: count of those with safe[i] 0. */
uint32_t gsched_modules_protect(const struct gsched *s, enum gsp_why why,
                                uint32_t job, const struct gsp_victims *v,
                                uint8_t *safe, uint8_t *scratch);
/* Tell the modules that follow placements. */
enum gsched_told { TOLD_PLACED, TOLD_RELEASED };
void gsched_tell(const struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t node, uint32_t tasks, enum gsched_told what);

#endif /* POLICIES_STATE_MODULE_CALLS_H */
