/* policies/solver/freed.c - see freed.h. */
#include "policies/solver/freed.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/solver/solver.h"
#include "policies/state/spans.h"

void gsched_freed_open(struct gsched *s)
{
    struct freed *f = &s->solver->freed;
    const size_t nodes = s->topo->node_count;

    f->recorded = gs_arena_alloc(s->arena, nodes * s->dims,
                                 sizeof(*f->recorded));
    f->all = gs_arena_alloc(s->arena, nodes * s->dims, sizeof(*f->all));
    f->mark = gs_arena_alloc(s->arena, nodes, sizeof(*f->mark));
    f->node = gs_arena_alloc(s->arena, nodes, sizeof(*f->node));
}

void gsched_freed_free(struct freed *f)
{
    gs_array_free(f->amount);
}

void gsched_freed_begin(struct freed *f)
{
    f->has_recorded = false;
    f->count = f->recorded_nodes = 0;
    f->step++;
}

/* The sums of the node, to which a unit of the trial adds; or a recorded one.
 */
static int64_t *sums_of(struct gsched *s, uint32_t node, bool is_recorded)
{
    struct freed *f = &s->solver->freed;
    struct freed_mark *m = &f->mark[node];
    const size_t at = (size_t)node * s->dims, size = s->dims * sizeof(*f->all);
    const bool is_listed = m->step == f->step;

    if (is_recorded ? is_listed : m->trial == f->trial)
        return (is_recorded ? f->recorded : f->all) + at;
    if (!is_listed)
        f->node[f->count++] = node;
    if (is_recorded) {
        m->step = f->step;
        return memset(f->recorded + at, 0, size);
    }
    m->trial = f->trial;
    return is_listed ? memcpy(f->all + at, f->recorded + at, size)
                     : memset(f->all + at, 0, size);
}

/* Add what the unit holds.  Returns its amount of v->dim. */
static int64_t unit_add(struct gsched *s, uint32_t unit, bool is_recorded)
{
    int64_t amount = 0;

    for (uint32_t a = NONE; (a = gsched_unit_next(s, unit, a)) != NONE;) {
        int64_t *sum = sums_of(s, gsched_allocation_at(s, a)->grant.node,
                               is_recorded);
        int64_t room[TOPO_DIMS_MAX];
        const int64_t *one = gsched_unit_frees(s, unit, a, room);

        for (uint32_t d = 0; d < s->dims; d++)
            sum[d] += one[d];
        amount += one[s->solver->dim];
    }
    return amount;
}

static void recorded_add(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    struct freed *f = &s->solver->freed;

    f->amount = gs_array_grow(f->amount, &f->amount_cap, v->recorded_count,
                              sizeof(*f->amount));
    for (uint32_t i = 0; i < v->recorded_count; i++)
        f->amount[i] = unit_add(s, v->recorded[i], true);
    f->recorded_nodes = f->count;
    f->has_recorded = true;
}

void gsched_freed_sum(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    struct freed *f = &s->solver->freed;

    assert(v->chosen_count >= v->recorded_count);
    if (!f->has_recorded)
        recorded_add(s);
    f->trial++;
    f->count = f->recorded_nodes;
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        const uint32_t unit = v->chosen[i];
        const bool is_recorded = i < v->recorded_count;
        const int64_t amount = is_recorded ? f->amount[i]
                                           : unit_add(s, unit, false);

        assert(!is_recorded || unit == v->recorded[i]);
        if (v->lacking > 0)
            gsched_gift_add(s, v->unit[unit].job, amount);
    }
}

const int64_t *gsched_freed_on(const struct gsched *s, uint32_t i)
{
    const struct freed *f = &s->solver->freed;
    const uint32_t node = f->node[i];

    assert(i < f->count);
    return (f->mark[node].trial == f->trial ? f->all : f->recorded)
           + (size_t)node * s->dims;
}
