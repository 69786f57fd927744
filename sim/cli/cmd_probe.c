/* sim/cli/cmd_probe.c - gsim probe: would a job start now, and if not, why? */
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "reports/store/figures.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/instant.h"
#include "sim/cli/probe_print.h"
#include "sim/cli/source_flags.h"
#include "sim/cli/stored_run.h"
#include "sim/study/again.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/probe.h"
#include "sim/study/scheduler_set.h"

struct probe_options {
    const char *topology, *policy, *at, *run, *format, *speed, *scenario;
    const char *estimates;
    struct cmd_texts set, tier;
    uint64_t seed;
    int64_t duration;
};

#define AT(field) offsetof(struct probe_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_AT, AT(at), "0" },
    { .id = OPT_TOPOLOGY, AT(topology) },
    { .id = OPT_POLICY, AT(policy), "binpack" },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_ESTIMATES, AT(estimates), "the trace's" },
    { .id = OPT_SPEED, AT(speed) },
    { .id = OPT_SCENARIO, AT(scenario), .alias = "world" },
    { .id = OPT_RUN, AT(run), "the only one" },
    { .id = OPT_DURATION, AT(duration), "1h" },
    { .id = OPT_TIER, AT(tier), .repeats = true },
    { .id = OPT_FORMAT, AT(format), "text", "text json" },
};

static const struct probe_options defaults = {
    .policy = "binpack", .at = "0", .format = "text", .seed = 42, .duration = -1
};

/* The inputs of a stored run. */
static int stored_read(const struct cmd_call *call, struct study_probe *p,
                       struct gs_err *err)
{
    const struct probe_options *o = call->options;
    struct report_store *s = report_store_open_readonly(call->operand[0], err);
    struct report_stored_run run;
    struct study_again again;
    int rc;

    if (!s)
        return -1;
    rc = cmd_run_find(s, o->run, call->in->arena, &run, err);
    report_store_close(s); /* before processes begin */
    if (rc == 0)
        rc = study_again(call->in, &run, &again, err);
    if (rc < 0)
        return -1;
    p->profile = again.profile;
    p->sim = again.sim;
    return 0;
}

/* A trace, or the dump of a cluster. */
static int trace_read_all(const struct cmd_call *call, struct study_probe *p,
                          struct gs_err *err)
{
    const struct probe_options *o = call->options;
    const struct cmd_source_flags source = { .duration = o->duration,
                                             .span = -1,
                                             .tier = o->tier };
    const struct trace_options t = { .limit = 0 };
    struct inputs *in = call->in;
    struct gsched_profile *profile;

    if (o->run)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--run' names a run of a database");
    if (study_policies_read(in, &o->policy, 1, o->set.text, o->set.count,
                            &profile, err)
            < 0
        || cmd_source_take(&source, in, err) < 0
        || inputs_read(in, call->operand[0], o->topology, &t, err) < 0
        || (o->estimates && study_estimates_set(in, o->estimates, err) < 0)
        || study_changes_apply(in, o->set.text, o->set.count, err) < 0
        || inputs_read_speed(in, o->speed, err) < 0
        || inputs_read_scenario(in, o->scenario, err) < 0)
        return -1;
    p->profile = profile;
    p->sim = (struct sim_options){ .source = in->trace_path,
                                   .seed = o->seed,
                                   .speed = in->speed,
                                   .scenario = in->scenario };
    return 0;
}

static int probe_read(const struct cmd_call *call, struct study_probe *p,
                      struct gs_err *err)
{
    const struct probe_options *o = call->options;
    int rc = report_is_database(call->operand[0])
                 ? stored_read(call, p, err)
                 : trace_read_all(call, p, err);

    if (rc == 0 && p->profile->is_recorded)
        rc = gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                     "policy 'recorded' decides nothing: name another");
    if (rc < 0 || scheduler_set_refuse(p->profile, "probe", err) < 0
        || cmd_instant_parse(o->at, call->in, &p->sim.until, err) < 0)
        return -1;
    return study_probe_job(call->in, call->operand[1], !call->is_quiet, &p->job,
                           err);
}

static int probe_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct probe_options *o = call->options;
    struct study_probe p = { .in = call->in };

    if (probe_read(call, &p, err) < 0 || study_probe_run(&p, err) < 0)
        return -1;
    if (strcmp(o->format, "json") == 0)
        probe_print_json(&p, stdout);
    else
        probe_print(&p, stdout);
    return p.answer.outcome == PROBE_STARTS || p.answer.outcome == PROBE_EVICTS
               ? CMD_OK
               : CMD_MISSED;
}

const struct cmd cmd_probe = {
    .name = "probe",
    .args = "TRACE|DB JOB [--at T] [--policy P] [OPTION]...",
    .summary =
        "would a job start at a time; if not, why, when, what would help",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 2,
    .most = 2,
    .needs = "a trace or database, and a file with a job are needed",
    .help =
        "JOB is a trace of one job, or a manifest of Kubernetes.  The trace, "
        "or the run\nof a database with its own policy and options, is "
        "replayed up to T; a dump of a\ncluster has what runs in it.  Then "
        "the job is submitted.  What is said to help\nwas tried, each change "
        "alone.  The exit status is 0 when the job would start,\n1 when it "
        "would wait.\n\n"
        "Examples:\n"
        "  gsim probe trace.yaml job.yaml --at 2h --policy hybrid\n"
        "  gsim probe gsim.db job.yaml --run binpack --at 3d\n"
        "  gsim probe dump.json pod.yaml --policy kube-default\n",
    .run = probe_run,
};
