/* import/slurm/nodes_now.h - nodes as scontrol and sinfo show them. */
#ifndef SLURM_NODES_NOW_H
#define SLURM_NODES_NOW_H

#include <stdbool.h>
#include <stddef.h>

struct gs_err;
struct gs_input;
struct slurm;
struct slurm_place;

/* Texts as they stand there; "" where they state nothing. */
struct slurm_node_now {
    const char *name, *cpus, *memory, *memory_kept, *weight, *features, *gres,
        *partitions, *state;
};

/* Take a node: its hardware takes the place of that of slurm.conf, its state
 * too; it is in the partitions, which are made when they are not there.
 */
void slurm_node_now_take(struct slurm *s, const struct slurm_node_now *n,
                         const struct slurm_place *at);

/* The text of `scontrol show node`, one node after another, or of `scontrol -o
 * show node`.
 */
int slurm_scontrol_read(struct slurm *s, struct gs_input *in,
                        struct gs_err *err);

#endif /* SLURM_NODES_NOW_H */
