/* import/slurm/conf_nodes.h - the records NodeName, PartitionName, DownNodes of
 * slurm.conf and NodeName of gres.conf.
 */
#ifndef SLURM_CONF_NODES_H
#define SLURM_CONF_NODES_H

#include <stdint.h>

struct conf_defaults; /* of the records DEFAULT; opaque */
struct gs_err;
struct slurm;
struct slurm_gres;
struct slurm_hardware;
struct slurm_pair;
struct slurm_place;

/* In the arena: those of Slurm. */
struct conf_defaults *slurm_conf_defaults(struct slurm *s);

/* Take a record: `p[0]` is its name.  A name DEFAULT changes the defaults of
 * those that follow.
 */
int slurm_conf_node(struct slurm *s, struct conf_defaults *d,
                    const struct slurm_pair *p, uint32_t n, struct gs_err *err);
int slurm_conf_partition(struct slurm *s, struct conf_defaults *d,
                         const struct slurm_pair *p, uint32_t n,
                         struct gs_err *err);
int slurm_conf_down(struct slurm *s, const struct slurm_pair *p, uint32_t n,
                    struct gs_err *err);

/* "gpu:a100:4(S:0-1),gpu:4,tmpfs:no_consume:50G" as a list in the arena; what
 * is no gres is told.
 */
void slurm_gres_read(struct slurm *s, const char *text,
                     const struct slurm_place *at, struct slurm_gres **out,
                     uint32_t *count);

/* Add the hardware; returns its index. */
uint32_t slurm_hardware_add(struct slurm *s, const struct slurm_hardware *h);

/* The nodes of a list (hostlist, ALL, NodeSets) as indices, in the arena; in
 * the order of the list, each once.  -1 for a name that is no node.
 */
int slurm_nodes_resolve(struct slurm *s, const char *list,
                        const struct slurm_place *at, const char *what,
                        uint32_t **node, uint32_t *count, struct gs_err *err);

#endif /* SLURM_CONF_NODES_H */
