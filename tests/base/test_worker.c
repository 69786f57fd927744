/* tests/base/test_worker.c - blocks come out in the order they went in. */
#include "base/worker.h"

#include <stdbool.h>

#include "tests/lib/suite.h"

#define BLOCKS 10000u

struct taken {
    uint32_t block[BLOCKS];
    uint32_t count;
    bool waits; /* so that the queue is full */
};

static void take(void *ctx, void *block)
{
    struct taken *t = ctx;
    volatile uint32_t spin = 0;

    while (t->waits && spin < 1000)
        spin++;
    t->block[t->count++] = *(uint32_t *)block;
    *(uint32_t *)block = 0;
}

/* Give all blocks through a queue of this many. */
static void all_give(uint32_t limit, bool waits)
{
    static uint32_t block[BLOCKS];
    static struct taken t;
    struct gs_worker *w;
    uint32_t wrong = 0;

    t = (struct taken){ .waits = waits };
    w = gs_worker_start(limit, take, &t);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block[i] = i + 1;
        gs_worker_give(w, &block[i]);
    }
    gs_worker_finish(w);
    CU_ASSERT_EQUAL_FATAL(t.count, BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++)
        wrong += t.block[i] != i + 1 || block[i] != 0;
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_order(void)
{
    static const uint32_t limits[] = { 1, 2, 3, 16, BLOCKS };

    for (size_t i = 0; i < N_ELEMENTS(limits); i++) {
        all_give(limits[i], false);
        all_give(limits[i], true);
    }
}

static void test_no_block(void)
{
    struct taken t = { .count = 0 };

    gs_worker_finish(gs_worker_start(4, take, &t));
    gs_worker_finish(NULL);
    CU_ASSERT_EQUAL(t.count, 0);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "all blocks are taken, in order, through any queue", test_order },
        { "a worker without a block ends", test_no_block },
    };

    return suite_run("base/worker", cases, N_ELEMENTS(cases));
}
