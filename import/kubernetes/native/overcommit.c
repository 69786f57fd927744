/* import/kubernetes/native/overcommit.c - see overcommit.h. */
#include "import/kubernetes/native/overcommit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"

enum { CPU, MEMORY, PODS, RESOURCES };

/* Thousandths that the pods of a node ask for. */
struct held {
    int64_t milli[RESOURCES];
};

/* `pods` more that ask for `one` each; a sum out of bounds stays. */
static void hold(struct held *h, int r, int64_t one, uint32_t pods)
{
    if (pods && one < (INT64_MAX / 4 - h->milli[r]) / pods)
        h->milli[r] += one * pods;
}

static void amounts_hold(const struct kube_amounts *a, const uint32_t *resource,
                         struct held *h)
{
    for (int r = 0; r < RESOURCES; r++)
        hold(h, r, kube_amount_of(a, resource[r]), 1);
}

static void raise(struct kube *k, struct kube_node *n, const struct held *h,
                  const uint32_t *resource)
{
    const struct gs_ynode at = { .line = n->line, .column = n->column };

    for (uint32_t i = 0; i < n->amounts.count; i++) {
        for (int r = 0; r < RESOURCES; r++) {
            if (n->amounts.at[i].name != resource[r]
                || n->amounts.at[i].milli >= h->milli[r])
                continue;
            n->amounts.at[i].milli = h->milli[r];
            import_account_tell(k->account, IMPORT_ASSUMED,
                                kube_str(k, n->source), &at,
                                "nodes whose pods ask for more %s than they "
                                "have: they have what these ask for",
                                kube_str(k, resource[r]));
        }
    }
}

/* Pods that Kueue has assigned to nodes, of a workload of which the source has
 * none.
 */
static void assigned_hold(struct kube *k, const struct kube_workload *w,
                          const struct kube_index *host,
                          const uint32_t *resource, struct held *held)
{
    for (uint32_t i = 0; i < w->members; i++) {
        const struct kube_member *m = &w->member[i];
        const struct kube_amounts a =
            m->assigneds
                ? kube_template_request(k, m->pods, kube_limits_of(k, m->pods))
                : (struct kube_amounts){ 0 };

        for (uint32_t x = 0; x < m->assigneds; x++) {
            const uint32_t n = kube_index_get(host, m->assigned[x].host);

            if (!n)
                continue;
            for (int r = 0; r < RESOURCES; r++) {
                const int64_t one = r == PODS ? 1000
                                              : kube_amount_of(&a, resource[r]);

                hold(&held[n - 1], r, one, m->assigned[x].tasks);
            }
        }
    }
}

void kube_nodes_hold(struct kube *k)
{
    const uint32_t resource[RESOURCES] = {
        [CPU] = kube_put(k, "cpu"),
        [MEMORY] = kube_put(k, "memory"),
        [PODS] = kube_put(k, "pods"),
    };
    const uint32_t known = gs_strtab_count(k->names);
    struct held *held = gs_array_new(k->nodes->count + 1, sizeof(*held));
    uint32_t *node = gs_array_new(known, sizeof(*node));
    struct kube_index host = { 0 };
    const struct kube_amounts one = {
        &(struct kube_amount){ .name = resource[PODS], .milli = 1000 }, 1
    };

    kube_nodes_index_hosts(k, &host);
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        node[k->nodes->at[i].name] = i + 1;
        amounts_hold(&k->nodes->at[i].daemons, resource, &held[i]);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];
        struct kube_amounts a;
        struct held *h;

        if (p->is_daemon || p->is_left || p->is_past || p->phase == KUBE_ENDED
            || !p->pods->node || p->pods->node >= known || !node[p->pods->node])
            continue;
        h = &held[node[p->pods->node] - 1];
        a = kube_template_request(k, p->pods, kube_limits_of(k, p->pods));
        amounts_hold(&a, resource, h);
        amounts_hold(&one, resource, h);
    }
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];

        if (w->holds_quota && !w->has_pods && !w->is_part)
            assigned_hold(k, w, &host, resource, held);
    }
    for (uint32_t i = 0; i < k->nodes->count; i++)
        raise(k, &k->nodes->at[i], &held[i], resource);
    gs_array_free(held);
    gs_array_free(node);
    gs_array_free(host.at);
}
