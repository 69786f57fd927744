/* policies/profile/extension_points.h - which extension points of a module a profile uses. */
#ifndef POLICIES_PROFILE_EXTENSION_POINTS_H
#define POLICIES_PROFILE_EXTENSION_POINTS_H

#include "base/err.h"
#include "policies/policy.h"

struct gs_arena;
struct gs_yctx;
struct gs_ynode;

/* The points that list `v` names, all of which `m` has, as a mask (never 0). */
int gsched_points_read(const struct gs_yctx *c, const struct gs_ynode *v,
                       const struct gsp_module *m, uint32_t *out,
                       struct gs_err *err);
/* `m` with no other points than those of the mask; 0: all. */
const struct gsp_module *gsched_points_of(const struct gsp_module *m,
                                          uint32_t mask,
                                          struct gs_arena *arena);
/* May the module be asked for victims? */
bool gsched_points_have(uint32_t mask, enum gsp_why why);
/* The names in the mask, one after the other from *at 0 on; NULL. */
const char *gsched_points_name(uint32_t mask, uint32_t *at);

#endif /* POLICIES_PROFILE_EXTENSION_POINTS_H */
