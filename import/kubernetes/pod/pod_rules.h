/* import/kubernetes/pod/pod_rules.h - where pods must or had better stand. */
#ifndef KUBE_POD_RULES_H
#define KUBE_POD_RULES_H

struct gs_ynode;
struct kube;
struct kube_spread;
struct kube_template;

/* Affinity and spreads of the spec of pods, whose labels are known. */
void kube_rules_read(struct kube *k, struct kube_template *t,
                     const struct gs_ynode *spec);
/* A constraint of topology spread, without its pods. */
struct kube_spread kube_spread_read(struct kube *k, const struct gs_ynode *n);

#endif /* KUBE_POD_RULES_H */
