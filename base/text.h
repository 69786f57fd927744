/* base/text.h - texts from files and command lines, made safe to print on a
 * terminal (UTF-8).
 */
#ifndef GS_TEXT_H
#define GS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct gs_arena;

/* True when all `len` bytes are valid UTF-8 and printable: no control
 * characters (line ends and the controls above ASCII among them), no zero-width
 * characters, no direction controls.
 */
bool gs_text_is_clean(const char *s, size_t len);

/* Replace each byte that is not clean, as gs_text_is_clean says, by '?'. */
void gs_text_clean(char *s);

/* A clean copy of `s` in `arena`; NULL counts as "". */
char *gs_text_copy(struct gs_arena *arena, const char *s);

/* A clean copy of `s` in `buf` of `size` bytes (at least 4), for messages; a
 * text that does not fit ends with "...".  Returns buf.
 */
const char *gs_text_shown(const char *s, char *buf, size_t size);

/* Append printf-style text to the text in `buf` of `size` bytes, cut at the end
 * of buf.  Returns buf.
 */
char *gs_text_add(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* printf into a new string; free it with gs_array_free. */
char *gs_text_make(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The index of `s` among `count` names; `count` when it is not there. */
size_t gs_text_find(const char *s, const char *const *name, size_t count);

/* Number of characters in a clean text. */
size_t gs_text_length(const char *s);

/* Number of bytes in the first `count` characters of a clean text. */
size_t gs_text_bytes(const char *s, size_t count);

#endif /* GS_TEXT_H */
