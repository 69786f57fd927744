/* import/kubernetes/native/maker.h - what the jobs of a trace share while they
 * are made: names, times, notes, and the groups of the one that is made now.
 */
#ifndef KUBE_MAKER_H
#define KUBE_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "import/account.h"
#include "import/kubernetes/native/after.h"
#include "import/kubernetes/native/standing.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/workload/kube_workload.h"

struct gs_strtab;
struct kube;
struct kube_pod_group;
struct kube_selectors;
struct kube_template;
struct kube_trace_options;
struct trace_group;
struct trace_job;
struct trace_workload;

/* trace.c opens and closes it. */
struct kube_maker {
    struct kube *k;
    const struct kube_trace_options *options;
    struct trace_workload *w;
    struct kube_selectors *selectors;
    struct gs_strtab *taken;   /* names of jobs */
    struct kube_index numbers; /* [name of a workload] its next job's */
    uint32_t copies;           /* jobs of CronJobs and of several gangs */
    int64_t epoch;
    struct kube_standing standing;
    struct kube_after after;
    struct trace_group *group; /* of the job that is made now */
    uint32_t group_cap;
    uint32_t *group_of; /* [member of its workload] its group */
    uint32_t group_of_cap;
    uint32_t *sub_left; /* [sub-group] of its minimum */
    uint32_t *sub_of;   /* [group] index of its sub-group and 1; 0: none */
    uint32_t sub_cap, sub_of_cap;
    uint32_t sub_taken; /* that of the group that is added next */
};

/* Tell `text` of a line of the source (string id), or of pods `t`. */
void kube_maker_tell(const struct kube_maker *m, enum import_note note,
                     uint32_t source, int line, int column, const char *text);
void kube_maker_tell_pods(const struct kube_maker *m, enum import_note note,
                          const struct kube_template *t, const char *text);

/* --- groups (job_groups.c) ------------------------------------------------ */

/* Append a group to those of the job that is made now, or add to an equal one:
 * which.
 */
uint32_t kube_maker_add_group(struct kube_maker *m, uint32_t *count,
                              uint32_t name, uint32_t replicas, uint32_t min,
                              const struct kube_template *t);

/* Begin a job of pods of a pod group (NULL: none).  The minimum of `count` pods
 * of `t`, the member of that name, which their sub-group still asks for;
 * without a sub-group `least`.  *name becomes that of the sub-group unless it
 * has one.
 */
void kube_maker_begin_subs(struct kube_maker *m,
                           const struct kube_pod_group *g);
uint32_t kube_maker_take_sub(struct kube_maker *m,
                             const struct kube_pod_group *g,
                             const struct kube_template *t, uint32_t count,
                             uint32_t least, uint32_t *name);

/* Groups of which the sub-groups state a topology have it; pods `t` are those
 * of the job.
 */
void kube_maker_place_subs(const struct kube_maker *m,
                           const struct kube_pod_group *g, uint32_t groups,
                           const struct kube_template *t);

/* Minima of more pods than the gang do not hold. */
void kube_maker_limit_min(const struct kube_maker *m, uint32_t groups,
                          uint32_t gang);

/* Labels that all groups have are those of the job. */
void kube_maker_share_labels(const struct kube_maker *m, struct trace_job *j,
                             uint32_t groups);

/* What the job says holds for all its groups; what all groups say is the job's.
 */
void kube_maker_share_fixed(const struct kube_maker *m, struct trace_job *j,
                            enum kube_yield stated, uint32_t groups);

/* Groups of the job's priority class have none of their own. */
void kube_maker_share_class(const struct kube_maker *m,
                            const struct trace_job *j, uint32_t groups);

/* What their queue (its name as its object has it; 0) says of groups of nodes
 * is a condition of its tasks.
 */
void kube_maker_take_node_groups(struct kube_maker *m, uint32_t queue,
                                 const struct kube_template *t,
                                 uint32_t groups);

/* --- terms of a job ------------------------------------------------------- */

/* "team/train", or with a number when that is taken, or there are several. */
uint32_t kube_maker_make_name(struct kube_maker *m, uint32_t name, bool is_one);

/* us from the first submission on; 0 when `submit` is KUBE_UNKNOWN. */
int64_t kube_maker_find_submit(const struct kube_maker *m, int64_t submit);

/* What annotation gsim/duration states, in us; KUBE_UNKNOWN. */
int64_t kube_maker_read_duration(const struct kube_maker *m,
                                 const struct kube_template *t);

/* How long it runs, of pods `t`, in us. */
int64_t kube_maker_find_duration(struct kube_maker *m,
                                 const struct kube_template *t, int64_t start,
                                 int64_t end, int64_t deadline);

/* Of a job, or else of its pods; 0: the default scheduler. */
uint32_t kube_maker_find_scheduler(const struct kube_maker *m, uint32_t stated,
                                   const struct kube_template *t);

/* Pods `t` are of a job that *scheduler serves: of several that its pods name,
 * the first that is not the default one.
 */
void kube_maker_join_scheduler(const struct kube_maker *m, uint32_t *scheduler,
                               const struct kube_template *t);

/* Add it with the first `groups` of m->group; `t`: its first pods. */
void kube_maker_add_job(struct kube_maker *m, struct trace_job *j,
                        const struct kube_template *t, uint32_t groups);

/* --- jobs ----------------------------------------------------------------- */

/* Of all workloads (workload_jobs.c). */
void kube_maker_add_workloads(struct kube_maker *m);

/* Of all pods without a workload (pod_jobs.c). */
void kube_maker_add_pods(struct kube_maker *m);

#endif /* KUBE_MAKER_H */
