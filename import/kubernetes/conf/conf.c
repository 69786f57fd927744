/* import/kubernetes/conf/conf.c - profiles of configurations, see conf.h. */
#include "import/kubernetes/conf/conf.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/registry.h"
#include "topology/resources.h"

/* --- making --------------------------------------------------------------- */

struct kube_conf *kube_conf_add(struct kube *k, const char *name)
{
    struct kube_confs *all = k->confs;
    struct kube_conf *c;

    if (all->count == KUBE_CONFS_MAX) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, NULL,
                            "configurations of schedulers beyond %d",
                            KUBE_CONFS_MAX);
        return NULL;
    }
    c = gs_arena_alloc(k->arena, 1, sizeof(*c));
    c->name = gs_arena_strndup(k->arena, name, strlen(name));
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(struct kube_conf *));
    all->at[all->count++] = c;
    return c;
}

bool kube_conf_has_action(const struct kube_conf *c, const char *action)
{
    for (uint32_t i = 0; i < c->actions; i++) {
        if (strcmp(c->action[i], action) == 0)
            return true;
    }
    return false;
}

void kube_conf_action(struct kube_conf *c, const char *action)
{
    if (kube_conf_has_action(c, action))
        return;
    assert(c->actions < KUBE_CONF_ACTIONS);
    c->action[c->actions++] = action;
}

struct kube_conf_use *kube_conf_find(struct kube_conf *c, const char *module)
{
    for (uint32_t i = 0; i < c->uses; i++) {
        if (strcmp(c->use[i].module, module) == 0)
            return &c->use[i];
    }
    return NULL;
}

bool kube_conf_evicts_gangs(const struct kube_conf *c)
{
    return kube_conf_has_action(c, "gang-preempt")
           || kube_conf_has_action(c, "gang-reclaim");
}

struct kube_conf_use *kube_conf_use(struct kube_conf *c, const char *module,
                                    uint32_t tier)
{
    struct kube_conf_use *u;

    if (!gsched_module_find(module) || kube_conf_find(c, module))
        return NULL;
    assert(c->uses < KUBE_CONF_USES); /* modules are fewer, each comes once */
    u = &c->use[c->uses++];
    u->module = module;
    u->tier = tier;
    return u;
}

static struct kube_conf_param *param_of(struct kube_conf_use *u,
                                        const char *name)
{
    for (uint32_t i = 0; i < u->params; i++) {
        if (strcmp(u->param[i].name, name) == 0)
            return &u->param[i];
    }
    assert(u->params < KUBE_CONF_PARAMS);
    u->param[u->params] = (struct kube_conf_param){ .name = name };
    return &u->param[u->params++];
}

void kube_conf_param(const struct kube *k, struct kube_conf_use *u,
                     const char *name, const char *fmt, ...)
{
    char text[600];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    param_of(u, name)->text = gs_arena_strndup(k->arena, text, strlen(text));
}

bool kube_conf_without(struct kube_conf_use *u, const char *point)
{
    const uint64_t mask = gsched_points_mask(gsched_module_find(u->module),
                                             point);

    u->without |= mask;
    return mask != 0;
}

/* --- weights -------------------------------------------------------------- */

/* The name here of a resource of Kubernetes; NULL: it is none. */
static const char *resource_name(const struct kube *k, const char *name)
{
    int64_t unit;

    switch (kube_device_of(name, &unit)) {
    case KUBE_CPU:
        return "cpu";
    case KUBE_RAM:
        return "memory";
    case KUBE_PODS:
        return "pods";
    case KUBE_WHOLE:
    case KUBE_HUNDREDTHS:
        return "gpu";
    case KUBE_NIC:
        return "rdma";
    case KUBE_COUNTED:
        break;
    default:
        return NULL;
    }
    if (!*name || strlen(name) > 253
        || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
                             "VWXYZ0123456789./_-")])
        return NULL;
    return gs_arena_strndup(k->arena, name, strlen(name));
}

void kube_conf_no_weights(struct kube_conf_use *u, const char *name)
{
    (void)param_of(u, name);
}

void kube_conf_real_weight(struct kube *k, struct kube_conf_use *u,
                           const char *name, const char *resource,
                           double weight, const struct gs_ynode *at)
{
    struct kube_conf_param *p = param_of(u, name);
    const char *here = resource_name(k, resource);
    uint32_t i = 0;

    while (here && i < p->weights && strcmp(p->weight[i].resource, here) != 0)
        i++;
    if (!here || i == KUBE_CONF_WEIGHTS) {
        kube_conf_ignore(k, at, "the weight of '%.80s'", resource);
        return;
    }
    if (i == p->weights)
        p->weight[p->weights++] = (struct kube_conf_weight){ here, weight };
    else if (p->weight[i].weight < weight) /* devices of several vendors */
        p->weight[i].weight = weight;
}

void kube_conf_weight(struct kube *k, struct kube_conf_use *u, const char *name,
                      const char *resource, int64_t weight,
                      const struct gs_ynode *at)
{
    kube_conf_real_weight(k, u, name, resource, (double)weight, at);
}

/* --- the text ------------------------------------------------------------- */

static bool is_known(const struct kube *k, const char *resource)
{
    return topo_dims_find(k->dims, kube_put(k, resource)) >= 0;
}

static const char *weights_text(struct kube *k, const struct kube_conf_param *p,
                                bool is_known_only)
{
    const char *text = "{", *between = "";

    for (uint32_t i = 0; i < p->weights; i++) {
        if (is_known_only && !is_known(k, p->weight[i].resource)) {
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "the weight of '%s', which no node and no pod "
                                "of the source has",
                                p->weight[i].resource);
            continue;
        }
        text = gs_arena_printf(k->arena, "%s%s%s: %.15g", text, between,
                               p->weight[i].resource, p->weight[i].weight);
        between = ", ";
    }
    return gs_arena_printf(k->arena, "%s}", text);
}

/* The instances of MIG that nodes and pods of the source have, each with its
 * slices; NULL: none.
 */
static const char *slices_text(struct kube *k)
{
    const char *text = "{", *between = "";

    for (uint32_t d = 0; d < k->dims->count; d++) {
        const char *name = kube_str(k, k->dims->name[d]);
        int slices = 0, bytes = 0, end = 0;

        if (sscanf(name, "nvidia.com/mig-%2dg.%4dgb%n", &slices, &bytes, &end)
                != 2
            || name[end] || slices <= 0)
            continue;
        text = gs_arena_printf(k->arena, "%s%s%s: %d", text, between, name,
                               slices);
        between = ", ";
    }
    return *between ? gs_arena_printf(k->arena, "%s}", text) : NULL;
}

static const char *only_text(const struct kube *k, const struct kube_conf *c,
                             const struct kube_conf_use *u)
{
    const struct gsp_module *m = gsched_module_find(u->module);
    const uint64_t unused = kube_conf_evicts_gangs(c)
                                ? 0
                                : gsched_points_mask(m, "gang_victims");
    const uint64_t mask = gsched_points_all(m) & ~(u->without | unused);
    const char *text = "only: [", *between = "", *name;

    for (uint32_t at = 0; (name = gsched_points_name(mask, &at));) {
        text = gs_arena_printf(k->arena, "%s%s%s", text, between, name);
        between = ", ";
    }
    return gs_arena_printf(k->arena, "%s]", text);
}

static const char *use_text(struct kube *k, const struct kube_conf *c,
                            const struct kube_conf_use *u, bool is_known_only)
{
    const char *text = gs_arena_printf(k->arena, "%s: {", u->module);
    const char *slices = u->slices ? slices_text(k) : NULL;
    const char *between = "";

    for (uint32_t i = 0; i < u->params; i++) {
        const struct kube_conf_param *p = &u->param[i];

        text = gs_arena_printf(k->arena, "%s%s%s: %s", text, between, p->name,
                               p->text ? p->text
                                       : weights_text(k, p, is_known_only));
        between = ", ";
    }
    if (slices) {
        text = gs_arena_printf(k->arena, "%s%s%s: %s", text, between, u->slices,
                               slices);
        between = ", ";
    }
    if (u->without)
        text = gs_arena_printf(k->arena, "%s%s%s", text, between,
                               only_text(k, c, u));
    return !u->params && !slices && !u->without
               ? u->module
               : gs_arena_printf(k->arena, "%s}", text);
}

/* Is anything left of the module?  One that was never without an extension
 * point may have none at all, and serve by its hooks, as account-usage does.
 */
static bool serves(const struct kube_conf_use *u)
{
    return !u->without
           || gsched_points_all(gsched_module_find(u->module)) & ~u->without;
}

const char *kube_conf_text(struct kube *k, const struct kube_conf *c,
                           bool is_known_only)
{
    const char *text = "actions: [";
    uint32_t tier = UINT32_MAX;

    for (uint32_t i = 0; i < c->actions; i++)
        text = gs_arena_printf(k->arena, "%s%s%s", text, i ? ", " : "",
                               c->action[i]);
    text = gs_arena_printf(k->arena, "%s]\nunit: %s\nrequeue: %s\n", text,
                           c->by_pod ? "pod" : "gang",
                           c->keeps_place ? "submitted" : "last");
    if (c->sample)
        text = gs_arena_printf(k->arena, "%ssample: %s\n", text, c->sample);
    if (c->candidates)
        text = gs_arena_printf(k->arena, "%scandidates: %s\n", text,
                               c->candidates);
    if (c->bundles)
        text = gs_arena_printf(k->arena, "%sbundles: %s\n", text, c->bundles);
    if (c->depth)
        text = gs_arena_printf(k->arena, "%squeue_depth: {%s}\n", text,
                               c->depth);
    if (c->shares_of)
        text = gs_arena_printf(k->arena, "%sshares_of: \"%s\"\n", text,
                               c->shares_of);
    if (c->period)
        text = gs_arena_printf(k->arena, "%strigger: {period: %s}\n", text,
                               c->period);
    text = gs_arena_printf(k->arena, "%smodules:\n", text);
    for (uint32_t i = 0; i < c->uses; i++) {
        const struct kube_conf_use *u = &c->use[i];

        if (!serves(u))
            continue;
        if (u->tier != tier)
            text = gs_arena_printf(k->arena, "%s  -\n", text);
        tier = u->tier;
        text = gs_arena_printf(k->arena, "%s    - %s\n", text,
                               use_text(k, c, u, is_known_only));
    }
    return text;
}

/* --- values --------------------------------------------------------------- */

int64_t kube_conf_number(struct kube *k, const struct gs_ynode *v,
                         const char *what, int64_t fallback, int64_t low,
                         int64_t high)
{
    char *end = NULL;
    double real;
    int64_t number;

    assert(low <= fallback && fallback <= high);
    if (!v || gs_ynode_is_null(v))
        return fallback;
    real = v->kind == GS_YSCALAR && v->len ? strtod(v->text, &end) : 0;
    if (!end || *end || real < -1e15 || real > 1e15) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%.80s' that is no number", what);
        return fallback;
    }
    number = (int64_t)real;
    if (number < low || number > high)
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%.80s' out of range: taken as %" PRId64, what,
                            number < low ? low : high);
    return number < low ? low : number > high ? high : number;
}

void kube_conf_ignore(struct kube *k, const struct gs_ynode *at,
                      const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    import_account_vtell(k->account, IMPORT_IGNORED, k->source, at, fmt, ap);
    va_end(ap);
}

void kube_conf_becomes(struct kube *k, const struct gs_ynode *at,
                       const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    import_account_vtell(k->account, IMPORT_BECAME, k->source, at, fmt, ap);
    va_end(ap);
}
