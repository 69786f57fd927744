/* topology/label_index.c - node classes by their labels, so that a request that
 * asks for a label looks at the classes that have it, not at all.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "topology/labels.h"
#include "topology/topology.h"

/* One label of one class. */
struct labelled {
    uint64_t label; /* key << 32 | value */
    uint32_t klass;
};

struct topo_label_index {
    struct labelled *at; /* ascending by label, then by class */
    uint32_t count;
};

static uint64_t label_of(uint32_t key, uint32_t value)
{
    return (uint64_t)key << 32 | value;
}

static int by_label(const void *x, const void *y)
{
    const struct labelled *a = x, *b = y;

    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return (a->klass > b->klass) - (a->klass < b->klass);
}

void topo_labels_index(struct topo *t)
{
    struct topo_label_index *x = gs_arena_alloc(t->arena, 1, sizeof(*x));

    assert(!t->build && !t->index);
    for (uint32_t k = 0; k < t->class_count; k++)
        x->count += t->klass[k].label_count;
    x->at = gs_arena_alloc(t->arena, x->count, sizeof(*x->at));
    x->count = 0;
    for (uint32_t k = 0; k < t->class_count; k++) {
        for (uint32_t i = 0; i < t->klass[k].label_count; i++) {
            const struct topo_label *l = &t->klass[k].label[i];

            x->at[x->count++] = (struct labelled){ label_of(l->key, l->value),
                                                   k };
        }
    }
    if (x->count)
        qsort(x->at, x->count, sizeof(*x->at), by_label);
    t->index = x;
}

/* The first entry that is not below the label. */
static uint32_t first_of(const struct topo_label_index *x, uint64_t label)
{
    uint32_t low = 0, high = x->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (x->at[mid].label < label)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Number of classes with one of the values; counting stops at `enough`. */
static uint32_t classes_count(const struct topo_label_index *x,
                              const struct topo_condition *c, uint32_t enough)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->value_count && n < enough; i++)
        n += first_of(x, label_of(c->key, c->value[i]) + 1)
             - first_of(x, label_of(c->key, c->value[i]));
    return n;
}

struct topo_class_walk topo_classes_walk(const struct topo *t,
                                         const struct topo_request *r)
{
    struct topo_class_walk w = { .topo = t };
    uint32_t least = t->class_count;

    assert(t && r);
    for (uint32_t i = 0; t->index && i < r->selector_count && least; i++) {
        const struct topo_condition *c = &r->selector[i];
        const uint32_t n = c->op == TOPO_IN ? classes_count(t->index, c, least)
                                            : least;

        if (n < least) {
            least = n;
            w.by = c;
        }
    }
    return w;
}

bool topo_classes_next(struct topo_class_walk *w, uint32_t *klass)
{
    const struct topo_label_index *x = w->topo->index;

    if (!w->by) {
        *klass = w->at++;
        return *klass < w->topo->class_count;
    }
    while (w->at == w->end) {
        const struct topo_condition *c = w->by;

        if (w->value == c->value_count)
            return false;
        w->at = first_of(x, label_of(c->key, c->value[w->value]));
        w->end = first_of(x, label_of(c->key, c->value[w->value]) + 1);
        w->value++;
    }
    *klass = x->at[w->at++].klass;
    return true;
}
