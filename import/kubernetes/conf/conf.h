/* import/kubernetes/conf/conf.h - configurations of schedulers, as profiles.
 *
 * A reader of configurations (volcano_conf.c, scheduler_conf.c) begins one with
 * kube_conf_add() and puts modules with parameters into it; kube_conf_text()
 * is the profile then.  Resources that weights name are those of Kubernetes.
 */
#ifndef KUBE_CONF_H
#define KUBE_CONF_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_spread;

#define KUBE_CONFS_MAX 100
#define KUBE_CONF_USES 64
#define KUBE_CONF_PARAMS 12
#define KUBE_CONF_WEIGHTS 24
#define KUBE_CONF_ACTIONS 8

/* A module, by its name here. */
struct kube_conf_use {
    const char *module;
    uint32_t tier;
    uint64_t without;   /* extension points that it does not serve, as a mask */
    const char *slices; /* parameter of instances of MIG and their slices; NULL
                         */
    uint32_t params;
    struct kube_conf_param {
        const char *name, *text; /* text NULL: weights of resources */
        uint32_t weights;
        struct kube_conf_weight {
            const char *resource; /* its name here */
            double weight;
        } weight[KUBE_CONF_WEIGHTS];
    } param[KUBE_CONF_PARAMS];
};

struct kube_conf {
    const char *name; /* of the scheduler */
    const char *pool; /* of a shard of KAI Scheduler, see kai_pool.h; NULL */
    const char *shares_of; /* as a profile writes it; NULL */
    uint32_t process; /* a number that those of one process share; 0: its own */
    bool by_pod;      /* unit: pod */
    bool keeps_place; /* requeue: submitted */
    const char *sample, *candidates, *bundles; /* as a profile writes them;
                                                  NULL */
    const char *depth, *period; /* queue_depth and that of trigger; NULL */
    uint32_t domains;           /* examined for an eviction, of one plugin; 0 */
    bool lists_spreads; /* defaultConstraints, in place of kube-scheduler's */
    const struct kube_spread *spread; /* these */
    uint32_t spreads;
    uint32_t actions, uses;
    const char *action[KUBE_CONF_ACTIONS];
    struct kube_conf_use use[KUBE_CONF_USES];
};

struct kube_confs {
    struct kube_conf **at;
    uint32_t count, cap;
    uint32_t processes;
};

/* An empty one; `name` is copied.  NULL when there are too many, which it
 * tells.
 */
struct kube_conf *kube_conf_add(struct kube *k, const char *name);

/* Add an action unless it is there. */
void kube_conf_action(struct kube_conf *c, const char *action);
bool kube_conf_has_action(const struct kube_conf *c, const char *action);
/* Has it gang-preempt or gang-reclaim? */
bool kube_conf_evicts_gangs(const struct kube_conf *c);

/* Add a module; NULL when there is no such module in this program, or it is
 * there already.
 */
struct kube_conf_use *kube_conf_use(struct kube_conf *c, const char *module,
                                    uint32_t tier);
/* The module's use; NULL. */
struct kube_conf_use *kube_conf_find(struct kube_conf *c, const char *module);

/* A parameter as a profile writes it. */
void kube_conf_param(const struct kube *k, struct kube_conf_use *u,
                     const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The weight of a resource in parameter `name`; what is no resource here is
 * told, with `at`.
 */
void kube_conf_weight(struct kube *k, struct kube_conf_use *u, const char *name,
                      const char *resource, int64_t weight,
                      const struct gs_ynode *at);
void kube_conf_real_weight(struct kube *k, struct kube_conf_use *u,
                           const char *name, const char *resource,
                           double weight, const struct gs_ynode *at);
/* An empty set of weights, so that the module's own do not hold. */
void kube_conf_no_weights(struct kube_conf_use *u, const char *name);

/* It does not serve the extension point; true if the module has it. */
bool kube_conf_without(struct kube_conf_use *u, const char *point);

/* The profile as YAML, in k->arena.  With `is_known_only`, weights of resources
 * that no node and no job of the source has are left out, and told.
 */
const char *kube_conf_text(struct kube *k, const struct kube_conf *c,
                           bool is_known_only);

/* --- values --------------------------------------------------------------- */

/* The whole number of scalar `v`, within low .. high; what is none, or out of
 * range, is told as `what`.
 */
int64_t kube_conf_number(struct kube *k, const struct gs_ynode *v,
                         const char *what, int64_t fallback, int64_t low,
                         int64_t high);

/* Tell: `what` has no effect here; `what` has become module `module`. */
void kube_conf_ignore(struct kube *k, const struct gs_ynode *at,
                      const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void kube_conf_becomes(struct kube *k, const struct gs_ynode *at,
                       const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* --- readers -------------------------------------------------------------- */

/* Each takes a document: 0; -1 when it is of no use, which is told.  A document
 * without apiVersion and kind, *what it is; and the configurations that texts
 * below `root` hold, as of values of Helm: 1 when there is none.
 */
int kube_conf_bare_take(struct kube *k, const struct gs_ynode *root,
                        const char **what);
int kube_texts_take(struct kube *k, const struct gs_ynode *root);

/* Is the document a configuration of Volcano: tiers of plugins? */
bool kube_volcano_conf_is(const struct gs_ynode *root);
/* 0; -1 when it makes no profile, which is told. */
int kube_volcano_conf_take(struct kube *k, const struct gs_ynode *root);

/* Is it a configuration of KAI Scheduler's scheduler?  Asked before that of
 * Volcano, whose shape it has.
 */
bool kube_kai_conf_is(const struct gs_ynode *root);
int kube_kai_conf_take(struct kube *k, const struct gs_ynode *root);
/* Are they values of its chart?  They make a shard and its default queues. */
bool kube_kai_values_are(const struct gs_ynode *root);
int kube_kai_values_take(struct kube *k, const struct gs_ynode *root);

/* Of Kueue: once all is read, flavors with a topology choose nodes for whole
 * jobs.
 */
void kube_kueue_conf_finish(struct kube *k);

/* Of kube-scheduler, of any version; its old Policy. */
int kube_scheduler_conf_take(struct kube *k, const struct gs_ynode *root);
int kube_policy_take(struct kube *k, const struct gs_ynode *root);
bool kube_policy_is(const struct gs_ynode *root);

#endif /* KUBE_CONF_H */
