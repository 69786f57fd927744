/* base/strtab.h - strings interned to dense ids.
 *
 * Ids count up from 0 in order of first appearance; id 0 is always "".
 */
#ifndef GS_STRTAB_H
#define GS_STRTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#define GS_STRTAB_NONE UINT32_MAX

struct gs_far;
struct gs_strtab; /* opaque */

struct gs_strtab *gs_strtab_create(void);
/* Its strings and its index lie where `far` says (far.h), which is closed
 * later.
 */
struct gs_strtab *gs_strtab_create_far(struct gs_far *far);
void gs_strtab_destroy(struct gs_strtab *t); /* NULL is fine */

/* The id of the `len` bytes at `s`, which are copied when new.  A NUL byte
 * ends the string early.
 */
uint32_t gs_strtab_put(struct gs_strtab *t, const char *s, size_t len);

/* The same for one of many strings that are expected to rise: each is longer
 * than those put so before, or as long and greater, as job-9 and job-10 are.
 * One that does takes no place in the index by which strings are found: it is
 * found in the order of these strings.
 */
uint32_t gs_strtab_put_rising(struct gs_strtab *t, const char *s, size_t len);

/* The id, or GS_STRTAB_NONE when the string was never put. */
uint32_t gs_strtab_find(const struct gs_strtab *t, const char *s, size_t len);

/* Leave strings out of the index by which they are found: those of which
 * is_out[id] is true, for all ids.  They are found none the less, slowly: it
 * saves memory where they are many and hardly looked up.
 */
void gs_strtab_leave_out(struct gs_strtab *t, const bool *is_out);

/* The string, NUL-terminated; its address is valid as long as the table. */
const char *gs_strtab_str(const struct gs_strtab *t, uint32_t id);
uint32_t gs_strtab_count(const struct gs_strtab *t);

#pragma GCC visibility pop

#endif /* GS_STRTAB_H */
