/* import/kubernetes/conf/volcano_plugins.h - Volcano's plugins as modules. */
#ifndef KUBE_VOLCANO_PLUGINS_H
#define KUBE_VOLCANO_PLUGINS_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_conf;
struct kube_conf_use;

/* A plugin as it is read. */
struct volcano_plugin {
    struct kube *k;
    struct kube_conf *conf;
    const struct gs_ynode *at; /* its mapping */
    const char *name;
    uint32_t tier;
    uint32_t first; /* of its modules, conf->use[first] on */
};

/* What a plugin becomes; without `add` it has no counterpart, and `why` tells
 * what that changes.
 */
struct volcano_row {
    const char *name;
    void (*add)(const struct volcano_plugin *p);
    const char *why; /* or with it what becomes of the plugin beside modules */
    const char *argument[12]; /* that are read, up to a '*'; NULL at the end */
};

/* NULL when gsim does not know the plugin. */
const struct volcano_row *volcano_row_find(const char *name);

/* Argument `key` of the plugin; NULL.  Its weight, from 0 to 1000. */
const struct gs_ynode *volcano_argument(const struct volcano_plugin *p,
                                        const char *key);
int64_t volcano_weight(const struct volcano_plugin *p, const char *key,
                       int64_t fallback);
/* Likewise of a resource: 1 when it is not stated, or below 0. */
int64_t volcano_resource_weight(const struct volcano_plugin *p,
                                const char *key);

/* How many domains are examined for an eviction: the whole number `v` (NULL:
 * not stated), where it is above 0.
 */
#define VOLCANO_DOMAINS 8
uint32_t volcano_domains(struct kube *k, const struct gs_ynode *v,
                         const char *what);

/* The module, in the tier of the plugin; NULL when it is there already. */
struct kube_conf_use *volcano_use(const struct volcano_plugin *p,
                                  const char *module);

/* Put a comma list of resources into parameter `resources`, each with the
 * weight that it has as an argument under `prefix`.
 */
void volcano_resources_put(const struct volcano_plugin *p,
                           struct kube_conf_use *u, const struct gs_ynode *list,
                           const char *prefix);

/* --- plugins that score nodes: volcano_scores.c --------------------------- */

void volcano_topology_add(const struct volcano_plugin *p);
void volcano_strategy_add(const struct volcano_plugin *p);
void volcano_sharing_add(const struct volcano_plugin *p);
void volcano_usage_add(const struct volcano_plugin *p);
void volcano_groups_add(const struct volcano_plugin *p);

/* --- plugins with victims of action shuffle: volcano_moves.c -------------- */

void volcano_windows_add(const struct volcano_plugin *p);
void volcano_rebalance_add(const struct volcano_plugin *p);

/* Is a switch such as enableHierarchy, enabledHierarchy or disableHierarchy on?
 * *at: where it is stated; NULL.
 */
bool volcano_is_on(const struct gs_ynode *plugin, const char *what,
                   bool fallback, const struct gs_ynode **at);

/* overcommit-factor `v` (NULL: not stated) for module overcommit (NULL: none).
 */
void volcano_factor_put(struct kube *k, struct kube_conf_use *u,
                        const struct gs_ynode *v);

#endif /* KUBE_VOLCANO_PLUGINS_H */
