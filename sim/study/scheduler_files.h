/* sim/study/scheduler_files.h - configurations of other schedulers as policies.
 */
#ifndef STUDY_SCHEDULER_FILES_H
#define STUDY_SCHEDULER_FILES_H

#include <stdio.h>

struct gs_err;
struct gs_ytop;
struct gsched_profile;
struct inputs;

/* What the file is, by its top-level keys: "configuration of Volcano",
 * "configuration of kube-scheduler", "object of Kubernetes", which may hold
 * one; NULL: none of these.
 */
const char *scheduler_file_kind(const struct gs_ytop *top);
/* Likewise of a path, or "configuration of Slurm"; NULL also when it cannot be
 * read.
 */
const char *scheduler_file_is(const char *path);

/* The scheduler that the file configures, as a profile named after the file, in
 * the inputs' arena; several are beside one another, of one process.  The
 * `note` of the first tells what has no effect here.  NULL when there is none.
 */
struct gsched_profile *scheduler_file_read(struct inputs *in, const char *path,
                                           struct gs_err *err);

/* Give the trace that was read, unless it defines queues, those of the policy
 * in->lent_path; in->lent tells what became of them.
 */
int scheduler_file_lend(struct inputs *in, struct gs_err *err);

/* Print what became of the file's settings. */
int scheduler_file_tell(const char *path, FILE *out, struct gs_err *err);

#endif /* STUDY_SCHEDULER_FILES_H */
