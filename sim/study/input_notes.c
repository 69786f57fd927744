/* sim/study/input_notes.c - see input_notes.h. */
#include "sim/study/input_notes.h"

#include <stdbool.h>
#include <string.h>

#include "base/strtab.h"
#include "import/account.h"
#include "policies/profile/reads.h"
#include "sim/study/inputs.h"
#include "sim/study/note_line.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* Does a node have it, or a job ask for it? */
static bool is_counted(const struct inputs *in, uint32_t dim)
{
    const struct trace_workload *w = in->work;

    if (topo_dim_is_model(gs_strtab_str(in->names, in->dims.name[dim])))
        return true;
    for (uint32_t i = 0; in->topo && i < in->topo->class_count; i++) {
        if (in->topo->klass[i].capacity[dim])
            return true;
    }
    for (uint32_t i = 0; i < w->shape_count; i++) {
        if (w->shape[i].amount[dim])
            return true;
    }
    return false;
}

/* Resources that the terms of queues, quotas and limits name in vain: a wrong
 * name, mostly.
 */
void study_resources_note(struct inputs *in, struct study_notes *out)
{
    const struct trace_workload *w = in->work;

    for (uint32_t d = TOPO_DIMS_FIXED; in->topo && d < in->dims.count; d++) {
        struct gsched_setting s = { .of = "queue" };
        char at[320] = "";

        if (is_counted(in, d))
            continue;
        for (uint32_t i = w->queue_count; i-- > 0;) {
            const struct trace_queue *q = &w->queue[i];

            const struct trace_queue_amounts *a = q->amounts;

            if (!a
                || (!a->guarantee[d] && !a->deserved[d] && a->limit[d] < 0
                    && a->user_limit[d] < 0))
                continue;
            s.count++;
            s.first = q->name;
            s.line = q->line;
        }
        study_note(
            in, out,
            "resource '%.80s' has no effect: no node has it, and no job asks "
            "for it%s%s%s",
            gs_strtab_str(in->names, in->dims.name[d]), s.count ? " (" : "",
            s.count ? study_note_where(in, &s, at, sizeof(at)) : "",
            s.count ? ")" : "");
    }
}

void study_topology_note(struct inputs *in, struct study_notes *out)
{
    const struct topo *t = in->topo;

    if (t->below.line)
        study_note(
            in, out,
            "%.200s:%d:%d: tier '%.60s' has no effect: tiers below 'node' are "
            "not simulated",
            in->topology_path, t->below.line, t->below.column,
            gs_strtab_str(in->names, t->below.name));
    if (t->numa.line)
        study_note(
            in, out,
            "%.200s:%d:%d: 'numa' of node type '%.60s' has no effect: nothing "
            "reads it",
            in->topology_path, t->numa.line, t->numa.column,
            gs_strtab_str(in->names, t->numa.name));
}

#define LENT_NOTES 3 /* of each sort */

void study_lent_note(struct inputs *in, struct study_notes *out)
{
    for (int kind = 0; in->lent && kind < IMPORT_NOTES; kind++) {
        const enum import_note sort = (enum import_note)kind;
        const uint32_t notes = import_account_notes(in->lent, sort);
        const char *begins = sort == IMPORT_IGNORED ? "no effect: "
                             : sort == IMPORT_LEFT  ? "left out: "
                                                    : "";

        for (uint32_t i = 0; i < notes && i < LENT_NOTES; i++)
            study_note(in, out, "%s: %s%s", in->lent_path, begins,
                       import_account_note(in->lent, sort, i));
        if (notes > LENT_NOTES)
            study_note(in, out, "%s: %s%u more", in->lent_path, begins,
                       notes - LENT_NOTES);
    }
}

/* Another queue with the same name up to the first dot, so that both look like
 * parts of one tree; or NULL.  Queues are sorted by name, so that the two are
 * neighbours. /
 */
static const char *dotted_twin(const struct inputs *in, uint32_t queue)
{
    const struct trace_workload *w = in->work;
    const char *name = gs_strtab_str(in->names, w->queue[queue].name);
    const char *next = queue + 1 < w->queue_count
                           ? gs_strtab_str(in->names, w->queue[queue + 1].name)
                           : "";
    const size_t len = strcspn(name, ".");
    uint32_t id;

    if (!name[len])
        return NULL;
    if (strncmp(name, next, len + 1) == 0)
        return next;
    id = gs_strtab_find(in->names, name, len);
    return id != GS_STRTAB_NONE && trace_queue_find(w, id) != TRACE_NONE
               ? gs_strtab_str(in->names, id)
               : NULL;
}

void study_dots_note(struct inputs *in, struct study_notes *out)
{
    const struct trace_workload *w = in->work;

    for (uint32_t i = 0; i < w->queue_count; i++) {
        const char *twin = dotted_twin(in, i);

        if (!twin)
            continue;
        study_note(
            in, out,
            "queues '%.80s' and '%.80s' are not parts of one tree: '/' makes a "
            "path of names, '.' does not",
            gs_strtab_str(in->names, w->queue[i].name), twin);
        return;
    }
}

/* Without a speed model nothing reads what communication costs. */
void study_speed_note(struct inputs *in, struct study_notes *out)
{
    struct gsched_setting s = { .name = "communication", .of = "job" };
    const struct trace_workload *w = in->work;
    char at[320];

    for (uint32_t i = w->job_count; !in->speed && i-- > 0;) {
        if (!w->job[i].aside->communication && !w->job[i].aside->gradient)
            continue;
        s.count++;
        s.first = w->job[i].name;
        s.line = w->job[i].line;
    }
    if (s.count)
        study_note(
            in, out,
            "'communication' or 'gradient' of jobs has no effect without "
            "--speed (%s)",
            study_note_where(in, &s, at, sizeof(at)));
}
