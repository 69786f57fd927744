/* policies/preemption/attempt.c - what attempts to make room work with. */
#include "policies/preemption/attempt.h"

#include "base/arena.h"
#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/state/running_index.h"

void gsched_attempt_open(struct gsched *s)
{
    if (!s->running->may_evict)
        return;
    (void)gsched_follow_nodes(s); /* nothing is placed yet */
    s->evict = gs_arena_alloc(s->arena, 1, sizeof(*s->evict));
    s->evict->seen = gs_arena_alloc(s->arena, s->topo->node_count,
                                    sizeof(*s->evict->seen));
    s->evict->queue = gs_arena_alloc(s->arena, s->queue_count,
                                     sizeof(*s->evict->queue));
}

void gsched_attempt_free(struct gsched *s)
{
    struct gsched_evict *e = s->evict;

    if (!e)
        return;
    gs_array_free(e->victim);
    gs_array_free(e->job);
    gs_array_free(e->protected);
    gs_array_free(e->scratch);
    gs_array_free(e->evicted);
    gs_array_free(e->tentative);
    gs_array_free(e->proposal);
    gs_array_free(e->cqueue);
}
