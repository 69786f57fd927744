/* traces/formats/native_load.h - services whose number of replicas changes.
 * Private to traces/.
 */
#ifndef TRACES_FORMATS_NATIVE_LOAD_H
#define TRACES_FORMATS_NATIVE_LOAD_H

#include "traces/formats/native.h"

#define TRACE_LOAD_JOBS_MAX 1000000u /* jobs of one service */

/* native_load.c: adds the job of one replica, wanted from `from` to `to`, as
 * far as the service is there.
 */
int trace_replica_add(struct trace_native *l, const struct trace_job *service,
                      const char *name, int64_t from, int64_t to,
                      struct gs_mark at, struct gs_err *err);

/* native_scaling.c: reads a `load` with `series`; adds the replicas of a
 * service with an end.
 */
int trace_read_following(const struct gs_yctx *c, const struct gs_ynode *v,
                         struct trace_load *load, struct gs_err *err);
int trace_following_add(struct trace_native *l, const struct trace_job *service,
                        const struct trace_following *f, struct gs_mark at,
                        struct gs_err *err);

#endif /* TRACES_FORMATS_NATIVE_LOAD_H */
