/* tests/lib/module_host.h - a host that shows score modules a few nodes;
 * parameters are read as a profile's are.
 */
#ifndef TEST_MODULE_HOST_H
#define TEST_MODULE_HOST_H

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "tests/lib/suite.h"
#include "topology/resources.h"

#define HOST_DIMS 8u
#define HOST_NODES 8u

extern const char *const host_dim_names[HOST_DIMS];

/* Nodes, each in a state of its own. */
struct gsp_view {
    uint32_t count;
    int64_t free[HOST_DIMS][HOST_NODES], capacity[HOST_DIMS][HOST_NODES];
    uint32_t gpus_free[HOST_NODES];
};

struct gsp_task {
    int64_t amount[HOST_DIMS];
};

/* A module, and what is set: "weight=5"; NULL after the last. */
struct module_use {
    const char *name;
    const char *set[4];
};

extern const struct gsp_host module_host;

/* The module's own parameters, from text; -1 and `err` when one is wrong. */
int module_values(const struct module_use *u, struct gs_arena *arena,
                  union gsp_value *value, const struct gsp_module **m,
                  struct gs_err *err);

/* The points it gives each node. */
void module_scores(const struct module_use *u, const struct gsp_view *v,
                   const struct gsp_task *t, double *points);

double host_number(const struct gs_ynode *n);

uint32_t host_dim_of(const char *name);

/* A mapping's amounts on top of `out`: memory in its own unit, the others in
 * thousandths.
 */
void host_amounts_add(const struct gs_ynode *map, int64_t *out);

/* One more node, of which `used` is taken. */
void host_node_add(struct gsp_view *v, const struct gs_ynode *capacity,
                   const struct gs_ynode *used);

/* "resources={cpu: 1, memory: 2}" for a mapping or list of resources; those
 * of cpu and memory without one.
 */
void host_resources(const struct gs_ynode *map, char *out, size_t size);

#endif /* TEST_MODULE_HOST_H */
