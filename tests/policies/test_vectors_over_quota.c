/* tests/policies/test_vectors_over_quota.c - fair shares, order, limits and
 * reclaims of queues in vectors of KAI Scheduler, by over_quota.h.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/modules/over_quota_reclaim.h"
#include "tests/lib/fake_host.h"
#include "tests/lib/vectors.h"

enum { CPU, MEMORY, GPU, DIMS };

static const char *const names[DIMS] = { "cpu", "memory", "gpu" };

#define QUEUES 32u
#define GROUPS 64u

struct tree {
    struct over_quota_queue queue[QUEUES];
    const char *name[QUEUES];
    uint32_t count;
};

static double number(const struct gs_ynode *n, double fallback)
{
    return n && !gs_ynode_is_null(n) ? strtod(n->text, NULL) : fallback;
}

static bool is(const struct gs_ynode *n, const char *text)
{
    return n && strcmp(n->text, text) == 0;
}

static void amounts(const struct gs_ynode *map, double *out)
{
    for (int d = 0; d < DIMS; d++)
        out[d] = number(map ? gs_ynode_find(map, names[d]) : NULL, 0);
}

static struct over_quota resource(const struct gs_ynode *n)
{
    return (struct over_quota){
        .deserved = number(gs_ynode_find(n, "deserved"), 0),
        .limit = number(gs_ynode_find(n, "max_allowed"), 0),
        .weight = number(gs_ynode_find(n, "over_quota_weight"), 0),
        .history = number(gs_ynode_find(n, "usage"), 0),
        .asked = number(gs_ynode_find(n, "request"), 0),
        .used = number(gs_ynode_find(n, "allocated"), 0),
        .kept = number(gs_ynode_find(n, "allocated_non_preemptible"), 0),
        .fair = number(gs_ynode_find(n, "fair_share"), 0),
    };
}

static struct over_quota_queue queue_read(const struct gs_ynode *n)
{
    struct over_quota_queue q = { .parent = OVER_QUOTA_NONE };

    q.priority = (int32_t)number(gs_ynode_find(n, "priority"), 0);
    for (int d = 0; d < DIMS; d++) {
        const struct gs_ynode *r = gs_ynode_find(n, names[d]);

        if (r)
            q.of[d] = resource(r);
    }
    return q;
}

static uint32_t named(const struct tree *t, const char *name)
{
    uint32_t i = 0;

    while (i < t->count && strcmp(t->name[i], name) != 0)
        i++;
    CU_ASSERT_FATAL(i < t->count);
    return i;
}

static void tree_read(const struct vector *v, struct tree *t)
{
    const struct gs_ynode *queues = vector_in(v, "queues");

    *t = (struct tree){ .count = 0 };
    CU_ASSERT_FATAL(queues->len <= QUEUES);
    for (const struct gs_ynode *n = queues->child; n; n = n->next) {
        t->name[t->count] = n->key->text;
        t->queue[t->count++] = queue_read(n);
    }
    for (const struct gs_ynode *n = queues->child; n; n = n->next) {
        const struct gs_ynode *parent = gs_ynode_find(n, "parent");

        if (parent)
            t->queue[named(t, n->key->text)].parent = named(t, parent->text);
    }
}

static void expect(const struct vector *v, const char *what, double is_it,
                   double want)
{
    char text[128];

    if (fabs(is_it - want) <= 1e-9 * (1 + fabs(want)))
        return;
    snprintf(text, sizeof(text), "%s: %.9g, not %.9g", what, is_it, want);
    vector_fails(v, "wrong:", text);
}

static void expect_flag(const struct vector *v, const char *key, bool is_it)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, key);

    if (!want || is(want, "true") != is_it)
        vector_fails(v, key, is_it ? "true" : "false");
}

/* --- fair shares ---------------------------------------------------------- */

/* The children of `parent`, by priority. */
static struct over_quota_siblings children(struct tree *t, uint32_t parent,
                                           uint32_t *at, uint32_t *heap)
{
    struct over_quota_siblings s = { t->queue, at, 0, heap };

    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t k = s.count;

        if (t->queue[i].parent != parent)
            continue;
        for (; k > 0 && t->queue[at[k - 1]].priority < t->queue[i].priority;
             k--)
            at[k] = at[k - 1];
        at[k] = i;
        s.count++;
    }
    return s;
}

/* Divide the fair shares of all parents of resource `d`, `total` among the top
 * ones; returns what these leave.
 */
static double divide(struct tree *t, uint32_t parent, int d, double total,
                     double k)
{
    uint32_t at[QUEUES], heap[QUEUES];
    const struct over_quota_siblings s = children(t, parent, at, heap);
    const double left = over_quota_divide(&s, (uint32_t)d, total, k);

    for (uint32_t i = 0; i < s.count; i++)
        (void)divide(t, at[i], d, t->queue[at[i]].of[d].fair, k);
    return left;
}

/* A step of its own: what is over the quotas, `already_given` is there. */
static double share_out(const struct vector *v, struct tree *t, int d,
                        double amount, double k)
{
    uint32_t at[QUEUES], heap[QUEUES];
    const struct over_quota_siblings s = children(t, OVER_QUOTA_NONE, at, heap);

    for (const struct gs_ynode *n = vector_in(v, "already_given")->child; n;
         n = n->next)
        t->queue[named(t, n->key->text)].of[d].fair = number(n, 0);
    return over_quota_share_out(&s, (uint32_t)d, amount, k);
}

static void fair_check(const struct vector *v, struct tree *t, int d)
{
    for (const struct gs_ynode *n =
             gs_ynode_find(v->expected, "fair_share")->child;
         n; n = n->next) {
        const struct gs_ynode *want = n->kind == GS_YMAP
                                          ? gs_ynode_find(n, names[d])
                                          : n;

        if (want)
            expect(v, n->key->text, t->queue[named(t, n->key->text)].of[d].fair,
                   number(want, 0));
    }
}

static void fair_share_run(const struct vector *v)
{
    const struct gs_ynode *name = gs_ynode_find(v->in, "resource");
    const struct gs_ynode *gpus = gs_ynode_find(v->in, "total_gpu");
    const struct gs_ynode *left = gs_ynode_find(v->expected, "remaining");
    const double k = number(gs_ynode_find(v->in, "k"), 0);
    double total[DIMS] = { 0 };
    struct tree t;

    tree_read(v, &t);
    amounts(gs_ynode_find(v->in, "total"), total);
    total[GPU] = number(gpus, total[GPU]);
    for (int d = 0; d < DIMS; d++) {
        double rest;

        if ((name && !is(name, names[d])) || (gpus && d != GPU))
            continue;
        total[d] = number(gs_ynode_find(v->in, "amount"), total[d]);
        rest = gs_ynode_find(v->in, "step")
                   ? share_out(v, &t, d, total[d], k)
                   : divide(&t, OVER_QUOTA_NONE, d, total[d], k);
        fair_check(v, &t, d);
        if (left)
            expect(v, "remaining", rest, number(left, 0));
    }
}

/* --- the order of queues -------------------------------------------------- */

static void order_run(const struct vector *v)
{
    const struct over_quota_queue l = queue_read(vector_in(v, "left"));
    const struct over_quota_queue r = queue_read(vector_in(v, "right"));
    const struct gs_ynode *first = gs_ynode_find(v->expected, "first");
    const struct gs_ynode *gone[2] = { gs_ynode_find(v->in, "left_victims"),
                                       gs_ynode_find(v->in, "right_victims") };
    double job[2][DIMS], victims[2][DIMS], total[DIMS];
    const struct over_quota_side a = { &l, job[0], victims[0] };
    const struct over_quota_side b = { &r, job[1], victims[1] };
    int order;

    amounts(gs_ynode_find(v->in, "left_job"), job[0]);
    amounts(gs_ynode_find(v->in, "right_job"), job[1]);
    amounts(gs_ynode_find(v->in, "total"), total);
    for (int i = 0; i < 2; i++) {
        amounts(NULL, victims[i]);
        for (const struct gs_ynode *n = gone[i] ? gone[i]->child : NULL; n;
             n = n->next) {
            for (int d = 0; d < DIMS; d++)
                victims[i][d] += number(gs_ynode_find(n, names[d]), 0);
        }
    }
    order = over_quota_compare(&a, &b, total, DIMS);
    if (order == 0) /* equal ages: the right one */
        order = 1;
    if (!is(first, order < 0 ? "left" : "right"))
        vector_fails(v, "first:", order < 0 ? "left" : "right");
}

/* --- reclaim -------------------------------------------------------------- */

static bool keeps(const struct vector *v)
{
    return is(gs_ynode_find(v->in, "preemptible"), "false");
}

static void can_reclaim_run(const struct vector *v)
{
    const struct over_quota_queue q = queue_read(vector_in(v, "queue"));
    double asked[DIMS];

    amounts(vector_in(v, "request"), asked);
    expect_flag(v, "can_reclaim",
                over_quota_can_reclaim(&q, asked, DIMS, keeps(v)));
}

static void reclaimable_run(const struct vector *v)
{
    struct over_quota_mark mark[QUEUES] = { { .round = 0 } };
    uint32_t marked[QUEUES], from[GROUPS], next[GROUPS];
    double asked[DIMS], amount[GROUPS][DIMS];
    struct over_quota_claim c = {
        .keeps = keeps(v),
        .multiplier = number(gs_ynode_find(v->in, "multiplier"), 1),
        .asked = asked,
        .from = from,
        .amount = amount[0],
        .next = next,
    };
    struct over_quota_tree tree = { .dims = DIMS,
                                    .mark = mark,
                                    .marked = marked };
    struct tree t;

    tree_read(v, &t);
    tree.queue = t.queue;
    tree.queues = t.count;
    c.by = named(&t, vector_in(v, "reclaimer")->text);
    amounts(vector_in(v, "request"), asked);
    for (const struct gs_ynode *n = vector_in(v, "victims")->child; n;
         n = n->next) {
        for (const struct gs_ynode *g = n->child; g; g = g->next) {
            CU_ASSERT_FATAL(c.count < GROUPS);
            from[c.count] = named(&t, n->key->text);
            amounts(g, amount[c.count++]);
        }
    }
    expect_flag(v, "reclaimable", over_quota_reclaims(&tree, &c));
}

/* One of the two rules by itself: the other has nothing to say. */
static void strategy_run(const struct vector *v)
{
    struct over_quota_queue to = queue_read(vector_in(v, "reclaimer"));
    struct over_quota_queue from = queue_read(vector_in(v, "reclaimee"));
    const bool by_share = is(vector_in(v, "strategy"), "maintain fair share");
    double asked[DIMS], left[DIMS], excess[DIMS];

    amounts(gs_ynode_find(v->in, "request"), asked);
    amounts(vector_in(v, "reclaimee_remaining"), left);
    for (int d = 0; d < DIMS; d++) {
        if (by_share) { /* it does not starve */
            asked[d] = 1e12;
        } else { /* the other holds no more than it may */
            from.of[d].limit = OVER_QUOTA_ALL;
            from.of[d].fair = 1e12;
        }
    }
    expect_flag(v, "reclaimable",
                over_quota_excess(&from, left, &to, asked, DIMS, excess));
}

/* --- limits --------------------------------------------------------------- */

static void capacity_run(const struct vector *v)
{
    double asked[DIMS];
    struct tree t;

    tree_read(v, &t);
    amounts(vector_in(v, "request"), asked);
    if (is(vector_in(v, "check"), "IsNonPreemptibleJobOverQuota")) {
        for (uint32_t i = 0; i < t.count; i++) {
            for (int d = 0; d < DIMS; d++)
                t.queue[i].of[d].limit = OVER_QUOTA_ALL;
        }
    }
    expect_flag(v, "schedulable",
                over_quota_refuses(t.queue,
                                   named(&t, vector_in(v, "queue")->text),
                                   asked, DIMS, keeps(v))
                    == OVER_QUOTA_GRANTED);
}

/* --- minimum run times ---------------------------------------------------- */

#define SECOND INT64_C(1000000)

/* A victim that runs for the time is spared until it is over. */
static void minruntime_run(const struct vector *v)
{
    const struct gsp_module *m = gsched_module_find("min-runtime");
    const struct gs_ynode *method = vector_in(v, "method");
    const bool preempts = is(method, "preempt");
    const struct gs_ynode *by = gs_ynode_find(v->in, "pending_queue");
    const union gsp_value value[GSCHED_PARAMS_MAX] = {
        { .whole = 0 },
        { .whole = SECOND
                   * (int64_t)number(vector_in(v, "default_preempt_s"), 0) },
        { .whole = SECOND
                   * (int64_t)number(vector_in(v, "default_reclaim_s"), 0) },
        { .whole = is(method, "queue") },
    };
    const enum gsp_why why = preempts ? GSP_PREEMPT : GSP_RECLAIM;
    struct gsp_job j = { .id = 0 }, victim = { .id = 1 };
    struct tree t;
    struct fake f;
    void *self;

    fake_start(&f);
    tree_read(v, &t);
    for (const struct gs_ynode *n = vector_in(v, "queues")->child; n;
         n = n->next) {
        const uint32_t q = fake_add(&f, GSP_NONE, 1);

        f.queue[q].parent = t.queue[q].parent;
        f.queue[q].term[GSP_TERM_PREEMPT_MIN_RUNTIME] =
            SECOND * (int64_t)number(gs_ynode_find(n, "preempt_min_s"), 0);
        f.queue[q].term[GSP_TERM_RECLAIM_MIN_RUNTIME] =
            SECOND * (int64_t)number(gs_ynode_find(n, "reclaim_min_s"), 0);
    }
    victim.queue = named(&t, vector_in(v, "victim_queue")->text);
    j.queue = by ? named(&t, by->text) : victim.queue;
    self = fake_module(&f, m, value);
    expect(v, "protected_s",
           (double)m->spare_time_of(self, why, &j, &victim) / SECOND,
           number(gs_ynode_find(v->expected, "protected_s"), -1));
    fake_end(&f);
}

static const struct vector_group groups[] = {
    { "kai-minruntime", minruntime_run },
    { "kai-fair-share", fair_share_run },
    { "kai-queue-order", order_run },
    { "kai-canreclaim-", can_reclaim_run },
    { "kai-reclaimable-", reclaimable_run },
    { "kai-strategy-", strategy_run },
    { "kai-capacity", capacity_run },
};

int main(void)
{
    static const struct vector_suite suite = {
        .name = "vectors of KAI Scheduler: shares of queues",
        .file = "tests/data/vectors/kai.yaml",
        .group = groups,
        .groups = N_ELEMENTS(groups),
    };

    return vectors_main(&suite);
}
