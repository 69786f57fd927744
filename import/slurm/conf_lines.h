/* import/slurm/conf_lines.h - the pairs Key=Value of Slurm's configuration
 * files, one logical line at a time.
 *
 * '#' begins a comment wherever it stands, unless behind a backslash; a
 * backslash at the end of a line continues it; blanks may stand around '=', and
 * quotes around a value.
 */
#ifndef SLURM_CONF_LINES_H
#define SLURM_CONF_LINES_H

#include <stdint.h>

struct gs_err;
struct gs_input;

#define SLURM_PAIRS_MAX 64

struct slurm_pair {
    const char *key, *value; /* NUL-terminated */
    int line, column;        /* of the key, from 1 */
};

struct slurm_line_taker {
    /* Takes the pairs of a line, valid during the call only. */
    int (*pairs)(void *ctx, const struct slurm_pair *pair, uint32_t count,
                 struct gs_err *err);
    /* Takes the path behind "Include". */
    int (*include)(void *ctx, const char *path, int line, struct gs_err *err);
    void *ctx;
};

/* Read all of `in`.  -1 with a problem: a line that is no pairs, a template, or
 * a taker's; lines after a mistake are read while err wants more.
 */
int slurm_conf_lines(struct gs_input *in, const struct slurm_line_taker *t,
                     struct gs_err *err);

#endif /* SLURM_CONF_LINES_H */
