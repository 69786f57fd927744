/* import/kubernetes/conf/volcano_scores.c - Volcano's plugins that score and
 * filter nodes, as modules.
 *
 * Source: the plugins' own argument names (pkg/scheduler/plugins).
 */
#include <stdlib.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/volcano_plugins.h"
#include "import/kubernetes/object/kube.h"

/* --- network-topology-aware ----------------------------------------------- */

/* A number as it is, from 0 to `most`; NULL when it is none, which is told. */
static const char *factor(const struct volcano_plugin *p,
                          const struct gs_ynode *v, double most)
{
    char *end = NULL;
    const double x = v && v->kind == GS_YSCALAR ? strtod(v->text, &end) : -1;

    if (!v)
        return NULL;
    if (end && !*end && end != v->text && x >= 0 && x <= most)
        return v->text;
    import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, v,
                        "'%.60s' that is no number from 0 to %g", v->key->text,
                        most);
    return NULL;
}

#define MOST_DOMAINS "hypernode.gradient.evict.max-hypernodes"

uint32_t volcano_domains(struct kube *k, const struct gs_ynode *v,
                         const char *what)
{
    const int64_t n = kube_conf_number(k, v, what, VOLCANO_DOMAINS, INT32_MIN,
                                       1000);

    return n > 0 ? (uint32_t)n : VOLCANO_DOMAINS;
}

void volcano_topology_add(const struct volcano_plugin *p)
{
    const int64_t weight = volcano_weight(p, "weight", 1);
    const struct gs_ynode *others = volcano_argument(
        p, "hypernode.binpack.normal-pod.enable");
    const char *fading = factor(
        p, volcano_argument(p, "hypernode.binpack.normal-pod.fading"), 100);
    struct kube_conf_use *u = volcano_use(p, "topology");

    if (u) {
        kube_conf_param(p->k, u, "smallest", "no");
        kube_conf_param(p->k, u, "preempts", "no");
    }
    p->conf->domains = volcano_domains(p->k, volcano_argument(p, MOST_DOMAINS),
                                       MOST_DOMAINS);
    u = weight ? volcano_use(p, "tier-affinity") : NULL;
    if (!u)
        return;
    kube_conf_param(p->k, u, "weight", "%lld", (long long)weight);
    kube_conf_weight(p->k, u, "resources", "cpu",
                     volcano_resource_weight(p, "hypernode.binpack.cpu"), NULL);
    kube_conf_weight(p->k, u, "resources", "memory",
                     volcano_resource_weight(p, "hypernode.binpack.memory"),
                     NULL);
    volcano_resources_put(p, u,
                          volcano_argument(p, "hypernode.binpack.resources"),
                          "hypernode.binpack.resources.");
    if (others && others->kind == GS_YSCALAR
        && strcmp(others->text, "false") == 0)
        kube_conf_param(p->k, u, "others", "no");
    if (fading)
        kube_conf_param(p->k, u, "fading", "%s", fading);
}

/* --- resource-strategy-fit ------------------------------------------------ */

/* Is the part of the plugin there and enabled? */
static bool is_enabled(const struct gs_ynode *part)
{
    return part && part->kind == GS_YMAP && kube_flag(part, "enable", false);
}

/* The next name of a comma list into `out`; false at its end. */
static bool name_next(const char **s, char *out, size_t size)
{
    static const char blank[] = " \t\r\n,";
    size_t len;

    *s += strspn(*s, blank);
    len = strcspn(*s, blank);
    if (len == 0)
        return false;
    if (len >= size)
        len = size - 1;
    memcpy(out, *s, len);
    out[len] = '\0';
    *s += strcspn(*s, blank);
    return true;
}

/* The value under `name` + `suffix` of a mapping, at least 0; 1 by default. */
static int64_t rate_of(const struct volcano_plugin *p,
                       const struct gs_ynode *map, const char *name,
                       const char *suffix)
{
    char key[320];
    const struct gs_ynode *v;
    int64_t rate;

    strcpy(key, name);
    strcat(key, suffix);
    v = kube_key(map, key);
    rate = kube_conf_number(p->k, v, key, 1, 0, 1000000);
    if (v && v->kind == GS_YSCALAR && strtod(v->text, NULL) > (double)rate)
        import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, v,
                            "'%.80s' is taken as %lld", key, (long long)rate);
    return rate;
}

static const char *list_of(const struct gs_ynode *part)
{
    const char *text = kube_text(part, "resources");

    return text ? text : "";
}

static void scarce_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *sra = volcano_argument(p, "sra");
    const struct gs_ynode *keep = volcano_argument(p, "proportional");
    struct kube_conf_use *u = is_enabled(sra) || is_enabled(keep)
                                  ? volcano_use(p, "scarce")
                                  : NULL;
    const int64_t weight = is_enabled(sra)
                               ? kube_conf_number(p->k, kube_at(sra, "weight"),
                                                  "weight", 0, 0, 1000)
                               : 0;
    char name[256];

    if (!u)
        return;
    kube_conf_param(p->k, u, "weight", "%lld", (long long)weight);
    kube_conf_no_weights(u, "resources");
    if (is_enabled(sra)) {
        const char *s = list_of(sra);

        while (name_next(&s, name, sizeof(name)))
            kube_conf_weight(
                p->k, u, "resources", name,
                rate_of(p, kube_at(sra, "resourceWeight"), name, ""), sra);
    }
    if (is_enabled(keep)) {
        const struct gs_ynode *rates = kube_at(keep, "resourceProportion");
        const char *s = list_of(keep);

        while (name_next(&s, name, sizeof(name))) {
            kube_conf_weight(p->k, u, "keep_cpu", name,
                             rate_of(p, rates, name, ".cpu"), keep);
            kube_conf_weight(p->k, u, "keep_memory", name,
                             rate_of(p, rates, name, ".memory"), keep);
        }
    }
}

static void strategy_put(const struct volcano_plugin *p,
                         struct kube_conf_use *u)
{
    const struct gs_ynode *list = volcano_argument(p, "resources");

    kube_conf_param(
        p->k, u, "weight", "%lld",
        (long long)volcano_weight(p, "resourceStrategyFitWeight", 10));
    if (!list || list->kind != GS_YMAP)
        return;
    kube_conf_no_weights(u, "most");
    kube_conf_no_weights(u, "least");
    for (const struct gs_ynode *r = list->child; r; r = r->next) {
        const char *type = kube_text(r, "type");
        const bool most = type && strcmp(type, "MostAllocated") == 0;

        kube_conf_weight(
            p->k, u, most ? "most" : "least", r->key->text,
            kube_conf_number(p->k, kube_at(r, "weight"), "weight", 1, 0, 1000),
            r);
    }
}

void volcano_strategy_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "resource-strategy-fit");

    if (u)
        strategy_put(p, u);
    scarce_add(p);
}

/* --- deviceshare ---------------------------------------------------------- */

/* Without a policy Volcano takes the last device that fits, and has no points.
 */
void volcano_sharing_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *v = volcano_argument(p,
                                                "deviceshare.SchedulePolicy");
    const char *policy = v && v->kind == GS_YSCALAR ? v->text : "";
    struct kube_conf_use *u = volcano_use(p, "gpu-sharing");

    if (!u)
        return;
    kube_conf_param(
        p->k, u, "weight", "%lld",
        (long long)volcano_weight(p, "deviceshare.ScheduleWeight", 0));
    kube_conf_param(p->k, u, "mode", "%s",
                    strcmp(policy, "binpack") == 0  ? "pack"
                    : strcmp(policy, "spread") == 0 ? "spread"
                                                    : "last");
}

/* --- usage ---------------------------------------------------------------- */

static int64_t threshold(const struct volcano_plugin *p, const char *key)
{
    return kube_conf_number(
        p->k, kube_at(volcano_argument(p, "thresholds"), key), key, 80, 0, 100);
}

void volcano_usage_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *estimator = volcano_argument(p, "estimator");
    const char *ratio = factor(p, kube_at(estimator, "request_ratio"), 1);
    struct kube_conf_use *u = volcano_use(p, "load");

    if (!u)
        return;
    kube_conf_param(p->k, u, "weight", "%lld",
                    (long long)volcano_weight(p, "usage.weight", 5));
    kube_conf_weight(p->k, u, "resources", "cpu",
                     volcano_weight(p, "cpu.weight", 1), NULL);
    kube_conf_weight(p->k, u, "resources", "memory",
                     volcano_weight(p, "memory.weight", 1), NULL);
    kube_conf_weight(p->k, u, "limits", "cpu", threshold(p, "cpu"), NULL);
    kube_conf_weight(p->k, u, "limits", "memory", threshold(p, "mem"), NULL);
    if (ratio)
        kube_conf_param(p->k, u, "request", "%s", ratio);
    for (const struct gs_ynode *v = kube_map(estimator, ""); v; v = v->next) {
        if (strcmp(v->key->text, "request_ratio") != 0)
            kube_conf_ignore(p->k, v,
                             "'%.60s' of the estimator of plugin "
                             "'usage'",
                             v->key->text);
    }
    import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, p->at,
                        "plugin 'usage': the load of a node is `load` of the "
                        "topology and a part of what its tasks ask for");
}

/* --- nodegroup ------------------------------------------------------------ */

static bool is_set(const struct volcano_plugin *p, const char *key,
                   bool fallback)
{
    const struct gs_ynode *v = volcano_argument(p, key);

    return v && v->kind == GS_YSCALAR ? strcmp(v->text, "true") == 0 : fallback;
}

void volcano_groups_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *at;
    struct kube_conf_use *u;

    p->k->node_groups = (struct kube_node_groups_use){
        .scheduler = p->conf->name,
        .lax = !is_set(p, "strict", true),
        .ordered = is_set(p, "enablePreferredOrder", false),
        .inherits = volcano_is_on(p->at, "Hierarchy", false, &at),
    };
    (void)volcano_use(p, "fit");
    u = volcano_use(p, "node-affinity");
    if (!u)
        return;
    kube_conf_param(p->k, u, "weight", "2");
    kube_conf_param(p->k, u, "normalize", "no");
}
