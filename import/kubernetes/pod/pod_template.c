/* import/kubernetes/pod/pod_template.c - what a pod asks for. */
#include "import/kubernetes/pod/pod_template.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/claim.h"
#include "import/kubernetes/pod/core_service.h"
#include "import/kubernetes/pod/pod_rules.h"
#include "import/kubernetes/pod/runtime_class.h"
#include "import/kubernetes/pod/zone.h"

/* --- containers ----------------------------------------------------------- */

static void containers_read(struct kube *k, struct kube_template *t,
                            const struct gs_ynode *list, bool is_init)
{
    for (; list; list = list->next) {
        const char *restart = kube_text(list, "restartPolicy");

        t->container[t->containers++] = (struct kube_container){
            .request = kube_amounts_read(k,
                                         kube_at(list, "resources.requests")),
            .limit = kube_amounts_read(k, kube_at(list, "resources.limits")),
            .is_init = is_init,
            .is_sidecar = is_init && restart && strcmp(restart, "Always") == 0,
        };
    }
}

static uint32_t length(const struct gs_ynode *list)
{
    uint32_t n = 0;

    for (; list; list = list->next)
        n++;
    return n;
}

/* --- where it may stand --------------------------------------------------- */

struct topo_taint *kube_tolerations_read(struct kube *k,
                                         const struct gs_ynode *list,
                                         uint32_t *count)
{
    struct topo_taint *all = gs_arena_alloc(k->arena, length(list),
                                            sizeof(*all));

    for (*count = 0; list; list = list->next) {
        const char *effect = kube_text(list, "effect");
        const char *op = kube_text(list, "operator");
        const bool exists = op && strcmp(op, "Exists") == 0;
        const char *value = kube_text(list, "value");
        struct topo_taint *x = &all[*count];

        x->key = kube_name(k, list, "key");
        x->value = exists                ? 0
                   : !value || !value[0] ? TOPO_NO_VALUE
                                         : kube_put(k, value);
        x->effect = !effect                             ? TOPO_ANY_EFFECT
                    : strcmp(effect, "NoSchedule") == 0 ? TOPO_NO_SCHEDULE
                    : strcmp(effect, "NoExecute") == 0  ? TOPO_NO_EXECUTE
                    : strcmp(effect, "PreferNoSchedule") == 0
                        ? TOPO_PREFER_NO_SCHEDULE
                        : TOPO_ANY_EFFECT;
        *count += x->key || exists;
    }
    return all;
}

static void claims_read(struct kube *k, struct kube_template *t,
                        const struct gs_ynode *list)
{
    t->claim = gs_arena_alloc(k->arena, length(list), sizeof(*t->claim));
    for (; list; list = list->next) {
        const char *made = kube_text(list, "resourceClaimTemplateName");
        const char *own = kube_text(list, "resourceClaimName");
        char name[600];

        if (!made && !own) /* before v1.31 */
            made = kube_text(list, "source.resourceClaimTemplateName");
        if (!made && !own)
            own = kube_text(list, "source.resourceClaimName");
        if (!made && !own)
            continue;
        (void)snprintf(name, sizeof(name), "%.253s/%.253s",
                       kube_str(k, t->space), made ? made : own);
        t->claim[t->claims++] = (struct kube_claim_use){ kube_put(k, name),
                                                         !made };
    }
}

/* The pod group that the spec names; 0. */
static uint32_t group_read(struct kube *k, const struct gs_ynode *spec)
{
    const char *work = kube_text(spec, "workloadRef.name");
    const char *group = kube_text(spec, "workloadRef.podGroup");

    return work && group ? kube_put(
               k, gs_arena_printf(k->arena, "%.253s/%.253s", work, group))
                         : kube_name(k, spec, "schedulingGroup.podGroupName");
}

/* --- all of it ------------------------------------------------------------ */

bool kube_is_kai(const char *scheduler)
{
    return strcmp(scheduler, "kai-scheduler") == 0
           || strcmp(scheduler, "runai-scheduler") == 0;
}

/* What KAI reads beside the spec. */
static void kai_read(struct kube *k, struct kube_template *t,
                     const struct gs_ynode *pod)
{
    static const char mig[] = "nvidia.com/mig-";
    const uint32_t class = kube_label_value(&t->labels,
                                            kube_put(k, "priorityClassName"));
    const uint32_t pool = kube_label_value(&t->labels,
                                           kube_put(k, KUBE_POOL_LABEL));

    t->priority_class = class ? class : t->priority_class;
    t->pool = pool ? pool : k->object_pool ? kube_put(k, k->object_pool) : 0;
    for (const struct gs_ynode *a = kube_map(pod, "metadata.annotations"); a;
         a = a->next) {
        if (strncmp(a->key->text, mig, sizeof(mig) - 1) == 0)
            import_account_tell(k->account, IMPORT_IGNORED, k->source, a,
                                "annotation %.80s: instances of MIG are those "
                                "that containers request",
                                a->key->text);
    }
}

/* Has it scheduling gates beside those that Kueue lifts when it admits it? */
static bool is_gated(const struct gs_ynode *spec)
{
    const struct gs_ynode *gate = kube_list(spec, "schedulingGates");

    for (; gate; gate = gate->next) {
        const char *name = kube_text(gate, "name");

        if (!name || strncmp(name, "kueue.x-k8s.io/", 15) != 0)
            return true;
    }
    return false;
}

struct kube_template *kube_template_read(struct kube *k,
                                         const struct gs_ynode *n,
                                         uint32_t space)
{
    const struct gs_ynode *spec = kube_at(n, "spec");
    const struct gs_ynode *init = kube_list(spec, "initContainers");
    const struct gs_ynode *main = kube_list(spec, "containers");
    struct kube_template *t;
    const char *policy;
    int64_t deadline;

    if (!spec || spec->kind != GS_YMAP) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                            "pods without a spec");
        return NULL;
    }
    if (!main)
        import_account_tell(k->account, IMPORT_ASSUMED, k->source, n,
                            "pods without containers ask for nothing");
    t = gs_arena_alloc(k->arena, 1, sizeof(*t));
    kube_annotations_check(k, n);
    t->source = kube_put(k, k->source);
    t->line = n->line;
    t->column = n->column;
    t->space = space;
    t->labels = kube_labels_read(k, kube_at(n, "metadata.labels"));
    t->annotations = kube_labels_read(k, kube_at(n, "metadata.annotations"));
    t->container = gs_arena_alloc(k->arena, length(init) + length(main),
                                  sizeof(*t->container));
    containers_read(k, t, init, true);
    containers_read(k, t, main, false);
    t->overhead = kube_amounts_read(k, kube_at(spec, "overhead"));
    t->pod = kube_amounts_read(k, kube_at(spec, "resources.requests"));
    t->most = kube_amounts_read(k, kube_at(spec, "resources.limits"));
    kube_conditions_add(k, &t->nodes, kube_at(spec, "nodeSelector"), NULL);
    t->toleration = kube_tolerations_read(k, kube_list(spec, "tolerations"),
                                          &t->tolerations);
    if (kube_zone_is_for(k, &t->annotations))
        kube_zone_tolerate(k, t);
    kube_rules_read(k, t, spec);
    if (!kube_at(spec, "topologySpreadConstraints"))
        kube_default_spread_use(k, t);
    t->scheduler = kube_name(k, spec, "schedulerName");
    t->priority_class = kube_name(k, spec, "priorityClassName");
    if (kube_is_kai(kube_str(k, t->scheduler))) {
        k->has_kai = true;
        kai_read(k, t, n);
    }
    t->priority = kube_at(spec, "priority") ? kube_number(
                      k, spec, "priority", 0, INT32_MIN, INT32_MAX)
                                            : KUBE_UNKNOWN;
    policy = kube_text(spec, "preemptionPolicy");
    t->never = policy && strcmp(policy, "Never") == 0;
    t->is_gated = is_gated(spec);
    deadline = kube_number(k, spec, "activeDeadlineSeconds", 0, 0,
                           GS_TIME_MAX / GS_SECOND);
    t->deadline = deadline ? deadline * GS_SECOND : KUBE_UNKNOWN;
    t->node = kube_name(k, spec, "nodeName");
    t->group = group_read(k, spec);
    t->is_admitted = kube_text(n, "metadata.uid") != NULL;
    claims_read(k, t, kube_list(spec, "resourceClaims"));
    if (kube_at(spec, "runtimeClassName"))
        kube_runtime_use(k, t, kube_name(k, spec, "runtimeClassName"));
    return t;
}

/* What a container asks for: requests, else limits, else the fallback. */
static struct kube_amounts container_request(
    struct kube *k, const struct kube_container *c,
    const struct kube_amounts *fallback)
{
    struct kube_amounts a = { 0 };

    for (uint32_t i = 0; i < c->request.count; i++)
        kube_amount_add(k, &a, c->request.at[i].name, c->request.at[i].milli);
    for (int from = 0; from < 2; from++) {
        const struct kube_amounts *more = from ? fallback : &c->limit;
        const uint32_t stated = a.count;

        for (uint32_t i = 0; more && i < more->count; i++) {
            bool is_stated = false;

            for (uint32_t s = 0; s < stated; s++)
                is_stated = is_stated || a.at[s].name == more->at[i].name;
            if (!is_stated)
                kube_amount_add(k, &a, more->at[i].name, more->at[i].milli);
        }
    }
    return a;
}

struct kube_amounts kube_template_request(struct kube *k,
                                          const struct kube_template *t,
                                          const struct kube_amounts *fallback)
{
    struct kube_amounts sum = { 0 }, peak = { 0 }, sidecars = { 0 };

    for (uint32_t c = 0; c < t->containers; c++) {
        const struct kube_container *x = &t->container[c];
        const struct kube_amounts a = container_request(k, x, fallback);

        for (uint32_t i = 0; i < a.count; i++) {
            const uint32_t name = a.at[i].name;

            if (!x->is_init || x->is_sidecar)
                kube_amount_add(k, &sum, name, a.at[i].milli);
            if (x->is_sidecar)
                kube_amount_add(k, &sidecars, name, a.at[i].milli);
            else if (x->is_init)
                kube_amount_raise(k, &peak, name,
                                  a.at[i].milli
                                      + kube_amount_of(&sidecars, name));
        }
    }
    for (uint32_t i = 0; i < peak.count; i++)
        kube_amount_raise(k, &sum, peak.at[i].name, peak.at[i].milli);
    for (uint32_t i = 0; i < t->pod.count; i++) {
        for (uint32_t s = 0; s < sum.count; s++) {
            if (sum.at[s].name == t->pod.at[i].name)
                sum.at[s].milli = 0;
        }
        kube_amount_add(k, &sum, t->pod.at[i].name, t->pod.at[i].milli);
    }
    for (uint32_t i = 0; i < t->most.count; i++) {
        if (!kube_amount_of(&sum, t->most.at[i].name))
            kube_amount_add(k, &sum, t->most.at[i].name, t->most.at[i].milli);
    }
    for (uint32_t i = 0; i < t->overhead.count; i++)
        kube_amount_add(k, &sum, t->overhead.at[i].name,
                        t->overhead.at[i].milli);
    kube_claims_take(k, t, &sum);
    return sum;
}
