/* sim/cli/cmd_trace_info.c - gsim trace info and convert. */
#include <stdio.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/inputs.h"
#include "traces/edit/describe.h"
#include "traces/workload/workload.h"

static const struct cmd_take info_take[] = { TRACE_VERB_READS };
static const struct cmd_take convert_take[] = { TRACE_VERB_WRITES,
                                                TRACE_VERB_READS };

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
           gs_instant_human(s.first_submit, a, sizeof(a)),
           gs_instant_human(s.last_submit, b, sizeof(b)));
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

/* --- the verbs ------------------------------------------------------------------ */

static enum cmd_status run(const struct cmd *c, int argc, char **argv)
{
    struct trace_verb o = { 0 };
    struct gs_err err = { 0 };
    const char *path[1];
    struct inputs in;
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a trace is needed");
    inputs_init(&in);
    rc = trace_verb_read(&in, &o, path[0], &err);
    if (rc == 0 && c == &cmd_trace_convert)
        rc = trace_verb_write(&in, &o, &err);
    else if (rc == 0)
        info_show(&in);
    inputs_fini(&in);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_trace_info = {
    .name = "trace info",
    .args = "TRACE [OPTION]...",
    .summary = "describe a trace: jobs, sizes, durations, queues",
    .take = info_take,
    .takes = sizeof(info_take) / sizeof(info_take[0]),
    .help = "Example:\n"
            "  gsim trace info traces/samples/philly.csv.gz\n",
    .run = run,
};

const struct cmd cmd_trace_convert = {
    .name = "trace convert",
    .args = "TRACE -o FILE [OPTION]...",
    .summary = "write a trace of any format as native YAML or CSV",
    .take = convert_take,
    .takes = sizeof(convert_take) / sizeof(convert_take[0]),
    .help = "Example:\n"
            "  gsim trace convert jobs.swf --processors gpu -o jobs.csv\n",
    .run = run,
};
