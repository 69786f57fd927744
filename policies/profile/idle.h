/* policies/profile/idle.h - parts of a profile that have no effect on a run of
 * a workload: modules that no action asks, weights that decide nothing; and
 * priority classes that evict nothing.
 *
 * What is told is certain; what may have an effect is not told.
 */
#ifndef POLICIES_PROFILE_IDLE_H
#define POLICIES_PROFILE_IDLE_H

#include "policies/profile/reads.h"

struct gsched_use;

struct gsched_idle {
    const struct gsched_use *use;
    const char *param; /* NULL: the whole module */
    const char *why;   /* "no other module scores nodes" */
};

/* List them in the order of the profile, at most GSCHED_MODULES_MAX; `stated`
 * are the inputs of the settings that the workload states (gsched_settings).
 * The texts are in `arena`.  Returns their number.
 */
uint32_t gsched_profile_idle(const struct gsched_profile *p,
                             const struct trace_workload *w, uint64_t stated,
                             struct gs_arena *arena, struct gsched_idle *out);

/* Count in *out the priority classes of which no job can evict another for its
 * priority, though jobs of lower priority exist.  Returns the reason, NULL when
 * there is no such class, or when the profile does not read priorities.
 */
const char *gsched_classes_idle(const struct gsched_profile *p,
                                const struct trace_workload *w, uint64_t reads,
                                struct gsched_setting *out);

#endif /* POLICIES_PROFILE_IDLE_H */
