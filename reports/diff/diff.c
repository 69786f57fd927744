/* reports/diff/diff.c - the first decision that differs, by the rows. */
#include "reports/diff/diff.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "reports/diff/diff_private.h"
#include "reports/store/run_inputs.h"
#include "reports/store/store_private.h"

#define VICTIMS_TEXT 120 /* bytes of a list of jobs */
#define PLACES_SQL                                        \
    "SELECT coalesce(n.name, p.node), p.tasks, p.devices" \
    " FROM placements p LEFT JOIN nodes n"                \
    " ON n.run_id = p.run_id AND n.node = p.node"         \
    " WHERE p.run_id = ?1 AND p.job = ?2"

struct report_diff_job diff_job_describe(const struct diff_rows *r,
                                         uint32_t job, struct gs_arena *arena)
{
    const struct diff_job *const j[2] = { &r->job[0][job], &r->job[1][job] };
    struct report_diff_job d = {
        .job = job,
        .name = gs_text_copy(arena, gs_strtab_str(r->names, j[0]->name)),
        .queue = gs_text_copy(arena, gs_strtab_str(r->names, j[0]->queue)),
        .gpu_milli = j[0]->gpu_milli,
    };

    for (int i = 0; i < 2; i++) {
        d.waited[i] = j[i]->waited;
        d.cause[i] = gs_text_copy(arena, gs_strtab_str(r->names, j[i]->cause));
    }
    return d;
}

/* --- the instant ---------------------------------------------------------- */

static void first_find(const struct diff_rows *r, struct gs_arena *arena,
                       struct report_diff *out)
{
    int64_t first = DIFF_NEVER;

    for (uint32_t i = 0; i < r->jobs; i++) {
        if (r->at[i] < first)
            out->together_count = 0;
        first = r->at[i] < first ? r->at[i] : first;
        out->together_count += first != DIFF_NEVER && r->at[i] == first;
    }
    out->differs = first != DIFF_NEVER;
    if (!out->differs)
        return;
    out->at = first;
    out->together = gs_arena_alloc(arena, out->together_count,
                                   sizeof(*out->together));
    for (uint32_t i = 0, n = 0; i < r->jobs; i++) {
        if (r->at[i] == first)
            out->together[n++] = i;
    }
    for (uint32_t i = 0; i < r->placed; i++)
        out->before += r->placed_at[i] < first;
}

/* --- what was done -------------------------------------------------------- */

/* Read what the job was given at the instant (`is_new`), or holds through it.
 * False: nothing.
 */
static bool places_read(const struct report_diff *d, int side, bool is_new,
                        struct report_diff_act *act, struct gs_arena *arena)
{
    const struct report_choice *c = &d->run[side];
    struct report_diff_place *place = NULL;
    uint32_t cap = 0;
    sqlite3_stmt *st = store_ask(
        c->store,
        is_new ? PLACES_SQL " AND p.start_us = ?3 ORDER BY p.seq"
               : PLACES_SQL " AND p.start_us < ?3"
                            " AND coalesce(p.end_us > ?3, 1) ORDER BY p.seq",
        c->run.id, d->job, d->at);

    act->places = 0;
    while (st && sqlite3_step(st) == SQLITE_ROW) {
        const char *node = store_clean_text(st, 0, arena);
        struct report_diff_place *p;

        place = gs_array_grow(place, &cap, act->places + 1, sizeof(*place));
        if (act->places == 0 || strcmp(place[act->places - 1].node, node) != 0)
            place[act->places++] = (struct report_diff_place){ .node = node };
        p = &place[act->places - 1];
        p->tasks += sqlite3_column_int(st, 1);
        p->devices |= (uint64_t)sqlite3_column_int64(st, 2);
    }
    (void)store_answered(st);
    act->place = store_rows_keep(place, act->places, sizeof(*place), arena);
    return act->places > 0;
}

static bool eviction_read(const struct report_diff *d, int side,
                          struct report_diff_act *act, struct gs_arena *arena)
{
    sqlite3_stmt *st = store_ask(
        d->run[side].store,
        "SELECT e.kind, (SELECT j.name FROM jobs j"
        " WHERE j.run_id = e.run_id AND j.job = e.by_job) FROM evictions e"
        " WHERE e.run_id = ?1 AND e.job = ?2 AND e.at_us = ?3",
        d->run[side].run.id, d->job, d->at);
    const bool is_there = st && sqlite3_step(st) == SQLITE_ROW;

    if (is_there) {
        act->kind = store_clean_text(st, 0, arena);
        act->by = store_clean_text(st, 1, arena);
    }
    (void)store_answered(st);
    return is_there;
}

/* The jobs that the run evicted for this one at the instant. */
static const char *victims_read(const struct report_diff *d, int side,
                                struct gs_arena *arena)
{
    sqlite3_stmt *st = store_ask(
        d->run[side].store,
        "SELECT j.name FROM evictions e JOIN jobs j"
        " ON j.run_id = e.run_id AND j.job = e.job"
        " WHERE e.run_id = ?1 AND e.by_job = ?2 AND e.at_us = ?3"
        " ORDER BY e.seq",
        d->run[side].run.id, d->job, d->at);
    char text[VICTIMS_TEXT] = "";

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        const char *name = store_clean_text(st, 0, arena);

        if (strlen(text) + strlen(name) + sizeof(", , ...") > sizeof(text)) {
            gs_text_add(text, sizeof(text), "%s...", text[0] ? ", " : "");
            break;
        }
        gs_text_add(text, sizeof(text), "%s%s", text[0] ? ", " : "", name);
    }
    sqlite3_finalize(st);
    return gs_text_copy(arena, text);
}

/* Read the job's row: what its times and state tell of the instant. */
static const char *state_read(const struct report_diff *d, int side,
                              struct report_diff_act *act,
                              struct gs_arena *arena)
{
    sqlite3_stmt *st = store_ask(
        d->run[side].store,
        "SELECT CASE WHEN submit_us > ?3 THEN 'is not submitted yet'"
        " WHEN state = 'rejected' AND coalesce(end_us, submit_us) <= ?3"
        " THEN 'is rejected'"
        " WHEN end_us = ?3 THEN 'ends'"
        " WHEN end_us < ?3 THEN 'is over'"
        " WHEN start_us = ?3 THEN 'starts'"
        " WHEN start_us < ?3 THEN 'runs' ELSE 'waits' END, cause"
        " FROM jobs WHERE run_id = ?1 AND job = ?2",
        d->run[side].run.id, d->job, d->at);
    const char *deed = "";

    if (st && sqlite3_step(st) == SQLITE_ROW) {
        deed = store_clean_text(st, 0, arena);
        act->cause = store_clean_text(st, 1, arena);
    }
    (void)store_answered(st);
    return deed;
}

static void act_read(struct report_diff *d, int side, struct gs_arena *arena)
{
    struct report_diff_act act = { .kind = "", .by = "", .cause = "" };
    const char *deed = state_read(d, side, &act, arena);
    const bool is_evicted = eviction_read(d, side, &act, arena);

    act.deed = deed;
    act.victims = victims_read(d, side, arena);
    if (places_read(d, side, true, &act, arena))
        act.deed = is_evicted ? "is moved" : "is placed";
    else if (is_evicted)
        act.deed = "is evicted";
    else if (places_read(d, side, false, &act, arena)
             && strcmp(deed, "waits") == 0)
        act.deed = "holds a part";
    else if (act.places == 0 && strcmp(deed, "runs") == 0)
        act.deed = "waits"; /* again */
    d->act[side] = act;
}

void report_diff_job_set(struct report_diff *d, uint32_t job,
                         struct gs_arena *arena)
{
    d->job = job;
    for (int side = 0; side < 2; side++)
        act_read(d, side, arena);
}

const struct report_diff_job *report_diff_job(const struct report_diff *d)
{
    uint32_t i = 0;

    assert(d->together_count > 0);
    while (d->together[i] != d->job)
        i++;
    return &d->of[i];
}

/* --- profiles ------------------------------------------------------------- */

/* The line at *text without what introduces an entry, and its length; *text
 * goes behind it.
 */
static size_t line_take(const char **text, const char **line)
{
    size_t n = strcspn(*text, "\n");
    const size_t blank = strspn(*text, " -");

    *line = *text + (blank < n ? blank : n);
    *text += n;
    n = (size_t)(*text - *line);
    *text += **text == '\n';
    return n;
}

/* Find the lines of a profile, but for its name, that the other does not have.
 */
static void profile_compare(struct report_diff *d, int side,
                            struct gs_arena *arena)
{
    struct gs_strtab *other = gs_strtab_create();
    const char *text = d->run[!side].run.profile, *line;
    const char **only = NULL;
    uint32_t cap = 0, count = 0;

    while (*text) {
        const size_t n = line_take(&text, &line);

        (void)gs_strtab_put(other, line, n);
    }
    for (text = d->run[side].run.profile; *text;) {
        const size_t n = line_take(&text, &line);

        if (strncmp(line, "name:", 5) == 0
            || gs_strtab_find(other, line, n) != GS_STRTAB_NONE)
            continue;
        only = gs_array_grow(only, &cap, count + 1, sizeof(*only));
        only[count++] = gs_text_copy(arena, gs_arena_strndup(arena, line, n));
    }
    d->only[side] = store_rows_keep(only, count, sizeof(*only), arena);
    d->only_count[side] = count;
    gs_strtab_destroy(other);
}

/* --- all ------------------------------------------------------------------ */

int report_diff(const struct report_choice *a, const struct report_choice *b,
                uint32_t list, struct gs_arena *arena, struct report_diff *out,
                struct gs_err *err)
{
    struct diff_rows r;
    int rc;

    assert(a && b && out);
    *out = (struct report_diff){ .run = { *a, *b } };
    out->inputs = report_inputs_differ(report_inputs_text(&a->run, arena),
                                       report_inputs_text(&b->run, arena));
    for (int side = 0; side < 2; side++)
        profile_compare(out, side, arena);
    rc = diff_rows_read(&r, a, b, err);
    if (rc == 0) {
        out->jobs = r.jobs;
        out->placed = r.placed;
        first_find(&r, arena, out);
        rc = diff_groups_sum(&r, list, arena, out, err);
    }
    if (rc == 0 && out->differs) {
        out->of = gs_arena_alloc(arena, out->together_count, sizeof(*out->of));
        for (uint32_t i = 0; i < out->together_count; i++)
            out->of[i] = diff_job_describe(&r, out->together[i], arena);
        report_diff_job_set(out, out->together[0], arena);
    }
    diff_rows_free(&r);
    return rc;
}
