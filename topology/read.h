/* topology/read.h - topologies from files. */
#ifndef TOPO_READ_H
#define TOPO_READ_H

struct gs_arena;
struct gs_err;
struct gs_input;
struct gs_strtab;
struct topo;
struct topo_dims;

/* Read a topology file, native YAML or openb node CSV, recognised by content.
 * The result lives in `arena`.  NULL on failure.
 */
const struct topo *topo_read(struct gs_input *in, struct gs_arena *arena,
                             struct gs_strtab *names, struct topo_dims *dims,
                             struct gs_err *err);

#endif /* TOPO_READ_H */
