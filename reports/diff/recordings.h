/* reports/diff/recordings.h - two recordings of a scheduler's door: the first
 * cycle whose answers differ.
 *
 * A recording is a text: a line for each call, and below a `cycle` its
 * decisions, lines that begin with a blank (docs/embedding.md).
 */
#ifndef REPORTS_DIFF_RECORDINGS_H
#define REPORTS_DIFF_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"

#define REPORT_ANSWERS 8u /* kept of a cycle, from the first that differs on */

struct gs_input;

/* All texts are clean (base/text.h). */
struct report_recording {
    const char *path;
    const char *profile;                /* "PRESET SETTING"; "" */
    int line;                           /* of the answer, or of the event */
    const char *answer[REPORT_ANSWERS]; /* from the one that differs on */
    uint32_t answers;
};

struct report_recordings {
    struct report_recording side[2];
    bool differs;
    bool is_event;   /* other calls were recorded: `answer` are these */
    int64_t at;      /* us, of the cycle; of an event that of the last cycle */
    char event[200]; /* the last call before; "" */
    uint64_t cycles, equal; /* and answers before the difference */
};

/* Compare two recordings, in `arena`.  -1 when one cannot be read. */
int report_recordings(const char *const path[2], struct gs_arena *arena,
                      struct report_recordings *out, struct gs_err *err);
void report_recordings_print(const struct report_recordings *r, FILE *out);
void report_recordings_json(const struct report_recordings *r, FILE *out);

#endif /* REPORTS_DIFF_RECORDINGS_H */
