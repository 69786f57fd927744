/* reports/store/run_inputs.h - the inputs of a run, and in which of them two
 * runs differ.
 *
 * A run may be called better or worse than another only if both have the same
 * inputs; tables, pages and the gate all use this rule.  The inputs are a text,
 * which a baseline can store: the hash of the trace, the hash of the topology,
 * and a JSON object of the options that change the replay or the window of the
 * metrics.  Policy, seed and settings of queues are not inputs: they are the
 * subject of comparisons.
 */
#ifndef REPORTS_STORE_RUN_INPUTS_H
#define REPORTS_STORE_RUN_INPUTS_H

#include <stddef.h>

struct gs_arena;
struct report_stored_run;

/* Bits of a set. */
enum report_input {
    REPORT_INPUT_TRACE = 1u << 0,    /* the file, or the part of it */
    REPORT_INPUT_TOPOLOGY = 1u << 1, /* the file, or nodes added and left out */
    REPORT_INPUT_LOAD = 1u << 2,     /* load, durations */
    REPORT_INPUT_WINDOW = 1u << 3,   /* the window */
    REPORT_INPUT_WORLD = 1u << 4,    /* the scenario */
    REPORT_INPUT_SPEED = 1u << 5,    /* the speed model */
    REPORT_INPUT_OPTIONS = 1u << 6,  /* any other option */
    REPORT_INPUTS = 7
};

/* The run's inputs, in `arena`.  Equal texts are equal inputs. */
const char *report_inputs_text(const struct report_stored_run *run,
                               struct gs_arena *arena);

/* The settings of queues and priority classes of the run
 * ("queues.a.limit.gpu=8"), which no profile contains; "" when none.  In
 * `arena`.
 */
const char *report_inputs_settings(const struct report_stored_run *run,
                                   struct gs_arena *arena);

/* The set of inputs that differ; 0: none.  A text of an older version, which
 * has only hashes, is compared by these.
 */
unsigned report_inputs_differ(const char *a, const char *b);

/* "trace, topology and load" of a set that is not empty.  Returns buf. */
const char *report_inputs_names(unsigned inputs, char *buf, size_t size);

#endif /* REPORTS_STORE_RUN_INPUTS_H */
