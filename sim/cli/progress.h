/* sim/cli/progress.h - a progress line of a long command on standard error:
 * count, rate, time left.
 *
 * It is shown on a terminal only, after half a second, redrawn at most five
 * times a second, and removed at the end.
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

/* Start the line; it is off with `quiet` or when standard error is not a
 * terminal.  `unit` must stay valid.
 */
void progress_begin(struct progress *p, const char *unit, bool quiet);
/* Restart the count at `done`: the rate is computed from there. */
void progress_restart(struct progress *p, uint64_t done);
/* "LABEL: DONE of TOTAL UNIT, ..., LEFT left"; `total` 0: unknown.  `label` may
 * be NULL.
 */
void progress_show(struct progress *p, const char *label, uint64_t done,
                   uint64_t total);
/* progress_show() as a callback; `line` is a struct progress. */
void progress_count(void *line, uint32_t done, uint32_t total);
/* Remove the line. */
void progress_end(struct progress *p);

/* Microseconds of a monotonic clock. */
int64_t progress_clock_us(void);
/* Microseconds of processor time of this thread. */
int64_t progress_processor_us(void);

#endif /* CLI_PROGRESS_H */
