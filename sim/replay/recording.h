/* sim/replay/recording.h - a replay in which no policy decides: each job starts
 * when and where the trace says, and runs as long as it did.
 *
 * The scheduler still holds the cluster: it adopts what the record places, and
 * runs no cycle.  A run whose nodes have no room is put on others, and one for
 * which nothing has room starts later, when it has.
 */
#ifndef SIM_REPLAY_RECORDING_H
#define SIM_REPLAY_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/replay/recorded.h"

struct gs_err;
struct gsched_profile;
struct sim;

struct sim_recording {
    struct sim_recorded places;
    bool is_on;
    uint32_t *run; /* [job] its current run, or the next one */
    uint32_t *due; /* jobs that should have started, the oldest first */
    uint32_t due_count, due_cap;
    uint32_t coming; /* events of starts and evictions */
};

/* Turns it on if the profile says so; -1: the trace has no record. */
int sim_recording_open(struct sim *s, const struct gsched_profile *p,
                       struct gs_err *err);
void sim_recording_free(struct sim *s);
/* The trace has submitted the job; the events of its runs. */
void sim_recording_submitted(struct sim *s, uint32_t job);
void sim_recording_due(struct sim *s, uint32_t job);
void sim_recording_evict(struct sim *s, uint32_t job);
/* Start what is due, as far as there is room. */
void sim_recording_cycle(struct sim *s);
/* Push the event with which the run of the job is over; false: its end is not
 * on record, or no record is followed.
 */
bool sim_recording_end_push(struct sim *s, uint32_t job);

#endif /* SIM_REPLAY_RECORDING_H */
