/* import/kubernetes/conf/volcano_conf.c - volcano-scheduler.conf as a profile.
 *
 *   actions: "enqueue, allocate, backfill"
 *   tiers:
 *   - plugins:
 *     - name: drf
 *       enablePreemptable: false
 *       arguments: {...}
 *   configurations:
 *   - name: enqueue
 *     arguments: {...}
 *
 * Source: Volcano's pkg/scheduler/conf.  A
 * switch that is not stated is on, but for enableHierarchy.
 */
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/volcano_plugins.h"
#include "import/kubernetes/object/kube.h"

#define NAME "volcano"
#define TIERS_MAX 64

/* --- what has no effect --------------------------------------------------- */

static bool is_read(const struct volcano_row *r, const char *key)
{
    for (size_t i = 0; r->argument[i]; i++) {
        const char *known = r->argument[i];
        const size_t len = strcspn(known, "*");

        if (strncmp(known, key, len) == 0 && (known[len] || !key[len]))
            return true;
    }
    return false;
}

static void arguments_check(const struct volcano_plugin *p,
                            const struct volcano_row *r)
{
    for (const struct gs_ynode *v = kube_map(p->at, "arguments"); v;
         v = v->next) {
        if (!is_read(r, v->key->text))
            kube_conf_ignore(p->k, v, "argument '%.100s' of plugin '%s'",
                             v->key->text, p->name);
    }
}

/* Switches of extension points, and the points here. */
static const struct point_switch {
    const char *name, *point[2];
} switches[] = {
    { "JobOrder", { "job_order", NULL } },
    { "QueueOrder", { "queue_order", NULL } },
    { "Overused", { "overused", NULL } },
    { "Allocatable", { "allocatable", NULL } },
    { "Preemptive", { "preemptive", NULL } },
    { "JobEnqueued", { "enqueue", NULL } },
    { "Predicate", { "refuses", "filter" } },
    { "NodeOrder", { "score", "prefer" } },
    { "HyperNodeOrder", { "prefer_domain", NULL } },
    { "HyperNodeGradient", { "subtree", NULL } },
    { "TaskOrder", { "next_group", NULL } },
    { "JobReady", { "gang_ready", "hold_time" } },
    { "Preemptable", { "preempt", NULL } },
    { "Reclaimable", { "reclaim", NULL } },
    { "Victim", { "moves", NULL } },
};

/* Take the points whose switch is off from the plugin's modules. */
static void switches_apply(const struct volcano_plugin *p)
{
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        const struct gs_ynode *at;
        bool any = false;

        if (volcano_is_on(p->at, switches[i].name, true, &at))
            continue;
        for (uint32_t u = p->first; u < p->conf->uses; u++) {
            if (strcmp(p->conf->use[u].module, "fit") == 0)
                continue; /* it is in every profile */
            for (size_t n = 0; n < 2 && switches[i].point[n]; n++)
                any |= kube_conf_without(&p->conf->use[u],
                                         switches[i].point[n]);
        }
        if (!any)
            kube_conf_ignore(p->k, at, "'%.60s: %.10s' of plugin '%s'",
                             at->key->text,
                             at->kind == GS_YSCALAR ? at->text : "", p->name);
    }
}

/* The part of a switch's key behind "enable" and the like; NULL. */
static const char *switch_name(const char *key)
{
    static const char *const begin[] = { "enabled", "enable", "disabled",
                                         "disable" };

    for (size_t i = 0; i < 4; i++) {
        const size_t len = strlen(begin[i]);

        if (strncmp(key, begin[i], len) == 0)
            return key + len;
    }
    return NULL;
}

/* Other keys of a plugin, and switches of points that are none here. */
static void keys_check(const struct volcano_plugin *p)
{
    for (const struct gs_ynode *v = p->at->child; v; v = v->next) {
        const char *key = v->key->text, *what = switch_name(key);
        const struct gs_ynode *at;
        bool known = !strcmp(key, "name") || !strcmp(key, "arguments")
                     || (what && !strcmp(what, "Hierarchy"));

        for (size_t i = 0; what && i < sizeof(switches) / sizeof(switches[0]);
             i++)
            known |= strcmp(what, switches[i].name) == 0;
        if (known || (what && volcano_is_on(p->at, what, true, &at)))
            continue;
        kube_conf_ignore(p->k, v, "'%.60s' of plugin '%s'", key, p->name);
    }
}

/* --- actions -------------------------------------------------------------- */

static void action_take(struct kube *k, struct kube_conf *c, const char *name,
                        const struct gs_ynode *at)
{
    static const struct {
        const char *theirs, *ours;
    } known[] = {
        { "enqueue", "enqueue" },   { "allocate", "allocate" },
        { "backfill", "backfill" }, { "preempt", "preempt" },
        { "reclaim", "reclaim" },   { "gangpreempt", "gang-preempt" },
        { "shuffle", "shuffle" },   { "gangreclaim", "gang-reclaim" },
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].theirs, name) != 0)
            continue;
        kube_conf_action(c, known[i].ours);
        return;
    }
    kube_conf_ignore(k, at, "action '%.80s': gsim does not know it", name);
}

/* Only these plugins of Volcano judge victims of gangpreempt and gangreclaim;
 * shares of queues count here in any case.
 */
static void gang_victims_take(const struct volcano_plugin *p)
{
    static const char *const judges[] = { "priority", "gang", "conformance",
                                          "capacity", "proportion" };
    bool is_judge = !kube_conf_evicts_gangs(p->conf);

    for (size_t i = 0; i < sizeof(judges) / sizeof(judges[0]); i++)
        is_judge |= strcmp(judges[i], p->name) == 0;
    for (uint32_t u = p->first; u < p->conf->uses && !is_judge; u++)
        (void)kube_conf_without(&p->conf->use[u], "gang_victims");
}

/* Volcano's defaults hold where none is stated. */
static void actions_take(struct kube *k, struct kube_conf *c,
                         const struct gs_ynode *root)
{
    const struct gs_ynode *at = kube_at(root, "actions");
    const char *s = at && at->kind == GS_YSCALAR && at->len
                        ? at->text
                        : "enqueue, allocate, backfill";

    if (!at || s != at->text)
        import_account_tell(k->account, IMPORT_ASSUMED, k->source, root,
                            "actions are enqueue, allocate, backfill: the "
                            "configuration states none");
    while (*s) {
        const size_t len = strcspn(s, ", \t\r\n");
        char name[128];

        if (len > 0 && len < sizeof(name)) {
            memcpy(name, s, len);
            name[len] = '\0';
            action_take(k, c, name, at);
        }
        s += len + (s[len] != '\0');
    }
}

/* --- tiers ---------------------------------------------------------------- */

/* Tell which modules the plugin has become. */
static void became(const struct volcano_plugin *p, const char *else_what)
{
    const char *list = "";

    for (uint32_t u = p->first; u < p->conf->uses; u++)
        list = gs_arena_printf(p->k->arena, "%s%s%s", list,
                               u > p->first ? ", " : "",
                               p->conf->use[u].module);
    if (else_what)
        kube_conf_becomes(p->k, p->at, "plugin '%s': %s", p->name, else_what);
    else if (*list)
        kube_conf_becomes(p->k, p->at, "plugin '%s': module%s %s", p->name,
                          p->first + 1 < p->conf->uses ? "s" : "", list);
    else
        import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, p->at,
                            "plugin '%s': what it does is on already, or has "
                            "no weight",
                            p->name);
}

static void plugin_take(struct kube *k, struct kube_conf *c, uint32_t tier,
                        const struct gs_ynode *at)
{
    const char *name = kube_text(at, "name");
    const struct volcano_row *r = name ? volcano_row_find(name) : NULL;
    const struct volcano_plugin p = { k, c, at, name, tier, c->uses };

    if (!name) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, at,
                            "a plugin without a name");
        return;
    }
    if (!r) {
        kube_conf_ignore(k, at, "plugin '%.80s': gsim does not know it", name);
        return;
    }
    if (!r->add) {
        kube_conf_ignore(k, at, "plugin '%s': %s", name, r->why);
        return;
    }
    r->add(&p);
    gang_victims_take(&p);
    became(&p, r->why);
    switches_apply(&p);
    keys_check(&p);
    arguments_check(&p, r);
}

static void tier_take(struct kube *k, struct kube_conf *c, uint32_t tier,
                      const struct gs_ynode *at)
{
    if (at->kind == GS_YMAP && !kube_at(at, "plugins"))
        import_account_tell(k->account, IMPORT_LEFT, k->source, at,
                            "a tier without plugins");
    for (const struct gs_ynode *p = kube_list(at, "plugins"); p; p = p->next)
        plugin_take(k, c, tier, p);
    for (const struct gs_ynode *v = at->kind == GS_YMAP ? at->child : NULL; v;
         v = v->next) {
        if (strcmp(v->key->text, "plugins") != 0
            && strcmp(v->key->text, "name") != 0)
            kube_conf_ignore(k, v, "'%.80s' of a tier", v->key->text);
    }
}

/* --- configurations of actions ----------------------------------------- */

static const char *const gang_actions[] = { "gangpreempt", "gangreclaim" };

/* The arguments of the gang action among the configurations; NULL. */
static const struct gs_ynode *gang_argument(const struct gs_ynode *root, int i,
                                            const char *key)
{
    for (const struct gs_ynode *a = kube_list(root, "configurations"); a;
         a = a->next) {
        const char *name = kube_text(a, "name");

        if (name && strcmp(name, gang_actions[i]) == 0)
            return kube_at(kube_at(a, "arguments"), key);
    }
    return NULL;
}

/* What the gang actions examine and evict; one setting for both here: the
 * smaller number, and no whole gangs where either keeps them.
 */
static void bundles_take(struct kube *k, struct kube_conf *c,
                         const struct gs_ynode *root)
{
    uint32_t domains = c->domains ? c->domains : VOLCANO_DOMAINS;
    const uint32_t most = domains;
    bool whole = true;

    for (int i = 0; i < 2; i++) {
        const struct gs_ynode *n = gang_argument(root, i, "maxDomains");
        const struct gs_ynode *w = gang_argument(root, i, "allowWholeBundle");
        const uint32_t own = volcano_domains(k, n, "maxDomains");
        const bool all = !w || w->kind != GS_YSCALAR
                         || strcmp(w->text, "false") != 0;

        if (!kube_conf_has_action(c, i == 0 ? "gang-preempt" : "gang-reclaim"))
            continue;
        if (i == 1 && kube_conf_has_action(c, "gang-preempt")
            && ((own < most ? own : most) != domains || all != whole))
            import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                                n ? n : w,
                                "gangpreempt and gangreclaim examine as many "
                                "domains, and evict whole jobs only if both "
                                "do");
        domains = own < domains ? own : domains;
        whole &= all;
    }
    if (kube_conf_evicts_gangs(c) && (domains != VOLCANO_DOMAINS || !whole))
        c->bundles = gs_arena_printf(k->arena, "{domains: %u, whole: %s}",
                                     domains, whole ? "yes" : "no");
}

/* Is it an argument that bundles_take() reads? */
static bool is_of_bundles(const char *action, const char *key)
{
    return action
           && (strcmp(action, gang_actions[0]) == 0
               || strcmp(action, gang_actions[1]) == 0)
           && (strcmp(key, "maxDomains") == 0
               || strcmp(key, "allowWholeBundle") == 0);
}

static void configurations_take(struct kube *k, struct kube_conf *c,
                                const struct gs_ynode *root)
{
    for (const struct gs_ynode *a = kube_list(root, "configurations"); a;
         a = a->next) {
        const char *name = kube_text(a, "name");

        for (const struct gs_ynode *v = kube_map(a, "arguments"); v;
             v = v->next) {
            const bool factor = name && strcmp(name, "enqueue") == 0
                                && strcmp(v->key->text, "overcommit-factor")
                                       == 0;

            if (factor && !kube_conf_find(c, "overcommit"))
                volcano_factor_put(k, kube_conf_use(c, "overcommit", TIERS_MAX),
                                   v);
            else if (!is_of_bundles(name, v->key->text))
                kube_conf_ignore(k, v, "argument '%.80s' of action '%.40s'",
                                 v->key->text, name ? name : "");
        }
    }
}

/* --- all ------------------------------------------------------------------ */

bool kube_volcano_conf_is(const struct gs_ynode *root)
{
    const struct gs_ynode *actions = gs_ynode_find(root, "actions");
    const struct gs_ynode *tiers = gs_ynode_find(root, "tiers");
    const struct gs_ynode *tier = tiers && tiers->kind == GS_YSEQ ? tiers->child
                                                                  : NULL;

    if (gs_ynode_find(root, "modules"))
        return false; /* a profile of ours */
    for (; tier; tier = tier->next) {
        if (gs_ynode_find(tier, "plugins"))
            return true;
    }
    return tiers && actions && actions->kind == GS_YSCALAR;
}

/* What Volcano does whatever is configured: pods fit on their nodes, and
 * backfill is of pods that ask for nothing.
 */
static void rest_add(struct kube *k, struct kube_conf *c)
{
    struct kube_conf_use *u;

    if (kube_conf_use(c, "fit", TIERS_MAX))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source, NULL,
                            "selectors and taints of nodes hold, though there "
                            "is no plugin 'predicates'");
    u = kube_conf_has_action(c, "backfill")
            ? kube_conf_use(c, "backfill", TIERS_MAX)
            : NULL;
    if (u)
        kube_conf_param(k, u, "mode", "best-effort");
}

int kube_volcano_conf_take(struct kube *k, const struct gs_ynode *root)
{
    struct kube_conf *c = kube_conf_add(k, NAME);
    uint32_t tier = 0;

    if (!c)
        return -1;
    c->keeps_place = true;
    /* settings of its command line, which no file states */
    c->sample = "{percentage: adaptive, minimum: 100}";
    c->by_pod = true; /* unless gang says otherwise */
    actions_take(k, c, root);
    for (const struct gs_ynode *t = kube_list(root, "tiers");
         t && tier < TIERS_MAX; t = t->next)
        tier_take(k, c, tier++, t);
    configurations_take(k, c, root);
    bundles_take(k, c, root);
    rest_add(k, c);
    if (kube_conf_evicts_gangs(c))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            kube_at(root, "actions"),
                            "gangpreempt and gangreclaim make room for the "
                            "gang of a job, then for each task above it; in "
                            "Volcano for all that wait at once");
    if (kube_conf_has_action(c, "gang-reclaim"))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            kube_at(root, "actions"),
                            "gangreclaim takes from queues above their share "
                            "only, in whatever tier their plugin is");
    if (c->actions)
        return 0;
    import_account_tell(k->account, IMPORT_LEFT, k->source, root,
                        "the configuration of Volcano: it names no action "
                        "that gsim knows");
    k->confs->count--;
    return -1;
}
