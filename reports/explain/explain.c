/* reports/explain/explain.c - reads the rows of a job from a store.
 *
 * The rows are not trusted: numbers are limited, texts cleaned.
 */
#include "reports/explain/explain.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"
#include "reports/store/store_private.h"

/* Context of reading the rows of a job. */
struct reader {
    struct report_store *store;
    int64_t run;
    struct gs_arena *arena;
    struct report_explained *e;
};

static const char *text_at(const struct reader *r, sqlite3_stmt *st, int column)
{
    return store_clean_text(st, column, r->arena);
}

/* A number from 0 to the largest time; NULL is -1. */
static int64_t number_at(sqlite3_stmt *st, int column)
{
    const int64_t n = sqlite3_column_int64(st, column);

    if (sqlite3_column_type(st, column) == SQLITE_NULL)
        return -1;
    return n < 0 ? 0 : n > GS_TIME_MAX ? GS_TIME_MAX : n;
}

/* --- the job -------------------------------------------------------------- */

static int job_read(const struct reader *r)
{
    struct report_explained *e = r->e;
    sqlite3_stmt *st = store_ask(
        r->store,
        "SELECT j.name, j.queue, j.user, j.priority, "
        "iif(j.submit_us > r.end_us, 'unsubmitted', "
        "iif(j.eligible_us < 0, 'held', j.state)), j.cause, "
        "j.reason, j.tier, j.tasks, j.gang, j.gpu_milli, "
        "iif(j.eligible_us < 0, r.end_us, "
        "coalesce(j.eligible_us, j.submit_us)), "
        "j.start_us, j.end_us, j.preemptions, j.lost_gpu_us, r.end_us, j.ran_us, "
        "j.completions, j.submit_us, -j.since_us, j.scheduler "
        "FROM jobs j JOIN runs r ON r.id = j.run_id "
        "WHERE j.run_id = ?1 AND j.job = ?2",
        r->run, e->job, 0);
    const char **const text[] = { &e->name,     &e->queue, &e->user,
                                  &e->priority, &e->state, &e->cause,
                                  &e->reason,   &e->tier };
    int64_t *const number[] = { &e->tasks,       &e->gang,        &e->gpu_milli,
                                &e->submit,      &e->start,       &e->end,
                                &e->preemptions, &e->lost_gpu_us, &e->run_end,
                                &e->ran,         &e->completions, &e->arrived,
                                &e->before };
    int64_t until;

    if (!st || sqlite3_step(st) != SQLITE_ROW) {
        sqlite3_finalize(st);
        return -1;
    }
    for (int i = 0; i < 8; i++)
        *text[i] = text_at(r, st, i);
    for (int i = 0; i < 13; i++)
        *number[i] = number_at(st, 8 + i);
    e->scheduler = text_at(r, st, 8 + 13);
    sqlite3_finalize(st);
    e->has_stood = e->before >= 0;
    until = e->end >= 0 ? e->end : e->run_end;
    if (e->start >= 0 && e->ran < 0) /* stored by an older version */
        e->ran = until - e->start;
    e->waited = until - e->submit - (e->start >= 0 ? e->ran : 0);
    e->waited = e->waited < 0 ? 0 : e->waited; /* not submitted yet */
    return 0;
}

/* --- lists ---------------------------------------------------------------- */

/* Each fills one entry from a row. */
typedef void read_fn(const struct reader *r, sqlite3_stmt *st, void *entry);

static void wait_read(const struct reader *r, sqlite3_stmt *st, void *entry)
{
    *(struct report_explained_wait *)entry = (struct report_explained_wait){
        text_at(r, st, 0), number_at(st, 1), number_at(st, 2)
    };
}

static void refusal_read(const struct reader *r, sqlite3_stmt *st, void *entry)
{
    *(struct report_explained_refusal *)entry =
        (struct report_explained_refusal){ text_at(r, st, 0),
                                           number_at(st, 1) };
}

static void span_read(const struct reader *r, sqlite3_stmt *st, void *entry)
{
    *(struct report_explained_span *)entry = (struct report_explained_span){
        .node = text_at(r, st, 0),
        .domain = text_at(r, st, 1),
        .group = number_at(st, 2),
        .first_task = number_at(st, 3),
        .tasks = number_at(st, 4),
        .devices = (uint64_t)sqlite3_column_int64(st, 5),
        .start = number_at(st, 6),
        .end = number_at(st, 7),
    };
}

static void eviction_read(const struct reader *r, sqlite3_stmt *st, void *entry)
{
    *(struct report_explained_eviction *)entry =
        (struct report_explained_eviction){
            .at = number_at(st, 0),
            .kind = text_at(r, st, 1),
            .by = text_at(r, st, 2),
            .by_queue = text_at(r, st, 3),
            .by_job = number_at(st, 4),
            .tasks = number_at(st, 5),
            .is_whole = number_at(st, 6) > 0,
            .lost = number_at(st, 7),
            .lost_gpu_us = number_at(st, 8),
        };
}

static void segment_read(const struct reader *r, sqlite3_stmt *st, void *entry)
{
    *(struct report_explained_segment *)entry =
        (struct report_explained_segment){
            .start = number_at(st, 0),
            .us = number_at(st, 1),
            .tasks = number_at(st, 2),
            .speed = number_at(st, 3),
            .nodes = number_at(st, 4),
            .model = number_at(st, 5),
            .source = text_at(r, st, 6),
            .tier = text_at(r, st, 7),
        };
}

#define LIST(member) offsetof(struct report_explained, member)

static const struct list {
    const char *sql;
    read_fn *read;
    size_t size;        /* of an entry */
    size_t list, count; /* offsets of both in struct report_explained */
} lists[] = {
    { "SELECT cause, us, coalesce(first_us, us) FROM waits WHERE run_id = ?1 AND job = ?2"
      " ORDER BY us DESC, cause LIMIT 65535",
      wait_read, sizeof(struct report_explained_wait), LIST(wait),
      LIST(waits) },
    { "SELECT module, us FROM refusals WHERE run_id = ?1 AND job = ?2"
      " ORDER BY us DESC, module LIMIT 65535",
      refusal_read, sizeof(struct report_explained_refusal), LIST(refusal),
      LIST(refusals) },
    { "SELECT coalesce(n.name, 'node ' || p.node), n.domain, p.task_group,"
      " p.first_task, p.tasks, p.devices, p.start_us, p.end_us"
      " FROM placements p LEFT JOIN nodes n"
      " ON n.run_id = p.run_id AND n.node = p.node"
      " WHERE p.run_id = ?1 AND p.job = ?2 ORDER BY p.seq",
      span_read, sizeof(struct report_explained_span), LIST(span),
      LIST(spans) },
    { "SELECT start_us, us, tasks, speed_ppm, nodes_ppm, model_ppm, source,"
      " tier FROM legs WHERE run_id = ?1 AND job = ?2 ORDER BY seq",
      segment_read, sizeof(struct report_explained_segment), LIST(segment),
      LIST(segments) },
    { "SELECT e.at_us, e.kind, coalesce((SELECT j.name FROM jobs j"
      " WHERE j.run_id = e.run_id AND j.job = e.by_job), 'job ' || e.by_job),"
      " (SELECT j.queue FROM jobs j"
      " WHERE j.run_id = e.run_id AND j.job = e.by_job),"
      " e.by_job, e.tasks, e.whole, e.lost_us, e.lost_gpu_us FROM evictions e"
      " WHERE e.run_id = ?1 AND e.job = ?2 ORDER BY e.seq",
      eviction_read, sizeof(struct report_explained_eviction), LIST(eviction),
      LIST(evictions) },
};

static int list_read(const struct reader *r, const struct list *l)
{
    sqlite3_stmt *st = store_ask(r->store, l->sql, r->run, r->e->job, 0);
    char *rows = NULL;
    uint32_t count = 0, cap = 0;
    void *kept;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, count + 1, l->size);
        l->read(r, st, rows + count++ * l->size);
    }
    kept = count ? gs_arena_memdup(r->arena, rows, count * l->size) : NULL;
    gs_array_free(rows);
    memcpy((char *)r->e + l->list, &kept, sizeof(kept));
    memcpy((char *)r->e + l->count, &count, sizeof(count));
    return store_answered(st);
}

/* Add the waiting time without a stored cause as one more cause. */
static void rest_add(const struct reader *r)
{
    struct report_explained *e = r->e;
    int64_t rest = e->waited;
    struct report_explained_wait *all;

    for (uint32_t i = 0; i < e->waits; i++)
        rest = rest > e->wait[i].us ? rest - e->wait[i].us : 0;
    if (rest == 0)
        return;
    all = gs_arena_alloc(r->arena, e->waits + 1, sizeof(*all));
    if (e->waits)
        memcpy(all, e->wait, e->waits * sizeof(*all));
    all[e->waits++] = (struct report_explained_wait){ "", rest, rest };
    e->wait = all;
}

static int deadlocks_read(const struct reader *r, struct gs_err *err)
{
    struct report_explained *e = r->e;

    if (report_deadlocks_read(r->store, r->run, e->job, r->arena, &e->deadlock,
                              &e->deadlocks, err)
        < 0)
        return -1;
    e->deadlock_text = report_deadlock_texts(e->deadlock, e->deadlocks,
                                             r->arena);
    return 0;
}

/* --- the profile ---------------------------------------------------------- */

/* True when the stored profile has the module, as "- overcommit" or in a list
 * in brackets.
 */
static bool has_module(const char *profile, const char *module)
{
    const size_t n = strlen(module);

    for (const char *at = profile; (at = strstr(at, module)); at += n) {
        if (at > profile && strchr(" [,", at[-1]) && at[n]
            && strchr("\n ,]:", at[n]))
            return true;
    }
    return false;
}

/* A text with the modules of the profile that refuse jobs for their queue or
 * the load.
 */
static const char *quota_meaning(const char *profile)
{
    const bool queue = has_module(profile, "queue");
    const bool overcommit = has_module(profile, "overcommit");

    if (queue && overcommit)
        return "module queue or overcommit refused it";
    if (overcommit)
        return "module overcommit refused it";
    return "its queue or user may not hold more";
}

int report_explain(struct report_store *s, const char *run, const char *job,
                   struct gs_arena *arena, struct report_explained *out,
                   struct gs_err *err)
{
    struct reader r = { .store = s, .arena = arena, .e = out };
    struct report_stored_run found;
    int rc;

    assert(s && job);
    memset(out, 0, sizeof(*out));
    if (explain_find_run(s, run, arena, &found, err) < 0
        || explain_find_job(s, &found, job, arena, &out->job, err) < 0)
        return -1;
    r.run = found.id;
    out->run = gs_text_copy(arena, found.name);
    out->policy = gs_text_copy(arena, found.policy);
    out->quota = quota_meaning(found.profile);
    rc = job_read(&r);
    for (size_t i = 0; rc == 0 && i < sizeof(lists) / sizeof(lists[0]); i++)
        rc = list_read(&r, &lists[i]);
    if (rc < 0)
        return store_fail(s, "cannot read the job", err);
    rest_add(&r);
    return deadlocks_read(&r, err);
}
