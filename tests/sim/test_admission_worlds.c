/* tests/sim/test_admission_worlds.c - quota in random trees of queues: after
 * each cycle all amounts are reckoned anew from the jobs that hold quota.
 * Where only the root has quota, decisions are those of a tree whose queues are
 * tried one by one.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/text.h"
#include "policies/pending/rival_trie.h"
#include "policies/scheduler.h"
#include "policies/state/quota_holds.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

#define ROUNDS 60
#define JOBS 60
#define TEXT 30000
#define SECOND INT64_C(1000000)
#define put(...) gs_text_add(text, TEXT, __VA_ARGS__)

static const char *const paths[] = { "r",     "r/a", "r/b", "r/c", "r/a/1",
                                     "r/a/2", "s",   "s/a", "s/b" };

#define QUEUES (sizeof(paths) / sizeof(paths[0]))

static char text[TEXT];

#define NODES                                                         \
    "cluster: c\nnode_types:\n  n: {gpus: 8, cpu: 32}\nnodes:\n"      \
    "  - {name: \"a[1-2]\", type: n, labels: {kind: a}}\n  - {name: " \
    "\"b[1-2]\", type: n, labels: {kind: b}}\n"

/* --- a world -------------------------------------------------------------- */

static void amounts_put(struct gs_rng *r)
{
    const unsigned own = below(r, 9);

    put("guarantee: {gpu: %u}", own);
    if (below(r, 3) == 0)
        put(", borrow: {gpu: %u}", below(r, 5));
    if (below(r, 3) == 0)
        put(", lend: {gpu: %u}", below(r, own + 1));
}

static void queue_put(struct gs_rng *r, size_t i, bool flavors)
{
    static const char *const own[] = { "never", "lower", "lower-or-newer" };
    static const char *const others[] = { "never", "lower", "any" };

    put("  - {name: %s, weight: %u, evicts_own: %s, "
        "evicts_others: %s, evicts_borrowing: %s, "
        "head_blocks: %s, next_flavor_borrowing: %s, "
        "next_flavor_evicting: %s, ",
        paths[i], below(r, 4), own[below(r, 3)], others[below(r, 3)],
        below(r, 2) ? "true" : "false", below(r, 4) ? "false" : "true",
        below(r, 2) ? "true" : "false", below(r, 2) ? "true" : "false");
    if (flavors) {
        put("flavors: [{name: a, ");
        amounts_put(r);
        put("}, {name: b, ");
        amounts_put(r);
        put("}]");
    } else {
        amounts_put(r);
    }
    put("}\n");
}

static void world_make(struct gs_rng *r)
{
    const bool flavors = below(r, 2);

    text[0] = '\0';
    if (flavors)
        put("flavors: [{name: a, nodes: {kind: a}}, {name: "
            "b, nodes: {kind: b}}]\n");
    put("priority_classes: {p0: {value: 0}, p1: {value: "
        "1}, p2: {value: 2}}\nqueues:\n");
    for (size_t i = 0; i < QUEUES; i++)
        queue_put(r, i, flavors);
    put("jobs:\n");
    for (unsigned i = 0; i < JOBS; i++) {
        const unsigned least = 1 + below(r, 3);

        put("  - {name: j%u", i);
        put(", submit: %u", below(r, 40));
        put(", duration: %u", 1 + below(r, 20));
        put(", queue: %s", paths[below(r, QUEUES)]);
        put(", priority: p%u", below(r, 3));
        put(", gpus: %u", 1 + below(r, 3));
        put(", replicas: {min: %u, ", least);
        put("max: %u}}\n", least + below(r, 3));
    }
}

/* --- amounts anew --------------------------------------------------------- */

static int64_t above(int64_t x, int64_t y)
{
    return x > y ? x - y : 0;
}

static int64_t subtree(const struct quotas *q, uint32_t n, uint32_t cell);

/* What others never get of the node's. */
static int64_t local(const struct quotas *q, uint32_t n, uint32_t cell)
{
    const int64_t lend = quotas_amount(q, n, cell)->lend;

    return lend < 0 ? 0 : above(subtree(q, n, cell), lend);
}

static int64_t subtree(const struct quotas *q, uint32_t n, uint32_t cell)
{
    int64_t sum = quotas_amount(q, n, cell)->nominal;

    for (uint32_t c = quotas_node(q, n)->first_child; c != QUOTA_NONE;
         c = quotas_node(q, c)->next_child)
        sum += subtree(q, c, cell) - local(q, c, cell);
    return sum;
}

static int64_t own_usage(const struct gsched *s, uint32_t n, uint32_t cell)
{
    int64_t sum = 0;

    for (uint32_t j = 0; j < s->quotas->hold_count; j++) {
        const struct quota_job *h = quotas_job(s->quotas->q, j);
        const struct quota_ask *ask;
        uint32_t asks;

        if (h->node != n)
            continue;
        ask = quotas_need_at(s->quotas->q, h->need, &asks);
        for (uint32_t i = 0; i < asks; i++)
            sum += ask[i].cell == cell ? ask[i].amount : 0;
    }
    return sum;
}

/* Of the node; counts amounts that are not kept. */
static int64_t usage(const struct gsched *s, uint32_t n, uint32_t cell,
                     unsigned *wrong)
{
    const struct quotas *q = s->quotas->q;
    const struct quota_amount *a = quotas_amount(q, n, cell);
    const int64_t own = subtree(q, n, cell);
    int64_t sum = own_usage(s, n, cell);

    for (uint32_t c = quotas_node(q, n)->first_child; c != QUOTA_NONE;
         c = quotas_node(q, c)->next_child)
        sum += above(usage(s, c, cell, wrong), local(q, c, cell));
    *wrong += sum != a->usage || own != a->subtree;
    *wrong += quotas_is_root(quotas_node(q, n)) && sum > own;
    *wrong += a->borrow >= 0 && sum > own + a->borrow;
    return sum;
}

static unsigned faults(const struct gsched *s)
{
    const struct quotas *q = s->quotas->q;
    unsigned wrong = 0;

    for (uint32_t t = 0; t < quotas_trees(q); t++) {
        for (uint32_t c = 0; c < quotas_tree(q, t)->cells; c++)
            (void)usage(s, quotas_tree(q, t)->root, c, &wrong);
    }
    return wrong;
}

/* --- a run ---------------------------------------------------------------- */

struct run {
    uint32_t placed[JOBS];
    int64_t ends[JOBS]; /* 0: it does not run */
    bool is_over[JOBS];
    uint64_t trail; /* of all decisions, and of what jobs lacked */
};

static void decided(struct run *r, const struct world *w,
                    const struct gsched_decision *d, int64_t now)
{
    const struct trace_job *j = &w->work->job[d->job];

    if (d->kind == GSCHED_PLACE) {
        r->placed[d->job] += d->grant.tasks;
        if (r->placed[d->job] >= j->gang && !r->ends[d->job])
            r->ends[d->job] = now + j->duration;
    } else if (d->kind == GSCHED_SHRINK) {
        r->placed[d->job] -= d->grant.tasks;
        if (r->placed[d->job] < j->gang)
            r->ends[d->job] = 0;
    } else if (d->kind == GSCHED_RETURN) {
        r->placed[d->job] = 0;
        r->ends[d->job] = 0;
    } else if (d->kind == GSCHED_REJECT) {
        r->is_over[d->job] = true;
    }
}

static void trail_add(struct run *r, const struct gsched *s,
                      const struct gsched_decision *d, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        r->trail = gs_hash_mix(gs_hash_mix(r->trail, d[i].kind), d[i].job);
    for (uint32_t j = 0; j < JOBS; j++) {
        struct gsched_lack l;

        /* not what was left: that is as of the last time that it was tried, or
         * one that loses with it
         */
        if (gsched_quota_lack(s, j, &l))
            r->trail = gs_hash_mix(gs_hash_mix(r->trail, (uint64_t)l.asked),
                                   l.queue ^ l.dim << 16);
    }
}

static unsigned world_drive(struct world *w, struct gsched *s, uint64_t *trail)
{
    struct run r = { .placed = { 0 } };
    unsigned wrong = 0;

    for (int64_t now = 0; now < 400 * SECOND; now += SECOND) {
        const struct gsched_decision *d;
        uint32_t count;

        for (uint32_t j = 0; j < w->work->job_count; j++) {
            if (w->work->job[j].submit == now)
                CU_ASSERT_EQUAL(gsched_submit(s, j, w->work->job[j].tasks, now),
                                0);
            if (r.ends[j] && r.ends[j] <= now) {
                CU_ASSERT_EQUAL(gsched_end(s, j, now), 0);
                r.ends[j] = 0;
                r.is_over[j] = true;
            }
        }
        d = gsched_cycle(s, now, &count);
        for (uint32_t i = 0; i < count; i++)
            decided(&r, w, &d[i], now);
        trail_add(&r, s, d, count);
        wrong += faults(s);
    }
    *trail = r.trail;
    return wrong;
}

static void test_worlds(void)
{
    static const char *const profiles[] = {
        "actions: [admit, allocate]\nunit: pod\nmodules: [quota, priority]\n",
        "actions: [admit, allocate]\nunit: gang\nmodules: [{quota: {shares: "
        "yes}}, priority, gang]\n",
        "actions: [admit, allocate, preempt]\nunit: pod\nmodules: [{quota: "
        "{ready: 3s, pause: 1s, attempts: 4}}, {account-usage: {interval: 7s, "
        "half_life: 20s}}, priority, constraints]\n",
    };
    const char *seeds = getenv("SEEDS");
    const unsigned rounds = seeds ? (unsigned)atoi(seeds) : ROUNDS;

    for (unsigned i = 0; i < rounds; i++) {
        struct gs_rng r;
        struct world w;
        struct gsched_profile *p;
        struct topo_cluster *c;
        struct gsched *s;
        unsigned wrong = 1;
        uint64_t trail;

        gs_rng_init(&r, i, "admission");
        world_make(&r);
        world_init(&w);
        if (world_load(&w, NODES, text, &(struct trace_options){ 0 }) == 0
            && (p = world_profile(&w, profiles[i % 3]))) {
            c = topo_cluster_create(w.topo);
            s = gsched_create(c, w.work, p, 1, &w.err);
            wrong = s ? world_drive(&w, s, &trail) : 1;
            gsched_destroy(s);
            topo_cluster_destroy(c);
        }
        if (wrong)
            printf("  world %u: %u amounts are wrong %s\n", i, wrong,
                   w.err.count ? w.err.problem[0].text : "");
        CU_ASSERT_EQUAL(wrong, 0);
        world_fini(&w);
    }
}

/* --- one quota ------------------------------------------------------------ */

#define RIVALS 12

/* All quota is the root's.  With `one_by_one` a queue without jobs could evict,
 * so that nothing is known of the others.
 */
static void rivals_make(struct gs_rng *r, bool one_by_one)
{
    const bool cpus = below(r, 3) == 0, deep = below(r, 2);

    text[0] = '\0';
    put("priority_classes: {p0: {value: 0}, p1: {value: 1}}\nqueues:\n"
        "  - {name: r, guarantee: {gpu: %u",
        8 + below(r, 17));
    put(cpus ? ", cpu: %u}}\n" : "}}\n", 8 + below(r, 30));
    for (unsigned i = 0; i < RIVALS; i++)
        put(deep && i % 2 ? "  - {name: r/q%u/q}\n" : "  - {name: r/q%u}\n", i);
    put("  - {name: r/none%s}\njobs:\n",
        one_by_one ? ", evicts_own: lower" : "");
    for (unsigned i = 0; i < JOBS; i++) {
        const unsigned queue = below(r, RIVALS);

        put("  - {name: j%u, submit: %u", i, below(r, 60));
        put(", duration: %u", 1 + below(r, 20));
        put(deep && queue % 2 ? ", queue: r/q%u/q" : ", queue: r/q%u", queue);
        put(", priority: p%u", below(r, 8) == 0);
        put(", gpus: %u", below(r, 2) ? 1 + below(r, 8) : 1);
        if (below(r, 3) == 0)
            put(", cpu: %u", 1 + below(r, 8));
        if (below(r, 4) == 0)
            put(", replicas: %u", 1 + below(r, 3));
        put("}\n");
    }
}

/* The trail of the world; *notes: of queues that lost together. */
static uint64_t rivals_drive(unsigned seed, bool one_by_one, uint64_t *notes)
{
    uint64_t trail = 0;
    struct topo_cluster *c;
    struct gsched_profile *p;
    struct gs_rng r;
    struct gsched *s;
    struct world w;

    gs_rng_init(&r, seed, "rivals");
    rivals_make(&r, one_by_one);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(
        world_load(&w, NODES, text, &(struct trace_options){ 0 }), 0);
    p = world_profile(&w, "actions: [admit, allocate]\nunit: pod\n"
                          "modules: [quota, priority]\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    c = topo_cluster_create(w.topo);
    s = gsched_create(c, w.work, p, 1, &w.err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(world_drive(&w, s, &trail), 0);
    *notes += s->rivals->notes;
    gsched_destroy(s);
    topo_cluster_destroy(c);
    world_fini(&w);
    return trail;
}

static void test_rivals(void)
{
    uint64_t together = 0, by_itself = 0;

    for (unsigned i = 0; i < suite_rounds(ROUNDS); i++) {
        const uint64_t a = rivals_drive(i, false, &together);
        const uint64_t b = rivals_drive(i, true, &by_itself);

        if (a != b)
            printf("  world %u of one quota: other decisions\n", i);
        CU_ASSERT_EQUAL(a, b);
    }
    CU_ASSERT(together > 0);
    CU_ASSERT_EQUAL(by_itself, 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "no queue holds more than its tree allows", test_worlds },
        { "queues that lose together lose as one by one", test_rivals },
    };

    return suite_run("sim/admission-worlds", suite,
                     sizeof(suite) / sizeof(suite[0]));
}
