/* traces/formats/csv_after.c - dependencies of a job in native CSV: names of
 * jobs, "a;b" for all of them, "a|b" for one of them; "a:started+5m" with
 * another time than when it completed.
 */
#include <assert.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/csv_row.h"
#include "traces/formats/writing.h"
#include "traces/workload/dependencies.h"

#define AFTER_ALLOWED                                                        \
    "names of jobs with ';' between them, or '|' where one is enough, each " \
    "as a, a:started or a:ended+5m"

/* The word of ":WORD" or ":WORD+DELAY" at `colon`, up to `end`; false: it is no
 * such, but part of the name.
 */
static bool when_take(const char *colon, const char *end,
                      struct trace_dependency *d)
{
    const char *word = colon + 1;
    const char *plus = memchr(word, '+', (size_t)(end - word));
    const size_t len = (size_t)((plus ? plus : end) - word);

    for (int i = 0; i < TRACE_WHENS; i++) {
        if (strlen(trace_when_names[i]) != len
            || memcmp(trace_when_names[i], word, len) != 0)
            continue;
        d->when = (enum trace_when)i;
        return !plus
               || gs_duration_parse(plus + 1, (size_t)(end - plus - 1),
                                    &d->delay)
                      == 0;
    }
    return false;
}

static int part_take(struct trace_workload *w, const char *text, size_t len,
                     struct gs_mark at, struct gs_err *err)
{
    struct trace_dependency d = { .when = TRACE_COMPLETED };
    size_t name = len;

    while (name > 0 && text[name - 1] != ':')
        name--;
    if (name == 0 || !when_take(text + name - 1, text + len, &d)) {
        d = (struct trace_dependency){ .when = TRACE_COMPLETED };
        name = len + 1;
    }
    if (name == 1 || len == 0 || !gs_text_is_clean(text, name - 1))
        return gs_fail(err, GS_INPUT, at, "'after' must be " AFTER_ALLOWED);
    d.job = gs_strtab_put(w->names, text, name - 1);
    (void)trace_workload_dependencies(w, &d, 1);
    return 0;
}

int trace_csv_after_read(struct trace_workload *w, struct trace_csv_row *row,
                         struct gs_mark at, struct gs_err *err)
{
    const char *text = row->after ? gs_strtab_str(w->names, row->after) : NULL;
    struct trace_job *job = &row->own.job;
    const char *mark;

    if (!text)
        return 0;
    mark = strpbrk(text, ";|");
    job->aside->needs_any = mark && *mark == '|';
    job->aside->first_dependency = w->dependencies->dependency_count;
    for (const char *end = text; end; text = end + 1) {
        end = strpbrk(text, ";|");
        if (end && *end != *mark)
            return gs_fail(err, GS_INPUT, at, "'after' must be " AFTER_ALLOWED);
        if (job->aside->dependency_count == TRACE_DEPENDENCIES_MAX)
            return gs_fail(err, GS_LIMIT, at,
                           "a job may depend on at most %d others",
                           TRACE_DEPENDENCIES_MAX);
        if (w->dependencies->dependency_count == TRACE_TABLE_MAX)
            return gs_fail(err, GS_LIMIT, at,
                           "more than %u dependencies of all jobs",
                           TRACE_TABLE_MAX);
        if (part_take(w, text, end ? (size_t)(end - text) : strlen(text), at,
                      err)
            < 0)
            return -1;
        job->aside->dependency_count++;
        if (!end)
            break;
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

void trace_csv_after_put(FILE *out, const struct trace_workload *w,
                         const struct trace_job *j, const uint32_t *named)
{
    const char *between = "";

    assert(out && w && j);
    for (uint32_t i = 0; named && i < j->aside->dependency_count; i++) {
        const struct trace_dependency *d =
            &w->dependencies->dependency[j->aside->first_dependency + i];

        if (named[d->job] == 0)
            continue;
        fprintf(out, "%s%s", between, gs_strtab_str(w->names, d->job));
        between = j->aside->needs_any ? "|" : ";";
        if (d->when == TRACE_COMPLETED && d->delay == 0)
            continue;
        fprintf(out, ":%s", trace_when_names[d->when]);
        if (d->delay) {
            putc('+', out);
            trace_put_time(out, d->delay);
        }
    }
}

bool trace_csv_after_fits(const struct trace_workload *w,
                          const struct trace_job *j)
{
    for (uint32_t i = 0; i < j->aside->dependency_count; i++) {
        const struct trace_dependency *d =
            &w->dependencies->dependency[j->aside->first_dependency + i];

        if (strpbrk(gs_strtab_str(w->names, d->job), ",\"|;: "))
            return false;
    }
    return true;
}
