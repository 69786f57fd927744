/* traces/formats/native_budgets.c - disruption budgets in native YAML */
#include "traces/formats/native_budgets.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_rules.h"
#include "traces/formats/write_rules.h"
#include "traces/formats/writing.h"
#include "traces/workload/budgets.h"

#define AMOUNT_ALLOWED "a whole number of tasks, or from 0% to 100% of them"

/* --- reading -------------------------------------------------------------- */

struct budget_in {
    const char *name;
    const struct gs_ynode *jobs, *min_available, *max_unavailable;
};

/* "3" or "25%" */
static int read_amount(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct trace_budget *b, struct gs_err *err)
{
    unsigned long n;
    char *end;

    if (v->kind != GS_YSCALAR || v->len == 0 || v->len > 9 || v->text[0] < '0'
        || v->text[0] > '9')
        return gs_yread_refuse(c, v, AMOUNT_ALLOWED, err);
    n = strtoul(v->text, &end, 10);
    b->is_part = *end == '%';
    if (end[b->is_part] != '\0' || (b->is_part && n > 100))
        return gs_yread_refuse(c, v, AMOUNT_ALLOWED, err);
    b->amount = (uint32_t)n;
    return 0;
}

static int read_budget(const struct gs_yctx *c, const struct gs_ynode *item,
                       struct gs_err *err)
{
#define IN(member) offsetof(struct budget_in, member)
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_text, IN(name), true },
        { "jobs", gs_yread_node, IN(jobs), true },
        { "min_available", gs_yread_node, IN(min_available), false },
        { "max_unavailable", gs_yread_node, IN(max_unavailable), false },
    };
#undef IN
    struct trace_workload *w = c->user;
    struct budget_in in = { .name = NULL };
    struct trace_budget b = { .line = (uint32_t)item->line };

    if (gs_ynode_fields(c, item, "budget", fields, 4, &in, err) < 0
        || trace_read_labels(c, in.jobs, NULL, &b.first_label, &b.label_count,
                             err)
               < 0)
        return -1;
    if (b.label_count == 0)
        return gs_yread_refuse(c, in.jobs, "at least one label of jobs", err);
    if (!in.min_available == !in.max_unavailable)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, item),
                       "a budget needs either 'min_available' or "
                       "'max_unavailable'");
    b.kind = in.min_available ? TRACE_MIN_AVAILABLE : TRACE_MAX_UNAVAILABLE;
    b.name = gs_strtab_put(w->names, in.name, strlen(in.name));
    if (read_amount(c, in.min_available ? in.min_available : in.max_unavailable,
                    &b, err)
        < 0)
        return -1;
    trace_workload_budget(w, &b);
    return 0;
}

int trace_read_budgets(const struct gs_yctx *c, const struct gs_ynode *list,
                       struct gs_err *err)
{
    int rc = 0;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ)
        return gs_yread_refuse(c, list, "a list of budgets", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (read_budget(c, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- writing -------------------------------------------------------------- */

void trace_put_budgets(FILE *out, const struct trace_workload *w)
{
    if (w->budgets->budget_count)
        fputs("budgets:\n", out);
    for (uint32_t i = 0; i < w->budgets->budget_count; i++) {
        const struct trace_budget *b = &w->budgets->budget[i];

        assert(b->label_count > 0);
        fputs("  - {name: ", out);
        trace_put_id(out, w, b->name);
        for (uint32_t k = 0; k < b->label_count; k++) {
            fputs(k ? ", " : ", jobs: {", out);
            trace_put_label(out, w, w->label[b->first_label + k]);
        }
        putc('}', out);
        fprintf(out, ", %s: %" PRIu32 "%s}\n",
                b->kind == TRACE_MIN_AVAILABLE ? "min_available"
                                               : "max_unavailable",
                b->amount, b->is_part ? "%" : "");
    }
}
