/* sim/cli/cmd_audit.c - gsim audit: what a policy would have decided where the
 * trace recorded what another scheduler did.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "import/slurm/slurm_import.h"
#include "policies/profile/profile.h"
#include "sim/audit/audit.h"

#include "sim/cli/audit_print.h"
#include "sim/cli/cmd.h"
#include "sim/cli/progress.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/audit_fit.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/rerun.h"

#define LIST_UNSTATED UINT64_MAX
#define LIST_FEW 10
#define PRESET "binpack"

struct audit_flags {
    struct cmd_trace_flags trace;
    const char *topology, *format;
    struct cmd_texts policy, set;
    uint64_t seed, list;
    int64_t latency;
    double at_least;
    bool replay, fit;
};

#define AT(field) offsetof(struct audit_flags, field)

static const struct cmd_take take[] = {
    { .id = OPT_TOPOLOGY, AT(topology) },
    { .id = OPT_POLICY,
      AT(policy),
      "binpack; of recordings their own",
      .repeats = true },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_LATENCY, AT(latency), "2s" },
    { .id = OPT_FIT, AT(fit) },
    { .id = OPT_REPLAY, AT(replay) },
    { .id = OPT_LIST, AT(list), "10; of recordings 0", .max = UINT32_MAX },
    { .id = OPT_AT_LEAST, AT(at_least) },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_FORMAT, AT(format), "table", "table json" },
    CMD_TRACE_TAKES(AT(trace)),
};

static const struct audit_flags defaults = {
    .trace = CMD_TRACE_NONE,
    .format = "table",
    .seed = 42,
    .list = LIST_UNSTATED,
    .latency = 2 * GS_SECOND,
};

struct auditing {
    struct inputs *in;
    const struct audit_flags *o;
    const struct cmd_call *call;
    struct progress line;
    const char *recording;   /* of a folder; NULL */
    json_t *all;             /* NULL: text */
    double equal;            /* the least share */
    struct audit_shown *row; /* of a folder */
    uint32_t rows, row_cap;
};

/* --- one policy ----------------------------------------------------------- */

struct policy_line {
    struct auditing *u;
    const char *name;
};

static void progress_tell(void *ctx, uint32_t done, uint32_t all)
{
    struct policy_line *l = ctx;

    progress_show(&l->u->line, l->name, done, all);
}

static void row_keep(struct auditing *u, const struct audit_shown *shown)
{
    struct audit_shown *row;

    u->row = gs_array_grow(u->row, &u->row_cap, u->rows + 1, sizeof(*u->row));
    row = &u->row[u->rows++];
    *row = *shown;
    row->in = NULL;
    row->audit.difference = NULL;
    row->policy = gs_arena_printf(u->call->in->arena, "%s", shown->policy);
}

/* `record`: with --replay. */
static int policy_audit(struct auditing *u, struct gsched_profile *p,
                        const struct study_recorded *record, struct gs_err *err)
{
    struct policy_line line = { u, p->name };
    const struct audit_options o = { .source = u->in->trace_path,
                                     .seed = u->o->seed,
                                     .tolerance = u->o->latency,
                                     .progress = progress_tell,
                                     .progress_ctx = &line };
    struct audit_shown shown = { .recording = u->recording,
                                 .policy = p->name,
                                 .in = u->in,
                                 .has_rerun = u->o->replay,
                                 .list = u->o->list };
    int rc;

    if (shown.list == LIST_UNSTATED)
        shown.list = u->recording ? 0 : LIST_FEW;
    progress_begin(&u->line, "events", u->call->is_quiet);
    rc = u->o->fit || u->recording
             ? audit_fit(u->in->topo, u->in->work, p, &o, u->o->set.text,
                         u->o->set.count, u->call->in->arena, &shown.fitted,
                         err)
             : 0;
    if (rc == 0)
        rc = audit_run(u->in->topo, u->in->work, p, &o, &shown.audit, err);
    progress_end(&u->line);
    if (rc == 0 && u->o->replay)
        rc = study_rerun(u->in, p, u->o->seed, record, &shown.rerun, err);
    if (rc == 0) {
        if (audit_share(&shown.audit) < u->equal)
            u->equal = audit_share(&shown.audit);
        if (u->all)
            json_array_append_new(u->all, audit_json(&shown));
        else if (!u->recording || shown.list)
            audit_print(&shown);
        if (u->recording)
            row_keep(u, &shown);
    }
    audit_free(&shown.audit);
    return rc;
}

/* Audit the policies on the trace. */
static int trace_audit(struct auditing *u, const char *trace,
                       const char *const *policy, size_t policies,
                       struct gs_err *err)
{
    const struct audit_flags *o = u->o;
    const struct trace_options t = cmd_trace_options(&o->trace);
    struct gsched_profile *profile[CMD_TEXTS_MAX + 1];
    struct study_recorded *record = NULL;
    int rc = 0;

    if (study_policies_read(u->in, policy, policies, o->set.text, o->set.count,
                            profile, err)
            < 0
        || cmd_source_take(&o->trace.source, u->in, err) < 0
        || inputs_read(u->in, trace, o->topology, &t, err) < 0
        || study_changes_apply(u->in, o->set.text, o->set.count, err) < 0)
        return -1;
    if (!u->call->is_quiet && !u->recording)
        inputs_tell_sources(u->in);
    if (o->replay) {
        record = study_recorded_run(u->in, o->seed, err);
        rc = record ? 0 : -1;
    }
    for (size_t i = 0; rc == 0 && i < policies; i++)
        rc = policy_audit(u, profile[i], record, err);
    study_recorded_free(record);
    return rc;
}

/* --- a folder of recordings ----------------------------------------------- */

/* Each by its own configuration, and by the stated policies. */
static int recording_audit(struct auditing *u, const char *folder,
                           const char *name, struct gs_err *err)
{
    struct gs_arena *arena = u->call->in->arena;
    const char *policy[CMD_TEXTS_MAX + 1];
    struct inputs in;
    int rc;

    inputs_init(&in);
    u->in = &in;
    u->recording = name;
    policy[0] = gs_arena_printf(arena, "%s/%s.conf", folder, name);
    for (size_t i = 0; i < u->o->policy.count; i++)
        policy[i + 1] = u->o->policy.text[i];
    rc = trace_audit(u,
                     gs_arena_printf(arena, "%s/%s.starts.csv", folder, name),
                     policy, u->o->policy.count + 1, err);
    inputs_fini(&in);
    return rc;
}

static int folder_audit(struct auditing *u, const char *folder,
                        const char *const *name, uint32_t names,
                        struct gs_err *err)
{
    int rc = 0;

    if (u->o->topology)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = folder },
                       "holds recordings, each with its own nodes: leave out "
                       "'--topology'");
    for (uint32_t i = 0; rc == 0 && i < names; i++)
        rc = recording_audit(u, folder, name[i], err);
    if (rc == 0 && !u->all)
        audit_rows_print(u->row, u->rows);
    return rc;
}

/* --- the command ---------------------------------------------------------- */

static int audit_cmd_run(const struct cmd_call *call, struct gs_err *err)
{
    static const char *const preset[] = { PRESET };
    const struct audit_flags *o = call->options;
    const char *const *name;
    const uint32_t names = slurm_recordings_list(call->operand[0],
                                                 call->in->arena, &name);
    struct auditing u = { .in = call->in, .o = o, .call = call, .equal = 1 };
    int rc;

    u.all = strcmp(o->format, "json") == 0 ? json_array() : NULL;
    if (names)
        rc = folder_audit(&u, call->operand[0], name, names, err);
    else if (o->policy.count)
        rc = trace_audit(&u, call->operand[0], o->policy.text, o->policy.count,
                         err);
    else
        rc = trace_audit(&u, call->operand[0], preset, 1, err);
    if (rc == 0 && u.all) {
        json_dumpf(u.all, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(u.all);
    gs_array_free(u.row);
    return rc < 0 ? -1 : u.equal < o->at_least ? CMD_MISSED : CMD_OK;
}

const struct cmd cmd_audit = {
    .name = "audit",
    .args = "TRACE | FOLDER [--topology FILE] [--policy P]... [OPTION]...",
    .summary = "how often a policy decides as the trace recorded",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help =
        "The trace says when and where jobs really ran ('recorded', or an "
        "export of\nsacct).  Up to each moment at which a job was submitted, "
        "started or ended, the\nrecorded state is imposed, and the policy is "
        "asked what it would do then.\nOf a folder of recordings "
        "(NAME.starts.csv, NAME.conf ...) each is a row of a\ntable, by its own "
        "NAME.conf.\n"
        "\n"
        "Examples:\n"
        "  gsim audit trace.yaml --policy easy --policy conservative\n"
        "  gsim audit sacct.txt --topology slurm.conf --policy slurm.conf \\\n"
        "      --at-least 97% --replay\n"
        "  gsim audit recordings\n",
    .run = audit_cmd_run,
};
