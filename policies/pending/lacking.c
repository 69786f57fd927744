/* policies/pending/lacking.c - kinds of jobs by the nodes that suit them. */
#include "policies/pending/lacking.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/state/jobs.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* List the classes that suit the kind. */
static void next_find(const struct topo *t, struct gsched_lacking *l,
                      uint32_t kind)
{
    uint32_t next = UINT32_MAX;

    l->next[kind] = gs_array_new(t->class_count, sizeof(**l->next));
    for (uint32_t k = t->class_count; k-- > 0;) {
        next = l->suits[kind][k] ? k : next;
        l->next[kind][k] = next;
    }
}

/* Do nodes of the same classes suit the kind, of `gpu_classes` with GPUs? */
static bool is_kind(const struct gsched *s, uint32_t kind,
                    const struct class_set *suits, uint32_t gpu_classes)
{
    const struct gsched_lacking *l = s->lacking;
    const uint32_t classes = s->topo->class_count;

    if (l->gpu_classes[kind] != gpu_classes)
        return false;
    for (uint32_t k = class_set_next(suits, 0, classes); k < classes;
         k = class_set_next(suits, k + 1, classes)) {
        if (!l->suits[kind][k])
            return false;
    }
    return true;
}

static void kind_add(struct gsched *s, const struct class_set *suits,
                     uint32_t gpu_classes)
{
    struct gsched_lacking *l = s->lacking;
    const struct topo *t = s->topo;

    l->suits[l->kinds] = gs_array_new(t->class_count, sizeof(bool));
    for (uint32_t k = 0; k < t->class_count; k++)
        l->suits[l->kinds][k] = t->klass[k].gpus == 0
                                || class_set_has(suits, k);
    l->gpu_classes[l->kinds] = gpu_classes;
    next_find(t, l, l->kinds++);
}

/* The kind of the shape. */
static uint32_t kind_find(struct gsched *s, uint32_t shape)
{
    const struct class_set *suits = &gsched_shape_known(s, shape)->suits;
    const uint32_t classes = s->topo->class_count;
    uint32_t i = 0, n = 0;

    for (uint32_t k = class_set_next(suits, 0, classes); k < classes;
         k = class_set_next(suits, k + 1, classes))
        n += s->topo->klass[k].gpus > 0;
    while (i < s->lacking->kinds && !is_kind(s, i, suits, n))
        i++;
    if (i == LACK_KINDS)
        return 0;
    if (i == s->lacking->kinds)
        kind_add(s, suits, n);
    return i;
}

static uint8_t kind_of(struct gsched *s, uint32_t shape)
{
    struct gsched_lacking *l = s->lacking;

    if (shape >= l->shape_count) {
        l->kind_of = gs_array_grow(l->kind_of, &l->kind_cap,
                                   s->work->shape_count, sizeof(*l->kind_of));
        while (l->shape_count < s->work->shape_count)
            l->kind_of[l->shape_count++] = 0;
    }
    if (l->kind_of[shape] == 0)
        l->kind_of[shape] = (uint8_t)(kind_find(s, shape) + 1);
    return (uint8_t)(l->kind_of[shape] - 1);
}

struct lack gsched_lack_of(struct gsched *s, uint32_t job)
{
    int64_t amount[TOPO_DIMS_MAX];
    struct lack l = { .kind = 0 };
    uint32_t g = 0;

    if (s->topo->gpu_count == 0)
        return l;
    gsched_job_minimum(s, job, amount);
    l.gang = amount[TOPO_GPU];
    gsched_job_used(s, job, amount);
    l.held = amount[TOPO_GPU];
    while (l.gang && !gsched_request(s, job, g)->amount[TOPO_GPU])
        g++;
    if (l.gang)
        l.kind = kind_of(s, gsched_group(s, job, g)->shape);
    return l;
}

void gsched_lack_add(struct gsched *s, struct lack_row *r, uint32_t kind,
                     int64_t milli)
{
    assert(kind < s->lacking->kinds);
    if (kind == 0) {
        r->first += milli;
        return;
    }
    if (!r->others)
        r->others = gs_arena_alloc(s->arena, LACK_KINDS - 1, sizeof(int64_t));
    r->others[kind - 1] += milli;
}

const int64_t *gsched_lacked(const struct gsched *s, uint32_t kind)
{
    return s && kind < s->lacking->kinds ? s->lacking->all.milli[kind] : NULL;
}

uint32_t gsched_lack_next(const struct gsched *s, uint32_t kind, uint32_t klass)
{
    return s && kind < s->lacking->kinds && klass < s->topo->class_count
               ? s->lacking->next[kind][klass]
               : UINT32_MAX;
}

void gsched_lacking_open(struct gsched *s)
{
    const uint32_t classes = s->topo->class_count;

    s->lacking = gs_arena_alloc(s->arena, 1, sizeof(*s->lacking));
    s->lacking->kinds = 1;
    s->lacking->suits[0] = gs_array_new(classes, sizeof(bool));
    memset(s->lacking->suits[0], true, classes * sizeof(bool));
    for (uint32_t k = 0; k < classes; k++)
        s->lacking->gpu_classes[0] += s->topo->klass[k].gpus > 0;
    next_find(s->topo, s->lacking, 0);
}

void gsched_lacking_free(struct gsched *s)
{
    for (uint32_t k = 0; k < s->lacking->kinds; k++) {
        gs_array_free(s->lacking->suits[k]);
        gs_array_free(s->lacking->next[k]);
    }
    gs_array_free(s->lacking->kind_of);
}
