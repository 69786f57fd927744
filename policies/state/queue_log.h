/* policies/state/queue_log.h - queues, the one of the last event first. */
#ifndef POLICIES_STATE_QUEUE_LOG_H
#define POLICIES_STATE_QUEUE_LOG_H

#include "base/arena.h"
#include "policies/state/state.h"

struct queue_log {
    struct queue_event {
        uint32_t older, newer; /* NONE: it is the last, the first */
        uint64_t at;           /* number of its last event */
    } * event;                 /* [queue] */
    uint32_t newest;
};

static inline void queue_log_open(struct gsched *s, struct queue_log *l,
                                  uint32_t queues)
{
    l->event = gs_arena_alloc(s->arena, queues, sizeof(*l->event));
    for (uint32_t q = 0; q < queues; q++) {
        l->event[q].older = q + 1 < queues ? q + 1 : NONE;
        l->event[q].newer = q ? q - 1 : NONE;
    }
}

/* Put the queue before all others. */
static inline void queue_log_note(struct queue_log *l, uint32_t queue,
                                  uint64_t at)
{
    struct queue_event *c = &l->event[queue];

    c->at = at;
    if (l->newest == queue)
        return;
    l->event[c->newer].older = c->older;
    if (c->older != NONE)
        l->event[c->older].newer = c->newer;
    c->newer = NONE;
    c->older = l->newest;
    l->event[l->newest].newer = queue;
    l->newest = queue;
}

/* The queue after `after` of those with an event since number `since`; NONE
 * begins, and ends.
 */
static inline uint32_t queue_log_next(const struct queue_log *l, uint64_t since,
                                      uint32_t after)
{
    const uint32_t q = after == NONE ? l->newest : l->event[after].older;

    return q != NONE && l->event[q].at > since ? q : NONE;
}

#endif /* POLICIES_STATE_QUEUE_LOG_H */
