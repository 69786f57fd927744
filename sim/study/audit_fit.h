/* sim/study/audit_fit.h - what the record does not tell: when periods began.
 *
 * A real scheduler computes priorities at the ends of periods, and plans on a
 * grid of its clock (modules multifactor, fairshare; backfill of mode
 * windowed); versions of it round differently.  A trace whose epoch is not that
 * of the record leaves these open.  audit_fit() chooses the values with the
 * most equal decisions, one setting after another.
 */
#ifndef STUDY_AUDIT_FIT_H
#define STUDY_AUDIT_FIT_H

#include <stddef.h>

#include "sim/audit/audit.h"

struct gs_arena;

/* Change `p` so.  *told, in `arena`, names what was changed
 * ("backfill.clock=14s"), joined by ", "; NULL: no other value is better.
 * Settings of `kept` ("MODULE.PARAM=VALUE", stated by the user) stay.  Fails as
 * audit_run.
 */
int audit_fit(const struct topo *t, const struct trace_workload *w,
              struct gsched_profile *p, const struct audit_options *o,
              const char *const *kept, size_t kepts, struct gs_arena *arena,
              const char **told, struct gs_err *err);

#endif /* STUDY_AUDIT_FIT_H */
