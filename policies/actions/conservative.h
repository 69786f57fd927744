/* policies/actions/conservative.h - conservative backfilling. */
#ifndef POLICIES_ACTIONS_CONSERVATIVE_H
#define POLICIES_ACTIONS_CONSERVATIVE_H

#include "policies/state/state.h"

/* Start the jobs whose planned start has come, plan those that have none. */
void gsched_plan_run(struct gsched *s);

#endif /* POLICIES_ACTIONS_CONSERVATIVE_H */
