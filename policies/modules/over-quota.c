/* policies/modules/over-quota.c - fair shares of queues by deserved amounts and
 * weights of what is left over them (KAI Scheduler's plugin proportion).
 *
 * The rules are in over_quota.h and over_quota_reclaim.h: which queue is served
 * first, how much a job may take, and which victims of other queues may be
 * evicted for it.  A job that is not preemptible stays within what its queue
 * deserves, so that it never has to go.  A queue with queues below it runs no
 * jobs of its own.
 *
 * Fair shares follow from what queues ask for (over_quota_shares.h): they are
 * computed at the begin of a cycle, for the children of each parent whose share
 * changed, or of whose children one asks for more or less, unless that lacks a
 * unit before and after.  With `window` what queues used before counts, see
 * quota_history.h.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "policies/modules/over_quota_shares.h"
#include "policies/policy.h"

enum {
    RESOURCES,
    MULTIPLIER,
    K,
    WINDOW,
    WINDOWS,
    HALF_LIFE,
    PERIOD,
    AS_GPUS,
};

static const char *const windows[] = { "sliding", "tumbling", NULL };

static const struct gsp_param params[] = {
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "the resources that are divided; the weights do not matter", NULL },
    { "saturation", GSP_REAL, "1", 1, 1000,
      "reclaim: times that the reclaiming queue counts as more saturated",
      NULL },
    { "k", GSP_REAL, "1", 0, 1000,
      "how much usage of the past lowers the weight of a queue", NULL },
    { "window", GSP_TIME, "0s", 0, INT64_MAX,
      "time of which usage counts; 0s: usage of the past does not count",
      NULL },
    { "windows", GSP_CHOICE, "sliding", 0, 0,
      "sliding: the last window; tumbling: since the present one began",
      windows },
    { "half_life", GSP_TIME, "0s", 0, INT64_MAX,
      "after which half of the usage counts; 0s: all of it", NULL },
    { "period", GSP_TIME, "1m", 1000000, INT64_MAX,
      "time between two computations of the usage", NULL },
    { "as_gpus", GSP_WEIGHTS, "{}", 0, 0,
      "GPUs that one of each of these resources counts as, such as MIG "
      "instances",
      NULL },
};

/* --- opening -------------------------------------------------------------- */

static void claim_room(struct over *o, uint32_t count)
{
    uint32_t room = o->room ? o->room : 64;

    if (count <= o->room)
        return;
    while (room < count)
        room *= 2;
    o->from = o->host->keep(o->ctx, room * sizeof(*o->from));
    o->next = o->host->keep(o->ctx, room * sizeof(*o->next));
    o->amount = o->host->keep(o->ctx,
                              (size_t)room * o->dims * sizeof(*o->amount));
    o->room = room;
}

static int over_open(const struct gsp_host *host, void *ctx,
                     const union gsp_value *value, void **self)
{
    struct over *o = host->keep(ctx, sizeof(*o));
    const uint32_t n = host->queues(ctx);

    o->host = host;
    o->ctx = ctx;
    o->multiplier = value[MULTIPLIER].real;
    o->queues = n;
    o->all_dims = host->dims(ctx);
    parts_open(o, value[AS_GPUS].weights);
    dims_open(o, value[RESOURCES].weights);
    if (o->dims == 0)
        return host->fail(ctx, "'resources' must name at least one", NULL);
    o->queue = host->keep(ctx, (n + 1) * sizeof(*o->queue));
    o->seen = host->keep(ctx, (n + 1) * sizeof(*o->seen));
    o->stale = host->keep(ctx, (n + 1) * sizeof(*o->stale));
    o->first = host->keep(ctx, (n + 1) * sizeof(*o->first));
    o->count = host->keep(ctx, (n + 1) * sizeof(*o->count));
    o->at = host->keep(ctx, (n + 1) * sizeof(*o->at));
    o->down = host->keep(ctx, (n + 1) * sizeof(*o->down));
    o->heap = host->keep(ctx, (n + 1) * sizeof(*o->heap));
    o->tree = (struct over_quota_tree){
        .queue = o->queue,
        .queues = n,
        .dims = o->dims,
        .mark = host->keep(ctx, (n + 1) * sizeof(struct over_quota_mark)),
        .marked = host->keep(ctx, (n + 1) * sizeof(uint32_t)),
    };
    o->computed = UINT64_MAX;
    o->todo = host->keep(ctx, (n + 1) * sizeof(*o->todo));
    tree_open(o);
    queues_open(o);
    claim_room(o, 1);
    o->k = value[WINDOW].whole > 0 ? value[K].real : 0;
    quota_history_open(&o->history, host, ctx, n, o->dims,
                       &(struct quota_window){
                           .length = value[WINDOW].whole,
                           .period = value[PERIOD].whole,
                           .half_life = value[HALF_LIFE].whole,
                           .tumbles = value[WINDOWS].whole == 1,
                       });
    *self = o;
    return 0;
}

/* --- history -------------------------------------------------------------- */

static void history_change(struct over *o, const struct gsp_job *j,
                           uint32_t group, int64_t tasks)
{
    const struct gsp_task *t = o->host->job_task(j, group);
    int64_t amount[OVER_QUOTA_DIMS];

    if (o->history.window.length <= 0)
        return;
    for (uint32_t d = 0; d < o->dims; d++) {
        amount[d] = tasks * o->host->amount(t, o->dim[d]);
        for (uint32_t i = 0; i < o->parts && o->dim[d] == GSP_GPU; i++)
            amount[d] += tasks
                         * (int64_t)(o->counts[i]
                                     * (double)o->host->amount(t, o->part[i]));
    }
    quota_history_change(&o->history, o->host->job_queue(j), amount,
                         o->host->now(o->ctx));
}

static void over_on_place(void *self, const struct gsp_job *j, uint32_t group,
                          uint32_t node, uint32_t tasks)
{
    (void)node;
    history_change(self, j, group, (int64_t)tasks);
}

static void over_on_release(void *self, const struct gsp_job *j, uint32_t group,
                            uint32_t node, uint32_t tasks)
{
    (void)node;
    history_change(self, j, group, -(int64_t)tasks);
}

/* At the begin of a cycle.  Only the order of queues follows from shares, and
 * that is found anew in each pass; but a time that changes shares lets jobs be
 * tried again.
 */
static bool over_reorder(void *self)
{
    struct over *o = self;
    const uint64_t ledger = o->host->ledger(o->ctx);
    const bool is_due = quota_history_advance(&o->history,
                                              o->host->now(o->ctx));

    if (is_due)
        history_read(o);
    if (is_due || ledger != o->computed)
        compute(o, is_due || o->computed == UINT64_MAX);
    o->computed = ledger;
    return is_due && o->has_changed;
}

static gsp_time over_reorders_at(void *self)
{
    const struct over *o = self;

    return quota_history_due(&o->history);
}

/* --- services for the rules ----------------------------------------------- */

/* What is served next, or given up: parts above 0 are asked for, those below
 * are gone.
 */
static void side_fill(struct over *o, uint32_t q, struct over_quota_side *s,
                      double *asked, double *gone)
{
    const int64_t *change = o->host->queue_change(o->ctx, q);

    *s = (struct over_quota_side){ .queue = load(o, q) };
    if (!change)
        return;
    units(o, change, asked);
    for (uint32_t d = 0; d < o->dims; d++) {
        gone[d] = asked[d] < 0 ? -asked[d] : 0;
        asked[d] = asked[d] > 0 ? asked[d] : 0;
    }
    s->asked = asked;
    s->gone = gone;
}

static int over_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct over *o = self;
    double asked[2][OVER_QUOTA_DIMS], gone[2][OVER_QUOTA_DIMS];
    struct over_quota_side x, y;

    side_fill(o, a, &x, asked[0], gone[0]);
    side_fill(o, b, &y, asked[1], gone[1]);
    return over_quota_compare(&x, &y, o->total, o->dims);
}

static int over_queue_tie(void *self, uint32_t a, uint32_t b)
{
    const struct over *o = self;
    const struct over_quota_side x = { .queue = &o->queue[a] };
    const struct over_quota_side y = { .queue = &o->queue[b] };

    return over_quota_smaller(&x, &y, o->dims);
}

static void over_queue_key(void *self, uint32_t queue, double *key)
{
    struct over *o = self;
    double asked[OVER_QUOTA_DIMS], gone[OVER_QUOTA_DIMS];
    struct over_quota_side s;

    side_fill(o, queue, &s, asked, gone);
    over_quota_key(&s, o->total, o->dims, key);
}

static bool over_allocatable(void *self, const struct gsp_job *j,
                             const int64_t *asked)
{
    struct over *o = self;
    const uint32_t queue = o->host->job_queue(j);
    double more[OVER_QUOTA_DIMS];

    if (o->count[queue] > 0)
        return false;
    load_up(o, queue);
    units(o, asked, more);
    return over_quota_refuses(o->queue, queue, more, o->dims,
                              o->host->job_stays(j))
           == OVER_QUOTA_GRANTED;
}

static bool over_preemptive(void *self, const struct gsp_job *j,
                            const int64_t *asked)
{
    struct over *o = self;
    const uint32_t queue = o->host->job_queue(j);
    double more[OVER_QUOTA_DIMS];

    units(o, asked, more);
    if (o->count[queue] == 0
        && over_quota_can_reclaim(load(o, queue), more, o->dims,
                                  o->host->job_stays(j)))
        return true;
    o->host->refused_by(o->ctx, queue);
    return false;
}

/* --- victims -------------------------------------------------------------- */

static struct over_quota_claim claim_of(struct over *o, const struct gsp_job *j,
                                        const double *asked)
{
    bool is_whole = true;

    for (uint32_t d = 0; d < o->dims; d++)
        is_whole &= over_quota_is_whole(asked[d]);
    return (struct over_quota_claim){
        .by = o->host->job_queue(j),
        .keeps = o->host->job_stays(j),
        .is_whole = is_whole,
        .multiplier = o->multiplier,
        .asked = asked,
        .from = o->from,
        .amount = o->amount,
        .next = o->next,
    };
}

static void amount_add(struct over *o, struct over_quota_claim *c,
                       const struct gsp_victim *v)
{
    double *amount = o->amount + (size_t)c->count * o->dims;

    units(o, v->amount, amount);
    for (uint32_t d = 0; d < o->dims; d++)
        c->is_whole &= over_quota_is_whole(amount[d]);
    c->count++;
}

static void claim_add(struct over *o, struct over_quota_claim *c,
                      const struct gsp_victim *v)
{
    const uint32_t from = o->host->job_queue(v->job);

    load_up(o, from);
    o->from[c->count] = from;
    amount_add(o, c, v);
}

/* All of them as one set. */
static bool over_victims_ok(void *self, enum gsp_why why,
                            const struct gsp_job *j, const int64_t *asked,
                            const struct gsp_victims *v)
{
    struct over *o = self;
    double more[OVER_QUOTA_DIMS];
    struct over_quota_claim c;

    if (why != GSP_RECLAIM)
        return true;
    claim_room(o, v->count);
    units(o, asked, more);
    c = claim_of(o, j, more);
    load_up(o, c.by);
    for (uint32_t i = 0; i < v->count; i++)
        claim_add(o, &c, &v->at[i]);
    return over_quota_reclaims(&o->tree, &c);
}

/* A claim with all of them, as if they left the queues that their ways up share
 * with that of the job: c.from[] is the queue where the way of each meets it,
 * and c.next[] its sibling there on the way of the job.
 */
static struct over_quota_claim claim_all(struct over *o,
                                         const struct gsp_job *j,
                                         const double *asked,
                                         const struct gsp_victims *v)
{
    struct over_quota_claim c;

    claim_room(o, v->count);
    c = claim_of(o, j, asked);
    load_up(o, c.by);
    over_quota_begin(&o->tree);
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t to = c.by, from = o->host->job_queue(v->at[i].job);

        amount_add(o, &c, &v->at[i]);
        over_quota_level(o->queue, &to, &from);
        (void)load(o, from);
        o->from[i] = from;
        o->next[i] = to;
        over_quota_leaves(&o->tree, to == from ? to : o->queue[to].parent,
                          o->amount + (size_t)i * o->dims);
    }
    return c;
}

/* As if all of them but the one in question came from within the queues above
 * the job, which lowers their saturation most.
 */
static void over_keeps(void *self, const struct gsp_job *j,
                       const int64_t *asked, const struct gsp_victims *v,
                       uint8_t *kept)
{
    struct over *o = self;
    double more[OVER_QUOTA_DIMS];
    struct over_quota_claim c;

    units(o, asked, more);
    c = claim_all(o, j, more, v);
    for (uint32_t i = 0; i < v->count; i++)
        kept[i] = over_quota_keeps(&o->tree, &c, c.next[i], c.from[i],
                                   o->amount + (size_t)i * o->dims);
}

/* Victims of queues that meet the way up from the job's at one queue's child
 * have one bound.
 */
static bool over_yields(void *self, const struct gsp_job *j,
                        const int64_t *asked, const struct gsp_victims *v,
                        uint32_t dim, struct gsp_yield *out)
{
    struct over *o = self;
    double more[OVER_QUOTA_DIMS];
    struct over_quota_claim c;
    uint32_t d = 0;

    while (d < o->dims && o->dim[d] != dim)
        d++;
    if (d == o->dims)
        return false;
    units(o, asked, more);
    c = claim_all(o, j, more, v);
    for (uint32_t i = 0; i < v->count; i++) {
        const double most = over_quota_yields(&o->tree, &c, c.next[i],
                                              c.from[i], d);

        out[i] = (struct gsp_yield){ c.from[i],
                                     most < 0 ? GSP_NEVER
                                              : (int64_t)(most * o->unit[d]) };
    }
    return true;
}

/* It gives while it holds more than its bound of any resource: of one that
 * alone is above it no more than that.
 */
static bool over_gives(void *self, const struct gsp_job *j,
                       const int64_t *asked, uint32_t queue, int64_t *most)
{
    struct over *o = self;
    uint32_t to = o->host->job_queue(j), from = queue, over = 0;
    double more[OVER_QUOTA_DIMS], holds[OVER_QUOTA_DIMS];
    double excess[OVER_QUOTA_DIMS];

    units(o, asked, more);
    over_quota_level(o->queue, &to, &from);
    (void)load(o, to);
    (void)load(o, from);
    for (uint32_t d = 0; d < o->dims; d++)
        holds[d] = o->queue[from].of[d].used;
    (void)over_quota_excess(&o->queue[from], holds, &o->queue[to], more,
                            o->dims, excess);
    for (uint32_t d = 0; d < o->dims; d++)
        over += excess[d] > 0;
    for (uint32_t d = 0; d < o->all_dims; d++)
        most[d] = over ? GSP_NEVER : 0;
    for (uint32_t d = 0; d < o->dims; d++) {
        if (excess[d] > 0 && over == 1)
            most[o->dim[d]] = (int64_t)ceil(excess[d] * o->unit[d]);
    }
    return true;
}

/* One after another: a victim is protected that its queue must keep after those
 * before it, or with which the reclaiming one would exceed its bounds.
 */
static bool over_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                         const struct gsp_victims *v, uint8_t *spared)
{
    struct over *o = self;
    double more[OVER_QUOTA_DIMS];
    struct over_quota_claim c;
    bool may;

    if (why != GSP_RECLAIM)
        return false;
    claim_room(o, v->count);
    units(o, o->host->job_minimum(j), more);
    c = claim_of(o, j, more);
    load_up(o, c.by);
    may = over_quota_may_keep(&o->tree, &c);
    over_quota_begin(&o->tree);
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t from = o->host->job_queue(v->at[i].job);

        c.count = 0;
        claim_add(o, &c, &v->at[i]);
        spared[i] |= !may || from == c.by || spared[i]
                     || !over_quota_take_more(&o->tree, &c, from, o->amount);
    }
    return true;
}

extern const struct gsp_module gsp_module_over_quota;
const struct gsp_module gsp_module_over_quota = {
    GSP_ABI,
    .name = "over-quota",
    .summary =
        "queues share by weight what is left over their deserved amounts",
    GSP_PARAMS(params),
    .promises = GSP_FOLLOWS_CHANGE | GSP_ORDER_OF_HOLDINGS,
    .reads = GSP_READS_QUEUE_WEIGHT | GSP_READS_OVER_QUOTA
             | GSP_READS_QUEUE_PRIORITY | GSP_READS_QUEUE_DESERVED
             | GSP_READS_QUEUE_LIMIT | GSP_READS_PREEMPTIBLE,
    .open = over_open,
    .queue_order = over_queue_order,
    .queue_key = over_queue_key,
    .queue_tie = over_queue_tie,
    .allocatable = over_allocatable,
    .preemptive = over_preemptive,
    .victims = over_victims,
    .gang_victims = over_victims,
    .victims_ok = over_victims_ok,
    .gives = over_gives,
    .keeps = over_keeps,
    .yields = over_yields,
    .on_place = over_on_place,
    .on_release = over_on_release,
    .reorder = over_reorder,
    .reorders_at = over_reorders_at,
};
