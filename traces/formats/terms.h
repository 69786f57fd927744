/* traces/formats/terms.h - settings of a queue or a priority class, in a file
 * or a change.  Private to traces/.
 */
#ifndef TRACES_FORMATS_TERMS_H
#define TRACES_FORMATS_TERMS_H

#include <stdbool.h>

#include "base/yamldoc.h"

struct trace_account;
struct trace_class;
struct trace_partition;
struct trace_pool;
struct trace_qos;
struct trace_queue;
struct trace_queue_extra;
struct trace_quota;
struct trace_workload;

#define TRACE_SHARES_ALLOWED "a whole number from 0 to 1000000000, or 'parent'"

/* Read the keys of the mapping into `q`; members that it does not state are
 * unchanged.  With `name` the key `name` is required and stored in *name; with
 * NULL it is not allowed.  c->user is the workload.
 */
int trace_queue_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_queue *q,
                      struct gs_err *err);

/* Its key `flavors`, in the place of those that it has. */
int trace_queue_flavors_take(const struct gs_yctx *c,
                             const struct gs_ynode *list,
                             struct trace_queue_extra *extra,
                             struct gs_err *err);

/* The same for a quota. */
int trace_quota_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_quota *q,
                      struct gs_err *err);

/* A map of resources: memory in bytes, pods whole, the others in thousandths.
 */
int trace_amounts_take(const struct gs_yctx *c, const struct gs_ynode *map,
                       int64_t *amount, struct gs_err *err);
/* One of them. */
int trace_amount_take(const struct gs_yctx *c, const struct gs_ynode *v,
                      int64_t *amount, struct gs_err *err);
/* The key `limits` (NULL: not stated), added to *limits, see
 * traces/workload/limits.h.
 */
int trace_limits_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                       uint32_t *limits, struct gs_err *err);

/* The same for a priority class; a new one must state its value. */
int trace_class_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      bool is_new, struct trace_class *klass,
                      struct gs_err *err);
/* Check, when all classes are known, that `preemption` of the mapping lists
 * such ones; then, that no class may evict jobs of itself by way of others.
 */
int trace_class_victims_check(const struct gs_yctx *c,
                              const struct gs_ynode *map, struct gs_err *err);
int trace_class_loops_check(const struct trace_workload *w, const char *source,
                            struct gs_err *err);

/* What names others in the keys of an account. */
struct trace_account_nodes {
    const struct gs_ynode *name, *parent, *users; /* NULL: not stated */
};

/* The same for an account, or with `nodes` NULL for a user of one. */
int trace_account_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                        struct trace_account_nodes *nodes,
                        struct trace_account *a, struct gs_err *err);
/* The shares of an account or a user, uint32_t. */
int trace_yread_shares(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err);

/* The same for a QOS, and a partition. */
int trace_qos_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                    struct trace_qos *q, struct gs_err *err);
int trace_partition_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                          struct trace_partition *p, struct gs_err *err);

/* The size of a pool, or a mapping of its keys. */
int trace_pool_terms(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_pool *p, struct gs_err *err);

#endif /* TRACES_FORMATS_TERMS_H */
