/* reports/text.h - texts from elsewhere, made fit for a terminal. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stddef.h>

struct gs_arena;

/* A copy in which control characters (line ends and those above ASCII, too)
 * and bytes that are not UTF-8 have become '?'.
 */
const char *report_text_clean(struct gs_arena *arena, const char *s);

/* Characters of a clean text. */
size_t report_text_length(const char *s);

/* The bytes of the first `count` characters of a clean text. */
size_t report_text_bytes(const char *s, size_t count);

#endif /* REPORT_TEXT_H */
