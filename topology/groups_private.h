/* topology/groups_private.h - state groups: nodes that look the same.
 *
 * A group's state is its class, what is free in every dimension, how many
 * devices are wholly free and the thousandths left on the devices that are
 * partly used, fullest first.  Which devices these are is kept for each node
 * only: no policy's score depends on it.
 *
 * A device that holds as many tasks as its class allows is not in the list. A
 * device that is cut into instances and has room for another is listed after
 * the shares, as TOPO_PART_CUT plus the mask of the taken memory slices.
 */
#ifndef TOPO_GROUPS_PRIVATE_H
#define TOPO_GROUPS_PRIVATE_H

#include "base/bitset.h"
#include "base/hash.h"
#include "topology/cluster.h"
#include "topology/topology.h"

#define TOPO_PART_CUT TOPO_SHARE_ONE

/* A state being looked up. */
struct topo_state {
    uint32_t klass;
    uint32_t gpus_free;
    uint8_t kinds;       /* bits of enum topo_kind, where they are followed, or
                            TOPO_CLOSED */
    uint32_t part_count; /* devices partly used, with a share left */
    uint16_t part[TOPO_DEVICES_MAX]; /* thousandths that they have left,
                                        ascending */
    uint8_t room[TOPO_DEVICES_MAX];  /* how many more shares each accepts; 0:
                                        the class sets no limit */
    int64_t free[TOPO_DIMS_MAX];
};

struct topo_group_table {
    const struct topo *topo;
    struct topo_groups view; /* what policies see; points at the members
                                below */
    uint32_t cap;
    uint32_t *nodes, *klass, *gpus_free, *share_max, *first, *older;
    uint32_t *newest; /* [class] */
    uint32_t *news;   /* a ring */
    uint32_t *map;    /* of the last sweep */
    uint32_t map_cap;
    int64_t *free[TOPO_DIMS_MAX], *capacity[TOPO_DIMS_MAX];
    uint8_t *kinds;
    uint64_t *hash;                 /* of the state */
    uint32_t *part_at, *part_count; /* into part[] */
    uint16_t *part;
    uint8_t *room; /* beside part[] */
    uint32_t room_cap;
    uint32_t part_used, part_cap;
    uint32_t *live;    /* groups that have nodes */
    uint32_t *live_at; /* [group] its index in live[] */
    struct gs_hash groups;
    struct gs_bitsets members;
};

void topo_groups_init(struct topo_group_table *t, const struct topo *topo);
void topo_groups_fini(struct topo_group_table *t);

/* The group of state `s`, created if there is none. */
uint32_t topo_groups_find(struct topo_group_table *t,
                          const struct topo_state *s);
/* The state of a group. */
void topo_groups_state(const struct topo_group_table *t, uint32_t group,
                       struct topo_state *s);

/* How many entries of part[], the first ones, are shares of devices. */
uint32_t topo_groups_shares(const struct topo_group_table *t, uint32_t group);

/* How many tasks with request `r` fit at once on a node of the group. */
uint32_t topo_groups_fit(const struct topo_group_table *t, uint32_t group,
                         const struct topo_request *r);

void topo_groups_add(struct topo_group_table *t, uint32_t group, uint32_t node);
void topo_groups_remove(struct topo_group_table *t, uint32_t group,
                        uint32_t node);

/* Remove groups without nodes.  t->map says what became of each; the numbers in
 * node_group[] are updated.
 */
void topo_groups_compact(struct topo_group_table *t, uint32_t *node_group);

#endif /* TOPO_GROUPS_PRIVATE_H */
