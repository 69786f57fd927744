/* reports/store/store_kinds.c - the kinds of jobs: what many jobs have in
 * common is stored once.
 *
 * Kinds are numbered by the end of their first job, and by its number: so a
 * number is known as soon as the job has ended.  Last are those of jobs that
 * have not ended, or whose reason is told after the run.
 */
#include <stdlib.h>
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

/* What jobs of one kind have in common. */
struct job_kind {
    const char *scheduler, *reason; /* NULL: none */
    int64_t gpu_milli;
    uint32_t queue, user, klass, tasks, gang, completions, level;
    uint32_t evictions, preemptions;
    uint8_t state, cause;
};

struct store_kinds {
    const struct report_writing *w;
    struct job_kind *kind;
    uint32_t count, cap;
    struct gs_hash index;
};

static struct job_kind kind_of(const struct report_writing *w,
                               const struct report_job *j)
{
    const struct trace_job *t = &w->work->job[j->job];

    return (struct job_kind){
        .scheduler = j->scheduler,
        .reason = j->reason,
        .gpu_milli = trace_job_gpu_milli(w->work, j->job),
        .queue = t->queue,
        .user = t->user,
        .klass = t->klass,
        .tasks = t->tasks,
        .gang = t->gang,
        .completions = t->aside->completions,
        .level = j->level,
        .evictions = j->evictions,
        .preemptions = j->preemptions,
        .state = (uint8_t)j->state,
        .cause = (uint8_t)j->cause,
    };
}

static bool text_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

struct kind_sought {
    const struct store_kinds *in;
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

struct store_kinds *store_kinds_create(const struct report_writing *w)
{
    struct store_kinds *k = gs_array_new(1, sizeof(*k));

    k->w = w;
    return k;
}

void store_kinds_free(struct store_kinds *k)
{
    if (!k)
        return;
    gs_array_free(k->kind);
    gs_hash_free(&k->index);
    gs_array_free(k);
}

uint32_t store_kind_put(struct store_kinds *k, const struct report_job *j)
{
    const struct job_kind kind = kind_of(k->w, j);
    const uint64_t hash = kind_hash(&kind);
    const uint32_t at = gs_hash_find(&k->index, hash, kind_same,
                                     &(struct kind_sought){ k, &kind });

    if (at != GS_HASH_NONE)
        return at;
    k->kind = gs_array_grow(k->kind, &k->cap, k->count + 1, sizeof(*k->kind));
    k->kind[k->count] = kind;
    gs_hash_put(&k->index, hash, k->count);
    return k->count++;
}

int store_kinds_write(const struct store_kinds *k)
{
    return store_rows_insert(k->w->db, &(struct store_rows){
                                           .table = &store_table_job_kinds,
                                           .owner = k->w->run,
                                           .count = k->count,
                                           .row = k->kind,
                                           .size = sizeof(*k->kind),
                                           .self = k,
                                       });
}

/* --- by the end of the first job ------------------------------------------ */

/* The first job of a kind. */
struct first_job {
    int64_t end;
    uint32_t job, kind;
};

static int first_compare(const void *pa, const void *pb)
{
    const struct first_job *a = pa, *b = pb;

    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->job < b->job ? -1 : 1;
}

/* Put the kinds in the order of their first jobs; `of` has the kinds of all
 * jobs.
 */
static void kinds_order(struct store_kinds *k, struct first_job *first,
                        uint32_t *of, uint32_t jobs)
{
    struct job_kind *kind = gs_array_new(k->count, sizeof(*kind));
    uint32_t *now = gs_array_new(k->count, sizeof(*now));

    if (k->count)
        qsort(first, k->count, sizeof(*first), first_compare);
    for (uint32_t i = 0; i < k->count; i++) {
        kind[i] = k->kind[first[i].kind];
        now[first[i].kind] = i;
    }
    for (uint32_t i = 0; i < jobs; i++)
        of[i] = now[of[i]];
    gs_array_free(now);
    gs_array_free(k->kind);
    k->kind = kind;
    k->cap = k->count;
}

uint32_t *store_kinds_find(struct store_kinds *k)
{
    const uint32_t jobs = k->w->log->job_count;
    uint32_t *of = gs_array_new(jobs, sizeof(*of));
    struct first_job *first = NULL;
    uint32_t cap = 0;

    for (uint32_t i = 0; i < jobs; i++) {
        const struct report_job j = report_log_job(k->w->log, i);
        const int64_t end = store_job_is_last(&j) ? INT64_MAX : j.end;
        const uint32_t known = k->count;

        of[i] = store_kind_put(k, &j);
        if (of[i] == known) {
            first = gs_array_grow(first, &cap, known + 1, sizeof(*first));
            first[known] = (struct first_job){ end, i, known };
        } else if (end < first[of[i]].end) {
            first[of[i]] = (struct first_job){ end, i, of[i] };
        }
    }
    kinds_order(k, first, of, jobs);
    gs_array_free(first);
    return of;
}

/* --- columns -------------------------------------------------------------- */

static const struct report_writing *writing_of(const struct store_row *r)
{
    return ((const struct store_kinds *)r->self)->w;
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
