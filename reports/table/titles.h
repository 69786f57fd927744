/* reports/table/titles.h - titles of columns, cut to the available width. */
#ifndef REPORTS_TABLE_TITLES_H
#define REPORTS_TABLE_TITLES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;

/* Cut each of `count` clean titles to at most room[i] characters (at least 4),
 * in `arena`, so that no two are equal.  A title that is too long keeps the
 * part that distinguishes it: '~' replaces the begin and end that it shares
 * with all others.  Titles that are still equal end in '~' and a number from 1;
 * *is_numbered (may be NULL) is then true.
 */
const char *const *report_titles_fit(const char *const *title,
                                     const uint32_t *room, uint32_t count,
                                     struct gs_arena *arena, bool *is_numbered);

#endif /* REPORTS_TABLE_TITLES_H */
