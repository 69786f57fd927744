/* sim/study/command.h - other programs, and what they say. */
#ifndef STUDY_COMMAND_H
#define STUDY_COMMAND_H

struct gs_err;

#define COMMAND_TEXT_MAX 4096

struct command_answer {
    int status;                 /* exit status */
    char out[COMMAND_TEXT_MAX]; /* standard output, without its last newline */
    char err[200];              /* the first line of standard error */
};

/* Run argv[0], sought in PATH, with no input, and wait for it.  -1 when it
 * cannot be run (GS_IO): `package` is the one that has it.
 */
int command_run(const char *const *argv, const char *package,
                struct command_answer *answer, struct gs_err *err);

#endif /* STUDY_COMMAND_H */
