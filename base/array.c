/* base/array.c - allocation from the heap. */
#include "base/array.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS 4 /* exit status: the operating system failed */

_Noreturn void gs_no_memory(void)
{
    static const char text[] = "gsim: out of memory\n";

    /* stdio might allocate memory, and a forked child would write the buffers
     * of its parent
     */
    while (write(STDERR_FILENO, text, sizeof(text) - 1) < 0 && errno == EINTR)
        ;
    _exit(STATUS);
}

#define LARGE ((size_t)16 << 20) /* bytes */

static void *checked(void *p)
{
    if (!p)
        gs_no_memory();
    return p;
}

/* So many elements at first, or more: 64 bytes of small ones, since there may
 * be a million such arrays.
 */
static uint64_t least(size_t size, uint64_t need)
{
    const uint64_t n = size <= 8 ? 8 : size < 32 ? 64 / size : 2;

    return need > n ? need : n;
}

void *gs_array_more(void *p, uint32_t *cap, uint32_t need, size_t size)
{
    const bool is_large = *cap >= LARGE / size;
    uint64_t more = (uint64_t)*cap + *cap / (is_large ? 8 : 2);

    assert(cap && size > 0);
    assert(p || *cap == 0); /* *cap belongs to p */
    assert(need > *cap);
    more = more < need ? need : more;
    more = more < 8 ? least(size, more) : more;
    more = more > UINT32_MAX ? UINT32_MAX : more;
    if (more > SIZE_MAX / size)
        p = checked(NULL);
    if (!p) { /* pages that are never written take no memory */
        *cap = (uint32_t)more;
        return gs_array_new(more, size);
    }
    p = checked(realloc(p, (size_t)more * size));
    memset((char *)p + (size_t)*cap * size, 0, (size_t)(more - *cap) * size);
    *cap = (uint32_t)more;
    return p;
}

void *gs_array_trim(void *p, uint32_t *cap, uint32_t count, size_t size)
{
    assert(cap && size > 0 && count <= *cap);
    if (count == 0 || count == *cap)
        return p;
    *cap = count;
    return checked(realloc(p, (size_t)count * size));
}

void *gs_array_new(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size));
}

bool gs_array_same(const void *a, const void *b, size_t count, size_t size)
{
    return count == 0 || memcmp(a, b, count * size) == 0;
}

void gs_array_free(void *p)
{
    free(p);
}
