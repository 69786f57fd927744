/* sim/cli/probe_print.c - prints the answer of gsim probe. */
#include "sim/cli/probe_print.h"

#include <jansson.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "sim/study/cause.h"
#include "sim/study/inputs.h"
#include "sim/study/probe.h"
#include "sim/study/rejection.h"
#include "topology/amount_text.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define LISTED 8u /* nodes and victims in the text */

static const char *str(const struct study_probe *p, uint32_t id)
{
    return gs_strtab_str(p->in->names, id);
}

static const char *job_name(const struct study_probe *p, uint32_t job)
{
    return str(p, p->in->work->job[job].name);
}

static const char *queue_name(const struct study_probe *p, uint32_t queue)
{
    return str(p, p->in->work->queue[queue].name);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void label(const char *name, FILE *out)
{
    fprintf(out, "  %-11s ", name);
}

static const char *reason_name(enum gsched_reason r)
{
    switch (r) {
    case GSCHED_PREEMPTED:
        return "preempted";
    case GSCHED_RECLAIMED:
    case GSCHED_RECLAIMED_BORROWING:
    case GSCHED_RECLAIMED_SHARE:
        return "reclaimed";
    case GSCHED_MOVED:
    case GSCHED_RELOCATED:
        return "moved";
    default:
        return "evicted";
    }
}

/* --- the request ---------------------------------------------------------- */

static void asked_print(const struct study_probe *p, FILE *out)
{
    const struct trace_workload *w = p->in->work;
    const struct trace_job *j = &w->job[p->job];
    char amount[TOPO_AMOUNT_TEXT];

    label("asks for", out);
    fprintf(out, "%u task%s", j->tasks, plural(j->tasks));
    if (j->gang < j->tasks)
        fprintf(out, ", a gang of %u", j->gang);
    for (uint32_t d = 0; d < p->in->dims.count; d++) {
        if (d != TOPO_PODS && p->answer.asked[d] > 0)
            fprintf(
                out, ", %s",
                topo_amount_text(p->in->topo, d, p->answer.asked[d], amount));
    }
    fprintf(out, "; queue %s\n", queue_name(p, j->queue));
}

/* --- where ---------------------------------------------------------------- */

static void spots_print(const struct study_probe *p,
                        const struct study_probe_answer *a, const char *name,
                        FILE *out)
{
    for (uint32_t i = 0; i < a->spots && i < LISTED; i++) {
        const struct study_probe_spot *s = &a->spot[i];

        label(i ? "" : name, out);
        fprintf(out, "%s (%u task%s)\n",
                str(p, p->in->topo->node_name[s->node]), s->tasks,
                plural(s->tasks));
    }
    if (a->spots > LISTED) {
        label("", out);
        fprintf(out, "... and %u more\n", a->spots - LISTED);
    }
}

static void victims_print(const struct study_probe *p,
                          const struct study_probe_answer *a, FILE *out)
{
    for (uint32_t i = 0; i < a->victims && i < LISTED; i++) {
        const struct study_probe_victim *v = &a->victim[i];

        label(i ? "" : "evicts", out);
        fprintf(out, "%s (%s%u task%s, %s)\n", job_name(p, v->job),
                v->is_whole ? "" : "of it ", v->tasks, plural(v->tasks),
                v->moves ? "moved" : reason_name(v->reason));
    }
    if (a->victims > LISTED) {
        label("", out);
        fprintf(out, "... and %u more\n", a->victims - LISTED);
    }
}

/* --- why not -------------------------------------------------------------- */

void probe_print_excesses(const struct inputs *in,
                          const struct study_probe_answer *a, FILE *out)
{
    for (uint32_t i = 0; i < a->excesses; i++) {
        const struct study_probe_excess *e = &a->excess[i];
        char is[TOPO_AMOUNT_TEXT], used[TOPO_AMOUNT_TEXT],
            asked[TOPO_AMOUNT_TEXT];

        label("", out);
        fprintf(out, "queue %s: %s %s, %s held, %s asked for\n",
                gs_strtab_str(in->names, in->work->queue[e->queue].name),
                study_probe_amount_names[e->which],
                topo_amount_text(in->topo, e->dim, e->amount, is),
                topo_amount_text(in->topo, e->dim, e->used, used),
                topo_amount_text(in->topo, e->dim, a->asked[e->dim], asked));
    }
}

static void refusers_print(const struct study_probe *p,
                           const struct study_probe_answer *a, FILE *out)
{
    label("nodes", out);
    fprintf(out, "%u of %u take a task", a->nodes, p->in->topo->node_count);
    for (uint32_t i = 0; i < a->refusers; i++)
        fprintf(out, "%s%s refuses %u", i ? ", " : "; ", a->refuser_of[i].name,
                a->refuser_of[i].nodes);
    fputc('\n', out);
}

/* Amounts of which less is free than asked for; else those asked for. */
static void free_print(const struct study_probe *p,
                       const struct study_probe_answer *a, FILE *out)
{
    bool lacks = false, any = false;

    for (uint32_t d = 0; d < p->in->dims.count; d++)
        lacks |= d != TOPO_PODS && a->free[d] < a->asked[d];
    for (uint32_t d = 0; d < p->in->dims.count; d++) {
        char free[TOPO_AMOUNT_TEXT], asked[TOPO_AMOUNT_TEXT];

        if (d == TOPO_PODS || a->asked[d] <= 0
            || (lacks && a->free[d] >= a->asked[d]))
            continue;
        label(any ? "" : "free", out);
        any = true;
        fprintf(out, "%s on the %u node%s that suit, %s asked for\n",
                topo_amount_text(p->in->topo, d, a->free[d], free), a->suitable,
                plural(a->suitable),
                topo_amount_text(p->in->topo, d, a->asked[d], asked));
    }
    label(any ? "" : "free", out);
    fprintf(out, "room for %u task%s of %u\n", a->room, plural(a->room),
            p->in->work->job[p->job].tasks);
}

static void why_print(const struct study_probe *p, FILE *out)
{
    const struct study_probe_answer *a = &p->answer;
    const struct report_cause_info *why = study_cause(a->cause);

    label("because", out);
    fprintf(out, "%s%s\n", why->name,
            p->profile->unit == GSCHED_UNIT_POD && a->cause != GSCHED_QUOTA
                ? ", of its next task"
                : "");
    label("", out);
    fprintf(out, "%s\n", why->text);
    if (a->refuser[0]) {
        label("refused by", out);
        fprintf(out, "%s\n", a->refuser);
    }
    if (a->cause == GSCHED_QUOTA)
        probe_print_excesses(p->in, a, out);
    refusers_print(p, a, out);
    free_print(p, a, out);
    if (a->ahead) {
        label("ahead", out);
        fprintf(out, "%u waiting job%s\n", a->ahead, plural(a->ahead));
    }
}

static void later_print(const struct study_probe *p, FILE *out)
{
    const struct study_probe_answer *a = &p->later;
    char at[64], in[64];

    label("earliest", out);
    if (a->at == GSCHED_NEVER) {
        fputs("never, as far as running jobs end by their estimates\n", out);
        return;
    }
    fprintf(out, "%s, in %s, if jobs end by their estimates\n",
            gs_instant_format(a->at, at, sizeof(at)),
            gs_duration_human(a->at - p->now, in, sizeof(in)));
    if (a->overdue) {
        label("", out);
        fprintf(out, "(%u run%s for longer already: taken to end now)\n",
                a->overdue, a->overdue == 1 ? "s" : "");
    }
    spots_print(p, a, "on", out);
    victims_print(p, a, out);
}

/* --- changes -------------------------------------------------------------- */

static void change_print(const struct study_probe *p,
                         const struct study_probe_change *c, FILE *out)
{
    const struct trace_workload *w = p->in->work;
    const struct trace_job *j = &w->job[p->job];
    char is[TOPO_AMOUNT_TEXT], then[TOPO_AMOUNT_TEXT];

    switch (c->kind) {
    case PROBE_REPLICAS:
        fprintf(out, "replicas: %u instead of %u", c->value,
                trace_group_at(w, j->first_group + c->group)->replicas);
        break;
    case PROBE_WITHIN:
        fprintf(out, "topology: %s%s instead of within %s",
                c->value ? "within " : "anywhere",
                c->value ? str(p, p->in->topo->tier[c->value - 1].name) : "",
                str(p, j->aside->within_tier));
        break;
    case PROBE_QUEUE:
        fprintf(out, "queue: %s instead of %s", queue_name(p, c->value),
                queue_name(p, j->queue));
        break;
    case PROBE_CLASS:
        fprintf(out, "priority: %s", str(p, w->klass[c->value].name));
        break;
    case PROBE_AMOUNT:
        fprintf(
            out, "queues.%s.%s.%s: %s instead of %s",
            queue_name(p, c->excess.queue),
            study_probe_amount_names[c->excess.which],
            str(p, p->in->dims.name[c->excess.dim]),
            topo_amount_text(p->in->topo, c->excess.dim, c->amount, then),
            topo_amount_text(p->in->topo, c->excess.dim, c->excess.amount, is));
        break;
    }
    if (c->victims)
        fprintf(out, "; evicts %u job%s", c->victims, plural(c->victims));
    fputc('\n', out);
}

static const char *outcome_text(const struct study_probe *p)
{
    switch (p->answer.outcome) {
    case PROBE_STARTS:
        return "would start now";
    case PROBE_EVICTS:
        return "would start now, others are evicted";
    case PROBE_WARNS:
        return "would start when others have left, who are warned now";
    case PROBE_REJECTED:
        return "would be rejected: nothing could ever run it";
    case PROBE_WAITS:
        break;
    }
    return "would wait";
}

void probe_print(const struct study_probe *p, FILE *out)
{
    const struct study_probe_answer *a = &p->answer;
    char at[64];

    fprintf(out, "%s at %s under %s: %s\n", job_name(p, p->job),
            gs_instant_format(p->now, at, sizeof(at)), p->profile->name,
            outcome_text(p));
    asked_print(p, out);
    if (a->outcome == PROBE_WAITS)
        why_print(p, out);
    if (a->outcome == PROBE_REJECTED && a->cause != GSCHED_NO_CAUSE) {
        char why[240];

        label("because", out);
        fprintf(out, "%s\n",
                study_rejection_text(p->in->topo, p->in->work, p->job,
                                     sim_cause_of(a->cause), why, sizeof(why)));
    }
    spots_print(p, a, a->outcome == PROBE_WAITS ? "holds" : "on", out);
    victims_print(p, a, out);
    if (a->outcome == PROBE_WAITS || a->outcome == PROBE_WARNS)
        later_print(p, out);
    if (a->outcome != PROBE_STARTS && p->changes == 0)
        fputs("  no change of one kind lets it start\n", out);
    for (uint32_t i = 0; i < p->changes; i++) {
        label(i ? "" : "starts with", out);
        change_print(p, &p->change[i], out);
    }
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *amounts_json(const struct study_probe *p, const int64_t *amount)
{
    json_t *all = json_object();

    for (uint32_t d = 0; d < p->in->dims.count; d++) {
        if (d != TOPO_PODS && p->answer.asked[d] > 0)
            json_object_set_new(all, str(p, p->in->dims.name[d]),
                                json_integer(amount[d]));
    }
    return all;
}

static json_t *placement_json(const struct study_probe *p,
                              const struct study_probe_answer *a)
{
    json_t *spots = json_array(), *victims = json_array();

    for (uint32_t i = 0; i < a->spots && i < PROBE_SPOTS; i++)
        json_array_append_new(
            spots,
            json_pack("{s:s, s:i, s:i, s:I}", "node",
                      str(p, p->in->topo->node_name[a->spot[i].node]), "group",
                      (int)a->spot[i].group, "tasks", (int)a->spot[i].tasks,
                      "devices", (json_int_t)a->spot[i].devices));
    for (uint32_t i = 0; i < a->victims && i < PROBE_VICTIMS; i++)
        json_array_append_new(victims,
                              json_pack("{s:s, s:i, s:b, s:s}", "job",
                                        job_name(p, a->victim[i].job), "tasks",
                                        (int)a->victim[i].tasks, "whole",
                                        a->victim[i].is_whole, "reason",
                                        reason_name(a->victim[i].reason)));
    return json_pack("{s:o, s:i, s:o, s:i, s:o}", "placements", spots,
                     "placement_count", (int)a->spots, "victims", victims,
                     "victim_count", (int)a->victims, "at_us",
                     a->at == GSCHED_NEVER ? json_null() : json_integer(a->at));
}

struct json_t *probe_excesses_json(const struct inputs *in,
                                   const struct study_probe_answer *a)
{
    json_t *all = json_array();

    for (uint32_t i = 0; i < a->excesses; i++) {
        const struct study_probe_excess *e = &a->excess[i];

        json_array_append_new(
            all,
            json_pack("{s:s, s:s, s:s, s:I, s:I, s:I}", "queue",
                      gs_strtab_str(in->names, in->work->queue[e->queue].name),
                      "setting", study_probe_amount_names[e->which], "resource",
                      gs_strtab_str(in->names, in->dims.name[e->dim]), "amount",
                      (json_int_t)e->amount, "held", (json_int_t)e->used,
                      "asked", (json_int_t)a->asked[e->dim]));
    }
    return all;
}

static json_t *why_json(const struct study_probe *p)
{
    const struct study_probe_answer *a = &p->answer;
    json_t *refusers = json_object();

    for (uint32_t i = 0; i < a->refusers; i++)
        json_object_set_new(refusers, a->refuser_of[i].name,
                            json_integer(a->refuser_of[i].nodes));
    return json_pack("{s:s, s:s?, s:i, s:o, s:o, s:i, s:i, s:o, s:i}", "cause",
                     study_cause(a->cause)->name, "refused_by",
                     a->refuser[0] ? a->refuser : NULL, "nodes", (int)a->nodes,
                     "nodes_refused_by", refusers, "queues",
                     probe_excesses_json(p->in, a), "suitable_nodes",
                     (int)a->suitable, "room", (int)a->room, "free",
                     amounts_json(p, a->free), "ahead", (int)a->ahead);
}

static json_t *change_json(const struct study_probe *p,
                           const struct study_probe_change *c)
{
    static const char *const names[] = {
        [PROBE_REPLICAS] = "replicas", [PROBE_WITHIN] = "within",
        [PROBE_QUEUE] = "queue",       [PROBE_CLASS] = "priority",
        [PROBE_AMOUNT] = "amount",
    };
    const struct trace_workload *w = p->in->work;
    json_t *to = NULL, *all;

    if (c->kind == PROBE_REPLICAS)
        to = json_integer(c->value);
    else if (c->kind == PROBE_WITHIN)
        to = c->value
                 ? json_string(str(p, p->in->topo->tier[c->value - 1].name))
                 : json_null();
    else if (c->kind == PROBE_QUEUE)
        to = json_string(queue_name(p, c->value));
    else if (c->kind == PROBE_CLASS)
        to = json_string(str(p, w->klass[c->value].name));
    else
        to = json_integer(c->amount);
    all = json_pack("{s:s, s:o, s:i}", "change", names[c->kind], "to", to,
                    "victims", (int)c->victims);
    if (c->kind == PROBE_AMOUNT) {
        json_object_set_new(all, "queue",
                            json_string(queue_name(p, c->excess.queue)));
        json_object_set_new(
            all, "setting",
            json_string(study_probe_amount_names[c->excess.which]));
        json_object_set_new(
            all, "resource",
            json_string(str(p, p->in->dims.name[c->excess.dim])));
    }
    return all;
}

void probe_print_json(const struct study_probe *p, FILE *out)
{
    static const char *const outcomes[] = {
        [PROBE_STARTS] = "starts",     [PROBE_EVICTS] = "evicts",
        [PROBE_WARNS] = "warns",       [PROBE_WAITS] = "waits",
        [PROBE_REJECTED] = "rejected",
    };
    const struct study_probe_answer *a = &p->answer;
    json_t *changes = json_array(), *all;

    for (uint32_t i = 0; i < p->changes; i++)
        json_array_append_new(changes, change_json(p, &p->change[i]));
    all = json_pack("{s:s, s:s, s:I, s:s, s:o, s:o, s:o}", "job",
                    job_name(p, p->job), "policy", p->profile->name, "at_us",
                    (json_int_t)p->now, "outcome", outcomes[a->outcome],
                    "asked", amounts_json(p, a->asked), "now",
                    placement_json(p, a), "changes", changes);
    if (a->outcome == PROBE_WAITS)
        json_object_set_new(all, "why", why_json(p));
    if (a->outcome == PROBE_WAITS || a->outcome == PROBE_WARNS) {
        json_object_set_new(all, "later", placement_json(p, &p->later));
        json_object_set_new(all, "overdue", json_integer(p->later.overdue));
    }
    json_dumpf(all, out, JSON_INDENT(2) | JSON_SORT_KEYS);
    fputc('\n', out);
    json_decref(all);
}
