/* import/slurm/slurm_terms.h - accounts as queues, and priorities as classes.
 */
#ifndef SLURM_SLURM_TERMS_H
#define SLURM_SLURM_TERMS_H

#include <stdint.h>

struct slurm;
struct trace_workload;

/* Put the accounts that sacctmgr shows as queues. */
void slurm_terms_make(struct slurm *s, struct trace_workload *w);

/* The queue of an account (string id; 0: none): its path in `w`. */
uint32_t slurm_terms_queue(struct slurm *s, struct trace_workload *w,
                           uint32_t account);

/* Of pairs of partition and QOS: the tier of the partition, then what both add
 * to the priority, as a rank.
 */
struct slurm_ranks {
    struct slurm_rank {
        uint32_t partition, qos; /* string ids */
        int64_t tier;
        double added;
        int32_t value;
        uint32_t klass; /* of the workload, where preemption is on; 0 */
    } * at;
    uint32_t count, cap, last;
};

/* Collect the pairs of all jobs and rank them. */
void slurm_ranks_make(struct slurm *s, struct slurm_ranks *r);
/* The rank of a pair; NULL without any. */
const struct slurm_rank *slurm_ranks_find(struct slurm_ranks *r,
                                          uint32_t partition, uint32_t qos);
void slurm_ranks_free(struct slurm_ranks *r);

#endif /* SLURM_SLURM_TERMS_H */
