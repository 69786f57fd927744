/* import/kubernetes/conf/yunikorn_conf.h - a queues.yaml of YuniKorn as queues and
 * a profile, and its placement rules for pods.
 */
#ifndef KUBE_YUNIKORN_CONF_H
#define KUBE_YUNIKORN_CONF_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_template;

#define KUBE_YUNIKORN "yunikorn"

/* Is the document such a configuration, or does it hold one as a text: under a
 * key queues.yaml, or configuration?
 */
bool kube_yunikorn_conf_is(const struct gs_ynode *root);
/* 0; -1 when it is refused, which is told; 1 when it is another document. */
int kube_yunikorn_conf_take(struct kube *k, const struct gs_ynode *root);

/* Are pods `t` those of YuniKorn: by their scheduler, or because the source has
 * its configuration and they name none?
 */
bool kube_yunikorn_serves(const struct kube *k, const struct kube_template *t);

/* The path of the queue (string id) of pods `t` that name `queue` (0: none), by
 * the placement rules; 0: they are rejected, which is told.
 */
uint32_t kube_yunikorn_queue(struct kube *k, uint32_t queue,
                             const struct kube_template *t);

#endif /* KUBE_YUNIKORN_CONF_H */
