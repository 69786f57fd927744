/* sim/study/parting.h - why two runs part: both are replayed up to their first
 * decision that differs.
 */
#ifndef STUDY_PARTING_H
#define STUDY_PARTING_H

struct gs_arena;
struct report_diff;

/* Fill the reasons of a difference, in `arena`, and choose its job: that of the
 * first decision, of those that differ at the instant.  What cannot be replayed
 * gets the reason why.
 */
void study_parting(struct report_diff *d, struct gs_arena *arena);

#endif /* STUDY_PARTING_H */
