/* reports/page_gnuplot.c - one call of gnuplot: a script on its standard input,
 * a picture on its standard output.  No shell is involved.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/page_private.h"

extern char **environ;

/* -d: no start-up files, which could change what is drawn. */
static int start(FILE *script, FILE *out, pid_t *pid)
{
    char name[] = "gnuplot", defaults[] = "-d";
    char *argv[] = { name, defaults, NULL };
    posix_spawn_file_actions_t actions;
    int rc = posix_spawn_file_actions_init(&actions);

    if (rc != 0)
        return rc;
    rc = posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
    if (rc == 0)
        rc = posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
    if (rc == 0)
        rc = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
                                              O_WRONLY, 0);
    if (rc == 0)
        rc = posix_spawnp(pid, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

/* Folders of PATH that are not there or locked count as empty ones. */
static bool is_missing(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES;
}

static enum page_gnuplot run(FILE *script, FILE *out)
{
    int status, rc;
    pid_t pid, got;

    rc = start(script, out, &pid);
    if (rc != 0)
        return is_missing(rc) ? PAGE_NO_GNUPLOT : PAGE_FAILED;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0 || !WIFEXITED(status))
        return PAGE_FAILED;
    if (WEXITSTATUS(status) == 127) /* where spawning cannot say so */
        return PAGE_NO_GNUPLOT;
    return WEXITSTATUS(status) == 0 ? PAGE_OK : PAGE_FAILED;
}

bool page_gnuplot_is_there(void)
{
    FILE *nothing = tmpfile();
    const bool is_there = !nothing || run(nothing, nothing) != PAGE_NO_GNUPLOT;

    if (nothing)
        fclose(nothing);
    return is_there;
}

enum page_gnuplot page_gnuplot_draw(const struct report_page *p,
                                    const struct page_plot *plot,
                                    enum report_picture_format format,
                                    FILE *out)
{
    FILE *script = tmpfile();
    enum page_gnuplot done = PAGE_FAILED;

    if (!script)
        return PAGE_FAILED;
    page_script(p, plot, format, script);
    if (fflush(script) == 0 && !ferror(script)
        && lseek(fileno(script), 0, SEEK_SET) == 0)
        done = run(script, out);
    fclose(script);
    return done;
}
