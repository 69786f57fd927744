/* policies/modules/limit-victims.c - queues that hold more than their limit
 * lose tasks when that lasted for `limit_delay`.
 *
 * YuniKorn's quota preemption.  A queue comes to hold more when jobs run
 * already as the scheduler takes over, under a limit that was lowered since.
 * The time counts from then, and from each growth after an attempt.  A queue
 * that loses does so with all below it, which wait for their own attempts
 * (limit_excess.h).
 */
#include "policies/modules/limit_excess.h"

enum { DELAY };

static const struct gsp_param params[] = {
    { "delay", GSP_TIME, "0s", 0, INT64_MAX,
      "of queues that state no limit_delay; 0s: they lose nothing", NULL },
};

struct limit_victims {
    struct limit_excess excess;
    gsp_time *delay, *due; /* [queue] */
    int64_t *held;         /* [queue][dim] when it was looked at last */
    uint32_t *watched;     /* queues with a delay */
    uint32_t watched_count;
    uint64_t ledger; /* when amounts were looked at last */
    gsp_time next;   /* the first that is due */
};

static int limit_victims_open(const struct gsp_host *host, void *ctx,
                              const union gsp_value *value, void **self)
{
    struct limit_victims *l = host->keep(ctx, sizeof(*l));
    const uint32_t n = host->queues(ctx);

    limit_excess_open(&l->excess, host, ctx);
    l->delay = host->keep(ctx, (n + 1) * sizeof(*l->delay));
    l->due = host->keep(ctx, (n + 1) * sizeof(*l->due));
    l->watched = host->keep(ctx, (n + 1) * sizeof(*l->watched));
    l->held = host->keep(ctx,
                         (size_t)(n + 1) * l->excess.dims * sizeof(*l->held));
    for (uint32_t q = 0; q < n; q++) {
        const int64_t own = host->queue_term(ctx, q, GSP_TERM_LIMIT_DELAY);

        l->delay[q] = own >= 0 ? own : value[DELAY].whole;
        l->due[q] = GSP_NEVER;
        if (l->delay[q] > 0)
            l->watched[l->watched_count++] = q;
    }
    l->next = GSP_NEVER;
    *self = l;
    return 0;
}

static void next_find(struct limit_victims *l)
{
    l->next = GSP_NEVER;
    for (uint32_t i = 0; i < l->watched_count; i++) {
        const gsp_time due = l->due[l->watched[i]];

        l->next = due < l->next ? due : l->next;
    }
}

/* Does it hold more of anything than when it was looked at last? */
static bool has_grown(struct limit_victims *l, uint32_t queue)
{
    const uint32_t dims = l->excess.dims;
    const int64_t *used = excess_amount(&l->excess, queue, GSP_USED);
    int64_t *held = &l->held[(size_t)queue * dims];
    bool grew = false;

    for (uint32_t d = 0; d < dims; d++)
        grew |= used[d] > held[d];
    memcpy(held, used, dims * sizeof(*held));
    return grew;
}

static void queue_follow(struct limit_victims *l, uint32_t queue)
{
    const gsp_time now = l->excess.host->now(l->excess.ctx);
    const bool grew = has_grown(l, queue);

    if (!limit_excess_is(&l->excess, queue))
        l->due[queue] = GSP_NEVER;
    else if (grew && l->due[queue] == GSP_NEVER)
        l->due[queue] = now > GSP_NEVER - l->delay[queue]
                            ? GSP_NEVER
                            : now + l->delay[queue];
}

static gsp_time limit_victims_moves_at(void *self)
{
    struct limit_victims *l = self;
    const struct gsp_host *h = l->excess.host;
    void *ctx = l->excess.ctx;
    const uint64_t ledger = l->watched_count ? h->ledger(ctx) : l->ledger;
    uint32_t q = GSP_NONE;

    if (ledger == l->ledger)
        return l->next;
    while ((q = h->queue_changed(ctx, l->ledger, q)) != GSP_NONE) {
        if (l->delay[q] > 0)
            queue_follow(l, q);
    }
    l->ledger = ledger;
    next_find(l);
    return l->next;
}

/* The first queues from this one down that are due lose. */
static void queue_lose(struct limit_victims *l, uint32_t queue, gsp_time now)
{
    const struct queue_tree *t = &l->excess.tree;
    int64_t amount[GUARANTEE_DIMS];

    if (queue != t->root && l->due[queue] <= now) {
        l->due[queue] = GSP_NEVER;
        limit_excess_of(&l->excess, queue, amount);
        limit_excess_spread(&l->excess, queue, amount);
        return;
    }
    for (uint32_t c = t->node[queue].child; c != GSP_NONE; c = t->node[c].next)
        queue_lose(l, c, now);
}

static uint32_t limit_victims_moves(void *self, const struct gsp_standing *v,
                                    uint8_t *goes)
{
    struct limit_victims *l = self;
    const gsp_time now = l->excess.host->now(l->excess.ctx);
    uint32_t n = 0;

    while (n == 0 && l->next <= now) {
        queue_lose(l, l->excess.tree.root, now);
        n = limit_excess_choose(&l->excess, v, goes);
        next_find(l);
    }
    return UINT32_MAX;
}

extern const struct gsp_module gsp_module_limit_victims;
const struct gsp_module gsp_module_limit_victims = {
    GSP_ABI,
    .name = "limit-victims",
    .summary = "queues above their limit lose tasks after a delay (YuniKorn)",
    GSP_PARAMS(params),
    .reads = GSP_READS_QUEUE_LIMIT | GSP_READS_QUEUE_GUARANTEE
             | GSP_READS_PRIORITY,
    .terms = UINT64_C(1) << GSP_TERM_LIMIT_DELAY,
    .open = limit_victims_open,
    .moves_at = limit_victims_moves_at,
    .moves = limit_victims_moves,
};
