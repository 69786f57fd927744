/* base/input.h - a file as a stream of bytes or lines, decompressed while it is
 * read.
 *
 * gzip, xz and zstd are recognised by their first bytes; "-" is standard input.
 * A UTF-8 byte-order mark is skipped; UTF-16 is an error.  Files are hostile:
 * the length of a line and the decompressed size are bounded, and a damaged
 * archive is an error with the name of the file.
 */
#ifndef GS_INPUT_H
#define GS_INPUT_H

#include <stddef.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input; /* opaque */

#define GS_INPUT_LINE_MAX (1u << 20)           /* bytes in one line */
#define GS_INPUT_TOTAL_MAX (UINT64_C(1) << 36) /* bytes unpacked */

/* NULL on failure: GS_INPUT when the file does not exist, is a directory or may
 * not be read.
 */
struct gs_input *gs_input_open(const char *path, struct gs_err *err);
/* Reads the `size` bytes at `data`, which the caller owns, without
 * decompression.
 */
struct gs_input *gs_input_open_memory(const char *name, const void *data,
                                      size_t size);
/* The next `size` bytes of `whole`, as a file of their own that may be packed
 * again; `whole` stays open and is not read until gs_input_part_end.
 * NULL on failure.
 */
struct gs_input *gs_input_open_part(struct gs_input *whole, const char *name,
                                    uint64_t size, struct gs_err *err);
/* Take what is left of the part, and close it: `whole` goes on behind it.  -1
 * when `whole` ends before the part or cannot be read.
 */
int gs_input_part_end(struct gs_input *part, struct gs_err *err);
void gs_input_close(struct gs_input *in); /* NULL is fine */

/* The path of a file that the file `from` names: beside it, unless `path` is
 * absolute.
 */
const char *gs_input_beside(struct gs_arena *arena, const char *from,
                            const char *path);

/* The name for messages: the path, or "standard input". */
const char *gs_input_name(const struct gs_input *in);

#define GS_INPUT_HEAD_MAX (1u << 16)

/* The first *size decompressed bytes without consuming them: GS_INPUT_HEAD_MAX,
 * or fewer for a shorter file.  The bytes are a copy that is valid until the
 * input is closed.  Call it before anything is read.  NULL on failure.
 */
const char *gs_input_head(struct gs_input *in, size_t *size,
                          struct gs_err *err);

/* Fill buf with up to `size` bytes: *got is 0 only at the end. */
int gs_input_read(struct gs_input *in, void *buf, size_t size, size_t *got,
                  struct gs_err *err);

/* The next line without its LF or CR LF, NUL-terminated in place, writable,
 * valid until the next call.  1 with a line, 0 at the end, -1 on failure
 * (also for a NUL byte within the line, and past GS_INPUT_LINE_MAX).
 */
int gs_input_line(struct gs_input *in, char **line, size_t *len,
                  struct gs_err *err);
/* Number of the line last returned, from 1; 0 before the first. */
int gs_input_line_number(const struct gs_input *in);

/* FNV-1a hash (64 bits) of all decompressed bytes read so far, by which a run
 * records its inputs.
 */
uint64_t gs_input_hash(const struct gs_input *in);

#endif /* GS_INPUT_H */
