/* tests/lib/load_cluster.h - a topology from a text, its cluster, requests, and
 * snapshots of what is free.
 */
#ifndef TEST_LOAD_CLUSTER_H
#define TEST_LOAD_CLUSTER_H

#include "tests/lib/cluster_check.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"

#define ANY UINT32_MAX /* device */

struct load_cluster {
    struct load_topo l;
    const struct topo *t;
    struct topo_cluster *c;
};

void load_cluster_init(struct load_cluster *w, const char *text);
/* Check the sums of the cluster and destroy it. */
void load_cluster_fini(struct load_cluster *w);

/* GPUs, or thousandths of one, and thousandths of a CPU. */
struct topo_request ask_for(uint32_t gpus, uint32_t share, int64_t cpu);
/* An instance of that profile. */
struct topo_request ask_instance(const char *profile);

/* Tasks that fit on the node. */
uint32_t load_cluster_fit(const struct load_cluster *w, uint32_t node,
                          const struct topo_request *r);

bool same_totals(const struct topo_totals *a, const struct topo_totals *b);

/* State that a rollback must restore. */
struct snapshot {
    uint32_t group[256];
    struct topo_totals totals;
    int64_t domain_free[64];
};

void snapshot_take(const struct load_cluster *w, struct snapshot *s);
bool snapshot_is(const struct load_cluster *w, const struct snapshot *s);

#endif /* TEST_LOAD_CLUSTER_H */
