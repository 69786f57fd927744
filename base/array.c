/* base/array.c - the one door to the heap. */
#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
    if (!p) {
        fputs("gsim: out of memory\n", stderr);
        abort();
    }
    return p;
}

void *gs_array_grow(void *p, uint32_t *cap, uint32_t need, size_t size)
{
    uint64_t more = (uint64_t)*cap + *cap / 2;

    if (need <= *cap)
        return p;
    more = more < need ? need : more;
    more = more < 8 ? 8 : more;
    more = more > UINT32_MAX ? UINT32_MAX : more;
    if (more > SIZE_MAX / size)
        p = checked(NULL);
    p = checked(realloc(p, (size_t)more * size));
    memset((char *)p + (size_t)*cap * size, 0, (size_t)(more - *cap) * size);
    *cap = (uint32_t)more;
    return p;
}

void *gs_array_new(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size));
}

void gs_array_free(void *p)
{
    free(p);
}
