/* policies/admission/quota_victims.h - jobs whose quota another job needs.
 *
 * The victims are found among the jobs that hold quota in the tree of the
 * queue, in Kueue's two ways: by priority and by what is borrowed
 * (quota_victims_borrowing), or by dominant shares (quota_victims_sharing).
 * Either takes candidates in order until the job fits, then reprieves those
 * that are not needed.  The quotas are as before after each call.
 */
#ifndef POLICIES_ADMISSION_QUOTA_VICTIMS_H
#define POLICIES_ADMISSION_QUOTA_VICTIMS_H

#include "policies/admission/quotas.h"

struct flavor_choice;

/* Where quota is not enough: the job must find room on nodes, too. */
struct quota_room {
    /* It asks with these flavors, until end(). */
    void (*begin)(void *of, const struct flavor_choice *c);
    void (*end)(void *of);
    bool (*fits)(void *of);
    /* The job is gone from its nodes; it is there again. */
    void (*hide)(void *of, uint32_t job);
    void (*show)(void *of, uint32_t job);
    void *of;
};

/* A job that asks for quota. */
struct quota_request {
    uint32_t node;
    int32_t priority;
    int64_t since;
    const struct quota_ask *ask;
    uint32_t asks;
};

enum quota_reason {
    QUOTA_IN_QUEUE,  /* it is in the queue of the preemptor */
    QUOTA_RECLAIMED, /* its queue borrows what the preemptor's queue owns */
    QUOTA_RECLAIMED_BORROWING, /* the same, and the preemptor's queue
                                  borrows, too */
    QUOTA_SHARED,              /* its share is larger */
};

struct quota_victim {
    uint32_t job;
    enum quota_reason reason;
};

struct quota_candidate {
    uint32_t job;
    uint32_t stop; /* the lowest queue above both queues; QUOTA_NONE: the own
                      queue */
    uint32_t next; /* of the same queue, in order; QUOTA_NONE */
    uint8_t kind;  /* of the order; lower first */
    double usage;  /* in its own queue: higher first */
    enum quota_reason reason;
    bool borrows; /* also where the preemptor then borrows */
};

/* Per queue, while victims are sought by shares. */
struct quota_target {
    uint32_t first;                   /* candidate; QUOTA_NONE: none is left */
    uint32_t first_child, next_child; /* with candidates below */
    bool is_listed, is_pruned, is_above; /* is_above: of the preemptor */
};

/* How victims are sought, and what was found; memory is kept between calls. */
struct quota_search {
    bool shares;       /* by dominant shares */
    bool final_first;  /* first strategy: the preemptor's share is at most that
                         of the other side without the victim; else it is less
                         than that with the victim */
    bool then_initial; /* the second strategy: less than that with the victim */
    bool own_is_even;  /* nor is a job within the quota of its queue free of
                          these */
    double (*usage)(const void *of, uint32_t job); /* NULL: all are equal */
    const void *usage_of;
    const struct quota_room *room; /* that the job must find; NULL */
    struct quota_victim *victim;
    uint32_t victims, victim_cap;
    struct quota_candidate *candidate; /* scratch, as is the rest */
    uint32_t candidates, candidate_cap;
    int64_t *rest;
    uint32_t rest_cap;
    uint32_t *kept;
    uint32_t kept_count, kept_cap;
    struct quota_target *target;
    uint32_t target_count, target_cap;
    struct gs_numbers listed;
};

/* Does the request fit; without borrowing? */
bool quota_fits(const struct quotas *q, const struct quota_request *r,
                bool borrows);
/* Find victims for what the request lacks (quota_ask.is_short).  False: none or
 * not enough; search->victims is 0 then.
 */
bool quota_victims_find(struct quotas *q, struct quota_search *search,
                        const struct quota_request *r);
/* For files of this room. */
bool quota_evicts(enum quota_victims_of which, const struct quota_request *r,
                  const struct quota_job *c);
bool quota_uses_short(const struct quotas *q, const struct quota_request *r,
                      const struct quota_job *c);
/* The node uses no more than its quota in all that the request lacks. */
bool quota_is_within(const struct quotas *q, const struct quota_request *r,
                     uint32_t node);
/* What the account of a job of the preemptor's queue used. */
static inline double quota_usage(const struct quota_search *s, uint32_t job)
{
    return s->usage ? s->usage(s->usage_of, job) : 0;
}
void quota_candidate_put(struct quota_search *s,
                         const struct quota_candidate *c);
void quota_candidates_sort(const struct quotas *q, struct quota_search *s);
/* Does it fit, with the room that it must find? */
bool quota_search_fits(const struct quotas *q, const struct quota_search *s,
                       const struct quota_request *r, bool borrows);
void quota_victim_put(struct quotas *q, struct quota_search *s, uint32_t job,
                      enum quota_reason reason);
void quota_reprieve(struct quotas *q, struct quota_search *s,
                    const struct quota_request *r, bool borrows);
void quota_victims_show(struct quotas *q, const struct quota_search *s);
bool quota_victims_borrowing(struct quotas *q, struct quota_search *s,
                             const struct quota_request *r);
bool quota_victims_sharing(struct quotas *q, struct quota_search *s,
                           const struct quota_request *r);
void quota_search_free(struct quota_search *s);

#endif /* POLICIES_ADMISSION_QUOTA_VICTIMS_H */
