/* traces/formats/native_reservations.c - reservations of nodes in a native
 * trace.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/writing.h"
#include "traces/workload/reservations.h"

struct reservation_in {
    const char *name;
    const struct gs_ynode *start, *end, *nodes;
    bool flexible;
};

/* A time, or with an epoch a date. */
static int time_take(const struct trace_native *l, const struct gs_ynode *v,
                     int64_t epoch, int64_t *us, struct gs_err *err)
{
    if (epoch != INT64_MIN && v->kind == GS_YSCALAR
        && gs_date_parse(v->text, v->len, us) == 0) {
        *us -= epoch;
        return *us >= 0
                   ? 0
                   : gs_yread_refuse(&l->c, v, "a date after 'epoch'", err);
    }
    return gs_yread_duration(&l->c, v, us, err);
}

static int nodes_take(struct trace_native *l, const struct gs_ynode *list,
                      uint32_t **node, uint32_t *count, struct gs_err *err)
{
    uint32_t cap = 0;

    if (list->kind != GS_YSEQ || !list->child)
        return gs_yread_refuse(&l->c, list, "a list of names of nodes", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR || v->len == 0
            || !gs_text_is_clean(v->text, v->len))
            return gs_yread_refuse(&l->c, v, "the name of a node", err);
        *node = gs_array_grow(*node, &cap, *count + 1, sizeof(**node));
        (*node)[(*count)++] = gs_strtab_put(l->r->w->names, v->text, v->len);
    }
    return 0;
}

static int take_entry(struct trace_native *l, const struct gs_ynode *item,
                      int64_t epoch, struct gs_err *err)
{
#define IN(member) offsetof(struct reservation_in, member)
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_text, IN(name), true },
        { "start", gs_yread_node, IN(start), true },
        { "end", gs_yread_node, IN(end), true },
        { "nodes", gs_yread_node, IN(nodes), true },
        { "flexible", gs_yread_bool, IN(flexible), false },
    };
#undef IN
    struct reservation_in in = { NULL };
    struct trace_reservation r = { .line = (uint32_t)item->line };
    uint32_t *node = NULL, count = 0;
    int rc = gs_ynode_fields(&l->c, item, "reservation", fields, 5, &in, err);

    if (rc < 0 || time_take(l, in.start, epoch, &r.start, err) < 0
        || time_take(l, in.end, epoch, &r.end, err) < 0)
        return -1;
    if (r.start >= r.end)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, in.end),
                       "'end' must be later than 'start'");
    r.name = gs_strtab_put(l->r->w->names, in.name, strlen(in.name));
    r.is_flexible = in.flexible;
    rc = nodes_take(l, in.nodes, &node, &count, err);
    if (rc == 0)
        (void)trace_reservation_add(l->r->w, &r, node, count);
    gs_array_free(node);
    return rc;
}

int trace_native_reservations(struct trace_native *l,
                              const struct gs_ynode *list, int64_t epoch,
                              struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc = 0;

    if (list && list->kind != GS_YSEQ)
        return gs_yread_refuse(&l->c, list, "a list of reservations", err);
    for (const struct gs_ynode *v = list ? list->child : NULL; v; v = v->next) {
        if (take_entry(l, v, epoch, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        if (j->aside->reservation
            && !trace_reservation_is(w, j->aside->reservation))
            rc = gs_fail(err, GS_INPUT,
                         trace_reading_mark(l->r, (int)j->line, 0),
                         "job '%s': unknown reservation '%s'",
                         gs_strtab_str(w->names, j->name),
                         gs_strtab_str(w->names, j->aside->reservation));
    }
    return rc;
}

/* --- writing -------------------------------------------------------------- */

void trace_put_reservations(FILE *out, const struct trace_workload *w)
{
    if (w->reservations->reservation_count)
        fputs("reservations:\n", out);
    for (uint32_t i = 0; i < w->reservations->reservation_count; i++) {
        const struct trace_reservation *r = &w->reservations->reservation[i];

        fputs("  - {name: ", out);
        trace_put_id(out, w, r->name);
        fputs(", start: ", out);
        trace_put_time(out, r->start);
        fputs(", end: ", out);
        trace_put_time(out, r->end);
        for (uint32_t k = 0; k < r->node_count; k++) {
            fputs(k ? ", " : ", nodes: [", out);
            trace_put_id(out, w,
                         w->reservations->reserved_node[r->first_node + k]);
        }
        fputs(r->is_flexible ? "], flexible: true}\n" : "]}\n", out);
    }
}
