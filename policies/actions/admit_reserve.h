/* policies/actions/admit_reserve.h - quota that is used until the end of a
 * round of action admit, so that entries behind do not take it.
 */
#ifndef POLICIES_ACTIONS_ADMIT_RESERVE_H
#define POLICIES_ACTIONS_ADMIT_RESERVE_H

#include "policies/state/state.h"

struct contest_entry;

/* All that the entry asks for. */
void gsched_reserve_all(struct gsched *s, const struct contest_entry *e);
/* What the queue of a job without victims may claim before others. */
void gsched_reserve_own(struct gsched *s, const struct contest_entry *e);
/* The round is over. */
void gsched_reserved_free(struct gsched *s);

#endif /* POLICIES_ACTIONS_ADMIT_RESERVE_H */
