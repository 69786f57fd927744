/* base/heap.h - binary heaps over arrays of the caller: the first in order at
 * place 0, the children of place i at places 2i + 1 and 2i + 2.
 *
 * The caller compares and swaps elements by their places, so an element may
 * have any type and may record its place.  To add an element, append it and
 * call gs_heap_rise().  To remove one, move the last element to its place and
 * call gs_heap_settle().
 */
#ifndef GS_HEAP_H
#define GS_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* How elements are compared and swapped; `of` is the caller's data. */
struct gs_heap {
    /* True when the element at `a` goes before the one at `b`. */
    bool (*before)(const void *of, uint32_t a, uint32_t b);
    void (*swap)(void *of, uint32_t a, uint32_t b);
};

/* The swap of a heap of numbers: `of` begins with a pointer to them. */
static inline void gs_heap_swap_numbers(void *of, uint32_t a, uint32_t b)
{
    uint32_t *at = *(uint32_t **)of;
    const uint32_t swap = at[a];

    at[a] = at[b];
    at[b] = swap;
}

/* Define `name`, the swap of a heap whose `of` is the array, of `type`. */
#define GS_HEAP_SWAP(name, type)                       \
    static void name(void *of, uint32_t a, uint32_t b) \
    {                                                  \
        type *at = of;                                 \
        const type it = at[a];                         \
                                                       \
        at[a] = at[b];                                 \
        at[b] = it;                                    \
    }

/* Move the element at place `i` up to its place in the order.  Returns that
 * place.
 */
static inline uint32_t gs_heap_rise(const struct gs_heap *h, void *of,
                                    uint32_t i)
{
    while (i > 0 && h->before(of, i, (i - 1) / 2)) {
        h->swap(of, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    return i;
}

/* Move the element at place `i` down in a heap of `count` elements.  Returns
 * its place.
 */
static inline uint32_t gs_heap_sink(const struct gs_heap *h, void *of,
                                    uint32_t count, uint32_t i)
{
    for (uint32_t k = 2 * i + 1; k < count; k = 2 * i + 1) {
        if (k + 1 < count && h->before(of, k + 1, k))
            k++;
        if (!h->before(of, k, i))
            break;
        h->swap(of, i, k);
        i = k;
    }
    return i;
}

/* Move the element at place `i` up or down.  Returns its place. */
static inline uint32_t gs_heap_settle(const struct gs_heap *h, void *of,
                                      uint32_t count, uint32_t i)
{
    return gs_heap_sink(h, of, count, gs_heap_rise(h, of, i));
}

/* Make a heap of `count` elements in any order. */
static inline void gs_heap_build(const struct gs_heap *h, void *of,
                                 uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        (void)gs_heap_sink(h, of, count, i);
}

/* Sort `count` elements in any order: the last one in the heap's order comes
 * first, so that `before` says which of two is to come behind the other.
 */
static inline void gs_heap_sort(const struct gs_heap *h, void *of,
                                uint32_t count)
{
    gs_heap_build(h, of, count);
    while (count > 1) {
        h->swap(of, 0, --count);
        (void)gs_heap_sink(h, of, count, 0);
    }
}

#endif /* GS_HEAP_H */
