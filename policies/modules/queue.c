/* policies/modules/queue.c - deserved shares of queues.
 *
 * Volcano's proportion, for a tree of queues: each parent's deserved share is
 * divided among its children by water-filling (waterfill.h); the top ones
 * divide the cluster.  A queue may hold its deserved share, which grows when
 * others ask for less; below it, the queue may reclaim from queues above
 * theirs.  With `mode: capacity` a queue may borrow up to its limit, subject to
 * reclaim.  Its deserved share is then that of the trace, if any queue states
 * one (Volcano's capacity: a queue that states none deserves nothing, and a
 * resource that is not stated is ignored).  Guarantees are never reclaimed;
 * limits apply at every level, user limits in the queue itself.
 *
 * With `enqueue_asks: own` a job is admitted (action enqueue) while the gangs
 * of the jobs that its queue has admitted, and its own, fit below the queue's
 * ceiling:
 *   minimum + used + entered - elastic <= ceiling
 * (Volcano's proportion and capacity).  `ancestors` checks every queue above,
 * too, as Volcano does: then a job that could reclaim from siblings that hold
 * all of the queue above is not admitted.  `cluster` checks the cluster, too,
 * as Volcano's capacity does with its queue root: then nothing is reclaimed in
 * a full cluster (Volcano issue 4817).
 *
 * With `jobs_in: leaves` a queue with queues below it runs no jobs of its own,
 * as in the hierarchy of Volcano's capacity.
 */
#include <assert.h>
#include <string.h>

#include "policies/modules/queue_shares.h"
#include "policies/policy.h"

static const char *const modes[] = { "proportion", "capacity", NULL };

static const char *const gates[] = { "none", "own", "ancestors", "cluster",
                                     NULL };

static const char *const places[] = { "any", "leaves", NULL };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "proportion", 0, 0,
      "proportion: what it deserves; capacity: up to its limit", modes },
    { "enqueue_asks", GSP_CHOICE, "none", 0, 0,
      "none; own: room in a job's queue; ancestors: and above; cluster: in all",
      gates },
    { "jobs_in", GSP_CHOICE, "any", 0, 0,
      "any: queues run jobs of their own; leaves: only those with none below",
      places },
};

static int queue_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    struct queue_shares *q = host->keep(ctx, sizeof(*q));
    const uint32_t n = host->queues(ctx);

    q->host = host;
    q->ctx = ctx;
    q->mode = (int)value[0].whole;
    q->enqueue_asks = (int)value[1].whole;
    q->only_leaves = value[2].whole == 1;
    q->dims = host->dims(ctx);
    q->queues = n;
    q->ledger = 0;
    q->node = host->keep(ctx, (n + 1) * sizeof(*q->node));
    q->cup = host->keep(ctx, (n + 1) * sizeof(struct water_cup *));
    shares_make(q);
    q->gone = host->keep(ctx, (size_t)n * q->dims * sizeof(*q->gone));
    for (uint32_t d = 0; d < q->dims; d++) {
        q->node[n].cup.of[d].level = (double)host->dim_total(ctx, d);
        q->node[n].cup.of[d].ceiling = q->node[n].cup.of[d].level;
        for (uint32_t i = 0; i < n && q->mode == CAPACITY; i++)
            q->is_said |= host->queue_amount(ctx, i, GSP_DESERVED)[d] != 0;
        q->counts[d] = d != GSP_PODS && host->dim_total(ctx, d) > 0;
    }
    shares_open(q);
    *self = q;
    return 0;
}

/* Mode proportion computes deserved shares and does not read them; without a
 * gate no one asks what is admitted.
 */
static uint32_t queue_unread(const union gsp_value *value)
{
    return (value[0].whole == CAPACITY ? 0 : (uint32_t)GSP_READS_QUEUE_DESERVED)
           | (value[1].whole == NO_GATE ? (uint32_t)GSP_READS_ADMISSION : 0);
}

/* --- order and quotas ----------------------------------------------------- */

/* True when the queue has a deserved share above 0. */
static bool deserves(const struct queue_shares *q, uint32_t queue)
{
    for (uint32_t d = 0; d < q->dims; d++) {
        if (q->counts[d] && level_of(q, queue, d) > 0)
            return true;
    }
    return false;
}

static double share(struct queue_shares *q, uint32_t queue)
{
    const struct water_level *due = deserved(q, queue);
    const int64_t *used = amounts(q, queue, GSP_USED);
    double most = 0;

    if (q->is_said && !deserves(q, queue))
        return 1;
    for (uint32_t d = 0; d < q->dims; d++) {
        double part = used[d] > 0 && !q->is_said ? 1 : 0;

        if (!q->counts[d])
            continue;
        if (due[d].level > 0)
            part = (double)used[d] / due[d].level;
        most = part > most ? part : most;
    }
    return most;
}

static int queue_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct queue_shares *q = self;
    const int32_t x = q->host->queue_priority(q->ctx, a);
    const int32_t y = q->host->queue_priority(q->ctx, b);
    double s, t;

    if (x != y)
        return x > y ? -1 : 1;
    s = share(q, a);
    t = share(q, b);
    if (q->is_said && !(s < t) && !(s > t))
        return (int)deserves(q, b) - (int)deserves(q, a);
    return (s > t) - (s < t);
}

static void queue_queue_key(void *self, uint32_t queue, double *key)
{
    struct queue_shares *q = self;

    key[0] = -(double)q->host->queue_priority(q->ctx, queue);
    key[1] = share(q, queue);
    key[2] = q->is_said && !deserves(q, queue);
}

static bool queue_overused(void *self, uint32_t queue)
{
    struct queue_shares *q = self;
    const struct water_level *due = deserved(q, queue);
    const int64_t *used = amounts(q, queue, GSP_USED);

    if (q->mode == CAPACITY)
        return false;
    for (uint32_t d = 0; d < q->dims; d++) {
        if (q->counts[d] && due[d].level > (double)used[d] + WATER_DROP)
            return false;
    }
    return !share_refuses(q, queue);
}

static void queue_ease(void *self)
{
    shares_follow(self);
}

/* The number of resources for which `more` on top of `used` is within what the
 * queue deserves, with `by_share`, or may hold; the number for which it is not,
 * and the last of these.
 */
struct within {
    uint32_t yes, no, lacking;
};

static struct within within(const struct queue_shares *q, const int64_t *used,
                            const int64_t *more, uint32_t queue, bool by_share)
{
    struct within n = { 0, 0, 0 };

    for (uint32_t d = 0; d < q->dims; d++) {
        double most;

        if (!q->counts[d] || more[d] <= 0)
            continue;
        most = by_share ? level_of(q, queue, d) : ceiling_of(q, queue, d);
        if ((double)(used[d] + more[d]) <= most + WATER_DROP)
            n.yes++;
        else
            n = (struct within){ n.yes, n.no + 1, d };
    }
    return n;
}

static bool is_within_limit(const struct queue_shares *q, const int64_t *used,
                            const int64_t *more, const int64_t *limit)
{
    for (uint32_t d = 0; d < q->dims; d++) {
        if (limit[d] >= 0 && more[d] > 0 && used[d] + more[d] > limit[d])
            return false;
    }
    return true;
}

/* True when `more` on top of `used` is within what the queue deserves, with
 * `by_share`, or may hold.
 */
static bool leaves_room(struct queue_shares *q, uint32_t queue,
                        const int64_t *used, const int64_t *more, bool by_share)
{
    const struct within n = within(q, used, more, queue, by_share);
    const uint32_t d = n.lacking;

    return n.no == 0
           || share_lacks(q, queue, d, by_share ? 0 : 1,
                          (double)(used[d] + more[d]));
}

/* True when limits, and shares with `by_share`, leave room for `more` in the
 * queue.
 */
static bool has_room(struct queue_shares *q, uint32_t queue,
                     const int64_t *more, bool by_share)
{
    const int64_t *used = amounts(q, queue, GSP_USED);

    shares_follow(q);
    if (!is_within_limit(q, used, more, amounts(q, queue, GSP_LIMIT)))
        return share_refuses(q, queue);
    return leaves_room(q, queue, used, more, by_share);
}

static bool user_has_room(const struct queue_shares *q, const struct gsp_job *j,
                          const int64_t *more)
{
    return is_within_limit(q, q->host->user_used(j), more,
                           amounts(q, q->host->job_queue(j), GSP_USER_LIMIT));
}

/* True when jobs of the queue may run. */
static bool runs_jobs(const struct queue_shares *q, uint32_t queue)
{
    return !q->only_leaves || q->tree.node[queue].child == GSP_NONE;
}

static bool queue_allocatable(void *self, const struct gsp_job *j,
                              const int64_t *asked)
{
    struct queue_shares *q = self;

    if (!runs_jobs(q, q->host->job_queue(j)) || !user_has_room(q, j, asked))
        return share_refuses(q, q->host->job_queue(j));
    for (uint32_t i = q->host->job_queue(j); i != q->queues;
         i = q->tree.node[i].parent) {
        if (!q->host->queue_is_open(q->ctx, i))
            return share_refuses(q, i);
        if (!has_room(q, i, asked, q->mode == PROPORTION))
            return false;
    }
    return true;
}

/* Are the queue and all above it open? */
static bool is_open(struct queue_shares *q, uint32_t own)
{
    for (uint32_t i = own; i != q->queues; i = q->tree.node[i].parent) {
        if (!q->host->queue_is_open(q->ctx, i))
            return share_refuses(q, own);
    }
    return true;
}

/* Only its own queue is checked: those above may be full of jobs about to be
 * evicted, and are checked after the eviction.
 */
static bool queue_preemptive(void *self, const struct gsp_job *j,
                             const int64_t *asked)
{
    struct queue_shares *q = self;
    const uint32_t queue = q->host->job_queue(j);

    if (!is_open(q, queue))
        return false;
    if (!runs_jobs(q, queue) || !user_has_room(q, j, asked))
        return share_refuses(q, queue);
    if (!has_room(q, queue, asked, !q->is_said))
        return false; /* and says what it lacks */
    return !q->is_said
           || within(q, amounts(q, queue, GSP_USED), asked, queue, true).yes > 0
           || share_refuses(q, queue);
}

/* Add to `sum` (sign 1), or subtract, the requests of admitted gangs, placed or
 * not, in the queue and below it.
 */
static void add_admitted(const struct queue_shares *q, uint32_t queue, int sign,
                         int64_t *sum)
{
    const int64_t *used = amounts(q, queue, GSP_USED);
    const int64_t *entered = amounts(q, queue, GSP_ENTERED);
    const int64_t *elastic = amounts(q, queue, GSP_ELASTIC);

    for (uint32_t d = 0; d < q->dims; d++)
        sum[d] += sign * (used[d] + entered[d] - elastic[d]);
}

/* True when the admitted jobs of the queue leave room for the gang below the
 * ceiling.  For its own queue, jobs of the queues below do not count: they may
 * be reclaimed.
 */
static bool may_admit(struct queue_shares *q, uint32_t queue,
                      const int64_t *minimum)
{
    int64_t sum[WATER_DIMS] = { 0 };

    add_admitted(q, queue, 1, sum);
    for (uint32_t c = q->tree.node[queue].child;
         q->enqueue_asks == OWN && c != GSP_NONE; c = q->tree.node[c].next)
        add_admitted(q, c, -1, sum);
    return leaves_room(q, queue, sum, minimum, false);
}

/* The same of the cluster, as of a queue above all others. */
static bool cluster_may_admit(const struct queue_shares *q,
                              const int64_t *minimum)
{
    int64_t sum[WATER_DIMS] = { 0 };

    for (uint32_t c = q->tree.node[q->queues].child; c != GSP_NONE;
         c = q->tree.node[c].next)
        add_admitted(q, c, 1, sum);
    return within(q, sum, minimum, q->queues, false).no == 0;
}

static bool queue_enqueue(void *self, const struct gsp_job *j)
{
    struct queue_shares *q = self;
    const uint32_t own = q->host->job_queue(j);
    const int64_t *minimum;

    if (!runs_jobs(q, own))
        return share_refuses(q, own);
    if (q->enqueue_asks == NO_GATE)
        return is_open(q, own);
    minimum = q->host->job_admission(j);
    shares_follow(q);
    for (uint32_t i = own; i != q->queues; i = q->tree.node[i].parent) {
        if (!q->host->queue_is_open(q->ctx, i))
            return share_refuses(q, i);
        if ((i == own || q->enqueue_asks != OWN) && !may_admit(q, i, minimum))
            return false;
    }
    return q->enqueue_asks != CLUSTER || cluster_may_admit(q, minimum)
           || share_refuses(q, GSP_NONE);
}

/* --- victims -------------------------------------------------------------- */

/* True when `amount` may be reclaimed from the queue after `gone`: it keeps its
 * guarantee, and holds more than its deserved share of some resource. With
 * stated shares this must be a resource that the reclaiming job asks for and of
 * which the queue deserves some; a victim that holds none of these may be
 * evicted at once.
 */
static bool may_give(struct queue_shares *q, uint32_t queue,
                     const int64_t *amount, const int64_t *asked)
{
    const struct water_level *due = deserved(q, queue);
    const int64_t *used = amounts(q, queue, GSP_USED);
    const int64_t *guarantee = amounts(q, queue, GSP_GUARANTEE);
    const int64_t *gone = q->gone + (size_t)queue * q->dims;
    bool helps = false, is_its_own = !q->is_said, is_over = false;

    for (uint32_t d = 0; d < q->dims; d++) {
        const int64_t holds = used[d] - gone[d];

        if (!q->counts[d] || amount[d] <= 0)
            continue;
        if (holds - amount[d] < guarantee[d])
            return false;
        helps |= asked[d] > 0;
        is_its_own |= due[d].level > 0;
        is_over |= (!q->is_said || (asked[d] > 0 && due[d].level > 0))
                   && (double)holds > due[d].level + WATER_DROP;
    }
    return (is_over || (helps && !is_its_own))
           && q->host->queue_reclaimable(q->ctx, queue);
}

static bool queue_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                          const struct gsp_victims *v, uint8_t *spared)
{
    struct queue_shares *q = self;
    const uint32_t mine = q->host->job_queue(j);
    int64_t asked[WATER_DIMS]; /* the host reuses this vector at the next
                                  call */

    if (why != GSP_RECLAIM)
        return false;
    memcpy(asked, q->host->job_minimum(j), q->dims * sizeof(*asked));
    memset(q->gone, 0, (size_t)q->queues * q->dims * sizeof(*q->gone));
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t from = q->host->job_queue(v->at[i].job);
        const int64_t *amount = v->at[i].amount;

        for (uint32_t k = from; !queue_tree_is_above(&q->tree, k, mine);
             k = q->tree.node[k].parent)
            spared[i] |= !may_give(q, k, amount, asked);
        for (uint32_t k = from;
             !spared[i] && !queue_tree_is_above(&q->tree, k, mine);
             k = q->tree.node[k].parent) {
            for (uint32_t d = 0; d < q->dims; d++)
                q->gone[(size_t)k * q->dims + d] += amount[d];
        }
    }
    return true;
}

extern const struct gsp_module gsp_module_queue;
const struct gsp_module gsp_module_queue = {
    GSP_ABI,
    .name = "queue",
    .summary = "queues hold what they deserve, by weight, guarantee and limit",
    GSP_PARAMS(params),
    .promises = GSP_KEYS_DECIDE | GSP_ORDER_OF_HOLDINGS,
    .reads = GSP_READS_QUEUE_WEIGHT | GSP_READS_QUEUE_PRIORITY
             | GSP_READS_QUEUE_STATE | GSP_READS_QUEUE_RECLAIMABLE
             | GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_DESERVED
             | GSP_READS_QUEUE_LIMIT | GSP_READS_USER_LIMIT
             | GSP_READS_ADMISSION,
    .open = queue_open,
    .unread = queue_unread,
    .queue_order = queue_queue_order,
    .queue_key = queue_queue_key,
    .overused = queue_overused,
    .allocatable = queue_allocatable,
    .preemptive = queue_preemptive,
    .enqueue = queue_enqueue,
    .victims = queue_victims,
    .gang_victims = queue_victims,
    .ease = queue_ease,
};
