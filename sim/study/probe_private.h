/* sim/study/probe_private.h - a trial of a probe, in its own process. */
#ifndef STUDY_PROBE_PRIVATE_H
#define STUDY_PROBE_PRIVATE_H

#include "sim/study/probe.h"

struct gsched_profile;

struct probe_state {
    struct inputs *in;
    const struct gsched_profile *profile;
    uint32_t job;
    int64_t now;
    struct gsched *s;
    struct study_probe_answer *answer;
};

/* True when the profile reads any of these settings, enum gsp_input. */
bool probe_reads(struct inputs *in, const struct gsched_profile *profile,
                 uint64_t inputs);

/* Find what the gang asks for, and the amounts of queues that it would exceed,
 * limits first: where one is exceeded, the others are not the reason.
 */
void probe_queues_compare(const struct probe_state *p);

/* Submit the job: what happens at once, and why it does not start. */
void probe_trial_now(struct probe_state *p);
/* Submit it, and let running jobs end by their estimates until it starts. */
void probe_trial_later(struct probe_state *p);

#endif /* STUDY_PROBE_PRIVATE_H */
