/* topology/labels.h - node labels that requests select by.
 *
 * Each tier is a label of the nodes: its key is the name of the tier, its value
 * the name of the node's domain (for the node tier: of the node).  A label of
 * that key that the topology states for a node takes precedence.
 *
 * Nodes that differ only in labels that no request distinguishes are of one
 * class, so names of hosts, racks and the like cost nothing unless a request
 * selects by them.
 */
#ifndef TOPO_LABELS_H
#define TOPO_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_arena;
struct topo;
struct topo_condition;
struct topo_label_use; /* what requests ask of labels */
struct topo_request;

/* The labels that the conditions of `count` requests distinguish; lives in
 * `arena`.
 */
const struct topo_label_use *topo_label_use(const struct topo *t,
                                            const struct topo_request *r,
                                            uint32_t count,
                                            struct gs_arena *arena);

/* The topology, as it was read, with classes that distinguish the labels in
 * `use`: the same nodes and domains with the same numbers, other classes. `t`
 * is a topology that was read or was made by this function.  Returns `t` itself
 * when nothing changes.  Never NULL.
 */
const struct topo *topo_relabel(const struct topo *t,
                                const struct topo_label_use *use,
                                struct gs_arena *arena);

/* A walk over the classes that may suit a request: of a topology made by
 * topo_relabel those that meet the condition In that the fewest meet, of others
 * all.  A class may be found more than once; the others do not suit.
 */
struct topo_class_walk {
    const struct topo *topo;
    const struct topo_condition *by; /* NULL: all classes */
    uint32_t value;                  /* the next of the condition */
    uint32_t at, end;                /* classes of the value before it */
};

/* Valid as long as `t` and `r` are. */
struct topo_class_walk topo_classes_walk(const struct topo *t,
                                         const struct topo_request *r);
/* The next class in *klass; false: none is left. */
bool topo_classes_next(struct topo_class_walk *w, uint32_t *klass);

#pragma GCC visibility pop

/* Index the labels of the classes of a finished topology; lives in its arena.
 */
void topo_labels_index(struct topo *t);

#endif /* TOPO_LABELS_H */
