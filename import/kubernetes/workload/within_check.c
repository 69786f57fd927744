/* import/kubernetes/workload/within_check.c - topology requests that Kueue
 * refuses, see within.h.
 */
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/within.h"

/* Its place and 1 among the levels of the Topology that lists it; 0: none does.
 */
static uint32_t place_of(const struct kube *k, uint32_t label)
{
    return kube_index_get(&k->tiers->listed, label);
}

static bool is_refused(const struct kube *k, const struct kube_within *x)
{
    const uint32_t place = place_of(k, x->label);

    if (!x->is_kueue || (x->label && !place) || x->lacks_size)
        return x->is_kueue;
    for (uint32_t i = 0; i < x->slices; i++) {
        const uint32_t at = place_of(k, x->slice[i].label);

        if (at == 0 || at < place)
            return true;
    }
    return false;
}

bool kube_within_is_refused(struct kube *k, const struct kube_workload *w)
{
    bool refused = false;

    for (uint32_t i = 0; i < w->members && k->tiers->has_list; i++) {
        const struct kube_within x = kube_within_of_member(k, &w->member[i]);

        /* a leader has no say */
        if (!x.group || w->member[i].replicas > 1)
            refused |= is_refused(k, &x);
    }
    return refused;
}
