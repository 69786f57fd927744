/* traces/formats/terms.h - what a file, or a change, may say of a queue or a priority
 * class.  Private to traces/.
 */
#ifndef TRACES_FORMATS_TERMS_H
#define TRACES_FORMATS_TERMS_H

#include <stdbool.h>

#include "base/yamldoc.h"

struct trace_class;
struct trace_queue;

/* Read the mapping's keys into `q`, which keeps what is not stated.  The key
 * `name` must be there, and is only handed out; NULL: it must not be there.
 * c->user is the workload.
 */
int trace_queue_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_queue *q,
                      struct gs_err *err);

/* The same for a priority class; a new one must state its value. */
int trace_class_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      bool is_new, struct trace_class *klass,
                      struct gs_err *err);

#endif /* TRACES_FORMATS_TERMS_H */
