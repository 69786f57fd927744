/* policies/pending/pending.h - who waits, in which order, and what would help them. */
#ifndef POLICIES_PENDING_PENDING_H
#define POLICIES_PENDING_PENDING_H

#include "policies/state/state.h"

/* Queue what the job waits for now and is not queued for yet. */
void gsched_pending_add(struct gsched *s, uint32_t job);
/* Forget all that is queued for the job. */
void gsched_pending_drop(struct gsched *s, uint32_t job);
/* The job holds more or less: its items find their place again. */
void gsched_pending_moved(struct gsched *s, uint32_t job);
/* The item is served, wherever it went in its bin as its job took more: drop
 * it, or queue the group's next task.
 */
void gsched_item_served(struct gsched *s, const struct item *it);
/* The bin that a waiting job's first missing tasks stand in; NONE. */
uint32_t gsched_bin_of(const struct gsched *s, uint32_t job);
/* The first item of the bin in order whose estimate is at most `most`, at its
 * place; NONE.
 */
uint32_t gsched_bin_short(const struct gsched *s, uint32_t bin, int64_t most);
void gsched_pending_free(struct gsched *s);

#endif /* POLICIES_PENDING_PENDING_H */
