/* import/kubernetes/kubernetes.h - the objects of a Kubernetes cluster as a
 * topology and a trace.
 *
 *     struct kube_import *x = kube_import_create(names, dims, account);
 *     kube_import_read(x, path, err);         for each source
 *     kube_import_finish(x, &options);
 *     kube_import_trace(x, work, &epoch, err);
 *     kube_import_topology(x, topo, err);
 *     kube_import_destroy(x);
 */
#ifndef KUBE_KUBERNETES_H
#define KUBE_KUBERNETES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;
struct gs_strtab;
struct gsched_profile;
struct import_account;
struct kube_import; /* opaque */
struct topo;
struct topo_dims;
struct trace_workload;

struct kube_options {
    int64_t duration; /* us that a job runs which states no run time */
    int64_t span;     /* us for which CronJobs make jobs; 0: none */
    int64_t at;       /* us since 1970 of time 0, where pods run; INT64_MIN:
                                the latest time that an object states */
    bool history;     /* no pod runs at time 0, what is over is kept */
    const char *const *tier; /* "LABEL=NAME" or "LABEL", outermost first */
    uint32_t tiers;
};

extern const struct kube_options kube_options_default;

/* Empty; `names`, `dims` and `account` outlive it. */
struct kube_import *kube_import_create(struct gs_strtab *names,
                                       struct topo_dims *dims,
                                       struct import_account *account);
void kube_import_destroy(struct kube_import *x); /* NULL is fine */

/* Of the nodes, queues and jobs of KAI Scheduler read only those of the node
 * pool `pool`, which outlives it; "": those of none.  Before the first source.
 */
void kube_import_pool(struct kube_import *x, const char *pool);

/* What is taken of a source: the account tells what is left out. */
enum kube_part {
    KUBE_ALL,
    KUBE_JOBS,    /* no nodes */
    KUBE_CLUSTER, /* no workloads and pods but those of daemons */
};

/* Take the objects of a source, see import/source.h.  The account counts them.
 * -1 when the source cannot be read.
 */
int kube_import_read(struct kube_import *x, const char *path,
                     struct gs_err *err);
/* Likewise of the file `in`, NULL: of the folder `path`. */
int kube_import_read_part(struct kube_import *x, const char *path,
                          struct gs_input *in, enum kube_part part,
                          struct gs_err *err);
/* Of all files that were read, one after another, as import/source.h has it;
 * begins anew with each call.
 */
uint64_t kube_import_hash(struct kube_import *x);

/* Objects are read beside the nodes of `t`, which has no part in the source:
 * with KUBE_JOBS.  Before kube_import_finish; `t` lives as long.
 */
void kube_import_know(struct kube_import *x, const struct topo *t);

/* Once all sources are read.  -1 for a tier that is no LABEL=NAME (GS_USAGE).
 */
int kube_import_finish(struct kube_import *x, const struct kube_options *o,
                       struct gs_err *err);

/* Does a configuration state what jobs of another source take: spreads for pods
 * that state none, or queues?  Use those of the file `path` for the pods that
 * were read, unless their source configures their scheduler.
 */
bool kube_import_lends(const struct kube_import *x);
int kube_import_lend(struct kube_import *x, const char *path,
                     struct gs_err *err);

/* Give the workload, whose file defines no queues, those of the source, which
 * is finished, and each of its jobs the one that its queue's name leads to;
 * what has no effect is told to `account`.
 */
void kube_import_lend_queues(struct kube_import *x, struct trace_workload *w,
                             struct import_account *account);
/* The preset of the scheduler that the queues of a source are of which holds
 * these and no configuration, nodes or jobs; NULL.
 */
const char *kube_import_queues_preset(const struct kube_import *x);

/* -1 when no object was of use: why, for the source `path`. */
int kube_import_check(const struct kube_import *x, const char *path,
                      struct gs_err *err);

/* Does the source hold nodes; workloads or pods that become jobs; queues? */
bool kube_import_has_nodes(const struct kube_import *x);
bool kube_import_has_jobs(const struct kube_import *x);
bool kube_import_has_queues(const struct kube_import *x);
/* Does a ResourceFlavor of Kueue have a Topology, whose gate is not shut? */
bool kube_import_has_topologies(const struct kube_import *x);

/* Jobs, queues and priority classes into the empty `w`; *epoch: us since 1970
 * of its time 0, 0 when no object states a date.
 */
int kube_import_trace(struct kube_import *x, struct trace_workload *w,
                      int64_t *epoch, struct gs_err *err);

/* The nodes into the empty `t`, which is finished.  After kube_import_trace:
 * nodes have the resources that jobs ask for.
 */
int kube_import_topology(struct kube_import *x, struct topo *t,
                         struct gs_err *err);

/* The schedulers that the source configures, their names, and a number that
 * those of one process share; 0: its own.
 */
uint32_t kube_import_profiles(const struct kube_import *x);
const char *kube_import_profile_name(const struct kube_import *x, uint32_t i);
uint32_t kube_import_profile_process(const struct kube_import *x, uint32_t i);

/* That of scheduler `i` as a profile called `name`, in `arena`; it needs no
 * closing.  Once the trace and the topology are made, if the source has any: of
 * the resources that the scheduler weighs those stay which are there.
 */
struct gsched_profile *kube_import_profile(struct kube_import *x, uint32_t i,
                                           const char *name,
                                           struct gs_arena *arena,
                                           struct gs_err *err);

#endif /* KUBE_KUBERNETES_H */
