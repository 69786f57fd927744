/* reports/store/run_inputs.h - the inputs of a run, and by which of them two
 * runs differ.
 *
 * A run is better or worse than another only where both replayed the same: the
 * one rule by which tables, pages and the gate judge or leave it.  The inputs
 * of a run are a text, so that a baseline can keep it: the hash of the trace,
 * the hash of the topology, and a JSON object of the options that change what
 * is replayed or over which time it is measured.  Policy, seed and settings of
 * queues are no inputs: they are what is compared.
 */
#ifndef REPORTS_STORE_RUN_INPUTS_H
#define REPORTS_STORE_RUN_INPUTS_H

#include <stddef.h>

struct gs_arena;
struct report_stored_run;

/* Bits of a set. */
enum report_input {
    REPORT_INPUT_TRACE = 1u << 0,    /* the file, or which part of it */
    REPORT_INPUT_TOPOLOGY = 1u << 1, /* the file, or nodes added and left out */
    REPORT_INPUT_LOAD = 1u << 2,     /* load, durations */
    REPORT_INPUT_WINDOW = 1u << 3,   /* the time that is measured */
    REPORT_INPUT_WORLD = 1u << 4,    /* what happens to nodes */
    REPORT_INPUT_SPEED = 1u << 5,    /* the speed model */
    REPORT_INPUT_OPTIONS = 1u << 6,  /* any other */
    REPORT_INPUTS = 7
};

/* The run's inputs, in `arena`.  Equal texts are equal inputs. */
const char *report_inputs_text(const struct report_stored_run *run,
                               struct gs_arena *arena);

/* Its settings of queues and priority classes ("queues.a.limit.gpu=8"), which
 * stand in no profile; "" when none.  In `arena`.
 */
const char *report_inputs_settings(const struct report_stored_run *run,
                                   struct gs_arena *arena);

/* The set of inputs that differ; 0: none.  A text of an older version that has
 * hashes alone is compared by these.
 */
unsigned report_inputs_differ(const char *a, const char *b);

/* "trace, topology and load" of a set that is not empty.  Returns buf. */
const char *report_inputs_names(unsigned inputs, char *buf, size_t size);

#endif /* REPORTS_STORE_RUN_INPUTS_H */
