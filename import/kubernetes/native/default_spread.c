/* import/kubernetes/native/default_spread.c - see default_spread.h. */
#include "import/kubernetes/native/default_spread.h"

#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/core_service.h"
#include "import/kubernetes/pod/pod_template.h"
#include "traces/workload/workload.h"

/* What all services select together that select the pods; no conditions: none
 * does.
 */
static struct kube_conditions services_of(struct kube *k,
                                          const struct kube_template *t)
{
    const struct kube_services *all = k->services;
    struct kube_conditions c = { 0 };

    for (uint32_t i = kube_index_get(&all->by_space, t->space); i;
         i = all->at[i - 1].next) {
        const struct kube_conditions *pods = &all->at[i - 1].pods;

        if (kube_conditions_hold(k, pods, &t->labels))
            kube_conditions_append(k, &c, pods->at, pods->count);
    }
    return c;
}

/* The spreads of kube-scheduler without a configuration, or with
 * defaultingType System.
 */
static const struct kube_spread *system_spreads(struct kube *k, uint32_t *count)
{
    const struct kube_spread spread[] = {
        { .topology_key = kube_put(k, "kubernetes.io/hostname"),
          .max_skew = 3,
          .weight = 1 },
        { .topology_key = kube_put(k, "topology.kubernetes.io/zone"),
          .max_skew = 5,
          .weight = 1 },
    };

    *count = 2;
    return gs_arena_memdup(k->arena, spread, sizeof(spread));
}

static const struct kube_conf *conf_of(const struct kube *k,
                                       const struct kube_template *t)
{
    const char *name = t->scheduler ? kube_str(k, t->scheduler)
                                    : TRACE_DEFAULT_SCHEDULER;

    for (uint32_t i = 0; i < k->confs->count; i++) {
        if (strcmp(k->confs->at[i]->name, name) == 0)
            return k->confs->at[i];
    }
    return NULL;
}

/* Of a set of pods that its owner made, its own tasks are counted. */
static void give(struct kube *k, struct kube_template *t,
                 const struct kube_spread *spread, uint32_t count)
{
    const struct kube_conditions services = services_of(k, t);
    const struct kube_conf *conf = conf_of(k, t);
    struct kube_spread *own;

    if (t->is_replica ? t->is_single : services.count == 0)
        return;
    if (conf && conf->lists_spreads) {
        spread = conf->spread;
        count = conf->spreads;
    }
    if (count == 0)
        return;
    own = gs_arena_memdup(k->arena, spread, count * sizeof(*own));
    for (uint32_t i = 0; i < count; i++) {
        own[i].is_default = true;
        own[i].is_own = t->is_replica;
        own[i].of.pods = services;
    }
    t->spread = own;
    t->spreads = count;
    if (conf && conf->lists_spreads)
        return;
    import_account_tell(
        k->account, IMPORT_ASSUMED, kube_str(k, t->source),
        &(struct gs_ynode){ .line = t->line, .column = t->column },
        "pods of services that state no topology spread have kube-scheduler's "
        "default: over nodes and zones, if possible");
}

void kube_default_spreads_finish(struct kube *k)
{
    uint32_t count = 0;
    const struct kube_spread *spread = system_spreads(k, &count);

    for (uint32_t i = 0; i < k->services->uses; i++)
        give(k, k->services->use[i], spread, count);
    k->services->uses = 0;
}
