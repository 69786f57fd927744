/* base/bitset.h - many ordered sets of the numbers below one small bound.
 *
 * A set is a row of chunks of 4,096 bits.  Each chunk has a summary word that
 * marks its words that are not zero; empty chunks are not kept.  The lowest
 * member is found in a few steps whatever the bound, and a set with one member
 * costs one chunk.
 */
#ifndef GS_BITSET_H
#define GS_BITSET_H

#include <stdint.h>

#define GS_BITSET_NONE UINT32_MAX

struct gs_bitsets {
    uint32_t universe; /* members are below this */
    uint32_t row;      /* chunks that cover the universe */
    uint32_t sets, set_cap;
    uint32_t *chunk_of; /* [set * row + i]: chunk, or NONE */
    struct gs_bitchunk *chunk;
    uint32_t chunk_count, chunk_cap, free_chunk;
};

void gs_bitsets_init(struct gs_bitsets *b, uint32_t universe);
void gs_bitsets_fini(struct gs_bitsets *b);

/* Make sets up to `set` exist, empty. */
void gs_bitsets_make(struct gs_bitsets *b, uint32_t set);

/* Add `i`, which must not be a member; remove `i`, which must be one. */
void gs_bitsets_add(struct gs_bitsets *b, uint32_t set, uint32_t i);
void gs_bitsets_remove(struct gs_bitsets *b, uint32_t set, uint32_t i);

/* The lowest member in [from, end); GS_BITSET_NONE when there is none. */
uint32_t gs_bitsets_first(const struct gs_bitsets *b, uint32_t set,
                          uint32_t from, uint32_t end);

/* The k-th lowest member, from 0; GS_BITSET_NONE when there are fewer. */
uint32_t gs_bitsets_select(const struct gs_bitsets *b, uint32_t set,
                           uint32_t k);

/* Move all members of `from` to `to`, which must be empty or `from` itself;
 * `from` is empty afterwards.
 */
void gs_bitsets_move(struct gs_bitsets *b, uint32_t from, uint32_t to);

#endif /* GS_BITSET_H */
