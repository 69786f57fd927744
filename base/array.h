/* base/array.h - growable arrays on the heap, for data that is freed by itself.
 */
#ifndef GS_ARRAY_H
#define GS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same for a need of more than *cap. */
void *gs_array_more(void *p, uint32_t *cap, uint32_t need, size_t size);

/* Make room for `need` elements of `size` bytes in the array *p, which has room
 * for *cap now.  It grows by half at least, a large one by an eighth, so that
 * little of it is empty; new bytes are zeroed. Returns the array, moved or not.
 * Never fails: see gs_no_memory.
 *     a = gs_array_grow(a, &a_cap, n + 1, sizeof(*a));
 */
static inline void *gs_array_grow(void *p, uint32_t *cap, uint32_t need,
                                  size_t size)
{
    return need <= *cap ? p : gs_array_more(p, cap, need, size);
}

/* Cut the array down to `count` elements, at most *cap; returns it, moved or
 * not.
 */
void *gs_array_trim(void *p, uint32_t *cap, uint32_t count, size_t size);

/* `count` zeroed elements; never NULL.  Freed by gs_array_free. */
void *gs_array_new(size_t count, size_t size);
void gs_array_free(void *p); /* NULL is fine */

/* True when two arrays of `count` elements of `size` bytes, without padding,
 * are equal.  With a count of 0 either may be NULL.
 */
bool gs_array_same(const void *a, const void *b, size_t count, size_t size);

/* Print "gsim: out of memory" to standard error and end the process with status
 * 4; buffered output is not written.
 */
_Noreturn void gs_no_memory(void);

#endif /* GS_ARRAY_H */
