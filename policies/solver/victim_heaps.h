/* policies/solver/victim_heaps.h - running jobs of each queue and priority in
 * heaps, the one that is served last on top: the first that becomes a victim.
 *
 * So a search finds its first victims without a look at all that runs.  The
 * heaps follow gsched_running.moved when a search begins.
 */
#ifndef POLICIES_SOLVER_VICTIM_HEAPS_H
#define POLICIES_SOLVER_VICTIM_HEAPS_H

#include "base/numbers.h"
#include "policies/state/state.h"

struct victim_place {
    uint32_t heap; /* number of its heap + 1; 0: none */
    uint32_t at;
};

struct victim_heaps {
    struct gs_numbers *heap; /* as gsched_running.running_list */
    uint32_t heaps;
    struct victim_place *place; /* [job] */
    uint32_t place_cap;
    uint64_t reorders;         /* gsched_pending.reorders that they follow */
    struct gs_numbers stirred; /* queues of which a heap changed */
};

void gsched_heaps_open(struct gsched *s, struct victim_heaps *h);
void gsched_heaps_free(struct victim_heaps *h);
void gsched_heaps_follow(struct gsched *s, struct victim_heaps *h);
/* Set next[] to the jobs, 2 at most, right below the job in its heap.  Returns
 * their number.
 */
uint32_t gsched_heaps_below(const struct victim_heaps *h, uint32_t job,
                            uint32_t *next);

#endif /* POLICIES_SOLVER_VICTIM_HEAPS_H */
