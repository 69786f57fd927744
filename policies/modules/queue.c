/* policies/modules/queue.c - what each queue deserves, and no more.
 *
 * Volcano's proportion, for a tree of queues: each parent's deserved share is
 * divided among its children by water-filling (waterfill.h); the top ones
 * divide the cluster.  A queue may hold what it deserves, which grows when
 * others ask for less; below that it may reclaim from queues above theirs.
 * With `mode: capacity` it may borrow up to its limit, and gives back.
 * Guarantees are never taken; limits bind at every level; a user's limit in
 * the queue itself.
 */
#include <string.h>

#include "policies/modules/waterfill.h"
#include "policies/policy.h"

enum { PROPORTION, CAPACITY };

struct node {
    uint32_t parent;          /* the root's: itself */
    uint32_t first, count;    /* children, in child[] */
    int64_t seen[WATER_DIMS]; /* asked for when it was last filled */
    struct water_cup cup;
    double total[WATER_DIMS]; /* that its children were last filled from */
    bool is_stale;
};

struct queue {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, queues;
    int mode;
    bool counts[WATER_DIMS]; /* dimensions that run short */
    struct node *node;       /* [queue], the root last */
    uint32_t *child, *down;  /* down: parents before children */
    struct water_cup **cup;  /* of one parent's children */
    int64_t *gone;           /* [queue][dim] victims so far */
    uint64_t ledger;
};

static const char *const modes[] = { "proportion", "capacity", NULL };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "proportion", 0, 0,
      "proportion: no more than deserved; capacity: borrow up to the limit",
      modes },
};

/* --- the tree --------------------------------------------------------------- */

static void tree_open(struct queue *q)
{
    const struct gsp_host *h = q->host;
    const uint32_t root = q->queues;
    uint32_t at = 0, filled = 0;

    for (uint32_t i = 0; i < q->queues; i++) {
        const uint32_t parent = h->queue_parent(q->ctx, i);

        q->node[i].parent = parent == GSP_NONE ? root : parent;
        q->node[i].is_stale = true;
    }
    q->node[root].parent = root;
    q->node[root].is_stale = true;
    q->down[filled++] = root;
    for (uint32_t i = 0; i < filled; i++) {
        struct node *n = &q->node[q->down[i]];

        n->first = at;
        for (uint32_t k = 0; k < q->queues; k++) {
            if (q->node[k].parent == q->down[i] && k != q->down[i]) {
                q->child[at++] = k;
                q->down[filled++] = k;
            }
        }
        n->count = at - n->first;
    }
}

static int queue_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    struct queue *q = host->keep(ctx, sizeof(*q));
    const uint32_t n = host->queues(ctx);

    q->host = host;
    q->ctx = ctx;
    q->mode = (int)value[0].whole;
    q->dims = host->dims(ctx);
    q->queues = n;
    q->ledger = UINT64_MAX;
    q->node = host->keep(ctx, (n + 1) * sizeof(*q->node));
    q->child = host->keep(ctx, (n + 1) * sizeof(*q->child));
    q->down = host->keep(ctx, (n + 1) * sizeof(*q->down));
    q->cup = host->keep(ctx, (n + 1) * sizeof(struct water_cup *));
    q->gone = host->keep(ctx, (size_t)n * q->dims * sizeof(*q->gone));
    for (uint32_t d = 0; d < q->dims; d++) {
        q->node[n].cup.level[d] = (double)host->dim_total(ctx, d);
        q->counts[d] = d != GSP_PODS && host->dim_total(ctx, d) > 0;
    }
    tree_open(q);
    *self = q;
    return 0;
}

/* --- deserved shares ---------------------------------------------------------- */

/* Did the parent's share, or what a child asks for, change? */
static bool needs_filling(const struct queue *q, const struct node *parent)
{
    if (parent->is_stale
        || memcmp(parent->total, parent->cup.level, q->dims * sizeof(double))
               != 0)
        return true;
    for (uint32_t i = 0; i < parent->count; i++) {
        const uint32_t c = q->child[parent->first + i];

        if (memcmp(q->node[c].seen, q->host->queue_asked(q->ctx, c),
                   q->dims * sizeof(int64_t))
            != 0)
            return true;
    }
    return false;
}

static bool asks_for_some(const struct queue *q, const int64_t *asked)
{
    for (uint32_t d = 0; d < q->dims; d++) {
        if (asked[d] > 0)
            return true;
    }
    return false;
}

/* A child's cup: the ceiling leaves the others' guarantees alone. */
static void cup_set(const struct queue *q, uint32_t c, const double *total,
                    const double *guaranteed)
{
    struct water_cup *cup = &q->node[c].cup;
    const int64_t *asked = q->host->queue_asked(q->ctx, c);
    const int64_t *guarantee = q->host->queue_guarantee(q->ctx, c);
    const int64_t *limit = q->host->queue_limit(q->ctx, c);

    cup->weight = q->host->queue_weight(q->ctx, c);
    for (uint32_t d = 0; d < q->dims; d++) {
        const double spare = total[d] - guaranteed[d];

        cup->asked[d] = (double)asked[d];
        cup->floor[d] = (double)guarantee[d];
        cup->ceiling[d] = (spare > 0 ? spare : 0) + cup->floor[d];
        if (limit[d] >= 0 && (double)limit[d] < cup->ceiling[d])
            cup->ceiling[d] = (double)limit[d];
    }
}

/* Divide the parent's share among the children that ask for something. */
static void fill(struct queue *q, struct node *parent)
{
    double guaranteed[WATER_DIMS] = { 0 };
    uint32_t n = 0;

    memcpy(parent->total, parent->cup.level, q->dims * sizeof(double));
    parent->is_stale = false;
    for (uint32_t i = 0; i < parent->count; i++) {
        const uint32_t c = q->child[parent->first + i];
        const int64_t *asked = q->host->queue_asked(q->ctx, c);

        memcpy(q->node[c].seen, asked, q->dims * sizeof(*asked));
        if (!asks_for_some(q, asked)) {
            memset(q->node[c].cup.level, 0, sizeof(q->node[c].cup.level));
            continue;
        }
        q->cup[n++] = &q->node[c].cup;
        for (uint32_t d = 0; d < q->dims; d++)
            guaranteed[d] += (double)q->host->queue_guarantee(q->ctx, c)[d];
    }
    for (uint32_t i = 0; i < parent->count; i++)
        cup_set(q, q->child[parent->first + i], parent->total, guaranteed);
    water_fill(q->cup, n, parent->total, q->dims);
}

static const double *deserved(struct queue *q, uint32_t queue)
{
    const uint64_t ledger = q->host->ledger(q->ctx);

    if (q->ledger != ledger) {
        for (uint32_t i = 0; i <= q->queues; i++) {
            struct node *n = &q->node[q->down[i]];

            if (n->count && needs_filling(q, n))
                fill(q, n);
        }
        q->ledger = ledger;
    }
    return q->node[queue].cup.level;
}

/* --- order and quotas --------------------------------------------------------- */

static double share(struct queue *q, uint32_t queue)
{
    const double *level = deserved(q, queue);
    const int64_t *used = q->host->queue_used(q->ctx, queue);
    double most = 0;

    for (uint32_t d = 0; d < q->dims; d++) {
        double part = used[d] > 0 ? 1 : 0;

        if (!q->counts[d])
            continue;
        if (level[d] > 0)
            part = (double)used[d] / level[d];
        most = part > most ? part : most;
    }
    return most;
}

static int queue_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct queue *q = self;
    const int32_t x = q->host->queue_priority(q->ctx, a);
    const int32_t y = q->host->queue_priority(q->ctx, b);
    double s, t;

    if (x != y)
        return x > y ? -1 : 1;
    s = share(q, a);
    t = share(q, b);
    return (s > t) - (s < t);
}

static bool queue_overused(void *self, uint32_t queue)
{
    struct queue *q = self;
    const double *level = deserved(q, queue);
    const int64_t *used = q->host->queue_used(q->ctx, queue);

    if (q->mode == CAPACITY)
        return false;
    for (uint32_t d = 0; d < q->dims; d++) {
        if (q->counts[d] && level[d] > (double)used[d] + WATER_DROP)
            return false;
    }
    return true;
}

/* Do `more` on top of `used` stay within the amounts `most`? */
static bool is_within(const struct queue *q, const int64_t *used,
                      const int64_t *more, const double *most)
{
    for (uint32_t d = 0; d < q->dims; d++) {
        if (q->counts[d] && more[d] > 0
            && (double)(used[d] + more[d]) > most[d] + WATER_DROP)
            return false;
    }
    return true;
}

static bool is_within_limit(const struct queue *q, const int64_t *used,
                            const int64_t *more, const int64_t *limit)
{
    for (uint32_t d = 0; d < q->dims; d++) {
        if (limit[d] >= 0 && more[d] > 0 && used[d] + more[d] > limit[d])
            return false;
    }
    return true;
}

/* Up the tree, from the job's queue: within limits, and shares if asked. */
static bool is_allowed(struct queue *q, const struct gsp_job *j,
                       const int64_t *more, bool by_share)
{
    const struct gsp_host *h = q->host;
    const uint32_t queue = h->job_queue(j);

    if (!is_within_limit(q, h->user_used(j), more,
                         h->queue_user_limit(q->ctx, queue)))
        return false;
    for (uint32_t i = queue; i != q->queues; i = q->node[i].parent) {
        const int64_t *used = h->queue_used(q->ctx, i);

        if (!h->queue_is_open(q->ctx, i)
            || !is_within_limit(q, used, more, h->queue_limit(q->ctx, i))
            || !is_within(q, used, more,
                          by_share ? deserved(q, i) : q->node[i].cup.ceiling))
            return false;
    }
    return true;
}

static bool queue_allocatable(void *self, const struct gsp_job *j,
                              const int64_t *asked)
{
    struct queue *q = self;

    deserved(q, 0);
    return is_allowed(q, j, asked, q->mode == PROPORTION);
}

static bool queue_preemptive(void *self, const struct gsp_job *j,
                             const int64_t *asked)
{
    return is_allowed(self, j, asked, true);
}

/* May its gang come in, beside what is held and what came in before? */
static bool queue_enqueue(void *self, const struct gsp_job *j)
{
    struct queue *q = self;
    const int64_t *minimum = q->host->job_minimum(j);

    deserved(q, 0);
    for (uint32_t i = q->host->job_queue(j); i != q->queues;
         i = q->node[i].parent) {
        const int64_t *used = q->host->queue_used(q->ctx, i);
        const int64_t *entered = q->host->queue_entered(q->ctx, i);
        int64_t sum[WATER_DIMS];

        for (uint32_t d = 0; d < q->dims; d++)
            sum[d] = used[d] + entered[d];
        if (!q->host->queue_is_open(q->ctx, i)
            || !is_within(q, sum, minimum, q->node[i].cup.ceiling))
            return false;
    }
    return true;
}

/* --- victims ---------------------------------------------------------------- */

static bool is_above(const struct queue *q, uint32_t queue, uint32_t below)
{
    while (below != queue && below != q->queues)
        below = q->node[below].parent;
    return below == queue;
}

/* May the queue give so much, having given `gone`?  It holds more than it
 * deserves of something, and keeps its guarantee.
 */
static bool may_give(struct queue *q, uint32_t queue, const int64_t *amount)
{
    const double *level = deserved(q, queue);
    const int64_t *used = q->host->queue_used(q->ctx, queue);
    const int64_t *guarantee = q->host->queue_guarantee(q->ctx, queue);
    const int64_t *gone = q->gone + (size_t)queue * q->dims;
    bool is_over = false;

    for (uint32_t d = 0; d < q->dims; d++) {
        const int64_t holds = used[d] - gone[d];

        if (!q->counts[d] || amount[d] <= 0)
            continue;
        is_over |= (double)holds > level[d] + WATER_DROP;
        if (holds - amount[d] < guarantee[d])
            return false;
    }
    return is_over && q->host->queue_reclaimable(q->ctx, queue);
}

static bool queue_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                          const struct gsp_victims *v, uint8_t *spared)
{
    struct queue *q = self;
    const uint32_t mine = q->host->job_queue(j);

    if (why != GSP_RECLAIM)
        return false;
    memset(q->gone, 0, (size_t)q->queues * q->dims * sizeof(*q->gone));
    for (uint32_t i = 0; i < q->host->victims(v); i++) {
        const uint32_t from = q->host->job_queue(q->host->victim_job(v, i));
        const int64_t *amount = q->host->victim_amount(v, i);

        for (uint32_t k = from; !is_above(q, k, mine); k = q->node[k].parent)
            spared[i] |= !may_give(q, k, amount);
        for (uint32_t k = from; !spared[i] && !is_above(q, k, mine);
             k = q->node[k].parent) {
            for (uint32_t d = 0; d < q->dims; d++)
                q->gone[(size_t)k * q->dims + d] += amount[d];
        }
    }
    return true;
}

extern const struct gsp_module gsp_module_queue;
const struct gsp_module gsp_module_queue = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "queue",
    .summary = "queues hold what they deserve, by weight, guarantee and limit",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = queue_open,
    .queue_order = queue_queue_order,
    .overused = queue_overused,
    .allocatable = queue_allocatable,
    .preemptive = queue_preemptive,
    .enqueue = queue_enqueue,
    .victims = queue_victims,
};
