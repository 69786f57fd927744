/* reports/measure/fairness.c - water-filling at every instant, integrated
 * exactly.
 *
 * Uses integers, so every compiler gives the same result.  Most changes of
 * backlogged queues do not change deserved shares, so most instants cost one
 * comparison for each queue.
 */
#include "reports/measure/fairness.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/metrics_private.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define WEIGHT_BITS 24 /* bits of the largest weight among siblings */
#define BLOCK 32u      /* queues compared in one block */

typedef report_wide wide;

struct queue {
    int64_t guarantee, limit; /* limit INT64_MAX: none */
    int64_t floor, cap;       /* least and most it may deserve now */
    int64_t low, high;        /* the same while dividing */
    int64_t part, deserved;   /* the first while dividing */
    uint64_t weight;          /* against its siblings' */
    int64_t since;            /* time since when these values hold */
    wide held, due;           /* used and deserved x us */
    wide gap;                 /* deserved less held, x us */
    uint32_t in;              /* family of its siblings and itself */
    uint32_t own;             /* family of its children; 0: none */
    bool has_asked;
};

/* The children of a queue, or the queues at the top. */
struct family {
    uint32_t first, count; /* in member[] */
    int64_t amount;        /* to divide */
    int64_t floors, caps;  /* sums */
    bool is_stale;
};

struct report_fairness {
    const struct trace_workload *work;
    enum topo_dim dim;
    uint32_t count;
    struct queue *queue;   /* [queue] */
    int64_t *used, *asked; /* [queue] now */
    struct family *family; /* from the top down, 0 being the top */
    uint32_t families;
    uint32_t *member; /* queues by family */
    uint32_t *open;   /* scratch: undecided members */
    const struct report_window *window;
    int64_t since;
    wide all; /* the cluster's amount x us */
};

/* --- the tree ------------------------------------------------------------- */

/* Scale the weights to integers. */
static void family_weigh(struct report_fairness *f, const struct family *fam)
{
    const struct trace_queue *queue = f->work->queue;
    const uint32_t *member = f->member + fam->first;
    double most = 0;

    for (uint32_t i = 0; i < fam->count; i++)
        most = fmax(most, queue[member[i]].weight);
    most = most > 0 ? most : 1; /* all weights are 0: they are equal */
    for (uint32_t i = 0; i < fam->count; i++)
        f->queue[member[i]].weight = 1
                                     + (uint64_t)(queue[member[i]].weight / most
                                                  * ((1 << WEIGHT_BITS) - 1));
}

/* Queues by parent, each list in order of their numbers. */
struct children {
    uint32_t *first; /* [parent], [queue_count] those at the top */
    uint32_t *next;  /* [queue] */
};

static void children_find(struct children *c, const struct trace_workload *w)
{
    const uint32_t n = w->queue_count;

    c->first = gs_array_new((size_t)n + 1, sizeof(*c->first));
    c->next = gs_array_new(n, sizeof(*c->next));
    for (uint32_t i = 0; i <= n; i++)
        c->first[i] = TRACE_NONE;
    for (uint32_t q = n; q-- > 0;) {
        const uint32_t parent = w->queue[q].parent;
        uint32_t *first = &c->first[parent == TRACE_NONE ? n : parent];

        c->next[q] = *first;
        *first = q;
    }
}

/* Add the list that begins with `q` as a family.  Returns the number of members
 * so far.
 */
static uint32_t family_add(struct report_fairness *f, const struct children *c,
                           uint32_t q, uint32_t members)
{
    struct family *fam = &f->family[f->families];

    fam->first = members;
    for (; q != TRACE_NONE; q = c->next[q]) {
        f->queue[q].in = f->families;
        f->member[members++] = q;
    }
    fam->count = members - fam->first;
    family_weigh(f, fam);
    f->families++;
    return members;
}

static void tree_make(struct report_fairness *f)
{
    struct children c;
    uint32_t members;

    children_find(&c, f->work);
    members = family_add(f, &c, c.first[f->count], 0);
    for (uint32_t i = 0; i < members; i++) {
        const uint32_t q = f->member[i];

        if (c.first[q] == TRACE_NONE)
            continue;
        f->queue[q].own = f->families;
        members = family_add(f, &c, c.first[q], members);
    }
    gs_array_free(c.first);
    gs_array_free(c.next);
}

struct report_fairness *report_fairness_create(
    const struct topo *t, const struct trace_workload *w,
    const struct report_window *window)
{
    struct report_fairness *f = gs_array_new(1, sizeof(*f));
    const uint32_t n = w->queue_count;

    assert(t);
    f->work = w;
    f->window = window;
    f->dim = t->gpu_count ? TOPO_GPU : TOPO_CPU;
    f->count = n;
    f->queue = gs_array_new(n, sizeof(*f->queue));
    f->used = gs_array_new(n, sizeof(*f->used));
    f->asked = gs_array_new(n, sizeof(*f->asked));
    f->family = gs_array_new((size_t)n + 1, sizeof(*f->family));
    f->member = gs_array_new(n, sizeof(*f->member));
    f->open = gs_array_new(n, sizeof(*f->open));
    for (uint32_t q = 0; q < n; q++) {
        const struct trace_queue_amounts *a = trace_queue_amounts(&w->queue[q]);
        const int64_t limit = a->limit[f->dim];

        f->queue[q].guarantee = a->guarantee[f->dim];
        f->queue[q].limit = limit < 0 ? INT64_MAX : limit;
    }
    tree_make(f);
    return f;
}

void report_fairness_destroy(struct report_fairness *f)
{
    if (!f)
        return;
    gs_array_free(f->queue);
    gs_array_free(f->used);
    gs_array_free(f->asked);
    gs_array_free(f->family);
    gs_array_free(f->member);
    gs_array_free(f->open);
    gs_array_free(f);
}

/* --- dividing ------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Add the time up to `now`, in which nothing changed, to the queue. */
static void queue_advance(struct report_fairness *f, uint32_t id, int64_t now)
{
    struct queue *q = &f->queue[id];
    const uint64_t dt = (uint64_t)report_window_overlap(f->window, q->since,
                                                        now);

    q->since = now;
    if (dt == 0)
        return;
    q->held += (wide)f->used[id] * dt;
    q->due += (wide)q->deserved * dt;
    q->gap += (wide)most(q->deserved - f->used[id], 0) * dt;
    q->has_asked |= f->asked[id] > 0;
}

static void deserve(struct report_fairness *f, uint32_t id, int64_t deserved,
                    int64_t now)
{
    struct queue *q = &f->queue[id];

    if (q->deserved == deserved)
        return;
    queue_advance(f, id, now);
    q->deserved = deserved;
    if (q->own) {
        f->family[q->own].amount = deserved;
        f->family[q->own].is_stale = true;
    }
}

/* Divide `rest` among the `n` undecided queues by weight.  A queue whose part
 * is beyond a bound may be set to it: those on the side (floor or cap) whose
 * bounds shift more in total; when no part is beyond a bound, all get their
 * part.  Returns the number of undecided queues.
 */
static uint32_t settle(struct report_fairness *f, uint32_t n, int64_t *rest)
{
    wide weights = 0, level;
    int64_t pull = 0;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        weights += f->queue[f->open[i]].weight;
    level = ((wide)*rest << WEIGHT_BITS) / weights;
    for (uint32_t i = 0; i < n; i++) {
        struct queue *q = &f->queue[f->open[i]];

        q->part = (int64_t)(q->weight * level >> WEIGHT_BITS);
        pull += most(least(q->part, q->high), q->low) - q->part;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct queue *q = &f->queue[f->open[i]];

        if (pull >= 0 && q->part < q->low)
            q->part = q->low;
        else if (pull <= 0 && q->part > q->high)
            q->part = q->high;
        else {
            f->open[kept++] = f->open[i];
            continue;
        }
        *rest -= q->part;
    }
    return pull ? kept : 0;
}

/* Divide the amount of the family among its children. */
static void divide(struct report_fairness *f, struct family *fam, int64_t now)
{
    const uint32_t *member = f->member + fam->first;
    const bool fits = fam->floors <= fam->amount; /* otherwise the floors are
                                                     divided */
    int64_t rest = fam->amount;
    uint32_t n = fam->caps > fam->amount ? fam->count : 0;

    fam->is_stale = false;
    for (uint32_t i = 0; i < fam->count; i++) {
        struct queue *q = &f->queue[member[i]];

        f->open[i] = member[i];
        q->part = q->cap;
        q->low = fits ? q->floor : 0;
        q->high = fits ? q->cap : q->floor;
    }
    while (n)
        n = settle(f, n, &rest);
    for (uint32_t i = 0; i < fam->count; i++)
        deserve(f, member[i], f->queue[member[i]].part, now);
}

/* --- over time ------------------------------------------------------------ */

/* True when the other queues of the family keep their parts although the bounds
 * of this queue change: neither an old nor a new bound limits it, or there is
 * enough for all and it gets what it asks for.
 */
static bool is_harmless(const struct queue *q, const struct family *fam,
                        int64_t floor, int64_t cap)
{
    if (fam->is_stale || fam->caps <= fam->amount
        || fam->caps - q->cap + cap <= fam->amount)
        return false;
    return q->deserved < q->cap && q->deserved <= cap
           && (floor == q->floor
               || (q->floor < q->deserved && floor <= q->deserved));
}

static void queue_update(struct report_fairness *f, uint32_t id, int64_t used,
                         int64_t asked, int64_t now)
{
    struct queue *q = &f->queue[id];
    struct family *fam = &f->family[q->in];
    const int64_t cap = least(asked, q->limit);
    const int64_t floor = least(q->guarantee, cap);

    queue_advance(f, id, now);
    f->used[id] = used;
    f->asked[id] = asked;
    if (cap == q->cap)
        return;
    fam->is_stale = !is_harmless(q, fam, floor, cap);
    fam->caps += cap - q->cap;
    fam->floors += floor - q->floor;
    q->cap = cap;
    q->floor = floor;
}

static void advance(struct report_fairness *f, int64_t now)
{
    f->all += (wide)f->family[0].amount
              * (uint64_t)report_window_overlap(f->window, f->since, now);
    f->since = now;
}

/* Update a block of queues from `first` on; usually none has changed. */
static void block_update(struct report_fairness *f, uint32_t first,
                         const struct report_instant *i, int64_t now)
{
    const uint32_t rest = f->count - first, n = rest < BLOCK ? rest : BLOCK;
    const size_t bytes = n * sizeof(*f->used);

    if (memcmp(f->used + first, i->queue_used + first, bytes) == 0
        && memcmp(f->asked + first, i->queue_asked + first, bytes) == 0)
        return;
    for (uint32_t q = first; q < first + n; q++) {
        if (i->queue_used[q] != f->used[q] || i->queue_asked[q] != f->asked[q])
            queue_update(f, q, i->queue_used[q], i->queue_asked[q], now);
    }
}

void report_fairness_instant(struct report_fairness *f, int64_t now,
                             const struct report_instant *i)
{
    assert(f && now >= 0);
    if (!i->queue_used || !i->queue_asked || f->count < 2
        || f->count > REPORT_QUEUES_MAX)
        return;
    if (f->family[0].amount == 0) /* the window may begin before the first
                                     instant */
        f->family[0].amount = i->share_total, f->family[0].is_stale = true;
    advance(f, now);
    if (i->share_total != f->family[0].amount) {
        f->family[0].amount = i->share_total;
        f->family[0].is_stale = true;
    }
    for (uint32_t q = 0; q < f->count; q += BLOCK)
        block_update(f, q, i, now);
    for (uint32_t k = 0; k < f->families; k++) {
        if (f->family[k].is_stale)
            divide(f, &f->family[k], now);
    }
}

void report_fairness_finish(struct report_fairness *f, int64_t now)
{
    assert(f && now >= 0);
    advance(f, now);
    for (uint32_t q = 0; q < f->count; q++)
        queue_advance(f, q, now);
}

/* --- rows ----------------------------------------------------------------- */

/* Add Jain's index of what top-level queues held, by weight; queues of weight 0
 * are to hold nothing.
 */
static void jain_put(const struct report_fairness *f, struct report_metrics *m)
{
    double sum = 0, squares = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->family[0].count; i++) {
        const uint32_t q = f->member[i];
        const double weight = f->work->queue[q].weight;
        const double x = (double)f->queue[q].held / weight;

        if (!f->queue[q].has_asked || !(weight > 0))
            continue;
        sum += x;
        squares += x * x;
        n++;
    }
    if (n > 1 && squares > 0)
        report_metrics_put_cluster(m, METRIC_FAIR_JAIN,
                                   sum * sum / n / squares);
}

void report_fairness_put(const struct report_fairness *f,
                         struct report_metrics *m)
{
    const double all = (double)f->all;
    uint32_t leaves = 0;
    wide gap = 0;

    for (uint32_t q = 0; q < f->count; q++) {
        leaves += f->queue[q].has_asked && !f->queue[q].own;
        gap = f->queue[q].gap > gap ? f->queue[q].gap : gap;
    }
    if (leaves < 2 || f->all == 0)
        return;
    jain_put(f, m);
    report_metrics_put_cluster(m, METRIC_FAIR_DRF_MAX_GAP, (double)gap / all);
    for (uint32_t q = 0; q < f->count; q++) {
        const char *name = gs_strtab_str(f->work->names,
                                         f->work->queue[q].name);

        if (!f->queue[q].has_asked)
            continue;
        report_metrics_put(m, METRIC_QUEUE_SHARE, "queue", name,
                           (double)f->queue[q].held / all);
        report_metrics_put(m, METRIC_QUEUE_DESERVED, "queue", name,
                           (double)f->queue[q].due / all);
    }
}
