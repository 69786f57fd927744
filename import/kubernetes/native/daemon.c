/* import/kubernetes/native/daemon.c - pods that no scheduler places. */
#include "import/kubernetes/native/daemon.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"

static void take(struct kube *k, struct kube_node *n,
                 const struct kube_template *pods)
{
    const struct kube_amounts a = kube_template_request(
        k, pods, kube_limits_of(k, pods));

    for (uint32_t i = 0; i < a.count; i++)
        kube_amount_add(k, &n->daemons, a.at[i].name, a.at[i].milli);
    kube_amount_add(k, &n->daemons, kube_put(k, "pods"), 1000);
    kube_quotas_charge(k, pods, &a);
}

/* Does a pod of the daemon stand on the node?  Taints do not count: daemons
 * tolerate what Kubernetes itself puts there, and most all others.
 */
static bool suits(const struct kube *k, const struct kube_template *pods,
                  const struct kube_node *n)
{
    bool any = pods->terms == 0;

    for (uint32_t i = 0; i < pods->terms && !any; i++)
        any = kube_conditions_hold(k, &pods->term[i], &n->fields);
    return any && kube_conditions_hold(k, &pods->nodes, &n->fields);
}

void kube_daemons_place(struct kube *k)
{
    uint32_t *node = gs_array_new(gs_strtab_count(k->names), sizeof(*node));
    const uint32_t known = gs_strtab_count(k->names);

    for (uint32_t i = 0; i < k->nodes->count; i++)
        node[k->nodes->at[i].name] = i + 1;
    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];

        if (p->is_daemon && p->phase != KUBE_ENDED && p->pods->node
            && p->pods->node < known && node[p->pods->node])
            take(k, &k->nodes->at[node[p->pods->node] - 1], p->pods);
    }
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];

        for (uint32_t n = 0; w->life == KUBE_DAEMON && !w->is_part
                             && !w->has_pods && n < k->nodes->count;
             n++) {
            if (suits(k, w->member[0].pods, &k->nodes->at[n]))
                take(k, &k->nodes->at[n], w->member[0].pods);
        }
    }
    gs_array_free(node);
}

struct kube_amounts kube_daemons_left(struct kube *k, const struct kube_node *n)
{
    struct kube_amounts left = { gs_arena_memdup(k->arena, n->amounts.at,
                                                 n->amounts.count
                                                     * sizeof(*left.at)),
                                 n->amounts.count };

    for (uint32_t i = 0; i < left.count; i++) {
        const int64_t less = kube_amount_of(&n->daemons, left.at[i].name);

        left.at[i].milli -= less < left.at[i].milli ? less : left.at[i].milli;
    }
    return left;
}
