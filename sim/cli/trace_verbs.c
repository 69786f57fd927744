/* sim/cli/trace_verbs.c - reading a trace by its options, and writing one. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "sim/cli/trace_verbs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/output.h"
#include "base/text.h"
#include "sim/cli/progress.h"
#include "sim/study/inputs.h"
#include "traces/formats/writer.h"

struct trace_options cmd_trace_options(const struct cmd_trace_flags *f)
{
    return (struct trace_options){
        .format = f->format ? trace_format_find(f->format) : TRACE_AUTO,
        .processors_are_gpus = f->processors
                               && strcmp(f->processors, "gpu") == 0,
        .task_size = (uint32_t)f->task_size,
        .arrivals_only = f->arrivals_only,
        .limit = (uint32_t)f->limit,
        .timezone = f->timezone,
        .columns = f->columns,
    };
}

/* --- the topology that a trace names -------------------------------------- */

/* The relative path from the folder `from` to the file `to`, both absolute and
 * without links: "../../clusters/small.yaml".
 */
static const char *way_make(struct gs_arena *arena, const char *from,
                            const char *to)
{
    const size_t len = strlen(from);
    size_t same = 0, i = 0, up;
    char *way, *end;

    for (; from[i] && from[i] == to[i]; i++)
        same = to[i] == '/' ? i + 1 : same;
    if (!from[i] && to[i] == '/')
        same = i + 1; /* it is below the folder */
    up = same < len;  /* folders to leave */
    for (i = same; i < len; i++)
        up += from[i] == '/';
    way = end = gs_arena_alloc(arena, 3 * up + strlen(to + same) + 1, 1);
    for (i = 0; i < up; i++, end += 3)
        memcpy(end, "../", 3);
    strcpy(end, to + same);
    return way;
}

/* The real path of the folder of `path`, links followed; for standard output,
 * devices and FIFOs the current folder.
 */
static char *folder_find(struct gs_arena *arena, const char *path, char *real)
{
    char file[PATH_MAX];
    const char *slash;
    struct stat st;

    if (path
        && (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0
            || (stat(path, &st) == 0 && !S_ISREG(st.st_mode))))
        path = NULL;
    if (path && realpath(path, file))
        path = file;
    slash = path ? strrchr(path, '/') : NULL;
    if (!slash)
        return realpath(".", real);
    if (slash == path)
        return realpath("/", real);
    return realpath(gs_arena_strndup(arena, path, (size_t)(slash - path)),
                    real);
}

/* Rewrite the relative path of the topology: it begins at the folder of the
 * trace, and the written trace may stand in another folder. /
 */
static void topology_move(struct inputs *in, const char *trace, const char *out)
{
    char from[PATH_MAX], to[PATH_MAX], file[PATH_MAX];
    const char *path = in->facts.topology;

    if (!path || path[0] == '/' || !folder_find(in->arena, trace, from)
        || !folder_find(in->arena, out, to) || strcmp(from, to) == 0
        || !realpath(gs_input_beside(in->arena, trace, path), file))
        return;
    in->facts.topology = way_make(in->arena, to, file);
}

/* --- reading and writing -------------------------------------------------- */

int trace_verb_read(struct inputs *in, const struct trace_verb *o,
                    const char *path, struct gs_err *err)
{
    const struct trace_options t = cmd_trace_options(&o->read);

    if (cmd_source_take(&o->read.source, in, err) < 0
        || inputs_read_trace(in, path, &t, err) < 0)
        return -1;
    topology_move(in, path, o->out);
    return 0;
}

/* "yaml" or "csv": the format of --format, or of the end of the file's name. */
static const char *target(const struct trace_verb *o)
{
    const size_t len = o->out ? strlen(o->out) : 0;

    if (o->to)
        return o->to;
    return len > 4 && strcmp(o->out + len - 4, ".csv") == 0 ? "csv" : "yaml";
}

/* Warn of facts for which a CSV trace has no place. */
static void csv_lacks_tell(const struct trace_facts *facts)
{
    char date[32];

    if (facts->topology)
        fputs("gsim: note: a CSV trace names no topology: replay needs "
              "--topology\n",
              stderr);
    if (facts->epoch)
        fprintf(stderr,
                "gsim: note: a CSV trace has no epoch: its time 0 was %s\n",
                gs_instant_format(facts->epoch, date, sizeof(date)));
}

/* A path may hold bytes that a YAML text cannot. */
static int topology_check(const struct inputs *in, struct gs_err *err)
{
    const char *path = in->facts.topology;

    if (!path || gs_text_is_clean(path, strlen(path)))
        return 0;
    return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                   "the path of the topology, '%.200s', cannot stand in a "
                   "trace: it must be UTF-8 without control characters",
                   path);
}

int trace_verb_write(const struct cmd_call *call, struct gs_err *err)
{
    const struct inputs *in = call->in;
    const struct trace_verb *o = call->options;
    const bool is_csv = strcmp(target(o), "csv") == 0;
    struct progress line;
    const struct trace_writer_watch watch = { progress_count, &line };
    struct gs_output *out;
    FILE *to;
    int rc;

    /* checked before the file is opened, so that a failure leaves the old file
     */
    if ((is_csv ? trace_check_csv : trace_check_yaml)(in->work, err) < 0
        || (!is_csv && topology_check(in, err) < 0))
        return -1;
    out = gs_output_open(o->out, err);
    if (!out)
        return -1;
    to = gs_output_stream(out);
    progress_begin(&line, "jobs", call->is_quiet);
    line.label = "writing";
    rc = is_csv ? trace_write_csv(to, in->work, &watch, err)
                : trace_write_yaml(to, in->work, &in->facts, &watch, err);
    progress_end(&line);
    rc = gs_output_close(out, rc, err);
    if (rc == 0 && is_csv && !call->is_quiet)
        csv_lacks_tell(&in->facts);
    return rc;
}
