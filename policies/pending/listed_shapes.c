/* policies/pending/listed_shapes.c - see listed_shapes.h.
 *
 * A shape that few node classes suit, as one that asks for the label of a node,
 * stands in a list of each of these; the others in one list.  So an event costs
 * the shapes that nodes of its class suit, not all that wait: with n nodes that
 * have a label each, and shapes that ask for one, 1 / n of them.
 *
 * Of the one list each event looks at all, mostly in vain.  So that this costs
 * little, it has a row for each shape with the amounts that a freed node must
 * have (freed_holds) and the bounds between which the sums of what is free
 * change nothing for it (sums_stay), one after another in memory.
 */
#include "policies/pending/listed_shapes.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/placement/candidates.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

/* A row: GPUs; the sum of dimension `of` must stay below `most`; by dimension
 * the amount of a task, and the least sum.
 */
enum { ROW_GPUS, ROW_OF, ROW_MOST, ROW_AMOUNTS };

struct gsched_listed {
    struct gs_numbers wide; /* shapes that many classes suit */
    int64_t *row;           /* of each of these */
    uint32_t row_cap;
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

static uint32_t row_size(const struct gsched *s)
{
    return ROW_AMOUNTS + 2 * s->topo->dims->count;
}

static int64_t *row_at(const struct gsched *s, uint32_t at)
{
    return s->pending->listed->row + (size_t)at * row_size(s);
}

/* Make the row at the end of the list. */
static void row_add(struct gsched *s, uint32_t shape)
{
    struct gsched_listed *l = s->pending->listed;
    const struct topo_request *r = &s->work->shape[shape];
    int64_t *row;

    l->row = gs_array_grow(l->row, &l->row_cap, l->wide.count * row_size(s),
                           sizeof(*l->row));
    row = row_at(s, l->wide.count - 1);
    row[ROW_GPUS] = r->gpus;
    row[ROW_OF] = 0;
    row[ROW_MOST] = INT64_MIN;
    memcpy(row + ROW_AMOUNTS, r->amount, s->topo->dims->count * sizeof(*row));
}

void gsched_shape_list(struct gsched *s, uint32_t shape)
{
    struct gsched_listed *l = s->pending->listed;
    struct shape_view *sv = gsched_shape_seen(s, shape);

    assert(sv->listed == NONE);
    sv->listed = gs_numbers_add(&s->pending->unschedulable, shape);
    if (!is_narrow(sv)) {
        sv->listed_in[0] = gs_numbers_add(&l->wide, shape);
        row_add(s, shape);
    }
    for (uint32_t i = 0; is_narrow(sv) && i < sv->suits.few_count; i++)
        sv->listed_in[i] = gs_numbers_add(&l->of_class[sv->suits.few[i]],
                                          shape);
}

/* Take the shape at place `at` out of the list of its i-th class (of one that
 * is not narrow: of the one list).
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
    if (!is_narrow(sv)) {
        memmove(row_at(s, sv->listed_in[0]), row_at(s, l->wide.count - 1),
                row_size(s) * sizeof(*l->row));
        take(s, &l->wide, sv->listed_in[0], 0);
    }
    for (uint32_t i = 0; is_narrow(sv) && i < sv->suits.few_count; i++)
        take(s, &l->of_class[sv->suits.few[i]], sv->listed_in[i],
             sv->suits.few[i]);
}

void gsched_shape_due(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape_known(s, shape);

    if (sv->enough_for == UINT64_MAX)
        return;
    if (sv->listed != NONE && !is_narrow(sv))
        row_at(s, sv->listed_in[0])[ROW_MOST] = INT64_MIN;
    sv->enough_for = UINT64_MAX;
    (void)gs_numbers_add(&s->pending->listed->due, shape);
}

void gsched_shape_stays(struct gsched *s, uint32_t shape, uint32_t tasks,
                        bool is_short, const int64_t *free)
{
    const struct shape_view *sv = gsched_shape_seen(s, shape);
    const uint32_t dims = s->topo->dims->count;
    int64_t *row, *least;

    assert(sv->listed != NONE && sv->enough_for != UINT64_MAX);
    if (is_narrow(sv))
        return;
    row = row_at(s, sv->listed_in[0]);
    least = row + ROW_AMOUNTS + dims;
    row[ROW_MOST] = is_short ? INT64_MIN : INT64_MAX;
    for (uint32_t d = 0; d < dims; d++) {
        const int64_t asked = tasks * row[ROW_AMOUNTS + d];

        least[d] = is_short || asked <= 0 ? INT64_MIN : asked;
        if (is_short && asked > free[d]) {
            row[ROW_OF] = d;
            row[ROW_MOST] = asked;
        }
    }
}

/* --- found by what changed ------------------------------------------------ */

static bool sums_stay(const int64_t *row, uint32_t dims, const int64_t *free)
{
    const int64_t *least = row + ROW_AMOUNTS + dims;
    bool stay = free[row[ROW_OF]] < row[ROW_MOST];

    for (uint32_t d = 0; d < dims && stay; d++)
        stay = free[d] >= least[d];
    return stay;
}

/* False: no freed node has room for one task. */
static bool freed_holds(const struct gsched *s, const int64_t *row)
{
    const struct gs_numbers *freed = &s->allocations->freed;
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t dims = s->topo->dims->count;
    bool holds = false;

    for (uint32_t i = 0; i < freed->count && !holds; i++) {
        holds = row[ROW_GPUS] <= g->gpus_free[freed->at[i]];
        for (uint32_t d = 0; d < dims && holds; d++)
            holds = row[ROW_AMOUNTS + d] <= g->free[d][freed->at[i]];
    }
    return holds;
}

static void found_one(struct gsched *s, uint32_t shape)
{
    struct gsched_listed *l = s->pending->listed;
    struct shape_view *sv = gsched_shape_seen(s, shape);

    if (sv->found_in == l->finds || sv->listed == NONE)
        return;
    sv->found_in = l->finds;
    (void)gs_numbers_add(&l->found, shape);
}

static void found_add(struct gsched *s, const struct gs_numbers *shapes)
{
    for (uint32_t i = 0; i < shapes->count; i++)
        found_one(s, shapes->at[i]);
}

static struct gsched_listed *found_begin(struct gsched *s)
{
    struct gsched_listed *l = s->pending->listed;

    l->finds++;
    l->found.count = 0;
    return l;
}

const struct gs_numbers *gsched_listed_freed(struct gsched *s, bool by_room)
{
    const struct gs_numbers *freed = &s->allocations->freed;
    const uint32_t *klass = topo_cluster_groups(s->cluster)->klass;
    struct gsched_listed *l = found_begin(s);

    for (uint32_t i = 0; i < l->wide.count; i++) {
        if (!by_room || freed_holds(s, row_at(s, i)))
            found_one(s, l->wide.at[i]);
    }
    for (uint32_t i = 0; i < freed->count; i++)
        found_add(s, &l->of_class[klass[freed->at[i]]]);
    return &l->found;
}

const struct gs_numbers *gsched_listed_changed(struct gsched *s, bool all,
                                               const int64_t *free)
{
    struct gsched_listed *l = found_begin(s);
    const uint32_t *klass;
    const uint32_t classes = topo_cluster_touched(s->cluster, &klass);

    if (all)
        found_add(s, &s->pending->unschedulable);
    for (uint32_t i = 0; i < l->wide.count; i++) {
        int64_t *row = row_at(s, i);

        if (!all && sums_stay(row, s->topo->dims->count, free))
            continue;
        row[ROW_MOST] = INT64_MIN; /* until it is known to stay again */
        found_one(s, l->wide.at[i]);
    }
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
    gs_array_free(l->row);
    gs_array_free(l->due.at);
    gs_array_free(l->found.at);
}
