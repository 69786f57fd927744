/* import/slurm/sacctmgr.h - sacctmgr show assoc -P and sacctmgr show qos -P. */
#ifndef SLURM_SACCTMGR_H
#define SLURM_SACCTMGR_H

#include <stdbool.h>
#include <stddef.h>

struct gs_err;
struct gs_input;
struct slurm;

/* Is this the header of associations; of QOS? */
bool sacctmgr_is_assoc(const char *head, size_t size);
bool sacctmgr_is_qos(const char *head, size_t size);

/* Accounts and users with parents, shares and limits; QOS with priorities,
 * limits and victims.  Limits that nothing here enforces are told.
 */
int sacctmgr_assoc_read(struct slurm *s, struct gs_input *in,
                        struct gs_err *err);
int sacctmgr_qos_read(struct slurm *s, struct gs_input *in, struct gs_err *err);

#endif /* SLURM_SACCTMGR_H */
