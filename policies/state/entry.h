/* policies/state/entry.h - the order of queue entries. */
#ifndef POLICIES_STATE_ENTRY_H
#define POLICIES_STATE_ENTRY_H

#include "policies/state/state.h"

/* Which of two entries is served first: below 0 `a`, above 0 `b`, never 0 for
 * two entries: by the modules that order jobs, then the time since when it
 * waits, the job's number, the group's.
 */
int gsched_item_compare(const struct gsched *s, const struct item *a,
                        const struct item *b);

#endif /* POLICIES_STATE_ENTRY_H */
