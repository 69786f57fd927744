/* policies/solver/alike.h - jobs like one for which an action found no room.
 *
 * A search by trials is long, and mostly fails again for a job with the same
 * constraints that asks for as much.  So the action remembers for each set of
 * constraints the smallest job that failed, and skips those that are not easier
 * (scheduling signatures of KAI Scheduler): of equally many pending tasks, none
 * asks for less.
 */
#ifndef POLICIES_SOLVER_ALIKE_H
#define POLICIES_SOLVER_ALIKE_H

#include "base/hash.h"
#include "policies/state/state.h"

struct alike_job {
    uint64_t signature;
    uint32_t job;
};

/* Jobs that failed in the present action. */
struct alike {
    struct gs_hash index;
    struct alike_job *failed;
    uint32_t count, cap;
    uint64_t *constraints; /* [shape] their number; 0: not known */
    uint32_t constraints_cap;
    bool by_queue; /* jobs of other queues are not alike */
};

void gsched_alike_begin(struct alike *a, bool by_queue);
void gsched_alike_free(struct alike *a);
/* True when the job is like one that failed, and not easier. */
bool gsched_alike_failed(const struct gsched *s, struct alike *a, uint32_t job);
/* Note that the job failed. */
void gsched_alike_note(const struct gsched *s, struct alike *a, uint32_t job);

#endif /* POLICIES_SOLVER_ALIKE_H */
