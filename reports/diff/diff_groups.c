/* reports/diff/diff_groups.c - which jobs, queues and sizes waited less or more
 * in the second run, and for what.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "reports/diff/diff_private.h"
#include "reports/measure/metrics.h"
#include "reports/store/store_private.h"

/* --- groups --------------------------------------------------------------- */

static void job_add(struct report_diff_group *g, const struct diff_job *a,
                    const struct diff_job *b)
{
    g->gained += b->waited < a->waited;
    g->lost += b->waited > a->waited;
    g->waited[0] += (double)a->waited;
    g->waited[1] += (double)b->waited;
}

static double change_of(const struct report_diff_group *g)
{
    return fabs(g->waited[1] - g->waited[0]);
}

static int group_compare(const void *pa, const void *pb)
{
    const struct report_diff_group *a = pa, *b = pb;
    const double x = change_of(a), y = change_of(b);

    if (x != y)
        return x > y ? -1 : 1;
    return strcmp(a->label, b->label);
}

/* Keep the groups in which anything changed, in order. */
static struct report_diff_groups groups_keep(struct report_diff_group *all,
                                             uint32_t count,
                                             struct gs_arena *arena)
{
    struct report_diff_groups g = { .at = NULL };

    for (uint32_t i = 0; i < count; i++) {
        if (all[i].label
            && (all[i].gained || all[i].lost
                || all[i].waited[0] != all[i].waited[1]))
            all[g.count++] = all[i];
    }
    if (g.count) {
        qsort(all, g.count, sizeof(*all), group_compare);
        g.at = gs_arena_memdup(arena, all, g.count * sizeof(*all));
    }
    return g;
}

static void jobs_sum(const struct diff_rows *r, struct gs_arena *arena,
                     struct report_diff *out)
{
    const uint32_t names = gs_strtab_count(r->names);
    struct report_diff_group *queue = gs_array_new(names, sizeof(*queue));
    struct report_diff_group size[REPORT_SIZES] = { 0 };
    struct report_diff_group all = { 0 };

    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct diff_job *a = &r->job[0][i], *b = &r->job[1][i];
        const uint32_t k = report_size_of(a->gpu_milli);

        if (!queue[a->queue].label)
            queue[a->queue].label = gs_text_copy(
                arena, gs_strtab_str(r->names, a->queue));
        size[k].label = report_size_name(k);
        job_add(&queue[a->queue], a, b);
        job_add(&size[k], a, b);
        job_add(&all, a, b);
    }
    out->gained = all.gained;
    out->lost = all.lost;
    memcpy(out->waited, all.waited, sizeof(out->waited));
    out->queue = groups_keep(queue, names, arena);
    out->size = groups_keep(size, REPORT_SIZES, arena);
    gs_array_free(queue);
}

/* --- causes --------------------------------------------------------------- */

/* Add the waits of one run to the groups of causes, of which there are *count.
 */
static int causes_read(const struct report_choice *c, int side,
                       struct report_diff_group **g, uint32_t *cap,
                       uint32_t *count, struct gs_arena *arena,
                       struct gs_err *err)
{
    sqlite3_stmt *st = store_ask(c->store,
                                 "SELECT cause, total(us) FROM waits"
                                 " WHERE run_id = ?1 GROUP BY cause",
                                 c->run.id, 0, 0);

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        const char *label = store_clean_text(st, 0, arena);
        uint32_t i = 0;

        while (i < *count && strcmp((*g)[i].label, label) != 0)
            i++;
        if (i == *count) {
            *g = gs_array_grow(*g, cap, *count + 1, sizeof(**g));
            (*g)[(*count)++] = (struct report_diff_group){ .label = label };
        }
        (*g)[i].waited[side] += sqlite3_column_double(st, 1);
    }
    return store_answered(st) < 0
               ? store_fail(c->store, "cannot read the waits", err)
               : 0;
}

static int causes_sum(const struct diff_rows *r, struct gs_arena *arena,
                      struct report_diff *out, struct gs_err *err)
{
    struct report_diff_group *g = NULL;
    uint32_t count = 0, cap = 0;
    int rc = 0;

    for (int side = 0; side < 2 && rc == 0; side++)
        rc = causes_read(r->run[side], side, &g, &cap, &count, arena, err);
    if (rc == 0)
        out->cause = groups_keep(g, count, arena);
    gs_array_free(g);
    return rc;
}

/* --- jobs ----------------------------------------------------------------- */

/* The change of a job's wait. */
struct moved {
    int64_t by;
    uint32_t job;
};

static int moved_compare(const void *pa, const void *pb)
{
    const struct moved *a = pa, *b = pb;

    if (a->by != b->by)
        return a->by < b->by ? -1 : 1;
    return a->job < b->job ? -1 : 1;
}

/* The first `list` of the sorted jobs from *m on, every `step`. */
static struct report_diff_job *most_of(const struct diff_rows *r,
                                       const struct moved *m, int step,
                                       uint32_t count, struct gs_arena *arena)
{
    struct report_diff_job *j = gs_arena_alloc(arena, count + 1, sizeof(*j));

    for (uint32_t i = 0; i < count; i++, m += step)
        j[i] = diff_job_describe(r, m->job, arena);
    return j;
}

static void most_find(const struct diff_rows *r, uint32_t list,
                      struct gs_arena *arena, struct report_diff *out)
{
    struct moved *m = gs_array_new((size_t)r->jobs + 1, sizeof(*m));

    for (uint32_t i = 0; i < r->jobs; i++)
        m[i] = (struct moved){ r->job[1][i].waited - r->job[0][i].waited, i };
    qsort(m, r->jobs, sizeof(*m), moved_compare);
    out->gained_count = out->gained < list ? out->gained : list;
    out->lost_count = out->lost < list ? out->lost : list;
    out->most_gained = most_of(r, m, 1, out->gained_count, arena);
    out->most_lost = most_of(r, m + r->jobs - 1, -1, out->lost_count, arena);
    gs_array_free(m);
}

int diff_groups_sum(const struct diff_rows *r, uint32_t list,
                    struct gs_arena *arena, struct report_diff *out,
                    struct gs_err *err)
{
    jobs_sum(r, arena, out);
    most_find(r, list, arena, out);
    return causes_sum(r, arena, out, err);
}
