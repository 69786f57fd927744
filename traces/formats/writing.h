/* traces/formats/writing.h - code shared by both native writers.  Private to
 * traces/.
 */
#ifndef TRACES_FORMATS_WRITING_H
#define TRACES_FORMATS_WRITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/workload/workload.h"

struct gs_err;

/* Fails when two jobs have one name, which the reader would refuse. */
int trace_writing_check(const struct trace_workload *w, struct gs_err *err);

/* Fails when a write to `out` failed. */
int trace_writing_finish(FILE *out, struct gs_err *err);

/* The text of a string id, as a YAML scalar. */
void trace_put_id(FILE *out, const struct trace_workload *w, uint32_t id);
/* The same, within double quotes. */
void trace_put_inside(FILE *out, const struct trace_workload *w, uint32_t id);
/* Plain seconds, or "1.5s", or "forever". */
void trace_put_time(FILE *out, int64_t us);
/* "A|B" */
void trace_put_models(FILE *out, const struct trace_workload *w,
                      const struct topo_request *q);

/* write_after.c: the key `after` of a job with dependencies, without those on
 * jobs that are not in the workload.  `named` is by trace_jobs_by_name, NULL:
 * no job has any.
 */
void trace_put_after(FILE *out, const struct trace_workload *w,
                     const struct trace_job *j, const uint32_t *named);

/* native_topology.c: the key `topology`, as far as there is any. */
void trace_put_topology(FILE *out, const struct trace_workload *w,
                        const struct trace_topology *t);

/* native_task_rules.c: the key `task_affinity`, as far as the job has any. */
void trace_put_task_rules(FILE *out, const struct trace_workload *w,
                          const struct trace_job *j);

/* write_accounts.c: accounts, QOS classes and partitions, as far as there are
 * any.
 */
void trace_put_accounts(FILE *out, const struct trace_workload *w);

/* native_pools.c: the pools, if there are any; ", pools: ..." of a job, nothing
 * for 0.
 */
void trace_put_pools(FILE *out, const struct trace_workload *w);
void trace_put_tokens(FILE *out, const struct trace_workload *w,
                      uint32_t pools);

/* write_queues.c: flavors, and queues, as far as there are any; ", KEY: [...]"
 * of taints or tolerations, nothing for none.
 */
void trace_put_flavors(FILE *out, const struct trace_workload *w);
void trace_put_queues(FILE *out, const struct trace_workload *w);
void trace_put_taints(FILE *out, const struct trace_workload *w,
                      const char *key, const struct topo_taint *list,
                      uint32_t count);

/* native_reservations.c: those that there are. */
void trace_put_reservations(FILE *out, const struct trace_workload *w);

/* An amount of a dimension, as the readers take it. */
void trace_put_amount(FILE *out, int dim, int64_t amount);
/* `before`, then "KEY: {NAME: AMOUNT, ...}" of the amounts from dimension
 * `first` on that are not `none`; nothing, and false, without any.
 */
bool trace_put_amounts(FILE *out, const struct trace_workload *w,
                       const char *before, const char *key,
                       const int64_t *amount, int first, int64_t none);
/* class_terms.c: the priority classes that have names. */
void trace_put_classes(FILE *out, const struct trace_workload *w);
/* limit_terms.c: ", limits: {...}", nothing for 0. */
void trace_put_limits(FILE *out, const struct trace_workload *w, uint32_t of);

const char *trace_within_mode(enum trace_within within);

/* True when the name of the class is its value, as `priority: 5` creates it. */
bool trace_class_is_number(const struct trace_workload *w, uint32_t klass);

/* True when the queue states more than its name. */
bool trace_queue_has_terms(const struct trace_queue *q);

#endif /* TRACES_FORMATS_WRITING_H */
