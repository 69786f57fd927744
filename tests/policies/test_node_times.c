/* tests/policies/test_node_times.c - sets of nodes by time, against a table
 * that has each node at each time.
 */
#include "base/rng.h"
#include "policies/reservation/node_times.h"
#include "policies/scheduler.h"
#include "tests/lib/suite.h"

#define TABLES 60 /* times SEEDS */
#define CHANGES 400
#define NODES_MAX 150
#define TIMES 240 /* from 0 on; what is later is as the last */
#define TAKEN_MAX 40

struct taken {
    bool node[NODES_MAX];
    int64_t from, to;
};

struct table {
    struct node_times *times;
    uint32_t nodes;
    int64_t now;
    bool is_free[TIMES][NODES_MAX];
    struct taken taken[TAKEN_MAX];
    uint32_t taken_count;
    uint32_t faults;
};

static uint32_t below(struct gs_rng *r, uint32_t n)
{
    return (uint32_t)gs_rng_below(r, n);
}

static uint32_t set_of(struct table *t, const bool *node)
{
    const uint32_t set = node_times_set_new(t->times);

    for (uint32_t i = 0; i < t->nodes; i++) {
        if (node[i])
            node_times_set(t->times, set)[i / 64] |= UINT64_C(1) << i % 64;
    }
    return set;
}

static void table_set(struct table *t, const struct taken *k, bool is_free)
{
    for (int64_t at = k->from; at < k->to && at < TIMES; at++) {
        for (uint32_t i = 0; i < t->nodes; i++)
            t->is_free[at][i] = k->node[i] ? is_free : t->is_free[at][i];
    }
}

static bool node_is_free(const struct table *t, uint32_t node, int64_t at,
                         int64_t time)
{
    for (; time > 0 && at < TIMES; time--, at++) {
        if (!t->is_free[at][node])
            return false;
    }
    return true;
}

/* The nodes, as far as there are enough that are free or of `own`. */
static bool table_lowest(const struct table *t, const struct nodes_sought *it,
                         const struct taken *own, int64_t at, bool *node)
{
    uint32_t left = it->nodes;

    for (uint32_t i = 0; i < t->nodes; i++) {
        const bool is_own = own && own->node[i];
        const int64_t time = is_own && it->before - at < it->time
                                 ? it->before - at
                                 : it->time;

        node[i] = left > 0 && node_is_free(t, i, at, time);
        left -= node[i];
    }
    return left == 0;
}

static int64_t table_earliest(const struct table *t,
                              const struct nodes_sought *it,
                              const struct taken *own, bool *node)
{
    const int64_t end = it->before < TIMES + 1 ? it->before : TIMES + 1;

    for (int64_t at = it->from; at < end; at++) {
        if (table_lowest(t, it, own, at, node))
            return at;
    }
    return it->before;
}

static void check_set(struct table *t, const struct nodes_sought *it,
                      int64_t at, const bool *node)
{
    const uint32_t set = node_times_set_new(t->times);
    uint32_t expect;

    t->faults += !node_times_lowest(t->times, it, at, set);
    expect = set_of(t, node);
    for (uint32_t i = 0; i < node_times_words(t->times); i++)
        t->faults += node_times_set(t->times, set)[i]
                     != node_times_set(t->times, expect)[i];
    node_times_set_free(t->times, expect);
    node_times_set_free(t->times, set);
}

/* Take nodes at the earliest time, as a new gang does. */
static void take_any(struct table *t, struct gs_rng *r)
{
    struct taken *k = &t->taken[t->taken_count];
    struct nodes_sought it = { .from = t->now, .before = GSCHED_NEVER };
    int64_t at, expect;
    uint32_t set;

    it.nodes = 1 + below(r, t->nodes);
    it.time = 1 + below(r, 30);
    expect = table_earliest(t, &it, NULL, k->node);
    at = node_times_earliest(t->times, &it);
    t->faults += at != expect;
    if (at + it.time > TIMES || at != expect)
        return;
    check_set(t, &it, at, k->node);
    k->from = at;
    k->to = at + it.time;
    set = set_of(t, k->node);
    t->faults += !node_times_are_free(t->times, set, k->from, k->to);
    node_times_take(t->times, set, k->from, k->to);
    t->faults += node_times_are_free(t->times, set, k->from, k->to);
    node_times_set_free(t->times, set);
    table_set(t, k, false);
    t->taken_count++;
}

static void give_one(struct table *t, struct gs_rng *r)
{
    const uint32_t i = below(r, t->taken_count);
    struct taken *k = &t->taken[i];
    const uint32_t set = set_of(t, k->node);

    node_times_give(t->times, set, k->from, k->to);
    node_times_set_free(t->times, set);
    table_set(t, k, true);
    *k = t->taken[--t->taken_count];
}

/* A better start for one that has nodes: all is looked at. */
static void better_one(struct table *t, struct gs_rng *r)
{
    const struct taken *k = &t->taken[below(r, t->taken_count)];
    struct nodes_sought it = { .from = t->now, .before = k->from };
    bool node[NODES_MAX];
    int64_t at, expect;

    if (k->from <= t->now)
        return;
    for (uint32_t i = 0; i < t->nodes; i++)
        it.nodes += k->node[i];
    it.time = k->to - k->from;
    it.own = set_of(t, k->node);
    expect = table_earliest(t, &it, k, node);
    t->faults += !node_times_better(t->times, &it, &at);
    t->faults += at != expect;
    if (at == expect && table_lowest(t, &it, k, at, node))
        check_set(t, &it, at, node);
    node_times_set_free(t->times, it.own);
}

/* One that has the earliest start of all, then others are given: only what
 * these leave is looked at.
 */
static void better_since(struct table *t, struct gs_rng *r)
{
    const uint32_t count = t->taken_count;
    struct nodes_sought it = { .from = t->now,
                               .since = node_times_version(t->times) };
    bool node[NODES_MAX];
    struct taken k;
    int64_t at, expect;

    take_any(t, r);
    if (t->taken_count == count)
        return;
    k = t->taken[--t->taken_count];
    for (uint32_t n = below(r, 3); n > 0 && t->taken_count > 0; n--)
        give_one(t, r);
    t->taken[t->taken_count++] = k;
    if (k.from <= t->now)
        return;
    for (uint32_t i = 0; i < t->nodes; i++)
        it.nodes += k.node[i];
    it.time = k.to - k.from;
    it.before = k.from;
    it.own = set_of(t, k.node);
    expect = table_earliest(t, &it, &k, node);
    if (!node_times_better(t->times, &it, &at)) {
        t->faults += expect != it.before;
        check_set(t, &it, k.from, k.node);
    } else if (at == expect && table_lowest(t, &it, &k, at, node)) {
        check_set(t, &it, at, node);
    } else {
        t->faults++;
    }
    node_times_set_free(t->times, it.own);
}

static void pass(struct table *t, struct gs_rng *r)
{
    t->now += below(r, 3);
    node_times_trim(t->times, t->now);
    for (uint32_t i = 0; i < t->taken_count;) {
        if (t->taken[i].to <= t->now)
            t->taken[i] = t->taken[--t->taken_count];
        else
            i++;
    }
}

static uint32_t faults_of(uint64_t seed)
{
    static struct table t;
    struct gs_rng r;

    gs_rng_init(&r, seed, "node times");
    t = (struct table){ .nodes = 1 + below(&r, NODES_MAX) };
    t.times = node_times_new(t.nodes);
    for (uint32_t at = 0; at < TIMES; at++) {
        for (uint32_t i = 0; i < t.nodes; i++)
            t.is_free[at][i] = true;
    }
    for (uint32_t i = 0; i < CHANGES && t.now < TIMES / 2 && !t.faults; i++) {
        const uint32_t what = below(&r, 8);

        if (t.taken_count + 1 < TAKEN_MAX && what < 3)
            take_any(&t, &r);
        else if (t.taken_count + 1 < TAKEN_MAX && what == 3)
            better_since(&t, &r);
        else if (t.taken_count > 0 && what < 6)
            better_one(&t, &r);
        else if (t.taken_count > 0 && what == 6)
            give_one(&t, &r);
        else
            pass(&t, &r);
    }
    node_times_free(t.times);
    return t.faults;
}

static void test_tables(void)
{
    const uint64_t seeds = suite_rounds(TABLES);

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const uint32_t faults = faults_of(seed);

        CU_ASSERT_EQUAL(faults, 0);
        if (faults) {
            fprintf(stderr, "\n  seed %llu: %u faults",
                    (unsigned long long)seed, faults);
            break;
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "sets of nodes by time are those of a table", test_tables },
    };

    return suite_run("policies/node_times", suite, N_ELEMENTS(suite));
}
