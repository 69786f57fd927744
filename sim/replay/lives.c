/* sim/replay/lives.c - what the simulator knows of a job, from its submission
 * until the end of the instant at which it is over; so memory grows with the
 * jobs alive, and with 4 bytes for each other job.
 *
 * sim_life_begin when it is submitted, sim_life_end when it is over, and
 * sim_lives_forget at the end of an instant: until then the job that is over
 * can be read.
 */
#include <assert.h>

#include "base/array.h"
#include "base/far.h"
#include "sim/replay/replay_private.h"

/* The first entries are those of all jobs without a life, by their state. */
void sim_lives_open(struct sim *s)
{
    struct sim_lives *l = &s->lives;

    l->at = gs_array_grow(l->at, &l->cap, REPORT_STATES, sizeof(*l->at));
    l->count = REPORT_STATES;
    for (uint8_t state = 0; state < REPORT_STATES; state++)
        l->at[state] = (struct sim_job){ .eligible = -1,
                                         .start = -1,
                                         .level = UINT32_MAX,
                                         .attempt = UINT32_MAX,
                                         .state = state };
    l->of = gs_far_new(s->work->far, s->work->job_count + 1, sizeof(*l->of));
    assert(REPORT_PENDING == 0);
}

void sim_lives_free(struct sim *s)
{
    gs_array_free(s->lives.at);
    gs_far_free(s->work->far, s->lives.of);
    gs_array_free(s->lives.over);
}

struct sim_job *sim_life_begin(struct sim *s, uint32_t job)
{
    struct sim_lives *l = &s->lives;
    uint32_t at = l->free;

    assert(l->of[job] == REPORT_PENDING);
    if (at) {
        l->free = l->at[at].due;
    } else {
        l->at = gs_array_grow(l->at, &l->cap, l->count + 1, sizeof(*l->at));
        at = l->count++;
    }
    l->at[at] = (struct sim_job){ .eligible = s->now,
                                  .start = -1,
                                  .level = UINT32_MAX };
    l->of[job] = at;
    return &l->at[at];
}

void sim_life_end(struct sim *s, uint32_t job)
{
    struct sim_lives *l = &s->lives;

    assert(l->of[job] >= REPORT_STATES
           && sim_life(s, job)->state >= REPORT_DONE);
    l->over = gs_array_grow(l->over, &l->over_cap, l->over_count + 1,
                            sizeof(*l->over));
    l->over[l->over_count++] = job;
    s->over++;
}

void sim_lives_forget(struct sim *s)
{
    struct sim_lives *l = &s->lives;

    for (uint32_t i = 0; i < l->over_count; i++) {
        uint32_t *of = &l->of[l->over[i]];
        struct sim_job *j = &l->at[*of];

        if (j->created)
            (void)gsched_forget(sim_sched(s, l->over[i]), l->over[i]);
        assert(!j->is_touched && !j->is_starting && j->allocated_milli == 0);
        j->due = l->free; /* links the entries that are free */
        l->free = *of;
        *of = j->state;
    }
    l->over_count = 0;
}
