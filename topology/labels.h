/* topology/labels.h - the labels of nodes that requests ask for.
 *
 * A tier is a label of its nodes: its name is the key, the name of the node's
 * domain the value (of the node tier: the node's name).  A label of that key
 * that the topology states for a node itself goes before it.
 *
 * Nodes that differ only in labels that no request tells apart are of one
 * class, so that names of hosts, of racks and the like cost nothing unless
 * something asks for them.
 */
#ifndef TOPO_LABELS_H
#define TOPO_LABELS_H

#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_arena;
struct topo;
struct topo_label_use; /* what requests ask of labels */
struct topo_request;

/* What the conditions of `count` requests ask of labels; lives in `arena`. */
const struct topo_label_use *topo_label_use(const struct topo *t,
                                            const struct topo_request *r,
                                            uint32_t count,
                                            struct gs_arena *arena);

/* The topology as it was read (be `t` that or made by this function) with the
 * labels that are asked for: the same nodes, domains and numbers of these, other
 * classes.  `t` itself when nothing changes.  Never NULL.
 */
const struct topo *topo_relabel(const struct topo *t,
                                const struct topo_label_use *use,
                                struct gs_arena *arena);

#pragma GCC visibility pop

#endif /* TOPO_LABELS_H */
