/* import/formats.h - the readers of formats behind source.h.  Each takes all of
 * `in`.  0; -1 when `in` cannot be read on, with `err`, or the taker stops the
 * reading, without.
 */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

struct gs_err;
struct gs_input;
struct gs_ytop;
struct import_objects;

/* Do these first bytes of a file begin JSON?  YAML may begin with a bracket,
 * too, but then holds words, comments or single quotes.
 */
bool import_json_is(const char *head, size_t size);
int import_json_read(struct import_objects *o, struct gs_input *in,
                     struct gs_err *err);

/* A file with templates is refused as a whole. */
int import_yaml_read(struct import_objects *o, struct gs_input *in,
                     struct gs_err *err);

bool import_tar_is(const char *head, size_t size);
/* Calls `member` for each file in it, named ARCHIVE:MEMBER, without hidden
 * ones.
 */
int import_tar_read(struct gs_input *in,
                    int (*member)(void *ctx, struct gs_input *in,
                                  struct gs_err *err),
                    void *ctx, struct gs_err *err);

/* Is `in` an archive, or are its first bytes those of objects: 1, or 0; -1 when
 * it cannot be read.  Nothing is taken.
 */
int import_objects_begin(struct gs_input *in, struct gs_err *err);

/* Does the text occur in the file's first bytes? */
bool import_has_text(const char *head, size_t size, const char *text);
/* Is there such a key, also one whose value the head does not hold to its end?
 */
bool import_has_key(const struct gs_ytop *top, const char *key, bool is_text);

#endif /* IMPORT_FORMATS_H */
