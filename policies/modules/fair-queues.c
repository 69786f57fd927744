/* policies/modules/fair-queues.c - the order of the queues below a queue: by
 * priority, and by the share that they hold of their guarantee.
 *
 * As in YuniKorn (scheduler/objects/sorters.go): with `order: fair` the queue
 * that holds the smallest share goes first, guarantee_share.h; of equal ones the
 * one that lacks more of every resource.  With `priority: yes` the queue whose
 * waiting jobs have the highest priority goes before, with `no` after the share.
 * A queue shows its priority plus `priority_offset` to the queue above, or with
 * `priority_fence` the offset alone.
 *
 * YuniKorn looks up the maximum by place while it sorts; with children of
 * different limits its order can be another (intended here: that of the shares).
 */
#include "policies/modules/guarantee_share.h"

static const char *const orders[] = { "fair", "fifo", NULL };

enum { ORDER, PRIORITY };

static const struct gsp_param params[] = {
    { "order", GSP_CHOICE, "fair", 0, 0,
      "fair: the smallest share first; fifo: as they stand", orders },
    { "priority", GSP_YESNO, "yes", 0, 1,
      "the priority of waiting jobs comes before the share", NULL },
};

struct fair_queues {
    const struct gsp_host *host;
    void *ctx;
    bool is_fair, by_priority;
    uint32_t dims, queues;
    int64_t *guaranteed, *fair_max; /* [queue][dim] */
    uint32_t *parent;               /* [queue] */
    uint32_t *down;                 /* queues, each behind its parent */
    struct {
        int64_t offset;
        bool is_fenced;
    } * term;          /* [queue] */
    int32_t *priority; /* [queue], as the queue above sees it */
    uint64_t seen;     /* waiting changes of these; UINT64_MAX: never */
    double *share;     /* [queue] */
    int64_t *missing;  /* [queue][dim] asked and not held */
    uint64_t ledger;   /* of these */
    bool is_filled;    /* these are those of the ledger */
};

/* Queues from the top down: those without a parent, then level by level. */
static void order_down(struct fair_queues *f)
{
    uint32_t n = 0;

    for (uint32_t level = 0; n < f->queues; level++) {
        for (uint32_t q = 0; q < f->queues; q++) {
            uint32_t depth = 0;

            for (uint32_t p = f->parent[q]; p != GSP_NONE; p = f->parent[p])
                depth++;
            if (depth == level)
                f->down[n++] = q;
        }
    }
}

static void amounts_make(struct fair_queues *f)
{
    for (uint32_t i = 0; i < f->queues; i++) {
        const uint32_t q = f->down[i];
        const uint32_t parent = f->parent[q];
        int64_t *max = f->fair_max + (size_t)q * f->dims;
        int64_t limit[GUARANTEE_DIMS];

        for (uint32_t d = 0; d < f->dims; d++) {
            const int64_t all = f->host->dim_total(f->ctx, d);
            const int64_t own = f->host->queue_amount(f->ctx, q,
                                                      GSP_GUARANTEE)[d];
            const int64_t most = f->host->queue_amount(f->ctx, q, GSP_LIMIT)[d];

            f->guaranteed[(size_t)q * f->dims + d] = own > 0 ? own
                                                             : GUARANTEE_NONE;
            limit[d] = most >= 0 ? most : GUARANTEE_NONE;
            max[d] = parent != GSP_NONE
                         ? f->fair_max[(size_t)parent * f->dims + d]
                     : all > 0 ? all
                               : GUARANTEE_NONE;
        }
        guarantee_fair_max(f->dims, limit, max);
    }
}

static int fair_queues_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct fair_queues *f = host->keep(ctx, sizeof(*f));
    const uint32_t n = host->queues(ctx);
    const size_t cells = (size_t)(n + 1) * host->dims(ctx);

    f->host = host;
    f->ctx = ctx;
    f->is_fair = value[ORDER].whole == 0;
    f->by_priority = value[PRIORITY].whole != 0;
    f->dims = host->dims(ctx);
    f->queues = n;
    f->guaranteed = host->keep(ctx, cells * sizeof(*f->guaranteed));
    f->fair_max = host->keep(ctx, cells * sizeof(*f->fair_max));
    f->down = host->keep(ctx, (n + 1) * sizeof(*f->down));
    f->parent = host->keep(ctx, (n + 1) * sizeof(*f->parent));
    f->term = host->keep(ctx, (n + 1) * sizeof(*f->term));
    f->priority = host->keep(ctx, (n + 1) * sizeof(*f->priority));
    f->seen = UINT64_MAX;
    f->share = host->keep(ctx, (n + 1) * sizeof(*f->share));
    f->missing = host->keep(ctx, cells * sizeof(*f->missing));
    for (uint32_t q = 0; q < n; q++)
        f->parent[q] = host->queue_parent(ctx, q);
    order_down(f);
    amounts_make(f);
    *self = f;
    return 0;
}

/* --- priorities ------------------------------------------------------------- */

static void terms_read(struct fair_queues *f)
{
    for (uint32_t q = 0; q < f->queues; q++) {
        f->term[q].offset = f->host->queue_term(f->ctx, q,
                                                GSP_TERM_PRIORITY_OFFSET);
        f->term[q].is_fenced =
            f->host->queue_term(f->ctx, q, GSP_TERM_PRIORITY_FENCE) > 0;
    }
}

static void priorities_make(struct fair_queues *f)
{
    const uint64_t now = f->host->waiting_changes(f->ctx);

    if (f->seen == now)
        return;
    if (f->seen == UINT64_MAX)
        terms_read(f);
    f->seen = now;
    for (uint32_t q = 0; q < f->queues; q++)
        f->priority[q] = f->host->queue_waiting_priority(f->ctx, q);
    for (uint32_t i = f->queues; i-- > 0;) {
        const uint32_t q = f->down[i];
        const uint32_t parent = f->parent[q];

        f->priority[q] = guarantee_priority(f->priority[q], f->term[q].offset,
                                            f->term[q].is_fenced);
        if (parent != GSP_NONE && f->priority[q] > f->priority[parent])
            f->priority[parent] = f->priority[q];
    }
}

static int priority_compare(struct fair_queues *f, uint32_t a, uint32_t b)
{
    priorities_make(f);
    return (f->priority[a] < f->priority[b])
           - (f->priority[a] > f->priority[b]);
}

/* --- order ------------------------------------------------------------------ */

static void amounts_of(struct fair_queues *f, uint32_t q)
{
    const size_t at = (size_t)q * f->dims;
    const int64_t *used = f->host->queue_amount(f->ctx, q, GSP_USED);
    const int64_t *asked = f->host->queue_amount(f->ctx, q, GSP_ASKED);

    f->share[q] = guarantee_share(f->dims, used, f->guaranteed + at,
                                  f->fair_max + at);
    for (uint32_t d = 0; d < f->dims; d++)
        f->missing[at + d] = asked[d] - used[d];
}

/* Queues are compared far more often than their amounts change. */
static void amounts_follow(struct fair_queues *f)
{
    const uint64_t ledger = f->host->ledger(f->ctx);
    uint32_t q = GSP_NONE;

    if (f->is_filled && f->ledger == ledger)
        return;
    if (!f->is_filled) {
        for (q = 0; q < f->queues; q++)
            amounts_of(f, q);
    } else {
        while ((q = f->host->queue_changed(f->ctx, f->ledger, q)) != GSP_NONE)
            amounts_of(f, q);
    }
    f->is_filled = true;
    f->ledger = ledger;
}

/* Does the first lack more than the second, and of nothing less? */
static bool lacks_more(const struct fair_queues *f, uint32_t a, uint32_t b)
{
    const int64_t *x = f->missing + (size_t)a * f->dims;
    const int64_t *y = f->missing + (size_t)b * f->dims;
    bool more = false;

    for (uint32_t d = 0; d < f->dims; d++) {
        if (x[d] < y[d])
            return false;
        more |= x[d] > y[d];
    }
    return more;
}

static int fair_queues_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct fair_queues *f = self;
    int order = f->by_priority ? priority_compare(f, a, b) : 0;

    if (order || !f->is_fair)
        return order;
    amounts_follow(f);
    order = (f->share[a] > f->share[b]) - (f->share[a] < f->share[b]);
    if (!order && !f->by_priority)
        order = priority_compare(f, a, b);
    return order                 ? order
           : lacks_more(f, a, b) ? -1
           : lacks_more(f, b, a) ? 1
                                 : 0;
}

extern const struct gsp_module gsp_module_fair_queues;
const struct gsp_module gsp_module_fair_queues = {
    GSP_ABI,
    .name = "fair-queues",
    .summary = "queues by priority and share of their guarantee (YuniKorn)",
    GSP_PARAMS(params),
    .promises = GSP_FOLLOWS_WAITING,
    .reads = GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_LIMIT
             | GSP_READS_PRIORITY,
    .terms = UINT64_C(1) << GSP_TERM_PRIORITY_OFFSET
             | UINT64_C(1) << GSP_TERM_PRIORITY_FENCE,
    .open = fair_queues_open,
    .queue_order = fair_queues_queue_order,
};
