/* import/slurm/recording_setup.h - the commands of sacctmgr of a recording, as
 * what sacctmgr shows after them.  Private to recording.c.
 */
#ifndef SLURM_RECORDING_SETUP_H
#define SLURM_RECORDING_SETUP_H

#include <stdint.h>

struct gs_err;
struct gs_input;
struct slurm;

#define RECORDING_USER "root" /* of jobs that state none */

/* A text that grows. */
struct recording_text {
    char *at;
    uint32_t len, cap;
};

void recording_text_add(struct recording_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void recording_text_free(struct recording_text *t);

struct recording_run {
    uint32_t job, submit, start, end; /* seconds */
    const char *nodes, *state, *qos, *user;
    uint64_t gpus; /* of all nodes */
};

/* Read "sacctmgr [-OPTION]... add|modify account|user|qos NAMES [CONDITION]...
 * [set] KEY=VALUE..." into exports of sacctmgr show assoc -P and qos -P.
 *
 * sacctmgr refuses a limit on a resource such as gres/gpu that its database
 * does not know yet, before the daemon was first started: a limit on GPUs that
 * the runs do not keep was refused, which is told.
 */
int recording_setup_read(struct slurm *s, struct gs_input *in,
                         const struct recording_run *run, uint32_t runs,
                         struct recording_text *assoc,
                         struct recording_text *qos, struct gs_err *err);

#endif /* SLURM_RECORDING_SETUP_H */
