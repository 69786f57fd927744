/* sim/audit/events.c - the record as a list of events, see audit_private.h. */
#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/err.h"
#include "sim/audit/audit_private.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/records.h"

static void event_add(struct auditing *a, int64_t at, uint32_t job,
                      uint32_t run, enum audit_event_kind kind)
{
    a->event = gs_array_grow(a->event, &a->event_cap, a->events + 1,
                             sizeof(*a->event));
    a->event[a->events++] = (struct audit_event){ at, job, run, kind };
}

/* When the dependency of a job was met, as far as the record tells; -1: it does
 * not.
 */
static int64_t met_at(const struct trace_workload *w,
                      const struct trace_dependency *d, uint32_t on)
{
    const struct trace_job *j = &w->job[on];
    const struct trace_record *r;
    int64_t at;

    if (j->record_count == 0)
        return -1;
    r = &w->records->record[j->first_record];
    at = d->when == TRACE_STARTED
             ? trace_record_start(j, r)
             : trace_record_end(j, r + j->record_count - 1);
    return at == TRACE_FOREVER ? -1 : at + d->delay;
}

/* When the job could be scheduled: its dependencies are met by the record, at
 * the latest when it started.
 */
static int64_t eligible_at(const struct trace_workload *w, uint32_t job,
                           const uint32_t *named)
{
    const struct trace_job *j = &w->job[job];
    int64_t at = j->submit, any = -1;

    for (uint32_t i = 0; i < j->aside->dependency_count; i++) {
        const struct trace_dependency *d =
            &w->dependencies->dependency[j->aside->first_dependency + i];
        const uint32_t on = named[d->job];
        const int64_t met = on ? met_at(w, d, on - 1) : j->submit;

        if (met >= 0 && (any < 0 || met < any))
            any = met;
        if (met > at && !j->aside->needs_any)
            at = met;
    }
    if (j->aside->needs_any && any > at)
        at = any;
    if (j->record_count) {
        const int64_t start = trace_record_start(
            j, &w->records->record[j->first_record]);

        at = start < at ? start : at;
    }
    return at;
}

static void runs_add(struct auditing *a, uint32_t job)
{
    const struct trace_job *j = &a->work->job[job];

    for (uint32_t i = 0; i < j->record_count; i++) {
        const struct trace_record *r =
            &a->work->records->record[j->first_record + i];
        const int64_t end = trace_record_end(j, r);

        const bool is_last = i + 1 == j->record_count;

        if (r->length == 0 && !is_last) {
            event_add(a, end, job, i, AUDIT_BRIEF);
            continue;
        }
        event_add(a, trace_record_start(j, r), job, i, AUDIT_START);
        if (end != TRACE_FOREVER) /* a run takes time */
            event_add(a, r->length > 0 ? end : end + 1, job, i,
                      is_last ? AUDIT_END : AUDIT_EVICT);
    }
}

static void job_add(struct auditing *a, uint32_t job, const uint32_t *named)
{
    const struct trace_job *j = &a->work->job[job];
    const int64_t eligible = named ? eligible_at(a->work, job, named)
                                   : j->submit;

    event_add(a, eligible, job, AUDIT_NONE, AUDIT_SUBMIT);
    runs_add(a, job);
    a->out->unrecorded += j->record_count == 0 && j->aside->stand_count == 0;
    if (j->record_count || j->duration == TRACE_FOREVER)
        return;
    if (j->aside->stand_count || j->aside->withdraws) {
        const int64_t end = j->submit + j->aside->since + j->duration;

        event_add(a, end > eligible ? end : eligible + 1, job, AUDIT_NONE,
                  AUDIT_END);
    }
}

static int by_time(const void *x, const void *y)
{
    const struct audit_event *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->job != b->job ? (a->job < b->job ? -1 : 1)
                            : (a->run > b->run) - (a->run < b->run);
}

int audit_events_make(struct auditing *a, struct gs_err *err)
{
    const struct trace_workload *w = a->work;
    uint32_t *named = w->dependencies->dependency_count ? trace_jobs_by_name(w)
                                                        : NULL;
    bool has_records = false;

    for (uint32_t i = 0; i < w->job_count; i++) {
        has_records |= w->job[i].record_count > 0;
        job_add(a, i, named);
    }
    gs_array_free(named);
    if (!has_records)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ .source = a->options->source },
                       "no job has 'recorded': an audit compares with when "
                       "and where jobs really ran");
    qsort(a->event, a->events, sizeof(*a->event), by_time);
    return 0;
}
