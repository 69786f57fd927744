/* reports/table/titles.h - names of columns, cut to the room that they have. */
#ifndef REPORTS_TABLE_TITLES_H
#define REPORTS_TABLE_TITLES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;

/* A text for each of `count` clean titles, of at most room[i] characters (at
 * least 4), in `arena`: no two are the same.  A title without room keeps what
 * it alone has: '~' stands for what it has in common with all others at its
 * beginning and end.  Titles that still read alike end in '~' and their number,
 * from 1: `is_numbered` (may be NULL) says that there are some.
 */
const char *const *report_titles_fit(const char *const *title,
                                     const uint32_t *room, uint32_t count,
                                     struct gs_arena *arena, bool *is_numbered);

#endif /* REPORTS_TABLE_TITLES_H */
