/* policies/state/entry.c - the order of queue entries. */
#include "policies/state/entry.h"

#include "policies/state/module_calls.h"

int gsched_item_compare(const struct gsched *s, const struct item *a,
                        const struct item *b)
{
    const int order = a->job == b->job || s->order_count == 0
                          ? 0
                          : gsched_vote_jobs(s, a->job, b->job);

    if (order != 0)
        return order;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}
