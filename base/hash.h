/* base/hash.h - an index of a table: finds the element that equals another.
 *
 * Open addressing over the places of elements; the caller keeps the elements
 * and compares them.
 */
#ifndef GS_HASH_H
#define GS_HASH_H

#include <stdbool.h>
#include <stdint.h>

struct gs_far;

#define GS_HASH_NONE UINT32_MAX

struct gs_hash_slot {
    uint32_t at; /* place + 1; 0: free */
    uint32_t hash;
};

/* Empty when zeroed. */
struct gs_hash {
    struct gs_hash_slot *slot;
    uint32_t slots, count; /* slots: a power of two, or 0 */
    struct gs_far *far;    /* where the slots lie, see far.h; NULL: the heap */
};

/* True when the element at place `at` equals the one that is looked up; `of` is
 * passed through from the caller.
 */
typedef bool (*gs_hash_same_fn)(const void *of, uint32_t at);

/* The place of the element with this hash for which `same` is true, or
 * GS_HASH_NONE.
 */
static inline uint32_t gs_hash_find(const struct gs_hash *h, uint64_t hash,
                                    gs_hash_same_fn same, const void *of)
{
    for (uint32_t i = (uint32_t)hash; h->slots; i++) {
        const struct gs_hash_slot *s = &h->slot[i & (h->slots - 1)];

        if (s->at == 0)
            break;
        if (s->hash == (uint32_t)hash && same(of, s->at - 1))
            return s->at - 1;
    }
    return GS_HASH_NONE;
}

/* Add the element at place `at`, which must not be in the index. */
void gs_hash_put(struct gs_hash *h, uint64_t hash, uint32_t at);
/* Remove all elements; the memory is kept. */
void gs_hash_clear(struct gs_hash *h);
void gs_hash_free(struct gs_hash *h);

/* Continue the hash `h` with the value `v`. */
static inline uint64_t gs_hash_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

#endif /* GS_HASH_H */
