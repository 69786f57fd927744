/* traces/formats/write_csv.c - native CSV: one row per job, with the columns
 * that some job needs.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/csv_write.h"
#include "base/err.h"
#include "base/strtab.h"
#include "traces/formats/csv_row.h"
#include "traces/formats/writer.h"
#include "traces/formats/writing.h"
#include "traces/workload/accounts.h"
#include "traces/workload/budgets.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/records.h"

#define RECORD offsetof(struct trace_csv_row, record)

static const struct topo_request *request_of(const struct trace_workload *w,
                                             const struct trace_job *j)
{
    return &w->shape[trace_group_at(w, j->first_group)->shape];
}

/* Which of the columns of its recorded runs are not empty. */
static void records_state(const struct trace_workload *w,
                          const struct trace_job *j, struct trace_csv_row *row)
{
    for (uint32_t i = 0; i < j->record_count; i++) {
        const struct trace_record *r = &w->records->record[j->first_record + i];

        row->record[TRACE_CSV_STARTS] = 1;
        row->record[TRACE_CSV_ENDS] |= r->length != TRACE_FOREVER;
        row->record[TRACE_CSV_NODES] |= r->spot_count > 0;
    }
}

/* The job as a row, with the number of its models; `named`: jobs on which
 * others may depend.
 */
static struct trace_csv_row row_of(const struct trace_workload *w,
                                   const struct trace_job *j,
                                   const uint32_t *named)
{
    const struct topo_request *q = request_of(w, j);
    const uint32_t min = trace_group_at(w, j->first_group)->min;
    struct trace_csv_row row = {
        .own = { *j, *j->aside },
        .key = { .cpu = q->amount[TOPO_CPU],
                 .memory = q->amount[TOPO_MEMORY],
                 .rdma = q->amount[TOPO_RDMA],
                 .gpu_memory = q->share_memory,
                 .gpus = q->gpus,
                 .share = q->share,
                 .mig = q->mig,
                 .model = q->model_count },
        .priority = w->klass[j->klass].value,
        .queue = j->queue ? w->queue[j->queue].name : 0,
        .within = j->aside->within_tier,
        .gang = j->gang == (min ? min : j->tasks) ? 0 : j->gang,
        .replicas = j->tasks,
        .least = min,
        .is_preferred = j->aside->within == TRACE_PREFERRED,
    };

    records_state(w, j, &row);
    for (uint32_t i = 0; named && i < j->aside->dependency_count; i++)
        row.after |=
            named[w->dependencies->dependency[j->aside->first_dependency + i]
                      .job]
            > 0;
    if (j->estimate == j->duration)
        row.own.job.estimate = -1;
    return row;
}

/* Bit c: column c of the row is not empty. */
static uint64_t columns_of(const struct trace_csv_row *row)
{
    const struct trace_job_key *k;
    uint64_t bits = 0;

    for (size_t c = 0; (k = trace_csv_column(c)); c++)
        bits |= (uint64_t)(k->always || trace_key_stated(k, row)) << c;
    return bits;
}

static void put_text(FILE *out, const char *s)
{
    if (strpbrk(s, ",\" "))
        gs_csv_put_quoted(s, out);
    else
        fputs(s, out);
}

static void put_row(FILE *out, const struct trace_workload *w,
                    const struct trace_job *j, const uint32_t *named,
                    uint64_t used)
{
    const struct trace_csv_row row = row_of(w, j, named);
    const uint64_t bits = columns_of(&row);
    const struct trace_job_key *k;

    for (size_t c = 0; (k = trace_csv_column(c)); c++) {
        if (c && used >> c & 1)
            putc(',', out);
        if (!(bits >> c & 1))
            continue;
        if (k->kind == TRACE_KEY_MODELS)
            trace_put_models(out, w, request_of(w, j));
        else if (k->kind == TRACE_KEY_RUNS)
            trace_csv_records_put(out, w, j,
                                  (int)((k->at - RECORD) / sizeof(uint32_t)));
        else if (k->kind == TRACE_KEY_AFTER)
            trace_csv_after_put(out, w, j, named);
        else
            trace_key_put(k, out, w->names, &row, put_text);
    }
    putc('\n', out);
}

/* The property of the job that has no column; NULL: it fits. */
static const char *unfit(const struct trace_workload *w,
                         const struct trace_job *j)
{
    const struct topo_request *q = request_of(w, j);

    if (j->group_count != 1)
        return "several task groups";
    if (trace_group_at(w, j->first_group)->name)
        return "a named task group";
    if (trace_group_at(w, j->first_group)->topology)
        return "a topology of a task group";
    if (trace_group_at(w, j->first_group)->klass)
        return "a task group with a priority";
    if (q->selector_count)
        return "node labels";
    if (q->toleration_count > q->lent_tolerations)
        return "tolerations";
    if (q->preference_count)
        return "preferred nodes";
    if (trace_group_at(w, j->first_group)->held_count)
        return "flavors that it holds";
    if (j->aside->label_count || trace_group_at(w, j->first_group)->label_count)
        return "labels";
    if (trace_group_at(w, j->first_group)->rule_count
        || trace_group_at(w, j->first_group)->soft_count)
        return "an affinity or a spread";
    if (j->aside->withdraws)
        return "'withdraw'";
    if (j->aside->stand_count)
        return "'running_on'";
    if (!trace_csv_records_fit(w, j))
        return "recorded nodes with ',', '|', ';', quotes or blanks in a name";
    if (!trace_csv_after_fits(w, j))
        return "'after' a job with ',', '|', ';', ':', quotes or blanks in its "
               "name";
    if (j->aside->quotas)
        return "'quotas'";
    if (j->aside->pools)
        return "'pools'";
    if (j->aside->task_rules)
        return "'task_affinity'";
    if (j->aside->slices || j->aside->within == TRACE_UNCONSTRAINED)
        return "slices, or an unconstrained topology";
    if (j->aside->prefers)
        return "a tier that it prefers inside another";
    if (j->aside->minimum)
        return "'min_resources'";
    if (!w->klass[j->klass].preempts)
        return "a class that never preempts";
    if (w->klass[j->klass].victim_count)
        return "a class that lists whom it preempts";
    for (int d = TOPO_DIMS_FIXED; d < TOPO_DIMS_MAX; d++) {
        if (q->amount[d])
            return "other resources";
    }
    return NULL;
}

int trace_check_csv(const struct trace_workload *w, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const char *why = unfit(w, j);

        if (why)
            return gs_fail(err, GS_INPUT, nowhere,
                           "CSV cannot express job '%s': it has %s (write "
                           "YAML instead)",
                           gs_strtab_str(w->names, j->name), why);
    }
    for (uint32_t i = 0; i < w->queue_count; i++) {
        if (trace_queue_has_terms(&w->queue[i]))
            return gs_fail(err, GS_INPUT, nowhere,
                           "CSV cannot express queue '%s': it has a weight, "
                           "limits or other terms (write YAML instead)",
                           gs_strtab_str(w->names, w->queue[i].name));
    }
    if (w->accounts->account_count + w->accounts->qos_count
        + w->accounts->partition_count)
        return gs_fail(err, GS_INPUT, nowhere,
                       "CSV cannot express accounts, QOS classes and "
                       "partitions (write YAML instead)");
    if (w->budgets->budget_count)
        return gs_fail(err, GS_INPUT, nowhere,
                       "CSV cannot express budgets (write YAML instead)");
    return trace_writing_check(w, err);
}

int trace_write_csv(FILE *out, const struct trace_workload *w,
                    const struct trace_writer_watch *watch, struct gs_err *err)
{
    const struct trace_job_key *k;
    uint32_t *named;
    uint64_t used = 0;

    assert(out && w);
    if (trace_check_csv(w, err) < 0)
        return -1;
    named = w->dependencies->dependency_count ? trace_jobs_by_name(w) : NULL;
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_csv_row row = row_of(w, &w->job[i], named);

        used |= columns_of(&row);
    }
    for (size_t c = 0; (k = trace_csv_column(c)); c++) {
        if (used >> c & 1)
            fprintf(out, "%s%s", c ? "," : "", k->name);
    }
    putc('\n', out);
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (watch && i % TRACE_WRITER_EVERY == 0)
            watch->tell(watch->ctx, i, w->job_count);
        put_row(out, w, &w->job[i], named, used);
    }
    gs_array_free(named);
    return trace_writing_finish(out, err);
}
