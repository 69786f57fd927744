/* policies/profile/registry.h - built-in modules and presets. */
#ifndef POLICIES_PROFILE_REGISTRY_H
#define POLICIES_PROFILE_REGISTRY_H

#include <stddef.h>

#include "share/share.h"

struct gsp_module;

/* NULL when there is none of that name. */
const struct gsp_module *gsched_module_find(const char *name);
const struct share_preset *gsched_preset_find(const char *name);

/* In the order of documentation; NULL past the end. */
const struct gsp_module *gsched_module_at(size_t i);
const struct share_preset *gsched_preset_at(size_t i);

#endif /* POLICIES_PROFILE_REGISTRY_H */
