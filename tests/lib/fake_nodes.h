/* tests/lib/fake_nodes.h - scores of a module on the nodes of a fake host, both
 * written as text; parameters are read as a profile's are.
 */
#ifndef TEST_FAKE_NODES_H
#define TEST_FAKE_NODES_H

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "policies/profile/profile.h"
#include "tests/lib/fake_host.h"
#include "topology/resources.h"

/* A module, and what is set: "weight=5"; NULL after the last. */
struct fake_use {
    const char *name;
    const char *set[4];
};

/* The module's own parameters, from text; -1 and `err` when one is wrong. */
int fake_values(const struct fake_use *u, struct gs_arena *arena,
                union gsp_value *value, const struct gsp_module **m,
                struct gs_err *err);

/* The points of each node. */
void fake_scores(const struct fake_use *u, const struct gsp_states *v,
                 const struct gsp_task *t, double *points);

double fake_number(const struct gs_ynode *n);

uint32_t fake_dim_of(const char *name);

/* A mapping's amounts on top of `out`: memory in its own unit, the others in
 * thousandths.
 */
void fake_amounts_add(const struct gs_ynode *map, int64_t *out);

/* Add a node, of which `used` is taken. */
void fake_node_add(struct gsp_states *v, const struct gs_ynode *capacity,
                   const struct gs_ynode *used);

/* "resources={cpu: 1, memory: 2}" for a mapping or list of resources; those
 * of cpu and memory without one.
 */
void fake_resources(const struct gs_ynode *map, char *out, size_t size);

#endif /* TEST_FAKE_NODES_H */
