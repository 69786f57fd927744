/* policies/state/grace.h - victims that leave after a grace time (grace.c), and
 * the room that is kept for the jobs that evict them (claims.c).
 *
 * gsched_grace_begin() (lifecycle/grace_ends.h) warns a victim: it goes on,
 * holds what it holds and counts in all limits until its time is over or it
 * ends.  The job that needs its room keeps a claim: how much of which nodes it
 * will use.  Other jobs, unless they are more important ones of its queue, do
 * not take so much of these nodes that the claim could not be met when the
 * victims are gone.  Then gsched_claims_serve() places the job before others.
 * A claim ends when its job is placed or over, when a victim is lost, and after
 * the cycle in which all victims are gone.
 */
#ifndef POLICIES_STATE_GRACE_H
#define POLICIES_STATE_GRACE_H

#include "base/numbers.h"
#include "policies/state/state.h"

struct allocation;

/* A victim: a job, or tasks that go alone. */
struct leaver {
    int64_t until;
    int64_t estimate;    /* of the job, before it was warned */
    uint32_t allocation; /* NONE: all of the job */
    uint32_t left;       /* allocations that it still has; 0: this is free */
    uint32_t claim;      /* NONE: of action admit, its quota is free at once */
    uint32_t claim_life;
    uint32_t life;              /* how often the place was used */
    struct gsched_decision why; /* of the eviction; job: the victim */
};

/* Room that a job will use on a node: the one that claims it, or a victim that
 * moves there.
 */
struct claimed_room {
    uint32_t claim, job, node, group, tasks;
    uint32_t next;          /* of the claim; NONE */
    uint32_t after, before; /* on the node; NONE */
};

struct claim {
    uint32_t job;     /* NONE: victims leave a node empty */
    uint32_t group;   /* NONE: its gang */
    uint32_t leavers; /* victims that still stand */
    uint32_t first;   /* its first room; NONE: this is free */
    uint32_t next;    /* of the job; NONE */
    uint32_t life;    /* how often the place was used */
};

struct grace_end {
    int64_t until;
    uint32_t leaver, life;
};

struct gsched_grace {
    struct leaver *leaver;
    struct claim *claim;
    struct claimed_room *room;
    struct grace_end *end; /* a heap, the earliest on top */
    uint32_t leavers, claims, rooms, ends;
    uint32_t leaver_cap, claim_cap, room_cap, end_cap;
    struct gs_numbers free_leaver, free_claim, free_room;
    struct gsched_decision *spent; /* victims without a claim that hold nothing
                                      any more: their evictions */
    uint32_t spent_count, spent_cap;
    struct gs_numbers gone;     /* claims without victims, to be closed */
    struct gs_numbers movers;   /* scratch */
    struct gs_numbers reopened; /* nodes that claims kept until now */
    uint32_t *claim_of;         /* [job] its first claim + 1 */
    uint32_t *leaving_of;       /* [job] allocations of it that leave */
    uint32_t claim_of_cap, leaving_of_cap;
    uint32_t *node_room; /* [node] the first room on it + 1 */
    int64_t *leaving;    /* [node x dims] what victims hold there */
    uint32_t open;       /* claims that are open */
    uint32_t emptying;   /* of these, claims without a job */
    bool counts_own;     /* claims hold against their own job, too */
    bool counts;         /* see gsched_claims_count() */
};

/* NULL parts unless a victim may have a grace time. */
void gsched_grace_open(struct gsched *s);
void gsched_grace_free(struct gsched *s);

/* The grace time of the job as a victim: of its QOS, else of its partition,
 * else that of module preemption.
 */
int64_t gsched_grace_of(const struct gsched *s, uint32_t job);

/* True when all of the job is to leave as one; when all of its tasks are, one
 * by one; any of it.
 */
bool gsched_leaves(const struct gsched *s, uint32_t job);
bool gsched_leaves_in_parts(const struct gsched *s, uint32_t job);
bool gsched_any_leaves(const struct gsched *s, uint32_t job);
/* Tasks of the job, and of its group, that are to leave. */
void gsched_leaving_count(const struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t *of_job, uint32_t *of_group);
/* The estimate of the job without its grace time. */
int64_t gsched_estimate_before(const struct gsched *s, uint32_t job);
/* The estimate of a running job is now `us`.  Returns it, or the end of its
 * grace time, if that comes first.
 */
int64_t gsched_estimate_leaving(struct gsched *s, uint32_t job, int64_t us);

/* The index of a free element, or of a new one behind the last. */
static inline uint32_t gsched_grace_slot(struct gs_numbers *free,
                                         uint32_t *count)
{
    return free->count ? free->at[--free->count] : (*count)++;
}
/* The claim of the victim is open. */
static inline bool gsched_claim_stands(const struct gsched_grace *g,
                                       const struct leaver *l)
{
    return l->claim != NONE && g->claim[l->claim].first != NONE
           && g->claim[l->claim].life == l->claim_life;
}
/* A claim of the job (group NONE: its gang; job NONE: of none) on the room of
 * these placements, which may be those of other jobs, too; a victim of it
 * (claim NONE: of none), a whole job (allocation NONE) or one allocation.
 */
uint32_t gsched_claim_open(struct gsched *s, uint32_t job, uint32_t group,
                           const struct gsched_decision *d, uint32_t count);
void gsched_leaver_add(struct gsched *s, uint32_t claim, uint32_t allocation,
                       int64_t until, const struct gsched_decision *why);
/* The allocation no longer leaves, or is gone. */
void gsched_leaver_left(struct gsched *s, uint32_t allocation);
/* Close the claims of the job; those that were met when tasks of its group were
 * placed; those for which the job is a victim, which is lost.
 */
void gsched_claims_close(struct gsched *s, uint32_t job);
void gsched_claims_met(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t tasks);
void gsched_claims_lost(struct gsched *s, uint32_t job);
/* Close the claims whose victims are gone. */
void gsched_claims_lapse(struct gsched *s);
/* The job waits for victims: claims for its gang (group NONE), or tasks of its
 * group that have claims.
 */
uint32_t gsched_claims_of(const struct gsched *s, uint32_t job, uint32_t group);
/* Until it is called with false, queues count what is claimed as held, and what
 * leaves as gone: for searches by trials, as in KAI Scheduler.
 */
void gsched_claims_count(struct gsched *s, bool counts);
/* Until it is called with false, claims hold against tasks of their own job. */
void gsched_claims_count_own(struct gsched *s, bool is_so);
/* Do claims refuse a task of the scope's job on the node?  No, where there is
 * none.
 */
bool gsched_claims_refuse(const struct gsched *s, const struct scope *w,
                          uint32_t node);
static inline bool gsched_has_claims(const struct gsched *s)
{
    return s->grace && s->grace->open;
}

/* The first victim whose time is over by now; NONE.  When that is next. */
uint32_t gsched_grace_over(struct gsched *s);
int64_t gsched_grace_next(const struct gsched *s);

#endif /* POLICIES_STATE_GRACE_H */
