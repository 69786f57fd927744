/* traces/formats/native_yaml.c - the native trace: queues, priority classes and
 * jobs.
 *
 * Jobs are streamed to native_jobs.c, so that a million jobs never form one
 * tree.
 */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/input.h"
#include "traces/formats/native.h"
#include "traces/formats/native_budgets.h"
#include "traces/formats/reading.h"

struct file_in {
    const char *topology;
    int64_t epoch; /* INT64_MIN: not given */
    const struct gs_ynode *classes, *flavors, *queues, *budgets, *quotas,
        *pools, *reservations, *jobs;
    const struct gs_ynode *accounts, *qos, *partitions;
};

static int read_epoch(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    if (v->kind != GS_YSCALAR || gs_date_parse(v->text, v->len, dest) < 0)
        return gs_yread_refuse(c, v, "a date such as 2017-10-09 07:01:55", err);
    return 0;
}

static int resolve_dates(struct trace_native *l, int64_t epoch,
                         struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < l->dated_count; i++) {
        const struct trace_dated *d = &l->dated[i];
        struct trace_job *job = &l->r->w->job[d->job];
        const struct gs_mark at = trace_reading_mark(l->r, d->line, d->column);

        if (epoch == INT64_MIN)
            return gs_fail(err, GS_INPUT, at,
                           "'submit' is a date, which needs 'epoch' at the "
                           "top of the file");
        if (job->submit < epoch)
            rc = gs_fail(err, GS_INPUT, at,
                         "'submit' is before the file's 'epoch'");
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
        job->submit -= rc < 0 ? 0 : epoch;
    }
    return rc;
}

static int take_root(struct trace_native *l, const struct gs_ynode *root,
                     struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "topology", gs_yread_text, offsetof(struct file_in, topology),
          false },
        { "epoch", read_epoch, offsetof(struct file_in, epoch), false },
        { "priority_classes", gs_yread_node, offsetof(struct file_in, classes),
          false },
        { "flavors", gs_yread_node, offsetof(struct file_in, flavors), false },
        { "queues", gs_yread_node, offsetof(struct file_in, queues), false },
        { "budgets", gs_yread_node, offsetof(struct file_in, budgets), false },
        { "quotas", gs_yread_node, offsetof(struct file_in, quotas), false },
        { "pools", gs_yread_node, offsetof(struct file_in, pools), false },
        { "reservations", gs_yread_node, offsetof(struct file_in, reservations),
          false },
        { "accounts", gs_yread_node, offsetof(struct file_in, accounts),
          false },
        { "qos", gs_yread_node, offsetof(struct file_in, qos), false },
        { "partitions", gs_yread_node, offsetof(struct file_in, partitions),
          false },
        { "jobs", gs_yread_node, offsetof(struct file_in, jobs), true },
    };
    struct trace_facts *facts = l->r->facts;
    struct file_in in = { .epoch = INT64_MIN };
    int rc = gs_ynode_fields(&l->c, root, "trace", fields,
                             sizeof(fields) / sizeof(fields[0]), &in, err);

    if (in.jobs && in.jobs->kind != GS_YSEQ)
        rc = gs_yread_refuse(&l->c, in.jobs, "a list of jobs", err);
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (in.topology)
        facts->topology = gs_arena_strndup(l->r->w->arena, in.topology,
                                           strlen(in.topology));
    if (in.epoch != INT64_MIN)
        facts->epoch = in.epoch;
    if (trace_native_flavors(l, in.flavors, err) < 0)
        rc = -1;
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (trace_native_queues(l, in.queues, err) < 0)
        rc = -1;
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (trace_read_budgets(&l->c, in.budgets, err) < 0)
        rc = -1;
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (trace_native_quotas(l, in.quotas, err) < 0
        || trace_native_pools(l, in.pools, err) < 0
        || trace_native_reservations(l, in.reservations, in.epoch, err) < 0)
        rc = -1;
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (trace_native_accounts(l, in.accounts, err) < 0
        || trace_native_qos(l, in.qos, err) < 0
        || trace_native_partitions(l, in.partitions, err) < 0)
        rc = -1;
    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (trace_native_classes(l, in.classes, err) < 0)
        return -1;
    if (rc < 0 || l->problems.count
        || trace_after_check(l->r, l->needed, err) < 0)
        return -1;
    return resolve_dates(l, in.epoch, err);
}

int trace_read_yaml(struct trace_reading *r, struct gs_err *err)
{
    struct trace_native l = {
        .r = r,
        .c = { gs_input_name(r->in), r->w },
        .problems.limit = gs_err_wants_more(err) ? err->limit - err->count : 0,
    };
    const struct gs_ystream stream = { "jobs", trace_native_job, &l };
    struct gs_arena *arena = gs_arena_create(65536);
    const struct gs_ynode *root;
    int rc;

    trace_native_fields(&l);
    root = gs_yaml_read(r->in, arena, &stream, err);
    rc = root && !l.problems.count ? 0 : -1;
    gs_err_append(err, &l.problems);
    if (root && take_root(&l, root, err) < 0)
        rc = -1;
    gs_arena_destroy(arena);
    gs_array_free(l.queue);
    gs_array_free(l.klass);
    gs_array_free(l.dated);
    gs_array_free(l.group);
    gs_array_free(l.stand);
    gs_array_free(l.named);
    gs_array_free(l.needed);
    gs_array_free(l.quota);
    gs_array_free(l.flavor);
    gs_array_free(l.pool);
    return rc;
}
