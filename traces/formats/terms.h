/* traces/formats/terms.h - settings of a queue or a priority class, in a file
 * or a change.  Private to traces/.
 */
#ifndef TRACES_FORMATS_TERMS_H
#define TRACES_FORMATS_TERMS_H

#include <stdbool.h>

#include "base/yamldoc.h"

struct trace_class;
struct trace_queue;
struct trace_quota;

/* Read the keys of the mapping into `q`; members that it does not state are
 * unchanged.  With `name` the key `name` is required and stored in *name; with
 * NULL it is not allowed.  c->user is the workload.
 */
int trace_queue_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_queue *q,
                      struct gs_err *err);

/* The same for a quota. */
int trace_quota_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_quota *q,
                      struct gs_err *err);

/* The same for a priority class; a new one must state its value. */
int trace_class_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      bool is_new, struct trace_class *klass,
                      struct gs_err *err);

#endif /* TRACES_FORMATS_TERMS_H */
