/* reports/gnuplot.c - running gnuplot, see gnuplot.h. */
#include "reports/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static enum report_gnuplot run(FILE *script, FILE *out)
{
    int status, rc;
    pid_t pid, got;

    rc = start(script, out, &pid);
    if (rc != 0)
        return is_missing(rc) ? REPORT_NO_GNUPLOT : REPORT_NOT_DRAWN;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0 || !WIFEXITED(status))
        return REPORT_NOT_DRAWN;
    if (WEXITSTATUS(status) == 127) /* where spawning cannot say so */
        return REPORT_NO_GNUPLOT;
    return WEXITSTATUS(status) == 0 ? REPORT_DRAWN : REPORT_NOT_DRAWN;
}

bool report_gnuplot_is_there(void)
{
    FILE *nothing = tmpfile();
    const bool is_there = !nothing
                          || run(nothing, nothing) != REPORT_NO_GNUPLOT;

    if (nothing)
        fclose(nothing);
    return is_there;
}

enum report_gnuplot report_gnuplot_draw(FILE *script, FILE *out)
{
    if (fflush(script) != 0 || ferror(script)
        || lseek(fileno(script), 0, SEEK_SET) != 0)
        return REPORT_NOT_DRAWN;
    return run(script, out);
}

/* --- scripts ------------------------------------------------------------------ */

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

/* Colours of Okabe and Ito; grey instead of black, which a dark page hides. */
static const char settings[] =
    "array colour[8] = ['#0072B2', '#E69F00', '#009E73', '#D55E00',"
    " '#56B4E9', '#CC79A7', '#808080', '#F0E442']\n"
    "array dash[8] = [1, 1, 1, 1, 2, 2, 2, 2]\n"
    "blue = '#0072B2'\n"
    "red = '#D55E00'\n"
    "orange = '#E69F00'\n"
    "sky = '#56B4E9'\n"
    "grey = '#808080'\n"
    "set border 3 lc rgb '#808080'\n"
    "set tics nomirror scale 0.5 textcolor rgb 'black'\n"
    "set grid lc rgb '#808080' lw 0.4 dt 3\n"
    "set style fill solid 1 noborder\n";

void report_gnuplot_settings(FILE *out)
{
    fputs(settings, out);
}

void report_gnuplot_terminal(enum report_picture_format format, int width,
                             int height, FILE *out)
{
    switch (format) {
    case REPORT_PNG:
        fprintf(out,
                "set terminal pngcairo noenhanced size %d,%d font 'sans,12'\n",
                width, height);
        break;
    case REPORT_SVG:
        fprintf(out,
                "set terminal svg noenhanced dynamic size %d,%d"
                " font 'sans-serif,14'\n",
                width, height);
        break;
    case REPORT_PDF:
        fprintf(out,
                "set terminal pdfcairo noenhanced size %.2fin,%.2fin"
                " font 'sans,10'\n",
                width / 100.0, height / 100.0);
        break;
    case REPORT_PICTURE_FORMATS:
        break;
    }
}

/* --- texts -------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A digit would be taken for one more of the escape before it. */
static void gnuplot_byte(char c, FILE *out)
{
    if (is_letter(c) || c == ' ')
        fputc(c, out);
    else
        fprintf(out, "\\%03o", (unsigned)(unsigned char)c);
}

void report_gnuplot_string(const char *s, FILE *out)
{
    fputc('"', out);
    for (; *s; s++)
        gnuplot_byte(*s, out);
    fputc('"', out);
}

void report_gnuplot_tic(const char *s, FILE *out)
{
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '%')
            gnuplot_byte('%', out);
        gnuplot_byte(*s, out);
    }
    fputc('"', out);
}
