/* policies/state/limit_counts.h - limits as checks, and what jobs hold and have
 * used below them.  Private to limit_sets.c and limit_checks.c.
 *
 * A count has what the jobs of one QOS, account, user or pool hold; it is shared
 * by the sets that limit it.  A set is a list of checks, each of them a count
 * with the limits of one kind that hold for it.
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

/* The jobs that a count is of: `of` is a QOS, an entry of the accounts or a pool,
 * `name` a user or an account (string ids), 0: all of them.
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
    const char *reason; /* of a pool */
    int64_t each; /* what a job counts for below `jobs`: 1, or its tokens */
    int64_t amount[TOPO_DIMS_MAX], jobs, wall; /* -1: no limit */
};

struct limit_set {
    uint32_t entry, user, qos, partition, pools; /* of its jobs */
    int64_t length; /* what limits tell of the estimate of its jobs: all of
                       it, 1 if it exceeds one of them, or 0 */
    int64_t factor; /* of what they use, in parts of LIMIT_FACTOR */
    uint32_t first, count; /* checks */
};

struct gsched_limits {
    struct limit_count *count;
    struct limit_use *use;
    struct limit_check *check;
    struct limit_set *set; /* 0: none */
    uint32_t counts, uses, checks, sets;
    uint32_t count_cap, use_cap, check_cap, set_cap;
    struct gs_hash count_index, set_index;
    bool has_accounts, has_pools; /* they are limited */
    uint64_t turns;               /* times that `next` came */
    int64_t next; /* when a job may go on that a limit in minutes refused;
                     GSCHED_NEVER */
};

#endif /* POLICIES_STATE_LIMIT_COUNTS_H */
