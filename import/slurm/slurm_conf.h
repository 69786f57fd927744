/* import/slurm/slurm_conf.h - slurm.conf and the files beside it. */
#ifndef SLURM_SLURM_CONF_H
#define SLURM_SLURM_CONF_H

#include <stdbool.h>

struct gs_err;
struct gs_input;
struct slurm;

/* slurm.conf, with the files that it includes (looked for beside it), and
 * gres.conf, topology.yaml or topology.conf in its folder.  Parameters become
 * options, nodes, partitions, sets of nodes.
 */
int slurm_conf_read(struct slurm *s, struct gs_input *in, struct gs_err *err);

/* Was the file read as one that another includes? */
bool slurm_conf_was_included(const struct slurm *s, const char *path);

/* gres.conf: the types of what nodes have. */
int slurm_gres_conf_read(struct slurm *s, struct gs_input *in,
                         struct gs_err *err);

/* Once all files are read: give the nodes the types that gres.conf states. */
int slurm_gres_resolve(struct slurm *s, struct gs_err *err);

#endif /* SLURM_SLURM_CONF_H */
