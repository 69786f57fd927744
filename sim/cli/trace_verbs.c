/* sim/cli/trace_verbs.c - what the verbs of gsim trace share: reading a trace
 * and writing one.
 */
#include "sim/cli/trace_verbs.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/output.h"
#include "sim/cli/progress.h"
#include "sim/study/inputs.h"
#include "traces/reader.h"
#include "traces/writer.h"

int trace_verb_read(struct inputs *in, const struct trace_verb *o,
                    const char *path, struct gs_err *err)
{
    struct trace_options t;

    return cmd_trace_flags_read(&o->read, &t, err) < 0
               ? -1
               : inputs_read_trace(in, path, &t, err);
}

/* "yaml" or "csv", as asked or as the file's name ends. */
static const char *target(const struct trace_verb *o)
{
    const size_t len = o->out ? strlen(o->out) : 0;

    if (o->to)
        return o->to;
    return len > 4 && strcmp(o->out + len - 4, ".csv") == 0 ? "csv" : "yaml";
}

static void jobs_show(void *ctx, uint32_t written, uint32_t all)
{
    progress_show(ctx, "writing", written, all);
}

int trace_verb_write(const struct inputs *in, const struct trace_verb *o,
                     struct gs_err *err)
{
    const bool is_csv = strcmp(target(o), "csv") == 0;
    struct progress line;
    const struct trace_writer_watch watch = { jobs_show, &line };
    struct gs_output *out;
    FILE *to;
    int rc;

    /* what cannot be written must not cost the file that is there */
    if ((is_csv ? trace_check_csv : trace_check_yaml)(in->work, err) < 0)
        return -1;
    out = gs_output_open(o->out, err);
    if (!out)
        return -1;
    to = gs_output_stream(out);
    progress_begin(&line, "jobs", o->quiet);
    rc = is_csv ? trace_write_csv(to, in->work, &watch, err)
                : trace_write_yaml(to, in->work, &in->facts, &watch, err);
    progress_end(&line);
    return gs_output_close(out, rc, err);
}
