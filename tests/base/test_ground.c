/* tests/base/test_ground.c - errors, strings, arenas, sets, heaps, hashes,
 * random numbers.
 */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/bitset.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "tests/lib/suite.h"

static void test_errors(void)
{
    const struct gs_mark at = { "t.yaml", 3, 7 }, file = { "t.yaml", 0, 0 };
    struct gs_err one = { 0 }, two = { .limit = 2 };
    char buf[512];

    CU_ASSERT_EQUAL(gs_fail(&one, GS_INPUT, at, "no '%s'", "x"), -1);
    CU_ASSERT_EQUAL(gs_fail(&one, GS_IO, file, "later"), -1);
    CU_ASSERT_EQUAL(one.code, GS_INPUT);
    CU_ASSERT_EQUAL(one.count, 1);
    CU_ASSERT_FALSE(gs_err_wants_more(&one));
    CU_ASSERT_STRING_EQUAL(gs_err_format(&one, 0, buf, sizeof(buf)),
                           "t.yaml:3:7: no 'x'");
    gs_fail(&two, GS_INPUT, file, "first");
    CU_ASSERT_TRUE(gs_err_wants_more(&two));
    gs_fail(&two, GS_INPUT, (struct gs_mark){ 0 }, "bad \033[31m");
    CU_ASSERT_FALSE(gs_err_wants_more(&two));
    CU_ASSERT_STRING_EQUAL(gs_err_format(&two, 0, buf, sizeof(buf)),
                           "t.yaml: first");
    CU_ASSERT_STRING_EQUAL(gs_err_format(&two, 1, buf, sizeof(buf)),
                           "bad ?[31m");
    CU_ASSERT_EQUAL(gs_fail(NULL, GS_IO, file, "nobody listens"), -1);
}

static void test_nearest(void)
{
    static const char *const known[] = { "gpus",     "cpu",  "replicas",
                                         "duration", "gang", "cpu" };
    static const struct {
        const char *word, *near;
    } cases[] = {
        { "gpu", "gpus" },
        { "GPUs", NULL },
        { "pgus", "gpus" },
        { "replica", "replicas" },
        { "duraton", "duration" },
        { "x", NULL },
        { "", NULL },
        { "completely", NULL },
        { "cpus", "cpu" }, /* of two as near: what begins alike */
        { "xpus", "gpus" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const char *near = gs_nearest(cases[i].word, known, N_ELEMENTS(known));

        CU_ASSERT_EQUAL(near == NULL, cases[i].near == NULL);
        if (near && cases[i].near)
            CU_ASSERT_STRING_EQUAL(near, cases[i].near);
    }
}

/* Pieces of all sizes, some of several large pages, lie apart, zeroed and
 * aligned, also after a rewind.
 */
static void test_arena_sizes(void)
{
    enum { PIECES = 200 };
    struct gs_arena *a = gs_arena_create(64);
    unsigned char *piece[PIECES];
    size_t size[PIECES];

    for (int round = 0; round < 3; round++) {
        uint32_t wrong = 0;

        for (uint32_t i = 0; i < PIECES; i++) {
            size[i] = i % 50 == 7 ? 5000000 : i % 9 == 3 ? 900000 : 1 + i * 97;
            piece[i] = gs_arena_alloc(a, size[i], 1);
            wrong += (uintptr_t)piece[i] % alignof(max_align_t) != 0;
            wrong += piece[i][0] != 0 || piece[i][size[i] - 1] != 0;
            memset(piece[i], (int)i, size[i]);
        }
        for (uint32_t i = 0; i < PIECES; i++) {
            for (size_t k = 0; k < size[i]; k++)
                wrong += piece[i][k] != (unsigned char)i;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        gs_arena_rewind(a);
    }
    gs_arena_destroy(a);
}

static void test_memory(void)
{
    struct gs_arena *a = gs_arena_create(64);
    uint32_t *in_arena = NULL, in_cap = 0;
    uint32_t cap = 0;
    int *grown = NULL;
    char *big;

    big = gs_arena_alloc(a, 1000, 10);
    for (size_t i = 0; i < 10000; i++)
        CU_ASSERT_EQUAL_FATAL(big[i], 0);
    memset(big, 1, 10000);
    gs_arena_rewind(a);
    CU_ASSERT_EQUAL(*(char *)gs_arena_alloc(a, 1, 1), 0);
    CU_ASSERT_STRING_EQUAL(gs_arena_strndup(a, "abcdef", 3), "abc");
    for (uint32_t i = 0; i < 20; i++) {
        in_arena = gs_arena_grow(a, in_arena, &in_cap, i, sizeof(*in_arena));
        in_arena[i] = i;
    }
    CU_ASSERT_TRUE(in_cap >= 20 && in_arena[0] == 0 && in_arena[19] == 19);
    CU_ASSERT_STRING_EQUAL(gs_arena_printf(a, "%s/%u", "x", 7u), "x/7");
    gs_arena_destroy(a);
    gs_arena_destroy(NULL);
    for (uint32_t n = 1; n < 1000; n++) {
        grown = gs_array_grow(grown, &cap, n, sizeof(*grown));
        CU_ASSERT_EQUAL_FATAL(grown[n - 1], 0);
        grown[n - 1] = (int)n;
    }
    CU_ASSERT_EQUAL(grown[0], 1);
    gs_array_free(grown);
}

static void test_strings(void)
{
    struct gs_strtab *t = gs_strtab_create();
    char name[32];

    CU_ASSERT_EQUAL(gs_strtab_put(t, "", 0), 0);
    for (uint32_t i = 1; i < 5000; i++) {
        const int n = snprintf(name, sizeof(name), "name-%u", i);

        CU_ASSERT_EQUAL_FATAL(gs_strtab_put(t, name, (size_t)n), i);
    }
    CU_ASSERT_EQUAL(gs_strtab_find(t, "name-77", 7), 77);
    CU_ASSERT_EQUAL(gs_strtab_find(t, "name-777", 7), 77);
    CU_ASSERT_EQUAL(gs_strtab_find(t, "nobody", 6), GS_STRTAB_NONE);
    CU_ASSERT_EQUAL(gs_strtab_put(t, "name-77\0x", 9), 77);
    CU_ASSERT_STRING_EQUAL(gs_strtab_str(t, 4999), "name-4999");
    CU_ASSERT_EQUAL(gs_strtab_count(t), 5000);
    gs_strtab_destroy(t);
}

/* Every third string is left out; then strings are put and sought, old and new
 * ones, more often than the table searches for them.
 */
static void test_left_out(void)
{
    struct gs_strtab *t = gs_strtab_create();
    bool out[3001] = { false };
    char name[32];

    for (uint32_t i = 1; i < N_ELEMENTS(out); i++) {
        const int n = snprintf(name, sizeof(name), "name-%u", i);

        CU_ASSERT_EQUAL_FATAL(gs_strtab_put(t, name, (size_t)n), i);
        out[i] = i % 3 == 0;
    }
    gs_strtab_leave_out(t, out);
    CU_ASSERT_EQUAL(gs_strtab_find(t, "unknown", 7), GS_STRTAB_NONE);
    CU_ASSERT_EQUAL(gs_strtab_find(t, "name-3", 6), 3);
    CU_ASSERT_EQUAL(gs_strtab_put(t, "name-3000", 9), 3000);
    for (uint32_t i = 1; i < 2 * N_ELEMENTS(out); i++) {
        const int n = snprintf(name, sizeof(name), "name-%u", i);

        if (i % 2 && i < N_ELEMENTS(out))
            CU_ASSERT_EQUAL(gs_strtab_find(t, name, (size_t)n), i);
        CU_ASSERT_EQUAL_FATAL(gs_strtab_put(t, name, (size_t)n), i);
        CU_ASSERT_STRING_EQUAL(gs_strtab_str(t, i), name);
    }
    CU_ASSERT_EQUAL(gs_strtab_count(t), 2 * N_ELEMENTS(out));
    gs_strtab_destroy(t);
}

/* Strings about as long as the blocks that hold them, 65,536 bytes, and short
 * ones that fill a block to its last byte; none moves.
 */
static void test_long_strings(void)
{
    static const size_t length[] = { 65534,  65535, 65536, 131071, 131072,
                                     300000, 32767, 32767, 2,      65535 };
    struct gs_strtab *t = gs_strtab_create();
    const char *at[10 * N_ELEMENTS(length)];
    char *text = gs_array_new(300001, 1);

    memset(text, 'x', 300000);
    for (uint32_t i = 0; i < N_ELEMENTS(at); i++) {
        const size_t len = length[i % N_ELEMENTS(length)];

        text[0] = (char)('a' + i % 26);
        text[len - 1] = (char)('a' + i / 26);
        CU_ASSERT_EQUAL_FATAL(gs_strtab_put(t, text, len), i + 1);
        text[len - 1] = 'x';
        at[i] = gs_strtab_str(t, i + 1);
    }
    for (uint32_t i = 0; i < N_ELEMENTS(at); i++) {
        const size_t len = length[i % N_ELEMENTS(length)];

        CU_ASSERT_PTR_EQUAL(at[i], gs_strtab_str(t, i + 1));
        CU_ASSERT_EQUAL_FATAL(strlen(at[i]), len);
        CU_ASSERT_EQUAL(at[i][0], (char)('a' + i % 26));
        CU_ASSERT_EQUAL(at[i][len - 1], (char)('a' + i / 26));
    }
    gs_array_free(text);
    gs_strtab_destroy(t);
}

/* Sets, compared with an array of flags. */
static void test_sets(void)
{
    enum { UNIVERSE = 10000, SETS = 3 };
    static bool in[SETS][UNIVERSE];
    struct gs_bitsets b;
    struct gs_rng r;

    gs_bitsets_init(&b, UNIVERSE);
    gs_bitsets_make(&b, SETS - 1);
    gs_rng_init(&r, 1, "sets");
    for (int step = 0; step < 20000; step++) {
        const uint32_t s = (uint32_t)gs_rng_below(&r, SETS);
        const uint32_t i = (uint32_t)gs_rng_below(&r, UNIVERSE);
        const uint32_t from = (uint32_t)gs_rng_below(&r, UNIVERSE);
        uint32_t first = from, k = 0;

        if (in[s][i])
            gs_bitsets_remove(&b, s, i);
        else
            gs_bitsets_add(&b, s, i);
        in[s][i] = !in[s][i];
        while (first < UNIVERSE && !in[s][first])
            first++;
        if (first == UNIVERSE)
            first = GS_BITSET_NONE;
        CU_ASSERT_EQUAL_FATAL(gs_bitsets_first(&b, s, from, UNIVERSE), first);
        if (step % 100 || first == GS_BITSET_NONE)
            continue;
        for (uint32_t n = 0; n < first; n++)
            k += in[s][n];
        CU_ASSERT_EQUAL_FATAL(gs_bitsets_select(&b, s, k), first);
        CU_ASSERT_EQUAL_FATAL(gs_bitsets_first(&b, s, from, first),
                              GS_BITSET_NONE);
    }
    gs_bitsets_fini(&b);
}

/* O'Neill's demo: seed 42, sequence 54 begins with these. */
#define HEAPED 200u

struct heaped {
    uint32_t count, id[HEAPED], place[HEAPED]; /* place: [id] */
    uint64_t key[HEAPED];                      /* [id] */
};

static bool heaped_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heaped *h = of;

    return h->key[h->id[a]] < h->key[h->id[b]];
}

static void heaped_swap(void *of, uint32_t a, uint32_t b)
{
    struct heaped *h = of;
    const uint32_t id = h->id[a];

    h->id[a] = h->id[b];
    h->id[b] = id;
    h->place[h->id[a]] = a;
    h->place[h->id[b]] = b;
}

/* A heap of random keys, some of which change, gives them in order. */
static void test_heaps(void)
{
    static const struct gs_heap by_key = { heaped_before, heaped_swap };
    struct heaped h = { .count = HEAPED };
    uint64_t last = 0;
    struct gs_rng r;

    gs_rng_init(&r, 7, "heap");
    for (uint32_t i = 0; i < HEAPED; i++) {
        h.id[i] = h.place[i] = i;
        h.key[i] = gs_rng_below(&r, 100);
    }
    gs_heap_build(&by_key, &h, h.count);
    for (int i = 0; i < 1000; i++) {
        const uint32_t id = (uint32_t)gs_rng_below(&r, HEAPED);

        h.key[id] = gs_rng_below(&r, 100);
        CU_ASSERT_EQUAL(gs_heap_settle(&by_key, &h, h.count, h.place[id]),
                        h.place[id]);
    }
    while (h.count > 0) {
        CU_ASSERT(h.key[h.id[0]] >= last);
        last = h.key[h.id[0]];
        heaped_swap(&h, 0, --h.count);
        (void)gs_heap_sink(&by_key, &h, h.count, 0);
    }
}

static bool is_number(const void *of, uint32_t at)
{
    return *(const uint32_t *)of == at;
}

/* With many equal hashes each element is found, and no other. */
static void test_hashes(void)
{
    struct gs_hash h = { 0 };

    for (int round = 0; round < 2; round++) {
        for (uint32_t n = 0; n < 1000; n++) {
            CU_ASSERT_EQUAL(gs_hash_find(&h, n % 37, is_number, &n),
                            GS_HASH_NONE);
            gs_hash_put(&h, n % 37, n);
        }
        for (uint32_t n = 0; n < 1000; n++)
            CU_ASSERT_EQUAL(gs_hash_find(&h, n % 37, is_number, &n), n);
        CU_ASSERT_EQUAL(h.count, 1000);
        gs_hash_clear(&h);
    }
    gs_hash_free(&h);
}

static void test_random(void)
{
    static const uint32_t published[] = { 0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                          0x83d2f293, 0xbfa4784b, 0xcbed606e };
    struct gs_rng r = { 0, 54 << 1 | 1 }, a, b;
    uint32_t seen[6] = { 0 };

    (void)gs_rng_u32(&r);
    r.state += 42;
    (void)gs_rng_u32(&r);
    for (size_t i = 0; i < N_ELEMENTS(published); i++)
        CU_ASSERT_EQUAL(gs_rng_u32(&r), published[i]);
    gs_rng_init(&a, 1, "one");
    gs_rng_init(&b, 1, "two");
    CU_ASSERT_NOT_EQUAL(gs_rng_u32(&a), gs_rng_u32(&b));
    gs_rng_init(&b, 1, "one");
    (void)gs_rng_u32(&b);
    CU_ASSERT_EQUAL(gs_rng_u32(&a), gs_rng_u32(&b));
    for (int i = 0; i < 60000; i++)
        seen[gs_rng_below(&a, 6)]++;
    for (int i = 0; i < 6; i++)
        CU_ASSERT(seen[i] > 9600 && seen[i] < 10400);
    CU_ASSERT_EQUAL(gs_rng_below(&a, 0), 0);
    CU_ASSERT_EQUAL(gs_rng_below(&a, 1), 0);
    for (int i = 0; i < 1000; i++) {
        const double d = gs_rng_double(&a);

        CU_ASSERT_FATAL(d >= 0 && d < 1);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "errors keep their place and their number", test_errors },
        { "the nearest name is found", test_nearest },
        { "an arena aligns and keeps its memory", test_memory },
        { "pieces of an arena of any size lie apart", test_arena_sizes },
        { "equal strings have one number", test_strings },
        { "strings that are left out of the index have theirs", test_left_out },
        { "strings as long as a block, and beyond", test_long_strings },
        { "a bit set equals an array of flags", test_sets },
        { "a heap gives the first in order", test_heaps },
        { "a hash finds what was put, and nothing else", test_hashes },
        { "the generator gives the published numbers", test_random },
    };

    return suite_run("base/ground", cases, N_ELEMENTS(cases));
}
