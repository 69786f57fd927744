/* reports/store/store.h - results in SQLite.
 *
 * A run is written in one transaction, after it is over or while it goes on
 * (stream.h), so the database always contains whole runs, also when the program
 * is killed.
 */
#ifndef REPORTS_STORE_STORE_H
#define REPORTS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/measure/log.h"
#include "reports/measure/metrics.h"

struct gs_arena;
struct gs_err;
struct report_store; /* opaque */
struct report_sweep_place;
struct topo;
struct trace_workload;

/* Description of a run. */
struct report_run {
    const char *name;
    const char *status; /* "done", "until", "chance" or "livelock" */
    const char *version;
    const char *policy;
    const char *profile;          /* text, in full */
    const char *topology, *trace; /* paths */
    uint64_t topology_hash, trace_hash;
    uint64_t seed;
    const char *options; /* JSON */
    const char *notes;   /* JSON list of texts; NULL: not collected */
    /* The window of its metrics, both ends known; NULL: unknown. */
    const struct report_window *window;
    bool metrics_only; /* omit jobs, placements and the like */
    bool replaces;     /* delete a stored run of this name first */
    /* The sweep whose point `point` this is; NULL: none. */
    const struct report_sweep_place *place;
    uint32_t point;
};

/* Open the database at `path`, or create it.  NULL on failure: GS_INPUT when
 * the file is not a database of gsim, GS_IO when it cannot be used.
 */
struct report_store *report_store_open(const char *path, struct gs_err *err);
/* Make a database in memory: closing it deletes it. */
struct report_store *report_store_open_memory(struct gs_err *err);
/* As report_store_open, for one of several processes that write often: before a
 * write it waits for a lock on the file `fd`, shared by all of them, instead of
 * polling the lock of SQLite.
 */
struct report_store *report_store_open_in_turn(const char *path, int fd,
                                               struct gs_err *err);
/* As report_store_open for reading only; the file must exist. */
struct report_store *report_store_open_readonly(const char *path,
                                                struct gs_err *err);
/* Close the store; a file that it created and that never got a run is deleted.
 */
void report_store_close(struct report_store *s); /* NULL is fine */

/* The path that it was opened with. */
const char *report_store_path(const struct report_store *s);

/* Fails (GS_USAGE, listing the stored names) when a run has this name. */
int report_store_check_name(struct report_store *s, const char *name,
                            struct gs_err *err);

/* Returns 1 when a run has this name and may be replaced, 0 when none has it.
 * Fails (GS_USAGE) for a run of a sweep, which is part of the state of the
 * sweep.
 */
int report_store_check_replace(struct report_store *s, const char *name,
                               struct gs_err *err);

/* Write the run; fails as report_store_check_name does, too.  Writes nothing
 * for a point of a sweep that is done already.
 */
int report_store_write(struct report_store *s, const struct report_run *run,
                       const struct topo *t, const struct trace_workload *w,
                       const struct report_log *log,
                       const struct report_metric *metric, uint32_t metrics,
                       const struct report_samples *samples,
                       struct gs_err *err);

/* --- reading -------------------------------------------------------------- */

struct report_stored_run {
    int64_t id;
    const char *name, *policy;
    const char *inputs;           /* hashes of trace and topology */
    const char *trace, *topology; /* paths, as they were given */
    const char *version, *profile, *options;
    const char *notes; /* JSON list of texts; "": not collected */
    uint64_t seed;
};

/* All runs in order of their numbers, in `arena`.  -1 on failure. */
int report_store_runs(struct report_store *s, struct gs_arena *arena,
                      struct report_stored_run **run, uint32_t *count,
                      struct gs_err *err);

struct report_stored_metric {
    const char *name, *scope, *label, *unit;
    double value;
};

/* A run's metrics in order of name, scope, label, in `arena`; the texts are
 * clean.
 */
int report_store_metrics(struct report_store *s, int64_t run,
                         struct gs_arena *arena,
                         struct report_stored_metric **metric, uint32_t *count,
                         struct gs_err *err);

/* The names of the runs as "a, b, ...", as many as fit; size at least 16.
 * Returns buf.
 */
const char *report_store_names(struct report_store *s, char *buf, size_t size);

#endif /* REPORTS_STORE_STORE_H */
