/* sim/study/fill_mix.h - the fragmentation of a cluster while it fills.
 * Private to the experiment.
 */
#ifndef SIM_STUDY_FILL_MIX_H
#define SIM_STUDY_FILL_MIX_H

#include <stdint.h>

struct gs_arena;
struct topo_cluster;
struct topo_mix;

struct fill_fragments; /* opaque; of one run */

/* State for the cluster as it is now, in `arena`; `m` must stay valid. */
struct fill_fragments *fill_fragments_create(struct topo_mix *m,
                                             const struct topo_cluster *c,
                                             struct gs_arena *arena);

/* Sum of F over all nodes, after `node` (UINT32_MAX: none) has changed. */
int64_t fill_fragment(struct fill_fragments *f, const struct topo_cluster *c,
                      uint32_t node);

#endif /* SIM_STUDY_FILL_MIX_H */
