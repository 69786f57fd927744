/* tests/reports/test_fairness.c - held and deserved shares, computed by hand
 * and by bisection.
 */
#include <math.h>

#include "base/rng.h"
#include "tests/lib/rig.h"
#include "tests/lib/suite.h"

#define QUEUES 24
#define TOTAL 32000 /* the rig's */
#define ABSENT ((double)NAN)

struct named {
    const char *name; /* NULL: the end */
    double weight;
    int64_t guarantee, limit; /* GPUs; limit 0: none */
};

struct fair {
    struct rig r;
    uint32_t id[QUEUES];
    int64_t used[QUEUES + 1], asked[QUEUES + 1];
};

static void fair_init(struct fair *f, const struct named *q)
{
    memset(f, 0, sizeof(*f));
    rig_init(&f->r);
    for (const struct named *n = q; n->name; n++) {
        struct trace_queue *to;
        const uint32_t at = trace_queue_put(f->r.work,
                                            rig_name(&f->r, n->name));

        to = &f->r.work->queue[at];
        to->weight = n->weight;
        trace_queue_amounts_put(f->r.work, to)->guarantee[TOPO_GPU] =
            n->guarantee * 1000;
        to->amounts->limit[TOPO_GPU] = n->limit ? n->limit * 1000 : -1;
    }
    rig_begin(&f->r, false);
    for (uint32_t i = 0; q[i].name; i++)
        f->id[i] = trace_queue_find(f->r.work, rig_name(&f->r, q[i].name));
    f->r.now.queue_used = f->used;
    f->r.now.queue_asked = f->asked;
    f->r.now.share_total = TOTAL;
}

/* NAN when there is none. */
static double value_of(struct fair *f, const char *name, const char *label)
{
    uint32_t count;
    const struct report_metric *row = report_metrics_rows(
        f->r.metrics, f->r.log, 64, f->r.arena, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(row[i].name, name) == 0 && strcmp(row[i].label, label) == 0)
            return row[i].value;
    }
    return ABSENT;
}

static void expect(struct fair *f, const char *name, const char *label,
                   double wanted, double within)
{
    const double got = value_of(f, name, label);
    const bool is_right = isnan(wanted) ? isnan(got)
                                        : fabs(got - wanted) <= within;

    if (!is_right)
        printf("\n%s [%s]: %.17g, not %.17g", name, label, got, wanted);
    CU_ASSERT(is_right);
}

/* --- one instant ---------------------------------------------------------- */

/* Deserved shares of queues that hold nothing and ask for this; GPUs of 32. */
static void test_deserved(void)
{
    static const struct {
        struct named queue[5];
        int64_t asked[4];
        double deserved[4];
    } cases[] = {
        { { { "a", 1, 0, 0 }, { "b", 1, 0, 0 } }, { 40, 40 }, { 16, 16 } },
        { { { "a", 3, 0, 0 }, { "b", 1, 0, 0 } }, { 40, 40 }, { 24, 8 } },
        /* what one leaves goes to the others */
        { { { "a", 3, 0, 0 }, { "b", 1, 0, 0 } }, { 4, 40 }, { 4, 28 } },
        { { { "a", 1, 0, 0 }, { "b", 1, 0, 0 } }, { 4, 5 }, { 4, 5 } },
        { { { "a", 1, 0, 0 }, { "b", 1, 0, 0 } }, { 32, 0 }, { 32, ABSENT } },
        /* one after the other meets its bound */
        { { { "a", 1, 0, 0 },
            { "b", 1, 0, 0 },
            { "c", 1, 0, 0 },
            { "d", 1, 0, 0 } },
          { 2, 9, 40, 40 },
          { 2, 9, 10.5, 10.5 } },
        { { { "a", 1, 0, 6 }, { "b", 1, 0, 0 } }, { 40, 40 }, { 6, 26 } },
        { { { "a", 1, 24, 0 }, { "b", 1, 0, 0 } }, { 40, 40 }, { 24, 8 } },
        { { { "a", 1, 24, 0 }, { "b", 1, 0, 0 } }, { 10, 40 }, { 10, 22 } },
        { { { "a", 1, 24, 20 }, { "b", 1, 0, 0 } }, { 40, 40 }, { 20, 12 } },
        /* bounds on both sides: first those that pull harder */
        { { { "a", 1, 20, 0 }, { "b", 2, 0, 4 }, { "c", 1, 0, 0 } },
          { 40, 40, 40 },
          { 20, 4, 8 } },
        { { { "a", 1, 9, 0 }, { "b", 2, 0, 4 }, { "c", 1, 0, 0 } },
          { 40, 40, 40 },
          { 14, 4, 14 } },
        /* guaranteed more than there is */
        { { { "a", 1, 30, 0 }, { "b", 1, 30, 0 }, { "c", 1, 0, 0 } },
          { 40, 40, 40 },
          { 16, 16, 0 } },
        { { { "a", 1, 30, 0 }, { "b", 1, 30, 0 }, { "c", 1, 0, 0 } },
          { 8, 40, 40 },
          { 8, 24, 0 } },
        /* a parent's part is its children's */
        { { { "a", 1, 0, 0 },
            { "a/x", 3, 0, 0 },
            { "a/y", 1, 0, 0 },
            { "b", 1, 0, 0 } },
          { 60, 30, 30, 40 },
          { 16, 12, 4, 16 } },
        { { { "a", 1, 0, 8 },
            { "a/x", 1, 0, 0 },
            { "a/y", 1, 7, 0 },
            { "b", 1, 0, 0 } },
          { 60, 30, 30, 40 },
          { 8, 1, 7, 24 } },
        /* jobs of its own have what children leave */
        { { { "a", 1, 0, 0 }, { "a/x", 1, 0, 0 }, { "b", 1, 0, 0 } },
          { 40, 5, 40 },
          { 16, 5, 16 } },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct fair f;

        fair_init(&f, cases[i].queue);
        for (int k = 0; cases[i].queue[k].name; k++)
            f.asked[f.id[k]] = cases[i].asked[k] * 1000;
        /* an empty second one, or there is nothing to tell */
        f.asked[0] = 1;
        rig_instant(&f.r, 0);
        rig_finished(&f.r, 10);
        for (int k = 0; cases[i].queue[k].name; k++)
            expect(&f, "queue.deserved", cases[i].queue[k].name,
                   cases[i].deserved[k] / 32, 2e-3 / 32);
        rig_fini(&f.r);
    }
}

/* --- over time ------------------------------------------------------------ */

static const struct named two[] = { { "a", 1, 0, 0 }, { "b", 1, 0, 0 }, { 0 } };

static void told(struct fair *f, int64_t at, int64_t a, int64_t asks_a,
                 int64_t b, int64_t asks_b)
{
    f->used[f->id[0]] = a * 1000;
    f->asked[f->id[0]] = asks_a * 1000;
    f->used[f->id[1]] = b * 1000;
    f->asked[f->id[1]] = asks_b * 1000;
    rig_instant(&f->r, at);
}

/* a takes all, b asks, gets half, and a stops asking. */
static void test_integrals(void)
{
    struct fair f;

    fair_init(&f, two);
    told(&f, 0, 32, 64, 0, 0);
    told(&f, 10, 32, 64, 0, 64);
    told(&f, 15, 24, 40, 8, 64);
    told(&f, 15, 16, 40, 16, 64); /* at once */
    told(&f, 30, 0, 0, 16, 16);
    rig_finished(&f.r, 40);
    expect(&f, "queue.share", "a", (15 * 32 + 15 * 16) / 1280.0, 1e-15);
    expect(&f, "queue.share", "b", (15 * 16 + 10 * 16) / 1280.0, 1e-15);
    expect(&f, "queue.share", "default", ABSENT, 0);
    expect(&f, "queue.deserved", "a", (10 * 32 + 20 * 16) / 1280.0, 1e-15);
    expect(&f, "queue.deserved", "b", (20 * 16 + 10 * 16) / 1280.0, 1e-15);
    expect(&f, "fair.drf_max_gap", "", 5 * 16 / 1280.0, 1e-15);
    /* 720 and 400 */
    expect(&f, "fair.jain", "", 1120.0 * 1120 / 2 / (720 * 720 + 400 * 400),
           1e-15);
    rig_fini(&f.r);
}

static void test_jain_by_weight(void)
{
    static const struct named q[] = { { "a", 3, 0, 0 },
                                      { "b", 1, 0, 0 },
                                      { 0 } };
    struct fair f;

    fair_init(&f, q);
    told(&f, 0, 24, 40, 8, 40);
    rig_finished(&f.r, 10);
    expect(&f, "fair.jain", "", 1, 1e-15);
    expect(&f, "fair.drf_max_gap", "", 0, 1e-15);
    rig_fini(&f.r);
}

/* With one queue there are no rows. */
static void test_one_queue(void)
{
    static const char *const name[] = { "fair.jain", "fair.drf_max_gap",
                                        "queue.share", "queue.deserved" };
    static const struct named nested[] = { { "a", 1, 0, 0 },
                                           { "a/b", 1, 0, 0 },
                                           { 0 } };
    const struct {
        const struct named *queue;
        bool is_told;
        int64_t a, b;
    } cases[] = {
        { two, true, 8, 0 },
        { two, true, 0, 0 },
        { two, false, 8, 8 },
        { nested, true, 8, 8 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct fair f;

        fair_init(&f, cases[i].queue);
        if (!cases[i].is_told)
            f.r.now.queue_used = NULL;
        told(&f, 0, 0, cases[i].a, 0, cases[i].b);
        told(&f, 10, 0, 8, 0, 8); /* for no time */
        rig_finished(&f.r, 10);
        for (size_t k = 0; k < N_ELEMENTS(name); k++)
            expect(&f, name[k], k < 2 ? "" : "a", ABSENT, 0);
        rig_fini(&f.r);
    }
}

/* No queue held anything: no division by zero. */
static void test_nothing_held(void)
{
    struct fair f;

    fair_init(&f, two);
    told(&f, 0, 0, 8, 0, 8);
    rig_finished(&f.r, 10);
    expect(&f, "fair.jain", "", ABSENT, 0);
    expect(&f, "fair.drf_max_gap", "", 8 / 32.0, 1e-15);
    rig_fini(&f.r);
}

/* --- against another way -------------------------------------------------- */

static double bounded(double x, double low, double high)
{
    return fmax(low, fmin(x, high));
}

/* Divide `amount` among the `n` queues by bisection of the level. */
static void divided(double amount, const struct named *q, const int64_t *asked,
                    uint32_t n, double *out)
{
    double low = 0, high = 1e9, sum = 0, floors = 0;
    double floor[QUEUES], cap[QUEUES];

    for (uint32_t i = 0; i < n; i++) {
        cap[i] = (double)asked[i];
        if (q[i].limit)
            cap[i] = fmin(cap[i], 1000.0 * (double)q[i].limit);
        floor[i] = fmin(1000.0 * (double)q[i].guarantee, cap[i]);
        floors += floor[i];
    }
    for (uint32_t i = 0; i < n && floors > amount; i++) {
        cap[i] = floor[i];
        floor[i] = 0;
    }
    for (int step = 0; step < 100; step++) {
        const double level = (low + high) / 2;

        sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += out[i] = bounded(level * q[i].weight, floor[i], cap[i]);
        if (sum > amount)
            high = level;
        else
            low = level;
    }
}

/* Queues come, go and ask for more or less, a few at a time. */
static void test_against_search(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct gs_rng rng;
        struct named q[QUEUES + 1] = { { 0 } };
        char name[QUEUES][16];
        int64_t asked[QUEUES] = { 0 };
        double due[QUEUES] = { 0 }, now[QUEUES];
        struct fair f;

        gs_rng_init(&rng, seed, "queues");
        for (int i = 0; i < QUEUES; i++) {
            snprintf(name[i], sizeof(name[i]), "q%02d", i);
            q[i] = (struct named){ name[i],
                                   (double)(1 + gs_rng_below(&rng, 9)) / 3,
                                   (int64_t)gs_rng_below(&rng, seed % 4 + 1),
                                   (int64_t)gs_rng_below(&rng, 5) };
        }
        fair_init(&f, q);
        for (int64_t at = 0; at < 200; at++) {
            for (uint64_t k = 1 + gs_rng_below(&rng, 3); k > 0; k--) {
                const uint32_t i = (uint32_t)gs_rng_below(&rng, QUEUES);

                asked[i] = (int64_t)gs_rng_below(&rng, 500 * (seed % 20 + 1));
                f.asked[f.id[i]] = asked[i];
            }
            rig_instant(&f.r, at);
            divided(TOTAL, q, asked, QUEUES, now);
            for (int i = 0; i < QUEUES; i++)
                due[i] += now[i] / TOTAL / 200;
        }
        rig_finished(&f.r, 200);
        for (int i = 0; i < QUEUES; i++)
            expect(&f, "queue.deserved", name[i], due[i], 0.1 / TOTAL * QUEUES);
        rig_fini(&f.r);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "queues deserve by what they ask for", test_deserved },
        { "shares and deserved amounts are integrals", test_integrals },
        { "Jain's index by weight", test_jain_by_weight },
        { "with one queue nothing is told", test_one_queue },
        { "queues that hold nothing divide nothing", test_nothing_held },
        { "deserved amounts equal those found by search", test_against_search },
    };

    return suite_run("reports/fairness", cases, N_ELEMENTS(cases));
}
