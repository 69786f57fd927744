/* import/kubernetes/native/standing.h - what runs when the source is made:
 * time 0 of the trace is then, and pods that are bound to a node stand there.
 */
#ifndef KUBE_STANDING_H
#define KUBE_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "import/kubernetes/object/index.h"

struct kube;
struct kube_pod;
struct kube_workload;
struct trace_group;
struct trace_job;
struct trace_stand;
struct trace_workload;

struct kube_standing {
    bool is_on;    /* false: the source tells a history, or plans */
    int64_t now;   /* us since 1970 of time 0 */
    int64_t shift; /* from the first submission to time 0, in us */
    struct kube_index node;
    struct kube_index host; /* nodes by label kubernetes.io/hostname */
    uint32_t *first, *next; /* [workload] its first pod not yet taken, [pod] the
                               next, and 1 */
    uint32_t *alive;        /* [workload] its pods that have not ended */

    /* The job that is made now. */
    struct trace_stand *stand;
    uint32_t stands, cap;
    int64_t earliest, latest; /* starts of those pods */
};

/* The first submission, in us since 1970; 0 when none is stated. */
int64_t kube_epoch(const struct kube *k);

/* Once the owners of pods are known.  Time 0 is `at`, or with KUBE_UNKNOWN the
 * latest time that any object states.  It is on if the source holds nodes and
 * pods that run, or workloads that Kueue has admitted, unless `history`.
 * `epoch`: the first submission.
 */
void kube_standing_open(struct kube_standing *s, struct kube *k, bool history,
                        int64_t at, int64_t epoch);
void kube_standing_close(struct kube_standing *s);

/* The workload was over at time 0; told. */
bool kube_standing_is_over(const struct kube_standing *s, struct kube *k,
                           uint32_t workload);

/* Was the pod over at time 0? */
bool kube_standing_has_ended(const struct kube_standing *s,
                             const struct kube_pod *p);

/* A job that ran from `start` to `end` and does not stand at time 0 has the
 * rest of it to run.
 */
void kube_standing_cut(const struct kube_standing *s, struct trace_job *j,
                       int64_t start, int64_t end);

/* Begin a job; let a pod stand as a task of its group, if it is bound to a node
 * of the source.
 */
void kube_standing_begin(struct kube_standing *s);
void kube_standing_put(struct kube_standing *s, struct kube *k,
                       const struct kube_pod *p, uint32_t group);

/* Begin a job of the workload that has `groups` groups, and let its pods stand
 * as far as they fit; those that are left are for its next job, or are told
 * when it is the last.
 */
void kube_standing_take(struct kube_standing *s, struct kube *k,
                        const struct trace_workload *w, uint32_t workload,
                        const struct trace_group *group, uint32_t groups,
                        uint32_t most, bool is_last);

/* Unless pods of it stand: those of a workload that Kueue has admitted stand on
 * the nodes that it has assigned to them; `group_of` is the group of a member.
 */
void kube_standing_assign(struct kube_standing *s, struct kube *k,
                          const struct kube_workload *w,
                          const uint32_t *group_of,
                          const struct trace_group *group, uint32_t groups,
                          uint32_t most);

/* Give the job its stands and its times: `stated` us are what it runs in all,
 * KUBE_UNKNOWN: `left` us from time 0 on.
 */
void kube_standing_finish(struct kube_standing *s, struct kube *k,
                          struct trace_workload *w, struct trace_job *j,
                          int64_t stated, int64_t left);

/* Once all jobs are sorted: what was submitted before time 0 is submitted then.
 */
void kube_standing_shift(const struct kube_standing *s, struct kube *k,
                         struct trace_workload *w);

#endif /* KUBE_STANDING_H */
