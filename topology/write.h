/* topology/write.h - a topology as a native file. */
#ifndef TOPO_WRITE_H
#define TOPO_WRITE_H

#include <stdio.h>

struct topo;

/* Write native YAML from which topo_read makes the same topology, number by
 * number.  Labels and taints that all nodes of a type have stand with the type,
 * the others with each node.  Speeds are not written.
 */
void topo_write(FILE *out, const struct topo *t);

#endif /* TOPO_WRITE_H */
