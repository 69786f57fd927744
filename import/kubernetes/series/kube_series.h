/* import/kubernetes/series/kube_series.h - weeks of history: the series that
 * kube-state-metrics gives Prometheus.
 *
 * kube_series_take() keeps what a series tells of a pod, a node or a job, and
 * none of its samples.  Once all is read, kube_series_finish() makes the
 * objects that were there and hands them to the readers of their kinds; then
 * past.h gives them the times at which they ran.
 */
#ifndef KUBE_SERIES_H
#define KUBE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/numbers.h"
#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/series/kube_samples.h"

struct gs_ynode;
struct import_object;
struct kube;

/* A label, with its key as Prometheus writes it. */
struct past_label {
    uint32_t key, value;
};

struct past_labels {
    struct past_label *at; /* in k->arena */
    uint32_t count;
};

struct past_container {
    uint32_t name;
    bool is_init, is_sidecar;
    struct kube_amounts request, limit; /* by names as Prometheus writes them */
};

/* Samples that show a pod. */
struct past_seen {
    int64_t first, last;         /* of any series */
    int64_t bound;               /* the first that tells its node */
    int64_t run_first, run_last; /* of phase Running */
    int64_t ended;               /* the first of phase Succeeded or Failed */
};

struct past_toleration {
    uint32_t key, op, value, effect;
};

/* Times are us since 1970, KUBE_UNKNOWN when no series tells them. */
struct past_pod {
    uint32_t uid, space, name; /* uid 0: told by namespace and name only */
    uint32_t source;
    int line;
    uint32_t node, priority_class, scheduler;
    uint32_t owner_kind, owner_name;
    bool is_controlled; /* the owner is the controller */
    bool is_cluster;    /* of a source that gives the nodes only */
    int64_t created, started, scheduled, completed, deleted;
    struct past_seen seen, at_once; /* by queries of ranges; of instants */
    struct past_container *container;
    uint32_t containers;
    struct past_labels labels, annotations, selectors;
    struct past_toleration *toleration;
    uint32_t tolerations;
    struct kube_amounts overhead;
};

struct past_job {
    uint32_t space, name, source;
    int line;
    int64_t created, started, completed;
    int64_t parallelism, completions, deadline; /* KUBE_UNKNOWN */
    struct past_labels labels;
};

struct past_taint {
    uint32_t key, value, effect;
    uint64_t samples;
};

struct past_node {
    uint32_t name, source;
    int line;
    int64_t created, first, last;
    uint64_t samples;                  /* the most of a series of it */
    uint64_t cordoned, ready, unready; /* samples that say so */
    struct kube_amounts allocatable, capacity;
    struct past_labels labels;
    struct past_taint *taint;
    uint32_t taints;
};

struct past_quota {
    uint32_t space, name, resource;
    int64_t milli, at; /* as of the latest sample */
    uint32_t next;     /* amount of the same quota, and 1 */
    bool is_later;     /* there is one before it */
};

/* The samples of all series of a sort. */
struct kube_range {
    uint64_t samples;
    int64_t first, last, step; /* with any samples */
};

struct kube_series {
    struct past_pod *pod;
    struct past_job *job;
    struct past_node *node;
    struct past_quota *quota;
    uint32_t pods, jobs, nodes, quotas;
    uint32_t pod_cap, job_cap, node_cap, quota_cap;
    struct kube_index pod_at, job_at, node_at, quota_at, quota_last;
    struct kube_range of_pods, of_nodes;
    struct kube_range at_once; /* of pods, by queries of instants */
    uint32_t cluster;          /* value of that label; 0 */
    bool no_nodes, only_nodes;
    bool is_instant; /* all series of pods are of instants */

    /* names that nodes have, and what texts stand for: series_names.c */
    struct gs_numbers resources, keys;
    struct kube_index resource_of, key_of;
};

/* One series that is taken now. */
struct series {
    const struct import_object *o;
    const struct gs_ynode *labels; /* of the metric */
    struct kube_samples samples;
};

/* The value of a label, which Prometheus may have renamed to "exported_..."; 0
 * when it is not there, or says that there is none.
 */
uint32_t kube_series_label(struct kube *k, const struct series *s,
                           const char *key);
/* Add those that begin with `before`, once each. */
void kube_series_labels_add(struct kube *k, struct past_labels *l,
                            const struct series *s, const char *before);
/* The time that is the value of the series. */
int64_t kube_series_time(const struct series *s);
int64_t kube_series_earlier(int64_t a, int64_t b);
int64_t kube_series_later(int64_t a, int64_t b);

/* Is the object without a kind a series, or an answer that is an error? */
bool kube_series_is(const struct gs_ynode *root);
/* Take it; the account counts it. */
void kube_series_take(struct kube *k, const struct import_object *o);

/* Once all sources are read: the objects. */
void kube_series_finish(struct kube *k);
void kube_series_free(struct kube_series *s);

#endif /* KUBE_SERIES_H */
