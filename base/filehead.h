/* base/filehead.h - the first bytes of a file, as they stand. */
#ifndef GS_FILEHEAD_H
#define GS_FILEHEAD_H

#include <stddef.h>

struct gs_err;

/* Read up to `size` bytes from the start of the file into `buf`, nothing
 * unpacked; *got is less than `size` only of a shorter file.  -1: it cannot be
 * opened or read.
 */
int gs_file_head(const char *path, char *buf, size_t size, size_t *got,
                 struct gs_err *err);

#endif /* GS_FILEHEAD_H */
