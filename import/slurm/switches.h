/* import/slurm/switches.h - trees of switches and blocks of nodes, as tiers. */
#ifndef SLURM_SWITCHES_H
#define SLURM_SWITCHES_H

#include <stdint.h>

struct gs_err;
struct gs_input;
struct slurm;
struct topo;

/* topology.conf, topology.yaml.  What gsim does not model (ring, torus3d) is
 * told.
 */
int slurm_topology_conf_read(struct slurm *s, struct gs_input *in,
                             struct gs_err *err);
int slurm_topology_yaml_read(struct slurm *s, struct gs_input *in,
                             struct gs_err *err);

/* The tiers of the nodes. */
struct slurm_tiers {
    uint32_t count;
    uint32_t *path; /* [node * count + tier] string id of its domain */
};

/* Find the topology that slurm.conf uses: s->used_tree.  After all files. */
void slurm_tree_use(struct slurm *s);

/* Add the tiers of the topology that holds to the empty `t`, outermost first;
 * none when it is flat.  Each switch above the nodes is a domain of the tier of
 * its height; one above all of them is the cluster.  -1 when the switches are
 * no trees.
 */
int slurm_tiers_make(struct slurm *s, struct topo *t, struct slurm_tiers *out,
                     struct gs_err *err);

#endif /* SLURM_SWITCHES_H */
