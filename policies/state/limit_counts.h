/* policies/state/limit_counts.h - limits as checks, and what jobs hold and have
 * used below them.  Private to limit_sets.c, limit_users.c and limit_checks.c.
 *
 * A count has what the jobs of one QOS, account, user or pool hold; it is
 * shared by the sets that limit it.  A set is a list of checks, each of them a
 * count with the limits of one kind that hold for it.
 */
#ifndef POLICIES_STATE_LIMIT_COUNTS_H
#define POLICIES_STATE_LIMIT_COUNTS_H

#include "base/hash.h"
#include "policies/state/limit_reasons.h"
#include "policies/state/state.h"
#include "traces/workload/limits.h"

#define LIMIT_FACTOR 1000 /* of usage: thousandths of a QOS's factor */

/* Amounts, or numbers of jobs, x us x LIMIT_FACTOR. */
__extension__ typedef __int128 limit_time;

/* The jobs that a count is of: `of` is a QOS, an entry of the accounts, a pool
 * or a queue, `name` a user, an account or a group (string ids), 0: all of
 * them.
 */
struct count_key {
    enum limit_holder holder;
    enum trace_limit_scope scope;
    uint32_t of, name;
};

/* Of limits in minutes; the last column is of jobs. */
struct limit_use {
    int64_t since;
    bool stays;                          /* it is not forgotten */
    limit_time spent[TOPO_DIMS_MAX + 1]; /* until `since` */
    limit_time rate[TOPO_DIMS_MAX + 1];  /* a us */
    limit_time ends[TOPO_DIMS_MAX + 1];  /* rate x estimated end */
};

struct limit_count {
    struct count_key key;
    int64_t used[TOPO_DIMS_MAX];
    int64_t jobs;
    uint32_t use; /* index and 1; 0: no limit in minutes is on it */
};

struct limit_check {
    uint32_t count; /* NONE: of one job */
    bool counts;    /* no check of the set before it has the same count */
    enum trace_limit_kind kind;
    enum limit_holder holder;
    enum trace_limit_scope scope;
    const char *reason; /* of a pool, and in a queue; NULL: it has a name */
    int64_t each; /* what a job counts for below `jobs`: 1, or its tokens */
    int64_t amount[TOPO_DIMS_MAX], jobs, wall; /* -1: no limit */
};

struct limit_set {
    uint32_t entry, user, qos, partition, pools; /* of its jobs */
    uint32_t queue; /* index and 1; 0: no limit of users is on its path */
    uint32_t group; /* string id of the group that it counts for; 0: none */
    int64_t length; /* what limits tell of the estimate of its jobs: all of
                       it, 1 if it exceeds one of them, or 0 */
    int64_t factor; /* of what they use, in parts of LIMIT_FACTOR */
    uint32_t first, count; /* checks */
};

/* A user or a group that a queue limits. */
struct limited_name {
    uint32_t queue, name, limit; /* index, string id, index into user_limit[] */
    bool is_group;
};

struct gsched_limits {
    struct limit_count *count;
    struct limit_use *use;
    struct limit_check *check;
    struct limit_set *set; /* 0: none */
    uint32_t counts, uses, checks, sets;
    uint32_t count_cap, use_cap, check_cap, set_cap;
    struct gs_hash count_index, set_index;
    bool has_accounts, has_pools, has_users; /* they are limited */
    struct gs_hash limited; /* users and groups that queues limit */
    struct limited_name *name;
    uint32_t names, name_cap, all; /* `all`: string id of "*" */
    uint64_t turns;                /* times that `next` came */
    int64_t next; /* when a job may go on that a limit in minutes refused;
                     GSCHED_NEVER */
};

/* The count with that key, made when new; add a check to the set in the making.
 */
uint32_t gsched_limits_count(struct gsched_limits *l, struct count_key key);
void gsched_limits_check(struct gsched_limits *l, const struct limit_check *c);

/* Limits of users and groups in queues: all that queues state; what they are by
 * for the job; the checks of a set.
 */
void gsched_limits_users_open(struct gsched *s);
void gsched_limits_users_of(const struct gsched *s, uint32_t job,
                            struct limit_set *set);
void gsched_limits_users_add(struct gsched *s, const struct limit_set *set);

#endif /* POLICIES_STATE_LIMIT_COUNTS_H */
