/* import/slurm/settings.h - the parameters of slurm.conf: which change
 * decisions, which are modelled, and the profile that comes nearest.
 */
#ifndef SLURM_SETTINGS_H
#define SLURM_SETTINGS_H

struct gs_arena;
struct slurm;
struct slurm_pair;

/* Keep a parameter; one that Slurm does not know is told with the nearest. */
void slurm_settings_take(struct slurm *s, const struct slurm_pair *p);

/* Once slurm.conf is read: tell which parameters have no effect here. */
void slurm_settings_tell(struct slurm *s);

/* The scheduler that slurm.conf configures, as a profile in YAML, in `arena`;
 * what its parts became is told.
 */
const char *slurm_profile_text(struct slurm *s, struct gs_arena *arena);

#endif /* SLURM_SETTINGS_H */
