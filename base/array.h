/* base/array.h - growable arrays: the one door to the heap for things with
 * a life of their own.
 */
#ifndef GS_ARRAY_H
#define GS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Make room for `need` elements of `size` bytes in the array *p, of which
 * *cap are allocated now; grows by half at least, new bytes are zeroed.
 * Returns the array, moved or not.  Never fails: see gs_no_memory.
 *     a = gs_array_grow(a, &a_cap, n + 1, sizeof(*a));
 */
void *gs_array_grow(void *p, uint32_t *cap, uint32_t need, size_t size);

/* `count` zeroed elements; never NULL.  Freed by gs_array_free. */
void *gs_array_new(size_t count, size_t size);
void gs_array_free(void *p); /* NULL is fine */

/* Are `count` elements of `size` bytes, without padding, the same?  With a count
 * of 0 either may be NULL.
 */
bool gs_array_same(const void *a, const void *b, size_t count, size_t size);

/* "gsim: out of memory" on standard error, and the process ends with status 4,
 * without what is buffered or half written.
 */
_Noreturn void gs_no_memory(void);

#endif /* GS_ARRAY_H */
