/* traces/formats/native.h - a native YAML trace being read.  Private to
 * traces/.
 *
 * Queues and classes may be defined after the jobs that name them: each is
 * added when a job first names it, with the place, and checked at the end.
 */
#ifndef TRACES_FORMATS_NATIVE_H
#define TRACES_FORMATS_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/yamldoc.h"
#include "traces/formats/job_keys.h"
#include "traces/formats/reading.h"

#define TRACE_JOB_FIELDS_MAX 64

/* A queue or a class, by its index. */
struct trace_use {
    int line, column; /* first use by a job; 0: none */
    bool defined;     /* by an entry of its own */
    bool known;       /* or it is the parent of a defined one */
};

/* A job whose `submit` is a date, not yet converted. */
struct trace_dated {
    uint32_t job;
    int line, column;
};

struct trace_native {
    struct trace_reading *r;
    struct gs_yctx c; /* c.user is the workload */
    struct trace_use *queue, *klass, *quota, *pool;
    struct trace_use *flavor; /* by string id */
    uint32_t queue_cap, class_cap, quota_cap, pool_cap, flavor_cap;
    struct trace_dated *dated;
    uint32_t dated_count, dated_cap;
    uint32_t item;                                /* jobs seen */
    struct gs_yfield field[TRACE_JOB_FIELDS_MAX]; /* keys of a job */
    size_t field_count;
    struct trace_whole_job unset; /* the values of a job that states no key of
                                     job_keys.h */
    struct trace_group *group;    /* of the current job */
    uint32_t group_cap;
    struct trace_stand *stand; /* of the current job */
    uint32_t stand_count, stand_cap;
    uint32_t *named; /* [string id] the last list that names the node */
    uint32_t named_cap, lists;
    struct trace_place *needed; /* [w->dependency] where the file has it */
    uint32_t needed_cap;
    struct gs_err problems; /* of the jobs */
    struct gs_err own;      /* of the current job */
};

/* Replicas of a service over the day: `high` at the time of day `peak` (us),
 * `low` twelve hours from it.  Or they follow a series, up to `high`.
 */
struct trace_load {
    int64_t peak;
    uint32_t low, high;                      /* high 0: not a service */
    const struct trace_following *following; /* NULL: the time of day */
};

/* native_jobs.c: makes the table of fields of a job, its own and those of
 * job_keys.h; reads one job (`ctx` is the struct trace_native).
 */
void trace_native_fields(struct trace_native *l);
int trace_native_job(void *ctx, const struct gs_ynode *item,
                     struct gs_err *err);

/* native_load.c: reads a struct trace_load; adds the service's replicas. */
int trace_read_load(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err);
int trace_load_add(struct trace_native *l, const struct trace_job *service,
                   const struct trace_load *load, struct gs_mark at,
                   struct gs_err *err);

/* native_running.c: reads `running_on` of the group, of so many replicas, into
 * l->stand; what a job that has any may say beside it.
 */
int trace_read_running(struct trace_native *l, const struct gs_ynode *v,
                       uint32_t group, uint32_t replicas, struct gs_err *err);
int trace_running_check(const struct trace_native *l,
                        const struct trace_job *job,
                        const struct gs_ynode *item, struct gs_err *err);

/* native_recorded.c: reads `recorded` (NULL: none) of a job whose other keys
 * were read; `is_dated`: its `submit` is a date.
 */
int trace_read_recorded(struct trace_native *l, const struct gs_ynode *v,
                        const struct gs_ynode *item, bool is_dated,
                        struct trace_job *job, struct gs_err *err);

/* native_after.c: reads `after` of a job (NULL: none). */
int trace_read_after(struct trace_native *l, const struct gs_ynode *v,
                     struct trace_job *job, struct gs_err *err);

/* native_task_rules.c: reads `task_affinity` of a job (NULL: none) whose groups
 * were read.
 */
int trace_read_task_rules(const struct trace_native *l,
                          const struct gs_ynode *v, struct trace_job *job,
                          struct gs_err *err);

/* native_topology.c: reads `topology` of a group (NULL: none); of a job, which
 * is `item`; `has_groups`: its groups were read without a mistake.
 */
int trace_read_group_topology(const struct trace_native *l,
                              const struct gs_ynode *v, struct trace_group *g,
                              struct gs_err *err);
int trace_read_topology(const struct trace_native *l, const struct gs_ynode *v,
                        const struct gs_ynode *item, struct trace_job *job,
                        bool has_groups, struct gs_err *err);

/* native_quotas.c: reads `quotas` of a job (NULL: none), a name or a list; the
 * definitions (NULL: none), and checks that jobs name no others.
 */
int trace_read_quotas(struct trace_native *l, const struct gs_ynode *v,
                      struct trace_job *job, struct gs_err *err);
int trace_native_quotas(struct trace_native *l, const struct gs_ynode *list,
                        struct gs_err *err);

/* native_pools.c: the same for `pools`. */
int trace_read_pools(struct trace_native *l, const struct gs_ynode *v,
                     struct trace_job *job, struct gs_err *err);
int trace_native_pools(struct trace_native *l, const struct gs_ynode *map,
                       struct gs_err *err);

/* native_reservations.c: the definitions (NULL: none), with dates if there is
 * an epoch (INT64_MIN: none), and checks that jobs name no others.
 */
int trace_native_reservations(struct trace_native *l,
                              const struct gs_ynode *list, int64_t epoch,
                              struct gs_err *err);

/* native_accounts.c: the definitions (NULL: none), and checks that jobs name no
 * others; without definitions any name is valid.  Writes them, unless there
 * are none.
 */
int trace_native_accounts(struct trace_native *l, const struct gs_ynode *list,
                          struct gs_err *err);
int trace_native_qos(struct trace_native *l, const struct gs_ynode *map,
                     struct gs_err *err);
int trace_native_partitions(struct trace_native *l, const struct gs_ynode *map,
                            struct gs_err *err);

/* The queue, or class, that a job names at `v`; `v` is NULL when it names none.
 */
int trace_native_queue(struct trace_native *l, const struct gs_ynode *v,
                       uint32_t *queue, struct gs_err *err);
int trace_native_priority(struct trace_native *l, const struct gs_ynode *v,
                          uint32_t *klass, struct gs_err *err);

/* native_flavors.c: the flavors that tasks of a group hold (NULL: none); the
 * definitions (NULL: none), after the jobs and before those of queues.
 */
int trace_read_held(struct trace_native *l, const struct gs_ynode *list,
                    struct trace_group *g, struct gs_err *err);
int trace_native_flavors(struct trace_native *l, const struct gs_ynode *list,
                         struct gs_err *err);

/* Read the definitions (NULL: none) and check the names that jobs used.  In a
 * trace without queue definitions any queue name is valid; a class must always
 * be defined.
 */
int trace_native_queues(struct trace_native *l, const struct gs_ynode *list,
                        struct gs_err *err);
int trace_native_classes(struct trace_native *l, const struct gs_ynode *map,
                         struct gs_err *err);

#endif /* TRACES_FORMATS_NATIVE_H */
