/* policies/state/module_properties.h - properties of a scheduler that follow
 * from what the modules of its profile have, promise and answer at the start.
 */
#ifndef POLICIES_STATE_MODULE_PROPERTIES_H
#define POLICIES_STATE_MODULE_PROPERTIES_H

#include "policies/state/state.h"

/* Compute those of struct gsched_modules, once all modules are open. */
void gsched_modules_sum_up(struct gsched *s);
/* True when any of the modules makes the promise. */
bool gsched_modules_promise(const struct gsched *s, enum gsp_promise what);

#endif /* POLICIES_STATE_MODULE_PROPERTIES_H */
