/* sim/study/command.h - runs other programs and collects their output. */
#ifndef STUDY_COMMAND_H
#define STUDY_COMMAND_H

struct gs_err;

#define COMMAND_TEXT_MAX 4096

struct command_answer {
    int status;                 /* exit status */
    char out[COMMAND_TEXT_MAX]; /* standard output, without its last newline */
    char err[200];              /* the first line of standard error */
};

/* Run argv[0], found in PATH, without input, and wait for it.  -1 (GS_IO) when
 * it cannot be run; the message names `package`, which contains it.
 */
int command_run(const char *const *argv, const char *package,
                struct command_answer *answer, struct gs_err *err);

#endif /* STUDY_COMMAND_H */
