/* base/heap.h - binary heaps over arrays of their users: the first in order at
 * place 0, the children of place i at 2i + 1 and 2i + 2.
 *
 * A user compares and swaps elements by their places, so that an element may
 * be anything, and may note its place.  To add one, put it at the end and let it
 * rise; to take one out, put the last in its place and settle that.
 */
#ifndef GS_HEAP_H
#define GS_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* A kind of heap; `of` is the user's. */
struct gs_heap {
    /* Does the element at `a` go before the one at `b`? */
    bool (*before)(const void *of, uint32_t a, uint32_t b);
    void (*swap)(void *of, uint32_t a, uint32_t b);
};

/* The element at place `i` goes up to where it belongs, which is returned. */
static inline uint32_t gs_heap_rise(const struct gs_heap *h, void *of,
                                    uint32_t i)
{
    while (i > 0 && h->before(of, i, (i - 1) / 2)) {
        h->swap(of, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    return i;
}

/* It goes down, in a heap of `count`. */
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

/* It goes up or down. */
static inline uint32_t gs_heap_settle(const struct gs_heap *h, void *of,
                                      uint32_t count, uint32_t i)
{
    return gs_heap_sink(h, of, count, gs_heap_rise(h, of, i));
}

/* `count` elements in any order become a heap. */
static inline void gs_heap_build(const struct gs_heap *h, void *of,
                                 uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        (void)gs_heap_sink(h, of, count, i);
}

#endif /* GS_HEAP_H */
