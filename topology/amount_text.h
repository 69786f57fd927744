/* topology/amount_text.h - amounts of resources as people read them. */
#ifndef TOPOLOGY_AMOUNT_TEXT_H
#define TOPOLOGY_AMOUNT_TEXT_H

#include <stdint.h>

struct topo;

#define TOPO_AMOUNT_TEXT 64 /* bytes */

/* "9 GPUs", "64 cpu", "512 GiB of memory"; returns buf[TOPO_AMOUNT_TEXT]. */
const char *topo_amount_text(const struct topo *t, uint32_t dim, int64_t amount,
                             char *buf);

#endif /* TOPOLOGY_AMOUNT_TEXT_H */
