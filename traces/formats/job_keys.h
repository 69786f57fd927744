/* traces/formats/job_keys.h - the table of job keys with one value, one row
 * each, used by both native readers and both native writers.  Columns of native
 * CSV are such rows, too (csv_row.h).
 *
 * A new key is a member of struct trace_job_aside and a row of the table.  Keys
 * with several values, and keys of tasks, are in the files of the formats.
 */
#ifndef TRACES_FORMATS_JOB_KEYS_H
#define TRACES_FORMATS_JOB_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/yamldoc.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"

enum trace_key_kind {
    TRACE_KEY_TIME,   /* int64_t us, from `low` */
    TRACE_KEY_SPAN,   /* int64_t us, or "forever"; CSV only */
    TRACE_KEY_MILLI,  /* int64_t thousandths; CSV only */
    TRACE_KEY_WHOLE,  /* int64_t, an int32_t from `low` to `high` */
    TRACE_KEY_PAST,   /* int64_t us, at most 0; YAML only */
    TRACE_KEY_BYTES,  /* int64_t */
    TRACE_KEY_COUNT,  /* uint32_t from `low` (0 or 1) to `high` */
    TRACE_KEY_PART,   /* uint32_t thousandths of 1, to 1 */
    TRACE_KEY_SHARE,  /* uint32_t thousandths, above 0 and below 1; CSV only */
    TRACE_KEY_MIG,    /* uint32_t, kind of an instance; CSV only */
    TRACE_KEY_NAME,   /* uint32_t string id */
    TRACE_KEY_QUEUE,  /* the same, of a queue's path; CSV only */
    TRACE_KEY_OWN,    /* the same, of the job itself; CSV only */
    TRACE_KEY_RUNS,   /* the same, of recorded runs "A;B"; CSV only */
    TRACE_KEY_AFTER,  /* the same, of dependencies "A;B"; CSV only */
    TRACE_KEY_MODELS, /* the same, "A|B"; CSV only */
    TRACE_KEY_WORD,   /* bool: one of two words */
    TRACE_KEY_FLAG    /* as a word; YAML also takes yes, no, on, off */
};

/* A job with what it states aside. */
struct trace_whole_job {
    struct trace_job job;
    struct trace_job_aside aside;
};

struct trace_job_key {
    const char *name; /* YAML key and CSV column */
    enum trace_key_kind kind;
    size_t at;     /* offset in struct trace_whole_job or trace_csv_row */
    int64_t unset; /* value when it is not stated */
    int64_t low, high;
    const char *yes, *no; /* words for true and false */
    bool yaml_only;
    bool always; /* CSV: written even if no job states it */
};

/* Key `i`; NULL past the last.  Keys of YAML alone come last. */
const struct trace_job_key *trace_job_key_at(size_t i);

/* Set the member of the struct `of` to `unset`. */
void trace_key_clear(const struct trace_job_key *k, void *of);

/* True when the member differs from `unset`. */
bool trace_key_stated(const struct trace_job_key *k, const void *of);

/* A gs_yread_fn: `dest` is the struct trace_whole_job, c->user the workload,
 * and the row is found by the key's name.
 */
int trace_job_key_yaml(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err);

/* Read cell `i`, which is not empty, into the struct `of`; names go into
 * `names`.
 */
int trace_key_cell(const struct trace_job_key *k, const struct trace_table *t,
                   int i, struct gs_strtab *names, void *of,
                   struct gs_err *err);

/* Write the value, unless it is that of models, recorded runs or dependencies;
 * `text` writes a name as the format quotes it.
 */
void trace_key_put(const struct trace_job_key *k, FILE *out,
                   const struct gs_strtab *names, const void *of,
                   void (*text)(FILE *, const char *));

#endif /* TRACES_FORMATS_JOB_KEYS_H */
