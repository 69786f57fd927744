/* traces/formats/write_after.c - dependencies of jobs in native YAML. */
#include <string.h>

#include "base/strtab.h"
#include "base/yamltext.h"
#include "traces/formats/writing.h"
#include "traces/workload/dependencies.h"

static void put_one(FILE *out, const struct trace_workload *w,
                    const struct trace_dependency *d)
{
    const char *name = gs_strtab_str(w->names, d->job);
    const bool is_short = d->when == TRACE_COMPLETED && d->delay == 0;

    fputs(is_short ? "" : "{job: ", out);
    gs_yaml_put_text(out, name, strlen(name));
    if (d->when != TRACE_COMPLETED)
        fprintf(out, ", when: %s", trace_when_names[d->when]);
    if (d->delay) {
        fputs(", delay: ", out);
        trace_put_time(out, d->delay);
    }
    fputs(is_short ? "" : "}", out);
}

void trace_put_after(FILE *out, const struct trace_workload *w,
                     const struct trace_job *j, const uint32_t *named)
{
    bool any = false;

    for (uint32_t i = 0; named && i < j->aside->dependency_count; i++) {
        const struct trace_dependency *d =
            &w->dependencies->dependency[j->aside->first_dependency + i];

        if (named[d->job] == 0)
            continue;
        fputs(any                   ? ", "
              : j->aside->needs_any ? ", after: {any: ["
                                    : ", after: [",
              out);
        any = true;
        put_one(out, w, d);
    }
    if (any)
        fputs(j->aside->needs_any ? "]}" : "]", out);
}
