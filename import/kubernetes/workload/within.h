/* import/kubernetes/workload/within.h - the domain in which the pods of a
 * workload stand together.
 */
#ifndef KUBE_WITHIN_H
#define KUBE_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

struct gs_ynode;
struct kube;
struct kube_member;
struct kube_template;
struct kube_within;
struct kube_workload;
struct trace_group;
struct trace_job;
struct trace_workload;

/* --- what is said: within_said.c ------------------------------------------ */

/* What networkTopology {mode, highestTierAllowed, highestTierName} of a job or
 * a pod group of Volcano says; `n` may be NULL.
 */
struct kube_within kube_within_volcano(struct kube *k,
                                       const struct gs_ynode *n);
/* What topologyConstraint {requiredTopologyLevel, preferredTopologyLevel} of a
 * pod group of KAI says; `n` may be NULL.
 */
struct kube_within kube_within_kai(struct kube *k, const struct gs_ynode *n);
/* What topologyConstraint {packConstraint: {required, preferred}} of a PodGang
 * of Grove says, or of a group of one; `n` may be NULL.
 */
struct kube_within kube_within_grove(struct kube *k, const struct gs_ynode *n);

/* What annotations of a workload say that KAI reads. */
struct kube_within kube_within_kai_annotated(struct kube *k,
                                             const struct gs_ynode *object);

/* What topologyRequest of a podset of Kueue says; `n` may be NULL. */
struct kube_within kube_within_kueue(struct kube *k, const struct gs_ynode *n);
bool kube_within_says(const struct kube_within *x);

/* What annotations of the pods say. */
struct kube_within kube_within_annotated(struct kube *k,
                                         const struct kube_template *t);
/* What the member states, or annotations of its pods do. */
struct kube_within kube_within_of_member(struct kube *k,
                                         const struct kube_member *m);

/* --- what follows --------------------------------------------------------- */

/* Does Kueue refuse what a podSet asks for: a level that no Topology lists,
 * slices without a size, or above the level?  Not known without a Topology.
 */
bool kube_within_is_refused(struct kube *k, const struct kube_workload *w);

/* Does the workload, its pod group or any of its pods ask for a topology? */
bool kube_within_asks(struct kube *k, const struct kube_workload *w);

/* Do its members stand each in a domain of its own, as podSets of Kueue, but
 * for two that a name joins?
 */
bool kube_within_are_own(struct kube *k, const struct kube_workload *w);
/* Set `topology` of the group that is made of a member. */
void kube_within_group(struct kube *k, const struct kube_workload *w,
                       uint32_t member, bool are_own,
                       struct trace_workload *trace, struct trace_group *g);

/* Set `topology` of the group that is made of the pods `t` of a sub-group; it
 * `joins` other groups of the same x->group.
 */
void kube_within_sub(struct kube *k, const struct kube_within *x, bool joins,
                     const struct kube_template *t,
                     struct trace_workload *trace, struct trace_group *g);

/* Set `within` of the job: what the workload says, else its pod group, else the
 * annotations of its pods (Kueue, KAI).  The account tells a domain that is no
 * tier of the cluster.  Once kube_tiers_find() was called.
 */
void kube_within_make(struct kube *k, const struct kube_workload *w,
                      struct trace_workload *trace, struct trace_job *j);
/* Likewise of so many pods `t` without a workload. */
void kube_within_pods(struct kube *k, const struct kube_template *t,
                      uint32_t pods, struct trace_workload *trace,
                      struct trace_job *j);

#endif /* KUBE_WITHIN_H */
