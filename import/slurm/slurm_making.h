/* import/slurm/slurm_making.h - the making of a trace of Slurm's jobs.  Private
 * to slurm_trace.c and slurm_groups.c.
 */
#ifndef SLURM_SLURM_MAKING_H
#define SLURM_SLURM_MAKING_H

#include <stdbool.h>
#include <stdint.h>

#include "import/slurm/slurm_terms.h"
#include "import/slurm/slurm_trace.h"
#include "traces/workload/workload.h"

struct slurm_job;

#define SLURM_PARTS_MAX 256   /* components of a job */
#define SLURM_PART_GROUPS 3   /* by what is left when a sum is divided */
#define SLURM_KEPT_LABELS 256 /* of each key */
#define SLURM_KEPT_SPOTS 4096

/* Labels that repeat from job to job. */
enum label_key { LABEL_CONSTRAINTS, LABEL_RESERVATION, LABEL_KEYS };

/* Dependencies of a job in the workload. */
struct job_depends {
    uint32_t first, count;
    bool needs_any;
};

struct job_making {
    struct slurm *s;
    struct trace_workload *w;
    struct slurm_marks *marks;
    struct slurm_ranks ranks;
    int64_t epoch;
    bool has_cluster, has_memory, has_whole, is_linear;
    uint32_t yes;
    int node_dim;
    struct trace_rule apart; /* its tasks on nodes of their own */
    uint32_t type;           /* of GPUs that was looked up last */
    bool has_type;
    struct kept_label {
        uint32_t value, label; /* string ids */
    } kept[LABEL_KEYS][SLURM_KEPT_LABELS];
    struct kept_spots {
        uint32_t placed, first, count; /* string id of a list of nodes */
    } spots[SLURM_KEPT_SPOTS];
    struct trace_group group[SLURM_PARTS_MAX * SLURM_PART_GROUPS];
    uint32_t groups;
    struct job_depends *depends; /* [job of s]; NULL: there are none */
};

/* Add the groups of a component to m->group: CPUs and GPUs are divided among
 * its nodes, and what is left is one more for the first of them.
 */
void slurm_groups_put(struct job_making *m, const struct slurm_job *j);

/* slurm_dependencies.c: what all jobs depend on, into m->depends and the
 * workload.  A job that waits for others is submitted when it was queued.
 */
void slurm_dependencies_make(struct job_making *m);

/* slurm_pools.c: the licences of the cluster as pools; the tokens that a job
 * takes, as trace_job.pools.
 */
void slurm_licenses_make(struct slurm *s, struct trace_workload *w);
uint32_t slurm_pools_of(struct job_making *m, const struct slurm_job *j);

/* slurm_refusals.c: jobs leave the partitions that do not take them; one that
 * all of its partitions refuse has a `refusal`.
 */
void slurm_refusals_make(struct slurm *s);

/* slurm_recorded.c: the runs of the job, with those before it was requeued, and
 * the nodes of each, as far as its rows tell them.
 */
void slurm_recorded_put(struct job_making *m, const struct slurm_job *j,
                        struct trace_job *out);

#endif /* SLURM_SLURM_MAKING_H */
