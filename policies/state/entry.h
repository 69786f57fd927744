/* policies/state/entry.h - the order of queue entries. */
#ifndef POLICIES_STATE_ENTRY_H
#define POLICIES_STATE_ENTRY_H

#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* A job, or with unit pod (and for elastic members) one task group of it. */
struct queue_entry {
    int64_t since; /* when it entered the queue; for tasks: when they were
                      created */
    int64_t least; /* minimum of the estimates of its subtree in the heap */
    uint32_t job;
    uint32_t group; /* position within the job; NONE: its gang */
};

/* The same of two groups of a job. */
static inline int gsched_entry_compare_groups(const struct gsched *s,
                                              const struct queue_entry *a,
                                              const struct queue_entry *b)
{
    const int order = gsched_modules_compare_groups(s, a->job, a->group,
                                                    b->group);

    return order ? order : a->group < b->group ? -1 : 1;
}

/* Service order of two entries: below 0 when `a` is first, above 0 when `b` is;
 * never 0 for different entries.  Ordered by the modules that order jobs, then
 * by the time since when the entry waits, the number of the job, the group.
 */
static inline int gsched_entry_compare(const struct gsched *s,
                                       const struct queue_entry *a,
                                       const struct queue_entry *b)
{
    const int order = s->modules->order_count == 0
                              || (a->job == b->job
                                  && !gsched_job(s, a->job)->has_classes)
                          ? 0
                          : gsched_modules_compare(s, a, b);

    if (order != 0)
        return order;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    if (s->modules->orders_groups && a->group != b->group && a->group != NONE
        && b->group != NONE)
        return gsched_entry_compare_groups(s, a, b);
    return (a->group > b->group) - (a->group < b->group);
}

#endif /* POLICIES_STATE_ENTRY_H */
