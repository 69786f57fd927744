/* import/kubernetes/conf/scheduler_plugins.h - kube-scheduler's plugins as
 * modules.
 */
#ifndef KUBE_SCHEDULER_PLUGINS_H
#define KUBE_SCHEDULER_PLUGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_conf;

#define KUBE_PLUGINS_MAX 64

/* The extension points that decide something here. */
enum kube_point {
    KUBE_QUEUE_SORT,
    KUBE_FILTER,
    KUBE_SCORE,
    KUBE_POST_FILTER,
    KUBE_PERMIT,
    KUBE_POINTS
};

/* Versions of the API with the same defaults. */
enum kube_scheduler_age {
    KUBE_V1BETA1, /* and all before */
    KUBE_V1BETA2,
    KUBE_V1, /* and v1beta3 */
};

/* A plugin that gsim knows. */
struct kube_plugin_row {
    const char *name;
    uint32_t points;     /* that it serves: 1 << enum kube_point */
    uint32_t by_default; /* 1 << enum kube_scheduler_age: on without a word */
    int64_t weight, old_weight; /* of its score since v1beta3, and before */
    const char *module;         /* of its score; NULL */
    const char *why; /* it has no counterpart: what that changes; NULL */
};

extern const struct kube_plugin_row kube_plugin_rows[];
extern const size_t kube_plugin_count;

/* The plugins of a profile, in the order of the rows. */
struct kube_plugins {
    struct kube_plugin {
        uint32_t on; /* points at which it is in force */
        int64_t weight;
        const struct gs_ynode *named, *args; /* as the file states; NULL */
    } at[KUBE_PLUGINS_MAX];
};

/* Its row; kube_plugin_count when there is none. */
size_t kube_plugin_find(const char *name);

/* The defaults; `packs`: those that suit a cluster autoscaler. */
void kube_plugins_init(struct kube_plugins *p, enum kube_scheduler_age age,
                       bool packs);

/* Put the modules that they become, and the actions, into `c`
 * (scheduler_modules.c).
 */
void kube_plugins_use(struct kube *k, struct kube_conf *c,
                      const struct kube_plugins *p);

#endif /* KUBE_SCHEDULER_PLUGINS_H */
