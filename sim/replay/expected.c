/* sim/replay/expected.c - memory of the jobs that end next is fetched.
 *
 * The first of the events of each instant is the next but for what the instant
 * pushes, and those behind it in the heap are among the next few.
 */
#include "base/fetch.h"
#include "sim/replay/replay_private.h"

#define FEW \
    5u /* first events of the heap; those behind the first are its
                  children */

/* The end of a job at that place; NULL. */
static const struct event *end_at(const struct sim *s, uint32_t i)
{
    if (i >= s->queue.count
        || event_kind_of(&s->queue.heap[i]) != EVENT_JOB_END)
        return NULL;
    return &s->queue.heap[i];
}

/* Tables by the job's number. */
static void tables_fetch(const struct sim *s, uint32_t job)
{
    gs_fetch(&s->lives.of[job], sizeof(*s->lives.of));
    gsched_expect_end(sim_sched(s, job), job, 0);
    for (size_t k = 0; k < s->observer_count; k++) {
        const struct report_observer *o = s->observer[k];

        if (o->expected)
            o->expected(o->self, job);
    }
}

void sim_ends_expect(const struct sim *s)
{
    const struct event *e = end_at(s, 0);

    if (e) {
        gs_fetch(sim_life(s, e->job), sizeof(struct sim_job));
        gsched_expect_end(sim_sched(s, e->job), e->job, 1);
    }
    for (uint32_t i = 1; i < FEW; i++) {
        e = end_at(s, i);
        if (e)
            tables_fetch(s, e->job);
    }
}

void sim_end_reach(const struct sim *s)
{
    const struct event *e = end_at(s, 0);

    if (e && e->at == s->now)
        gsched_expect_end(sim_sched(s, e->job), e->job, 2);
}
