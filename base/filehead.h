/* base/filehead.h - the first bytes of a file, as stored on the disk. */
#ifndef GS_FILEHEAD_H
#define GS_FILEHEAD_H

#include <stddef.h>

struct gs_err;

/* Read up to `size` bytes from the start of the file into `buf`, without
 * decompression; *got is less than `size` only for a shorter file.  Returns 0,
 * or -1 when the file cannot be opened or read.
 */
int gs_file_head(const char *path, char *buf, size_t size, size_t *got,
                 struct gs_err *err);

#endif /* GS_FILEHEAD_H */
