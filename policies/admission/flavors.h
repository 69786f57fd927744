/* policies/admission/flavors.h - choice of a flavor for each kind of tasks of a
 * job and each resource of its queue.
 *
 * The flavors of a queue that cover the same resources are alternatives, tried
 * in order.  Kinds of tasks are assigned one after another, each on top of what
 * those before it take; those that stand together (podSetGroupName of Kueue) at
 * once, with one flavor that suits all of them and has room for what they ask
 * for in all.
 */
#ifndef POLICIES_ADMISSION_FLAVORS_H
#define POLICIES_ADMISSION_FLAVORS_H

#include "policies/admission/quota_sleepers.h"
#include "policies/admission/quota_victims.h"

#define FLAVORS_MAX 64 /* of one queue */
#define FLAVOR_NONE UINT8_MAX

/* How a flavor can take a request; a later one is better. */
enum quota_mode {
    QUOTA_NO_FIT,
    QUOTA_NO_VICTIMS, /* others would have to be evicted, but none may be */
    QUOTA_PREEMPTS,   /* jobs of its own queue, perhaps others */
    QUOTA_RECLAIMS,   /* jobs of other queues only */
    QUOTA_FITS,
};

/* The flavors of one queue. */
struct flavor_list {
    uint32_t count;      /* at most FLAVORS_MAX */
    uint32_t sets;       /* of resources, whose flavors are alternatives */
    uint32_t *flavor;    /* the caller's numbers, in order of trial */
    uint8_t *set;        /* [flavor] */
    uint32_t *cell;      /* [flavor * dims + dim] of the tree; QUOTA_NONE: not
                            covered */
    uint8_t *set_of_dim; /* FLAVOR_NONE: no flavor covers it */
};

/* Tasks of one kind. */
struct flavor_tasks {
    const int64_t *amount; /* of one, by dim */
    uint32_t tasks, least; /* all of them; at least so many, with partial
                              admission; else as many as `tasks` */
    uint64_t allowed;      /* bit f: flavor f of the queue suits them */
    uint32_t next;         /* the next kind that it stands together with;
                              QUOTA_NONE */
    bool follows;          /* it is the next of one before */
};

struct flavor_query {
    struct quotas *q;
    struct quota_search *search;
    const struct flavor_list *list;
    uint32_t dims, node;
    int32_t priority;
    int64_t since;
    const struct flavor_tasks *kind;
    uint32_t kinds;
    bool refuses_uncovered; /* a job that asks for a resource that no flavor
                               covers, other than pods, does not fit */
    uint32_t pods;          /* the dim of pods */
    const struct quota_room *room; /* that it must find; NULL */
};

/* The result, for `kinds` x `sets`. */
struct flavor_pick {
    uint8_t flavor; /* index in flavor_list; FLAVOR_NONE */
    int8_t tried;   /* place of the last flavor of the set that was tried; -1:
                       all of them were */
};

struct flavor_choice {
    enum quota_mode mode; /* the worst of all */
    uint32_t level;       /* height of the subtree that it borrows from */
    bool lacks_room;      /* its quota would fit, on nodes it does not */
    struct quota_ask *ask;
    uint32_t asks, ask_cap;
    struct flavor_pick *pick;
    uint32_t picks, pick_cap;
    uint32_t *tasks; /* [kind] */
    uint32_t tasks_cap;
};

/* Is mode `a` at level `i` better than `b` at `k`? */
bool flavor_is_better(const struct quota_policy *p, enum quota_mode a,
                      uint32_t i, enum quota_mode b, uint32_t k);
/* Choose flavors for all tasks, or `tasks` of each kind; go on after what was
 * `tried` (as the picks of the last choice; NULL: nothing was).
 */
void flavor_choose(const struct flavor_query *f, const uint32_t *tasks,
                   const struct flavor_pick *tried, struct flavor_choice *out);
/* The same, with victims in search->victim; with fewer tasks where all do not
 * fit: as many as fit, found by bisection.
 */
void flavor_choose_any(const struct flavor_query *f,
                       const struct flavor_pick *tried,
                       struct flavor_choice *out);
/* Of the kinds of the query: only flavors that were chosen suit them, for kinds
 * that stand together those of any of them.
 */
void flavor_pin(const struct flavor_query *f, struct flavor_tasks *kind,
                const struct flavor_choice *chosen);
/* The first flavor of each set that is allowed, whatever is left. */
void flavor_choose_first(const struct flavor_query *f,
                         struct flavor_choice *out);
/* What refuses the job as things stand, whatever is evicted: it cannot fit
 * before one of the wants, of which there are at most FLAVORS_MAX, is met; with
 * none of them it never can.  False: not known; it may fit, or others may be
 * evicted for it.
 */
bool flavor_wants(const struct flavor_query *f, struct quota_want *want,
                  uint32_t *wants);
/* True when some set has flavors that were not tried. */
bool flavor_is_pending(const struct flavor_choice *c);
/* All that its asks say in one request. */
struct quota_request flavor_request(const struct flavor_query *f,
                                    const struct flavor_choice *c);
/* Tasks of a kind after `step` of `steps` steps from all to the least. */
uint32_t flavor_reduced(const struct flavor_tasks *k, uint64_t step,
                        uint64_t steps);
void flavor_choice_free(struct flavor_choice *c);
/* For files of this room: what `tasks` tasks ask for; saturates. */
int64_t flavor_amount(const struct flavor_tasks *k, uint32_t dim,
                      uint32_t tasks);
/* Others may be evicted where the queue must borrow. */
bool flavor_may_borrow(const struct flavor_query *f);
/* No flavor covers a resource that the kind asks for, and that matters. */
bool flavor_is_uncovered(const struct flavor_query *f, uint32_t kind);

#endif /* POLICIES_ADMISSION_FLAVORS_H */
