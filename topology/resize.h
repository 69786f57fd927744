/* topology/resize.h - variants of a finished topology with more, fewer or other
 * nodes.
 *
 * The result shares the string table and the dimensions of the original, which
 * does not change, and has the same class numbers (unless labels distinguish
 * nodes, see labels.h).
 */
#ifndef TOPO_RESIZE_H
#define TOPO_RESIZE_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct topo;

/* A copy with `count` nodes of the type called by string id `type`.  Nodes with
 * the highest numbers are removed.  New nodes are called TYPE+1, TYPE+2 ...;
 * each is added to the innermost domain that has the fewest nodes of the type
 * but at least one (ties: the first).  NULL when there is no such type, there
 * are too many nodes, or no node would be left.
 */
const struct topo *topo_resize(const struct topo *t, uint32_t type,
                               uint32_t count, struct gs_arena *arena,
                               struct gs_err *err);

/* A copy without the node, or without all nodes of the domains, called `name`.
 * NULL when nothing has that name, or no node would be left.
 */
const struct topo *topo_without(const struct topo *t, uint32_t name,
                                struct gs_arena *arena, struct gs_err *err);

/* The number of nodes of the type. */
uint32_t topo_type_count(const struct topo *t, uint32_t type);

#endif /* TOPO_RESIZE_H */
