/* sim/cli/trace_verbs.c - what the verbs of gsim trace share: reading a trace
 * and writing one.
 */
#include "sim/cli/trace_verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/quantity.h"
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

/* "yaml" or "csv", as asked or as the file's name ends; NULL when neither. */
static const char *target(const struct trace_verb *o)
{
    const size_t len = o->out ? strlen(o->out) : 0;

    if (o->to)
        return strcmp(o->to, "yaml") == 0 || strcmp(o->to, "csv") == 0 ? o->to
                                                                       : NULL;
    return len > 4 && strcmp(o->out + len - 4, ".csv") == 0 ? "csv" : "yaml";
}

int trace_verb_write(const struct inputs *in, const struct trace_verb *o,
                     struct gs_err *err)
{
    const struct gs_mark at = { .source = o->out ? o->out : "standard output" };
    const bool is_csv = strcmp(target(o), "csv") == 0;
    FILE *out;
    int rc;

    /* what cannot be written must not cost the file that is there */
    if ((is_csv ? trace_check_csv : trace_check_yaml)(in->work, err) < 0)
        return -1;
    out = o->out ? fopen(o->out, "w") : stdout;
    if (!out)
        return gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    rc = is_csv ? trace_write_csv(out, in->work, err)
                : trace_write_yaml(out, in->work, &in->facts, err);
    if (rc == 0 && (fflush(out) != 0 || ferror(out)))
        rc = gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    if (out != stdout && fclose(out) != 0 && rc == 0)
        rc = gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    if (rc < 0 && o->out)
        cmd_leftover_remove(o->out);
    return rc;
}

bool trace_verb_target_ok(const struct trace_verb *o)
{
    return target(o) != NULL;
}

int trace_verb_number(const char *name, const char *text, double *out,
                      struct gs_err *err)
{
    if (gs_quantity_parse_double(text, strlen(text), out) == 0)
        return 0;
    return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                   "'--%s' must be a number such as 0.5 (got '%.60s')", name,
                   text);
}
