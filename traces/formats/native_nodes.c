/* traces/formats/native_nodes.c - which nodes a task may stand on, or had
 * better: {label: value, ...} or a list of {key, op, values}.
 *
 * Conditions are sorted by key and operator, values by name, so that their
 * order in the file does not change the shape.
 */
#include <string.h>

#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_task.h"

struct condition_in {
    const struct gs_ynode *key, *op, *values, *value;
};

static int read_text(const struct gs_yctx *c, const struct gs_ynode *v,
                     const char *allowed, uint32_t *id, struct gs_err *err)
{
    const struct trace_workload *w = c->user;

    if (v->kind != GS_YSCALAR || gs_ynode_is_null(v)
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(c, v, allowed, err);
    *id = gs_strtab_put(w->names, v->text, v->len);
    return 0;
}

static int read_op(const struct gs_yctx *c, const struct gs_ynode *v,
                   enum topo_op *op, struct gs_err *err)
{
    const int i = gs_yread_word(c, v, topo_op_names, TOPO_OPS, err);

    *op = i < 0 ? TOPO_IN : (enum topo_op)i;
    return i < 0 ? -1 : 0;
}

static int read_values(const struct gs_yctx *c, const struct gs_ynode *list,
                       struct trace_lists *lists, struct topo_condition *to,
                       struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    uint32_t *value = &lists->value[lists->value_count];
    uint32_t n = 0;
    int rc = 0;

    if (list->kind != GS_YSEQ || list->len == 0)
        return gs_yread_refuse(c, list, "a list of at least one value", err);
    if (list->len > TRACE_VALUES_MAX - lists->value_count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, list),
                       "'nodes' may have at most %d values", TRACE_VALUES_MAX);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR || gs_ynode_is_null(v)
            || !gs_text_is_clean(v->text, v->len))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                         "'values' must be printable texts (got '%.60s')",
                         v->kind == GS_YSCALAR ? v->text : "a collection");
        else
            value[n++] = gs_strtab_put(w->names, v->text, v->len);
    }
    to->value = value;
    to->value_count = trace_models_tidy(w->names, value, n);
    lists->value_count += to->value_count;
    return rc;
}

/* Read the operand that an operator requires, and refuse others. */
static int read_operand(const struct gs_yctx *c, const struct gs_ynode *item,
                        const struct condition_in *in,
                        struct trace_lists *lists, struct topo_condition *to,
                        struct gs_err *err)
{
    const bool listed = to->op == TOPO_IN || to->op == TOPO_NOT_IN;
    const bool counted = to->op == TOPO_GT || to->op == TOPO_LT;
    const struct gs_ynode *extra = !listed && in->values   ? in->values
                                   : !counted && in->value ? in->value
                                                           : NULL;

    if (extra)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, extra->key),
                       "'%s' does not go with '%s'", extra->key->text,
                       topo_op_names[to->op]);
    if ((listed && !in->values) || (counted && !in->value))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, item), "'%s' needs '%s'",
                       topo_op_names[to->op], listed ? "values" : "value");
    if (listed)
        return read_values(c, in->values, lists, to, err);
    if (counted
        && (in->value->kind != GS_YSCALAR
            || !topo_label_number(in->value->text, &to->number)))
        return gs_yread_refuse(c, in->value, "a whole number", err);
    return 0;
}

static int read_condition(const struct gs_yctx *c, const struct gs_ynode *item,
                          struct trace_lists *lists, struct topo_condition *to,
                          struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "key", gs_yread_node, offsetof(struct condition_in, key), true },
        { "op", gs_yread_node, offsetof(struct condition_in, op), true },
        { "values", gs_yread_node, offsetof(struct condition_in, values),
          false },
        { "value", gs_yread_node, offsetof(struct condition_in, value), false },
    };
    struct condition_in in = { .key = NULL };
    int rc = gs_ynode_fields(c, item, "node condition", fields, 4, &in, err);

    if (in.key
        && read_text(c, in.key, "the name of a label", &to->key, err) < 0)
        rc = -1;
    if (!in.op || read_op(c, in.op, &to->op, err) < 0)
        return -1;
    return read_operand(c, item, &in, lists, to, err) < 0 ? -1 : rc;
}

static int read_label(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_lists *lists, struct topo_condition *to,
                      struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    uint32_t *value = &lists->value[lists->value_count++];

    if (!gs_text_is_clean(v->key->text, v->key->len))
        return gs_yread_refuse(c, v, "a label's value", err);
    to->key = gs_strtab_put(w->names, v->key->text, v->key->len);
    to->op = TOPO_IN;
    to->value = value;
    to->value_count = 1;
    return read_text(c, v, "a label's value", value, err);
}

static bool goes_before(const struct gs_strtab *names,
                        const struct topo_condition *a,
                        const struct topo_condition *b)
{
    const int order = strcmp(gs_strtab_str(names, a->key),
                             gs_strtab_str(names, b->key));

    return order ? order < 0 : a->op < b->op;
}

/* The conditions of one mapping or list, sorted, in `lists`. */
static int read_conditions(const struct gs_yctx *c, const struct gs_ynode *v,
                           struct trace_lists *lists, uint32_t *count,
                           struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    struct topo_condition *list = &lists->condition[lists->condition_count];
    const bool is_map = v->kind == GS_YMAP;
    int rc = 0;

    *count = 0;
    if (v->kind == GS_YSCALAR || v->len > TRACE_LIST_MAX)
        return gs_yread_refuse(c, v,
                               "a mapping of at most 64 labels, or a list of "
                               "{key, op, values}",
                               err);
    if (v->len > 2 * TRACE_LIST_MAX - lists->condition_count
        || v->len > TRACE_VALUES_MAX - lists->value_count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, v),
                       "a task may have at most %d conditions of nodes",
                       2 * TRACE_LIST_MAX);
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        struct topo_condition new = { .op = TOPO_IN };
        uint32_t at = *count;

        if ((is_map ? read_label : read_condition)(c, e, lists, &new, err)
            < 0) {
            rc = -1;
            continue;
        }
        for (; at > 0 && goes_before(w->names, &new, &list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = new;
        ++*count;
    }
    lists->condition_count += *count;
    return rc;
}

int trace_read_nodes(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_lists *lists, struct topo_request *q,
                     struct gs_err *err)
{
    q->selector = &lists->condition[lists->condition_count];
    return read_conditions(c, v, lists, &q->selector_count, err);
}

/* --- preferences ---------------------------------------------------------- */

int trace_yread_weight(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, TOPO_WEIGHT_MAX, dest, err);
}

struct preference_in {
    const struct gs_ynode *nodes;
    uint32_t weight;
};

static int read_preference(const struct gs_yctx *c, const struct gs_ynode *item,
                           struct trace_lists *lists,
                           struct topo_preference *to, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "nodes", gs_yread_node, offsetof(struct preference_in, nodes), true },
        { "weight", trace_yread_weight, offsetof(struct preference_in, weight),
          false },
    };
    struct preference_in in = { .weight = 1 };

    if (gs_ynode_fields(c, item, "prefer", fields, 2, &in, err) < 0)
        return -1;
    to->weight = in.weight;
    to->condition = &lists->condition[lists->condition_count];
    if (read_conditions(c, in.nodes, lists, &to->condition_count, err) < 0)
        return -1;
    return to->condition_count
               ? 0
               : gs_yread_refuse(c, in.nodes, "at least one condition", err);
}

int trace_read_prefer(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_lists *lists, struct topo_request *q,
                      struct gs_err *err)
{
    int rc = 0;

    if (v->kind != GS_YSEQ || v->len == 0 || v->len > TRACE_LIST_MAX)
        return gs_yread_refuse(c, v, "a list of at most 64 {nodes, weight}",
                               err);
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        if (read_preference(c, e, lists,
                            &lists->preference[q->preference_count], err)
            < 0)
            rc = -1;
        else
            q->preference_count++;
    }
    q->preference = lists->preference;
    return rc;
}
