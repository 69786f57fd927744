/* sim/cli/cmd_trace.c - gsim trace: info, convert, generate. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"
#include "traces/describe.h"
#include "traces/generate.h"
#include "traces/workload.h"
#include "traces/writer.h"

struct options {
    const char *out, *format, *to, *processors;
    uint64_t task_size, limit, jobs, gpus, seed, load;
    bool arrivals_only;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_option option[] = {
    { "out", CMD_TEXT, "FILE",
      "convert, generate: where to (-o; standard "
      "output)",
      AT(out) },
    { "to", CMD_TEXT, "F", "convert, generate: yaml or csv (told by --out)",
      AT(to) },
    { "format", CMD_TEXT, "F", "info, convert: force the format that is read",
      AT(format) },
    { "task-size", CMD_COUNT, "N",
      "info, convert: GPUs (SWF: processors) in "
      "one task",
      AT(task_size) },
    { "processors", CMD_TEXT, "KIND",
      "SWF: a processor is a cpu or a gpu "
      "(cpu)",
      AT(processors) },
    { "arrivals-only", CMD_FLAG, NULL, "openb: nobody leaves",
      AT(arrivals_only) },
    { "limit", CMD_COUNT, "N", "info, convert: only the first N jobs",
      AT(limit) },
    { "jobs", CMD_COUNT, "N", "generate: so many jobs (1000)", AT(jobs) },
    { "gpus", CMD_COUNT, "N", "generate: for a cluster of so many GPUs (512)",
      AT(gpus) },
    { "load", CMD_COUNT, "PERCENT",
      "generate: of its GPU time asked for "
      "(90)",
      AT(load) },
    { "seed", CMD_COUNT, "N", "generate: of the random numbers (42)",
      AT(seed) },
};

/* --- info ----------------------------------------------------------------------- */

static void sizes_show(const struct trace_summary *s)
{
    printf("\n%-10s %9s %7s %14s\n", "GPUs", "jobs", "", "GPU hours");
    for (int i = 0; i < TRACE_SIZES; i++) {
        if (s->size[i].jobs)
            printf("%-10s %9u %6.2f%% %14.1f\n",
                   trace_size_name((enum trace_size)i), s->size[i].jobs,
                   100.0 * s->size[i].jobs / s->jobs, s->size[i].gpu_hours);
    }
}

static void queues_show(const struct inputs *in, const struct trace_summary *s)
{
    if (s->queues < 2)
        return;
    printf("\n%-24s %9s %14s\n", "queue", "jobs", "GPU hours");
    for (uint32_t i = 0; i < s->top_count; i++)
        printf("%-24.24s %9u %14.1f\n",
               gs_strtab_str(in->names, in->work->queue[s->top[i].queue].name),
               s->top[i].jobs, s->top[i].gpu_hours);
    if (s->queues > s->top_count)
        printf("... and %u more\n", s->queues - s->top_count);
}

static void info_show(const struct inputs *in)
{
    struct trace_summary s;
    char a[32], b[32], c[32], d[32];

    trace_describe(in->work, &s);
    printf("%s: %s, %u jobs, %llu tasks\n", in->trace_path,
           trace_format_name(in->facts.format), s.jobs,
           (unsigned long long)s.tasks);
    if (in->facts.skipped)
        printf("rows that are no jobs: %u\n", in->facts.skipped);
    printf("submits      %s to %s\n",
           gs_duration_human(s.first_submit, a, sizeof(a)),
           gs_duration_human(s.last_submit, b, sizeof(b)));
    printf("durations    p50 %s, p90 %s, p99 %s, max %s\n",
           gs_duration_human(s.p50, a, sizeof(a)),
           gs_duration_human(s.p90, b, sizeof(b)),
           gs_duration_human(s.p99, c, sizeof(c)),
           gs_duration_human(s.max, d, sizeof(d)));
    printf("services     %u\n", s.services);
    printf("gangs        %u (jobs of several tasks)\n", s.gangs);
    printf("GPU time     %.1f GPU hours, %.1f GPUs on average over %s\n",
           s.gpu_hours, s.mean_gpus, gs_duration_human(s.span, a, sizeof(a)));
    printf("users        %u\n", s.users);
    sizes_show(&s);
    queues_show(in, &s);
}

/* --- writing -------------------------------------------------------------------- */

/* "yaml" or "csv", as asked or as the file's name ends; NULL when neither. */
static const char *target(const struct options *o)
{
    const size_t len = o->out ? strlen(o->out) : 0;

    if (o->to)
        return strcmp(o->to, "yaml") == 0 || strcmp(o->to, "csv") == 0 ? o->to
                                                                       : NULL;
    return len > 4 && strcmp(o->out + len - 4, ".csv") == 0 ? "csv" : "yaml";
}

static int work_write(const struct inputs *in, const struct options *o,
                      struct gs_err *err)
{
    const struct gs_mark at = { .source = o->out ? o->out : "standard output" };
    FILE *out = o->out ? fopen(o->out, "w") : stdout;
    int rc;

    if (!out)
        return gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    rc = strcmp(target(o), "csv") == 0
             ? trace_write_csv(out, in->work, err)
             : trace_write_yaml(out, in->work, &in->facts, err);
    if (rc == 0 && (fflush(out) != 0 || ferror(out)))
        rc = gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    if (out != stdout && fclose(out) != 0 && rc == 0)
        rc = gs_fail(err, GS_IO, at, "cannot write: %s", strerror(errno));
    if (rc < 0 && o->out)
        cmd_leftover_remove(o->out);
    return rc;
}

static int generate(struct inputs *in, const struct options *o,
                    struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const struct trace_generator g = { .jobs = (uint32_t)o->jobs,
                                       .gpus = (uint32_t)o->gpus,
                                       .load_milli = (uint32_t)o->load * 10,
                                       .seed = o->seed };

    if (o->jobs < 1 || o->jobs > 10000000 || o->gpus < 64 || o->gpus > 10000000
        || o->load < 1 || o->load > 1000)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--jobs' must be 1 to 10000000, '--gpus' 64 to "
                       "10000000, '--load' 1 to 1000");
    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    return trace_generate(&g, in->work, err);
}

static int source_read(struct inputs *in, const struct options *o,
                       const char *path, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    struct trace_options t = {
        .format = o->format ? trace_format_find(o->format) : TRACE_AUTO,
        .processors_are_gpus = o->processors
                               && strcmp(o->processors, "gpu") == 0,
        .task_size = (uint32_t)o->task_size,
        .arrivals_only = o->arrivals_only,
        .limit = (uint32_t)o->limit,
    };

    if (t.format == TRACE_FORMATS)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--format' must be one of: yaml, csv, swf, openb, "
                       "philly, itp, muri (got '%s')",
                       o->format);
    return inputs_read_trace(in, path, &t, err);
}

static int trace_do(struct inputs *in, const struct options *o,
                    const char *verb, const char *path, struct gs_err *err)
{
    if (strcmp(verb, "generate") == 0)
        return generate(in, o, err) < 0 ? -1 : work_write(in, o, err);
    if (source_read(in, o, path, err) < 0)
        return -1;
    if (strcmp(verb, "convert") == 0)
        return work_write(in, o, err);
    info_show(in);
    return 0;
}

static enum cmd_status trace_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .jobs = 1000, .gpus = 512, .load = 90, .seed = 42 };
    struct gs_err err = { 0 };
    const char *operand[2];
    struct inputs in;
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, operand, 2, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0
        || (strcmp(operand[0], "info") != 0
            && strcmp(operand[0], "convert") != 0
            && strcmp(operand[0], "generate") != 0))
        return cmd_usage(c, "what to do must be info, convert or generate");
    if (count != (strcmp(operand[0], "generate") == 0 ? 1 : 2))
        return cmd_usage(c, count == 1 ? "a trace is needed"
                                       : "'generate' reads no trace");
    if (!target(&o))
        return cmd_usage(c, "'--to' must be yaml or csv (got '%s')", o.to);
    inputs_init(&in);
    rc = trace_do(&in, &o, operand[0], operand[1], &err);
    inputs_fini(&in);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_trace = {
    .name = "trace",
    .args = "info TRACE | convert TRACE -o FILE | generate -o FILE",
    .summary = "describe a trace, convert it to a native one, or make one",
    .option = option,
    .option_count = sizeof(option) / sizeof(option[0]),
    .help = "Examples:\n"
            "  gsim trace info traces/samples/philly.csv.gz\n"
            "  gsim trace convert jobs.swf --processors gpu -o jobs.csv\n"
            "  gsim trace generate --jobs 100000 --gpus 4096 --load 95 "
            "-o load.csv\n",
    .run = trace_run,
};
