/* import/slurm/slurm_accounts.h - accounts, QOS and partitions of a trace, with
 * their limits.
 */
#ifndef SLURM_SLURM_ACCOUNTS_H
#define SLURM_SLURM_ACCOUNTS_H

struct slurm;
struct trace_workload;

/* Put what sacctmgr shows, and the partitions whose QOS limits their jobs. */
void slurm_accounts_make(struct slurm *s, struct trace_workload *w);
/* Define what jobs name beside them, when all jobs are there. */
void slurm_accounts_finish(struct slurm *s, struct trace_workload *w);

#endif /* SLURM_SLURM_ACCOUNTS_H */
