/* topology/native_topology.h - the two topology file formats, for
 * topology/read.c.
 */
#ifndef TOPO_NATIVE_H
#define TOPO_NATIVE_H

struct gs_err;
struct gs_input;
struct topo;

/* Fill the empty `t` from native YAML, or from the node CSV of openb.  The
 * caller finishes it (topo_finish).
 */
int topo_native_read(struct gs_input *in, struct topo *t, struct gs_err *err);
int topo_openb_read(struct gs_input *in, struct topo *t, struct gs_err *err);

#endif /* TOPO_NATIVE_H */
