/* policies/modules/rebalance.c - tasks leave the fullest nodes.
 *
 * Strategy lowNodeUtilization of Volcano's plugin rescheduling.  A resource of
 * a node has the load
 *   l_r = stated_r + request x used_r / capacity_r
 * as with module load.  While some nodes are below `low` in all resources and
 * take tasks, and not all are, the action shuffle evicts tasks from those above
 * `high` in any, from the fullest on, the least important first, until the node
 * is below `high` in all.  A task counts with what it asks for.
 */
#include "policies/policy.h"

enum { PERIOD, LOW, HIGH, REQUEST };

#define LOADS 2 /* GSP_CPU, GSP_MEMORY */

struct node_load {
    uint32_t node, first; /* its first task in the list */
    double of[LOADS];     /* percent */
};

struct rebalance {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value;
    struct node_load *load; /* [node], by node, then the fullest first */
    uint32_t nodes;
    gsp_time next; /* when tasks may be evicted again */
};

static const struct gsp_param params[] = {
    { "period", GSP_TIME, "5m", 1, INT64_MAX, "time between evictions", NULL },
    { "low", GSP_WEIGHTS, "{cpu: 100, memory: 100}", 0, 0,
      "percent of load below which a node may take more", NULL },
    { "high", GSP_WEIGHTS, "{cpu: 100, memory: 100}", 0, 0,
      "percent of load above which tasks leave a node", NULL },
    { "request", GSP_REAL, "0.7", 0, 1, "load of a task, of its request",
      NULL },
};

static int rebalance_open(const struct gsp_host *host, void *ctx,
                          const union gsp_value *value, void **self)
{
    struct rebalance *r = host->keep(ctx, sizeof(*r));

    *r = (struct rebalance){ .host = host, .ctx = ctx, .value = value };
    r->nodes = host->domains(ctx, host->levels(ctx) - 1);
    r->load = host->keep(ctx, r->nodes * sizeof(*r->load));
    *self = r;
    return 0;
}

/* Percent of the node's capacity that the task asks for; 0: it has none. */
static double part_of(const struct rebalance *r, const struct gsp_placed *p,
                      uint32_t dim)
{
    const int64_t capacity = r->host->node_capacity(r->ctx, p->node)[dim];

    return capacity > 0 ? (double)r->host->amount(
                              r->host->job_task(p->job, p->group), dim)
                              * p->tasks * 100 / (double)capacity
                        : 0;
}

static void loads_count(struct rebalance *r, const struct gsp_standing *v)
{
    for (uint32_t n = 0; n < r->nodes; n++) {
        const uint32_t klass = r->host->node_class(r->ctx, n);

        r->load[n] = (struct node_load){ .node = n, .first = v->count };
        for (uint32_t d = 0; d < LOADS; d++) {
            const int32_t stated = r->host->class_load(r->ctx, klass, d);

            r->load[n].of[d] = stated > 0 ? stated / 10.0 : 0;
        }
    }
    for (uint32_t i = v->count; i-- > 0;) {
        struct node_load *l = &r->load[v->at[i].node];

        l->first = i;
        for (uint32_t d = 0; d < LOADS; d++)
            l->of[d] += r->value[REQUEST].real * part_of(r, &v->at[i], d);
    }
}

/* All resources are below their thresholds, or do not count. */
static bool is_below(const struct node_load *l, const double *percent)
{
    bool is = true;

    for (uint32_t d = 0; d < LOADS; d++)
        is = is && (percent[d] < 0 || l->of[d] < percent[d]);
    return is;
}

static bool is_above(const struct node_load *l, const double *percent)
{
    bool is = false;

    for (uint32_t d = 0; d < LOADS; d++)
        is = is || (percent[d] >= 0 && l->of[d] > percent[d]);
    return is;
}

/* Does `x` go before `y`: the fullest node first? */
static bool is_fuller(const struct node_load *x, const struct node_load *y)
{
    const double p = x->of[GSP_CPU] + x->of[GSP_MEMORY];
    const double q = y->of[GSP_CPU] + y->of[GSP_MEMORY];

    return p > q || (p >= q && x->node < y->node);
}

/* In the heap [0, count), whose top is the last in order, move `at` down. */
static void sink(struct node_load *heap, uint32_t at, uint32_t count)
{
    for (uint32_t k; (k = 2 * at + 1) < count; at = k) {
        const struct node_load it = heap[at];

        k += k + 1 < count && is_fuller(&heap[k], &heap[k + 1]);
        if (!is_fuller(&it, &heap[k]))
            return;
        heap[at] = heap[k];
        heap[k] = it;
    }
}

static void loads_sort(struct node_load *load, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sink(load, i, count);
    while (count-- > 1) {
        const struct node_load last = load[0];

        load[0] = load[count];
        load[count] = last;
        sink(load, 0, count);
    }
}

/* Mark tasks of the node until it is below `high`. */
static void node_relieve(const struct rebalance *r, struct node_load *l,
                         const struct gsp_standing *v, uint8_t *goes)
{
    const double *high = r->value[HIGH].weights;

    for (uint32_t i = l->first;
         i < v->count && v->at[i].node == l->node && !is_below(l, high); i++) {
        if (!v->at[i].may_go)
            continue;
        goes[i] = 1;
        for (uint32_t d = 0; d < LOADS; d++)
            l->of[d] -= part_of(r, &v->at[i], d);
    }
}

static gsp_time rebalance_moves_at(void *self)
{
    return ((const struct rebalance *)self)->next;
}

static uint32_t rebalance_moves(void *self, const struct gsp_standing *v,
                                uint8_t *goes)
{
    struct rebalance *r = self;
    const gsp_time now = r->host->now(r->ctx), period = r->value[PERIOD].whole;
    uint32_t low = 0;

    r->next = now < GSP_NEVER - period ? now + period : GSP_NEVER;
    loads_count(r, v);
    for (uint32_t n = 0; n < r->nodes; n++)
        low += r->host->node_takes(r->ctx, n)
               && is_below(&r->load[n], r->value[LOW].weights);
    if (low == 0 || low == r->nodes)
        return 0;
    loads_sort(r->load, r->nodes);
    for (uint32_t k = 0; k < r->nodes; k++) {
        if (!is_below(&r->load[k], r->value[LOW].weights)
            && is_above(&r->load[k], r->value[HIGH].weights))
            node_relieve(r, &r->load[k], v, goes);
    }
    return UINT32_MAX;
}

extern const struct gsp_module gsp_module_rebalance;
const struct gsp_module gsp_module_rebalance = {
    GSP_ABI,
    .name = "rebalance",
    .summary = "tasks leave the fullest nodes (Volcano's rescheduling)",
    GSP_PARAMS(params),
    .open = rebalance_open,
    .moves_at = rebalance_moves_at,
    .moves = rebalance_moves,
};
