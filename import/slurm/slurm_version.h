/* import/slurm/slurm_version.h - which release wrote a file. */
#ifndef SLURM_SLURM_VERSION_H
#define SLURM_SLURM_VERSION_H

#include <stddef.h>

struct slurm;
struct slurm_place;

/* The release as a number such as 2205, where slurm.conf tells it: in a comment
 * ("# Slurm 22.05.8") or as SLURM_VERSION.  `head` is its begin.
 */
void slurm_version_conf(struct slurm *s, const char *head, size_t size);

/* Likewise in "meta" of an answer in JSON, a part of which stands in `text`:
 * {"slurm": {"version": {"major": "22", "minor": "05", ...}}}.
 */
void slurm_version_json(struct slurm *s, const char *text, size_t size);

#endif /* SLURM_SLURM_VERSION_H */
