/* sim/replay/event.h - the queue of events.
 *
 * Events are ordered by (time, kind, seq).  At one instant events that release
 * resources come before events that request them, and events of one kind keep
 * the order in which they were pushed.  This makes replays deterministic.
 */
#ifndef SIM_REPLAY_EVENT_H
#define SIM_REPLAY_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of processing at one instant. */
enum event_kind {
    EVENT_TASK_END, /* a task of a job with completions ends: `job` is an
                       index into sim->run */
    EVENT_JOB_END,
    EVENT_JOB_EVICTED, /* a recorded run ends, and its job waits again */
    EVENT_JOB_LEAVE,   /* a withdrawn job ends, whatever its attempt */
    EVENT_JOB_START,   /* a decision takes effect */
    EVENT_NODE,        /* a node event: `job` is its index (nodes.h) */
    EVENT_SUBMIT,      /* the dependencies of a job were met */
    EVENT_TASK,        /* a job's next task is created */
    EVENT_RUN,         /* a recorded run of the job starts */
};

struct event {
    int64_t at;     /* us */
    uint64_t order; /* at one instant: kind, then seq */
    uint32_t job;
    uint32_t attempt; /* attempt of the job for which it is valid */
};

/* A heap; empty when zeroed. */
struct event_queue {
    struct event *heap;
    uint32_t count, cap;
    uint64_t seq;
};

void event_queue_fini(struct event_queue *q);
void event_push(struct event_queue *q, int64_t at, enum event_kind kind,
                uint32_t job, uint32_t attempt);
/* The first event, or NULL; valid until the queue changes. */
const struct event *event_first(const struct event_queue *q);
struct event event_pop(struct event_queue *q);

enum event_kind event_kind_of(const struct event *e);

#endif /* SIM_REPLAY_EVENT_H */
