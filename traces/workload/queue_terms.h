/* traces/workload/queue_terms.h - what few queues state, beside the queue:
 * amounts that are borrowed and lent, flavors, limits of users, and settings of
 * one number each, the queue terms.
 *
 * A new term is one line of TRACE_QUEUE_TERMS_LIST and one member of enum
 * gsp_queue_term (policies/policy.h) in the same order: it is then read,
 * written, merged, changed by --set, and served to modules.
 */
#ifndef TRACES_WORKLOAD_QUEUE_TERMS_H
#define TRACES_WORKLOAD_QUEUE_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct trace_queue;
struct trace_workload;

#define TRACE_FLAVORS_MAX 1000     /* of a trace */
#define TRACE_QUEUE_FLAVORS_MAX 64 /* of one queue */
#define TRACE_USER_LIMITS_MAX 1000 /* entries of one queue */
#define TRACE_LIMITED_MAX 1000     /* users and groups of one entry */

/* How a file states the value of a term. */
enum trace_term_type {
    TRACE_TERM_WHOLE, /* a number from `low` to `high` */
    TRACE_TERM_TIME,  /* us, at least 0 */
    TRACE_TERM_YESNO, /* 0 or 1 */
    TRACE_TERM_WORD,  /* the index in `words` */
};

/* X(member, key, type, value when not stated, low, high, words or NULL).  A
 * value that no file can state (-1) says that the queue states none.
 */
#define TRACE_QUEUE_TERMS_LIST(X)                                              \
    X(MAX_JOBS, "max_jobs", TRACE_TERM_WHOLE, -1, 0, INT32_MAX, NULL)          \
    X(PREEMPT_MIN_RUNTIME, "preempt_min_runtime", TRACE_TERM_TIME, -1, 0,      \
      INT64_MAX, NULL)                                                         \
    X(RECLAIM_MIN_RUNTIME, "reclaim_min_runtime", TRACE_TERM_TIME, -1, 0,      \
      INT64_MAX, NULL)                                                         \
    X(ORDER, "order", TRACE_TERM_WORD, -1, 0, 0, trace_words_order)            \
    X(ORDER_PRIORITY, "order_priority", TRACE_TERM_YESNO, -1, 0, 0, NULL)      \
    X(PRIORITY_OFFSET, "priority_offset", TRACE_TERM_WHOLE, 0, INT32_MIN,      \
      INT32_MAX, NULL)                                                         \
    X(PRIORITY_FENCE, "priority_fence", TRACE_TERM_YESNO, 0, 0, 0, NULL)       \
    X(PREEMPTION, "preemption", TRACE_TERM_WORD, 0, 0, 0,                      \
      trace_words_preemption)                                                  \
    X(PREEMPTION_DELAY, "preemption_delay", TRACE_TERM_TIME, -1, 0, INT64_MAX, \
      NULL)                                                                    \
    X(LIMIT_DELAY, "limit_delay", TRACE_TERM_TIME, -1, 0, INT64_MAX, NULL)     \
    X(EVICTS_OWN, "evicts_own", TRACE_TERM_WORD, 0, 0, 2,                      \
      trace_term_own_names)                                                    \
    X(EVICTS_OTHERS, "evicts_others", TRACE_TERM_WORD, 0, 0, 3,                \
      trace_term_victims_names)                                                \
    X(EVICTS_BORROWING, "evicts_borrowing", TRACE_TERM_YESNO, 0, 0, 1, NULL)   \
    X(EVICTS_MOST, "evicts_most", TRACE_TERM_WHOLE, INT64_MIN, INT32_MIN,      \
      INT32_MAX, NULL)                                                         \
    X(NEXT_BORROWING, "next_flavor_borrowing", TRACE_TERM_YESNO, 0, 0, 1,      \
      NULL)                                                                    \
    X(NEXT_EVICTING, "next_flavor_evicting", TRACE_TERM_YESNO, 1, 0, 1, NULL)  \
    X(FLAVOR_PREFERS, "flavor_prefers", TRACE_TERM_WORD, 0, 0, 1,              \
      trace_term_prefers_names)                                                \
    X(HEAD_BLOCKS, "head_blocks", TRACE_TERM_YESNO, 0, 0, 1, NULL)

extern const char
    *const trace_term_own_names[]; /* never, lower, lower-or-newer */
extern const char
    *const trace_term_victims_names[]; /* never, lower, lower-or-newer,
                                                  any */
extern const char *const trace_term_prefers_names[]; /* borrowing, evicting */

#define TRACE_TERM_MEMBER(member, ...) TRACE_TERM_##member,
enum trace_queue_term {
    TRACE_QUEUE_TERMS_LIST(TRACE_TERM_MEMBER) TRACE_QUEUE_TERMS
};

struct trace_term_info {
    const char *key;
    enum trace_term_type type;
    int64_t fallback, low, high;
    const char *const *words; /* NULL-terminated; TRACE_TERM_WORD */
};

extern const struct trace_term_info trace_term_info[TRACE_QUEUE_TERMS];

/* Of which tasks a flavor is. */
enum trace_flavor_of {
    TRACE_OF_ALL,
    TRACE_OF_PLACED, /* that state a topology; of all in a queue that has
                        such flavors only */
    TRACE_OF_LOOSE,  /* that state none */
};

/* Nodes of one kind that quotas count apart: those with all of its labels. */
struct trace_flavor {
    uint32_t name; /* string id */
    uint32_t line; /* of the trace file; 0: none */
    uint32_t label_count, taint_count, toleration_count;
    enum trace_flavor_of of;
    const struct topo_label *label;
    const struct topo_taint *taint;      /* jobs tolerate them, or have another
                                       flavor */
    const struct topo_taint *toleration; /* that its jobs have, too */
};

/* A flavor of a queue.  It covers the resources of which it states a guarantee;
 * flavors that cover the same ones are alternatives, in order of trial.
 */
struct trace_queue_flavor {
    uint32_t flavor;                  /* index into flavor[] */
    int64_t guarantee[TOPO_DIMS_MAX]; /* -1: not covered */
    int64_t borrow[TOPO_DIMS_MAX];    /* -1: no limit */
    int64_t lend[TOPO_DIMS_MAX];      /* -1: all of its guarantee */
};

/* A limit of each of the users, and of all users of each of the groups
 * together.
 */
struct trace_user_limit {
    uint32_t first_name, users, groups; /* into limited[]: names of users, then
                                           of groups; "*": all others */
    int64_t limit[TOPO_DIMS_MAX];       /* -1: none */
    int64_t max_jobs;                   /* -1: none */
};

struct trace_queue_extra {
    int64_t borrow[TOPO_DIMS_MAX];    /* above its guarantee; -1: no limit */
    int64_t lend[TOPO_DIMS_MAX];      /* of its guarantee; -1: all */
    double over_quota[TOPO_DIMS_MAX]; /* weight; below 0: that of the queue */
    int64_t term[TRACE_QUEUE_TERMS];
    uint32_t first_flavor, flavor_count;    /* into queue_flavor[] */
    uint32_t first_user_limit, user_limits; /* into user_limit[] */
};

/* Of all queues of a workload. */
struct trace_queue_tables {
    struct trace_queue_extra *queue_extra;
    struct trace_flavor *flavor;
    struct trace_queue_flavor *queue_flavor;
    struct trace_user_limit *user_limit;
    uint32_t *limited;   /* string ids of users and groups */
    uint32_t *flavor_by; /* [string id] index + 1; private */
    uint32_t queue_extra_count, queue_extra_cap, flavor_count, flavor_cap;
    uint32_t queue_flavor_count, queue_flavor_cap, user_limit_count;
    uint32_t user_limit_cap, limited_count, limited_cap, flavor_by_cap;
};

/* What the queue states; of one that states nothing, the defaults. */
const struct trace_queue_extra *trace_queue_extra(
    const struct trace_workload *w, const struct trace_queue *q);
/* The same, to be changed. */
struct trace_queue_extra *trace_queue_extra_put(struct trace_workload *w,
                                                struct trace_queue *q);
/* Give `q`, of `w`, what `of`, of `from`, states. */
void trace_queue_extra_take(struct trace_workload *w, struct trace_queue *q,
                            const struct trace_workload *from,
                            const struct trace_queue *of);
bool trace_queue_extra_same(const struct trace_workload *a,
                            const struct trace_queue *x,
                            const struct trace_workload *b,
                            const struct trace_queue *y);

static inline int64_t trace_queue_term(const struct trace_workload *w,
                                       const struct trace_queue *q,
                                       enum trace_queue_term term)
{
    return trace_queue_extra(w, q)->term[term];
}

/* The flavor called by string id `name`; TRACE_NONE.  Or created when new. */
uint32_t trace_flavor_find(const struct trace_workload *w, uint32_t name);
uint32_t trace_flavor_put(struct trace_workload *w, uint32_t name);
/* Add a flavor of another workload, unless there is one of its name. */
void trace_flavor_take(struct trace_workload *w, const struct trace_flavor *of);
/* Add shapes that select by the labels of the flavors, so that node classes
 * tell them apart; and give jobs of queues the tolerations of their flavors.
 */
void trace_flavors_finish(struct trace_workload *w);
bool trace_flavor_same(const struct trace_flavor *a,
                       const struct trace_flavor *b);

/* Append a flavor, without amounts, to those of `extra`, which are the last
 * ones of the table or none.
 */
struct trace_queue_flavor *trace_queue_flavor_add(
    struct trace_workload *w, struct trace_queue_extra *extra, uint32_t flavor);
/* Take the last one away. */
void trace_queue_flavor_drop(struct trace_workload *w,
                             struct trace_queue_extra *extra);
/* Do two flavors of a queue cover the same resources, or none in common?
 * Others are refused.
 */
bool trace_queue_flavors_agree(const struct trace_queue_flavor *a,
                               const struct trace_queue_flavor *b);
/* Append a limit of these names to those of `extra`, as above. */
struct trace_user_limit *trace_user_limit_add(struct trace_workload *w,
                                              struct trace_queue_extra *extra,
                                              const uint32_t *name,
                                              uint32_t users, uint32_t groups);
void trace_queue_terms_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_QUEUE_TERMS_H */
