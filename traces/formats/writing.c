/* traces/formats/writing.c - code shared by both native writers. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/yamltext.h"
#include "traces/formats/writing.h"

int trace_writing_check(const struct trace_workload *w, struct gs_err *err)
{
    bool *met = gs_array_new(gs_strtab_count(w->names), sizeof(*met));
    int rc = 0;

    assert(w);
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++) {
        const uint32_t name = w->job[i].name;

        if (met[name])
            rc = gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                         "a native trace cannot have two jobs called '%s'",
                         gs_strtab_str(w->names, name));
        met[name] = true;
    }
    gs_array_free(met);
    return rc;
}

int trace_writing_finish(FILE *out, struct gs_err *err)
{
    if (fflush(out) != 0 || ferror(out))
        return gs_fail(err, GS_IO, (struct gs_mark){ 0 },
                       "cannot write the trace: %s", strerror(errno));
    return 0;
}

void trace_put_id(FILE *out, const struct trace_workload *w, uint32_t id)
{
    const char *s = gs_strtab_str(w->names, id);

    gs_yaml_put_text(out, s, strlen(s));
}

void trace_put_inside(FILE *out, const struct trace_workload *w, uint32_t id)
{
    const char *s = gs_strtab_str(w->names, id);

    gs_yaml_put_escaped(out, s, strlen(s));
}

void trace_put_time(FILE *out, int64_t us)
{
    int64_t fraction = us % GS_SECOND;
    int digits = 6;

    if (us == TRACE_FOREVER) {
        fputs("forever", out);
        return;
    }
    fprintf(out, "%" PRId64, us / GS_SECOND);
    if (fraction) {
        for (; fraction % 10 == 0; fraction /= 10)
            digits--;
        fprintf(out, ".%0*" PRId64 "s", digits, fraction);
    }
}

void trace_put_models(FILE *out, const struct trace_workload *w,
                      const struct topo_request *q)
{
    for (uint32_t i = 0; i < q->model_count; i++)
        fprintf(out, "%s%s", i ? "|" : "",
                gs_strtab_str(w->names, q->model[i]));
}

void trace_put_amount(FILE *out, int dim, int64_t amount)
{
    char buf[32];

    if (amount == TRACE_ALL)
        fputs("all", out);
    else if (dim == TOPO_PODS)
        fprintf(out, "%" PRId64, amount);
    else if (dim == TOPO_MEMORY)
        fputs(gs_quantity_format_bytes(amount, buf, sizeof(buf)), out);
    else
        fputs(gs_quantity_format_milli(amount, buf, sizeof(buf)), out);
}

bool trace_put_amounts(FILE *out, const struct trace_workload *w,
                       const char *before, const char *key,
                       const int64_t *amount, int first, int64_t none)
{
    bool any = false;

    for (int d = first; d < (int)w->dims->count; d++) {
        const char *name = gs_strtab_str(w->names, w->dims->name[d]);

        if (amount[d] == none)
            continue;
        if (!any)
            fprintf(out, "%s%s: {", before, key);
        else
            fputs(", ", out);
        gs_yaml_put_text(out, name, strlen(name));
        fputs(": ", out);
        trace_put_amount(out, d, amount[d]);
        any = true;
    }
    if (any)
        putc('}', out);
    return any;
}

const char *trace_within_mode(enum trace_within within)
{
    return within == TRACE_PREFERRED       ? "preferred"
           : within == TRACE_UNCONSTRAINED ? "unconstrained"
                                           : "required";
}

bool trace_class_is_number(const struct trace_workload *w, uint32_t klass)
{
    char buf[16];

    assert(klass < w->class_count);
    snprintf(buf, sizeof(buf), "%" PRId32, w->klass[klass].value);
    return w->klass[klass].preempts && w->klass[klass].victim_count == 0
           && strcmp(buf, gs_strtab_str(w->names, w->klass[klass].name)) == 0;
}

bool trace_queue_has_terms(const struct trace_queue *q)
{
    const struct trace_queue_amounts *a = trace_queue_amounts(q);
    bool terms = q->weight < 1 || q->weight > 1 || q->priority || q->closed
                 || q->keeps || q->extra;

    for (int d = 0; q->amounts && d < TOPO_DIMS_MAX; d++)
        terms = terms || a->guarantee[d] != 0 || a->deserved[d] != 0
                || a->limit[d] != -1 || a->user_limit[d] != -1;
    return terms;
}
