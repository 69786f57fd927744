/* base/text.h - texts from elsewhere, made fit for a terminal: UTF-8, just
 * enough of it.
 */
#ifndef GS_TEXT_H
#define GS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct gs_arena;

/* True when all `len` bytes are UTF-8 that can be seen: without control
 * characters (line ends and those above ASCII are some, too), characters of no
 * width and controls of direction.
 */
bool gs_text_is_clean(const char *s, size_t len);

/* Replace every byte that keeps it from being clean by '?'. */
void gs_text_clean(char *s);

/* A clean copy of `s` in `arena`; NULL counts as "". */
char *gs_text_copy(struct gs_arena *arena, const char *s);

/* A clean copy of `s` in `buf` of `size` bytes (at least 4), for messages; "..."
 * ends what does not fit.  Returns buf.
 */
const char *gs_text_shown(const char *s, char *buf, size_t size);

/* Append to the text in `buf` of `size` bytes what printf would write; what does
 * not fit is left out.  Returns buf.
 */
char *gs_text_add(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The text that printf would write, to be freed by gs_array_free. */
char *gs_text_make(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The place of `s` among `count` names; `count` when it is none of them. */
size_t gs_text_find(const char *s, const char *const *name, size_t count);

/* Characters of a clean text. */
size_t gs_text_length(const char *s);

/* The bytes of the first `count` characters of a clean text. */
size_t gs_text_bytes(const char *s, size_t count);

#endif /* GS_TEXT_H */
