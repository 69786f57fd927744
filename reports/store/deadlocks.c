/* reports/store/deadlocks.c - deadlocks as texts, see deadlocks.h. */
#include "reports/store/deadlocks.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "reports/store/store_private.h"

#define JOBS_TOLD 4u

/* A job of an episode, with what it held at its start. */
static const char sql[] =
    "SELECT d.episode, d.start_us, coalesce(d.end_us, -1), d.job, j.name,"
    " j.gang, j.tasks, j.gpu_milli,"
    " coalesce(d.endless, d.end_us IS NULL AND r.status = 'done'),"
    " coalesce(sum(p.tasks), -1)"
    " FROM deadlocks d JOIN runs r ON r.id = d.run_id"
    " JOIN jobs j ON j.run_id = d.run_id AND j.job = d.job"
    " LEFT JOIN placements p ON p.run_id = d.run_id AND p.job = d.job"
    " AND p.start_us <= d.start_us"
    " AND (p.end_us IS NULL OR p.end_us > d.start_us)"
    " WHERE d.run_id = ?1 AND (?2 < 0 OR d.episode IN"
    " (SELECT episode FROM deadlocks WHERE run_id = ?1 AND job = ?2))"
    " GROUP BY d.episode, d.job ORDER BY d.episode, d.job";

/* Set the amounts in GPUs when all tasks ask for equally many whole ones, else
 * in tasks.
 */
static void amounts_set(struct report_deadlocked *j, int64_t held, int64_t gang,
                        int64_t tasks, int64_t gpu_milli)
{
    const bool is_even = tasks > 0 && gpu_milli > 0 && gpu_milli % 1000 == 0
                         && gpu_milli / 1000 % tasks == 0;
    const int64_t each = is_even ? gpu_milli / 1000 / tasks : 1;

    j->is_known = held >= 0;
    j->in_gpus = is_even;
    j->held = held * each;
    j->lacked = gang > held ? (gang - held) * each : 0;
}

static void job_read(sqlite3_stmt *st, struct gs_arena *arena,
                     struct report_deadlock *d, uint32_t *cap)
{
    struct report_deadlocked *j;

    d->job = gs_array_grow(d->job, cap, d->jobs + 1, sizeof(*d->job));
    j = &d->job[d->jobs++];
    j->job = sqlite3_column_int64(st, 3);
    j->name = store_clean_text(st, 4, arena);
    amounts_set(j, sqlite3_column_int64(st, 9), sqlite3_column_int64(st, 5),
                sqlite3_column_int64(st, 6), sqlite3_column_int64(st, 7));
}

/* The last episode has all its jobs. */
static void episode_end(struct report_deadlock *d, struct gs_arena *arena)
{
    d->job = store_rows_keep(d->job, d->jobs, sizeof(*d->job), arena);
}

int report_deadlocks_read(struct report_store *s, int64_t run, int64_t job,
                          struct gs_arena *arena, struct report_deadlock **out,
                          uint32_t *count, struct gs_err *err)
{
    struct report_deadlock *all = NULL;
    uint32_t n = 0, cap = 0, jobs_cap = 0;
    sqlite3_stmt *st;

    *out = NULL;
    *count = 0;
    st = store_ask(s, sql, run, job, 0);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const int64_t episode = sqlite3_column_int64(st, 0);

        if (n == 0 || all[n - 1].episode != episode) {
            if (n)
                episode_end(&all[n - 1], arena);
            jobs_cap = 0;
            all = gs_array_grow(all, &cap, n + 1, sizeof(*all));
            all[n++] = (struct report_deadlock){
                .episode = episode,
                .start = sqlite3_column_int64(st, 1),
                .end = sqlite3_column_int64(st, 2),
                .is_endless = sqlite3_column_int64(st, 8) != 0,
            };
        }
        job_read(st, arena, &all[n - 1], &jobs_cap);
    }
    if (n)
        episode_end(&all[n - 1], arena);
    *out = store_rows_keep(all, n, sizeof(*all), arena);
    *count = n;
    return store_answered(st) == 0
               ? 0
               : store_fail(s, "cannot read the deadlocks", err);
}

static const char *text_of(const struct report_deadlock *d,
                           struct gs_arena *arena)
{
    const uint32_t told = d->jobs < JOBS_TOLD ? d->jobs : JOBS_TOLD;
    char since[64], until[64], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *kept;

    assert(d);
    if (!out)
        return "deadlocked";
    gs_instant_format(d->start, since, sizeof(since));
    fprintf(out, "deadlocked since %s", since);
    if (d->end >= 0)
        fprintf(out, " until %s",
                gs_instant_format(d->end, until, sizeof(until)));
    else
        fputs(d->is_endless ? " for ever" : ", still when the run was cut",
              out);
    for (uint32_t i = 0; i < told; i++) {
        const struct report_deadlocked *j = &d->job[i];

        fprintf(out, "%s%s", i ? ", " : "; ", j->name);
        if (!j->is_known)
            continue;
        fprintf(out, " holds %lld", (long long)j->held);
        if (i == 0 || j->in_gpus != d->job[i - 1].in_gpus)
            fprintf(out, " %s%s", j->in_gpus ? "GPU" : "task",
                    j->held == 1 ? "" : "s");
        fprintf(out, " and lacks %lld", (long long)j->lacked);
    }
    if (told < d->jobs)
        fprintf(out, " and %u more jobs", (unsigned)(d->jobs - told));
    fclose(out);
    kept = gs_arena_strndup(arena, text, size);
    free(text);
    return kept;
}

const char **report_deadlock_texts(const struct report_deadlock *d,
                                   uint32_t count, struct gs_arena *arena)
{
    const char **text = gs_arena_alloc(arena, (size_t)count + 1, sizeof(*text));

    for (uint32_t i = 0; i < count; i++)
        text[i] = text_of(&d[i], arena);
    return text;
}
