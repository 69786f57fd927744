/* topology/pattern.h - names such as "n[001-016]" or "r[1-2]n[a,b,07-09]".
 *
 * Each bracket is a list of words and ascending ranges; the names are the
 * product of all brackets, the last one varying fastest.  Leading zeros of the
 * lower end of a range set the width.
 */
#ifndef TOPO_PATTERN_H
#define TOPO_PATTERN_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gs_mark;

#define TOPO_NAME_MAX 128 /* bytes of an expanded name, with its NUL */

/* How many names `pattern` stands for, 1 to TOPO_NODES_MAX; -1 on failure,
 * reported at `at`.
 */
int64_t topo_pattern_count(const char *pattern, struct gs_mark at,
                           struct gs_err *err);

/* Write the i-th name of a pattern, for which topo_pattern_count() succeeded,
 * into `buf` of TOPO_NAME_MAX bytes.  Returns its length.
 */
size_t topo_pattern_name(const char *pattern, uint32_t i, char *buf);

#endif /* TOPO_PATTERN_H */
