/* policies/solver/free_nodes.c - moves jobs so that enough nodes are empty.
 *
 * A node with GPUs is empty when none of its GPUs is in use.  Once in `period`
 * one more is emptied: that whose jobs lose least, of equals that with the
 * fewest GPUs in use, if they all have places on other nodes in use, and lose
 * no more than the price of the node's GPUs.
 */
#include <assert.h>
#include <string.h>

#include "base/heap.h"
#include "policies/reservation/reservation.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/spans.h"

static int64_t gpus_of(const struct gsched *s, uint32_t node)
{
    return s->topo->klass[s->topo->node_class[node]].capacity[TOPO_GPU];
}

static int64_t gpus_free(const struct gsched *s, uint32_t node)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    return g->free[TOPO_GPU][topo_cluster_group_of(s->cluster, node)];
}

static bool is_empty(const struct gsched *s, uint32_t node)
{
    return gpus_free(s, node) == gpus_of(s, node);
}

static bool is_due(const struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    const uint32_t emptying = s->grace ? s->grace->emptying : 0;

    return v && gsched_has_action(s, GSCHED_CONSOLIDATE)
           && topo_cluster_totals(s->cluster)->empty_nodes + emptying
                  < s->modules->consolidation.nodes
           && s->allocations->linked
           && v->idle != s->allocations->allocation_changes;
}

int64_t gsched_nodes_free_next(const struct gsched *s)
{
    if (!is_due(s))
        return GSCHED_NEVER;
    if (s->solver->next_at > s->now)
        return s->solver->next_at;
    return s->early.is_over && s->early.early_at == s->now ? GSCHED_NEVER
                                                           : s->now;
}

/* --- which node ----------------------------------------------------------- */

static bool less_lost(const void *of, uint32_t a, uint32_t b)
{
    const struct node_loss *x = (const struct node_loss *)of + a;
    const struct node_loss *y = (const struct node_loss *)of + b;

    if (x->loss < y->loss || x->loss > y->loss)
        return x->loss < y->loss;
    if (x->used != y->used)
        return x->used < y->used;
    return x->node < y->node;
}

GS_HEAP_SWAP(loss_swap, struct node_loss)

static const struct gs_heap by_loss = { less_lost, loss_swap };

/* What the jobs on the node would lose. */
static double loss_of_units(const struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    double loss = 0;

    for (uint32_t i = 0; i < v->unit_count; i++)
        loss += gsched_unit_loss(s, &v->unit[i]);
    return loss;
}

static double price_of(const struct gsched *s, uint32_t node)
{
    const gsp_time price = s->modules->consolidation.price;

    return price == GSP_NEVER ? -1 : (double)price * (double)gpus_of(s, node);
}

/* List the nodes in use that could be emptied for their price; others than
 * these take no tasks.
 */
static void nodes_list(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    v->loss_count = 0;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const bool is_used = gpus_of(s, n) == 0 || !is_empty(s, n);
        const double price = price_of(s, n);
        double loss;

        v->avoid[n] = !is_used;
        if (gpus_of(s, n) == 0 || !is_used || !gsched_units_on(s, n))
            continue;
        loss = loss_of_units(s);
        if (price >= 0 && loss > price)
            continue;
        v->loss = gs_array_grow(v->loss, &v->loss_cap, v->loss_count + 1,
                                sizeof(*v->loss));
        v->loss[v->loss_count++] =
            (struct node_loss){ loss, gpus_of(s, n) - gpus_free(s, n), n };
    }
    gs_heap_build(&by_loss, v->loss, v->loss_count);
}

/* --- emptying it ---------------------------------------------------------- */

/* True when the jobs of the node have places elsewhere. */
static bool node_try(struct gsched *s, uint32_t node)
{
    struct gsched_solver *v = s->solver;
    enum trial_result r;

    if (!gsched_units_on(s, node))
        return false;
    v->price = price_of(s, node);
    v->avoid[node] = 1;
    v->chosen_count = 0;
    for (uint32_t i = 0; i < v->unit_count; i++)
        gsched_unit_choose(v, i);
    r = gsched_trial(s, 0);
    v->avoid[node] = 0;
    return r == TRIAL_FITS;
}

void gsched_nodes_free(struct gsched *s)
{
    static const struct queue_entry none = { .job = NONE, .group = NONE };
    const gsp_time period = s->modules->consolidation.period;
    struct gsched_solver *v = s->solver;
    uint64_t changes;
    bool fits = false;

    if (gsched_nodes_free_next(s) > s->now)
        return;
    changes = s->allocations->allocation_changes;
    gsched_search_begin(s, SOLVE_MOVE, &none);
    v->jobs = UINT32_MAX;
    v->dim = TOPO_GPU;
    v->avoid = v->not_on;
    nodes_list(s);
    while (v->loss_count && v->trials > 0 && !fits) {
        v->trials--;
        fits = node_try(s, v->loss[0].node);
        v->loss[0] = v->loss[--v->loss_count];
        (void)gs_heap_sink(&by_loss, v->loss, v->loss_count, 0);
    }
    memset(v->not_on, 0, s->topo->node_count);
    s->allocations->allocation_changes = changes; /* all were undone */
    if (!fits) {
        v->idle = s->early.is_early ? UINT64_MAX : changes;
        return;
    }
    gsched_units_record(v);
    (void)gsched_solution_carry_out(s);
    v->next_at = gsched_later(s->now, period);
}
