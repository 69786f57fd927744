/* tests/policies/test_waterfill.c - deserved shares of random trees of queues
 * equal a solver that knows nothing of rounds.
 *
 * For each resource by itself, a parent's children are cups of one width per
 * weight.  Volcano's first round gives each its part by weight, but at least
 * its guarantee; what is left then comes on top for all, those lifted to their
 * guarantee included.  So with m1 = total / weights a child has, at level m,
 *
 *   min(cap, max(guarantee, m1 x weight) + (m - m1) x weight)
 *   cap = max(guarantee, min(asked, limit, total - the others' guarantees))
 *
 * and m >= m1 is where the children's sum is the total, or all caps are
 * reached.  (Were guarantees only a floor under m x weight, as in textbooks,
 * less would go to queues that have one: not what Volcano does.)
 */
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "tests/lib/fake_host.h"

#define TREES 200
#define STEPS 200 /* of the bisection */
#define NEAR 1e-6L
#define GRAIN 1.5L /* amounts are looked for in whole numbers */

static const uint32_t dims[] = { GSP_CPU, GSP_MEMORY, GSP_GPU };

/* --- the other solver ----------------------------------------------------- */

struct one {
    uint32_t queue;
    long double weight, floor, cap;
};

static long double height(const struct one *c, long double first, long double m)
{
    const long double part = first * c->weight;
    const long double base = part > c->floor ? part : c->floor;
    const long double x = base + (m - first) * c->weight;

    return x < c->cap ? x : c->cap;
}

static long double heights(const struct one *c, uint32_t n, long double first,
                           long double m)
{
    long double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += height(&c[i], first, m);
    return sum;
}

static void level_find(const struct one *c, uint32_t n, long double total,
                       long double *out)
{
    long double weights = 0, low, high, first;

    for (uint32_t i = 0; i < n; i++)
        weights += c[i].weight;
    first = low = high = total / weights;
    if (heights(c, n, first, first) < total) {
        for (uint32_t i = 0; i < n; i++)
            high += c[i].cap / c[i].weight; /* above all caps */
        for (int step = 0; step < STEPS; step++) {
            const long double mid = (low + high) / 2;

            if (heights(c, n, first, mid) < total)
                low = mid;
            else
                high = mid;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        out[c[i].queue] = height(&c[i], first, high);
}

static bool takes_part(const struct fake *f, uint32_t q)
{
    for (uint32_t d = 0; d < FAKE_DIMS; d++) {
        if (f->queue[q].asked[d] > 0)
            return true;
    }
    return false;
}

/* Divide `total` among the children of `parent`, and on below them. */
static void solve(const struct fake *f, uint32_t parent, uint32_t dim,
                  long double total, long double *out)
{
    struct one c[FAKE_QUEUES];
    long double kept = 0;
    uint32_t n = 0;

    for (uint32_t q = 0; q < f->queues; q++) {
        if (f->queue[q].parent != parent)
            continue;
        out[q] = 0;
        if (takes_part(f, q)) {
            c[n++].queue = q;
            kept += (long double)f->queue[q].guarantee[dim];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct fake_queue *q = &f->queue[c[i].queue];
        const long double floor = (long double)q->guarantee[dim];
        long double cap = (total > kept ? total - kept : 0) + floor;

        if (q->limit[dim] >= 0 && (long double)q->limit[dim] < cap)
            cap = (long double)q->limit[dim];
        if ((long double)q->asked[dim] < cap)
            cap = (long double)q->asked[dim];
        c[i].weight = (long double)q->weight;
        c[i].floor = floor;
        c[i].cap = cap > floor ? cap : floor;
    }
    if (n)
        level_find(c, n, total, out);
    for (uint32_t q = 0; q < f->queues; q++) {
        if (f->queue[q].parent == parent)
            solve(f, q, dim, out[q], out);
    }
}

/* --- the module ----------------------------------------------------------- */

/* The deserved share by the module: the least amount that makes the queue
 * overused.
 */
static int64_t deserved(struct fake *f, void *self, uint32_t q, uint32_t dim)
{
    const struct gsp_module *m = gsched_module_find("queue");
    int64_t low = 0, high = INT64_C(1) << 52;

    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        f->queue[q].used[d] = high;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;

        f->queue[q].used[dim] = mid;
        if (m->overused(self, q))
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static int64_t drawn(struct gs_rng *r, int64_t most)
{
    return (int64_t)gs_rng_below(r, (uint64_t)most) + 1;
}

static void amounts_draw(struct gs_rng *r, struct fake *f, uint32_t q,
                         uint32_t dim, int64_t about)
{
    struct fake_queue *x = &f->queue[q];

    if (gs_rng_below(r, 3) == 0)
        x->guarantee[dim] = drawn(r, about / 3);
    if (gs_rng_below(r, 4) == 0)
        x->limit[dim] = x->guarantee[dim] + drawn(r, about);
    if (gs_rng_below(r, 5))
        FAKE_BOOK(f, q, asked, dim, drawn(r, about * 2));
}

/* `left` levels of up to four queues below `parent`. */
static void tree_draw(struct gs_rng *r, struct fake *f, uint32_t parent,
                      int left, int64_t about)
{
    const uint64_t n = 1 + gs_rng_below(r, 4);

    for (uint64_t i = 0; i < n; i++) {
        const double weight = (double)(1 + gs_rng_below(r, 40)) / 2;
        const uint32_t q = fake_add(f, parent, weight);

        if (left > 1 && gs_rng_below(r, 4))
            tree_draw(r, f, q, left - 1, about / 2);
        else if (gs_rng_below(r, 6) == 0)
            continue; /* asks for nothing, but may be guaranteed some */
        for (size_t d = 0; d < N_ELEMENTS(dims); d++)
            amounts_draw(r, f, q, dims[d], about);
    }
}

static uint32_t faults_of(uint64_t seed)
{
    static const union gsp_value proportion[GSCHED_PARAMS_MAX] = {
        { .whole = 0 }
    };
    long double expect[FAKE_QUEUES];
    uint32_t faults = 0;
    struct gs_rng r;
    struct fake f;
    void *self;

    fake_start(&f);
    gs_rng_init(&r, seed, "waterfill");
    for (size_t d = 0; d < N_ELEMENTS(dims); d++)
        f.total[dims[d]] = drawn(&r, INT64_C(100000000000000));
    f.total[GSP_PODS] = 1;
    tree_draw(&r, &f, GSP_NONE, 3, f.total[dims[seed % 3]] / 2);
    self = fake_module(&f, gsched_module_find("queue"), proportion);
    for (size_t d = 0; d < N_ELEMENTS(dims); d++) {
        solve(&f, GSP_NONE, dims[d], (long double)f.total[dims[d]], expect);
        for (uint32_t q = 0; q < f.queues; q++) {
            const int64_t got = deserved(&f, self, q, dims[d]);

            if (fabsl((long double)got - expect[q]) <= NEAR * expect[q] + GRAIN)
                continue;
            if (faults++ == 0)
                fprintf(stderr,
                        "\n  seed %llu, queue %u, dim %u: %lld, not %Lf",
                        (unsigned long long)seed, q, dims[d], (long long)got,
                        expect[q]);
        }
    }
    fake_end(&f);
    return faults;
}

static void test_trees(void)
{
    uint32_t faulty = 0;

    for (uint64_t seed = 1; seed <= TREES && faulty < 3; seed++)
        faulty += faults_of(seed) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "shares of random trees equal another solution", test_trees },
    };

    return suite_run("policies/waterfill", suite, N_ELEMENTS(suite));
}
