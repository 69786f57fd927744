/* import/slurm/slurm_cluster.h - Slurm's nodes as a topology. */
#ifndef SLURM_SLURM_CLUSTER_H
#define SLURM_SLURM_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

struct gs_err;
struct slurm;
struct topo;

/* Labels of nodes: "partition.NAME" and "feature.NAME", with this value. */
#define SLURM_LABEL_PARTITION "partition."
#define SLURM_LABEL_FEATURE "feature."
#define SLURM_LABEL_VALUE "yes"

/* The resource of a node that is allocated as a whole: a task that shares the
 * node takes a thousandth of it.
 */
#define SLURM_NODE_RESOURCE "node"

/* Nodes that a job names by more than one partition, or by features with '|',
 * have a label of their own.
 */
struct slurm_mark {
    uint32_t label;        /* string id of the key */
    const char *partition; /* comma list; NULL */
    const char *features;  /* expression; NULL */
};

/* Add the nodes, ordered by their names as Slurm does, to the empty `t`. */
int slurm_cluster_make(struct slurm *s, const struct slurm_mark *mark,
                       uint32_t marks, struct topo *t, struct gs_err *err);

/* Put the resources that nodes state into s->dims; those beyond the room there
 * is are told.
 */
void slurm_cluster_resources(struct slurm *s);

/* Does a node have GPUs of that type (a string id)? */
bool slurm_has_type(const struct slurm *s, uint32_t type);

/* Look up the nodes of all partitions.  -1 for one that is not described. */
int slurm_partitions_resolve(struct slurm *s, struct gs_err *err);

/* Are nodes of some partition allocated as a whole; all of them? */
bool slurm_allocates_nodes(const struct slurm *s);
bool slurm_is_linear(const struct slurm *s);
/* Is memory a resource that is allocated, and do all nodes state theirs? */
bool slurm_allocates_memory(const struct slurm *s);

/* Does a node with these features (a comma list; NULL: none) meet the
 * expression: names with '&', '|', brackets?
 */
bool slurm_features_match(const char *features, const char *expression);
/* Is the expression names with '&' or ',' between, and nothing else? */
bool slurm_features_plain(const char *expression);

#endif /* SLURM_SLURM_CLUSTER_H */
