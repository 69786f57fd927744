/* policies/actions/keep_nodes.c - see keep_nodes.h.
 *
 * Both passes take entries from a heap in service order.  The entries of a
 * class queue come one after another, as its own heap has them; when one can
 * have no node, those behind it ask for the same, and are left out.  So a pass
 * costs what the kept nodes and the class queues are, not what all waits.
 */
#include "policies/actions/keep_nodes.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/lifecycle/commit.h"
#include "policies/lifecycle/node_windows.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/transaction.h"

/* --- entries in service order --------------------------------------------- */

struct entries {
    struct gsched *s;
    uint32_t count; /* in s->kept->entry */
};

static bool entry_before(const void *of, uint32_t a, uint32_t b)
{
    const struct entries *l = of;
    const struct queue_entry *x = &l->s->kept->entry[a];
    const struct queue_entry *y = &l->s->kept->entry[b];
    const int order = l->s->modules->has_queues
                          ? gsched_queue_compare(l->s,
                                                 gsched_queue_of(l->s, x->job),
                                                 gsched_queue_of(l->s, y->job))
                          : 0;

    return order ? order < 0 : gsched_entry_compare(l->s, x, y) < 0;
}

static void entry_swap(void *of, uint32_t a, uint32_t b)
{
    struct queue_entry *at = ((struct entries *)of)->s->kept->entry;
    const struct queue_entry it = at[a];

    at[a] = at[b];
    at[b] = it;
}

static const struct gs_heap in_order = { entry_before, entry_swap };

static void entry_put(struct entries *l, const struct queue_entry *it)
{
    struct gsched_kept *k = l->s->kept;

    if (it->group == NONE)
        return; /* only single tasks have nodes */
    k->entry = gs_array_grow(k->entry, &k->entry_cap, l->count + 1,
                             sizeof(*k->entry));
    k->entry[l->count] = *it;
    (void)gs_heap_rise(&in_order, l, l->count++);
}

static struct queue_entry entry_take(struct entries *l)
{
    struct queue_entry *at = l->s->kept->entry;
    const struct queue_entry it = at[0];

    at[0] = at[--l->count];
    (void)gs_heap_sink(&in_order, l, l->count, 0);
    return it;
}

/* The class queue where the group waits, and its place there; NULL. */
static struct class_queue *cqueue_of(const struct gsched *s, uint32_t job,
                                     uint32_t group, uint32_t *place)
{
    const uint32_t key = s->work->job[job].first_group + group;
    const uint32_t cqueue = s->pending->group_cqueue[key];

    *place = s->pending->group_at[key];
    return cqueue == NONE ? NULL : &s->pending->cqueue[cqueue];
}

/* --- placing -------------------------------------------------------------- */

/* Place a task of the group on a node that is kept for it. */
static bool place_on_own(struct gsched *s, uint32_t job, uint32_t group)
{
    const uint32_t key = s->work->job[job].first_group + group;

    for (uint32_t n = s->kept->first[key]; n; n = s->kept->of[n - 1].next) {
        if (gsched_place_task_on(s, job, group, n - 1))
            return true;
    }
    return false;
}

/* Does the node open because it takes no tasks, or since its task may be placed
 * nowhere for too long, because of what its queue holds?
 */
static bool is_given_up(struct gsched *s, uint32_t node)
{
    const struct kept_node *n = &s->kept->of[node];
    const struct class_queue *b;
    uint32_t i;

    if (topo_cluster_is_cordoned(s->cluster, node))
        return true;
    if (s->now - n->since < s->modules->keep.most)
        return false;
    b = cqueue_of(s, n->job, n->group, &i);
    return b && !gsched_entry_allocatable(s, &b->heap[i]);
}

static void group_serve(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct class_queue *b;
    uint32_t i;

    while (!gsched_is_full(s) && gsched_kept_for(s, job, group)
           && (b = cqueue_of(s, job, group, &i))) {
        const struct queue_entry it = b->heap[i];

        if (!gsched_entry_allocatable(s, &it)
            || (!place_on_own(s, job, group)
                && !gsched_place_task(s, job, group)))
            return;
        gsched_entry_served(s, &it);
    }
}

void gsched_kept_serve(struct gsched *s)
{
    struct entries l = { .s = s };

    if (!gsched_has_kept(s))
        return;
    for (uint32_t i = s->kept->node.count; i-- > 0;) {
        const uint32_t node = s->kept->node.at[i];

        if (is_given_up(s, node))
            gsched_kept_drop(s, node);
    }
    for (uint32_t i = 0; i < s->kept->node.count; i++) {
        const uint32_t node = s->kept->node.at[i];
        const struct kept_node *n = &s->kept->of[node];
        const struct class_queue *b;
        uint32_t at;

        if (n->next == 0 && (b = cqueue_of(s, n->job, n->group, &at))
            && !gsched_rclass_is_unschedulable(s, b->rclass))
            entry_put(&l, &b->heap[at]); /* once for each group */
    }
    while (l.count) {
        const struct queue_entry it = entry_take(&l);

        group_serve(s, it.job, it.group);
    }
}

bool gsched_kept_reopen(struct gsched *s)
{
    struct gs_numbers *l = s->kept ? &s->kept->reopened : NULL;
    bool any = false;

    while (l && l->count) {
        const uint32_t node = l->at[--l->count];

        if (s->kept->of[node].job == NONE) {
            gsched_node_freed(s, node);
            gsched_node_changed(s, node, 0);
            any = true;
        }
    }
    return any;
}

/* --- keeping -------------------------------------------------------------- */

/* The first open node of the state group; NONE. */
static uint32_t first_open(const struct gsched *s, uint32_t state)
{
    uint32_t node = 0;

    do
        node = topo_group_first(s->cluster, state, node, s->topo->node_count);
    while (node != NONE && s->kept->of[node++].job != NONE);
    return node == NONE ? NONE : node - 1;
}

static double misfit_of(const struct gsched *s, uint32_t state, uint32_t shape)
{
    static const uint8_t room = 0, hardware = GSP_ACCEPTED;
    const struct gsp_view v = gsched_view(s, state, 1, &room, &hardware);

    return s->modules->keeper->module->misfit(
        s->modules->keeper->self, &v,
        (const struct gsp_task *)(const void *)&s->work->shape[shape]);
}

/* The open node that lacks least for a task of the group, the first of equals;
 * NONE, also when the job may not use it.
 */
static uint32_t node_for(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t shape = gsched_group(s, job, group)->shape;
    const struct shape_view *sv = gsched_shape(s, shape);
    struct scope w = gsched_scope_all(s, job, group);
    uint32_t best = NONE;
    double least = 0;

    for (uint32_t i = 0; i < g->live_count; i++) {
        const uint32_t state = g->live[i];
        double misfit;
        uint32_t node;

        if (!class_set_has(&sv->suits, g->klass[state])
            || (g->kinds[state] & TOPO_CLOSED))
            continue;
        misfit = misfit_of(s, state, shape);
        if (best != NONE && misfit > least)
            continue;
        node = first_open(s, state);
        if (node != NONE && (best == NONE || misfit < least || node < best)) {
            best = node;
            least = misfit;
        }
    }
    return best != NONE && gsched_modules_allow_node(s, &w, best) == best
               ? best
               : NONE;
}

/* Keep nodes for all tasks that the group lacks.  False: those behind it in its
 * class queue can have none.
 */
static bool entry_keep(struct gsched *s, const struct queue_entry *it)
{
    const uint32_t missing = gsched_group_missing(s, it->job, it->group);
    const int64_t delay = s->modules->keep.delay;
    uint32_t node = 0;

    if (gsched_kept_for(s, it->job, it->group) >= missing)
        return true;
    if (it->since > s->now - delay) {
        const int64_t at = it->since < GSCHED_NEVER - delay ? it->since + delay
                                                            : GSCHED_NEVER;

        s->kept->due = at < s->kept->due ? at : s->kept->due;
        return false;
    }
    if (!gsched_entry_allocatable(s, it))
        return false;
    while (gsched_kept_for(s, it->job, it->group) < missing
           && (node = node_for(s, it->job, it->group)) != NONE)
        gsched_node_keep(s, node, it->job, it->group);
    return node != NONE;
}

void gsched_nodes_keep(struct gsched *s)
{
    const struct gsched_pending *p = s->pending;
    struct entries l = { .s = s };

    if (!s->kept || gsched_is_full(s))
        return;
    s->kept->due = GSCHED_NEVER;
    if (s->kept->node.count == s->topo->node_count)
        return;
    for (uint32_t i = 0; i < s->order->waiting.count; i++) {
        const struct queue *q = &s->order->queue[s->order->waiting.at[i]];

        for (uint32_t k = 0; k < q->waiting.count; k++)
            entry_put(&l, &p->cqueue[q->waiting.at[k]].heap[0]);
    }
    while (l.count && s->kept->node.count < s->topo->node_count) {
        const struct queue_entry it = entry_take(&l);
        const struct class_queue *b;
        uint32_t i;

        if (!entry_keep(s, &it))
            continue;
        b = cqueue_of(s, it.job, it.group, &i);
        assert(b && b->heap[i].job == it.job);
        for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < b->count; k++)
            entry_put(&l, &b->heap[k]);
    }
}

int64_t gsched_keep_next(const struct gsched *s)
{
    return s->kept && s->jobs->waiting ? s->kept->due : GSCHED_NEVER;
}
