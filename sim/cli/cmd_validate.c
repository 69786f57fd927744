/* sim/cli/cmd_validate.c - gsim validate: all mistakes of a file at once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"
#include "sim/cli/file_kind.h"
#include "sim/cli/source_flags.h"
#include "sim/cli/terminal.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/notes.h"
#include "sim/study/scheduler_set.h"

#define FILES_MAX 1024

struct validate_options {
    const char *topology;
    struct cmd_texts policy, set;
    struct cmd_source_flags source;
};

static const struct cmd_take take[] = {
    { .id = OPT_TOPOLOGY, offsetof(struct validate_options, topology) },
    { .id = OPT_POLICY,
      offsetof(struct validate_options, policy),
      .repeats = true },
    { .id = OPT_SET, offsetof(struct validate_options, set), .repeats = true },
    CMD_SOURCE_TAKES(offsetof(struct validate_options, source)),
};

static const struct validate_options defaults = { .source = CMD_SOURCE_NONE };

/* Check a trace under the policies as a replay does before its first cycle. */
static int trace_check(const struct cmd_call *call, struct inputs *in,
                       const char *path, struct gs_err *err)
{
    const struct validate_options *o = call->options;
    struct gsched_profile *profile[CMD_TEXTS_MAX];
    struct study_notes n;

    if (study_policies_read(in, o->policy.text, o->policy.count, o->set.text,
                            o->set.count, profile, err)
            < 0
        || file_trace_read(in, path, err) < 0)
        return -1;
    if (!in->topo && inputs_read_topology(in, NULL, err) < 0) /* tells why */
        return -1;
    if (study_changes_apply(in, o->set.text, o->set.count, err) < 0
        || file_trace_check(in, err) < 0)
        return -1;
    for (size_t i = 0; i < o->policy.count; i++) {
        if (inputs_check_policy(in, profile[i], err) < 0
            || scheduler_set_check(in, profile[i], err) < 0)
            return -1;
    }
    if (study_notes(in, profile, o->policy.count, &n, err) < 0)
        return -1;
    if (!call->is_quiet)
        study_notes_show(&n);
    return 0;
}

/* With the account of objects. */
static void ok_tell(const struct inputs *in, const char *path,
                    const struct file_kind *kind, const char *topology)
{
    struct terminal_wrap w;

    if (kind->unchecked && !topology)
        printf("%s: ok (%s; %s: see --topology)\n", path, kind->name,
               kind->unchecked);
    else
        printf("%s: ok (%s)\n", path, kind->name);
    if (!kind->is_objects)
        return;
    terminal_wrap_begin(&w);
    inputs_print_sources(in, w.out);
    terminal_wrap_end(&w);
}

/* Returns the exit status; sets *is_trace when the file is a trace. */
static int file_check(const struct cmd_call *call, const char *path,
                      bool *is_trace)
{
    const struct validate_options *o = call->options;
    struct gs_err err = { .limit = GS_ERR_MAX };
    const struct file_kind *kind = file_kind_of(path, &err);
    struct terminal_wrap w;
    struct inputs in;
    int rc;

    if (!kind)
        return cmd_fail(&err);
    inputs_init(&in);
    rc = cmd_source_take(&o->source, &in, &err);
    if (rc == 0 && o->topology)
        rc = inputs_read_topology(&in, o->topology, &err);
    *is_trace |= kind->is_trace;
    if (rc == 0 && kind->is_trace && o->policy.count)
        rc = trace_check(call, &in, path, &err);
    else if (rc == 0)
        rc = kind->check(&in, path, &err);
    if (rc == 0 && !call->is_quiet)
        ok_tell(&in, path, kind, o->topology);
    inputs_fini(&in);
    gs_err_sort(&err);
    if (rc == 0 && !call->is_quiet && kind->tell) {
        terminal_wrap_begin(&w);
        rc = kind->tell(path, w.out, &err);
        terminal_wrap_end(&w);
    }
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

static int validate_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct validate_options *o = call->options;
    bool is_trace = false;
    int worst = CMD_OK;

    (void)err; /* each file has its own */
    if (o->set.count && !o->policy.count)
        return cmd_usage(call->cmd, "'--set' needs a '--policy'");
    for (size_t i = 0; i < call->count; i++) {
        if (strcmp(call->operand[i], "-") == 0) /* files are opened twice */
            return cmd_usage(call->cmd,
                             "standard input is not checked: give a file");
    }
    for (size_t i = 0; i < call->count; i++) {
        const int status = file_check(call, call->operand[i], &is_trace);

        worst = status > worst ? status : worst;
    }
    if (o->policy.count && !is_trace && worst == CMD_OK)
        return cmd_usage(call->cmd,
                         "'--policy' is for traces, and none is given (a "
                         "profile is checked as a file)");
    return worst;
}

const struct cmd cmd_validate = {
    .name = "validate",
    .args = "FILE... [--topology FILE] [--policy P]...",
    .summary = "check any file that gsim reads: all its mistakes at once",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = FILES_MAX,
    .needs = "a file is needed",
    .help =
        "Files are traces, topologies, profiles, modules, scenarios, speed "
        "models, trace\nmodels, sweeps, rules and suites of gates, baselines "
        "and mixes, recognized by\ntheir content.  Up to 20 mistakes of each "
        "file are listed.  With --policy,\ntraces are checked as a replay "
        "under these policies would check them, and notes\nname the settings "
        "that have no effect there.\n"
        "\n"
        "Examples:\n"
        "  gsim validate trace.yaml cluster.yaml my-profile.yaml\n"
        "  gsim validate outages.yaml --topology cluster.yaml\n"
        "  gsim validate trace.yaml --topology cluster.yaml --policy "
        "hybrid\n",
    .run = validate_run,
};
