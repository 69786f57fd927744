/* sim/study/notes.h - what inputs state that a replay takes no notice of. */
#ifndef STUDY_NOTES_H
#define STUDY_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gsched_profile;
struct inputs;

#define STUDY_NOTES_MAX 32

struct study_notes {
    const char *text[STUDY_NOTES_MAX]; /* one line each, in the inputs' arena */
    uint32_t count;
    uint32_t idle; /* the first so many are of what is stated without effect */
};

/* What the trace, the topology and the profiles state without effect, and what
 * they leave out that a user would expect: settings that no module of a profile
 * reads, estimates that are missing, names of queues that only look like paths,
 * tiers below the node.  The same inputs give the same lines.
 */
int study_notes(struct inputs *in, struct gsched_profile *const *profile,
                size_t count, struct study_notes *out, struct gs_err *err);

/* Add a line; NULL, and what is there already, adds nothing. */
void study_notes_add(struct study_notes *n, const char *text);

/* A line on standard error for each. */
void study_notes_show(const struct study_notes *n);

/* The lines as a JSON list, for the store. */
const char *study_notes_json(struct inputs *in, const struct study_notes *n);

/* Why a change of `path`, as --set and --vary take it, has no effect under the
 * profile: a line in the inputs' arena; NULL when it may have one.
 */
const char *study_note_of_path(struct inputs *in,
                               const struct gsched_profile *profile,
                               const char *path);

#endif /* STUDY_NOTES_H */
