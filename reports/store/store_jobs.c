/* reports/store/store_jobs.c - the rows of jobs, in two tables: job_kinds has
 * what jobs have in common, job_rows the rest.  Jobs is a view of both.
 */
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "reports/glossary/cause_info.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

static const char *const state_names[REPORT_STATES] = {
    [REPORT_PENDING] = "pending", [REPORT_PARTLY] = "partly placed",
    [REPORT_RUNNING] = "running", [REPORT_DONE] = "done",
    [REPORT_FAILED] = "failed",   [REPORT_REJECTED] = "rejected",
};

/* --- kinds ---------------------------------------------------------------- */

/* What jobs of one kind have in common. */
struct job_kind {
    const char *scheduler, *reason; /* NULL: none */
    int64_t gpu_milli;
    uint32_t queue, user, klass, tasks, gang, completions, level;
    uint32_t evictions, preemptions;
    uint8_t state, cause;
};

/* The jobs of a run. */
struct job_rows {
    const struct report_writing *w;
    uint32_t *kind_of; /* [job] its kind */
    struct job_kind *kind;
    uint32_t count, cap; /* kinds */
    struct gs_hash index;
};

static struct job_kind kind_of(const struct report_writing *w, uint32_t job)
{
    const struct trace_job *t = &w->work->job[job];
    const struct report_job j = report_log_job(w->log, job);

    return (struct job_kind){
        .scheduler = j.scheduler,
        .reason = j.reason,
        .gpu_milli = trace_job_gpu_milli(w->work, job),
        .queue = t->queue,
        .user = t->user,
        .klass = t->klass,
        .tasks = t->tasks,
        .gang = t->gang,
        .completions = t->completions,
        .level = j.level,
        .evictions = j.evictions,
        .preemptions = j.preemptions,
        .state = (uint8_t)j.state,
        .cause = (uint8_t)j.cause,
    };
}

static bool text_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

struct kind_sought {
    const struct job_rows *in;
    const struct job_kind *kind;
};

static bool kind_same(const void *of, uint32_t at)
{
    const struct kind_sought *s = of;
    const struct job_kind *a = s->kind, *b = &s->in->kind[at];

    return a->queue == b->queue && a->user == b->user && a->klass == b->klass
           && a->tasks == b->tasks && a->gang == b->gang
           && a->gpu_milli == b->gpu_milli && a->completions == b->completions
           && a->level == b->level && a->evictions == b->evictions
           && a->preemptions == b->preemptions && a->state == b->state
           && a->cause == b->cause && text_same(a->scheduler, b->scheduler)
           && text_same(a->reason, b->reason);
}

static uint64_t text_mix(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        h = gs_hash_mix(h, (unsigned char)*text);
    return h;
}

static uint64_t kind_hash(const struct job_kind *k)
{
    uint64_t h = gs_hash_mix(k->queue, k->user);

    h = gs_hash_mix(h, (uint64_t)k->klass << 32 | k->level);
    h = gs_hash_mix(h, (uint64_t)k->tasks << 32 | k->gang);
    h = gs_hash_mix(h, (uint64_t)k->evictions << 32 | k->preemptions);
    h = gs_hash_mix(h, (uint64_t)k->gpu_milli);
    h = gs_hash_mix(h, (uint64_t)k->completions << 16 | (uint32_t)k->state << 8
                           | k->cause);
    return text_mix(text_mix(h, k->scheduler), k->reason);
}

/* Number the kinds of all jobs, in the order of their first jobs. */
static struct job_rows kinds_find(const struct report_writing *w)
{
    struct job_rows r = {
        .w = w,
        .kind_of = gs_array_new(w->log->job_count, sizeof(*r.kind_of)),
    };

    for (uint32_t i = 0; i < w->log->job_count; i++) {
        const struct job_kind k = kind_of(w, i);
        const uint64_t hash = kind_hash(&k);

        r.kind_of[i] = gs_hash_find(&r.index, hash, kind_same,
                                    &(struct kind_sought){ &r, &k });
        if (r.kind_of[i] != GS_HASH_NONE)
            continue;
        r.kind = gs_array_grow(r.kind, &r.cap, r.count + 1, sizeof(*r.kind));
        r.kind[r.count] = k;
        gs_hash_put(&r.index, hash, r.count);
        r.kind_of[i] = r.count++;
    }
    return r;
}

static void kinds_free(struct job_rows *r)
{
    gs_array_free(r->kind_of);
    gs_array_free(r->kind);
    gs_hash_free(&r->index);
}

static const struct report_writing *writing_of(const struct store_row *r)
{
    return ((const struct job_rows *)r->self)->w;
}

/* The string `id` of the workload's table. */
static void id_put(const struct store_row *r, uint32_t id, sqlite3_context *out)
{
    store_text_put(out, gs_strtab_str(writing_of(r)->work->names, id));
}

static void id_of_kind_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, (writing_of(r)->run << 32) + r->number);
}

static void queue_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_kind *k = r->at;

    id_put(r, writing_of(r)->work->queue[k->queue].name, out);
}

static void user_put(const struct store_row *r, sqlite3_context *out)
{
    id_put(r, ((const struct job_kind *)r->at)->user, out);
}

static void priority_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_kind *k = r->at;

    id_put(r, writing_of(r)->work->klass[k->klass].name, out);
}

static void cause_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_kind *k = r->at;

    store_text_put(out, report_cause_info((enum report_cause)k->cause)->name);
}

static void tier_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_kind *k = r->at;

    if (k->level != UINT32_MAX)
        store_text_put(out, topo_level_name(writing_of(r)->topo, k->level));
}

static void completions_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_kind *k = r->at;

    if (k->completions)
        sqlite3_result_int64(out, k->completions);
}

static const struct store_column job_kinds[] = {
    { "id", "INTEGER PRIMARY KEY",
      "2^32 times the run, and the number of the kind: of jobs that are equal"
      " in these columns",
      STORE_BY(id_of_kind_put) },
    STORE_RUN,
    { "queue", "TEXT NOT NULL", "they were submitted to", STORE_BY(queue_put) },
    { "user", "TEXT NOT NULL", "the user that submitted them",
      STORE_BY(user_put) },
    { "priority", "TEXT NOT NULL", "their priority class",
      STORE_BY(priority_put) },
    { "tasks", "INTEGER NOT NULL", "each has",
      STORE_FIELD(STORE_NUMBER, struct job_kind, tasks) },
    { "gang", "INTEGER NOT NULL", "least tasks that start together",
      STORE_FIELD(STORE_NUMBER, struct job_kind, gang) },
    { "gpu_milli", "INTEGER NOT NULL", "all tasks of one ask for",
      STORE_FIELD(STORE_NUMBER, struct job_kind, gpu_milli) },
    { "state", "TEXT NOT NULL",
      "pending, partly placed, running, done, failed or rejected",
      STORE_NAME_OF(state_names, struct job_kind, state) },
    { "cause", "TEXT NOT NULL",
      "of most of its waiting, or why it was rejected; empty: none",
      STORE_BY(cause_put) },
    { "tier", "TEXT", "smallest that held it when it first started",
      STORE_BY(tier_put) },
    { "reason", "TEXT",
      "why it failed, was rejected or is held; else the quota that it lacked",
      STORE_FIELD(STORE_TEXT, struct job_kind, reason) },
    { "evictions", "INTEGER NOT NULL", "times it gave back all that it held",
      STORE_FIELD(STORE_NUMBER, struct job_kind, evictions) },
    { "preemptions", "INTEGER NOT NULL", "of the evictions: while it ran",
      STORE_FIELD(STORE_NUMBER, struct job_kind, preemptions) },
    { "completions", "INTEGER",
      "tasks that must end, each by itself; NULL: they end together",
      STORE_BY(completions_put) },
    { "scheduler", "TEXT", "that served it; NULL: there is only one",
      STORE_FIELD(STORE_TEXT, struct job_kind, scheduler) },
};

const struct store_table store_table_job_kinds = { "job_kinds",
                                                   STORE_COLUMNS(job_kinds),
                                                   ") STRICT", true };

/* --- rows ----------------------------------------------------------------- */

static const struct trace_job *job_of(const struct store_row *r)
{
    return &writing_of(r)->work->job[r->number];
}

static void name_put(const struct store_row *r, sqlite3_context *out)
{
    id_put(r, job_of(r)->name, out);
}

static void kind_put(const struct store_row *r, sqlite3_context *out)
{
    const struct job_rows *all = r->self;

    sqlite3_result_int64(out, all->kind_of[r->number]);
}

static void submit_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, job_of(r)->submit);
}

static void until_start_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_job *j = r->at;

    if (j->start >= 0)
        sqlite3_result_int64(out, j->start - job_of(r)->submit);
}

static void until_end_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_job *j = r->at;

    if (j->end >= 0)
        sqlite3_result_int64(
            out, j->end - (j->start >= 0 ? j->start : job_of(r)->submit));
}

static void ran_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_job *j = r->at;

    if (j->start >= 0 && (j->end < 0 || j->ran != j->end - j->start))
        sqlite3_result_int64(out, j->ran);
}

static void work_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_job *j = r->at;

    if (j->start >= 0 && j->work != j->ran)
        sqlite3_result_int64(out, j->work);
}

/* When its dependencies were met. */
static void eligible_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_job *j = r->at;

    if (job_of(r)->aside->dependency_count)
        sqlite3_result_int64(
            out, j->held == INT64_MAX ? -1 : job_of(r)->submit + j->held);
}

/* Since when tasks of it ran, when the trace began. */
static void since_put(const struct store_row *r, sqlite3_context *out)
{
    if (job_of(r)->aside->stand_count)
        sqlite3_result_int64(out, job_of(r)->aside->since);
}

static const struct store_column job_rows[] = {
    STORE_RUN,
    { "job", "INTEGER NOT NULL", "number of the job, by submit time, from 0",
      .kind = STORE_ROW },
    { "name", "TEXT NOT NULL", "of the job", STORE_BY(name_put) },
    { "kind", "INTEGER NOT NULL", "number of its kind", STORE_BY(kind_put) },
    { "submit_us", "INTEGER NOT NULL", "when it was submitted",
      STORE_BY(submit_put) },
    { "until_start_us", "INTEGER",
      "from its submission to its first start; NULL: it never started",
      STORE_BY(until_start_put) },
    { "until_end_us", "INTEGER",
      "from its first start, or if it never started its submission, to its"
      " end; NULL: it had not ended when the run did",
      STORE_BY(until_end_put) },
    { "lost_gpu_us", "INTEGER NOT NULL",
      "GPU time whose work evictions made it repeat",
      STORE_FIELD(STORE_NUMBER, struct report_job, lost_gpu_us) },
    { "ran_us", "INTEGER",
      "time in which it ran; NULL: from its first start to its end",
      STORE_BY(ran_put) },
    { "work_us", "INTEGER", "of that: not to be repeated; NULL: all",
      STORE_BY(work_put) },
    { "eligible_us", "INTEGER",
      "when its dependencies were met and it began to wait; -1: they were not;"
      " NULL: it has none",
      STORE_BY(eligible_put) },
    { "since_us", "INTEGER",
      "at most 0: since when tasks of it ran that stood at time 0; NULL: none "
      "did",
      STORE_BY(since_put) },
};

const struct store_table store_table_job_rows = {
    "job_rows", STORE_COLUMNS(job_rows), STORE_KEY("run_id, job"), true
};

/* --- the view ------------------------------------------------------------- */

#define SHOWN(name, type, sql, later)                                  \
    {                                                                  \
        name, type, .kind = STORE_UNSET, .now = sql, .is_later = later \
    }
#define RAN                                             \
    "coalesce(j.ran_us, iif(j.until_start_us IS NULL, " \
    "NULL, j.until_end_us))"

static const struct store_column jobs[] = {
    STORE_RUN,
    SHOWN("job", "INTEGER NOT NULL", NULL, false),
    SHOWN("name", "TEXT NOT NULL", NULL, false),
    SHOWN("queue", "TEXT NOT NULL", "k.queue", false),
    SHOWN("user", "TEXT NOT NULL", "k.user", false),
    SHOWN("priority", "TEXT NOT NULL", "k.priority", false),
    SHOWN("tasks", "INTEGER NOT NULL", "k.tasks", false),
    SHOWN("gang", "INTEGER NOT NULL", "k.gang", false),
    SHOWN("gpu_milli", "INTEGER NOT NULL", "k.gpu_milli", false),
    SHOWN("submit_us", "INTEGER NOT NULL", NULL, false),
    SHOWN("start_us", "INTEGER", "j.submit_us + j.until_start_us", false),
    SHOWN("end_us", "INTEGER",
          "j.submit_us + coalesce(j.until_start_us, 0)"
          " + j.until_end_us",
          false),
    SHOWN("state", "TEXT NOT NULL", "k.state", false),
    SHOWN("cause", "TEXT NOT NULL", "k.cause", false),
    SHOWN("evictions", "INTEGER NOT NULL", "k.evictions", false),
    SHOWN("tier", "TEXT", "k.tier", false),
    SHOWN("preemptions", "INTEGER NOT NULL", "k.preemptions", false),
    SHOWN("reason", "TEXT", "k.reason", false),
    SHOWN("lost_gpu_us", "INTEGER NOT NULL", NULL, false),
    SHOWN("ran_us", "INTEGER", RAN, true),
    SHOWN("work_us", "INTEGER", "coalesce(j.work_us, " RAN ")", true),
    SHOWN("completions", "INTEGER", "k.completions", true),
    SHOWN("eligible_us", "INTEGER", NULL, true),
    SHOWN("scheduler", "TEXT", "k.scheduler", true),
    SHOWN("since_us", "INTEGER", NULL, true),
};

#define KIND_COLUMNS                                                     \
    "queue, user, priority, tasks, gang, gpu_milli, state, cause, tier," \
    " reason, evictions, preemptions, completions, scheduler"
#define OF_ALL                                                  \
    " FROM main.jobs WINDOW k AS (PARTITION BY run_id ORDER BY" \
    " " KIND_COLUMNS ") ORDER BY 1, 2"

const struct store_table store_table_jobs = {
    "jobs",
    STORE_COLUMNS(jobs),
    STORE_KEY("run_id, job"),
    false,
    /* left: a job is one row, and SQLite begins with the jobs */
    .from = " FROM job_rows j LEFT JOIN job_kinds k"
            " ON k.id = (j.run_id << 32) + j.kind",
    .take = "INSERT INTO main.job_kinds SELECT DISTINCT (run_id << 32)"
            " + dense_rank() OVER k - 1, run_id, " KIND_COLUMNS OF_ALL ";"
            "INSERT INTO main.job_rows SELECT run_id, job, name,"
            " dense_rank() OVER k - 1, submit_us, start_us - submit_us,"
            " end_us - coalesce(start_us, submit_us),"
            " lost_gpu_us, nullif(ran_us, end_us - start_us),"
            " nullif(work_us, ran_us), eligible_us, since_us" OF_ALL ";"
            "DROP TABLE main.jobs",
};

static void job_read(const void *self, uint32_t number, void *out)
{
    const struct job_rows *all = self;

    *(struct report_job *)out = report_log_job(all->w->log, number);
}

int store_jobs_write(const struct report_writing *w)
{
    struct job_rows all = kinds_find(w);
    int rc = store_rows_insert(w->db, &(struct store_rows){
                                          .table = &store_table_job_kinds,
                                          .owner = w->run,
                                          .count = all.count,
                                          .row = all.kind,
                                          .size = sizeof(*all.kind),
                                          .self = &all,
                                      });

    if (rc == 0)
        rc = store_rows_insert(w->db, &(struct store_rows){
                                          .table = &store_table_job_rows,
                                          .owner = w->run,
                                          .count = w->log->job_count,
                                          .size = sizeof(struct report_job),
                                          .self = &all,
                                          .read = job_read,
                                      });
    kinds_free(&all);
    return rc;
}
