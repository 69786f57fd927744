/* reports/store/store.h - results in SQLite.
 *
 * A run is written in one transaction when it is over: killed at any point,
 * the database holds whole runs or nothing of them.
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

/* What a run was made from. */
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
    const char *notes;   /* JSON list of texts; NULL: none were looked for */
    /* The time that its metrics are of, both ends known; NULL: unknown. */
    const struct report_window *window;
    bool metrics_only; /* leave out jobs, placements and the like */
    bool replaces;     /* a run of this name goes first */
    /* The sweep that it is point `point` of; NULL: none. */
    const struct report_sweep_place *place;
    uint32_t point;
};

/* Open or make the database at `path`.  NULL on failure: GS_INPUT when the
 * file is something else, GS_IO when it cannot be used.
 */
struct report_store *report_store_open(const char *path, struct gs_err *err);
/* Make a database in memory: closing it deletes it. */
struct report_store *report_store_open_memory(struct gs_err *err);
/* As report_store_open, for one of several processes that write often: before
 * a write it waits for the lock on the file `fd`, which all of them share,
 * instead of polling SQLite's lock.
 */
struct report_store *report_store_open_in_turn(const char *path, int fd,
                                               struct gs_err *err);
/* The same for reading only; the file must be there. */
struct report_store *report_store_open_readonly(const char *path,
                                                struct gs_err *err);
/* Close it; a file that was made and never got a run is removed. */
void report_store_close(struct report_store *s); /* NULL is fine */

/* The path that it was opened with. */
const char *report_store_path(const struct report_store *s);

/* Fails (GS_USAGE, naming those there are) when a run has this name. */
int report_store_check_name(struct report_store *s, const char *name,
                            struct gs_err *err);

/* 1 when a run has this name and may be replaced, 0 when none has it; else
 * fails: a run of a sweep (GS_USAGE) is part of what the sweep has done.
 */
int report_store_check_replace(struct report_store *s, const char *name,
                               struct gs_err *err);

/* Write the run; fails as report_store_check_name does, too.  Of a sweep's
 * point that is done already nothing is written.
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
    const char *inputs; /* hashes of trace and topology, to be compared */
    const char *version, *profile, *options;
    const char *notes; /* JSON list of texts; "": none were looked for */
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

/* A run's metrics in order of name, scope, label, in `arena`; the texts are fit
 * to be shown.
 */
int report_store_metrics(struct report_store *s, int64_t run,
                         struct gs_arena *arena,
                         struct report_stored_metric **metric, uint32_t *count,
                         struct gs_err *err);

/* "a, b, ..." of the runs' names, as many as fit; size at least 16.  Returns
 * buf.
 */
const char *report_store_names(struct report_store *s, char *buf, size_t size);

#endif /* REPORTS_STORE_STORE_H */
