/* policies/state/queue_keys.c - see queue_keys.h. */
#include "policies/state/queue_keys.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/state/module_calls.h"

void gsched_queue_keys_open(struct gsched *s)
{
    struct gsched_queue_keys k = { .followed = UINT64_MAX };

    for (uint32_t i = 0; i < s->modules->queues_by_count; i++) {
        const struct gsp_module *m = s->modules->queues_by[i]->module;

        if (!m->queue_key)
            continue;
        k.per += GSP_QUEUE_KEYS;
        k.by_change |= (m->promises & GSP_FOLLOWS_CHANGE) != 0;
    }
    if (k.per == 0)
        return;
    k.of = gs_arena_alloc(s->arena, s->queues, sizeof(*k.of));
    k.number = gs_arena_alloc(s->arena, (size_t)s->queues * k.per,
                              sizeof(*k.number));
    k.change = gs_arena_alloc(s->arena, (size_t)s->queues * s->dims,
                              sizeof(*k.change));
    s->queue_keys = gs_arena_alloc(s->arena, 1, sizeof(k));
    *s->queue_keys = k;
}

void gsched_queue_keys_free(struct gsched *s)
{
    if (s->queue_keys)
        gs_array_free(s->queue_keys->forgotten.at);
}

void gsched_queue_keys_follow(const struct gsched *s)
{
    struct gsched_queue_keys *k = s->queue_keys;

    if (k->followed == gsched_usage_changes(s))
        return;
    k->followed = gsched_usage_changes(s);
    for (uint32_t i = 0; i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];

        if (m->module->queue_key && m->module->ease)
            m->module->ease(m->self);
    }
}

static bool is_kept(const struct gsched *s, uint32_t queue,
                    const int64_t *change)
{
    const struct gsched_queue_keys *k = s->queue_keys;
    const struct queue_key *of = &k->of[queue];

    return of->is_known
           && (!k->by_change
               || (of->has_change == (change != NULL)
                   && (!change
                       || memcmp(k->change + (size_t)queue * s->dims, change,
                                 s->dims * sizeof(*change))
                              == 0)));
}

static const double *key_of(const struct gsched *s, uint32_t queue)
{
    struct gsched_queue_keys *k = s->queue_keys;
    double *number = k->number + (size_t)queue * k->per, *at = number;
    const int64_t *change = k->by_change ? s->modules->queue_change(s, queue)
                                         : NULL;

    if (is_kept(s, queue, change))
        return number;
    k->of[queue].is_known = true;
    k->of[queue].has_change = change != NULL;
    if (change)
        memcpy(k->change + (size_t)queue * s->dims, change,
               s->dims * sizeof(*change));
    memset(number, 0, k->per * sizeof(*number));
    for (uint32_t i = 0; i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];

        if (!m->module->queue_key)
            continue;
        m->module->queue_key(m->self, queue, at);
        at += GSP_QUEUE_KEYS;
    }
    return number;
}

static int keys_compare(const double *a, const double *b)
{
    for (uint32_t i = 0; i < GSP_QUEUE_KEYS; i++) {
        if (a[i] < b[i] || a[i] > b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

int gsched_modules_compare_queues(const struct gsched *s, uint32_t a,
                                  uint32_t b)
{
    const double *x = NULL, *y = NULL;
    int order = 0;

    assert(a < s->queues && b < s->queues);
    if (s->queue_keys) {
        gsched_queue_keys_follow(s);
        x = key_of(s, a);
        y = key_of(s, b);
    }
    for (uint32_t i = 0; order == 0 && i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];

        if (m->module->queue_key) {
            order = keys_compare(x, y);
            /* of what is kept and the present state */
            assert(order == 0
                   || m->module->queue_order(m->self, a, b) == order);
            x += GSP_QUEUE_KEYS;
            y += GSP_QUEUE_KEYS;
        }
        if (order == 0 && !(m->module->promises & GSP_KEYS_DECIDE))
            order = m->module->queue_order(m->self, a, b);
        assert(order != 0 || m->module->queue_order(m->self, a, b) == 0);
    }
    return order;
}
