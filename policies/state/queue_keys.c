/* policies/state/queue_keys.c - see queue_keys.h. */
#include "policies/state/queue_keys.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/state/module_calls.h"
#include "policies/state/waiting_priority.h"

static struct queue_key_set set_alloc(struct gsched *s, uint32_t per)
{
    return (struct queue_key_set){
        .number = gs_arena_alloc(s->arena, (size_t)s->queues * per,
                                 sizeof(double)),
        .version = gs_arena_alloc(s->arena, s->queues, sizeof(uint64_t)),
    };
}

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
    for (uint32_t q = 0; q < s->queues; q++)
        k.of[q].version = 1;
    k.own = set_alloc(s, k.per);
    k.change = gs_arena_alloc(s->arena, (size_t)s->queues * s->dims,
                              sizeof(*k.change));
    s->queue_keys = gs_arena_alloc(s->arena, 1, sizeof(k));
    *s->queue_keys = k;
    s->queue_keys->now = &s->queue_keys->own;
}

struct queue_key_set *gsched_queue_key_set(struct gsched *s)
{
    struct queue_key_set *set;

    if (!s->queue_keys || !s->queue_keys->by_change)
        return NULL;
    set = gs_arena_alloc(s->arena, 1, sizeof(*set));
    *set = set_alloc(s, s->queue_keys->per);
    return set;
}

void gsched_queue_keys_free(struct gsched *s)
{
    if (s->queue_keys)
        gs_array_free(s->queue_keys->forgotten.at);
}

void gsched_queue_keys_follow(const struct gsched *s)
{
    struct gsched_queue_keys *k = s->queue_keys;

    const uint64_t changes = gsched_usage_changes(s)
                             + gsched_waiting_changes(s);

    if (k->followed == changes)
        return;
    k->followed = changes;
    for (uint32_t i = 0; i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];

        if (m->module->queue_key && m->module->ease)
            m->module->ease(m->self);
    }
}

/* Are the numbers of service known for the change of the queue as it is? */
static bool is_for_change(const struct gsched *s, uint32_t queue)
{
    const struct gsched_queue_keys *k = s->queue_keys;
    struct queue_key *of = &k->of[queue];
    int64_t *kept = k->change + (size_t)queue * s->dims;
    const int64_t *change = s->modules->queue_change(s, queue);
    const bool is =
        of->has_change == (change != NULL)
        && (!change || memcmp(kept, change, s->dims * sizeof(*change)) == 0);

    of->has_change = change != NULL;
    if (change && !is)
        memcpy(kept, change, s->dims * sizeof(*change));
    return is;
}

void gsched_queue_key_make(const struct gsched *s, uint32_t queue, double *key)
{
    memset(key, 0, s->queue_keys->per * sizeof(*key));
    for (uint32_t i = 0; i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];

        if (!m->module->queue_key)
            continue;
        m->module->queue_key(m->self, queue, key);
        key += GSP_QUEUE_KEYS;
    }
}

static const double *key_of(const struct gsched *s, uint32_t queue)
{
    const struct gsched_queue_keys *k = s->queue_keys;
    const struct queue_key_set *set = k->now;
    double *number = set->number + (size_t)queue * k->per;
    const bool is_for = set != &k->own || !k->by_change
                        || is_for_change(s, queue);

    if (is_for && set->version[queue] == k->of[queue].version)
        return number;
    set->version[queue] = k->of[queue].version;
    gsched_queue_key_make(s, queue, number);
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

#ifndef NDEBUG
static int sign(int order)
{
    return (order > 0) - (order < 0);
}
#endif

int gsched_modules_compare_queues(const struct gsched *s, uint32_t a,
                                  uint32_t b)
{
    const double *x = NULL, *y = NULL;

    if (s->queue_keys) {
        gsched_queue_keys_follow(s);
        x = key_of(s, a);
        y = key_of(s, b);
    }
    return gsched_queue_keys_compare(s, a, x, b, y);
}

int gsched_queue_keys_compare(const struct gsched *s, uint32_t a,
                              const double *x, uint32_t b, const double *y)
{
    int order = 0;

    assert(a < s->queues && b < s->queues);
    for (uint32_t i = 0; order == 0 && i < s->modules->queues_by_count; i++) {
        const struct gsched_module *m = s->modules->queues_by[i];
        const struct gsp_module *by = m->module;

        if (by->queue_key) {
            order = keys_compare(x, y);
            x += GSP_QUEUE_KEYS;
            y += GSP_QUEUE_KEYS;
        }
        if (order == 0 && by->queue_key && by->queue_tie)
            order = by->queue_tie(m->self, a, b);
        else if (order == 0 && !(by->promises & GSP_KEYS_DECIDE))
            order = by->queue_order(m->self, a, b);
        /* of what is kept and the present state */
        assert(sign(by->queue_order(m->self, a, b)) == sign(order));
    }
    return order;
}
