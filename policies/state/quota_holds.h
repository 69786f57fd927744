/* policies/state/quota_holds.h - the quota that jobs hold from their admission
 * on, with action admit; and the flavors of it, which decide where their tasks
 * may be placed.
 */
#ifndef POLICIES_STATE_QUOTA_HOLDS_H
#define POLICIES_STATE_QUOTA_HOLDS_H

#include "base/hash.h"
#include "base/numbers.h"
#include "policies/admission/contest.h"
#include "policies/state/state.h"

/* Flavors as the quotas number them: those of the workload from 1 on, 0 for the
 * amounts that a queue states without any.
 */
enum { QUOTA_PLAIN };

/* A queue, for the action. */
struct quota_queue {
    struct flavor_list flavors;
    struct gs_numbers active;   /* class queues of admission: a heap */
    struct gs_numbers sleeping; /* class queues set aside: the queue sleeps */
    bool is_roused;             /* ... or they are in quota_wake.aside */
    bool is_filed;              /* in the trie, see pending/quota_rivals.h */
    bool was_filed;             /* before another first job came */
    bool is_new;                /* it slept since it was looked at there */
    bool is_news;               /* in gsched_quotas.news */
    bool is_blocked;            /* in quota_wake.blocked of its tree */
    uint32_t sticky;            /* waits for its victims, before all others */
    uint32_t tried_job;         /* its first job in round `tried_in` ... */
    uint64_t tried_in, taken_in;
    uint64_t
        ordered; /* gsched_quotas.tells when `active` was ordered at last */
    struct flavor_pick *tried; /* ... and the flavors that it got then */
    uint32_t tried_cap;
    bool tried_pending; /* others were left */
    bool tried_before;  /* it went on after those of the round before */
};

/* What is looked at again when quota of the tree is freed. */
struct quota_wake {
    struct gs_numbers aside; /* class queues whose first job did not fit, of
                                   queues that do not sleep */
    bool is_unsorted;        /* not in order of class_queue.aside_at */
    uint32_t *sleeping;      /* [class queues] queues that sleep with so many */
    uint32_t sleeping_cap, deepest; /* the most */
    int64_t freed_at;               /* when freed quota was looked at */
    int64_t freed_before;           /* and the time before */
    uint64_t rounds; /* in which the last that slept then would be refused */
    bool is_quiet;   /* in gsched_quotas.quiet */
    struct gs_numbers blocked; /* queues whose first job did not, and blocks */
    bool is_listed;            /* in gsched_quotas.moved */
    bool is_freed;             /* quota was, since it was looked at */
    uint32_t turns;  /* rounds since then, or since another job was first */
    uint32_t period; /* of such rounds until first jobs that go through their
                        flavors in turn have met in each way */
    uint64_t seen_in, swept_in; /* rounds */
};

/* A job that holds quota and does not run yet. */
struct quota_wait {
    int64_t until;
    uint32_t job;
};

/* What a job lacked at that time. */
struct quota_lack {
    int64_t at;
    bool is_there;
    struct gsched_lack what;
};

struct quota_hold {
    struct quota_lack lack; /* before it was admitted at last */
    int64_t until;          /* it should run then */
    uint32_t times;         /* that it was put back */
    uint32_t ended;         /* its tasks that ran to their end */
    uint64_t seen; /* jobs that began or ended until it was put back at last */
    bool is_unready;
    bool has_run;
    bool was_dropped; /* it held quota before, and gave it back */
};

/* Those that are put back after one time. */
struct quota_waits {
    struct quota_wait *at; /* times ascend */
    uint32_t first, count, cap;
};

enum { WAITS_READY, WAITS_RECOVERY, QUOTA_WAITS };

struct gsched_quotas {
    struct gsp_admit how;
    uint8_t gate;
    struct quotas *q;
    struct quota_queue *queue;
    struct quota_wake *wake; /* [tree] */
    struct gs_numbers news;  /* queues with another first job */
    struct gs_numbers moved; /* trees in which something changed */
    struct gs_numbers quiet; /* trees in which sleeping queues would be tried */
    struct quota_sleepers sleepers; /* class queues */
    uint64_t asides;                /* times that one was set aside */
    struct quota_search search;
    struct contest contest;
    struct quota_hold *hold; /* [job] */
    uint32_t hold_count, hold_cap;
    struct quota_lack *queue_lack; /* [class queue] of its jobs */
    uint32_t queue_lacks, queue_lack_cap;
    uint32_t *group_flavors; /* [workload group] index in sets; 0: any node */
    uint32_t *group_tasks;   /* [workload group] that got quota */
    uint32_t group_count, flavors_cap, tasks_cap;
    uint32_t *set; /* lists of flavors: their number, then they */
    uint32_t set_count, set_cap;
    struct gs_hash sets;
    uint8_t *suits; /* [shape * flavors] 1: yes, 2: no; 0: not known */
    uint32_t shapes, suits_cap;
    struct quota_waits waits[QUOTA_WAITS];
    uint32_t unready;
    struct flavor_tasks *kind; /* scratch */
    uint32_t kind_cap;
    struct flavor_choice choice; /* scratch */
    uint64_t rounds;
    uint64_t progress;   /* jobs that began for the first time, or ended */
    uint64_t evicted_at; /* `progress` at the last round that evicted */
    uint32_t evictions;  /* such rounds since that changed */
    uint64_t tells;      /* times that modules were told what jobs hold */
    bool has_strict;     /* a queue is blocked by its first job */
    bool is_held;        /* news waits until all admitted jobs run */
    uint32_t on_trial;   /* job without quota that is placed for a trial as if
                            it had it; NONE */
    bool lacks_room;     /* a job waits for room, not for quota */
    uint64_t room_seen;  /* version of the cluster at the last look */
};

void gsched_quotas_open(struct gsched *s);
void gsched_quotas_free(struct gsched *s);
/* Room for all jobs of the workload. */
void gsched_quotas_grow(struct gsched *s);
/* What the job asks for, for all files that choose flavors; valid until the
 * next call.
 */
struct flavor_query gsched_quota_query(struct gsched *s, uint32_t job);

/* The number of the flavors that were picked for a kind of tasks, see
 * gsched_quota_flavors().
 */
uint32_t gsched_quota_set(struct gsched *s, const struct flavor_list *l,
                          const struct flavor_pick *pick);
/* Have nodes of the class all labels of the flavor of the workload? */
bool gsched_quota_class_has(const struct gsched *s, uint32_t klass,
                            uint32_t flavor);

/* Of two jobs of a queue that wait for quota the one whose victims have gone is
 * first; 0: neither is.
 */
static inline int gsched_sticky_compare(const struct gsched *s, uint32_t queue,
                                        uint32_t a, uint32_t b)
{
    const uint32_t sticky = s->quotas ? s->quotas->queue[queue].sticky : NONE;

    return sticky == NONE ? 0 : (b == sticky) - (a == sticky);
}

static inline bool gsched_quota_holds(const struct gsched *s, uint32_t job)
{
    return quotas_job(s->quotas->q, job)->node != QUOTA_NONE;
}

/* The placed job gave its quota back, and leaves: it gets no more tasks. */
static inline bool gsched_quota_is_gone(const struct gsched *s, uint32_t job)
{
    return s->quotas && s->grace && !gsched_quota_holds(s, job);
}

/* The job holds what was chosen for it. */
void gsched_quota_take(struct gsched *s, uint32_t job,
                       const struct flavor_choice *c, int64_t reserved);
/* Is the job submitted with quota that it holds already? */
static inline bool gsched_quota_is_given(const struct gsched *s, uint32_t job)
{
    return s->quotas && s->work->job[job].aside->admitted
           && !s->quotas->hold[job].was_dropped;
}

/* Of the flavors of the list, those whose quota tasks of the group hold when
 * they come: a bit each.
 */
uint64_t gsched_quota_held(const struct gsched *s, uint32_t job, uint32_t group,
                           const struct flavor_list *l);
/* Tasks of the job's group stand on the node: it holds quota of flavors that it
 * states, else of those of that node (NONE: of the first that suit), whatever
 * is left.
 */
void gsched_quota_adopt(struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t node, int64_t since);
/* It holds none any more; nothing happens if it did not. */
void gsched_quota_drop(struct gsched *s, uint32_t job);
/* So many more tasks of a job of one group ran to their end: it gives the quota
 * of those back that no later task takes over.
 */
void gsched_quota_shrink(struct gsched *s, uint32_t job, uint32_t ended);
/* Tasks of the group that get quota: all, of a job of one group no more than
 * are still to end.
 */
uint32_t gsched_quota_wanted(const struct gsched *s, uint32_t job,
                             uint32_t group);
/* The job is over. */
void gsched_quota_end(struct gsched *s, uint32_t job);
/* It runs, or gets more tasks; it does not run any more, and keeps its quota.
 */
void gsched_quota_ready(struct gsched *s, uint32_t job);
void gsched_quota_lost(struct gsched *s, uint32_t job);
/* The next job that did not run in time by now; NONE. */
uint32_t gsched_quota_late(struct gsched *s);
/* The pause of a job that was put back `times` times before. */
int64_t gsched_quota_pause(const struct gsp_admit *how, uint32_t times);
/* When an admitted job is put back; GSCHED_NEVER. */
int64_t gsched_quotas_next(const struct gsched *s);

/* The number of the flavors of tasks of the group, 0: any node; may they be
 * placed on the node?
 */
static inline uint32_t gsched_quota_flavors(const struct gsched *s,
                                            uint32_t job, uint32_t group)
{
    const uint32_t g = s->work->job[job].first_group + group;

    return s->quotas && g < s->quotas->group_count ? s->quotas->group_flavors[g]
                                                   : 0;
}
bool gsched_quota_closes(const struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t node);
/* Does it have to be asked for tasks of the job? */
bool gsched_quota_confines(const struct gsched *s, uint32_t job);
/* At most so many tasks of the group are placed. */
static inline uint32_t gsched_quota_tasks(const struct gsched *s, uint32_t job,
                                          uint32_t group)
{
    const uint32_t g = s->work->job[job].first_group + group;

    return s->quotas && g < s->quotas->group_count
                   && (s->quotas->on_trial == job || gsched_quota_holds(s, job))
               ? s->quotas->group_tasks[g]
               : UINT32_MAX;
}

/* Modules are told that the job holds quota now, or will not any more. */
void gsched_quota_tell(struct gsched *s, uint32_t job, bool holds);
/* What the account of the job used, of the scheduler `of`; a module says so. */
double gsched_quota_usage(const void *of, uint32_t job);

/* The first job of the queue changed; the quota that the tree has left did. */
void gsched_quota_news(struct gsched *s, uint32_t queue);
void gsched_quota_moved(struct gsched *s, uint32_t tree);

#endif /* POLICIES_STATE_QUOTA_HOLDS_H */
