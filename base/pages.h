/* base/pages.h - memory in large pages.
 *
 * A system gives memory page by page as it is first written.  Where each page
 * is small, that takes longer than what is then done with it, above all on a
 * virtual machine.
 */
#ifndef GS_PAGES_H
#define GS_PAGES_H

#include <stddef.h>

/* Bytes of a large page, where there are any. */
#define GS_PAGES_LARGE ((size_t)2 << 20)

/* Zeroed memory of `size` bytes, a multiple of a large page, that is backed by
 * large pages where the system has some; NULL: there is none left.  Freed by
 * gs_pages_free with the same size.
 */
void *gs_pages_new(size_t size);
void gs_pages_free(void *p, size_t size);

#endif /* GS_PAGES_H */
