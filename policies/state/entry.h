/* policies/state/entry.h - the order of queue entries. */
#ifndef POLICIES_STATE_ENTRY_H
#define POLICIES_STATE_ENTRY_H

#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* A job, or with unit pod (and for elastic members) one task group of it. */
struct queue_entry {
    int64_t since; /* in the queue; for tasks: created */
    int64_t least; /* estimate of those below it in the heap, and its own */
    uint32_t job;
    uint32_t group; /* position within the job; NONE: its gang */
};

/* Which of two entries is served first: below 0 `a`, above 0 `b`, never 0 for
 * two entries: by the modules that order jobs, then the time since when it
 * waits, the job's number, the group's.
 */
static inline int gsched_entry_compare(const struct gsched *s,
                                       const struct queue_entry *a,
                                       const struct queue_entry *b)
{
    const int order = a->job == b->job || s->modules->order_count == 0
                          ? 0
                          : gsched_modules_compare_jobs(s, a->job, b->job);

    if (order != 0)
        return order;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

#endif /* POLICIES_STATE_ENTRY_H */
