/* reports/explain/explain.c - what the tables say about a job.
 *
 * They are not trusted: numbers are kept in bounds, texts cleaned.
 */
#include "reports/explain/explain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"
#include "reports/store/store_private.h"

/* --- columns -------------------------------------------------------------- */

static const char *text_at(sqlite3_stmt *st, int column, struct gs_arena *arena)
{
    const char *s = store_text(st, column, arena);
    char *copy = gs_arena_strndup(arena, s, strlen(s));

    gs_text_clean(copy);
    return copy;
}

/* A number of at least 0 and no more than any time; NULL is -1. */
static int64_t number_at(sqlite3_stmt *st, int column)
{
    const int64_t n = sqlite3_column_int64(st, column);

    if (sqlite3_column_type(st, column) == SQLITE_NULL)
        return -1;
    return n < 0 ? 0 : n > GS_TIME_MAX ? GS_TIME_MAX : n;
}

/* What is left to do once all rows were read into `rows` (on the heap). */
static int rows_end(struct report_store *s, sqlite3_stmt *st, void *rows,
                    size_t bytes, struct gs_arena *arena, void *out,
                    struct gs_err *err)
{
    void *kept = bytes ? gs_arena_memdup(arena, rows, bytes) : NULL;

    memcpy(out, &kept, sizeof(kept));
    gs_array_free(rows);
    if (!st || sqlite3_finalize(st) != SQLITE_OK)
        return store_fail(s, "cannot read the job", err);
    return 0;
}

/* --- tables --------------------------------------------------------------- */

static int job_read(struct report_store *s, int64_t run, struct gs_arena *arena,
                    struct report_explained *e, struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(
        s,
        "SELECT j.name, j.queue, j.user, j.priority, "
        "iif(j.submit_us > r.end_us, 'unsubmitted', j.state), j.cause, "
        "j.reason, j.tier, j.tasks, j.gang, j.gpu_milli, j.submit_us, "
        "j.start_us, j.end_us, j.preemptions, j.lost_gpu_us, r.end_us, j.ran_us, "
        "j.completions "
        "FROM jobs j JOIN runs r ON r.id = j.run_id "
        "WHERE j.run_id = ?1 AND j.job = ?2",
        run, e->job);
    const char **const text[] = { &e->name,     &e->queue, &e->user,
                                  &e->priority, &e->state, &e->cause,
                                  &e->reason,   &e->tier };
    int64_t *const number[] = { &e->tasks,       &e->gang,        &e->gpu_milli,
                                &e->submit,      &e->start,       &e->end,
                                &e->preemptions, &e->lost_gpu_us, &e->run_end };

    if (!st || sqlite3_step(st) != SQLITE_ROW) {
        sqlite3_finalize(st);
        return store_fail(s, "cannot read the job", err);
    }
    for (int i = 0; i < 8; i++)
        *text[i] = text_at(st, i, arena);
    for (int i = 0; i < 9; i++)
        *number[i] = number_at(st, 8 + i);
    e->ran = number_at(st, 17);
    e->completions = number_at(st, 18);
    if (e->start >= 0 && e->ran < 0) /* of an older version */
        e->ran = (e->end >= 0 ? e->end : e->run_end) - e->start;
    sqlite3_finalize(st);
    e->waited = (e->end >= 0 ? e->end : e->run_end) - e->submit
                - (e->start >= 0 ? e->ran : 0);
    e->waited = e->waited < 0 ? 0 : e->waited; /* not submitted yet */
    return 0;
}

static int waits_read(struct report_store *s, int64_t run,
                      struct gs_arena *arena, struct report_explained *e,
                      struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(s,
                                   "SELECT cause, us FROM waits WHERE run_id "
                                   "= ?1 AND job = ?2 ORDER BY us DESC, cause",
                                   run, e->job);
    struct report_explained_wait *w = NULL;
    int64_t rest = e->waited;
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW && e->waits < UINT16_MAX) {
        w = gs_array_grow(w, &cap, e->waits + 1, sizeof(*w));
        w[e->waits] = (struct report_explained_wait){ text_at(st, 0, arena),
                                                      number_at(st, 1) };
        rest = rest > w[e->waits].us ? rest - w[e->waits].us : 0;
        e->waits++;
    }
    if (rest) {
        w = gs_array_grow(w, &cap, e->waits + 1, sizeof(*w));
        w[e->waits++] = (struct report_explained_wait){ "", rest };
    }
    return rows_end(s, st, w, e->waits * sizeof(*w), arena, &e->wait, err);
}

static int spans_read(struct report_store *s, int64_t run,
                      struct gs_arena *arena, struct report_explained *e,
                      struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(
        s,
        "SELECT coalesce(n.name, 'node ' || p.node), n.domain, p.task_group, "
        "p.first_task, p.tasks, p.devices, p.start_us, p.end_us "
        "FROM placements p LEFT JOIN nodes n "
        "ON n.run_id = p.run_id AND n.node = p.node "
        "WHERE p.run_id = ?1 AND p.job = ?2 ORDER BY p.seq",
        run, e->job);
    struct report_explained_span *p = NULL;
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        p = gs_array_grow(p, &cap, e->spans + 1, sizeof(*p));
        p[e->spans++] = (struct report_explained_span){
            .node = text_at(st, 0, arena),
            .domain = text_at(st, 1, arena),
            .group = number_at(st, 2),
            .first_task = number_at(st, 3),
            .tasks = number_at(st, 4),
            .devices = (uint64_t)sqlite3_column_int64(st, 5),
            .start = number_at(st, 6),
            .end = number_at(st, 7),
        };
    }
    return rows_end(s, st, p, e->spans * sizeof(*p), arena, &e->span, err);
}

static int evictions_read(struct report_store *s, int64_t run,
                          struct gs_arena *arena, struct report_explained *e,
                          struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(
        s,
        "SELECT e.at_us, e.kind, coalesce(j.name, 'job ' || e.by_job), "
        "j.queue, e.by_job, e.tasks, e.whole, e.lost_us, e.lost_gpu_us "
        "FROM evictions e LEFT JOIN jobs j "
        "ON j.run_id = e.run_id AND j.job = e.by_job "
        "WHERE e.run_id = ?1 AND e.job = ?2 ORDER BY e.seq",
        run, e->job);
    struct report_explained_eviction *v = NULL;
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        v = gs_array_grow(v, &cap, e->evictions + 1, sizeof(*v));
        v[e->evictions++] = (struct report_explained_eviction){
            .at = number_at(st, 0),
            .kind = text_at(st, 1, arena),
            .by = text_at(st, 2, arena),
            .by_queue = text_at(st, 3, arena),
            .by_job = number_at(st, 4),
            .tasks = number_at(st, 5),
            .is_whole = number_at(st, 6) > 0,
            .lost = number_at(st, 7),
            .lost_gpu_us = number_at(st, 8),
        };
    }
    return rows_end(s, st, v, e->evictions * sizeof(*v), arena, &e->eviction,
                    err);
}

static int segments_read(struct report_store *s, int64_t run,
                         struct gs_arena *arena, struct report_explained *e,
                         struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(
        s,
        "SELECT start_us, us, tasks, speed_ppm, nodes_ppm, model_ppm, source, "
        "tier FROM legs WHERE run_id = ?1 AND job = ?2 ORDER BY seq",
        run, e->job);
    struct report_explained_segment *l = NULL;
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        l = gs_array_grow(l, &cap, e->segments + 1, sizeof(*l));
        l[e->segments++] = (struct report_explained_segment){
            .start = number_at(st, 0),
            .us = number_at(st, 1),
            .tasks = number_at(st, 2),
            .speed = number_at(st, 3),
            .nodes = number_at(st, 4),
            .model = number_at(st, 5),
            .source = text_at(st, 6, arena),
            .tier = text_at(st, 7, arena),
        };
    }
    return rows_end(s, st, l, e->segments * sizeof(*l), arena, &e->segment,
                    err);
}

static int deadlocks_read(struct report_store *s, int64_t run,
                          struct gs_arena *arena, struct report_explained *e,
                          struct gs_err *err)
{
    if (report_deadlocks_read(s, run, e->job, arena, &e->deadlock,
                              &e->deadlocks, err)
        < 0)
        return -1;
    e->deadlock_text = gs_arena_alloc(arena, (size_t)e->deadlocks + 1,
                                      sizeof(*e->deadlock_text));
    for (uint32_t i = 0; i < e->deadlocks; i++)
        e->deadlock_text[i] = report_deadlock_text(&e->deadlock[i], arena);
    return 0;
}

/* Is the module in the stored profile?  It stands there as "- overcommit" or
 * within a list in brackets.
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

static int refusals_read(struct report_store *s, int64_t run,
                         struct gs_arena *arena, struct report_explained *e,
                         struct gs_err *err)
{
    sqlite3_stmt *st = explain_ask(s,
                                   "SELECT module, us FROM refusals WHERE"
                                   " run_id = ?1 AND job = ?2"
                                   " ORDER BY us DESC, module",
                                   run, e->job);
    struct report_explained_refusal *r = NULL;
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW && e->refusals < UINT16_MAX) {
        r = gs_array_grow(r, &cap, e->refusals + 1, sizeof(*r));
        r[e->refusals++] = (struct report_explained_refusal){
            text_at(st, 0, arena), number_at(st, 1)
        };
    }
    return rows_end(s, st, r, e->refusals * sizeof(*r), arena, &e->refusal,
                    err);
}

/* The modules of the profile that hold a job back for its queue or the load. */
static const char *quota_meaning(const char *profile)
{
    const bool queue = has_module(profile, "queue");
    const bool overcommit = has_module(profile, "overcommit");

    if (queue && overcommit)
        return "module queue or overcommit kept it out of its queue";
    if (overcommit)
        return "module overcommit: the queues are full";
    return "its queue might hold no more";
}

int report_explain(struct report_store *s, const char *run, const char *job,
                   struct gs_arena *arena, struct report_explained *out,
                   struct gs_err *err)
{
    struct report_stored_run found;
    char *name;

    assert(s && job);
    memset(out, 0, sizeof(*out));
    if (explain_find_run(s, run, arena, &found, err) < 0
        || explain_find_job(s, &found, job, arena, &out->job, err) < 0)
        return -1;
    out->run = name = gs_arena_strndup(arena, found.name, strlen(found.name));
    gs_text_clean(name);
    out->policy = name = gs_arena_strndup(arena, found.policy,
                                          strlen(found.policy));
    gs_text_clean(name);
    out->quota = quota_meaning(found.profile);
    if (job_read(s, found.id, arena, out, err) < 0
        || waits_read(s, found.id, arena, out, err) < 0
        || refusals_read(s, found.id, arena, out, err) < 0
        || spans_read(s, found.id, arena, out, err) < 0
        || segments_read(s, found.id, arena, out, err) < 0
        || deadlocks_read(s, found.id, arena, out, err) < 0)
        return -1;
    return evictions_read(s, found.id, arena, out, err);
}
