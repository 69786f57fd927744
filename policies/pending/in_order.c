/* policies/pending/in_order.c - see in_order.h. */
#include "policies/pending/in_order.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"

/* The visits of a list. */
struct visits {
    struct gsched *s;
    struct job_list *l;
};

static const struct queue_entry *entry_of(const struct gsched *s,
                                          const struct order_visit *v)
{
    return &s->pending->cqueue[v->cqueue].heap[v->entry];
}

static bool visit_before(const void *of, uint32_t a, uint32_t b)
{
    const struct visits *v = of;
    const struct order_visit *x = &v->l->visit[a], *y = &v->l->visit[b];
    const uint32_t x_queue = v->s->pending->cqueue[x->cqueue].queue;
    const uint32_t y_queue = v->s->pending->cqueue[y->cqueue].queue;
    const int order = x_queue == y_queue
                          ? 0
                          : gsched_queue_compare(v->s, x_queue, y_queue);

    return order ? order < 0
                 : gsched_entry_compare(v->s, entry_of(v->s, x),
                                        entry_of(v->s, y))
                       < 0;
}

static void visit_swap(void *of, uint32_t a, uint32_t b)
{
    struct order_visit *at = ((const struct visits *)of)->l->visit;
    const struct order_visit it = at[a];

    at[a] = at[b];
    at[b] = it;
}

static const struct gs_heap by_order = { visit_before, visit_swap };

static void visit_add(struct visits *v, uint32_t cqueue, uint32_t entry,
                      uint32_t at)
{
    struct job_list *l = v->l;

    l->visit = gs_array_grow(l->visit, &l->visit_cap, l->visits + 1,
                             sizeof(*l->visit));
    l->visit[l->visits] = (struct order_visit){ cqueue, entry, at };
    (void)gs_heap_rise(&by_order, v, l->visits++);
}

/* Visit the entries right below the first visit, and drop that. */
static void visit_next(struct visits *v)
{
    struct job_list *l = v->l;
    const struct order_visit it = l->visit[0];
    const struct class_queue *b = &v->s->pending->cqueue[it.cqueue];
    const struct gs_numbers *active =
        &v->s->order->queue[b->queue].active_queue[QUEUE_GANGS];

    assert(l->visits > 0 && active->at[it.at] == it.cqueue);
    l->visit[0] = l->visit[--l->visits];
    (void)gs_heap_sink(&by_order, v, l->visits, 0);
    for (uint32_t k = 2 * it.entry + 1; k <= 2 * it.entry + 2 && k < b->count;
         k++)
        visit_add(v, it.cqueue, k, it.at);
    for (uint32_t k = 2 * it.at + 1;
         it.entry == 0 && k <= 2 * it.at + 2 && k < active->count; k++)
        visit_add(v, active->at[k], 0, k);
}

void gsched_list_in_order(struct gsched *s, uint32_t most, struct job_list *l)
{
    struct visits v = { s, l };

    assert(s->modules->keeps_order);
    l->count = l->visits = 0;
    for (uint32_t q = 0; q < s->queue_count; q++) {
        const struct gs_numbers *active =
            &s->order->queue[q].active_queue[QUEUE_GANGS];

        if (active->count)
            visit_add(&v, active->at[0], 0, 0);
    }
    while (l->visits && l->count < most) {
        l->job = gs_array_grow(l->job, &l->cap, l->count + 1, sizeof(*l->job));
        l->job[l->count++] = entry_of(s, &l->visit[0])->job;
        visit_next(&v);
    }
}

void gsched_list_free(struct job_list *l)
{
    gs_array_free(l->job);
    gs_array_free(l->visit);
}
