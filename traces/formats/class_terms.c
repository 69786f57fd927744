/* traces/formats/class_terms.c - the keys of priority classes, see terms.h. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_task.h"
#include "traces/formats/terms.h"
#include "traces/formats/writing.h"
#include "traces/workload/workload.h"

struct class_in {
    int32_t value;
    const struct gs_ynode *preemption;
};

static int victims_take(const struct gs_yctx *c, const struct gs_ynode *list,
                        struct trace_class *klass, struct gs_err *err)
{
    struct trace_workload *w = c->user;
    uint32_t name[TRACE_VICTIMS_MAX], n = 0;

    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR || v->len == 0
            || !gs_text_is_clean(v->text, v->len))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                           "'preemption' must be never, lower or a list of "
                           "priority classes");
        if (n == TRACE_VICTIMS_MAX)
            return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, v),
                           "a class may evict at most %d listed classes",
                           TRACE_VICTIMS_MAX);
        name[n++] = gs_strtab_put(w->names, v->text, v->len);
    }
    klass->preempts = n > 0;
    klass->victim_count = n;
    if (n)
        klass->first_victim = trace_workload_victims(w, name, n);
    return 0;
}

static int preemption_take(const struct gs_yctx *c, const struct gs_ynode *v,
                           struct trace_class *klass, struct gs_err *err)
{
    static const char *const word[] = { "never", "lower" };
    int i;

    if (v->kind == GS_YSEQ)
        return victims_take(c, v, klass, err);
    i = gs_yread_word(c, v, word, 2, err);
    klass->preempts = i == 1;
    klass->victim_count = 0;
    return i < 0 ? -1 : 0;
}

int trace_class_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      bool is_new, struct trace_class *klass,
                      struct gs_err *err)
{
    const struct gs_yfield fields[] = {
        { "value", gs_yread_i32, offsetof(struct class_in, value), is_new },
        { "preemption", gs_yread_node, offsetof(struct class_in, preemption),
          false },
    };
    struct class_in in = { .value = klass->value };

    if (gs_ynode_fields(c, map, "priority class", fields, 2, &in, err) < 0)
        return -1;
    klass->value = in.value;
    return in.preemption ? preemption_take(c, in.preemption, klass, err) : 0;
}

int trace_class_victims_check(const struct gs_yctx *c,
                              const struct gs_ynode *map, struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    const struct gs_ynode *v = map->kind == GS_YMAP ? map->child : NULL;
    int rc = 0;

    while (v && strcmp(v->key->text, "preemption") != 0)
        v = v->next;
    if (!v || v->kind != GS_YSEQ)
        return 0;
    for (v = v->child; v; v = v->next) {
        if (v->kind == GS_YSCALAR
            && trace_class_find(w, gs_strtab_find(w->names, v->text, v->len))
                   == TRACE_NONE)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                         "unknown priority class '%s'", v->text);
    }
    return rc;
}

/* Take away classes that no other lists, again and again: what is left lists
 * itself.
 */
int trace_class_loops_check(const struct trace_workload *w, const char *source,
                            struct gs_err *err)
{
    uint32_t *listed = gs_array_new(w->class_count, sizeof(*listed));
    uint32_t *free_of = gs_array_new(w->class_count, sizeof(*free_of));
    uint32_t n = 0;
    int rc = 0;

    for (uint32_t k = 0; k < w->class_count; k++) {
        for (uint32_t i = 0; i < w->klass[k].victim_count; i++)
            listed[trace_class_find(w,
                                    w->victim[w->klass[k].first_victim + i])]++;
    }
    for (uint32_t k = 0; k < w->class_count; k++) {
        if (!listed[k])
            free_of[n++] = k;
    }
    for (uint32_t at = 0; at < n; at++) {
        const struct trace_class *c = &w->klass[free_of[at]];

        for (uint32_t i = 0; i < c->victim_count; i++) {
            const uint32_t k = trace_class_find(w,
                                                w->victim[c->first_victim + i]);

            if (--listed[k] == 0)
                free_of[n++] = k;
        }
    }
    for (uint32_t k = 0; n < w->class_count && rc == 0; k++) {
        const struct gs_mark at = { .source = source,
                                    .line = (int)w->klass[k].line };

        if (listed[k] && w->klass[k].victim_count)
            rc = gs_fail(err, GS_INPUT, at,
                         "priority class '%s' may evict jobs of classes that "
                         "may evict its own",
                         gs_strtab_str(w->names, w->klass[k].name));
    }
    gs_array_free(listed);
    gs_array_free(free_of);
    return rc;
}

/* --- writing -------------------------------------------------------------- */

static void put_preemption(FILE *out, const struct trace_workload *w,
                           const struct trace_class *c)
{
    if (!c->preempts)
        fputs(", preemption: never", out);
    for (uint32_t i = 0; i < c->victim_count; i++) {
        fputs(i ? ", " : ", preemption: [", out);
        trace_put_id(out, w, w->victim[c->first_victim + i]);
    }
    if (c->victim_count)
        fputs("]", out);
}

void trace_put_classes(FILE *out, const struct trace_workload *w)
{
    bool any = false;

    for (uint32_t i = 1; i < w->class_count; i++) {
        if (trace_class_is_number(w, i))
            continue;
        if (!any)
            fputs("priority_classes:\n", out);
        any = true;
        fputs("  ", out);
        trace_put_id(out, w, w->klass[i].name);
        fprintf(out, ": {value: %" PRId32, w->klass[i].value);
        put_preemption(out, w, &w->klass[i]);
        fputs("}\n", out);
    }
}
