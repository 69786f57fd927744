/* base/fetch.h - memory that is read soon comes into the cache meanwhile.
 *
 * It changes no result.  A program that waits for one line of memory after the
 * other, each of another table, waits once if it has asked for all before.
 */
#ifndef GS_FETCH_H
#define GS_FETCH_H

#include <stddef.h>

#define GS_FETCH_LINE 64u /* bytes of a line of the cache, on most processors */

/* Ask for `size` (above 0) bytes, which need not be valid. */
static inline void gs_fetch(const void *at, size_t size)
{
    const char *p = at;

    for (size_t i = 0; i < size; i += GS_FETCH_LINE)
        __builtin_prefetch(p + i);
    __builtin_prefetch(p + size - 1);
}

#endif /* GS_FETCH_H */
