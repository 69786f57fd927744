/* topology/native_private.h - a native topology file being read. */
#ifndef TOPO_NATIVE_PRIVATE_H
#define TOPO_NATIVE_PRIVATE_H

#include <stdint.h>

#include "base/yamldoc.h"
#include "topology/topology.h"

/* Tiers above, within and below the node. */
#define TOPO_LISTED_MAX (2u * TOPO_TIERS_MAX)

struct topo_node_type {
    const char *name;
    struct topo_class klass;
    uint32_t model;                  /* string id of `model`; 0 */
    const struct gs_ynode *model_at; /* NULL: not stated */
    const struct gs_ynode *mig;      /* NULL: not stated */
};

struct topo_loading {
    struct topo *topo;
    struct gs_arena *arena; /* until the file is read */
    const struct gs_ynode *cluster, *tiers, *types, *nodes;
    uint32_t tier_name[TOPO_LISTED_MAX], tier_count; /* all that the file
                                                        lists */
    bool tiers_unknown; /* a tier was left out because of a mistake */
    bool is_full;       /* no room for another node */
    struct topo_node_type *type;
    uint32_t type_count;
    uint32_t *type_of; /* [string id below type_ids]: type + 1 */
    uint32_t type_ids;
};

/* In all functions below c->user is the struct topo_loading. */

/* Read a key that the user chooses as a name, with the rules for names. */
int topo_read_key(const struct gs_yctx *c, const struct gs_ynode *key,
                  uint32_t *name, struct gs_err *err);

/* Read a text as a name: its string id into the uint32_t at `dest`. */
int topo_read_name(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err);

/* Record the name and place of the first key without effect. */
void topo_unused_note(struct topo_unused *u, uint32_t name,
                      const struct gs_ynode *at);

/* Read `node_types`; copy the type that is called as `v` says to `out`. */
int topo_types_read(const struct gs_yctx *c, struct topo_loading *l,
                    struct gs_err *err);
int topo_type_find(const struct gs_yctx *c, const struct topo_loading *l,
                   const struct gs_ynode *v, struct topo_class *out,
                   struct gs_err *err);

/* Read into the struct topo_class at `klass`.  Labels and taints are added to
 * those of the class; a label with the same key is replaced.
 */
int topo_read_speed(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *klass, struct gs_err *err);
int topo_read_generation(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *klass, struct gs_err *err);
int topo_read_labels(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *klass, struct gs_err *err);
int topo_read_taints(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *klass, struct gs_err *err);
int topo_read_load(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *klass, struct gs_err *err);

/* Read `mig`: how GPUs are cut.  The other fields of the class must be read
 * before.
 */
int topo_read_mig(const struct gs_yctx *c, const struct gs_ynode *v,
                  struct topo_class *klass, struct gs_err *err);

#endif /* TOPO_NATIVE_PRIVATE_H */
