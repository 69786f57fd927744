/* topology/resize.h - a topology with more, fewer or other nodes than one that
 * is finished: "what if we had 8 more?"
 *
 * The result shares the string table and the dimensions of the first, which
 * stays as it is, and numbers its classes alike (unless labels tell its nodes
 * apart, see labels.h).
 */
#ifndef TOPO_RESIZE_H
#define TOPO_RESIZE_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct topo;

/* The same with `count` nodes of the type called by string id `type`.  Those
 * with the highest numbers go; new ones are called TYPE+1, TYPE+2 ... and
 * stand, one by one, in the innermost domain that holds the fewest nodes of the
 * type but at least one (ties: the first).  NULL when there is no such type,
 * there are too many nodes, or none would be left.
 */
const struct topo *topo_resize(const struct topo *t, uint32_t type,
                               uint32_t count, struct gs_arena *arena,
                               struct gs_err *err);

/* The same without the node, or all nodes of the domains, called `name`.  NULL
 * when nothing is called so, or nothing would be left.
 */
const struct topo *topo_without(const struct topo *t, uint32_t name,
                                struct gs_arena *arena, struct gs_err *err);

/* Nodes of the type. */
uint32_t topo_type_count(const struct topo *t, uint32_t type);

#endif /* TOPO_RESIZE_H */
