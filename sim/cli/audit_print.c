/* sim/cli/audit_print.c - see audit_print.h. */
#include "sim/cli/audit_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "sim/study/cause.h"
#include "sim/study/inputs.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

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

static const char *cause_name(enum gsched_cause c)
{
    return c == GSCHED_NO_CAUSE ? "not looked at" : study_cause(c)->name;
}

static double share(uint32_t part, uint32_t all)
{
    return all ? (double)part / all : 1;
}

double audit_share(const struct audit *a)
{
    return share(a->equal, a->points);
}

static double percent_more(const struct study_rerun *r)
{
    return r->recorded > 0 ? 100 * (r->mean / r->recorded - 1) : 0;
}

/* --- text ----------------------------------------------------------------- */

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
        printf(": %s", cause_name(d->cause));
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
                            cause_name((enum gsched_cause)c), a->causes[c]);
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

static void rerun_print(const struct study_rerun *r)
{
    printf("  %-10s mean wait %.1f s, recorded %.1f s (%+.1f %%); order of "
           "starts: tau %.3f\n",
           "replay", r->mean / 1e6, r->recorded / 1e6, percent_more(r), r->tau);
}

void audit_print(const struct audit_shown *u)
{
    const struct audit *a = &u->audit;
    char within[32];

    printf("%s%s%s: %.2f %% of the decisions are equal (at most %s apart)\n",
           u->recording ? u->recording : "", u->recording ? ", " : "",
           u->policy, 100 * audit_share(a),
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
    if (u->has_rerun)
        rerun_print(&u->rerun);
    if (u->fitted)
        printf("  %-10s %s\n", "fitted", u->fitted);
    caveats_print(a);
    if (a->count == 0)
        return;
    printf("differences:\n");
    kinds_print(a);
    if (u->list == 0)
        return;
    printf(u->list < a->count ? "the first %" PRIu64 ":\n" : "all:\n", u->list);
    for (uint32_t i = 0; i < a->count && i < u->list; i++)
        difference_print(u->in, &a->difference[i]);
}

/* --- JSON ----------------------------------------------------------------- */

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
        json_object_set_new(o, "cause", json_string(cause_name(d->cause)));
    if (d->node != UINT32_MAX)
        json_object_set_new(o, "node", json_string(node_name(in, d->node)));
    if (d->recorded_node != UINT32_MAX)
        json_object_set_new(o, "recorded_node",
                            json_string(node_name(in, d->recorded_node)));
    if (d->by != UINT32_MAX)
        json_object_set_new(o, "by", json_string(job_name(in, d->by)));
    return o;
}

static json_t *rerun_json(const struct study_rerun *r)
{
    return json_pack("{s:i, s:f, s:f, s:f, s:i, s:i}", "jobs", (int)r->jobs,
                     "recorded_wait", r->recorded / 1e6, "wait", r->mean / 1e6,
                     "tau", r->tau, "recorded_evictions",
                     (int)r->recorded_evictions, "evictions",
                     (int)r->evictions);
}

json_t *audit_json(const struct audit_shown *u)
{
    const struct audit *a = &u->audit;
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

    if (u->recording)
        json_object_set_new(all, "recording", json_string(u->recording));
    json_object_set_new(all, "policy", json_string(u->policy));
    json_object_set_new(all, "equal", json_real(audit_share(a)));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        json_object_set_new(all, numbers[i].name, json_integer(numbers[i].n));
    for (int k = 0; k < AUDIT_KINDS; k++)
        json_object_set_new(by, kinds[k], json_integer(a->kinds[k]));
    json_object_set_new(all, "kinds", by);
    if (u->fitted)
        json_object_set_new(all, "fitted", json_string(u->fitted));
    if (u->has_rerun)
        json_object_set_new(all, "replay", rerun_json(&u->rerun));
    for (uint32_t i = 0; i < a->count && i < u->list; i++)
        json_array_append_new(list, difference_json(u->in, &a->difference[i]));
    json_object_set_new(all, "differences", list);
    return all;
}

/* --- a table of recordings ------------------------------------------------ */

static void part_print(uint32_t part, uint32_t all, int width)
{
    char text[32] = "-";

    if (all)
        (void)snprintf(text, sizeof(text), "%u/%u", part, all);
    printf("  %*s", width, text);
}

/* "later 3, nodes 7" */
static void kinds_row(const struct audit *a)
{
    const char *before = "  ";

    for (int k = 0; k < AUDIT_KINDS; k++) {
        if (!a->kinds[k])
            continue;
        printf("%s%s %u", before, kinds[k], a->kinds[k]);
        before = ", ";
    }
    putchar('\n');
}

/* Width of the column; 0: all rows of a recording have one policy. */
static int widest(const struct audit_shown *row, uint32_t rows, bool is_policy)
{
    bool is_wanted = !is_policy;
    int width = is_policy ? 6 : 9;

    for (uint32_t i = 0; i < rows; i++) {
        const int n = (int)gs_text_length(is_policy ? row[i].policy
                                                    : row[i].recording);

        width = n > width ? n : width;
        is_wanted |= i && strcmp(row[i].recording, row[i - 1].recording) == 0;
    }
    return is_wanted ? width : 0;
}

static void names_print(const char *recording, const char *policy,
                        const int *width)
{
    printf("%-*s", width[0], recording);
    if (width[1])
        printf("  %-*s", width[1], policy);
}

static void reruns_print(const struct audit_shown *row, uint32_t rows,
                         const int *width)
{
    putchar('\n');
    names_print("replay", "policy", width);
    printf("  %9s  %9s  %9s  %6s  %9s\n", "recorded", "mean wait", "", "tau",
           "evictions");
    for (uint32_t i = 0; i < rows; i++) {
        const struct study_rerun *r = &row[i].rerun;

        names_print(row[i].recording, row[i].policy, width);
        printf("  %7.1f s  %7.1f s  %+7.1f %%  %6.3f", r->recorded / 1e6,
               r->mean / 1e6, percent_more(r), r->tau);
        part_print(r->evictions, r->recorded_evictions, 9);
        putchar('\n');
    }
}

static void fits_print(const struct audit_shown *row, uint32_t rows,
                       const int *width)
{
    bool is_first = true;

    for (uint32_t i = 0; i < rows; i++) {
        if (!row[i].fitted)
            continue;
        if (is_first)
            printf("\nfitted to the record, which does not tell them:\n");
        is_first = false;
        names_print(row[i].recording, row[i].policy, width);
        printf("  %s\n", row[i].fitted);
    }
}

void audit_rows_print(const struct audit_shown *row, uint32_t rows)
{
    const int width[] = { widest(row, rows, false), widest(row, rows, true) };

    names_print("recording", "policy", width);
    printf("  %9s  %8s  %7s  %7s  %9s  %s\n", "decisions", "equal", "starts",
           "nodes", "evictions", "differences");
    for (uint32_t i = 0; i < rows; i++) {
        const struct audit *a = &row[i].audit;

        names_print(row[i].recording, row[i].policy, width);
        printf("  %9u  %6.2f %%", a->points, 100 * audit_share(a));
        part_print(a->equal_starts, a->starts, 7);
        part_print(a->equal_nodes, a->placed, 7);
        part_print(a->equal_evictions, a->evictions, 9);
        kinds_row(a);
    }
    if (rows && row[0].has_rerun)
        reruns_print(row, rows, width);
    fits_print(row, rows, width);
}
