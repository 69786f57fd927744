/* import/kubernetes/series/past.h - the jobs of a history: which pods were one
 * task, and which tasks one job.
 */
#ifndef KUBE_PAST_H
#define KUBE_PAST_H

struct kube;

/* Once the owners of pods are known, if series told of pods:
 * - A workload that ends learns when it ran, of tasks that run one after
 *   another also how long each took.
 * - Pods of one owner: one that began when another had ended stands for it, so
 *   that there are as many tasks as ran at one time.  Tasks of a service that
 *   began and ended together are a job; all others of one owner are a gang.
 */
void kube_past_finish(struct kube *k);

#endif /* KUBE_PAST_H */
