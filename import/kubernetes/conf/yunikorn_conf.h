/* import/kubernetes/conf/yunikorn_conf.h - a queues.yaml of YuniKorn as queues
 * and a profile, and its placement rules for pods.
 */
#ifndef KUBE_YUNIKORN_CONF_H
#define KUBE_YUNIKORN_CONF_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_template;
struct trace_job;
struct yunikorn_application;
struct yunikorn_property;

#define KUBE_YUNIKORN "yunikorn"
#define KUBE_YUNIKORN_GROUPS 64u          /* of one user */
#define KUBE_YUNIKORN_REJECTED "rejected" /* queue of what the rules reject */

/* Is the document such a configuration? */
bool kube_yunikorn_conf_is(const struct gs_ynode *root);
/* 0; -1 when it is refused, which is told. */
int kube_yunikorn_conf_take(struct kube *k, const struct gs_ynode *root);

/* The index of the property's value among `words`; 0 when there is none, or
 * another, which it tells.
 */
int64_t kube_yunikorn_word(struct kube *k, const struct yunikorn_property *p,
                           const char *const *words);
/* Queues of the partition k->yunikorn, which was just read. */
void kube_yunikorn_queues_take(struct kube *k);

/* Are pods `t` those of YuniKorn: by their scheduler, or because the source has
 * its configuration and they name none?
 */
bool kube_yunikorn_serves(const struct kube *k, const struct kube_template *t);

/* The path of the queue (string id) that the placement rules give the
 * application; 0: they reject it.  A queue that a rule makes is added, with
 * what the namespace (string id) of the application states for it.
 */
uint32_t kube_yunikorn_place(struct kube *k,
                             const struct yunikorn_application *a,
                             uint32_t space);
/* Tags of applications of a namespace: `ctx` is a struct kube_yunikorn_space.
 */
struct kube_yunikorn_space {
    const struct kube *k;
    uint32_t name; /* string id; 0: "default" */
};
const char *kube_yunikorn_tag(void *ctx, const char *name);
/* The path of the queue (string id) of pods `t` that name `queue` (0: none), by
 * the placement rules; 0: they are rejected, which is told.
 */
uint32_t kube_yunikorn_queue(struct kube *k, uint32_t queue,
                             const struct kube_template *t);

/* The members of the task groups of `count` pods, as kube_task_groups_members
 * says; 0: none, or YuniKorn does not serve them, or has no gangs.
 */
uint32_t kube_yunikorn_gang(struct kube *k,
                            const struct kube_template *const *pods,
                            uint32_t count);

/* Set the style and the time limit of its gang, and the user of the job, of
 * pods `t` in the queue of that path (string id), if it is stated or limited,
 * and its group: the first of the user's that a queue limits, from the job's
 * up.
 */
void kube_yunikorn_user(struct kube *k, const struct kube_template *t,
                        uint32_t queue, struct trace_job *j);

/* Once all is read: take ConfigMap yunikorn-defaults, if nothing else
 * configures YuniKorn.
 */
void kube_yunikorn_defaults_finish(struct kube *k);
/* A copy of what an object holds, in k->arena. */
const struct gs_ynode *kube_yunikorn_copy(struct kube *k,
                                          const struct gs_ynode *n);

/* --- shared by the files of the room -------------------------------------- */

struct yunikorn_amounts;
struct yunikorn_words;
struct yunikorn_queue;
struct kube_amounts;
struct kube_queue;

/* Thousandths of what Kubernetes calls the resources. */
struct kube_amounts kube_yunikorn_amounts(struct kube *k,
                                          const struct yunikorn_amounts *from);
/* The user and the groups (room for KUBE_YUNIKORN_GROUPS) that annotation
 * yunikorn.apache.org/user.info states, else the user of label username;
 * without it the one that is not known, and false.
 */
bool kube_yunikorn_user_read(struct kube *k, const struct kube_template *t,
                             struct yunikorn_application *a,
                             struct yunikorn_words *groups);
/* The limits of users and groups that the queue states. */
void kube_yunikorn_limits(struct kube *k, const struct yunikorn_queue *from,
                          struct kube_queue *to);

#endif /* KUBE_YUNIKORN_CONF_H */
