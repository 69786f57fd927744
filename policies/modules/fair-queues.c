/* policies/modules/fair-queues.c - the order of the queues below a queue: by
 * priority, and by the share that they hold of their guarantee.
 *
 * As in YuniKorn (scheduler/objects/sorters.go): with `order: fair` the queue
 * that holds the smallest share goes first, guarantee_share.h; of equal ones
 * the one that lacks more of every resource.  With `priority: yes` the queue
 * whose waiting jobs have the highest priority goes before, with `no` after the
 * share; `order_priority` of the queue above them says so for its own.  A queue
 * shows its priority plus `priority_offset` to the queue above, or with
 * `priority_fence` the offset alone.
 *
 * YuniKorn looks up the maximum by place while it sorts; with children of
 * different limits its order can be another (intended here: that of the
 * shares).
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

struct family {
    uint32_t first, count; /* its tree begins at most[2 * first] */
    bool by_priority;      /* their priority comes first */
};

struct fair_queues {
    const struct gsp_host *host;
    void *ctx;
    bool is_fair, priority_first;
    uint32_t dims, queues;
    int64_t *guaranteed, *fair_max; /* [queue][dim] */
    uint32_t *parent;               /* [queue] */
    uint32_t *down;                 /* queues, each behind its parent */
    struct {
        int64_t offset;
        bool is_fenced;
    } * term;              /* [queue] */
    int32_t *waiting;      /* [queue] priority of what waits in itself */
    int32_t *priority;     /* [queue], as the queue above sees it */
    struct family *family; /* [queue] its children; the last: of no queue */
    uint32_t *place;       /* [queue] among those of its parent */
    int32_t *most;         /* of each family a tree of maxima: the first half
                              has those of two each of the rest, the second
                              the priorities of the children */
    uint64_t seen;         /* waiting changes of these; UINT64_MAX: never */
    double *share;         /* [queue] */
    int64_t *missing;      /* [queue][dim] asked and not held */
    uint64_t ledger;       /* of these */
    bool is_filled;        /* these are those of the ledger */
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

/* The family that the queue is of. */
static struct family *family_of(const struct fair_queues *f, uint32_t q)
{
    return &f->family[f->parent[q] == GSP_NONE ? f->queues : f->parent[q]];
}

static void families_make(struct fair_queues *f)
{
    uint32_t first = 0;

    for (uint32_t q = 0; q < f->queues; q++)
        f->place[q] = family_of(f, q)->count++;
    for (uint32_t q = 0; q <= f->queues; q++) {
        f->family[q].first = first;
        first += f->family[q].count;
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
    f->priority_first = value[PRIORITY].whole != 0;
    f->dims = host->dims(ctx);
    f->queues = n;
    f->guaranteed = host->keep(ctx, cells * sizeof(*f->guaranteed));
    f->fair_max = host->keep(ctx, cells * sizeof(*f->fair_max));
    f->down = host->keep(ctx, (n + 1) * sizeof(*f->down));
    f->parent = host->keep(ctx, (n + 1) * sizeof(*f->parent));
    f->term = host->keep(ctx, (n + 1) * sizeof(*f->term));
    f->priority = host->keep(ctx, (n + 1) * sizeof(*f->priority));
    f->waiting = host->keep(ctx, (n + 1) * sizeof(*f->waiting));
    f->family = host->keep(ctx, (n + 1) * sizeof(*f->family));
    f->place = host->keep(ctx, (n + 1) * sizeof(*f->place));
    f->most = host->keep(ctx, 2 * (n + 1) * sizeof(*f->most));
    f->seen = UINT64_MAX;
    f->share = host->keep(ctx, (n + 1) * sizeof(*f->share));
    f->missing = host->keep(ctx, cells * sizeof(*f->missing));
    for (uint32_t q = 0; q < n; q++)
        f->parent[q] = host->queue_parent(ctx, q);
    order_down(f);
    families_make(f);
    amounts_make(f);
    *self = f;
    return 0;
}

/* --- priorities ----------------------------------------------------------- */

static void terms_read(struct fair_queues *f)
{
    f->family[f->queues].by_priority = f->priority_first;
    for (uint32_t q = 0; q < f->queues; q++) {
        const int64_t first = f->host->queue_term(f->ctx, q,
                                                  GSP_TERM_ORDER_PRIORITY);

        f->family[q].by_priority = first < 0 ? f->priority_first : first > 0;
        f->term[q].offset = f->host->queue_term(f->ctx, q,
                                                GSP_TERM_PRIORITY_OFFSET);
        f->term[q].is_fenced =
            f->host->queue_term(f->ctx, q, GSP_TERM_PRIORITY_FENCE) > 0;
    }
}

/* Compute the priority that the queue shows, from what waits in it and what its
 * children show; true when it is another one.
 */
static bool priority_set(struct fair_queues *f, uint32_t q)
{
    const struct family *below = &f->family[q], *own = family_of(f, q);
    const int32_t most = below->count ? f->most[2 * below->first + 1]
                                      : INT32_MIN;
    const int32_t now = guarantee_priority(
        most > f->waiting[q] ? most : f->waiting[q], f->term[q].offset,
        f->term[q].is_fenced);
    int32_t *tree = f->most + 2 * (size_t)own->first;
    uint32_t i = own->count + f->place[q];

    if (f->seen != UINT64_MAX && now == f->priority[q])
        return false;
    f->priority[q] = tree[i] = now;
    for (; i > 1; i /= 2)
        tree[i / 2] = tree[i] > tree[i ^ 1] ? tree[i] : tree[i ^ 1];
    return true;
}

static void priorities_read(struct fair_queues *f)
{
    terms_read(f);
    for (size_t i = 0; i < 2 * (size_t)f->queues; i++)
        f->most[i] = INT32_MIN;
    for (uint32_t i = f->queues; i-- > 0;) {
        const uint32_t q = f->down[i];

        f->waiting[q] = f->host->queue_waiting_priority(f->ctx, q);
        (void)priority_set(f, q);
    }
}

static void priorities_follow(struct fair_queues *f)
{
    const uint64_t now = f->host->waiting_changes(f->ctx);
    uint32_t c = GSP_NONE;

    if (f->seen == now)
        return;
    if (f->seen == UINT64_MAX)
        priorities_read(f);
    else
        c = f->host->waiting_changed(f->ctx, f->seen, GSP_NONE);
    for (; c != GSP_NONE; c = f->host->waiting_changed(f->ctx, f->seen, c)) {
        f->waiting[c] = f->host->queue_waiting_priority(f->ctx, c);
        for (uint32_t q = c; q != GSP_NONE && priority_set(f, q);
             q = f->parent[q])
            f->host->queue_moves(f->ctx, q);
    }
    f->seen = now;
}

static int priority_compare(const struct fair_queues *f, uint32_t a, uint32_t b)
{
    return (f->priority[a] < f->priority[b])
           - (f->priority[a] > f->priority[b]);
}

/* --- order ---------------------------------------------------------------- */

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

static int fair_queues_queue_tie(void *self, uint32_t a, uint32_t b)
{
    struct fair_queues *f = self;

    if (!f->is_fair)
        return 0;
    amounts_follow(f);
    return lacks_more(f, a, b) ? -1 : lacks_more(f, b, a) ? 1 : 0;
}

static int fair_queues_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct fair_queues *f = self;
    bool first;
    int order;

    priorities_follow(f);
    first = family_of(f, a)->by_priority;
    order = first ? priority_compare(f, a, b) : 0;
    if (order || !f->is_fair)
        return order;
    amounts_follow(f);
    order = (f->share[a] > f->share[b]) - (f->share[a] < f->share[b]);
    if (!order && !first)
        order = priority_compare(f, a, b);
    return order ? order : fair_queues_queue_tie(f, a, b);
}

static void fair_queues_queue_key(void *self, uint32_t queue, double *key)
{
    struct fair_queues *f = self;
    bool first;

    priorities_follow(f);
    amounts_follow(f);
    first = family_of(f, queue)->by_priority;
    if (first)
        *key = -(double)f->priority[queue];
    if (f->is_fair) {
        key[first] = f->share[queue];
        key[!first] = -(double)f->priority[queue];
    }
}

/* Priorities follow from what waits in queues below. */
static void fair_queues_ease(void *self)
{
    priorities_follow(self);
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
             | UINT64_C(1) << GSP_TERM_PRIORITY_FENCE
             | UINT64_C(1) << GSP_TERM_ORDER_PRIORITY,
    .open = fair_queues_open,
    .queue_order = fair_queues_queue_order,
    .queue_key = fair_queues_queue_key,
    .queue_tie = fair_queues_queue_tie,
    .ease = fair_queues_ease,
};
