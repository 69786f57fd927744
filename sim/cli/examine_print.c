/* sim/cli/examine_print.c - prints the table of filters and scores. */
#include "sim/cli/examine_print.h"

#include <jansson.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/cli/probe_print.h"
#include "sim/study/cause.h"
#include "sim/study/examine.h"
#include "sim/study/inputs.h"
#include "topology/amount_text.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define KINDS_SHOWN 12u /* of nodes that take a task */
#define NAMES_SHOWN 2u  /* nodes of a kind */
#define WIDTH 80
#define NODES_WIDTH 28
#define POINT 1e6

static const char *node_name(const struct study_examined *e, uint32_t node)
{
    return gs_strtab_str(e->in->names, e->in->topo->node_name[node]);
}

/* --- text ----------------------------------------------------------------- */

static void nodes_print(const struct study_examined *e,
                        const struct study_examined_nodes *k, FILE *out)
{
    char text[200] = "";

    for (uint32_t i = 0; i < k->count && i < NAMES_SHOWN; i++)
        gs_text_add(text, sizeof(text), "%s%.60s", i ? ", " : "",
                    node_name(e, k->node[i]));
    if (k->count > NAMES_SHOWN)
        gs_text_add(text, sizeof(text), " and %u more", k->count - NAMES_SHOWN);
    fprintf(out, "  %-*s ", NODES_WIDTH - 3, text);
}

/* A part of a line that goes on below. */
static void part_print(const char *text, int *column, FILE *out)
{
    const int n = (int)gs_text_length(text);

    if (*column + n > WIDTH && *column > NODES_WIDTH) {
        fprintf(out, "\n%*s", NODES_WIDTH, "");
        *column = NODES_WIDTH;
    }
    fputs(text, out);
    *column += n;
}

static void points_print(const struct study_examined *e,
                         const struct study_examined_nodes *k, FILE *out)
{
    int column = NODES_WIDTH;
    uint32_t parts = 0;
    char text[120];

    for (uint32_t i = 0; i < e->modules; i++)
        parts += k->points[i] != 0;
    snprintf(text, sizeof(text), "%.6g", (double)k->score / POINT);
    part_print(text, &column, out);
    snprintf(text, sizeof(text), " (%u placed)", k->chosen);
    if (k->chosen)
        part_print(text, &column, out);
    if (parts)
        part_print(":", &column, out);
    for (uint32_t i = 0; i < e->modules; i++) {
        if (k->points[i] == 0)
            continue;
        snprintf(text, sizeof(text), " %.60s %.6g%s", e->module[i],
                 (double)k->points[i] / POINT, --parts ? "," : "");
        part_print(text, &column, out);
    }
    fputc('\n', out);
}

static void group_print(const struct study_examined *e, uint32_t g, FILE *out)
{
    const struct trace_workload *w = e->in->work;
    const struct trace_job *j = &w->job[e->job];
    const struct trace_group *group = trace_group_at(w, j->first_group + g);
    const struct study_examined_group *x = &e->group[g];
    char amount[TOPO_AMOUNT_TEXT];
    uint32_t taking = 0;
    bool any = false;

    fprintf(out, "\nA task%s%s", group->name ? " " : "",
            group->name ? gs_strtab_str(e->in->names, group->name) : "");
    for (uint32_t d = 0; d < e->in->dims.count; d++) {
        if (d == TOPO_PODS || w->shape[group->shape].amount[d] <= 0)
            continue;
        fprintf(out, "%s %s", any ? "," : " of",
                topo_amount_text(e->in->topo, d,
                                 w->shape[group->shape].amount[d], amount));
        any = true;
    }
    fputs(" is taken by these nodes, with points\n", out);
    for (uint32_t i = 0; i < x->kinds && !x->kind[i].refused; i++) {
        if (taking++ >= KINDS_SHOWN)
            continue;
        nodes_print(e, &x->kind[i], out);
        points_print(e, &x->kind[i], out);
    }
    if (taking == 0)
        fputs("  none\n", out);
    if (taking > KINDS_SHOWN)
        fprintf(out, "  ... and %u kinds more (all with --format json)\n",
                taking - KINDS_SHOWN);
    if (taking == x->kinds)
        return;
    fputs("and is refused by these\n", out);
    for (uint32_t i = taking; i < x->kinds; i++) {
        const struct study_examined_nodes *k = &x->kind[i];

        if (i - taking == KINDS_SHOWN) {
            fprintf(out, "  ... and %u kinds more (all with --format json)\n",
                    x->kinds - i);
            break;
        }
        nodes_print(e, k, out);
        fprintf(out, "%s%s%s\n", k->refused, k->why[0] ? ": " : "", k->why);
    }
}

void examine_print(const struct study_examined *e, const char *run, FILE *out)
{
    const struct trace_workload *w = e->in->work;
    const struct trace_job *j = &w->job[e->job];
    const struct report_cause_info *why = study_cause(e->cause);
    char at[64];

    fprintf(out, "%s at %s in run %s (%s), %s\n",
            gs_strtab_str(e->in->names, j->name),
            gs_instant_format(e->at, at, sizeof(at)), run, e->profile->name,
            e->has_cycle ? "as a cycle begins" : "when no cycle runs");
    fprintf(out, "  placed      %u of %u tasks", e->placed, j->tasks);
    if (e->placed_after != e->placed)
        fprintf(out, ", %u after the cycle", e->placed_after);
    fputc('\n', out);
    if (e->cause != GSCHED_NO_CAUSE && e->placed_after < j->gang)
        fprintf(out, "  waits       %s: %s\n", why->name, why->text);
    if (e->refuser)
        fprintf(out, "  refused by  %s\n", e->refuser);
    probe_print_excesses(e->in, &e->quota, out);
    for (uint32_t g = 0; g < e->groups; g++)
        group_print(e, g, out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *nodes_json(const struct study_examined *e,
                          const struct study_examined_nodes *k)
{
    json_t *names = json_array(), *points = json_object(), *all;

    for (uint32_t i = 0; i < k->count; i++)
        json_array_append_new(names, json_string(node_name(e, k->node[i])));
    for (uint32_t i = 0; i < e->modules; i++) {
        if (k->points[i])
            json_object_set_new(points, e->module[i],
                                json_real((double)k->points[i] / POINT));
    }
    all = json_pack("{s:o, s:s?, s:s, s:i}", "nodes", names, "refused_by",
                    k->refused, "why", k->why, "placed", (int)k->chosen);
    if (!k->refused) {
        json_object_set_new(all, "score", json_real((double)k->score / POINT));
        json_object_set(all, "points", points);
    }
    json_decref(points);
    return all;
}

void examine_print_json(const struct study_examined *e, const char *run,
                        FILE *out)
{
    json_t *groups = json_array(), *modules = json_array(), *all;

    for (uint32_t i = 0; i < e->modules; i++)
        json_array_append_new(modules, json_string(e->module[i]));
    for (uint32_t g = 0; g < e->groups; g++) {
        json_t *kinds = json_array();

        for (uint32_t i = 0; i < e->group[g].kinds; i++)
            json_array_append_new(kinds, nodes_json(e, &e->group[g].kind[i]));
        json_array_append_new(groups, kinds);
    }
    all = json_pack(
        "{s:s, s:s, s:s, s:I, s:b, s:i, s:i, s:s, s:s?, s:o, s:o, s:o}", "job",
        gs_strtab_str(e->in->names, e->in->work->job[e->job].name), "run", run,
        "policy", e->profile->name, "at_us", (json_int_t)e->at, "cycle",
        e->has_cycle, "placed", (int)e->placed, "placed_after",
        (int)e->placed_after, "cause", study_cause(e->cause)->name,
        "refused_by", e->refuser, "queues",
        probe_excesses_json(e->in, &e->quota), "modules", modules, "groups",
        groups);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_SORT_KEYS);
    fputc('\n', out);
    json_decref(all);
}
