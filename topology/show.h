/* topology/show.h - a topology for people. */
#ifndef TOPO_SHOW_H
#define TOPO_SHOW_H

#include <stdio.h>

struct topo;

/* Print the tree of tiers with their nodes, equal neighbours on one line. */
void topo_show(const struct topo *t, FILE *out);

#endif /* TOPO_SHOW_H */
