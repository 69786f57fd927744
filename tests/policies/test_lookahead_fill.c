/* tests/policies/test_lookahead_fill.c - a node is filled as by reading the
 * tape task by task, for random mixes and nodes.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/rng.h"
#include "policies/modules/lookahead_fill.h"
#include "tests/lib/suite.h"

#define MOST_KINDS 800u
#define CLASSES 5u
#define OWN_LIMITS (OTHERS + 2)

struct mix {
    struct gs_arena *arena;
    struct mix_kind kind[MOST_KINDS];
    uint8_t suits[CLASSES * MOST_KINDS];
    uint32_t kinds;
    struct filler filler;
};

static void *kept(void *ctx, size_t size)
{
    return memset(gs_arena_alloc(ctx, size, 1), 0, size);
}

static const struct gsp_host host = { .keep = kept };

static int64_t below(struct gs_rng *r, int64_t n)
{
    return (int64_t)gs_rng_below(r, (uint64_t)n);
}

static void kind_draw(struct gs_rng *r, struct mix_kind *k, int64_t fine)
{
    *k = (struct mix_kind){ .weight = 1 + below(r, 20),
                            .scarcity = 100 + below(r, 200) };
    if (below(r, 3) == 0)
        k->share = (uint32_t)(10 + 10 * below(r, 99));
    else
        k->gpus = (uint32_t)below(r, 5);
    k->amount[GPUS] = k->gpus;
    k->amount[PART] = k->share;
    k->amount[OTHERS] = below(r, 3) ? fine * below(r, 40) + below(r, fine) : 0;
    k->amount[OTHERS + 1] = below(r, 2) ? below(r, 30 * fine) : 0;
}

static void mix_draw(struct gs_rng *r, struct mix *m, uint32_t kinds,
                     int64_t fine)
{
    memset(m, 0, sizeof(*m));
    m->kinds = kinds;
    m->arena = gs_arena_create(1 << 16);
    for (uint32_t i = 0; i < kinds; i++)
        kind_draw(r, &m->kind[i], fine);
    for (uint32_t i = 0; i < CLASSES * kinds; i++)
        m->suits[i] = i / kinds == 3 || below(r, 4) > 0;
    memcpy(m->suits + (size_t)4 * kinds, m->suits, kinds);
    filler_make(&m->filler, m->kind, kinds, OWN_LIMITS, m->suits, CLASSES,
                &host, m->arena);
}

static void node_draw(struct gs_rng *r, struct filled_node *n, int64_t fine)
{
    *n = (struct filled_node){ .klass = (uint32_t)below(r, CLASSES) };
    n->free[GPUS] = below(r, 9);
    n->count = (uint32_t)below(r, 5);
    for (uint32_t i = 0; i < n->count; i++)
        n->left[i] = (uint16_t)((i ? n->left[i - 1] : 0) + 10
                                + 10 * below(r, 20));
    n->free[PART] = part_of(n);
    n->free[OTHERS] = below(r, 200 * fine);
    n->free[OTHERS + 1] = below(r, 200 * fine);
}

static bool asks_for_any(const struct mix_kind *k)
{
    bool any = false;

    for (uint32_t i = 0; i < OWN_LIMITS; i++)
        any |= k->amount[i] > 0;
    return any;
}

/* What is left when each task of the tape is tried in turn. */
static int64_t plain(const struct mix *m, struct filled_node n, uint32_t from)
{
    const struct filler *l = &m->filler;
    uint32_t misses = 0;

    for (uint32_t i = 0; i < TAPE && misses <= MISSES; i++) {
        const uint32_t kind = l->tape[(from + i) % TAPE];
        const struct mix_kind *k = &m->kind[kind];
        bool is_in = m->suits[n.klass * m->kinds + kind] && asks_for_any(k);

        for (uint32_t d = 0; d < OWN_LIMITS; d++)
            is_in &= k->amount[d] <= n.free[d];
        misses = is_in ? 0 : misses + 1;
        if (is_in)
            put(l, &n, k);
    }
    return left_on(&n);
}

static void test_random(void)
{
    static const struct {
        uint32_t kinds;
        int64_t fine; /* the amounts differ the more */
        bool is_exact;
    } cases[] = {
        { 1, 1, true },    { 7, 1, true },          { 60, 100, true },
        { 150, 10, true }, { 800, 1000000, false },
    };
    struct mix *m = malloc(sizeof(*m));
    struct gs_rng r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    gs_rng_init(&r, 1, "mixes");
    for (size_t c = 0; c < N_ELEMENTS(cases); c++) {
        mix_draw(&r, m, cases[c].kinds, cases[c].fine);
        CU_ASSERT_EQUAL(m->filler.is_exact, cases[c].is_exact);
        CU_ASSERT_PTR_EQUAL(m->filler.class_row[4], m->filler.class_row[0]);
        for (uint64_t i = suite_rounds(100); i > 0; i--) {
            const uint32_t fills = 1 + (uint32_t)below(&r, 7);
            struct filled_node n;
            int64_t sum = 0;

            node_draw(&r, &n, cases[c].fine);
            for (uint32_t k = 0; k < fills; k++)
                sum += plain(m, n, k * (TAPE / fills));
            CU_ASSERT_EQUAL(fills_left(&m->filler, &n, fills), sum);
        }
        gs_arena_destroy(m->arena);
    }
    free(m);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a fill is that of a plain loop over the tape", test_random },
    };

    return suite_run("policies/lookahead_fill", suite, N_ELEMENTS(suite));
}
