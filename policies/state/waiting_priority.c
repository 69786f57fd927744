/* policies/state/waiting_priority.c - see waiting_priority.h.  Each queue
 * counts what waits by priority; there are few priorities.
 */
#include "policies/state/waiting_priority.h"

#include <assert.h>

#include "base/arena.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_properties.h"
#include "policies/state/queue_log.h"
#include "policies/state/running_index.h"

struct gsched_waiting {
    uint32_t *count; /* [queue][place], see running_index.h */
    uint32_t *top;   /* [queue] the highest place with any, + 1; 0: none */
    uint64_t changes;
    struct queue_log changed;
};

void gsched_waiting_open(struct gsched *s)
{
    const size_t cells = (size_t)s->queues * s->running->place_count;

    if (!gsched_modules_promise(s, GSP_FOLLOWS_WAITING))
        return;
    s->waiting = gs_arena_alloc(s->arena, 1, sizeof(*s->waiting));
    s->waiting->count = gs_arena_alloc(s->arena, cells,
                                       sizeof(*s->waiting->count));
    s->waiting->top = gs_arena_alloc(s->arena, s->queues,
                                     sizeof(*s->waiting->top));
    queue_log_open(s, &s->waiting->changed, s->queues);
}

void gsched_waiting_count(struct gsched *s, uint32_t job, uint32_t group,
                          int sign)
{
    struct gsched_waiting *w = s->waiting;
    const uint32_t queue = s->work->job[job].queue;
    const uint32_t klass = group == NONE
                               ? s->work->job[job].klass
                               : trace_group_class(&s->work->job[job],
                                                   gsched_group(s, job, group));
    uint32_t *count, *top, place, before;

    if (!w)
        return;
    place = s->running->class_place[klass];
    count = &w->count[(size_t)queue * s->running->place_count];
    top = &w->top[queue];
    before = *top;
    assert(sign > 0 || count[place] > 0);
    count[place] += sign > 0 ? 1 : UINT32_MAX;
    if (sign > 0 && *top < place + 1)
        *top = place + 1;
    while (*top && count[*top - 1] == 0)
        --*top;
    if (*top != before)
        queue_log_note(&w->changed, queue, ++w->changes);
}

int32_t gsched_waiting_priority(const struct gsched *s, uint32_t queue)
{
    assert(s->waiting && queue < s->queues);
    return s->waiting->top[queue]
               ? s->running->place_value[s->waiting->top[queue] - 1]
               : INT32_MIN;
}

uint64_t gsched_waiting_changes(const struct gsched *s)
{
    return s->waiting ? s->waiting->changes : 0;
}

uint32_t gsched_waiting_changed(const struct gsched *s, uint64_t since,
                                uint32_t after)
{
    assert(s->waiting);
    return queue_log_next(&s->waiting->changed, since, after);
}
