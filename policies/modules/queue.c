/* policies/modules/queue.c - queues share the cluster by weight.
 *
 * mode proportion (Volcano's plugin, in a tree): what a queue deserves is
 * found by water-filling (waterfill.h) among the queues of one parent that
 * have jobs: of what the parent deserves, by weight, at most what the queue
 * asks for and its real capability, at least its guarantee.  It may hold no
 * more than it deserves; what others do not ask for is in that already.
 *
 * mode capacity: it deserves the same, but may borrow up to its real
 * capability; what is above deserved is what others can reclaim.
 *
 * Real capability: the parent's (at the top the cluster), without what the
 * queue's siblings are guaranteed, at most its own limit.  A queue is
 * guaranteed at least what its children are.  Jobs of a queue with children
 * count as one more child, of weight 1.
 *
 * Resources that the cluster does not have, and pods, are only limited, not
 * shared.
 */
#include <math.h>
#include <string.h>

#include "policies/modules/waterfill.h"
#include "policies/policy.h"

/* Above a bound by no more than rounding makes. */
#define SLACK 0.1
#define SLACK_OF_BOUND 1e-12

struct node {
    uint32_t parent;
    uint32_t depth;
    uint32_t first_child, child_count; /* in queue.child */
    double weight;
    bool touched; /* asks for something else than before */
    bool active;  /* asks for something */
    bool stale;   /* its children's deserved must be found anew */
};

struct queue {
    const struct gsp_host *host;
    void *ctx;
    bool borrows; /* mode capacity */
    uint32_t count, dims;
    uint32_t root;    /* node above all queues: [count] */
    uint32_t counted; /* dimensions that are shared */
    uint32_t *shared;
    struct node *node;
    uint32_t *child;
    uint32_t *upwards; /* queues, children before parents */
    struct cup *cup;
    /* [node * dims + dim]; of counted dimensions unless said otherwise */
    double *guarantee;
    double *real; /* all dimensions; INFINITY: unlimited */
    double *most; /* what it could take now */
    double *deserved;
    double *taken;   /* all dimensions: in one round of victims */
    int64_t *asked;  /* all dimensions, as the host last said */
    double *missing; /* by dimension: of the job that room is made for */
    uint64_t ledger; /* of `asked` */
    bool read;
};

enum { PROPORTION, CAPACITY };
static const char *const modes[] = { "proportion", "capacity", NULL };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "proportion", 0, 0,
      "hold no more than deserved, or borrow up to the limit", modes },
};

/* --- at open --------------------------------------------------------------- */

static double *row(const struct queue *s, double *table, uint32_t node)
{
    return table + (size_t)node * s->dims;
}

static void *keep(const struct queue *s, size_t count, size_t size)
{
    return s->host->keep(s->ctx, count ? count * size : 1);
}

static void keep_tables(struct queue *s)
{
    const size_t nodes = (size_t)s->count + 1, cells = nodes * s->dims;

    s->shared = keep(s, s->dims, sizeof(*s->shared));
    s->node = keep(s, nodes, sizeof(*s->node));
    s->child = keep(s, nodes, sizeof(*s->child));
    s->upwards = keep(s, nodes, sizeof(*s->upwards));
    s->cup = keep(s, nodes, sizeof(*s->cup));
    s->guarantee = keep(s, cells, sizeof(double));
    s->real = keep(s, cells, sizeof(double));
    s->most = keep(s, cells, sizeof(double));
    s->deserved = keep(s, cells, sizeof(double));
    s->taken = keep(s, cells, sizeof(double));
    s->asked = keep(s, cells, sizeof(*s->asked));
    s->missing = keep(s, s->dims, sizeof(double));
}

static void read_tree(struct queue *s)
{
    uint32_t deepest = 0, n = 0;

    for (uint32_t q = 0; q < s->count; q++) {
        const uint32_t up = s->host->queue_parent(s->ctx, q);

        s->node[q].parent = up == GSP_NONE ? s->root : up;
        s->node[q].weight = s->host->queue_weight(s->ctx, q);
        s->node[s->node[q].parent].child_count++;
    }
    for (uint32_t q = 0; q < s->count; q++) {
        for (uint32_t p = q; p != s->root; p = s->node[p].parent)
            s->node[q].depth++;
        if (s->node[q].depth > deepest)
            deepest = s->node[q].depth;
    }
    for (uint32_t d = deepest; d > 0; d--) {
        for (uint32_t q = 0; q < s->count; q++) {
            if (s->node[q].depth == d)
                s->upwards[n++] = q;
        }
    }
    n = 0;
    for (uint32_t q = 0; q <= s->count; q++) {
        s->node[q].first_child = n;
        n += s->node[q].child_count;
        s->node[q].child_count = 0;
    }
    for (uint32_t q = 0; q < s->count; q++) {
        struct node *up = &s->node[s->node[q].parent];

        s->child[up->first_child + up->child_count++] = q;
    }
}

/* What the children of a node are guaranteed in all. */
static double promised(const struct queue *s, uint32_t node, uint32_t dim)
{
    const struct node *n = &s->node[node];
    double sum = 0;

    for (uint32_t i = 0; i < n->child_count; i++)
        sum += row(s, s->guarantee, s->child[n->first_child + i])[dim];
    return sum;
}

static void find_guarantees(struct queue *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t q = s->upwards[i];
        const int64_t *own = s->host->queue_guarantee(s->ctx, q);

        for (uint32_t k = 0; k < s->counted; k++) {
            const uint32_t d = s->shared[k];

            row(s, s->guarantee, q)[d] = fmax((double)own[d],
                                              promised(s, q, d));
        }
    }
}

static void find_capabilities(struct queue *s)
{
    for (uint32_t i = s->count; i-- > 0;) {
        const uint32_t q = s->upwards[i], up = s->node[q].parent;
        const int64_t *limit = s->host->queue_limit(s->ctx, q);
        double *real = row(s, s->real, q);

        for (uint32_t d = 0; d < s->dims; d++)
            real[d] = (double)INFINITY;
        for (uint32_t k = 0; k < s->counted; k++) {
            const uint32_t d = s->shared[k];

            real[d] = fmax(row(s, s->real, up)[d] - promised(s, up, d), 0)
                      + row(s, s->guarantee, q)[d];
        }
        for (uint32_t d = 0; d < s->dims; d++) {
            if (limit[d] >= 0)
                real[d] = fmin(real[d], (double)limit[d]);
        }
    }
}

static int queue_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    struct queue *s = host->keep(ctx, sizeof(*s));

    s->host = host;
    s->ctx = ctx;
    s->borrows = value[0].whole == CAPACITY;
    s->count = s->root = host->queues(ctx);
    s->dims = host->dims(ctx);
    keep_tables(s);
    for (uint32_t d = 0; d < s->dims; d++) {
        const int64_t total = host->dim_total(ctx, d);

        if (d != GSP_PODS && total > 0)
            s->shared[s->counted++] = d;
        row(s, s->real, s->root)[d] = (double)total;
        row(s, s->deserved, s->root)[d] = (double)total;
    }
    read_tree(s);
    find_guarantees(s);
    find_capabilities(s);
    *self = s;
    return 0;
}

/* --- what a queue deserves -------------------------------------------------- */

/* Asked for by the jobs of the queue itself. */
static double own_asked(const struct queue *s, uint32_t q, uint32_t dim)
{
    const struct node *n = &s->node[q];
    int64_t own = s->asked[(size_t)q * s->dims + dim];

    for (uint32_t i = 0; i < n->child_count; i++)
        own -= s->asked[(size_t)s->child[n->first_child + i] * s->dims + dim];
    return own > 0 ? (double)own : 0;
}

/* What it could take; its parent must share out anew if that has changed. */
static void find_most(struct queue *s, uint32_t q)
{
    struct node *n = &s->node[q];
    const bool was = n->active;
    bool changed;

    n->active = false;
    for (uint32_t d = 0; d < s->dims; d++)
        n->active |= s->asked[(size_t)q * s->dims + d] > 0;
    changed = n->active != was;
    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k];
        double most = own_asked(s, q, d);

        for (uint32_t i = 0; i < n->child_count; i++)
            most += row(s, s->most, s->child[n->first_child + i])[d];
        most = fmax(fmin(most, row(s, s->real, q)[d]),
                    row(s, s->guarantee, q)[d]);
        if (!n->active)
            most = 0;
        changed |= most != row(s, s->most, q)[d];
        row(s, s->most, q)[d] = most;
    }
    s->node[n->parent].stale |= changed;
    n->stale |= n->child_count > 0; /* its own jobs may have changed */
}

/* See what the queues ask for now. */
static void read_asked(struct queue *s)
{
    const uint64_t ledger = s->host->ledger(s->ctx);
    const size_t size = s->dims * sizeof(*s->asked);
    bool any = false;

    if (s->read && s->ledger == ledger)
        return;
    s->read = true;
    s->ledger = ledger;
    for (uint32_t q = 0; q < s->count; q++) {
        const int64_t *now = s->host->queue_asked(s->ctx, q);
        int64_t *was = s->asked + (size_t)q * s->dims;

        if (memcmp(was, now, size) != 0) {
            memcpy(was, now, size);
            any = s->node[q].touched = true;
        }
    }
    for (uint32_t i = 0; any && i < s->count; i++) {
        const uint32_t q = s->upwards[i];

        if (s->node[q].touched) {
            find_most(s, q);
            s->node[s->node[q].parent].touched = true;
            s->node[q].touched = false;
        }
    }
}

/* The cups of a node: its children with jobs, then jobs of its own. */
static uint32_t fill_cups(struct queue *s, uint32_t node, uint32_t dim)
{
    const struct node *n = &s->node[node];
    const double own = node == s->root ? 0 : own_asked(s, node, dim);
    uint32_t cups = 0;

    for (uint32_t i = 0; i < n->child_count; i++) {
        const uint32_t q = s->child[n->first_child + i];

        if (s->node[q].active)
            s->cup[cups++] = (struct cup){
                .weight = s->node[q].weight,
                .least = row(s, s->guarantee, q)[dim],
                .most = row(s, s->most, q)[dim],
            };
    }
    if (own > 0)
        s->cup[cups++] = (struct cup){ .weight = 1, .most = own };
    return cups;
}

static void share_out(struct queue *s, uint32_t node)
{
    struct node *n = &s->node[node];

    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k], cups = fill_cups(s, node, d);
        uint32_t at = 0;

        waterfill(s->cup, cups, row(s, s->deserved, node)[d]);
        for (uint32_t i = 0; i < n->child_count; i++) {
            const uint32_t q = s->child[n->first_child + i];
            const double got = s->node[q].active ? s->cup[at++].got : 0;

            s->node[q].stale |= got != row(s, s->deserved, q)[d];
            row(s, s->deserved, q)[d] = got;
        }
    }
    n->stale = false;
}

/* Find what all on the way from the root down to the queue deserve. */
static void settle(struct queue *s, uint32_t q)
{
    const uint32_t up = s->node[q].parent;

    if (up != s->root)
        settle(s, up);
    if (s->node[up].stale)
        share_out(s, up);
}

/* By dimension; means nothing in those that are not counted. */
static const double *deserved_of(struct queue *s, uint32_t q)
{
    read_asked(s);
    settle(s, q);
    return row(s, s->deserved, q);
}

/* --- orders ---------------------------------------------------------------- */

static double share_of(struct queue *s, uint32_t q)
{
    const double *deserved = deserved_of(s, q);
    const int64_t *used = s->host->queue_used(s->ctx, q);
    double most = 0;

    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k];
        double share = 0;

        if (used[d] > 0)
            share = deserved[d] > 0 ? (double)used[d] / deserved[d] : 1;
        most = fmax(most, share);
    }
    return most;
}

static int queue_queue_order(void *self, uint32_t a, uint32_t b)
{
    struct queue *s = self;
    const int32_t p = s->host->queue_priority(s->ctx, a);
    const int32_t q = s->host->queue_priority(s->ctx, b);
    double x, y;

    if (p != q)
        return p > q ? -1 : 1;
    x = share_of(s, a);
    y = share_of(s, b);
    return (x > y) - (x < y);
}

/* --- bounds ---------------------------------------------------------------- */

static bool is_over(double amount, double bound)
{
    return amount > bound + SLACK + bound * SLACK_OF_BOUND;
}

/* It holds something, and all that it deserves. */
static bool queue_overused(void *self, uint32_t q)
{
    struct queue *s = self;
    const double *deserved;
    const int64_t *used;
    bool holds = false;

    if (s->borrows)
        return false;
    deserved = deserved_of(s, q);
    used = s->host->queue_used(s->ctx, q);
    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k];

        if (is_over(deserved[d], (double)used[d]))
            return false;
        holds |= used[d] > 0;
    }
    return holds;
}

static bool within_limit(const struct queue *s, const int64_t *used,
                         const int64_t *asked, const int64_t *limit)
{
    for (uint32_t d = 0; d < s->dims; d++) {
        if (asked[d] > 0 && limit[d] >= 0 && used[d] + asked[d] > limit[d])
            return false;
    }
    return true;
}

static bool within_real(struct queue *s, uint32_t q, const int64_t *asked,
                        const int64_t *entered)
{
    const int64_t *used = s->host->queue_used(s->ctx, q);
    const double *real = row(s, s->real, q);

    for (uint32_t d = 0; d < s->dims; d++) {
        const double more = (double)asked[d]
                            + (entered ? (double)entered[d] : 0);

        if (asked[d] > 0 && is_over((double)used[d] + more, real[d]))
            return false;
    }
    return true;
}

/* Without what is `taken` (may be NULL), and with `asked`. */
static bool within_deserved(struct queue *s, uint32_t q, const double *asked,
                            const double *taken)
{
    const double *deserved = deserved_of(s, q);
    const int64_t *used = s->host->queue_used(s->ctx, q);
    bool any_asked = false, any_within = false, all = true;

    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k];
        const double then = (double)used[d] + asked[d] - (taken ? taken[d] : 0);

        if (asked[d] <= 0)
            continue;
        any_asked = true;
        if (is_over(then, deserved[d]))
            all = false;
        else
            any_within = true;
    }
    /* one resource that it lacks is enough for who may borrow the others */
    return s->borrows && any_asked ? any_within : all;
}

/* The queue itself: what its owner may hold there. */
static bool within_user_limit(const struct queue *s, const struct gsp_job *j,
                              const int64_t *asked)
{
    const uint32_t q = s->host->job_queue(j);

    return s->host->job_user(j) == GSP_NONE
           || within_limit(s, s->host->user_used(j), asked,
                           s->host->queue_user_limit(s->ctx, q));
}

static void as_missing(struct queue *s, const int64_t *asked)
{
    for (uint32_t d = 0; d < s->dims; d++)
        s->missing[d] = (double)asked[d];
}

static bool within_bounds(struct queue *s, uint32_t q, const int64_t *asked)
{
    return s->host->queue_is_open(s->ctx, q)
           && within_limit(s, s->host->queue_used(s->ctx, q), asked,
                           s->host->queue_limit(s->ctx, q))
           && (s->borrows ? within_real(s, q, asked, NULL)
                          : within_deserved(s, q, s->missing, NULL));
}

static bool queue_allocatable(void *self, const struct gsp_job *j,
                              const int64_t *asked)
{
    struct queue *s = self;

    as_missing(s, asked);
    for (uint32_t q = s->host->job_queue(j); q != s->root;
         q = s->node[q].parent) {
        if (!within_bounds(s, q, asked))
            return false;
    }
    return within_user_limit(s, j, asked);
}

/* The bounds of the queues above it are for `victims`: a queue may take from
 * one beside it, and what both are in holds no more then.
 */
static bool queue_preemptive(void *self, const struct gsp_job *j,
                             const int64_t *asked)
{
    struct queue *s = self;
    const uint32_t q = s->host->job_queue(j);

    as_missing(s, asked);
    return within_bounds(s, q, asked) && within_deserved(s, q, s->missing, NULL)
           && within_user_limit(s, j, asked);
}

static bool queue_enqueue(void *self, const struct gsp_job *j)
{
    struct queue *s = self;
    const uint32_t own = s->host->job_queue(j);

    for (uint32_t q = own; q != s->root; q = s->node[q].parent) {
        const int64_t *entered = s->host->queue_entered(s->ctx, q);

        if (!s->host->queue_is_open(s->ctx, q)
            || !within_real(s, q, s->host->job_minimum(j), entered))
            return false;
    }
    return true;
}

/* --- victims --------------------------------------------------------------- */

static void find_missing(struct queue *s, const struct gsp_job *j)
{
    const int64_t *used;

    as_missing(s, s->host->job_minimum(j));
    used = s->host->job_used(j);
    for (uint32_t d = 0; d < s->dims; d++)
        s->missing[d] = fmax(s->missing[d] - (double)used[d], 0);
}

static uint32_t common_ancestor(const struct queue *s, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (s->node[a].depth >= s->node[b].depth)
            a = s->node[a].parent;
        else
            b = s->node[b].parent;
    }
    return a;
}

/* Does the resource count between these two? */
static bool matters(const struct queue *s, uint32_t dim, const int64_t *amount)
{
    return amount[dim] > 0 && (!s->borrows || s->missing[dim] > 0);
}

/* May the queue give that amount?  It holds more than it deserves, and keeps
 * what it is guaranteed.
 */
static bool gives(struct queue *s, uint32_t q, const int64_t *amount)
{
    const double *deserved = deserved_of(s, q), *taken = row(s, s->taken, q);
    const int64_t *used = s->host->queue_used(s->ctx, q);
    const double *guarantee = row(s, s->guarantee, q);
    bool over = false;

    if (!s->host->queue_reclaimable(s->ctx, q))
        return false;
    for (uint32_t k = 0; k < s->counted; k++) {
        const uint32_t d = s->shared[k];
        const double now = (double)used[d] - taken[d];

        if (amount[d] > 0 && guarantee[d] > 0
            && is_over(guarantee[d], now - (double)amount[d]))
            return false;
        over |= matters(s, d, amount) && is_over(now, deserved[d]);
    }
    return over;
}

static bool may_move(struct queue *s, uint32_t from, uint32_t to,
                     const int64_t *amount)
{
    const uint32_t common = common_ancestor(s, from, to);

    if (common == from || common == to)
        return false;
    for (uint32_t q = from; q != common; q = s->node[q].parent) {
        if (!gives(s, q, amount))
            return false;
    }
    for (uint32_t q = to; q != common; q = s->node[q].parent) {
        if (!within_deserved(s, q, s->missing, row(s, s->taken, q)))
            return false;
    }
    return true;
}

static bool queue_victims(void *self, enum gsp_why why, const struct gsp_job *j,
                          const struct gsp_victims *v, uint8_t *spared)
{
    struct queue *s = self;
    const uint32_t n = s->host->victims(v);
    const uint32_t to = s->host->job_queue(j);

    if (why != GSP_RECLAIM)
        return false;
    memset(s->taken, 0, (size_t)s->count * s->dims * sizeof(double));
    find_missing(s, j);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = s->host->job_queue(s->host->victim_job(v, i));
        const int64_t *amount = s->host->victim_amount(v, i);

        if (spared[i] || !may_move(s, from, to, amount)) {
            spared[i] = 1;
            continue;
        }
        for (uint32_t q = from; q != s->root; q = s->node[q].parent) {
            for (uint32_t d = 0; d < s->dims; d++)
                row(s, s->taken, q)[d] += (double)amount[d];
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
    .summary = "queues share by weight, in a tree (Volcano's proportion)",
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
