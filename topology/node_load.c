/* topology/node_load.c - reads `load` of nodes and their types: what is in use
 * beside tasks.
 */
#include <stdlib.h>
#include <string.h>

#include "topology/native_private.h"

/* A part of a capacity, "40%", in thousandths + 1. */
static int read_percent(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    char *end = NULL;
    const double x = v->kind == GS_YSCALAR ? strtod(v->text, &end) : -1;

    if (!end || end == v->text || strcmp(end, "%") != 0
        || !(x >= 0 && x <= 100))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a part from 0%% to 100%% (got '%s')",
                       v->key->text,
                       v->kind == GS_YSCALAR ? v->text : "a list or mapping");
    *(uint16_t *)dest = (uint16_t)(x * 10 + 1.5);
    return 0;
}

int topo_read_load(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *klass, struct gs_err *err)
{
    static const struct gs_yfield loads[] = {
        { "cpu", read_percent, TOPO_CPU * sizeof(uint16_t), false },
        { "memory", read_percent, TOPO_MEMORY * sizeof(uint16_t), false },
    };
    struct topo_class *k = klass;

    return gs_ynode_fields(c, v, "load", loads, TOPO_LOADS, k->load, err);
}
