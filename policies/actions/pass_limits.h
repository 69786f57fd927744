/* policies/actions/pass_limits.h - how many jobs of a user, queue or partition
 * one pass of windowed backfill looks at.
 */
#ifndef POLICIES_ACTIONS_PASS_LIMITS_H
#define POLICIES_ACTIONS_PASS_LIMITS_H

#include "base/hash.h"
#include "policies/state/state.h"

/* Counts by a number, such as that of a user; those of an earlier pass are 0.
 */
struct pass_tally {
    struct pass_count {
        uint32_t pass, count;
    } * at;
    uint32_t cap;
};

/* A user in a partition or queue. */
struct pass_pair {
    uint32_t of, user;
    bool is_queue;
};

struct pass_limits {
    uint32_t pass; /* the number of the pass, from 1 */
    struct pass_tally users, partitions, pairs, reserved;
    struct pass_pair *pair; /* numbered as they come */
    uint32_t pair_count, pair_cap;
    struct gs_hash pair_index;
};

/* Count a job that is looked at.  False, and nothing is counted, when a limit
 * is reached.
 */
bool gsched_pass_count(const struct gsched *s, struct pass_limits *l,
                       uint32_t job, uint32_t partition);
/* True when the partition may have one more reservation; count it. */
bool gsched_pass_may_reserve(const struct gsched *s, struct pass_limits *l,
                             uint32_t partition);
void gsched_pass_reserved(const struct gsched *s, struct pass_limits *l,
                          uint32_t partition);
/* True when the main pass looks at the job, at most so many of a partition; it
 * is counted.
 */
bool gsched_pass_looks(const struct gsched *s, struct pass_limits *l,
                       uint32_t partition);
/* True when the job has so much priority (0: always) and waits for so long. */
bool gsched_pass_counts(const struct gsched *s, uint32_t job, int32_t priority,
                        int64_t wait);
void gsched_pass_limits_free(struct pass_limits *l);

#endif /* POLICIES_ACTIONS_PASS_LIMITS_H */
