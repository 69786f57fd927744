/* import/slurm/slurm_priority.h - modules multifactor and fairshare from
 * slurm.conf.
 */
#ifndef SLURM_SLURM_PRIORITY_H
#define SLURM_SLURM_PRIORITY_H

#include <stdbool.h>

struct gs_arena;
struct slurm;

/* Does PriorityType order jobs by a number? */
bool slurm_has_numbers(const struct slurm *s);

/* Lines of a profile for them, in `arena`, or "": what they became is told. */
const char *slurm_priority_text(struct slurm *s, struct gs_arena *arena);

/* Parameters of module limits: how usage decays below GrpTRESMins and GrpWall.
 */
const char *slurm_decay_text(struct slurm *s, struct gs_arena *arena);

#endif /* SLURM_SLURM_PRIORITY_H */
