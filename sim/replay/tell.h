/* sim/replay/tell.h - what happens in a replay, told to its observers. */
#ifndef SIM_REPLAY_TELL_H
#define SIM_REPLAY_TELL_H

#include <stddef.h>
#include <stdint.h>

#include "sim/replay/observer.h"

struct gsched_decision;
struct sim;

/* Call the function `what` (a member of struct report_observer) of each
 * observer that has it, with the arguments after the time.
 */
#define SIM_TELL(s, what, ...)                                    \
    do {                                                          \
        for (size_t i_ = 0; i_ < (s)->observer_count; i_++) {     \
            const struct report_observer *o_ = (s)->observer[i_]; \
                                                                  \
            if (o_->what)                                         \
                o_->what(o_->self, (s)->now, __VA_ARGS__);        \
        }                                                         \
    } while (0)

enum sim_allocation_event {
    ALLOCATION_PLACED,
    ALLOCATION_RELEASED,
    ALLOCATION_HELD,
    ALLOCATION_RENUMBERED
};
void sim_tell_allocation(struct sim *s, const struct gsched_decision *d,
                         enum sim_allocation_event what);
/* The job is over at `end`, which is now; -1: it was not when the run ended.
 * `reason` (NULL: none) is why it was rejected or failed.
 */
void sim_tell_ended(struct sim *s, uint32_t job, int64_t end,
                    const char *reason);

#endif /* SIM_REPLAY_TELL_H */
