/* topology/amount_text.c - see amount_text.h. */
#include "topology/amount_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/strtab.h"
#include "topology/topology.h"

const char *topo_amount_text(const struct topo *t, uint32_t dim, int64_t amount,
                             char *buf)
{
    const char *name = gs_strtab_str(t->names, t->dims->name[dim]);

    if (dim == TOPO_MEMORY)
        snprintf(buf, TOPO_AMOUNT_TEXT, "%.6g GiB of memory",
                 (double)amount / (double)(1 << 30));
    else if (dim == TOPO_PODS)
        snprintf(buf, TOPO_AMOUNT_TEXT, "%" PRId64 " pods", amount);
    else if (dim == TOPO_GPU)
        snprintf(buf, TOPO_AMOUNT_TEXT, "%.6g GPU%s",
                 (double)amount / TOPO_SHARE_ONE,
                 amount == TOPO_SHARE_ONE ? "" : "s");
    else
        snprintf(buf, TOPO_AMOUNT_TEXT, "%.6g %.40s", (double)amount / 1000,
                 name);
    return buf;
}
