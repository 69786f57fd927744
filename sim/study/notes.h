/* sim/study/notes.h - notes about settings of the inputs that have no effect on
 * a replay.
 */
#ifndef STUDY_NOTES_H
#define STUDY_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gsched_profile;
struct inputs;

#define STUDY_NOTES_MAX 160

struct study_notes {
    const char *text[STUDY_NOTES_MAX]; /* one line each, in the inputs' arena */
    uint32_t count;
    uint32_t idle; /* how many, the first ones, are about settings without
                      effect */
};

/* Collect notes: settings in the trace, the topology and the profiles that have
 * no effect, and missing ones that a user would expect.  Examples: settings
 * that no module of a profile reads, missing estimates, queue names that only
 * look like paths, tiers below the node.  Deterministic.
 */
int study_notes(struct inputs *in, struct gsched_profile *const *policy,
                size_t policies, struct study_notes *out, struct gs_err *err);

/* Add a line; NULL and a line that is there already are ignored. */
void study_notes_add(struct study_notes *n, const char *text);

/* Print each note as a line to standard error. */
void study_notes_show(const struct study_notes *n);

/* The lines as a JSON list, for the store. */
const char *study_notes_json(struct inputs *in, const struct study_notes *n);

/* The reason why a change of `path` (--set, --vary) has no effect under the
 * profile, as a line in the arena of the inputs; NULL when it may have one.
 */
const char *study_note_of_path(struct inputs *in,
                               const struct gsched_profile *profile,
                               const char *path);

#endif /* STUDY_NOTES_H */
