/* sim/fill_mix.h - the mix of tasks that fragmentation is measured with, and
 * the measure kept while a cluster fills.  Private to the experiment.
 */
#ifndef SIM_FILL_MIX_H
#define SIM_FILL_MIX_H

#include <stdint.h>

#include "topology/cluster.h"

struct gs_arena;
struct topo;
struct trace_workload;

/* A kind of task and how many of the list are of it. */
struct fill_kind {
    struct topo_request request; /* without memory and the like */
    int64_t weight;
};

struct fill_mix {
    const struct topo *topo;
    struct fill_kind *kind;
    uint32_t count;
    int64_t weight; /* of all */
    uint8_t *suits; /* [class * count + kind] the hardware does */
};

/* The commonest kinds among `count` tasks of shapes of `w`, in `arena`. */
const struct fill_mix *fill_mix_create(const struct topo *t,
                                       const struct trace_workload *w,
                                       const uint32_t *task, uint32_t count,
                                       struct gs_arena *arena);

struct fill_fragments; /* opaque; of one run */

/* Of a cluster that is empty, in `arena`. */
struct fill_fragments *fill_fragments_create(const struct fill_mix *m,
                                             const struct topo_cluster *c,
                                             struct gs_arena *arena);

/* A task was placed: free GPU thousandths that the mix cannot use, times the
 * mix's weight, on all nodes.  With `g` NULL nothing was.
 */
int64_t fill_fragment(struct fill_fragments *f, const struct topo_cluster *c,
                      const struct topo_request *r, const struct topo_grant *g);

#endif /* SIM_FILL_MIX_H */
