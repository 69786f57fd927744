/* topology/resize.c - copies of a topology with other nodes, see resize.h. */
#include "topology/resize.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "topology/labels.h"
#include "topology/topology.h"

static const struct gs_mark nowhere = { 0 };

uint32_t topo_type_count(const struct topo *t, uint32_t type)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->node_count; i++)
        n += t->klass[t->node_class[i]].type == type;
    return n;
}

/* --- more ----------------------------------------------------------------- */

/* Number of nodes of a type in each innermost domain. */
struct stands {
    uint32_t *count; /* [domain] */
    uint32_t *node;  /* [domain] the last of them */
};

static uint32_t emptiest(const struct topo *t, const struct stands *s)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t d = 0; d < t->domain_count; d++) {
        if (s->count[d] && (best == UINT32_MAX || s->count[d] < s->count[best]))
            best = d;
    }
    return best;
}

/* The name TYPE+N with an unused N. */
static uint32_t name_make(const struct topo *t, uint32_t type, uint32_t *n)
{
    char name[256];
    size_t len;

    do {
        len = (size_t)snprintf(name, sizeof(name), "%.200s+%u",
                               gs_strtab_str(t->names, type), ++*n);
    } while (gs_strtab_find(t->names, name, len) != GS_STRTAB_NONE);
    return gs_strtab_put(t->names, name, len);
}

static int nodes_more(const struct topo *t, uint32_t type, uint32_t more,
                      struct topo *to, struct gs_err *err)
{
    struct stands s = { gs_array_new(t->domain_count, sizeof(*s.count)),
                        gs_array_new(t->domain_count, sizeof(*s.node)) };
    uint32_t named = 0;
    int rc = 0;

    for (uint32_t i = 0; i < t->node_count; i++) {
        if (t->klass[t->node_class[i]].type == type) {
            s.count[t->node_domain[i]]++;
            s.node[t->node_domain[i]] = i;
        }
    }
    for (uint32_t i = 0; i < more && rc == 0; i++) {
        const uint32_t d = emptiest(t, &s);

        s.count[d]++;
        rc = topo_add_beside(to, name_make(t, type, &named),
                             t->node_class[s.node[d]], t, s.node[d], err);
    }
    gs_array_free(s.count);
    gs_array_free(s.node);
    return rc;
}

/* --- either --------------------------------------------------------------- */

static const struct topo *made(const struct topo *t, const bool *leaves,
                               uint32_t type, uint32_t more,
                               struct gs_arena *arena, struct gs_err *err)
{
    const struct topo *from = t->stated ? t->stated : t;
    struct topo *to = topo_create_like(from, arena);
    int rc = 0;

    for (uint32_t k = 0; k < from->class_count; k++)
        (void)topo_add_class(to, &from->klass[k]);
    for (uint32_t i = 0; i < from->node_count && rc == 0; i++) {
        if (!leaves[i])
            rc = topo_add_beside(to, from->node_name[i], from->node_class[i],
                                 from, i, err);
    }
    if (rc == 0 && more)
        rc = nodes_more(from, type, more, to, err);
    /* it frees the memory of the construction in any case */
    if (topo_finish(to, rc == 0 ? err : NULL) < 0 || rc < 0)
        return NULL;
    return t->use ? topo_relabel(to, t->use, arena) : to;
}

const struct topo *topo_resize(const struct topo *t, uint32_t type,
                               uint32_t count, struct gs_arena *arena,
                               struct gs_err *err)
{
    const uint32_t there = topo_type_count(t, type);
    uint32_t surplus = there > count ? there - count : 0;
    const struct topo *to;
    bool *leaves;

    assert(t && !t->build && arena);
    if (there == 0) {
        (void)gs_fail(err, GS_USAGE, nowhere, "no node is of the type '%s'",
                      gs_strtab_str(t->names, type));
        return NULL;
    }
    leaves = gs_array_new(t->node_count, sizeof(*leaves));
    for (uint32_t i = t->node_count; i-- > 0 && surplus;) {
        leaves[i] = t->klass[t->node_class[i]].type == type;
        surplus -= leaves[i];
    }
    to = made(t, leaves, type, count > there ? count - there : 0, arena, err);
    gs_array_free(leaves);
    return to;
}

const struct topo *topo_without(const struct topo *t, uint32_t name,
                                struct gs_arena *arena, struct gs_err *err)
{
    bool *leaves = gs_array_new(t->node_count, sizeof(*leaves)), any = false;
    const struct topo *to = NULL;

    assert(t && !t->build && arena);
    for (uint32_t d = 1; d < t->domain_count; d++) {
        const struct topo_domain *domain = &t->domain[d];

        for (uint32_t i = 0; domain->name == name && i < domain->node_count;
             i++)
            leaves[domain->first_node + i] = any = true;
    }
    for (uint32_t i = 0; i < t->node_count; i++) {
        if (t->node_name[i] == name)
            leaves[i] = any = true;
    }
    if (any)
        to = made(t, leaves, 0, 0, arena, err);
    else
        (void)gs_fail(err, GS_USAGE, nowhere,
                      "no node and no domain is called '%s'",
                      gs_strtab_str(t->names, name));
    gs_array_free(leaves);
    return to;
}
