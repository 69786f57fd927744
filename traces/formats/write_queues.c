/* traces/formats/write_queues.c - flavors and queues in native YAML. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strtab.h"
#include "base/yamltext.h"
#include "traces/formats/writing.h"
#include "traces/workload/queue_terms.h"

void trace_put_taints(FILE *out, const struct trace_workload *w,
                      const char *key, const struct topo_taint *list,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_taint *t = &list[i];

        if (i)
            fputs(", \"", out);
        else
            fprintf(out, ", %s: [\"", key);
        if (t->key)
            trace_put_inside(out, w, t->key);
        else
            putc('*', out);
        if (t->value)
            putc('=', out);
        if (t->value != TOPO_NO_VALUE)
            trace_put_inside(out, w, t->value);
        if (t->effect < TOPO_EFFECTS)
            fprintf(out, ":%s", topo_effect_names[t->effect]);
        putc('"', out);
    }
    if (count)
        putc(']', out);
}

void trace_put_flavors(FILE *out, const struct trace_workload *w)
{
    if (w->terms->flavor_count)
        fputs("flavors:\n", out);
    for (uint32_t i = 0; i < w->terms->flavor_count; i++) {
        const struct trace_flavor *f = &w->terms->flavor[i];

        fputs("  - {name: ", out);
        trace_put_id(out, w, f->name);
        for (uint32_t k = 0; k < f->label_count; k++) {
            fputs(k ? ", " : ", nodes: {", out);
            trace_put_id(out, w, f->label[k].key);
            fputs(": ", out);
            trace_put_id(out, w, f->label[k].value);
        }
        if (f->label_count)
            putc('}', out);
        trace_put_taints(out, w, "taints", f->taint, f->taint_count);
        trace_put_taints(out, w, "tolerations", f->toleration,
                         f->toleration_count);
        if (f->of != TRACE_OF_ALL)
            fprintf(out, ", topology: %s",
                    f->of == TRACE_OF_PLACED ? "true" : "false");
        fputs("}\n", out);
    }
}

static void put_over_quota(FILE *out, const struct trace_workload *w,
                           const double *weight)
{
    bool any = false;

    for (uint32_t d = 0; d < w->dims->count; d++) {
        if (weight[d] < 0)
            continue;
        fputs(any ? ", " : ", over_quota: {", out);
        any = true;
        trace_put_id(out, w, w->dims->name[d]);
        fprintf(out, ": %.17g", weight[d]);
    }
    if (any)
        putc('}', out);
}

static void put_queue_flavors(FILE *out, const struct trace_workload *w,
                              const struct trace_queue_extra *x)
{
    for (uint32_t i = 0; i < x->flavor_count; i++) {
        const struct trace_queue_flavor *f =
            &w->terms->queue_flavor[x->first_flavor + i];

        fputs(i ? ", {name: " : ", flavors: [{name: ", out);
        trace_put_id(out, w, w->terms->flavor[f->flavor].name);
        if (!trace_put_amounts(out, w, ", ", "guarantee", f->guarantee, 0, -1))
            fputs(", guarantee: {}", out);
        (void)trace_put_amounts(out, w, ", ", "borrow", f->borrow, 0, -1);
        (void)trace_put_amounts(out, w, ", ", "lend", f->lend, 0, -1);
        putc('}', out);
    }
    if (x->flavor_count)
        putc(']', out);
}

/* "KEY: [a, b], " */
static void put_names(FILE *out, const struct trace_workload *w,
                      const char *key, const uint32_t *name, uint32_t count,
                      const char *before)
{
    if (count)
        fprintf(out, "%s%s: [", before, key);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        trace_put_id(out, w, name[i]);
    }
    if (count)
        putc(']', out);
}

static void put_user_limits(FILE *out, const struct trace_workload *w,
                            const struct trace_queue_extra *x)
{
    for (uint32_t i = 0; i < x->user_limits; i++) {
        const struct trace_user_limit *l =
            &w->terms->user_limit[x->first_user_limit + i];
        const uint32_t *name = w->terms->limited + l->first_name;

        fputs(i ? ", {" : ", user_limits: [{", out);
        put_names(out, w, "users", name, l->users, "");
        put_names(out, w, "groups", name + l->users, l->groups,
                  l->users ? ", " : "");
        (void)trace_put_amounts(out, w, ", ", "limit", l->limit, 0, -1);
        if (l->max_jobs >= 0)
            fprintf(out, ", max_jobs: %" PRId64, l->max_jobs);
        putc('}', out);
    }
    if (x->user_limits)
        putc(']', out);
}

static void put_terms(FILE *out, const struct trace_queue_extra *x)
{
    for (int t = 0; t < TRACE_QUEUE_TERMS; t++) {
        const struct trace_term_info *info = &trace_term_info[t];

        if (x->term[t] == info->fallback)
            continue;
        fprintf(out, ", %s: ", info->key);
        if (info->type == TRACE_TERM_TIME)
            trace_put_time(out, x->term[t]);
        else if (info->type == TRACE_TERM_YESNO)
            fputs(x->term[t] ? "true" : "false", out);
        else if (info->type == TRACE_TERM_WORD)
            fputs(info->words[x->term[t]], out);
        else
            fprintf(out, "%" PRId64, x->term[t]);
    }
}

static void put_extra(FILE *out, const struct trace_workload *w,
                      const struct trace_queue_extra *x)
{
    (void)trace_put_amounts(out, w, ", ", "borrow", x->borrow, 0, -1);
    (void)trace_put_amounts(out, w, ", ", "lend", x->lend, 0, -1);
    put_over_quota(out, w, x->over_quota);
    put_queue_flavors(out, w, x);
    put_user_limits(out, w, x);
    put_terms(out, x);
}

void trace_put_queues(FILE *out, const struct trace_workload *w)
{
    const uint32_t first = trace_queue_has_terms(&w->queue[0]) ? 0 : 1;

    if (first < w->queue_count)
        fputs("queues:\n", out);
    for (uint32_t i = first; i < w->queue_count; i++) {
        const struct trace_queue *q = &w->queue[i];
        const struct trace_queue_amounts *a = trace_queue_amounts(q);

        fputs("  - {name: ", out);
        trace_put_id(out, w, q->name);
        fprintf(out, ", weight: %.17g", q->weight);
        (void)trace_put_amounts(out, w, ", ", "guarantee", a->guarantee, 0, 0);
        (void)trace_put_amounts(out, w, ", ", "deserved", a->deserved, 0, 0);
        (void)trace_put_amounts(out, w, ", ", "limit", a->limit, 0, -1);
        (void)trace_put_amounts(out, w, ", ", "user_limit", a->user_limit, 0,
                                -1);
        if (q->priority)
            fprintf(out, ", priority: %" PRId32, q->priority);
        if (q->closed)
            fputs(", state: closed", out);
        if (q->keeps)
            fputs(", reclaimable: false", out);
        if (q->extra)
            put_extra(out, w, trace_queue_extra(w, q));
        fputs("}\n", out);
    }
}
