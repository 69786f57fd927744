/* import/slurm/recording.h - recordings of a real slurmctld.
 *
 * A folder holds recordings, each of these files:
 *
 *     NAME.starts.csv    job,submit,start,end,nodes_used,state: seconds, a row
 *     for
 *                        each run; "n[1+3]" is n[1,3]
 *     NAME.workload.csv  job,nodes,gpus,limit[,account,qos,partition,user]:
 *     limit
 *                        in minutes; or workload.csv, of all
 *     NAME.conf          what slurm.conf says beside nodes and basics
 *     NAME.setup         commands of sacctmgr; or none
 *     NAME.topology      a topology.conf; or none
 *
 * They become what an administrator has: slurm.conf, exports of sacct and
 * sacctmgr, which are read as these.  Where NAME.conf names no nodes there are
 * 4 (or those of NAME.topology) of 64 CPUs and 8 GPUs.
 */
#ifndef SLURM_RECORDING_H
#define SLURM_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;
struct slurm;

/* Does NAME.starts.csv begin so? */
bool slurm_recording_is(const char *head, size_t size);

/* Read NAME.starts.csv, and what stands beside it. */
int slurm_recording_read(struct slurm *s, struct gs_input *in,
                         struct gs_err *err);

#endif /* SLURM_RECORDING_H */
