/* traces/formats/native_flavors.c - flavors of a trace, and of a queue, see
 * native.h and terms.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/native_task.h"
#include "traces/formats/terms.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

/* --- flavors of a queue --------------------------------------------------- */

struct queue_flavor_in {
    const struct gs_ynode *name, *guarantee, *borrow, *lend;
};

static uint32_t flavor_named(const struct gs_yctx *c, const struct gs_ynode *v,
                             struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    uint32_t flavor = TRACE_NONE;

    if (v->kind != GS_YSCALAR) {
        (void)gs_yread_refuse(c, v, "the name of a flavor", err);
        return TRACE_NONE;
    }
    flavor = trace_flavor_find(w, gs_strtab_put(w->names, v->text, v->len));
    if (flavor == TRACE_NONE)
        (void)gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                      "no entry of 'flavors' is called '%s'", v->text);
    return flavor;
}

static int queue_flavor_take(const struct gs_yctx *c,
                             const struct gs_ynode *item,
                             struct trace_queue_extra *extra,
                             struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_node, offsetof(struct queue_flavor_in, name), true },
        { "guarantee", gs_yread_node,
          offsetof(struct queue_flavor_in, guarantee), true },
        { "borrow", gs_yread_node, offsetof(struct queue_flavor_in, borrow),
          false },
        { "lend", gs_yread_node, offsetof(struct queue_flavor_in, lend),
          false },
    };
    struct trace_workload *w = c->user;
    struct queue_flavor_in in = { NULL };
    struct trace_queue_flavor *f;
    uint32_t flavor;
    int rc = gs_ynode_fields(c, item, "flavor", fields, 4, &in, err);

    if (!in.name || !in.guarantee)
        return -1;
    flavor = flavor_named(c, in.name, err);
    if (flavor == TRACE_NONE)
        return -1;
    f = trace_queue_flavor_add(w, extra, flavor);
    if (trace_amounts_take(c, in.guarantee, f->guarantee, err) < 0
        || (in.borrow && trace_amounts_take(c, in.borrow, f->borrow, err) < 0)
        || (in.lend && trace_amounts_take(c, in.lend, f->lend, err) < 0))
        rc = -1;
    for (uint32_t i = 0; i + 1 < extra->flavor_count; i++) {
        const struct trace_queue_flavor *other =
            &w->terms->queue_flavor[extra->first_flavor + i];

        if (other->flavor == flavor)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, in.name),
                           "two flavors of the queue are called '%s'",
                           in.name->text);
        if (rc == 0 && !trace_queue_flavors_agree(f, other))
            return gs_fail(
                err, GS_INPUT, gs_ynode_mark(c, in.guarantee),
                "flavors '%s' and '%s' of the queue must cover the same "
                "resources, or none in common",
                gs_strtab_str(w->names, w->terms->flavor[other->flavor].name),
                in.name->text);
    }
    return rc;
}

int trace_queue_flavors_take(const struct gs_yctx *c,
                             const struct gs_ynode *list,
                             struct trace_queue_extra *extra,
                             struct gs_err *err)
{
    int rc = 0;

    extra->flavor_count = 0;
    if (list->kind != GS_YSEQ || list->len > TRACE_QUEUE_FLAVORS_MAX)
        return gs_yread_refuse(c, list, "a list of at most 64 flavors", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (queue_flavor_take(c, v, extra, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- flavors that tasks hold ---------------------------------------------- */

int trace_read_held(struct trace_native *l, const struct gs_ynode *list,
                    struct trace_group *g, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    uint32_t name[TRACE_HELD_MAX] = { 0 }, n = 0;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ || list->len > TRACE_HELD_MAX)
        return gs_yread_refuse(&l->c, list, "a list of at most 64 flavors",
                               err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR)
            return gs_yread_refuse(&l->c, v, "the name of a flavor", err);
        name[n] = gs_strtab_put(w->names, v->text, v->len);
        l->flavor = gs_array_grow(l->flavor, &l->flavor_cap, name[n] + 1,
                                  sizeof(*l->flavor));
        if (l->flavor[name[n]].line == 0) {
            l->flavor[name[n]].line = v->line;
            l->flavor[name[n]].column = v->column;
        }
        n++;
    }
    g->first_held = trace_workload_held(w, name, n);
    g->held_count = (uint8_t)n;
    return 0;
}

/* Those that tasks hold are defined. */
static int held_check(const struct trace_native *l, struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < l->flavor_cap; i++) {
        if (l->flavor[i].line == 0
            || trace_flavor_find(l->r->w, i) != TRACE_NONE)
            continue;
        rc = gs_fail(
            err, GS_INPUT,
            trace_reading_mark(l->r, l->flavor[i].line, l->flavor[i].column),
            "no entry of 'flavors' is called '%s'",
            gs_strtab_str(l->r->w->names, i));
        if (!gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- flavors of the trace ------------------------------------------------- */

struct flavor_in {
    const struct gs_ynode *name, *nodes, *taints, *tolerations, *topology;
};

static int labels_take(const struct gs_yctx *c, const struct gs_ynode *map,
                       struct trace_flavor *f, struct gs_err *err)
{
    struct trace_workload *w = c->user;
    struct topo_label label[TRACE_LIST_MAX];
    uint32_t n = 0;

    if (map->kind != GS_YMAP || map->len > TRACE_LIST_MAX)
        return gs_yread_refuse(
            c, map, "a mapping of at most 64 labels of nodes to values", err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR || gs_ynode_is_null(v) || v->key->len == 0
            || !gs_text_is_clean(v->text, v->len)
            || !gs_text_is_clean(v->key->text, v->key->len))
            return gs_yread_refuse(c, v, "a printable value of a label", err);
        label[n].key = gs_strtab_put(w->names, v->key->text, v->key->len);
        label[n++].value = gs_strtab_put(w->names, v->text, v->len);
    }
    f->label = gs_arena_memdup(w->arena, label, n * sizeof(*label));
    f->label_count = n;
    return 0;
}

static int taints_take(const struct gs_yctx *c, const struct gs_ynode *list,
                       const struct topo_taint **out, uint32_t *count,
                       struct gs_err *err)
{
    static const char allowed[] =
        "a list of taints such as key=value:NoSchedule";
    struct trace_workload *w = c->user;
    struct topo_taint taint[TRACE_LIST_MAX];
    uint32_t n = 0;

    if (list->kind != GS_YSEQ || list->len > TRACE_LIST_MAX)
        return gs_yread_refuse(c, list, allowed, err);
    for (const struct gs_ynode *t = list->child; t; t = t->next) {
        if (t->kind != GS_YSCALAR || !gs_text_is_clean(t->text, t->len)
            || topo_taint_parse(w->names, t->text, &taint[n]) < 0
            || taint[n].effect == TOPO_ANY_EFFECT)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, t),
                           "'%s' must be %s (got '%s')", list->key->text,
                           allowed,
                           t->kind == GS_YSCALAR ? t->text : "a collection");
        n++;
    }
    *out = gs_arena_memdup(w->arena, taint, n * sizeof(*taint));
    *count = n;
    return 0;
}

static int tolerations_take(const struct gs_yctx *c,
                            const struct gs_ynode *list, struct trace_flavor *f,
                            struct gs_err *err)
{
    struct trace_workload *w = c->user;
    struct topo_request q = { .gpus = 0 };
    struct trace_lists *lists = gs_array_new(1, sizeof(*lists));
    const int rc = trace_read_tolerations(c, list, lists, &q, err);

    f->toleration = gs_arena_memdup(
        w->arena, q.toleration, q.toleration_count * sizeof(*f->toleration));
    f->toleration_count = q.toleration_count;
    gs_array_free(lists);
    return rc;
}

static int flavor_take(struct trace_native *l, const struct gs_ynode *item,
                       struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_node, offsetof(struct flavor_in, name), true },
        { "nodes", gs_yread_node, offsetof(struct flavor_in, nodes), false },
        { "taints", gs_yread_node, offsetof(struct flavor_in, taints), false },
        { "tolerations", gs_yread_node, offsetof(struct flavor_in, tolerations),
          false },
        { "topology", gs_yread_node, offsetof(struct flavor_in, topology),
          false },
    };
    struct trace_workload *w = l->r->w;
    bool placed;
    struct flavor_in in = { NULL };
    struct trace_flavor f = { .line = (uint32_t)item->line };
    uint32_t i;
    int rc = gs_ynode_fields(&l->c, item, "flavor", fields, 5, &in, err);

    if (!in.name)
        return -1;
    if (in.name->kind != GS_YSCALAR || gs_ynode_is_null(in.name)
        || in.name->len == 0 || !gs_text_is_clean(in.name->text, in.name->len))
        return gs_yread_refuse(&l->c, in.name, "a printable name", err);
    f.name = gs_strtab_put(w->names, in.name->text, in.name->len);
    if (trace_flavor_find(w, f.name) != TRACE_NONE)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, in.name),
                       "two flavors are called '%s'", in.name->text);
    if (in.nodes && labels_take(&l->c, in.nodes, &f, err) < 0)
        rc = -1;
    if (in.taints
        && taints_take(&l->c, in.taints, &f.taint, &f.taint_count, err) < 0)
        rc = -1;
    if (in.tolerations && tolerations_take(&l->c, in.tolerations, &f, err) < 0)
        rc = -1;
    if (in.topology && gs_yread_bool(&l->c, in.topology, &placed, err) < 0)
        rc = -1;
    else if (in.topology)
        f.of = placed ? TRACE_OF_PLACED : TRACE_OF_LOOSE;
    i = trace_flavor_put(w, f.name);
    w->terms->flavor[i] = f;
    return rc;
}

int trace_native_flavors(struct trace_native *l, const struct gs_ynode *list,
                         struct gs_err *err)
{
    int rc = 0;

    if (list && (list->kind != GS_YSEQ || list->len > TRACE_FLAVORS_MAX))
        return gs_yread_refuse(&l->c, list, "a list of at most 1000 flavors",
                               err);
    for (const struct gs_ynode *v = list ? list->child : NULL; v; v = v->next) {
        if (flavor_take(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return held_check(l, err) < 0 ? -1 : rc;
}
