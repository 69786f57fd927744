/* topology/show.h - a topology for people. */
#ifndef TOPO_SHOW_H
#define TOPO_SHOW_H

#include <stdio.h>

struct topo;

/* The tier tree with what it holds, equal neighbours on one line. */
void topo_show(const struct topo *t, FILE *out);

#endif /* TOPO_SHOW_H */
