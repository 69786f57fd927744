/* policies/state/module_nodes.c - services for modules: what nodes are, and
 * what tasks tolerate; the date.
 */
#include <assert.h>
#include <string.h>

#include "base/strtab.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"

const int64_t *gsched_host_node_capacity(void *ctx, uint32_t node)
{
    const struct topo *t = gsched_of_module(ctx)->topo;

    assert(node < t->node_count);
    return t->klass[t->node_class[node]].capacity;
}

int32_t gsched_host_class_load(void *ctx, uint32_t klass, uint32_t dim)
{
    const struct topo *t = gsched_of_module(ctx)->topo;

    assert(klass < t->class_count);
    return dim < TOPO_LOADS ? t->klass[klass].load[dim] - 1 : -1;
}

uint32_t gsched_host_node_class(void *ctx, uint32_t node)
{
    const struct topo *t = gsched_of_module(ctx)->topo;

    assert(node < t->node_count);
    return t->node_class[node];
}

bool gsched_host_node_takes(void *ctx, uint32_t node)
{
    return !topo_cluster_is_cordoned(gsched_of_module(ctx)->cluster, node);
}

const char *gsched_host_class_taint(void *ctx, uint32_t klass, const char *key)
{
    const struct topo *t = gsched_of_module(ctx)->topo;
    const uint32_t id = gs_strtab_find(t->names, key, strlen(key));

    assert(klass < t->class_count);
    for (uint32_t i = 0; i < t->klass[klass].taint_count; i++) {
        if (t->klass[klass].taint[i].key == id)
            return gs_strtab_str(t->names, t->klass[klass].taint[i].value);
    }
    return NULL;
}

bool gsched_host_tolerates(void *ctx, const struct gsp_task *t, const char *key,
                           const char *value)
{
    const struct gs_strtab *names = gsched_of_module(ctx)->work->names;
    const uint32_t id = gs_strtab_find(names, key, strlen(key));
    const uint32_t of = value ? gs_strtab_find(names, value, strlen(value)) : 0;

    for (uint32_t i = 0; i < t->request.toleration_count; i++) {
        const struct topo_taint *x = &t->request.toleration[i];

        if (x->key == id && (!value || x->value == 0 || x->value == of))
            return true;
    }
    return false;
}

int64_t gsched_host_epoch(void *ctx)
{
    return gsched_of_module(ctx)->work->epoch;
}

int64_t gsched_host_domain_free(void *ctx, uint32_t node, uint32_t level,
                                uint32_t dim)
{
    const struct gsched *s = gsched_of_module(ctx);

    assert(node < s->topo->node_count && dim < s->topo->dims->count);
    if (level > s->topo->tier_count)
        return topo_cluster_groups(s->cluster)
            ->free[dim][topo_cluster_group_of(s->cluster, node)];
    return topo_domain_free(s->cluster, topo_domain_of(s->topo, node, level),
                            dim);
}

uint32_t gsched_host_domains(void *ctx, uint32_t level)
{
    const struct topo *t = gsched_of_module(ctx)->topo;
    uint32_t n = 0;

    if (level > t->tier_count)
        return t->node_count;
    for (uint32_t d = 0; d < t->domain_count; d++)
        n += t->domain[d].level == level;
    return n;
}
