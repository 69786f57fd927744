/* base/output.h - files that are written as a whole or not at all.
 *
 * gs_output_open() creates a file without a name in the target folder.
 * gs_output_close() writes it to the disk and then gives it the name, which
 * replaces an old file of that name.  Until then a failure, a signal or a full
 * disk leaves the old file unchanged and no other file behind.
 *
 * A symbolic link stays a link: the file that it leads to is replaced.  The new
 * file gets the mode bits of the old one and, where permitted, its owner.
 * Standard output, devices, FIFOs and names of open descriptors (/dev/stdout,
 * /dev/fd/N) are written directly.
 */
#ifndef GS_OUTPUT_H
#define GS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct gs_err;
struct gs_output; /* opaque */

/* Create the file for `path`; NULL and "-" are standard output.  NULL on
 * failure: GS_IO.
 */
struct gs_output *gs_output_open(const char *path, struct gs_err *err);
/* The same, but the content of the old file comes first. */
struct gs_output *gs_output_open_append(const char *path, struct gs_err *err);

/* The stream to write to; its descriptor may be passed to a child process. */
FILE *gs_output_stream(const struct gs_output *o);

/* Close the file and free `o` (NULL is fine).  With `rc` 0 the file is complete
 * and gets its name; with `rc` -1 writing failed and the old file stays.
 * Returns `rc`, or -1 (GS_IO) when the file could not be written.
 */
int gs_output_close(struct gs_output *o, int rc, struct gs_err *err);

/* A temporary file without a name, which is deleted when it is closed.  NULL on
 * failure: GS_IO.
 */
FILE *gs_output_scratch(struct gs_err *err);

/* Make a folder in TMPDIR, or /tmp, that is this user's alone, and that the
 * caller removes.  Its path, for gs_array_free(); NULL on failure: GS_IO.
 */
char *gs_output_scratch_folder(struct gs_err *err);

/* Append all bytes of `from`, from its beginning, to `to`.  -1 with errno set
 * when reading or writing fails.
 */
int gs_output_copy(FILE *from, FILE *to);

/* True when both paths name the same existing file; "-" is not a file. */
bool gs_output_is_same(const char *a, const char *b);

#endif /* GS_OUTPUT_H */
