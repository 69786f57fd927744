/* sim/replay/held.h - jobs that depend on others: held until these started or
 * ended.
 *
 * sim_job_arrive() is called at the time that the trace submits a job.  A job
 * without dependencies is submitted to the scheduler at once.  Another is held:
 * sim_held_started() and sim_held_over() tell of the jobs it depends on.  When
 * all are met, an event EVENT_SUBMIT is pushed, by which sim_held_submit()
 * submits the job.  A job whose dependencies can never be met stays held, as do
 * those that depend on it.
 */
#ifndef SIM_REPLAY_HELD_H
#define SIM_REPLAY_HELD_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct sim_held_job;

struct sim_held {
    struct sim_held_job *job;  /* [job]; NULL: no job depends on another */
    uint32_t *first, *waiting; /* waiting[first[job] ...]: dependencies on it */
    uint32_t *owner;           /* [dependency] its job */
    bool *is_settled;          /* [dependency] met, or never to be */
    uint32_t due;              /* events EVENT_SUBMIT to come */
};

void sim_held_open(struct sim *s);
void sim_held_free(struct sim *s);

void sim_job_arrive(struct sim *s, uint32_t job);
/* The job started for the first time; the job is over, in its new state. */
void sim_held_started(struct sim *s, uint32_t job);
void sim_held_over(struct sim *s, uint32_t job);
/* The event of the job. */
void sim_held_submit(struct sim *s, uint32_t job);
/* Report a job that is held when the run ends. */
void sim_held_close(struct sim *s, uint32_t job);

#endif /* SIM_REPLAY_HELD_H */
