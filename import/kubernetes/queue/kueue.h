/* import/kubernetes/queue/kueue.h - what Kueue's objects state beside the
 * queues: flavors, and the LocalQueues of namespaces, which jobs name and which
 * stand for ClusterQueues.
 */
#ifndef KUBE_KUEUE_H
#define KUBE_KUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/index.h"

struct gs_ynode;
struct kube;
struct kube_queue;
struct topo_taint;
struct trace_queue;
struct trace_workload;

/* Begins the name of a cohort among queues, since a ClusterQueue may have the
 * same.
 */
#define KUBE_COHORT "cohort "

struct kube_local {
    uint32_t name;    /* "namespace/name" */
    uint32_t cluster; /* of the ClusterQueue */
    int64_t weight;   /* thousandths */
    bool is_stopped;
};

/* A ResourceFlavor. */
struct kube_flavor {
    uint32_t name;
    struct kube_labels labels;
    struct topo_taint *taint, *toleration;
    uint32_t taints, tolerations;
    bool has_levels;   /* it has a topologyName, */
    uint32_t topology; /* this one */
};

/* What a queue has of a flavor; limits that are not stated are not there. */
struct kube_flavor_quota {
    uint32_t flavor;
    struct kube_amounts nominal, borrow, lend;
};

/* A queue term, see traces/workload/queue_terms.h. */
struct kube_queue_term {
    const char *key, *word; /* word NULL: the number */
    int64_t number;
    int line, column;
};

#define KUBE_QUEUE_TERMS 9

struct kube_kueue {
    struct kube_local *local;
    uint32_t locals, local_cap;
    struct kube_index local_by_name;
    struct kube_flavor *flavor;
    uint32_t flavors, flavor_cap;
    uint32_t with_levels; /* flavors, of which `has_levels` holds */
    struct kube_index flavor_by_name;
};

/* Add an empty one of that name. */
struct kube_flavor *kube_flavor_add(struct kube *k, uint32_t name);

/* Paths of policies in the spec of a ClusterQueue. */
#define KUBE_EVICTS_OWN "preemption.withinClusterQueue"
#define KUBE_EVICTS_OTHERS "preemption.reclaimWithinCohort"

/* What the policy at that path, `n` (NULL: not stated), says is a term of the
 * queue.
 */
void kube_kueue_policy(struct kube *k, struct kube_queue *q, const char *path,
                       const struct gs_ynode *n);

/* Is the document a load of Kueue's scalability tests: cohorts with sets of
 * queues?  What it would create (kueue_load.c): -1 when it is no use, which is
 * told.
 */
bool kube_kueue_load_is(const struct gs_ynode *root);
int kube_kueue_load_take(struct kube *k, const struct gs_ynode *root);

void kube_kueue_free(struct kube_kueue *q);

/* Once all is read: a flavor with a Topology has those of its nodes that have
 * all labels of the levels.
 */
void kube_kueue_levels_check(struct kube *k);

/* Once all is read: workloads and pods name the ClusterQueue that their
 * LocalQueue stands for, cohorts that are above themselves are told.
 */
void kube_kueue_finish(struct kube *k);

/* The LocalQueue of that name in the namespace; NULL. */
const struct kube_local *kube_local_find(struct kube *k, uint32_t space,
                                         uint32_t queue);

/* Does a flavor have a Topology, whose gate is not shut? */
bool kube_kueue_has_topologies(const struct kube *k);

/* Flavors of the trace, accounts for LocalQueues that state a weight. */
void kube_kueue_make(struct kube *k, struct trace_workload *w);
/* What the queue has of flavors, and its terms. */
void kube_kueue_put(struct kube *k, struct trace_workload *w,
                    struct trace_queue *q, const struct kube_queue *from);

#endif /* KUBE_KUEUE_H */
