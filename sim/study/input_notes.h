/* sim/study/input_notes.h - notes that follow from the inputs alone, whatever
 * profiles read: each adds its lines to `out`.
 */
#ifndef STUDY_INPUT_NOTES_H
#define STUDY_INPUT_NOTES_H

struct inputs;
struct study_notes;

/* Tiers below the node, and NUMA. */
void study_topology_note(struct inputs *in, struct study_notes *out);
/* Resources that the terms of queues, quotas and limits name in vain. */
void study_resources_note(struct inputs *in, struct study_notes *out);
/* What became of queues that the configuration of a policy lends the trace. */
void study_lent_note(struct inputs *in, struct study_notes *out);
/* Two queues whose names are the same up to a dot: no tree. */
void study_dots_note(struct inputs *in, struct study_notes *out);
/* Communication of jobs, without a speed model. */
void study_speed_note(struct inputs *in, struct study_notes *out);

#endif /* STUDY_INPUT_NOTES_H */
