/* sim/cli/progress.h - one line on standard error that tells how far a long
 * command is: what is done, the rate, the time left.
 *
 * It is shown when standard error is a terminal, from half a second on, at most
 * five times a second, and removed at the end.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool is_on, is_drawn;
    const char *unit;  /* "runs", "jobs" */
    const char *label; /* shown by progress_count; NULL: none */
    int64_t began;     /* us, when the count began */
    int64_t drawn;     /* us, when the line was drawn last */
    uint64_t before;   /* done when the count began */
};

/* Off where `quiet` is true or standard error is no terminal.  `unit` stays. */
void progress_begin(struct progress *p, const char *unit, bool quiet);
/* Begin the count anew, from `done` on: the rate is of what is done after. */
void progress_restart(struct progress *p, uint64_t done);
/* "LABEL: DONE of TOTAL UNIT, ..., LEFT left"; `total` 0: unknown.  `label` may
 * be NULL.
 */
void progress_show(struct progress *p, const char *label, uint64_t done,
                   uint64_t total);
/* progress_show of a struct progress, as others call back. */
void progress_count(void *line, uint32_t done, uint32_t total);
/* Remove the line. */
void progress_end(struct progress *p);

/* Microseconds of a clock that only goes forward. */
int64_t progress_clock_us(void);

#endif /* CLI_PROGRESS_H */
