/* import/slurm/slurm_reservations.h - advance reservations, as scontrol shows
 * them.
 */
#ifndef SLURM_SLURM_RESERVATIONS_H
#define SLURM_SLURM_RESERVATIONS_H

#include <stdint.h>

struct gs_err;
struct gs_input;
struct slurm;
struct trace_workload;

/* The text of `scontrol show reservation`. */
int slurm_reservations_read(struct slurm *s, struct gs_input *in,
                            struct gs_err *err);
/* All of them into `w`, whose time 0 is `epoch` (us since 1970); those that
 * repeat as often as they do until the last time of a job.  After the jobs are
 * read.
 */
void slurm_reservations_make(struct slurm *s, struct trace_workload *w,
                             int64_t epoch);

#endif /* SLURM_SLURM_RESERVATIONS_H */
