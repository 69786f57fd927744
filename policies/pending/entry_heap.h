/* policies/pending/entry_heap.h - the entries of a class queue: a heap in the
 * order in which they are served.  Each knows its place, and with modules that
 * keep the order the shortest estimate of those below it.
 */
#ifndef POLICIES_PENDING_ENTRY_HEAP_H
#define POLICIES_PENDING_ENTRY_HEAP_H

#include <assert.h>

#include "policies/pending/pending.h"
#include "policies/state/jobs.h"
#include "policies/state/state.h"

/* The group of the workload that identifies an entry. */
static inline uint32_t gsched_entry_key(const struct gsched *s,
                                        const struct queue_entry *it)
{
    assert(it->job < s->jobs->job_count);
    assert(it->group == NONE || it->group < s->work->job[it->job].group_count);
    return s->work->job[it->job].first_group
           + (it->group == NONE ? 0 : it->group);
}

/* Put the entry at place `i` of the heap, without regard to the order. */
void gsched_entry_put(struct gsched *s, uint32_t cqueue, uint32_t i,
                      const struct queue_entry *it);
/* Move the entry at place `i` up or down to its place in the order. */
void gsched_entry_settle(struct gsched *s, uint32_t cqueue, uint32_t i);
/* Order all of them anew; true when another is first. */
bool gsched_entries_reorder(struct gsched *s, uint32_t cqueue);

#endif /* POLICIES_PENDING_ENTRY_HEAP_H */
