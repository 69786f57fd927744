/* import/slurm/slurm_preemption.h - preemption by partition or QOS. */
#ifndef SLURM_SLURM_PREEMPTION_H
#define SLURM_SLURM_PREEMPTION_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct slurm;
struct slurm_job;
struct slurm_ranks;
struct trace_job;
struct trace_workload;

/* Is preemption on?  Tells what becomes of it. */
bool slurm_preempts(struct slurm *s);
/* The modules of a profile for it. */
const char *slurm_preemption_text(struct slurm *s, struct gs_arena *arena);

/* Where preemption is on: make a priority class of each rank, which lists those
 * whose jobs its own may evict.
 */
void slurm_victims_make(struct slurm *s, struct trace_workload *w,
                        struct slurm_ranks *r);
/* What becomes of the job as a victim. */
void slurm_victim_put(struct slurm *s, const struct slurm_job *j,
                      struct trace_job *out);

#endif /* SLURM_SLURM_PREEMPTION_H */
