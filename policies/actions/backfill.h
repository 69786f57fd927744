/* policies/actions/backfill.h - jobs that start before a blocked job, at no
 * cost to it.
 */
#ifndef POLICIES_ACTIONS_BACKFILL_H
#define POLICIES_ACTIONS_BACKFILL_H

#include "policies/state/state.h"

void gsched_backfill(struct gsched *s);

#endif /* POLICIES_ACTIONS_BACKFILL_H */
