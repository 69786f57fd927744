/* tests/policies/test_vectors_guarantee.c - shares, orders of queues and jobs,
 * node scores, priorities and limits in vectors of YuniKorn, by the modules
 * alone.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/modules/guarantee_share.h"
#include "tests/lib/fake_host.h"
#include "tests/lib/fake_nodes.h"
#include "tests/lib/vectors.h"

#define NAMES FAKE_DIMS
#define MANY 32u

/* Resources are dimensions in the order of their first appearance. */
struct names {
    const char *at[NAMES];
    uint32_t count;
};

static uint32_t dim_of(struct names *n, const char *name)
{
    for (uint32_t i = 0; i < n->count; i++) {
        if (strcmp(n->at[i], name) == 0)
            return i;
    }
    CU_ASSERT_FATAL(n->count < NAMES);
    n->at[n->count] = name;
    return n->count++;
}

static int64_t whole(const struct gs_ynode *n)
{
    return strtoll(n->text, NULL, 10);
}

/* A mapping, or a bare number, which is of resource "first". */
static void amounts(struct names *names, const struct gs_ynode *n,
                    int64_t nothing, int64_t *out)
{
    for (uint32_t d = 0; d < NAMES; d++)
        out[d] = nothing;
    if (!n || gs_ynode_is_null(n))
        return;
    if (n->kind == GS_YSCALAR)
        out[dim_of(names, "first")] = whole(n);
    for (const struct gs_ynode *v = n->kind == GS_YMAP ? n->child : NULL; v;
         v = v->next)
        out[dim_of(names, v->key->text)] = whole(v);
}

static void is_near(const struct vector *v, double x, double want)
{
    if (isinf(x) || isinf(want) ? x != want : fabs(x - want) > 1e-5) {
        printf("%s: %g, not %g\n", v->id, x, want);
        CU_FAIL("a vector");
    }
}

/* ".inf" is without end, too. */
static double number(const struct gs_ynode *n)
{
    const char *dot = strstr(n->text, ".inf");

    return strtod(dot ? dot + 1 : n->text, NULL)
           * (dot && *n->text == '-' ? -1 : 1);
}

static const struct gs_ynode *in(const struct vector *v, const char *key)
{
    return gs_ynode_find(v->in, key);
}

/* --- shares --------------------------------------------------------------- */

static double share_of(struct names *names, const struct gs_ynode *alloc,
                       const struct gs_ynode *guaranteed,
                       const struct gs_ynode *fair_max)
{
    int64_t used[NAMES], own[NAMES], most[NAMES];

    amounts(names, alloc, GUARANTEE_NONE, used);
    amounts(names, guaranteed, GUARANTEE_NONE, own);
    amounts(names, fair_max, GUARANTEE_NONE, most);
    return guarantee_share(NAMES, used, own, most);
}

static void share_run(const struct vector *v)
{
    struct names names = { .count = 0 };

    is_near(v,
            share_of(&names, in(v, "allocated"), in(v, "guaranteed"),
                     in(v, "fair_max")),
            number(gs_ynode_find(v->expected, "share")));
}

static void separate_run(const struct vector *v)
{
    const struct gs_ynode *sides[] = { vector_in(v, "left"),
                                       vector_in(v, "right") };
    struct names names = { .count = 0 };
    double share[2];

    for (int i = 0; i < 2; i++)
        share[i] = share_of(&names, gs_ynode_find(sides[i], "alloc"),
                            gs_ynode_find(sides[i], "guaranteed"),
                            in(v, "fair_max"));
    is_near(v, (share[0] > share[1]) - (share[0] < share[1]),
            number(gs_ynode_find(v->expected, "compare")));
}

static void fair_max_run(const struct vector *v)
{
    struct names names = { .count = 0 };
    int64_t most[NAMES], limit[NAMES], want[NAMES];
    const struct gs_ynode *n = vector_in(v, "max_root_to_leaf")->child;

    amounts(&names, n, GUARANTEE_NONE, most);
    for (uint32_t d = 0; d < NAMES; d++)
        most[d] = most[d] == 0 ? GUARANTEE_NONE : most[d]; /* of the cluster */
    for (n = n->next; n; n = n->next) {
        amounts(&names, n, GUARANTEE_NONE, limit);
        guarantee_fair_max(NAMES, limit, most);
    }
    amounts(&names, gs_ynode_find(v->expected, "fair_max"), GUARANTEE_NONE,
            want);
    CU_ASSERT_EQUAL(memcmp(most, want, sizeof(want)), 0);
}

/* All that vectors of jobs say: the parts, the order of two, or their ratio. */
static void parts_run(const struct vector *v)
{
    const struct gs_ynode *parts = gs_ynode_find(v->expected,
                                                 "shares_ascending");
    const struct gs_ynode *ratio = gs_ynode_find(v->expected, "ratio");
    struct names names = { .count = 0 };
    int64_t total[NAMES], a[NAMES], b[NAMES];
    double x[NAMES], y[NAMES];
    uint32_t n, m;

    amounts(&names, in(v, "total"), GUARANTEE_NONE, total);
    amounts(&names, parts ? in(v, "res") : in(v, "left"), GUARANTEE_NONE, a);
    amounts(&names, in(v, "right"), GUARANTEE_NONE, b);
    n = guarantee_parts(NAMES, a, total, x);
    m = guarantee_parts(NAMES, b, total, y);
    if (parts) {
        CU_ASSERT_EQUAL(n, parts->len);
        for (uint32_t i = 0; i < n && i < parts->len; i++) {
            const struct gs_ynode *want = parts->child;

            for (uint32_t k = 0; k < i; k++)
                want = want->next;
            is_near(v, x[i], number(want));
        }
    } else if (ratio) {
        const double is = (n ? x[n - 1] : 0) / (m ? y[m - 1] : 0);

        is_near(v, isnan(is) ? 1 : is, number(ratio));
    } else {
        is_near(v, guarantee_compare(NAMES, a, b, total),
                number(gs_ynode_find(v->expected, "compare")));
    }
}

static void misfit_run(const struct vector *v)
{
    struct names names = { .count = 0 };
    int64_t free[NAMES], asked[NAMES];

    amounts(&names, vector_in(v, "ask"), 0, asked);
    amounts(&names, in(v, "available"), GUARANTEE_NONE, free);
    is_near(v, guarantee_misfit(NAMES, free, asked),
            number(gs_ynode_find(v->expected, "score")));
}

static void priority_run(const struct vector *v)
{
    static const char *const queues[] = { "leaf", "parent" };
    int32_t most = INT32_MIN;

    for (const struct gs_ynode *n = vector_in(v, "ask_priorities")->child; n;
         n = n->next)
        most = whole(n) > most ? (int32_t)whole(n) : most;
    for (int i = 0; i < 2; i++) {
        const struct gs_ynode *q = vector_in(v, queues[i]);

        most = guarantee_priority(
            most, whole(gs_ynode_find(q, "offset")),
            strcmp(gs_ynode_find(q, "policy")->text, "fence") == 0);
        CU_ASSERT_EQUAL(most, whole(gs_ynode_find(v->expected, queues[i])));
    }
}

/* --- orders --------------------------------------------------------------- */

static bool says(const struct vector *v, const char *key, const char *word)
{
    return strcmp(vector_in(v, key)->text, word) == 0;
}

/* Sort `at`, stable, and compare the names with those expected. */
static void order_check(const struct vector *v, const char **name, uint32_t *at,
                        uint32_t count,
                        int (*compare)(void *ctx, uint32_t a, uint32_t b),
                        void *ctx)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "order");

    want = want ? want : gs_ynode_find(v->expected, "intended_order");
    CU_ASSERT_PTR_NOT_NULL_FATAL(want);
    CU_ASSERT_EQUAL_FATAL(want->len, count);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t it = at[i];
        uint32_t k = i;

        for (; k > 0 && compare(ctx, it, at[k - 1]) < 0; k--)
            at[k] = at[k - 1];
        at[k] = it;
    }
    want = want->child;
    for (uint32_t i = 0; i < count; i++, want = want->next) {
        if (strcmp(name[at[i]], want->text) != 0)
            vector_fails(v, "another order, from", name[at[i]]);
    }
}

static void queue_put(struct fake *f, struct names *names,
                      const struct gs_ynode *n)
{
    struct fake_queue *q = &f->queue[fake_add(f, GSP_NONE, 1)];
    const struct gs_ynode *priority = gs_ynode_find(n, "priority");

    amounts(names, gs_ynode_find(n, "guaranteed"), 0, q->guarantee);
    amounts(names, gs_ynode_find(n, "allocated"), 0, q->used);
    amounts(names, gs_ynode_find(n, "pending"), 0, q->asked);
    for (uint32_t d = 0; d < NAMES; d++)
        q->asked[d] += q->used[d];
    amounts(names, gs_ynode_find(n, "fair_max"), -1, q->limit);
    q->waiting_priority = priority ? (int32_t)whole(priority) : 0;
}

struct queue_order {
    const struct gsp_module *m;
    void *self;
};

static int queue_compare(void *ctx, uint32_t a, uint32_t b)
{
    const struct queue_order *o = ctx;

    return o->m->queue_order(o->self, a, b);
}

static void queue_sort_run(const struct vector *v)
{
    const struct gs_ynode *start = in(v, "start_order");
    const struct gs_ynode *queues = in(v, "queues");
    const bool is_fair = !in(v, "policy") || says(v, "policy", "fair");
    const bool first = in(v, "consider_priority")
                       && says(v, "consider_priority", "true");
    const union gsp_value value[GSCHED_PARAMS_MAX] = { { .whole = !is_fair },
                                                       { .whole = first } };
    struct queue_order o = { gsched_module_find("fair-queues"), NULL };
    struct names names = { .count = 0 };
    const char *name[MANY];
    uint32_t at[MANY], count = 0;
    struct fake f;

    fake_start(&f);
    queues = queues ? queues : vector_in(v, "queues_in_start_order");
    for (const struct gs_ynode *n = start ? start->child : queues->child; n;
         n = n->next) {
        const char *own = start ? n->text : n->key->text;

        queue_put(&f, &names, gs_ynode_find(queues, own));
        at[count] = count;
        name[count++] = own;
    }
    o.self = fake_module(&f, o.m, value);
    order_check(v, name, at, count, queue_compare, &o);
    fake_end(&f);
}

struct job_order {
    const struct gsp_module *m;
    void *self;
    struct gsp_job job[MANY];
};

static int job_compare(void *ctx, uint32_t a, uint32_t b)
{
    const struct job_order *o = ctx;

    return o->m->job_order(o->self, &o->job[a], &o->job[b]);
}

static void job_sort_run(const struct vector *v)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = {
        { .whole = says(v, "policy", "fair") },
        { .whole = says(v, "consider_priority", "true") }
    };
    struct job_order o = { gsched_module_find("queue-jobs"), NULL, { { 0 } } };
    struct names names = { .count = 0 };
    const char *name[MANY];
    uint32_t at[MANY], count = 0;
    struct fake f;

    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    for (const struct gs_ynode *n = vector_in(v, "apps")->child; n;
         n = n->next) {
        struct gsp_job *j = &o.job[count];

        j->id = count;
        j->since = whole(gs_ynode_find(n, "submit"));
        j->priority = (int32_t)whole(gs_ynode_find(n, "priority"));
        amounts(&names, gs_ynode_find(n, "allocated"), 0, j->used);
        at[count] = count;
        name[count++] = n->key->text;
    }
    o.self = fake_module(&f, o.m, value);
    order_check(v, name, at, count, job_compare, &o);
    fake_end(&f);
}

/* --- nodes ---------------------------------------------------------------- */

static void node_run(const struct vector *v)
{
    static const char *const ways[] = { "first=least", "first=most" };
    static const char *const policies[] = { "fair", "binpacking" };
    struct names names = { .count = 0 };
    int64_t total[NAMES], used[NAMES];
    const struct gsp_task none = { .share = 0 };

    amounts(&names, vector_in(v, "total"), 0, total);
    amounts(&names, vector_in(v, "used"), 0, used);
    for (int i = 0; i < 2; i++) {
        struct gsp_states s = { .count = 1 };
        double points;
        char weights[256] = "resources={";
        struct fake_use use = { "node-usage", { ways[i], weights, NULL } };

        for (uint32_t d = 0; d < NAMES; d++) {
            s.capacity[d][0] = total[d];
            s.free[d][0] = total[d] - used[d];
        }
        for (const struct gs_ynode *w = vector_in(v, "weights")->child; w;
             w = w->next) {
            const size_t len = strlen(weights);

            snprintf(weights + len, sizeof(weights) - len, "%s: %s, ",
                     fake_dim_names[dim_of(&names, w->key->text)], w->text);
        }
        strcpy(weights + strlen(weights) - 2, "}");
        fake_scores(&use, &s, &none, &points);
        /* the lowest score there is the highest here */
        is_near(v, 1 - points / 100,
                number(gs_ynode_find(v->expected, policies[i])));
    }
}

/* --- limits --------------------------------------------------------------- */

/* A job of the queue may take `want`, and no more of any resource. */
static void room_check(const struct vector *v, struct names *names,
                       struct fake *f, uint32_t queue,
                       const struct gs_ynode *want)
{
    const struct gsp_module *m = gsched_module_find("queue-limits");
    static const union gsp_value value[GSCHED_PARAMS_MAX];
    void *self = fake_module(f, m, value);
    const struct gsp_job j = { .queue = queue };

    for (const struct gs_ynode *n = want->child; n; n = n->next) {
        int64_t asked[NAMES] = { 0 };
        int64_t *of = &asked[dim_of(names, n->key->text)];

        *of = whole(n);
        CU_ASSERT(m->allocatable(self, &j, asked));
        ++*of;
        if (m->allocatable(self, &j, asked))
            vector_fails(v, "too much room for", n->key->text);
    }
}

static uint32_t limited_add(struct fake *f, struct names *names,
                            uint32_t parent, const struct gs_ynode *max,
                            const struct gs_ynode *alloc)
{
    const uint32_t q = fake_add(f, parent, 1);
    int64_t used[NAMES];

    amounts(names, max, -1, f->queue[q].limit);
    amounts(names, alloc, 0, used);
    for (uint32_t d = 0; d < NAMES; d++)
        FAKE_BOOK(f, q, used, d, used[d]);
    return q;
}

/* The first mapping from `n` on. */
static const struct gs_ynode *map_next(const struct gs_ynode *n)
{
    while (n && n->kind != GS_YMAP)
        n = n->next;
    return n;
}

/* Queues in a chain, as `chain` or by their names; what the ones below hold is
 * part of what those above do where these state their own.
 */
static void headroom_run(const struct vector *v)
{
    static const char *const levels[] = { "root", "parent", "leaf" };
    const struct gs_ynode *chain = in(v, "chain");
    struct names names = { .count = 0 };
    uint32_t queue = GSP_NONE, n = 0;
    struct fake f;

    fake_start(&f);
    if (chain) {
        for (const struct gs_ynode *c = chain->child; c; c = c->next, n++) {
            queue = fake_add(&f, queue, 1);
            amounts(&names, gs_ynode_find(c, "max"), -1, f.queue[queue].limit);
            amounts(&names, gs_ynode_find(c, "alloc"), 0, f.queue[queue].used);
        }
        for (uint32_t q = 0; q < n && q < 3; q++) {
            const struct gs_ynode *want = gs_ynode_find(v->expected, levels[q]);

            if (want)
                room_check(v, &names, &f, q, want);
        }
    } else if (in(v, "max_root_to_leaf")) {
        for (const struct gs_ynode *c = in(v, "max_root_to_leaf")->child; c;
             c = c->next)
            queue = limited_add(&f, &names, queue, c, NULL);
        room_check(v, &names, &f, queue, gs_ynode_find(v->expected, "max"));
    } else if (in(v, "max")) {
        queue = limited_add(&f, &names, queue, in(v, "max"), in(v, "alloc"));
        room_check(v, &names, &f, queue, gs_ynode_find(v->expected, "leaf"));
    } else {
        /* the first queue is above the others */
        for (const struct gs_ynode *c = map_next(v->in->child); c;
             c = map_next(c->next))
            (void)limited_add(&f, &names, n++ ? 0 : GSP_NONE,
                              gs_ynode_find(c, "max"),
                              gs_ynode_find(c, "alloc"));
        n = 0;
        for (const struct gs_ynode *c = map_next(v->in->child); c;
             c = map_next(c->next), n++) {
            const struct gs_ynode *want = gs_ynode_find(v->expected,
                                                        c->key->text);

            if (want)
                room_check(v, &names, &f, n, want);
        }
    }
    fake_end(&f);
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
    static const struct vector_group groups[] = {
        { "yk-fairmax-index", queue_sort_run },
        { "yk-fairmax-", fair_max_run },
        { "yk-usage-separate-", separate_run },
        { "yk-fair-share", share_run },
        { "yk-app-fair", parts_run },
        { "yk-reservation-score", misfit_run },
        { "yk-queue-sort", queue_sort_run },
        { "yk-app-sort", job_sort_run },
        { "yk-node-score", node_run },
        { "yk-priority", priority_run },
        { "yk-headroom", headroom_run },
    };

    return vectors_main(&(struct vector_suite){
        "policies/vectors_guarantee", "tests/data/vectors/yunikorn.yaml",
        groups, N_ELEMENTS(groups), NULL, 0 });
}
