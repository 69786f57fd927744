/* tests/base/test_worker.c - blocks come out of a thread, and into one, in
 * their order.
 */
#include "base/ahead.h"
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

/* --- blocks that are filled ahead ----------------------------------------- */

struct filler {
    uint32_t next, last; /* numbers that go into blocks */
};

static bool fill(void *ctx, void *block)
{
    struct filler *f = ctx;

    *(uint32_t *)block = f->next++;
    return f->next < f->last;
}

/* Read so many of the blocks, then end the thread. */
static void ahead_read(uint32_t last, uint32_t count)
{
    uint32_t number[GS_AHEAD_BLOCKS], wrong = 0;
    struct filler f = { 0, last };
    void *block[GS_AHEAD_BLOCKS];
    struct gs_ahead *a;

    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++)
        block[i] = &number[i];
    a = gs_ahead_start(block, fill, &f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *got = gs_ahead_next(a);

        wrong += i < last ? !got || *got != i : got != NULL;
    }
    gs_ahead_finish(a);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(f.next <= (count < last ? count + GS_AHEAD_BLOCKS : last));
}

static void test_ahead(void)
{
    static const uint32_t last[] = { 1, 3, GS_AHEAD_BLOCKS, 1000 };

    for (size_t i = 0; i < N_ELEMENTS(last); i++) {
        ahead_read(last[i], last[i] + 2);
        ahead_read(last[i], last[i] / 2);
        ahead_read(last[i], 0);
    }
    gs_ahead_finish(NULL);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "all blocks are taken, in order, through any queue", test_order },
        { "a worker without a block ends", test_no_block },
        { "blocks are filled ahead, and no more than asked", test_ahead },
    };

    return suite_run("base/worker", cases, N_ELEMENTS(cases));
}
