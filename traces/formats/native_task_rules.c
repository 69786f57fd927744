/* traces/formats/native_task_rules.c - the key `task_affinity` of a job, read
 * and written.
 *
 *   task_affinity: {together: [[ps, worker]], apart: [[ps]], order: [ps]}
 *
 * A list of one name relates tasks of that name to one another; groups of one
 * name are one kind of tasks.
 */

#include "base/array.h"
#include "base/strtab.h"
#include "traces/formats/native.h"
#include "traces/formats/writing.h"
#include "traces/workload/task_rules.h"

/* The key as it is read. */
struct rules_in {
    const struct gs_ynode *together, *apart, *order;
};

/* --- reading -------------------------------------------------------------- */

static uint32_t name_of(const struct trace_native *l, const struct gs_ynode *v)
{
    return v->kind == GS_YSCALAR && v->len
               ? gs_strtab_put(l->r->w->names, v->text, v->len)
               : 0;
}

/* True when a group of the job has the name of `v`. */
static bool is_known(const struct trace_native *l, const struct trace_job *job,
                     const struct gs_ynode *v)
{
    const uint32_t name = name_of(l, v);

    for (uint32_t g = 0; name && g < job->group_count; g++) {
        if (l->group[g].name == name)
            return true;
    }
    return false;
}

/* Check that `list` has names of tasks of the job, each once. */
static int names_check(const struct trace_native *l,
                       const struct trace_job *job, const struct gs_ynode *list,
                       struct gs_err *err)
{
    if (list->kind != GS_YSEQ || !list->child)
        return gs_yread_refuse(&l->c, list, "a list of names of tasks", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (!is_known(l, job, v))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                           "'task_affinity' must name tasks of the job, by "
                           "their 'name' (got '%s')",
                           v->kind == GS_YSCALAR ? v->text
                                                 : "a list or mapping");
        for (const struct gs_ynode *x = list->child; x != v; x = x->next) {
            if (name_of(l, x) == name_of(l, v))
                return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                               "'%s' is listed twice", v->text);
        }
    }
    return 0;
}

static int lists_read(const struct trace_native *l, const struct trace_job *job,
                      const struct gs_ynode *lists, uint64_t *relation,
                      struct gs_err *err)
{
    if (!lists)
        return 0;
    if (lists->kind != GS_YSEQ)
        return gs_yread_refuse(&l->c, lists, "a list of lists of tasks", err);
    for (const struct gs_ynode *v = lists->child; v; v = v->next) {
        if (names_check(l, job, v, err) < 0)
            return -1;
        for (const struct gs_ynode *y = v->child; y; y = y->next) {
            for (const struct gs_ynode *x = v->child; x != y; x = x->next)
                trace_task_rules_relate(relation, l->group, job->group_count,
                                        name_of(l, x), name_of(l, y));
        }
        if (!v->child->next)
            trace_task_rules_relate(relation, l->group, job->group_count,
                                    name_of(l, v->child), name_of(l, v->child));
    }
    return 0;
}

static int order_read(const struct trace_native *l, const struct trace_job *job,
                      const struct gs_ynode *list, uint8_t *order,
                      struct gs_err *err)
{
    uint8_t at = 1;

    if (!list)
        return 0;
    if (names_check(l, job, list, err) < 0)
        return -1;
    for (const struct gs_ynode *v = list->child; v; v = v->next, at++) {
        for (uint32_t g = 0; g < job->group_count; g++) {
            if (l->group[g].name == name_of(l, v))
                order[g] = at;
        }
    }
    return 0;
}

int trace_read_task_rules(const struct trace_native *l,
                          const struct gs_ynode *v, struct trace_job *job,
                          struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "together", gs_yread_node, offsetof(struct rules_in, together),
          false },
        { "apart", gs_yread_node, offsetof(struct rules_in, apart), false },
        { "order", gs_yread_node, offsetof(struct rules_in, order), false },
    };
    struct trace_task_rules rules = { 0 };
    struct rules_in in = { 0 };

    if (!v)
        return 0;
    if (gs_ynode_fields(&l->c, v, "task_affinity", fields, 3, &in, err) < 0)
        return -1;
    if (job->group_count > TRACE_TASK_KINDS_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'task_affinity' allows at most %d kinds of tasks (got "
                       "%u)",
                       TRACE_TASK_KINDS_MAX, job->group_count);
    if (lists_read(l, job, in.together, rules.together, err) < 0
        || lists_read(l, job, in.apart, rules.apart, err) < 0
        || order_read(l, job, in.order, rules.order, err) < 0)
        return -1;
    job->aside->task_rules = trace_workload_task_rules(l->r->w, &rules);
    return 0;
}

/* --- writing -------------------------------------------------------------- */

static uint32_t name_at(const struct trace_workload *w,
                        const struct trace_job *j, uint32_t g)
{
    return trace_group_at(w, j->first_group + g)->name;
}

/* True when no earlier group of the job has the name of group `g`. */
static bool is_first(const struct trace_workload *w, const struct trace_job *j,
                     uint32_t g)
{
    for (uint32_t i = 0; i < g; i++) {
        if (name_at(w, j, i) == name_at(w, j, g))
            return false;
    }
    return true;
}

/* "KEY: [[a, b], [c]]" of a relation; `before` with what comes before it.
 * Returns what comes before the next one.
 */
static const char *put_relation(FILE *out, const struct trace_workload *w,
                                const struct trace_job *j, const char *before,
                                const char *key, const uint64_t *relation)
{
    bool any = false;

    for (uint32_t g = 0; g < j->group_count; g++) {
        for (uint32_t h = g; h < j->group_count && is_first(w, j, g); h++) {
            if (!(relation[g] >> h & 1) || !is_first(w, j, h))
                continue;
            if (any)
                fputs(", [", out);
            else
                fprintf(out, "%s%s: [[", before, key);
            any = true;
            trace_put_id(out, w, name_at(w, j, g));
            if (h != g) {
                fputs(", ", out);
                trace_put_id(out, w, name_at(w, j, h));
            }
            fputs("]", out);
        }
    }
    fputs(any ? "]" : "", out);
    return any ? ", " : before;
}

static void put_order(FILE *out, const struct trace_workload *w,
                      const struct trace_job *j, const char *before,
                      const uint8_t *order)
{
    bool any = false;

    for (uint32_t at = 1; at <= TRACE_TASK_KINDS_MAX; at++) {
        for (uint32_t g = 0; g < j->group_count; g++) {
            if (order[g] != at || !is_first(w, j, g))
                continue;
            if (any)
                fputs(", ", out);
            else
                fprintf(out, "%sorder: [", before);
            any = true;
            trace_put_id(out, w, name_at(w, j, g));
        }
    }
    fputs(any ? "]" : "", out);
}

void trace_put_task_rules(FILE *out, const struct trace_workload *w,
                          const struct trace_job *j)
{
    const struct trace_task_rules *r =
        j->aside->task_rules ? &w->task_rules[j->aside->task_rules - 1] : NULL;
    const char *before;

    if (!r)
        return;
    fputs(", task_affinity: {", out);
    before = put_relation(out, w, j, "", "together", r->together);
    before = put_relation(out, w, j, before, "apart", r->apart);
    put_order(out, w, j, before, r->order);
    fputs("}", out);
}
