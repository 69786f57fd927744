/* sim/cli/cmd_audit.c - gsim audit: what a policy would have decided where the
 * trace recorded what another scheduler did.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/audit/audit.h"
#include "sim/cli/cmd.h"
#include "sim/cli/progress.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

struct audit_flags {
    struct cmd_trace_flags trace;
    const char *topology, *format;
    struct cmd_texts policy, set;
    uint64_t seed, list;
    int64_t latency;
    double at_least;
};

#define AT(field) offsetof(struct audit_flags, field)

static const struct cmd_take take[] = {
    { .id = OPT_TOPOLOGY, AT(topology) },
    { .id = OPT_POLICY, AT(policy), "binpack", .repeats = true },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_LATENCY, AT(latency), "2s" },
    { .id = OPT_LIST, AT(list), "10", .max = UINT32_MAX },
    { .id = OPT_AT_LEAST, AT(at_least) },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_FORMAT, AT(format), "table", "table json" },
    CMD_TRACE_TAKES(AT(trace)),
};

static const struct audit_flags defaults = {
    .trace = CMD_TRACE_NONE,
    .policy = { { "binpack" }, 1 },
    .format = "table",
    .seed = 42,
    .list = 10,
    .latency = 2 * GS_SECOND,
};

struct auditing {
    struct inputs *in;
    const struct audit_flags *o;
    struct progress line;
    const struct gsched_profile *profile;
};

/* What the kinds are called, as seen from the record. */
static const char *const kinds[AUDIT_KINDS] = {
    [AUDIT_EARLY] = "later",    [AUDIT_LATE] = "earlier",
    [AUDIT_NODES] = "nodes",    [AUDIT_EVICTS] = "spared",
    [AUDIT_SPARES] = "evicted", [AUDIT_REJECTS] = "rejected",
};

static const char *const meanings[AUDIT_KINDS] = {
    [AUDIT_EARLY] = "recorded later than the policy starts it",
    [AUDIT_LATE] = "recorded earlier: the policy does not start it then",
    [AUDIT_NODES] = "started by both, on other nodes",
    [AUDIT_EVICTS] = "evicted by the policy, not by the record",
    [AUDIT_SPARES] = "evicted by the record, not by the policy",
    [AUDIT_REJECTS] = "never run by the policy",
};

static const char *const causes[GSCHED_CAUSES] = {
    [GSCHED_NO_CAUSE] = "not looked at",
    [GSCHED_QUOTA] = "quota",
    [GSCHED_CAPACITY] = "capacity",
    [GSCHED_FRAGMENTATION] = "fragmentation",
    [GSCHED_TOPOLOGY] = "topology",
    [GSCHED_CONSTRAINT] = "constraint",
    [GSCHED_HOARDING] = "hoarding",
    [GSCHED_ORDER] = "order",
    [GSCHED_LATENCY] = "latency",
};

static double share(uint32_t part, uint32_t all)
{
    return all ? (double)part / all : 1;
}

/* --- text --------------------------------------------------------------------- */

static void share_print(const char *what, uint32_t part, uint32_t all,
                        const char *of)
{
    printf("  %-10s %u of %u %s (%.2f %%)\n", what, part, all, of,
           100 * share(part, all));
}

static const char *job_name(const struct inputs *in, uint32_t job)
{
    return gs_strtab_str(in->names, in->work->job[job].name);
}

static const char *node_name(const struct inputs *in, uint32_t node)
{
    return gs_strtab_str(in->names, in->topo->node_name[node]);
}

/* "policy: n1; record: n2" */
static void nodes_print(const struct inputs *in,
                        const struct audit_difference *d)
{
    if (d->node != UINT32_MAX)
        printf(", policy: %s", node_name(in, d->node));
    if (d->recorded_node != UINT32_MAX)
        printf(", record: %s", node_name(in, d->recorded_node));
}

static void difference_print(const struct inputs *in,
                             const struct audit_difference *d)
{
    char at[32], until[32];

    printf("  %-12s %-8s job %s", gs_instant_format(d->at, at, sizeof(at)),
           kinds[d->kind], job_name(in, d->job));
    gs_instant_format(d->until, until, sizeof(until));
    switch (d->kind) {
    case AUDIT_EARLY:
        printf(d->is_recorded ? ", recorded %s (%s later)"
                              : ", not recorded up to %s (%s later), when the "
                                "policy no longer starts it",
               until, gs_duration_format(d->until - d->at, at, sizeof(at)));
        nodes_print(in, d);
        break;
    case AUDIT_LATE:
    case AUDIT_REJECTS:
        printf(": %s", causes[d->cause]);
        nodes_print(in, d);
        break;
    case AUDIT_NODES:
        nodes_print(in, d);
        break;
    case AUDIT_EVICTS:
        if (d->by != UINT32_MAX)
            printf(" for job %s", job_name(in, d->by));
        printf(d->is_recorded ? ", recorded %s" : ", up to %s", until);
        break;
    case AUDIT_SPARES:
    case AUDIT_KINDS:
        break;
    }
    putchar('\n');
}

static void kinds_print(const struct audit *a)
{
    for (int k = 0; k < AUDIT_KINDS; k++) {
        char why[200] = "";

        if (!a->kinds[k])
            continue;
        for (int c = 0; k == AUDIT_LATE && c < GSCHED_CAUSES; c++) {
            if (a->causes[c])
                gs_text_add(why, sizeof(why), "%s%s %u", *why ? ", " : ": ",
                            causes[c], a->causes[c]);
        }
        printf("  %6u  %-8s  %s%s\n", a->kinds[k], kinds[k], meanings[k], why);
    }
}

static void caveats_print(const struct audit *a)
{
    if (a->unrecorded)
        printf("  %u jobs have no recorded run: they wait until they are "
               "withdrawn\n",
               a->unrecorded);
    if (a->unknown)
        printf("  %u runs name no nodes: best fit chose them\n", a->unknown);
    if (a->elsewhere)
        printf("  %u runs had no room on their nodes: best fit chose others\n",
               a->elsewhere);
    if (a->nowhere)
        printf("  %u runs had no room anywhere: they hold nothing\n",
               a->nowhere);
}

static void table_print(const struct auditing *u, const struct audit *a)
{
    char within[32];

    printf("%s: %.2f %% of the decisions are equal (at most %s apart)\n",
           u->profile->name, 100 * share(a->equal, a->points),
           gs_duration_format(a->apart, within, sizeof(within)));
    share_print("points", a->equal, a->points,
                "decision points without a "
                "difference");
    share_print("starts", a->equal_starts, a->starts,
                "recorded starts that the policy decides then");
    if (a->placed)
        share_print("nodes", a->equal_nodes, a->placed,
                    "of these on the recorded nodes");
    if (a->evictions)
        share_print("evictions", a->equal_evictions, a->evictions,
                    "recorded evictions that the policy decides then");
    caveats_print(a);
    if (a->count == 0)
        return;
    printf("differences:\n");
    kinds_print(a);
    if (u->o->list == 0)
        return;
    printf(u->o->list < a->count ? "the first %" PRIu64 ":\n" : "all:\n",
           u->o->list);
    for (uint32_t i = 0; i < a->count && i < u->o->list; i++)
        difference_print(u->in, &a->difference[i]);
}

/* --- JSON --------------------------------------------------------------------- */

static json_t *difference_json(const struct inputs *in,
                               const struct audit_difference *d)
{
    json_t *o = json_pack("{s:s, s:s, s:f}", "kind", kinds[d->kind], "job",
                          job_name(in, d->job), "at", (double)d->at / 1e6);

    if (d->kind == AUDIT_EARLY || d->kind == AUDIT_EVICTS) {
        json_object_set_new(o, "until", json_real((double)d->until / 1e6));
        json_object_set_new(o, "recorded", json_boolean(d->is_recorded));
    }
    if (d->kind == AUDIT_LATE || d->kind == AUDIT_REJECTS)
        json_object_set_new(o, "cause", json_string(causes[d->cause]));
    if (d->node != UINT32_MAX)
        json_object_set_new(o, "node", json_string(node_name(in, d->node)));
    if (d->recorded_node != UINT32_MAX)
        json_object_set_new(o, "recorded_node",
                            json_string(node_name(in, d->recorded_node)));
    if (d->by != UINT32_MAX)
        json_object_set_new(o, "by", json_string(job_name(in, d->by)));
    return o;
}

static json_t *audit_json(const struct auditing *u, const struct audit *a)
{
    json_t *all = json_object(), *list = json_array(), *by = json_object();
    const struct {
        const char *name;
        uint32_t n;
    } numbers[] = {
        { "points", a->points },
        { "equal_points", a->equal },
        { "starts", a->starts },
        { "equal_starts", a->equal_starts },
        { "placed", a->placed },
        { "equal_nodes", a->equal_nodes },
        { "evictions", a->evictions },
        { "equal_evictions", a->equal_evictions },
        { "without_record", a->unrecorded },
        { "nodes_unknown", a->unknown },
        { "put_elsewhere", a->elsewhere },
        { "no_room", a->nowhere },
    };

    json_object_set_new(all, "policy", json_string(u->profile->name));
    json_object_set_new(all, "equal", json_real(share(a->equal, a->points)));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        json_object_set_new(all, numbers[i].name, json_integer(numbers[i].n));
    for (int k = 0; k < AUDIT_KINDS; k++)
        json_object_set_new(by, kinds[k], json_integer(a->kinds[k]));
    json_object_set_new(all, "kinds", by);
    for (uint32_t i = 0; i < a->count && i < u->o->list; i++)
        json_array_append_new(list, difference_json(u->in, &a->difference[i]));
    json_object_set_new(all, "differences", list);
    return all;
}

/* --- the command --------------------------------------------------------------- */

static void progress_tell(void *ctx, uint32_t done, uint32_t all)
{
    struct auditing *u = ctx;

    progress_show(&u->line, u->profile->name, done, all);
}

/* Audit one policy; *equal becomes the share of equal decisions if it is less. */
static int audit_one(struct auditing *u, bool is_quiet, json_t *all,
                     double *equal, struct gs_err *err)
{
    const struct audit_options o = { .source = u->in->trace_path,
                                     .seed = u->o->seed,
                                     .tolerance = u->o->latency,
                                     .progress = progress_tell,
                                     .progress_ctx = u };
    struct audit a;
    int rc;

    progress_begin(&u->line, "events", is_quiet);
    rc = audit_run(u->in->topo, u->in->work, u->profile, &o, &a, err);
    progress_end(&u->line);
    if (rc == 0) {
        if (share(a.equal, a.points) < *equal)
            *equal = share(a.equal, a.points);
        if (all)
            json_array_append_new(all, audit_json(u, &a));
        else
            table_print(u, &a);
    }
    audit_free(&a);
    return rc;
}

static int audit_cmd_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct audit_flags *o = call->options;
    const struct trace_options t = cmd_trace_options(&o->trace);
    struct gsched_profile *profile[CMD_TEXTS_MAX];
    struct auditing u = { .in = call->in, .o = o };
    json_t *all;
    double equal = 1;
    int rc = 0;

    if (study_policies_read(u.in, o->policy.text, o->policy.count, o->set.text,
                            o->set.count, profile, err)
            < 0
        || cmd_source_take(&o->trace.source, u.in, err) < 0
        || inputs_read(u.in, call->operand[0], o->topology, &t, err) < 0
        || study_changes_apply(u.in, o->set.text, o->set.count, err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(u.in);
    all = strcmp(o->format, "json") == 0 ? json_array() : NULL;
    for (size_t i = 0; rc == 0 && i < o->policy.count; i++) {
        u.profile = profile[i];
        rc = audit_one(&u, call->is_quiet, all, &equal, err);
    }
    if (rc == 0 && all) {
        json_dumpf(all, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(all);
    return rc < 0 ? -1 : equal < o->at_least ? CMD_MISSED : CMD_OK;
}

const struct cmd cmd_audit = {
    .name = "audit",
    .args = "TRACE [--topology FILE] [--policy P]... [OPTION]...",
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
        "asked what it would do then.\n"
        "\n"
        "Examples:\n"
        "  gsim audit trace.yaml --policy easy --policy conservative\n"
        "  gsim audit sacct.txt --topology slurm.conf --policy slurm.conf \\\n"
        "      --at-least 97%\n",
    .run = audit_cmd_run,
};
