/* base/pages.c - see pages.h. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "base/pages.h"

#include <assert.h>
#include <sys/mman.h>

/* Systems begin a mapping of whole large pages at one: Linux from 6.7 on. */
void *gs_pages_new(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(size > 0 && size % GS_PAGES_LARGE == 0);
    if (p == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(p, size, MADV_HUGEPAGE); /* a wish */
#endif
    return p;
}

void gs_pages_free(void *p, size_t size)
{
    (void)munmap(p, size);
}
