/* reports/page/gnuplot.c - runs gnuplot, see gnuplot.h. */
#include "reports/page/gnuplot.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/output.h"
#include "share/share.h"

extern char **environ;

/* -d: ignore start-up files, which could change pictures. */
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

/* True when gnuplot is missing: folders of PATH that are missing or not
 * readable count as empty.
 */
static bool is_missing(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES;
}

enum run { DRAWN, NO_GNUPLOT, NOT_DRAWN };

static enum run run(FILE *script, FILE *out)
{
    int status, rc;
    pid_t pid, got;

    rc = start(script, out, &pid);
    if (rc != 0)
        return is_missing(rc) ? NO_GNUPLOT : NOT_DRAWN;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0 || !WIFEXITED(status))
        return NOT_DRAWN;
    return WEXITSTATUS(status) == 0 ? DRAWN : NOT_DRAWN;
}

bool report_gnuplot_is_there(void)
{
    FILE *nothing = tmpfile();
    const bool is_there = !nothing || run(nothing, nothing) != NO_GNUPLOT;

    if (nothing)
        fclose(nothing);
    return is_there;
}

/* The last bytes of a complete picture of each format, without white space. */
static const struct {
    const char *bytes;
    size_t size;
} ending[REPORT_PICTURE_FORMATS] = {
    [REPORT_PNG] = { "IEND\xae\x42\x60\x82", 8 },
    [REPORT_SVG] = { "</svg>", 6 },
    [REPORT_PDF] = { "%%EOF", 5 },
};

static bool is_whole(FILE *picture, enum report_picture_format format)
{
    const int fd = fileno(picture);
    const off_t size = lseek(fd, 0, SEEK_END);
    char tail[32];
    const size_t want = size < (off_t)sizeof(tail) ? (size_t)size
                                                   : sizeof(tail);
    size_t len = want;

    if (size <= 0 || pread(fd, tail, want, size - (off_t)want) != (ssize_t)want)
        return false;
    while (len && strchr("\r\n\t ", tail[len - 1]))
        len--;
    return len >= ending[format].size
           && memcmp(tail + len - ending[format].size, ending[format].bytes,
                     ending[format].size)
                  == 0;
}

static int draw(FILE *script, enum report_picture_format format, FILE *picture,
                FILE *out, const char *what, struct gs_err *err)
{
    const struct gs_mark at = { .source = what };

    switch (run(script, picture)) {
    case DRAWN:
        break;
    case NO_GNUPLOT:
        return gs_fail(err, GS_IO, (struct gs_mark){ 0 },
                       "pictures need gnuplot, which is not installed (on "
                       "Debian and Ubuntu: package gnuplot-nox)");
    case NOT_DRAWN:
        return gs_fail(err, GS_IO, at, "gnuplot could not draw it");
    }
    if (!is_whole(picture, format))
        return gs_fail(
            err, GS_IO, at,
            "gnuplot drew a part of it only: is there room in /tmp?");
    return gs_output_copy(picture, out) < 0
               ? gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno))
               : 0;
}

int report_gnuplot_draw(FILE *script, enum report_picture_format format,
                        FILE *out, const char *what, struct gs_err *err)
{
    FILE *picture;
    int rc;

    if (fflush(script) != 0 || ferror(script)
        || lseek(fileno(script), 0, SEEK_SET) != 0)
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = what },
                       "cannot write a temporary file: %s", strerror(errno));
    picture = gs_output_scratch(err);
    if (!picture)
        return -1;
    rc = draw(script, format, picture, out, what, err);
    fclose(picture);
    return rc;
}

/* --- scripts -------------------------------------------------------------- */

static const char *const format_name[REPORT_PICTURE_FORMATS] = {
    [REPORT_PNG] = "png", [REPORT_SVG] = "svg", [REPORT_PDF] = "pdf"
};

const char *report_picture_format_name(enum report_picture_format format)
{
    return format_name[format];
}

enum report_picture_format report_picture_format_find(const char *name,
                                                      size_t len)
{
    int f = 0;

    while (f < REPORT_PICTURE_FORMATS
           && (strlen(format_name[f]) != len
               || memcmp(format_name[f], name, len) != 0))
        f++;
    return (enum report_picture_format)f;
}

void report_gnuplot_settings(FILE *out)
{
    assert(out);
    fputs(share_gnuplot_settings_gp, out);
}

void report_gnuplot_terminal(enum report_picture_format format, int width,
                             int height, FILE *out)
{
    if (format == REPORT_PDF)
        fprintf(out,
                "set terminal pdfcairo noenhanced size %.2fin,%.2fin"
                " font 'sans,10'\n",
                width / 100.0, height / 100.0);
    else
        fprintf(out, "set terminal %s size %d,%d font '%s'\n",
                format == REPORT_PNG ? "pngcairo noenhanced"
                                     : "svg noenhanced dynamic",
                width, height,
                format == REPORT_PNG ? "sans,12" : "sans-serif,14");
}

/* --- texts ---------------------------------------------------------------- */

/* Write a byte as an octal escape of three digits, since a digit after a
 * shorter one would belong to it.
 */
static void gnuplot_byte(char c, FILE *out)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ')
        fputc(c, out);
    else
        fprintf(out, "\\%03o", (unsigned)(unsigned char)c);
}

static void text_put(const char *s, const char *twice, FILE *out)
{
    assert(s && out);
    fputc('"', out);
    for (; *s; s++) {
        gnuplot_byte(*s, out);
        if (strchr(twice, *s))
            gnuplot_byte(*s, out);
    }
    fputc('"', out);
}

void report_gnuplot_string(const char *s, FILE *out)
{
    text_put(s, "", out);
}

void report_gnuplot_tic(const char *s, FILE *out)
{
    text_put(s, "%", out);
}
