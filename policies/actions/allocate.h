/* policies/actions/allocate.h - the action that places what waits. */
#ifndef POLICIES_ACTIONS_ALLOCATE_H
#define POLICIES_ACTIONS_ALLOCATE_H

#include "policies/state/state.h"

void gsched_allocate(struct gsched *s);
/* Place members of gangs above their minimum. */
void gsched_grow(struct gsched *s);

#endif /* POLICIES_ACTIONS_ALLOCATE_H */
