/* sim/scenario/scenario_private.h - a scenario while it is read. */
#ifndef SIM_SCENARIO_SCENARIO_PRIVATE_H
#define SIM_SCENARIO_SCENARIO_PRIVATE_H

#include "base/yamldoc.h"
#include "sim/scenario/scenario.h"

struct sim_reading {
    struct sim_scenario *scenario;
    struct gs_arena *arena;
    const struct topo *topo; /* NULL: not known */
    uint32_t node_level;     /* below all tiers */
    uint32_t *node;          /* [string id] a node's number; UINT32_MAX */
    uint32_t names;          /* string ids known then */
    struct gs_yctx ctx;
    struct gs_err problems; /* mistakes in events, kept here: the YAML reader
                               returns no tree after a mistake, and the rest
                               of the file may have more */
};

/* The string id, or GS_STRTAB_NONE. */
uint32_t sim_name_find(const struct sim_reading *r, const char *text);

/* A time above 0. */
int sim_read_span(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err);

/* A node type of the topology: its string id. */
int sim_read_type(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err);

/* scenario_start.c: adds to the reading, which is c->user */
int sim_read_start(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err);

/* scenario_kinds.c: add to the reading, which is c->user */
int sim_read_failures(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err);
int sim_read_scale(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err);

#endif /* SIM_SCENARIO_SCENARIO_PRIVATE_H */
