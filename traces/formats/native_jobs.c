/* traces/formats/native_jobs.c - the jobs of the native trace, each with its
 * groups of tasks.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/strtab.h"
#include "traces/formats/job_keys.h"
#include "traces/formats/native.h"
#include "traces/formats/native_rules.h"
#include "traces/formats/native_task.h"
#include "traces/formats/reading.h"
#include "traces/formats/terms.h"

/* A job as read from the file. */
struct job_in {
    const struct gs_ynode *min_resources, *task_affinity, *topology;
    const char *name, *user;
    const struct gs_ynode *submit, *queue, *priority, *gang, *tasks;
    const struct gs_ynode *labels, *affinity, *anti_affinity, *after, *quotas,
        *pools;
    const struct gs_ynode *recorded;
    int64_t duration, estimate, task_interval;
    struct trace_whole_job own; /* members of job_keys.h */
    struct trace_load load;
    struct trace_task task; /* of a job without `tasks` */
};

static int read_duration(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
    if (v->kind == GS_YSCALAR && strcmp(v->text, "forever") == 0) {
        *(int64_t *)dest = TRACE_FOREVER;
        return 0;
    }
    return gs_yread_duration(c, v, dest, err);
}

#define JOB(member) offsetof(struct job_in, member)

static const struct gs_yfield job_fields[] = {
    { "name", gs_yread_text, JOB(name), false },
    { "submit", gs_yread_node, JOB(submit), true },
    { "duration", read_duration, JOB(duration), true },
    { "estimate", gs_yread_duration, JOB(estimate), false },
    { "queue", gs_yread_node, JOB(queue), false },
    { "priority", gs_yread_node, JOB(priority), false },
    { "user", gs_yread_text, JOB(user), false },
    { "gang", gs_yread_node, JOB(gang), false },
    { "task_interval", gs_yread_duration, JOB(task_interval), false },
    { "tasks", gs_yread_node, JOB(tasks), false },
    { "topology", gs_yread_node, JOB(topology), false },
    { "labels", gs_yread_node, JOB(labels), false },
    { "affinity", gs_yread_node, JOB(affinity), false },
    { "anti_affinity", gs_yread_node, JOB(anti_affinity), false },
    { "after", gs_yread_node, JOB(after), false },
    { "quotas", gs_yread_node, JOB(quotas), false },
    { "pools", gs_yread_node, JOB(pools), false },
    { "recorded", gs_yread_node, JOB(recorded), false },
    { "min_resources", gs_yread_node, JOB(min_resources), false },
    { "task_affinity", gs_yread_node, JOB(task_affinity), false },
    { "load", trace_read_load, JOB(load), false },
    TRACE_TASK_FIELDS(JOB(task)),
};

#define JOB_FIELDS (sizeof(job_fields) / sizeof(job_fields[0]))

void trace_native_fields(struct trace_native *l)
{
    const struct trace_job_key *k;

    memcpy(l->field, job_fields, sizeof(job_fields));
    l->field_count = JOB_FIELDS;
    for (size_t i = 0; (k = trace_job_key_at(i)); i++) {
        assert(l->field_count < TRACE_JOB_FIELDS_MAX);
        l->field[l->field_count++] =
            (struct gs_yfield){ k->name, trace_job_key_yaml, JOB(own), false };
        trace_key_clear(k, &l->unset);
    }
}

/* Read a time since the start, or a date, which is converted at the end. */
static int take_submit(struct trace_native *l, const struct gs_ynode *v,
                       int64_t *submit, struct gs_err *err)
{
    struct trace_dated *d;

    if (v->kind == GS_YSCALAR
        && gs_duration_parse(v->text, v->len, submit) == 0)
        return 0;
    if (v->kind != GS_YSCALAR || gs_date_parse(v->text, v->len, submit) < 0)
        return gs_yread_refuse(&l->c, v, TRACE_TIME_ALLOWED " or a date", err);
    l->dated = gs_array_grow(l->dated, &l->dated_cap, l->dated_count + 1,
                             sizeof(*l->dated));
    d = &l->dated[l->dated_count++];
    *d = (struct trace_dated){ l->r->w->job_count, v->line, v->column };
    return 0;
}

static uint32_t text_id(struct trace_native *l, const char *s)
{
    return s ? gs_strtab_put(l->r->w->names, s, strlen(s)) : 0;
}

/* Read a group.  `min` is TRACE_NONE until take_gang when the file does not
 * state it.
 */
static int take_group(struct trace_native *l, const struct trace_task *t,
                      const struct trace_job_rules *of, struct trace_job *job,
                      const struct gs_ynode *at, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    struct trace_lists lists;
    struct topo_request q;
    struct trace_group g;
    int rc = 0;

    if (trace_task_request(&l->c, t, at, &lists, &q, err) < 0)
        rc = -1;
    if (t->replicas.max > TRACE_REPLICAS_MAX - job->tasks)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, at),
                       "a job may have at most %d tasks", TRACE_REPLICAS_MAX);
    if (rc < 0)
        q = (struct topo_request){ 0 };
    g = (struct trace_group){ .shape = trace_workload_shape(w, &q),
                              .replicas = t->replicas.max,
                              .min = t->replicas.min,
                              .name = text_id(l, t->name),
                              .fixed = !t->preemptible };
    if (t->priority) {
        if (trace_native_priority(l, t->priority, &g.klass, err) < 0)
            rc = -1;
        g.klass++;
    }
    if (trace_read_held(l, t->flavors, &g, err) < 0
        || trace_read_group_topology(l, t->topology, &g, err) < 0
        || trace_read_group_rules(&l->c, t, of, at, &g, err) < 0
        || trace_read_running(l, t->running_on, job->group_count,
                              t->replicas.max, err)
               < 0)
        return -1;
    l->group = gs_array_grow(l->group, &l->group_cap, job->group_count + 1,
                             sizeof(*l->group));
    l->group[job->group_count++] = g;
    job->tasks += g.replicas;
    return rc;
}

static int take_tasks(struct trace_native *l, const struct gs_ynode *item,
                      const struct gs_ynode *tasks,
                      const struct trace_job_rules *of, struct trace_job *job,
                      struct gs_err *err)
{
    static const struct gs_yfield fields[] = { TRACE_TASK_FIELDS(0),
                                               TRACE_TASK_OWN };
    const size_t n = sizeof(fields) / sizeof(fields[0]);
    const struct gs_ynode *v;
    int rc = 0;

    for (v = item->child; v; v = v->next) {
        for (size_t i = 0; i < n - TRACE_TASK_OWN_COUNT; i++) {
            if (strcmp(v->key->text, fields[i].name) == 0)
                rc = gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v->key),
                             "'%s' may not stand beside 'tasks' (give it in "
                             "each task)",
                             v->key->text);
        }
    }
    if (tasks->kind != GS_YSEQ || !tasks->child)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, tasks),
                       "'tasks' must be a list of at least one task");
    for (v = tasks->child; v; v = v->next) {
        struct trace_task t = { .replicas = TRACE_SPAN_ONE,
                                .preemptible = true };

        if (gs_ynode_fields(&l->c, v, "task", fields, n, &t, err) < 0)
            rc = -1;
        if (v->kind == GS_YMAP && take_group(l, &t, of, job, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* Without `gang`, what the groups state as their least, and all of those that
 * state nothing: a group of at least 0 beside others holds none of it.
 */
static int take_gang(struct trace_native *l, const struct gs_ynode *item,
                     const struct gs_ynode *v, struct trace_job *job,
                     struct gs_err *err)
{
    uint32_t least = 0, whole = 0;

    for (uint32_t i = 0; i < job->group_count; i++) {
        struct trace_group *g = &l->group[i];

        if (g->min == TRACE_NONE)
            whole += g->replicas;
        else
            least += g->min;
    }
    for (uint32_t i = 0; i < job->group_count; i++) {
        struct trace_group *g = &l->group[i];

        if (g->min == TRACE_NONE)
            g->min = v || whole == job->tasks ? 0 : g->replicas;
    }
    if (!v && least + whole == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, item),
                       "'min' is 0 in all of the job's replicas, so that none "
                       "of it would have to run (allowed: a 'min' of at least "
                       "1, another group of tasks, or 'gang')");
    if (!v) {
        job->gang = job->aside->completions ? 1 : least + whole;
        return 0;
    }
    if (gs_yread_count(&l->c, v, &job->gang, err) < 0)
        return -1;
    if (job->gang > job->tasks)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'gang' (%u) is more than the job's tasks (%u)",
                       job->gang, job->tasks);
    if (job->gang < least)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'gang' (%u) is less than the groups' 'min' in all "
                       "(%u)",
                       job->gang, least);
    return 0;
}

static int take_name(struct trace_native *l, const struct gs_ynode *item,
                     const char *name, uint32_t *id, struct gs_err *err)
{
    const struct gs_ynode *at = name ? gs_ynode_find(item, "name") : item;

    *id = name ? gs_strtab_put_rising(l->r->w->names, name, strlen(name))
               : trace_number_name(l->r->w->names, "job-", l->item);
    return trace_reading_claim(l->r, *id, item->line, gs_ynode_mark(&l->c, at),
                               err);
}

static void take_terms(struct trace_native *l, const struct job_in *in,
                       struct trace_job *job)
{
    *job = in->own.job;
    job->duration = in->duration;
    job->estimate = in->estimate < 0 ? in->duration : in->estimate;
    job->user = text_id(l, in->user);
}

/* Check for keys that exclude each other. */
static int check_terms(const struct trace_native *l, const struct job_in *in,
                       bool has_date, const struct gs_ynode *item,
                       struct gs_err *err)
{
    const struct gs_mark at = gs_ynode_mark(&l->c, item);
    int rc = 0;

    if (in->own.aside.withdraws && in->duration == TRACE_FOREVER)
        rc = gs_fail(err, GS_INPUT, at,
                     "'withdraw' needs a 'duration' with an end");
    if (in->load.high && has_date)
        rc = gs_fail(err, GS_INPUT, at,
                     "'load' needs a 'submit' that is no date");
    if (in->load.high && in->after)
        rc = gs_fail(err, GS_INPUT, at,
                     "'after' and 'load' exclude each other");
    if (in->after && l->stand_count)
        rc = gs_fail(err, GS_INPUT, at,
                     "'after' and 'running_on' exclude each other");
    if (in->load.high && in->own.aside.completions)
        rc = gs_fail(err, GS_INPUT, at,
                     "'completions' and 'load' exclude each other");
    return rc;
}

/* Flavors are held from the submission on, by what is admitted or runs then. */
static int check_held(const struct trace_native *l, const struct trace_job *job,
                      const struct gs_ynode *item, struct gs_err *err)
{
    bool any = false;

    for (uint32_t i = 0; i < job->group_count; i++)
        any |= l->group[i].held_count > 0;
    return any && !job->aside->admitted && !l->stand_count
               ? gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, item),
                         "'flavors' of a job needs 'admitted: true' or "
                         "'running_on'")
               : 0;
}

/* Set `fixed` of the job when all its groups are fixed, else of those groups.
 * Groups that state the job's class are as those that state none.
 */
static void take_shared(struct trace_native *l, struct trace_job *job)
{
    bool all = true;

    for (uint32_t i = 0; i < job->group_count; i++) {
        all = all && l->group[i].fixed;
        if (l->group[i].klass == job->klass + 1)
            l->group[i].klass = 0;
    }
    job->fixed = job->fixed || all;
    for (uint32_t i = 0; i < job->group_count && job->fixed; i++)
        l->group[i].fixed = false;
}

static int take_minimum(struct trace_native *l, const struct gs_ynode *v,
                        struct trace_job *job, struct gs_err *err)
{
    struct trace_minimum minimum = { { 0 } };

    if (!v)
        return 0;
    if (trace_amounts_take(&l->c, v, minimum.amount, err) < 0)
        return -1;
    job->aside->minimum = trace_workload_minimum(l->r->w, &minimum);
    return 0;
}

static int take_job(struct trace_native *l, const struct gs_ynode *item,
                    struct gs_err *err)
{
    struct job_in in = { .estimate = -1,
                         .own = l->unset,
                         .task.replicas = TRACE_SPAN_ONE,
                         .task.preemptible = true };
    const uint32_t dated = l->dated_count;
    struct trace_job_rules of;
    struct trace_job job = { 0 };
    bool ok, has_terms;

    l->item++;
    l->stand_count = 0;
    of.rules.count = 0;
    ok = gs_ynode_fields(&l->c, item, "job", l->field, l->field_count, &in, err)
         == 0;
    if (!ok && item->kind != GS_YMAP)
        return -1;
    has_terms = ok;
    take_terms(l, &in, &job);
    in.own.aside.task_interval = in.task_interval;
    job.aside = &in.own.aside;
    of.labels = in.labels;
    /* read all parts, so that all mistakes are reported */
    ok &= trace_read_affinity(&l->c, in.affinity, TRACE_NEAR, &of.rules, err)
          == 0;
    ok &= trace_read_affinity(&l->c, in.anti_affinity, TRACE_APART, &of.rules,
                              err)
          == 0;
    if (in.tasks)
        ok &= take_tasks(l, item, in.tasks, &of, &job, err) == 0;
    else
        ok &= take_group(l, &in.task, &of, &job, item, err) == 0;
    if (ok)
        ok = take_gang(l, item, in.gang, &job, err) == 0;
    else if (in.gang)
        gs_yread_count(&l->c, in.gang, &job.gang, err);
    ok = ok
         && trace_communication_check(&job, gs_ynode_mark(&l->c, item), err)
                == 0;
    ok &= trace_read_labels(&l->c, in.labels, NULL, &job.aside->first_label,
                            &job.aside->label_count, err)
          == 0;
    ok &= trace_read_after(l, in.after, &job, err) == 0;
    ok = ok && trace_read_task_rules(l, in.task_affinity, &job, err) == 0;
    ok = trace_read_topology(l, in.topology, item, &job, ok, err) == 0 && ok;
    ok &= trace_read_quotas(l, in.quotas, &job, err) == 0;
    ok &= trace_read_pools(l, in.pools, &job, err) == 0;
    ok &= take_minimum(l, in.min_resources, &job, err) == 0;
    ok &= take_name(l, item, in.name, &job.name, err) == 0;
    ok &= trace_native_queue(l, in.queue, &job.queue, err) == 0;
    ok &= trace_native_priority(l, in.priority, &job.klass, err) == 0;
    ok &= !in.submit || take_submit(l, in.submit, &job.submit, err) == 0;
    ok &= !has_terms
          || check_terms(l, &in, l->dated_count > dated, item, err) == 0;
    if (!ok || trace_running_check(l, &job, item, err) < 0
        || check_held(l, &job, item, err) < 0
        || trace_read_recorded(l, in.recorded, item, l->dated_count > dated,
                               &job, err)
               < 0)
        return -1;
    if (l->stand_count) {
        job.aside->stand_count = l->stand_count;
        job.aside->first_stand = trace_workload_stands(l->r->w, l->stand,
                                                       l->stand_count);
    }
    take_shared(l, &job);
    if (in.load.high)
        return trace_load_add(l, &job, &in.load, gs_ynode_mark(&l->c, item),
                              err);
    return trace_reading_add(l->r, &job, l->group, gs_ynode_mark(&l->c, item),
                             err);
}

/* The YAML reader returns no tree after a mistake, so mistakes in jobs are kept
 * here, and those in the rest of the file are found, too.
 */
int trace_native_job(void *ctx, const struct gs_ynode *item, struct gs_err *err)
{
    struct trace_native *l = ctx;

    l->own.count = 0;
    l->own.limit = GS_ERR_MAX;
    if (take_job(l, item, &l->own) == 0)
        return 0;
    gs_err_sort(&l->own);
    gs_err_append(&l->problems, &l->own);
    if (gs_err_wants_more(&l->problems))
        return 0;
    gs_err_append(err, &l->problems);
    l->problems.count = 0;
    return -1;
}
