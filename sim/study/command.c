/* sim/study/command.c - running programs, see command.h. */
#include "sim/study/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/text.h"

extern char **environ;

/* Read the file into buf, at most `size` bytes with the final NUL. */
static void text_read(FILE *f, char *buf, size_t size)
{
    size_t len;

    rewind(f);
    len = fread(buf, 1, size - 1, f);
    buf[len] = '\0';
}

static int spawn(const char *const *argv, FILE *out, FILE *err, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none;
    int rc = posix_spawn_file_actions_init(&actions);

    if (rc)
        return rc;
    rc = posix_spawnattr_init(&attr);
    if (rc == 0) {
        sigemptyset(&none); /* the caller may block signals to wait for them */
        (void)posix_spawnattr_setsigmask(&attr, &none);
        (void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
        rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
                                              O_RDONLY, 0);
        if (rc == 0)
            rc = posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
        if (rc == 0)
            rc = posix_spawn_file_actions_adddup2(&actions, fileno(err), 2);
        if (rc == 0)
            rc = posix_spawnp(pid, argv[0], &actions, &attr,
                              (char *const *)(size_t)argv, environ);
        posix_spawnattr_destroy(&attr);
    }
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int run(const char *const *argv, const char *package, FILE *out,
               FILE *errors, struct command_answer *answer, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    int rc, status = 0;
    size_t len;
    pid_t pid;

    rc = spawn(argv, out, errors, &pid);
    if (rc == ENOENT)
        return gs_fail(err, GS_IO, nowhere,
                       "%s is not installed: it is in the package %s", argv[0],
                       package);
    if (rc)
        return gs_fail(err, GS_IO, nowhere, "cannot run %s: %s", argv[0],
                       strerror(rc));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    answer->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    text_read(out, answer->out, sizeof(answer->out));
    text_read(errors, answer->err, sizeof(answer->err));
    answer->err[strcspn(answer->err, "\n")] = '\0';
    gs_text_clean(answer->err);
    len = strlen(answer->out);
    if (len > 0 && answer->out[len - 1] == '\n')
        answer->out[len - 1] = '\0';
    return 0;
}

int command_run(const char *const *argv, const char *package,
                struct command_answer *answer, struct gs_err *err)
{
    FILE *out = tmpfile(), *errors = tmpfile();
    int rc;

    if (out && errors)
        rc = run(argv, package, out, errors, answer, err);
    else
        rc = gs_fail(err, GS_IO, (struct gs_mark){ 0 },
                     "cannot make a temporary file: %s", strerror(errno));
    if (out)
        fclose(out);
    if (errors)
        fclose(errors);
    return rc;
}
