/* import/slurm/slurm_passes.h - the passes of Slurm's two schedulers, as
 * modules of a profile.
 */
#ifndef SLURM_SLURM_PASSES_H
#define SLURM_SLURM_PASSES_H

#include <stdbool.h>

struct gs_arena;
struct slurm;

/* Does the configuration have passes of backfill? */
bool slurm_has_backfill(const struct slurm *s);
/* The modules `passes` and, with backfill, `backfill`, as entries of a list, in
 * `arena`; words of SchedulerParameters out of their range are told.
 */
const char *slurm_passes_text(struct slurm *s, struct gs_arena *arena);

#endif /* SLURM_SLURM_PASSES_H */
