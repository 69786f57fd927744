/* base/output.h - files that are written as a whole or not at all.
 *
 * gs_output_open() begins a file that has no name yet, in the folder where it
 * is to stand; what stood there stays until gs_output_close() has written all
 * of the new one to the disk and gives it the name.  Until then a failure, a
 * signal or a full disk leaves the old file and nothing else.
 *
 * A symbolic link stays a link: the file that it leads to is replaced.  The new
 * file has the mode bits and, if that is allowed, the owner of the old one.
 * Standard output, devices, FIFOs and names of open descriptors (/dev/stdout,
 * /dev/fd/N) are written as they are.
 */
#ifndef GS_OUTPUT_H
#define GS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct gs_err;
struct gs_output; /* opaque */

/* Begin the file at `path`; NULL and "-" are standard output.  NULL on failure:
 * GS_IO.
 */
struct gs_output *gs_output_open(const char *path, struct gs_err *err);
/* The same, but what stood there stays before what is written. */
struct gs_output *gs_output_open_append(const char *path, struct gs_err *err);

/* Where to write; it may be passed to a child process by its descriptor. */
FILE *gs_output_stream(const struct gs_output *o);

/* With `rc` 0 all is written: give the file its name.  With `rc` -1 writing
 * failed: leave what stood there.  Frees `o` (NULL is fine) in any case.
 * Returns `rc`, or -1 (GS_IO) when the file could not be written.
 */
int gs_output_close(struct gs_output *o, int rc, struct gs_err *err);

/* A file without a name, of which nothing is left once it is closed.  NULL on
 * failure: GS_IO.
 */
FILE *gs_output_scratch(struct gs_err *err);

/* Append the bytes of `from`, from its beginning, to `to`.  -1 when reading or
 * writing fails, with errno.
 */
int gs_output_copy(FILE *from, FILE *to);

/* True when both paths lead to one existing file; "-" is no file. */
bool gs_output_is_same(const char *a, const char *b);

#endif /* GS_OUTPUT_H */
