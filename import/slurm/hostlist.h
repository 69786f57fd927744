/* import/slurm/hostlist.h - Slurm's lists of names: "n[01-03,7],gpu[1-2]-ib0".
 */
#ifndef SLURM_HOSTLIST_H
#define SLURM_HOSTLIST_H

#include <stddef.h>

#define SLURM_RANGE_MAX 65536 /* names of one range, as in Slurm */
#define SLURM_HOST_MAX 256    /* bytes of a name */

/* Takes a name, NUL-terminated and valid during the call only.  -1 stops the
 * reading.
 */
typedef int (*slurm_host_fn)(void *ctx, const char *name, size_t len);

/* Hand over the names of the list, in its order; of several brackets the last
 * varies fastest.  Names are separated by commas or blanks, a number has the
 * width of the low bound of its range, and a bracket without an end is part of
 * a name.  0; -1 when `take` returned it; -2 when the text is no list: then
 * *why is what is wrong.
 */
int slurm_hostlist_read(const char *text, size_t len, slurm_host_fn take,
                        void *ctx, const char **why);

#endif /* SLURM_HOSTLIST_H */
