/* policies/pending/listed_shapes.c - see listed_shapes.h.
 *
 * A shape that few node classes suit, as one that asks for the label of a node,
 * stands in a list of each of these; the others in one list.  So an event costs
 * the shapes that nodes of its class suit, not all that wait: with n nodes that
 * have a label each, and shapes that ask for one, 1 / n of them.
 */
#include "policies/pending/listed_shapes.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/placement/candidates.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct gsched_listed {
    struct gs_numbers wide;      /* shapes that many classes suit */
    struct gs_numbers *of_class; /* [class] the others */
    struct gs_numbers due;
    struct gs_numbers found; /* of the last call */
    uint64_t finds;          /* calls */
};

/* Is it listed by class?  One that no class suits is in no list. */
static bool is_narrow(const struct shape_view *sv)
{
    return class_set_is_narrow(&sv->suits);
}

void gsched_shape_list(struct gsched *s, uint32_t shape)
{
    struct gsched_listed *l = s->pending->listed;
    struct shape_view *sv = gsched_shape_seen(s, shape);

    assert(sv->listed == NONE);
    sv->listed = gs_numbers_add(&s->pending->unschedulable, shape);
    if (!is_narrow(sv))
        sv->listed_in[0] = gs_numbers_add(&l->wide, shape);
    for (uint32_t i = 0; is_narrow(sv) && i < sv->suits.few_count; i++)
        sv->listed_in[i] = gs_numbers_add(&l->of_class[sv->suits.few[i]],
                                          shape);
}

/* Take the shape at place `at` out of the list of its i-th class (of one that is
 * not narrow: of the one list).
 */
static void take(struct gsched *s, struct gs_numbers *l, uint32_t at,
                 uint32_t klass)
{
    const uint32_t last = gs_numbers_take(l, at);
    struct shape_view *sv = gsched_shape_seen(s, last);
    uint32_t i = 0;

    while (is_narrow(sv) && sv->suits.few[i] != klass)
        i++;
    sv->listed_in[i] = at;
}

void gsched_shape_unlist(struct gsched *s, uint32_t shape)
{
    struct gsched_listed *l = s->pending->listed;
    struct gs_numbers *all = &s->pending->unschedulable;
    struct shape_view *sv = gsched_shape_seen(s, shape);
    const uint32_t at = sv->listed;

    assert(at != NONE && all->at[at] == shape);
    gsched_shape_seen(s, gs_numbers_take(all, at))->listed = at;
    sv->listed = NONE;
    if (!is_narrow(sv))
        take(s, &l->wide, sv->listed_in[0], 0);
    for (uint32_t i = 0; is_narrow(sv) && i < sv->suits.few_count; i++)
        take(s, &l->of_class[sv->suits.few[i]], sv->listed_in[i],
             sv->suits.few[i]);
}

void gsched_shape_due(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape_known(s, shape);

    if (sv->enough_for == UINT64_MAX)
        return;
    sv->enough_for = UINT64_MAX;
    (void)gs_numbers_add(&s->pending->listed->due, shape);
}

/* --- found by what changed ---------------------------------------------------- */

static void found_add(struct gsched *s, const struct gs_numbers *shapes)
{
    struct gsched_listed *l = s->pending->listed;

    for (uint32_t i = 0; i < shapes->count; i++) {
        struct shape_view *sv = gsched_shape_seen(s, shapes->at[i]);

        if (sv->found_in == l->finds || sv->listed == NONE)
            continue;
        sv->found_in = l->finds;
        (void)gs_numbers_add(&l->found, shapes->at[i]);
    }
}

static struct gsched_listed *found_begin(struct gsched *s)
{
    struct gsched_listed *l = s->pending->listed;

    l->finds++;
    l->found.count = 0;
    return l;
}

const struct gs_numbers *gsched_listed_freed(struct gsched *s)
{
    const struct gs_numbers *freed = &s->allocations->freed;
    const uint32_t *klass = topo_cluster_groups(s->cluster)->klass;
    struct gsched_listed *l = found_begin(s);

    found_add(s, &l->wide);
    for (uint32_t i = 0; i < freed->count; i++)
        found_add(s, &l->of_class[klass[freed->at[i]]]);
    return &l->found;
}

const struct gs_numbers *gsched_listed_changed(struct gsched *s, bool all)
{
    struct gsched_listed *l = found_begin(s);
    const uint32_t *klass;
    const uint32_t classes = topo_cluster_touched(s->cluster, &klass);

    found_add(s, all ? &s->pending->unschedulable : &l->wide);
    for (uint32_t i = 0; i < classes; i++)
        found_add(s, &l->of_class[klass[i]]);
    found_add(s, &l->due);
    for (uint32_t i = 0; i < l->due.count; i++) {
        struct shape_view *sv = gsched_shape_seen(s, l->due.at[i]);

        if (sv->listed == NONE)
            sv->enough_for = 0; /* it is due when it is listed again */
    }
    l->due.count = 0;
    return &l->found;
}

void gsched_listed_open(struct gsched *s)
{
    struct gsched_listed *l = gs_arena_alloc(s->arena, 1, sizeof(*l));

    l->of_class = gs_arena_alloc(s->arena, s->topo->class_count,
                                 sizeof(*l->of_class));
    s->pending->listed = l;
}

void gsched_listed_free(struct gsched *s)
{
    struct gsched_listed *l = s->pending->listed;

    for (uint32_t k = 0; l && k < s->topo->class_count; k++)
        gs_array_free(l->of_class[k].at);
    if (!l)
        return;
    gs_array_free(l->wide.at);
    gs_array_free(l->due.at);
    gs_array_free(l->found.at);
}
