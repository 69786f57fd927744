/* traces/formats/reading.h - a trace file being read: code shared by the
 * formats. Private to traces/.
 */
#ifndef TRACES_FORMATS_READING_H
#define TRACES_FORMATS_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

struct trace_reading {
    struct gs_input *in;
    const struct trace_options *options;
    struct trace_workload *w;
    struct trace_facts *facts;
    bool units_are_gpus; /* else cores */
    uint32_t task_size;  /* units in a full task */
    uint32_t *line_of;   /* [string id] line of the job of that name */
    uint32_t line_of_cap;
    uint32_t unit_shape[TOPO_DEVICES_MAX + 1]; /* [units] shape + 1 */
};

/* One format: fills r->w and r->facts; the caller finishes the workload. */
typedef int (*trace_read_fn)(struct trace_reading *r, struct gs_err *err);

int trace_read_yaml(struct trace_reading *r, struct gs_err *err);
int trace_read_csv(struct trace_reading *r, struct gs_err *err);
int trace_read_swf(struct trace_reading *r, struct gs_err *err);
int trace_read_openb(struct trace_reading *r, struct gs_err *err);
int trace_read_philly(struct trace_reading *r, struct gs_err *err);
int trace_read_itp(struct trace_reading *r, struct gs_err *err);
int trace_read_muri(struct trace_reading *r, struct gs_err *err);

/* A place in the file being read. */
struct gs_mark trace_reading_mark(const struct trace_reading *r, int line,
                                  int column);

struct trace_place {
    int line, column;
};

/* Check, when all jobs are read, that jobs on which others depend are there,
 * and that none depends on itself; `at`: places of the dependencies.
 */
int trace_after_check(const struct trace_reading *r,
                      const struct trace_place *at, struct gs_err *err);

/* Add a job with its groups, unless there are too many. */
int trace_reading_add(struct trace_reading *r, const struct trace_job *job,
                      const struct trace_group *group, struct gs_mark at,
                      struct gs_err *err);

/* Add a job that asks for `units` GPUs (or cores) in all, as full tasks and one
 * task for the rest; all of them are its gang.
 */
int trace_reading_add_units(struct trace_reading *r, struct trace_job *job,
                            uint64_t units, struct gs_mark at,
                            struct gs_err *err);

/* Record that the job called `name` is at `line`; two jobs of one name are an
 * error.
 */
int trace_reading_claim(struct trace_reading *r, uint32_t name, int line,
                        struct gs_mark at, struct gs_err *err);

/* Allowed values, for messages. */
#define TRACE_TIME_ALLOWED "a time such as 90, 90s, 15m, 1h30m or 2d"
#define TRACE_QUEUE_ALLOWED "a path of at most 8 names, such as a/b/c"
#define TRACE_SHARE_ALLOWED \
    "more than 0 and less than 1, in thousandths, such as 0.5"
#define TRACE_MILLI_ALLOWED "an amount such as 4, 1.5 or 500m"
#define TRACE_BYTES_ALLOWED "an amount of bytes such as 512MiB or 80GB"
#define TRACE_PART_ALLOWED "a share from 0 to 1, in thousandths, such as 0.3"
#define TRACE_MIG_ALLOWED                                                   \
    "a profile of A100-40, A100-80, H100-80, H200 or B200 such as 1g.5gb, " \
    "1g.10gb or 3g.40gb"
#define TRACE_MODELS_ALLOWED "a model or several, such as V100M16|V100M32"

#define TRACE_MODELS_MAX 64

/* Parse "V100M16|V100M32" into string ids, sorted, each once.  Returns their
 * number, at most TRACE_MODELS_MAX; 0 when a name is empty or there are too
 * many.
 */
uint32_t trace_models_parse(struct gs_strtab *names, const char *s, size_t len,
                            uint32_t *model);
/* Sort models by name and remove duplicates.  Returns how many are left. */
uint32_t trace_models_tidy(const struct gs_strtab *names, uint32_t *model,
                           uint32_t count);

/* Fails when the job states `gradient` or `measured_on` without
 * `communication`.
 */
int trace_communication_check(const struct trace_job *j, struct gs_mark at,
                              struct gs_err *err);

/* The number behind the last '*' of "n2*4"; 1 without, 0 when it is none or out
 * of range.  *name_len: bytes of the name.
 */
uint32_t trace_node_tasks(const char *text, size_t len, size_t *name_len);

/* Fails when the run of the job, which was just appended, begins before its
 * submission or the end of the one before, or its nodes hold too few tasks or
 * too many.  `start` and `end` are as stated, counted as job->submit is.
 */
int trace_record_put(struct trace_workload *w, struct trace_job *job,
                     int64_t start, int64_t end, uint32_t first_spot,
                     struct gs_mark at, struct gs_err *err);

/* Fails when the request names models, and none of them has the MIG profile
 * that it asks for.
 */
int trace_mig_check(const struct gs_strtab *names, const struct topo_request *q,
                    struct gs_mark at, struct gs_err *err);

#endif /* TRACES_FORMATS_READING_H */
