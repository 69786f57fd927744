/* import/slurm/slurm_values.h - values as Slurm writes them. */
#ifndef SLURM_VALUES_H
#define SLURM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLURM_INFINITE INT64_MAX
#define SLURM_UNKNOWN INT64_MIN

/* A span of time: "30" (minutes), "30:15", "8:00:00", "2-12", "2-12:30:00",
 * "INFINITE", "UNLIMITED", "-1".  *us is SLURM_INFINITE for the latter.  -1
 * when it is none.
 */
int slurm_span_read(const char *text, size_t len, int64_t *us);

/* A time elapsed: "08:00", "8:00:00", "2-12:00:00"; two numbers are minutes and
 * seconds, a fraction of a second is left out.  -1 when it is none.
 */
int slurm_elapsed_read(const char *text, size_t len, int64_t *us);

/* A whole number with a suffix K, M, G, T, P or E, powers of `base` (1000 or
 * 1024), times `unit`; a fraction is rounded up.  *used is its bytes.  -1 when
 * it is none, or too large.
 */
int slurm_count_read(const char *text, size_t len, int64_t base, int64_t unit,
                     int64_t *out, size_t *used);

/* "4G", "3000Mn" (a node), "100Mc" (a CPU): *bytes of `of` ('n', 'c', or 0: of
 * all).  A number without a unit is MiB.
 */
int slurm_memory_read(const char *text, size_t len, int64_t *bytes, char *of);

/* Is the text one of those for no value: "", "None", "Unknown", "N/A" ...? */
bool slurm_is_none(const char *text, size_t len);

/* True when `len` bytes are the text `word`, in letters of either case. */
bool slurm_is_word(const char *text, size_t len, const char *word);

/* True when the text `word` is among the bytes. */
bool slurm_text_has(const char *text, size_t size, const char *word);

/* The next part of a list between commas (or `by`), without blanks around it:
 * its begin, NULL after the last; *p goes on behind it.
 */
const char *slurm_part_next(const char **p, const char *end, char by,
                            size_t *len);

#endif /* SLURM_VALUES_H */
