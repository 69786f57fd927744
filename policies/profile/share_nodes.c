/* policies/profile/share_nodes.c - see share_nodes.h. */
#include "policies/profile/share_nodes.h"

#include <assert.h>
#include <string.h>

#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "topology/topology.h"

/* Labels that no request asks for are only in the topology as it was stated. */
bool gsched_node_is_shared(const struct gsched_profile *p, const struct topo *t,
                           uint32_t node)
{
    const struct topo *of = t->stated ? t->stated : t;
    const struct topo_class *k = &of->klass[of->node_class[node]];

    assert(node < of->node_count);
    for (uint32_t i = 0; i < k->label_count && p->share_label; i++) {
        if (strcmp(gs_strtab_str(of->names, k->label[i].key), p->share_label)
            == 0)
            return p->share_value
                   && strcmp(gs_strtab_str(of->names, k->label[i].value),
                             p->share_value)
                          == 0;
    }
    return !p->share_value;
}

bool gsched_shares_none(const struct gsched_profile *p, const struct topo *t)
{
    bool any = !p->share_label;

    for (uint32_t n = 0; n < t->node_count && !any; n++)
        any = gsched_node_is_shared(p, t, n);
    return !any;
}
