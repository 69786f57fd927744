/* base/bitset.c - chunks of bits from one pool, see bitset.h. */
#include <assert.h>
#include <stddef.h>

#include "base/array.h"
#include "base/bitset.h"

#define CHUNK_WORDS 64u
#define CHUNK_BITS (CHUNK_WORDS * 64u)

struct gs_bitchunk {
    uint64_t summary; /* bit w: word[w] is not zero */
    uint64_t word[CHUNK_WORDS];
    uint32_t next_free;
};

static uint32_t lowest(uint64_t w)
{
    return (uint32_t)__builtin_ctzll(w);
}

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << (i & 63u);
}

void gs_bitsets_init(struct gs_bitsets *b, uint32_t universe)
{
    assert(universe < GS_BITSET_NONE);
    *b = (struct gs_bitsets){
        .universe = universe,
        .row = universe / CHUNK_BITS + 1,
        .free_chunk = GS_BITSET_NONE,
    };
}

void gs_bitsets_fini(struct gs_bitsets *b)
{
    gs_array_free(b->chunk_of);
    gs_array_free(b->chunk);
    *b = (struct gs_bitsets){ 0 };
}

void gs_bitsets_make(struct gs_bitsets *b, uint32_t set)
{
    assert(b->row > 0); /* it is initialised */
    assert((uint64_t)(set + UINT64_C(1)) * b->row <= UINT32_MAX);
    if (set < b->sets)
        return;
    b->chunk_of = gs_array_grow(b->chunk_of, &b->set_cap, (set + 1) * b->row,
                                sizeof(*b->chunk_of));
    for (uint32_t i = b->sets * b->row; i < (set + 1) * b->row; i++)
        b->chunk_of[i] = GS_BITSET_NONE;
    b->sets = set + 1;
}

static uint32_t chunk_take(struct gs_bitsets *b)
{
    uint32_t c = b->free_chunk;

    if (c != GS_BITSET_NONE) {
        b->free_chunk = b->chunk[c].next_free;
        return c; /* it was empty when it was freed, hence zeroed */
    }
    b->chunk = gs_array_grow(b->chunk, &b->chunk_cap, b->chunk_count + 1,
                             sizeof(*b->chunk));
    return b->chunk_count++;
}

void gs_bitsets_add(struct gs_bitsets *b, uint32_t set, uint32_t i)
{
    uint32_t *at = &b->chunk_of[set * b->row + i / CHUNK_BITS];
    const uint32_t w = i % CHUNK_BITS / 64;
    struct gs_bitchunk *c;

    assert(set < b->sets && i < b->universe);
    if (*at == GS_BITSET_NONE)
        *at = chunk_take(b);
    c = &b->chunk[*at];
    c->word[w] |= bit(i);
    c->summary |= bit(w);
}

void gs_bitsets_remove(struct gs_bitsets *b, uint32_t set, uint32_t i)
{
    uint32_t *at = &b->chunk_of[set * b->row + i / CHUNK_BITS];
    const uint32_t w = i % CHUNK_BITS / 64;
    struct gs_bitchunk *c = &b->chunk[*at];

    assert(set < b->sets && i < b->universe);
    assert(*at < b->chunk_count && (c->word[w] & bit(i)));
    c->word[w] &= ~bit(i);
    if (c->word[w] == 0)
        c->summary &= ~bit(w);
    if (c->summary == 0) {
        c->next_free = b->free_chunk;
        b->free_chunk = *at;
        *at = GS_BITSET_NONE;
    }
}

/* The lowest bit of `c` at or above `from`, or CHUNK_BITS. */
static uint32_t chunk_first(const struct gs_bitchunk *c, uint32_t from)
{
    uint32_t w = from / 64;
    uint64_t rest = c->word[w] & (~UINT64_C(0) << (from & 63u));

    if (rest)
        return w * 64 + lowest(rest);
    if (w == CHUNK_WORDS - 1)
        return CHUNK_BITS;
    rest = c->summary & (~UINT64_C(0) << (w + 1));
    if (!rest)
        return CHUNK_BITS;
    w = lowest(rest);
    return w * 64 + lowest(c->word[w]);
}

uint32_t gs_bitsets_first(const struct gs_bitsets *b, uint32_t set,
                          uint32_t from, uint32_t end)
{
    const uint32_t *row = b->chunk_of + (size_t)set * b->row;
    uint32_t start = from % CHUNK_BITS;

    assert(set < b->sets && end <= b->universe);
    for (uint32_t i = from / CHUNK_BITS; i < b->row && i * CHUNK_BITS < end;
         i++, start = 0) {
        uint32_t at;

        if (row[i] == GS_BITSET_NONE)
            continue;
        at = chunk_first(&b->chunk[row[i]], start);
        if (at < CHUNK_BITS)
            return i * CHUNK_BITS + at < end ? i * CHUNK_BITS + at
                                             : GS_BITSET_NONE;
    }
    return GS_BITSET_NONE;
}

uint32_t gs_bitsets_select(const struct gs_bitsets *b, uint32_t set, uint32_t k)
{
    const uint32_t *row = b->chunk_of + (size_t)set * b->row;

    assert(set < b->sets);
    for (uint32_t i = 0; i < b->row; i++) {
        if (row[i] == GS_BITSET_NONE)
            continue;
        for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
            uint64_t word = b->chunk[row[i]].word[w];
            const uint32_t n = (uint32_t)__builtin_popcountll(word);

            if (k >= n) {
                k -= n;
                continue;
            }
            while (k--)
                word &= word - 1;
            return i * CHUNK_BITS + w * 64 + lowest(word);
        }
    }
    return GS_BITSET_NONE;
}

void gs_bitsets_move(struct gs_bitsets *b, uint32_t from, uint32_t to)
{
    assert(from < b->sets && to < b->sets);
    for (uint32_t i = 0; from != to && i < b->row; i++) {
        assert(b->chunk_of[to * b->row + i] == GS_BITSET_NONE);
        b->chunk_of[to * b->row + i] = b->chunk_of[from * b->row + i];
        b->chunk_of[from * b->row + i] = GS_BITSET_NONE;
    }
}
