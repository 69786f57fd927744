/* policies/profile/extension_points.h - the extension points of a module that a
 * profile uses.
 */
#ifndef POLICIES_PROFILE_EXTENSION_POINTS_H
#define POLICIES_PROFILE_EXTENSION_POINTS_H

#include "base/err.h"
#include "policies/policy.h"

struct gs_arena;
struct gs_yctx;
struct gs_ynode;

/* Read the list `v` of extension points, all of which `m` must have, as a mask
 * (never 0).
 */
int gsched_points_read(const struct gs_yctx *c, const struct gs_ynode *v,
                       const struct gsp_module *m, uint64_t *out,
                       struct gs_err *err);
/* A copy of `m` with only the points in the mask; 0: all points. */
const struct gsp_module *gsched_points_of(const struct gsp_module *m,
                                          uint64_t mask,
                                          struct gs_arena *arena);
/* True when the points include the victims of this kind of eviction. */
bool gsched_points_have(uint64_t mask, enum gsp_why why);
/* All points that the module has, as a mask; the point called `name`, 0 when
 * the module lacks it.
 */
uint64_t gsched_points_all(const struct gsp_module *m);
uint64_t gsched_points_mask(const struct gsp_module *m, const char *name);
/* Iterate over the names of the points in the mask; start with *at 0.  NULL
 * after the last.
 */
const char *gsched_points_name(uint64_t mask, uint32_t *at);

#endif /* POLICIES_PROFILE_EXTENSION_POINTS_H */
