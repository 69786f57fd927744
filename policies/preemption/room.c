/* policies/preemption/room.c - room for a task by victims that a module chooses
 * among all running tasks (make_room()).
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/preemption/standing.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct gsched_room {
    struct standing standing;
    uint8_t *goes;
    uint32_t goes_cap;
};

void gsched_room_open(struct gsched *s)
{
    if (s->modules->room)
        s->evict->room = gs_arena_alloc(s->arena, 1, sizeof(*s->evict->room));
}

void gsched_room_free(struct gsched *s)
{
    struct gsched_room *r = s->evict ? s->evict->room : NULL;

    if (!r)
        return;
    gsched_standing_free(&r->standing);
    gs_array_free(r->goes);
}

gsp_time gsched_room_at(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct gsched_module *by = s->modules->room;
    const struct gsp_job j = { .s = s, .id = job, .group = group };
    gsp_time at;

    if (!by)
        return s->now;
    at = by->module->room_at(by->self, &j);
    if (at > s->now && at < s->early.min_runtime_at)
        s->early.min_runtime_at = at; /* then all is tried again */
    return at;
}

/* Evict the tasks that were chosen; a task that cannot go alone takes its job
 * with it.
 */
static void chosen_evict(struct gsched *s, const struct gsched_room *r)
{
    for (uint32_t i = 0; i < r->standing.count; i++) {
        const uint32_t a = r->standing.allocation[i];
        const uint32_t job = r->standing.job[i].id;

        if (!r->goes[i] || gsched_allocation_at(s, a)->is_evicted)
            continue;
        gsched_evict(s, job, gsched_may_go_alone(s, a, 0, 0) ? a : NONE, false);
    }
}

/* Where the task fits now; NONE. */
static uint32_t place_of(struct gsched *s, const struct attempt *a,
                         uint32_t node)
{
    struct node_fit best;

    if (!gsched_quota_allows(s, a)
        || (node != NONE
            && (node < a->scope.from || node >= a->scope.end
                || (a->scope.avoid && a->scope.avoid[node]))))
        return NONE;
    if (node != NONE)
        return class_set_has(&gsched_shape_known(s, a->shape)->suits,
                             s->topo->node_class[node])
                       && gsched_node_fits(s, a, node)
                   ? node
                   : NONE;
    return gsched_shape_best(s, a->shape, &a->scope, &best) ? best.node : NONE;
}

uint32_t gsched_room_clear(struct gsched *s, const struct attempt *a)
{
    const struct gsched_module *by = s->modules->room;
    const struct gsp_job j = { .s = s, .id = a->job, .group = a->scope.group };
    struct gsched_room *r = s->evict->room;
    const uint32_t first = s->evict->evicted_count;
    struct gsp_standing v;
    uint32_t node = NONE;

    gsched_standing_gather(s, &r->standing, true);
    s->early.is_early |= r->standing.has_new;
    r->goes = gs_array_grow(r->goes, &r->goes_cap, r->standing.count + 1, 1);
    memset(r->goes, 0, r->standing.count + 1);
    v = (struct gsp_standing){ r->standing.count, r->standing.at };
    if (!by->module->make_room(by->self, &j, a->scope.group, &v, r->goes,
                               &node))
        return NONE;
    assert(node == NONE || node < s->topo->node_count);
    chosen_evict(s, r);
    node = place_of(s, a, node);
    if (node == NONE)
        gsched_restore(s, first);
    return node;
}
