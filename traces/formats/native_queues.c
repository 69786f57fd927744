/* traces/formats/native_queues.c - queues and priority classes of a native
 * trace.
 */
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/native_task.h"
#include "traces/formats/terms.h"

/* Record the first use of queue or class `i` by the job at `v`. */
static void note_use(struct trace_use **use, uint32_t *cap, uint32_t i,
                     const struct gs_ynode *v)
{
    *use = gs_array_grow(*use, cap, i + 1, sizeof(**use));
    if ((*use)[i].line == 0) {
        (*use)[i].line = v->line;
        (*use)[i].column = v->column;
    }
}

int trace_native_queue(struct trace_native *l, const struct gs_ynode *v,
                       uint32_t *queue, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;

    *queue = 0;
    if (!v)
        return 0;
    if (v->kind != GS_YSCALAR || !trace_queue_name_ok(v->text)
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(&l->c, v, TRACE_QUEUE_ALLOWED, err);
    *queue = trace_queue_put(w, gs_strtab_put(w->names, v->text, v->len));
    note_use(&l->queue, &l->queue_cap, *queue, v);
    return 0;
}

int trace_native_priority(struct trace_native *l, const struct gs_ynode *v,
                          uint32_t *klass, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    int32_t value;

    *klass = 0;
    if (!v)
        return 0;
    if (v->kind != GS_YSCALAR || v->len == 0
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(&l->c, v, "a class or a whole number", err);
    if (!v->quoted && strchr("+-0123456789", v->text[0])) {
        if (gs_yread_i32(&l->c, v, &value, err) < 0)
            return -1;
        *klass = trace_class_value(w, value);
        return 0;
    }
    *klass = trace_class_put(w, gs_strtab_put(w->names, v->text, v->len));
    note_use(&l->klass, &l->class_cap, *klass, v);
    return 0;
}

static int take_queue_entry(struct trace_native *l, const struct gs_ynode *item,
                            struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    struct trace_queue in = trace_queue_bare(0, TRACE_NONE);
    const struct gs_ynode *name = NULL;
    uint32_t i;
    const int rc = trace_queue_terms(&l->c, item, &name, &in, err);

    if (!name)
        return -1;
    if (name->kind != GS_YSCALAR || !trace_queue_name_ok(name->text)
        || !gs_text_is_clean(name->text, name->len))
        return gs_yread_refuse(&l->c, name, TRACE_QUEUE_ALLOWED, err);
    i = trace_queue_put(w, gs_strtab_put(w->names, name->text, name->len));
    l->queue = gs_array_grow(l->queue, &l->queue_cap, w->queue_count,
                             sizeof(*l->queue));
    if (l->queue[i].defined)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, name),
                       "two queues are called '%s'", name->text);
    l->queue[i].defined = true;
    in.name = w->queue[i].name;
    in.parent = w->queue[i].parent;
    in.line = (uint32_t)item->line;
    w->queue[i] = in;
    for (; i != TRACE_NONE; i = w->queue[i].parent)
        l->queue[i].known = true;
    return rc;
}

/* Collect the known names of queues or classes, for gs_nearest.  Returns their
 * number.
 */
static uint32_t known_names(const struct trace_native *l,
                            const struct trace_use *use, uint32_t count,
                            const char **out)
{
    const struct trace_workload *w = l->r->w;
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (use[i].known)
            out[n++] = gs_strtab_str(w->names, use == l->queue
                                                   ? w->queue[i].name
                                                   : w->klass[i].name);
    }
    return n;
}

/* Check that every queue or class that jobs name is known. */
static int check_uses(struct trace_native *l, const struct trace_use *use,
                      uint32_t count, struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    const bool queues = use == l->queue;
    const char **names = gs_array_new(count, sizeof(*names));
    const uint32_t n = known_names(l, use, count, names);
    int rc = 0;

    for (uint32_t i = 0; i < count; i++) {
        const char *name = gs_strtab_str(w->names, queues ? w->queue[i].name
                                                          : w->klass[i].name);
        const char *near;

        if (use[i].known || !use[i].line)
            continue;
        near = gs_nearest(name, names, n);
        rc = gs_fail(
            err, GS_INPUT, trace_reading_mark(l->r, use[i].line, use[i].column),
            "unknown %s '%s'%s%s%s", queues ? "queue" : "priority class", name,
            near ? " (did you mean '" : "", near ? near : "",
            near ? "'?)" : "");
    }
    gs_array_free(names);
    return rc;
}

int trace_native_queues(struct trace_native *l, const struct gs_ynode *list,
                        struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc = 0;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ)
        return gs_yread_refuse(&l->c, list, "a list of queues", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (take_queue_entry(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    l->queue = gs_array_grow(l->queue, &l->queue_cap, w->queue_count,
                             sizeof(*l->queue));
    l->queue[0].known = true;
    if (check_uses(l, l->queue, w->queue_count, err) < 0)
        return -1;
    return rc;
}

static int take_class_entry(struct trace_native *l, const struct gs_ynode *v,
                            struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    const struct gs_ynode *key = v->key;
    struct trace_class in = { .preempts = true };
    uint32_t i;
    const int rc = trace_class_terms(&l->c, v, true, &in, err);

    if (key->len == 0 || !gs_text_is_clean(key->text, key->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, key),
                       "a priority class needs a printable name");
    i = trace_class_put(w, gs_strtab_put(w->names, key->text, key->len));
    in.name = w->klass[i].name;
    in.line = (uint32_t)key->line;
    w->klass[i] = in;
    l->klass = gs_array_grow(l->klass, &l->class_cap, w->class_count,
                             sizeof(*l->klass));
    l->klass[i].known = true;
    return rc;
}

int trace_native_classes(struct trace_native *l, const struct gs_ynode *map,
                         struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc = 0;

    if (map && map->kind != GS_YMAP)
        return gs_yread_refuse(&l->c, map, "a mapping of classes", err);
    for (const struct gs_ynode *v = map ? map->child : NULL; v; v = v->next) {
        if (take_class_entry(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    l->klass = gs_array_grow(l->klass, &l->class_cap, w->class_count,
                             sizeof(*l->klass));
    if (check_uses(l, l->klass, w->class_count, err) < 0)
        return -1;
    for (const struct gs_ynode *v = map ? map->child : NULL; v && rc == 0;
         v = v->next)
        rc = trace_class_victims_check(&l->c, v, err);
    return rc < 0 ? rc : trace_class_loops_check(w, l->c.source, err);
}
