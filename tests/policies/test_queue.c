/* tests/policies/test_queue.c - what queues deserve, may take and must give,
 * worked out by hand; trees are written as fake_queues.h says.
 *
 * "Round" is one of the water-filling: what remains, by weight, to those that
 * are not satisfied.
 */
#include <stdio.h>

#include "base/rng.h"
#include "tests/lib/fake_queues.h"

enum { PROPORTION, CAPACITY };
#define ANCESTORS 2 /* beside either */

static const struct gsp_module *queue(void)
{
    return gsched_module_find("queue");
}

static void *queue_open(struct fake *f, int mode)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = {
        { .whole = mode & 1 }, { .whole = 1 + mode / ANCESTORS } /* own */
    };

    return fake_module(f, queue(), value);
}

static void differs(const char *what, const char *got, const char *expect)
{
    if (strcmp(got, expect) == 0)
        return;
    fprintf(stderr, "\n  %s: %s, not %s", what, got, expect);
    CU_FAIL("not as worked out by hand");
}

/* --- deserved ------------------------------------------------------------- */

static const struct {
    const char *what, *total, *queues, *expect; /* in order of the queues */
} deserved_cases[] = {
    { "by weight", "12", "a q99; b w2 q99", "4 8" },
    { "weights need not be whole", "8", "a w0.5 q99; b w1.5 q99", "2 6" },
    /* vc-proportion-derived-01: 1.5 each; b is full, 0.5 more for a */
    { "one that asks for less", "3", "a q3; b q1", "2 1" },
    /* vc-proportion-derived-02: 1 and 9, b takes 3; 6 remain, a takes 1 */
    { "no queue gets more than it asks for", "10", "a q2; b w9 q3", "2 3" },
    /* what it holds is asked for as well: 2 + 3 against 99 */
    { "what is held counts", "12", "a u2 q3; b q99", "5 7" },
    { "a queue that asks for nothing takes no part", "12", "a q99; b; c q99",
      "6 0 6" },
    { "nor does its guarantee", "12", "a q99; b g6", "12 0" },
    /* rounds: 6 6, a stops at 3; 3 3 | 7.5; 9 */
    { "a limit, and the rest to the other", "12", "a l3 q99; b q99", "3 9" },
    { "limits on all: the rest stays free", "12", "a l3 q99; b l2 q9", "3 2" },
    { "a limit of nothing", "12", "a l0 q9; b q99", "0 12" },
    /* 3 and 9; a is lifted to 8, and b may have the 4 that are not kept */
    { "a guarantee above its weight", "12", "a g8 q99; b w3 q99", "8 4" },
    /* 6 each; the guarantee is below that */
    { "a guarantee below its weight", "12", "a g4 q99; b q99", "6 6" },
    /* vc-proportion-derived-04: 5 and 5, a asks for 1 but keeps 4; then 6 */
    { "a guarantee above what it asks", "10", "a g4 q1; b l6 q9", "4 6" },
    /* round 1: a 3, lifted to 6, b 3, c 1; 2 remain: 1 on top of each */
    { "the rest comes on top", "12", "a g6 q99; b q99; c w2 q1", "7 4 1" },
    /* each may have the 2 that are not kept, though they are there once */
    { "not kept, and promised twice", "10", "a g8 q99; b q99; c q99", "8 2 2" },
    { "more kept than there is", "8", "a g6 q9; b g6 q9", "6 6" },
    { "two levels", "16", "a; ax q99; ay w3 q99; b; bz q99", "8 2 6 8 8" },
    { "leftovers stay in the subtree first", "16",
      "a; ax q99; ay q1; b; bz q99", "8 7 1 8 8" },
    /* a asks for 5: 2.5 each, x takes 2, then y 3 */
    { "then others have them", "16", "a; ax q2; ay q3; b; bz q99",
      "5 2 3 11 11" },
    { "a limit above", "16", "a l6; ax q99; ay w2 q99; b q99", "6 2 4 10" },
    { "a guarantee above", "16", "a g12; ax q99; ay q99; b w3 q99",
      "12 6 6 4" },
    { "three levels", "24", "a w2; ax; axi q99; axj w3 q99; ay q99; b q99",
      "16 8 2 6 8 8" },
    /* vc-proportion-derived-05 */
    { "two resources", "24/12", "a w3 q99/99; b w2 q99/99; c q99/99",
      "12/6 8/4 4/2" },
    /* vc-proportion-derived-06 */
    { "each resource by itself", "8/10", "a q0/10; b q8/2", "0/8 8/2" },
    { "a limit on one of them", "8/16", "a l2 q99/99; b q99/99", "2/8 6/8" },
    /* GPUs: 2, then 10 for two; CPUs likewise, with c the small one */
    { "full in one, hungry in the other", "12000/12000",
      "a q2000/9999; b q9999/9999; c q9999/2000",
      "2000/5000 5000/5000 5000/2000" },
    { "three resources", "8/16/64", "a q99/99/99; b w3 q99/4/99",
      "2/12/16 6/4/48" },
};

/* The largest amount of one resource that a job in the queue may take by its
 * share.
 */
static int64_t most(void *self, uint32_t q, uint32_t dim)
{
    const struct gsp_job j = { .queue = q };
    int64_t low = 0, high = INT64_C(1) << 20;

    while (low < high) {
        const int64_t mid = low + (high - low + 1) / 2;
        int64_t asked[FAKE_DIMS] = { 0 };

        asked[dim] = mid;
        if (queue()->preemptive(self, &j, asked))
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

static void test_deserved(void)
{
    for (size_t i = 0; i < N_ELEMENTS(deserved_cases); i++) {
        for (int mode = PROPORTION; mode <= CAPACITY; mode++) {
            char got[128];
            size_t len = 0;
            struct fake f;
            struct tree t;
            void *self;

            tree_make(&f, &t, deserved_cases[i].total,
                      deserved_cases[i].queues);
            self = queue_open(&f, mode);
            queue()->overused(self, 0); /* by the first call */
            for (uint32_t q = 0; q < f.queues; q++) {
                for (uint32_t d = 0; d < TREE_DIMS; d++) {
                    const int64_t used = f.queue[q].used[tree_dim[d]];

                    if (f.total[tree_dim[d]] == 0)
                        continue;
                    len += (size_t)snprintf(
                        got + len, sizeof(got) - len, "%s%lld",
                        d   ? "/"
                        : q ? " "
                            : "",
                        (long long)(used + most(self, q, tree_dim[d])));
                }
            }
            differs(deserved_cases[i].what, got, deserved_cases[i].expect);
            fake_end(&f);
        }
    }
}

/* --- what a job may do ---------------------------------------------------- */

/* A job in a queue, the amount its user holds there, and its request. Expected:
 * (a)llocatable, (p)reemptive, (e)nqueue, (o)verused.
 */
static const struct {
    const char *what;
    int mode;
    const char *total, *queues, *job;
    int64_t user_used; /* GPUs */
    const char *expect;
} may_cases[] = {
    /* a deserves 6 of 12 */
    { "to its share", PROPORTION, "12", "a u4 q99; b u4 q99", "a 2", 0,
      "ape-" },
    { "not above", PROPORTION, "12", "a u4 q99; b u4 q99", "a 3", 0, "--e-" },
    { "capacity: it borrows", CAPACITY, "12", "a u4 q99; b u4 q99", "a 3", 0,
      "a-e-" },
    { "but no more than there is", CAPACITY, "12", "a u4 q99; b u4 q99", "a 9",
      0, "----" },
    { "to its limit", PROPORTION, "12", "a l5 u4 q99; b q99", "a 1", 0,
      "ape-" },
    { "not above it", PROPORTION, "12", "a l5 u4 q99; b q99", "a 2", 0,
      "----" },
    { "capacity: nor then", CAPACITY, "12", "a l5 u4 q9; b", "a 2", 0, "----" },
    /* a has 5, x and y 2.5 each */
    { "a share in a share", PROPORTION, "12",
      "a l5; ax u2 q99; ay u2 q99; b q99", "ax 1", 0, "--e-" },
    /* x is lifted to 8 of a's 4: what a has binds it */
    { "a guarantee that its parent lacks", PROPORTION, "12",
      "a; ax g8 q99; ay q99; b w2 q99", "ax 4", 0, "ape-" },
    { "cannot be had beyond that", PROPORTION, "12",
      "a; ax g8 q99; ay q99; b w2 q99", "ax 5", 0, "-pe-" },
    { "borrowed from a sibling", CAPACITY, "12",
      "a l5; ax u2 q99; ay u2 q99; b q99", "ax 1", 0, "a-e-" },
    { "to the limit above", CAPACITY, "12", "a l5; ax u2 q99; ay u2 q99; b q99",
      "ax 2", 0, "--e-" },
    { "to the limit above that is asked", CAPACITY | ANCESTORS, "12",
      "a l5; ax u2 q99; ay u2 q99; b q99", "ax 2", 0, "----" },
    { "at its share", PROPORTION, "12", "a u6 q1; b u6 q1", "a 1", 0, "--eo" },
    { "capacity: no queue is overused", CAPACITY, "12", "a u6 q1; b u6 q1",
      "a 1", 0, "a-e-" },
    /* 6 of 6 GPUs, but none of the one CPU that it asks for */
    { "overused is in all that it asks for", PROPORTION, "12/12",
      "a u6 q1/1; b u6 q9/9", "a 0/1", 0, "ape-" },
    { "and what is full may not be asked for", PROPORTION, "12/12",
      "a u6 q1/1; b u6 q9/9", "a 1/1", 0, "--e-" },
    { "above what it deserves of nothing", PROPORTION, "12", "a l0 q9; b q9",
      "a 1", 0, "---o" },
    { "closed", PROPORTION, "12", "a c q9; b", "a 1", 0, "----" },
    { "closed above", CAPACITY, "12", "a c; ax q9", "ax 1", 0, "----" },
    { "to the user's limit", PROPORTION, "12", "a m4 q99", "a 1", 3, "ape-" },
    { "not above it", PROPORTION, "12", "a m4 q99", "a 2", 3, "--e-" },
    { "of the queue itself, not of one above", PROPORTION, "12", "a m1; ax q99",
      "ax 2", 3, "ape-" },
    { "what came in before", PROPORTION, "12", "a n10 q99; b q99", "a 2", 0,
      "ape-" },
    { "is as good as held", PROPORTION, "12", "a n10 q99; b q99", "a 3", 0,
      "ap--" },
    { "in the queue above, if that is asked", PROPORTION | ANCESTORS, "12",
      "a; ax n5 q99; ay n5 q99", "ax 3", 0, "ap--" },
    { "not in the queue above by itself", PROPORTION, "12",
      "a; ax n5 q99; ay n5 q99", "ax 3", 0, "ape-" },
    /* a sibling holds all: x may reclaim, once it is admitted */
    { "a full queue above", CAPACITY, "12", "a; ax q99; ay u12 q99", "ax 3", 0,
      "-pe-" },
    { "a full queue above that is asked", CAPACITY | ANCESTORS, "12",
      "a; ax q99; ay u12 q99", "ax 3", 0, "-p--" },
    { "a job of the inner queue itself", CAPACITY, "12",
      "a q99; ax q9; ay u12 q99", "a 3", 0, "--e-" },
    { "counts the jobs of the inner queue itself", CAPACITY, "12",
      "a n10 q99; ax q9; ay u2 q99", "a 3", 0, "ap--" },
    { "a closed queue above, whichever is asked", CAPACITY, "12",
      "a; ab c; abx q9", "abx 1", 0, "----" },
    /* 12 of 12 held, 10 of them above gangs: the gangs' 2 count */
    { "the elastic part is not in the way", CAPACITY, "12", "a u12 e10 q99",
      "a 10", 0, "--e-" },
    { "what is below it is", CAPACITY, "12", "a u12 e10 q99", "a 11", 0,
      "----" },
    { "nor below an ancestor that is asked", CAPACITY | ANCESTORS, "12",
      "a; ax q9; ay u12 e10 q99", "ax 10", 0, "--e-" },
    { "by proportion too", PROPORTION, "12", "a u6 e5 q99; b u6 q99", "a 11", 0,
      "--eo" },
    /* 4 are not kept for b */
    { "to what is not kept for others", CAPACITY, "12", "a q99; b g8 q99",
      "a 4", 0, "ape-" },
    { "not what is", CAPACITY, "12", "a q99; b g8 q99", "a 5", 0, "----" },
    { "its own guarantee is its own", PROPORTION, "12", "a q99; b g8 q99",
      "b 8", 0, "ape-" },
    { "what the cluster lacks is not for a queue to refuse", PROPORTION, "12",
      "a q99/99; b q99/99", "a 6/7", 0, "ape-" },
    { "asking for nothing, above its share", PROPORTION, "12",
      "a u8 q1; b u4 q9", "a 0", 0, "apeo" },
};

static void test_may(void)
{
    for (size_t i = 0; i < N_ELEMENTS(may_cases); i++) {
        const char *p = may_cases[i].job;
        struct gsp_job j = { .id = 1 };
        char got[5] = "----";
        struct fake f;
        struct tree t;
        void *self;

        tree_make(&f, &t, may_cases[i].total, may_cases[i].queues);
        j.queue = tree_word(&f, &t, &p);
        tree_asks(&p, j.minimum);
        j.user_used[GSP_GPU] = may_cases[i].user_used;
        self = queue_open(&f, may_cases[i].mode);
        if (queue()->allocatable(self, &j, j.minimum))
            got[0] = 'a';
        if (queue()->preemptive(self, &j, j.minimum))
            got[1] = 'p';
        if (queue()->enqueue(self, &j))
            got[2] = 'e';
        if (queue()->overused(self, j.queue))
            got[3] = 'o';
        differs(may_cases[i].what, got, may_cases[i].expect);
        fake_end(&f);
    }
}

/* --- order ---------------------------------------------------------------- */

static const struct {
    const char *what, *total, *queues, *two;
    int expect; /* < 0: the first goes first */
} order_cases[] = {
    { "2 of 6 before 3 of 6", "12", "a u2 q99; b u3 q99", "a b", -1 },
    { "4 of 8, 2 of 4", "12", "a w2 u4 q99; b u2 q99", "a b", 0 },
    { "5 of 8 after 2 of 4", "12", "a w2 u5 q99; b u2 q99", "a b", 1 },
    /* 3 of the 3 that it asks for, against 3 of 9 */
    { "by what it deserves, not by weight", "12", "a u3; b u3 q99", "a b", 1 },
    { "a higher priority first", "12", "a p1 u5 q9; b q9", "a b", -1 },
    { "a lower one last", "12", "a p-1 q9; b u5 q9", "a b", 1 },
    /* 1/6 and 6/12 against 3/6 and 0 */
    { "by the resource that it has most of", "12/24",
      "a u1/6 q99/99; b u3 q99/99", "a b", 0 },
    { "none of nothing is 0", "12", "a; b q5", "a b", 0 },
    { "some of nothing is all of it", "12", "a l0 u1; b u5 q99", "a b", 1 },
    /* x 1 of 2, y 3 of 6, though weights and amounts differ */
    { "between children", "16", "a; ax u1 q9; ay w3 u3 q9; b q99", "ax ay", 0 },
};

static void test_order(void)
{
    for (size_t i = 0; i < N_ELEMENTS(order_cases); i++) {
        const char *p = order_cases[i].two;
        struct fake f;
        struct tree t;
        uint32_t a, b;
        void *self;
        int got;

        tree_make(&f, &t, order_cases[i].total, order_cases[i].queues);
        a = tree_word(&f, &t, &p);
        b = tree_word(&f, &t, &p);
        self = queue_open(&f, PROPORTION);
        got = queue()->queue_order(self, a, b);
        if (got != order_cases[i].expect
            || queue()->queue_order(self, b, a) != -got) {
            fprintf(stderr, "\n  %s: %d", order_cases[i].what, got);
            CU_FAIL("not as worked out by hand");
        }
        fake_end(&f);
    }
}

/* --- victims -------------------------------------------------------------- */

/* v: victim, .: protected */
static const struct {
    const char *what, *total, *queues, *to, *victims, *expect;
} victim_cases[] = {
    /* a deserves 8: it holds 16, 12, and 8 */
    { "down to its share", "16", "a u16; b q16", "b", "a 4, a 4, a 4", "vv." },
    /* 16, 11, and 6: the last went from above */
    { "the last may go below", "16", "a u16; b q16", "b", "a 5, a 5, a 5",
      "vv." },
    /* 16, 11; 6 would be less than it keeps, 8 is not */
    { "never below its guarantee", "16", "a g8 u16; b w3 q16", "b",
      "a 5, a 5, a 3", "v.v" },
    { "not reclaimable", "16", "a k u16; b q16", "b", "a 4", "." },
    { "nor is what is below", "16", "a k; ax u16; b q16", "b", "ax 4", "." },
    /* x deserves 4 of a's 8 and holds 8; b deserves its 8 */
    { "from a sibling", "16", "a; ax u8; ay q8; b u8", "ay", "ax 4, ax 4, b 4",
      "v.." },
    /* y holds its 4, x 12 */
    { "the one above its own share", "16", "a; ax u12; ay u4; b q16", "b",
      "ay 2, ax 2", ".v" },
    /* x is above its 6, but a holds its 12 of 16 */
    { "not from a subtree at its share", "16", "a w3; ax u10; ay u2 q99; b q4",
      "b", "ax 2", "." },
    /* x 8, y 8, x 5, y 5 are above 4; a has 16, 13, 10, and 7, which is not
     * above 8
     */
    { "what goes below goes from above", "16", "a; ax u8; ay u8; b q16", "b",
      "ax 3, ay 3, ax 3, ay 3", "vvv." },
    /* a keeps 12: 16, 13, and 10 is too little */
    { "a guarantee above", "16", "a g12; ax u8; ay u8; b w9 q16", "b",
      "ax 3, ay 3, ay 1", "v.v" },
    { "from both", "16", "a u8; b u8; c q16", "c", "a 4, b 4, a 1, b 1",
      "vv.." },
    /* CPUs 16 and 12 of the 8 deserved; 4 of 4 GPUs */
    { "above in what it gives", "16/16", "a u4/16; b q16/16", "b",
      "a 0/4, a 2/0, a 2/4", "v.v" },
    { "a guarantee of the other resource", "16/16", "a g4 u4/16; b q16/16", "b",
      "a 2/4, a 0/4", ".v" },
    /* i and j deserve 2 each, x and y 4 */
    { "three levels", "16", "a; ax; axi u8; axj u4; ay u4; b q16", "b",
      "axj 4, ay 4, axi 4", "v.v" },
};

static void test_victims(void)
{
    for (size_t i = 0; i < N_ELEMENTS(victim_cases); i++) {
        struct gsp_job taker = { .id = 99 }, job[FAKE_VICTIMS];
        struct fake_victims v = { .count = 0 };
        uint8_t spared[FAKE_VICTIMS] = { 0 };
        char got[FAKE_VICTIMS + 1] = "";
        const char *p = victim_cases[i].to;
        struct fake f;
        struct tree t;
        void *self;

        tree_make(&f, &t, victim_cases[i].total, victim_cases[i].queues);
        taker.queue = tree_word(&f, &t, &p);
        for (p = victim_cases[i].victims; *p; v.count++) {
            job[v.count] = (struct gsp_job){ .id = v.count };
            job[v.count].queue = tree_word(&f, &t, &p);
            v.one[v.count].job = &job[v.count];
            tree_asks(&p, v.one[v.count].amount);
        }
        self = queue_open(&f, (int)(i % 2)); /* in both modes the same */
        CU_ASSERT_FALSE(queue()->victims(self, GSP_PREEMPT, &taker,
                                         fake_shown(&v), spared));
        for (int again = 0; again < 2; again++) {
            memset(spared, 0, sizeof(spared));
            CU_ASSERT_TRUE(queue()->victims(self, GSP_RECLAIM, &taker,
                                            fake_shown(&v), spared));
            for (uint32_t k = 0; k < v.count; k++)
                got[k] = spared[k] ? '.' : 'v';
            differs(victim_cases[i].what, got, victim_cases[i].expect);
        }
        fake_end(&f);
    }
}

/* Shares are computed again when the ledger changes. */
static void test_changes(void)
{
    struct fake f;
    struct tree t;
    void *self;

    tree_make(&f, &t, "12", "a; ax q99; ay q99; b q99");
    self = queue_open(&f, PROPORTION);
    CU_ASSERT_EQUAL(most(self, 1, GSP_GPU), 3);
    FAKE_BOOK(&f, 3, asked, GSP_GPU, -99); /* b is gone */
    CU_ASSERT_EQUAL(most(self, 1, GSP_GPU), 6);
    FAKE_BOOK(&f, 2, asked, GSP_GPU, -97); /* y asks for 2 */
    CU_ASSERT_EQUAL(most(self, 1, GSP_GPU), 10);
    FAKE_BOOK(&f, 3, asked, GSP_GPU, 5);
    CU_ASSERT_EQUAL(most(self, 1, GSP_GPU), 5);
    CU_ASSERT_EQUAL(most(self, 3, GSP_GPU), 5);
    fake_end(&f);
}

/* After each of many changes shares that follow are those that are made anew.
 */
static void test_random_changes(void)
{
    static const char *const trees[] = {
        "a; ax q50; ay w2 q70; b w0.7; bx q30; by w3 l400 q9; bz q20",
        "a g300; ax g100 q50; ay w2 q70; b l700; bx q30; by q9; c w1.3 q20",
    };
    const uint64_t rounds = suite_rounds(60);

    for (uint64_t seed = 0; seed < rounds; seed++) {
        struct gs_rng r;
        struct fake f;
        struct tree t;
        void *self;
        bool alike = true;

        gs_rng_init(&r, seed, "queue shares");
        tree_make(&f, &t, "1000/1000", trees[seed % N_ELEMENTS(trees)]);
        self = queue_open(&f, PROPORTION);
        for (int n = 0; n < 25 && alike; n++) {
            const uint32_t q = (uint32_t)gs_rng_below(&r, f.queues);
            const uint32_t dim = tree_dim[gs_rng_below(&r, 2)];
            const int64_t asked = f.queue[q].asked[dim];
            void *anew;

            FAKE_BOOK(&f, q, asked, dim,
                      gs_rng_below(&r, 6) ? (int64_t)gs_rng_below(&r, 300)
                                          : -(asked / 2));
            anew = queue_open(&f, PROPORTION);
            for (uint32_t k = 0; k < f.queues * 2; k++)
                alike &= most(self, k / 2, tree_dim[k % 2])
                         == most(anew, k / 2, tree_dim[k % 2]);
        }
        CU_ASSERT(alike);
        fake_end(&f);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "queues deserve their share", test_deserved },
        { "limits admit and refuse jobs", test_may },
        { "the queue furthest below its share goes first", test_order },
        { "queues above their share make room", test_victims },
        { "shares follow requests", test_changes },
        { "and are those made anew", test_random_changes },
    };

    return suite_run("policies/queue", suite, N_ELEMENTS(suite));
}
