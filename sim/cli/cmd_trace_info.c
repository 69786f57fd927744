/* sim/cli/cmd_trace_info.c - gsim trace info and convert. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/anonymize.h"
#include "sim/study/inputs.h"
#include "sim/study/sources.h"
#include "traces/edit/describe.h"
#include "traces/workload/workload.h"

static const struct cmd_take info_take[] = { TRACE_VERB_READS };

static const struct trace_verb info_defaults = TRACE_VERB_NONE;

struct convert {
    struct trace_verb verb;
    bool is_anonymous;
};

static const struct convert convert_defaults = { .verb = TRACE_VERB_NONE };

static const struct cmd_take convert_take[] = {
    { .id = OPT_ANONYMIZE, offsetof(struct convert, is_anonymous) },
    TRACE_VERB_WRITES,
    TRACE_VERB_READS,
};

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
           in->sources ? sources_name(in) : trace_format_name(in->facts.format),
           s.jobs, (unsigned long long)s.tasks);
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
    if (s.begun)
        printf("running      %u jobs when the trace begins\n", s.begun);
    printf("gangs        %u (jobs of several tasks)\n", s.gangs);
    printf("GPU time     %.1f GPU hours, %.1f GPUs on average over %s\n",
           s.gpu_hours, s.mean_gpus, gs_duration_human(s.span, a, sizeof(a)));
    printf("users        %u\n", s.users);
    sizes_show(&s);
    queues_show(in, &s);
}

/* --- the verbs ------------------------------------------------------------ */

/* The nodes are another file's: what the trace says of them stays. */
static void names_replace(const struct cmd_call *call)
{
    const struct trace_workload *w = call->in->work;
    uint32_t named = w->stand_count;

    for (uint32_t i = 0; i < w->shape_count; i++)
        named += w->shape[i].selector_count || w->shape[i].toleration_count
                 || w->shape[i].preference_count;
    if (named && !call->is_quiet)
        fputs("gsim: note: names of nodes, conditions on nodes and tolerations "
              "stay as they are: the topology has those names\n",
              stderr);
    inputs_anonymize(call->in, false);
}

static int run(const struct cmd_call *call, struct gs_err *err)
{
    if (trace_verb_read(call->in, call->options, call->operand[0], err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(call->in);
    if (call->cmd == &cmd_trace_convert) {
        if (((const struct convert *)call->options)->is_anonymous)
            names_replace(call);
        return trace_verb_write(call, err);
    }
    info_show(call->in);
    return CMD_OK;
}

const struct cmd cmd_trace_info = {
    .name = "trace info",
    .args = "TRACE [OPTION]...",
    .summary = "describe a trace: jobs, sizes, durations, queues",
    .take = info_take,
    .takes = sizeof(info_take) / sizeof(info_take[0]),
    .defaults = &info_defaults,
    .size = sizeof(info_defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
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
    .defaults = &convert_defaults,
    .size = sizeof(convert_defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help = "Example:\n"
            "  gsim trace convert jobs.swf --processors gpu -o jobs.csv\n",
    .run = run,
};
