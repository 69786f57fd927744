/* import/kubernetes/conf/kai_conf.h - plugins and actions of KAI Scheduler, as
 * a SchedulingShard or a file of its scheduler states them (kai_conf.c), and
 * the modules that they become (kai_plugins.c).
 */
#ifndef KUBE_KAI_CONF_H
#define KUBE_KAI_CONF_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_conf;

#define KAI_PLUGINS_MAX 48
#define KAI_ACTIONS_MAX 16

struct kai_plugin {
    const char *name;
    int64_t priority; /* of a shard: the higher first */
    bool is_off;
    const struct gs_ynode *at;       /* where it is stated; NULL */
    const struct gs_ynode *argument; /* a mapping; NULL: its defaults */
};

struct kai_action {
    const char *name;
    int64_t priority;
    bool is_off;
    const struct gs_ynode *at;
};

/* Settings of one scheduler; nodes are NULL where nothing is stated. */
struct kai_conf {
    struct kai_plugin plugin[KAI_PLUGINS_MAX];
    uint32_t plugins;
    struct kai_action action[KAI_ACTIONS_MAX];
    uint32_t actions;
    const char *gpu, *cpu; /* placement strategies of a shard; NULL */
    const struct gs_ynode *k, *usage;         /* kValue; usageParams */
    bool has_usage;                           /* usageDBConfig is stated */
    const struct gs_ynode *preempt, *reclaim; /* minimum run times */
    const struct gs_ynode *args;              /* flags by name */
    const struct gs_ynode *depth; /* queueDepthPerAction, by action */
};

/* A shard of the node pool `pool` that no object states. */
void kube_kai_shard_assume(struct kube *k, const char *pool);

/* Is the flag at `v` read, does it decide nothing, or say what holds anyway? */
bool kube_kai_follows(const struct gs_ynode *v);

/* Its modules and actions in the profile; -1 when it has no action. */
int kube_kai_profile_make(struct kube *k, const struct kai_conf *from,
                          struct kube_conf *to);

#endif /* KUBE_KAI_CONF_H */
