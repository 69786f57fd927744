/* reports/store/decisions.c - see decisions.h. */
#include "reports/store/decisions.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "reports/measure/log.h"
#include "reports/store/choose.h"
#include "reports/store/store_private.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define POINTS_MOST 200u /* of a digest */

/* --- gathering ------------------------------------------------------------ */

static int decided_compare(const void *pa, const void *pb)
{
    const struct report_decided *a = pa, *b = pb;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->first_task != b->first_task)
        return a->first_task < b->first_task ? -1 : 1;
    return strcmp(a->node, b->node);
}

static void decisions_sort(struct report_decisions *d)
{
    if (d->count)
        qsort(d->at, d->count, sizeof(*d->at), decided_compare);
}

void report_decisions_take(const struct report_log *log, const struct topo *t,
                           const struct trace_workload *w,
                           struct gs_arena *arena, struct report_decisions *out)
{
    out->count = log->placement_count;
    out->at = gs_arena_alloc(arena, out->count + 1, sizeof(*out->at));
    for (uint32_t i = 0; i < out->count; i++) {
        const struct report_placement *p = &log->placement[i];

        out->at[i] = (struct report_decided){
            .at = p->start,
            .tasks = p->tasks,
            .devices = p->devices,
            .job = p->job,
            .group = p->group,
            .first_task = p->first_task,
            .name = gs_text_copy(arena,
                                 gs_strtab_str(w->names, w->job[p->job].name)),
            .node = gs_text_copy(
                arena, gs_strtab_str(t->names, t->node_name[p->node])),
        };
    }
    decisions_sort(out);
}

static int rows_read(struct report_store *s, int64_t run,
                     struct gs_arena *arena, struct report_decisions *out,
                     struct gs_err *err)
{
    struct report_decided *rows = NULL;
    uint32_t cap = 0;
    sqlite3_stmt *st = store_ask(
        s,
        "SELECT p.start_us, p.tasks, p.devices, p.job, p.task_group,"
        " p.first_task, j.name, coalesce(n.name, p.node) FROM placements p"
        " CROSS JOIN jobs j ON j.run_id = ?1 AND j.job = p.job"
        " LEFT JOIN nodes n ON n.run_id = ?1 AND n.node = p.node"
        " WHERE p.run_id = ?1",
        run, 0, 0);

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, out->count + 1, sizeof(*rows));
        rows[out->count++] = (struct report_decided){
            .at = sqlite3_column_int64(st, 0),
            .tasks = sqlite3_column_int64(st, 1),
            .devices = (uint64_t)sqlite3_column_int64(st, 2),
            .job = (uint32_t)sqlite3_column_int64(st, 3),
            .group = (uint32_t)sqlite3_column_int64(st, 4),
            .first_task = sqlite3_column_int64(st, 5),
            .name = store_clean_text(st, 6, arena),
            .node = store_clean_text(st, 7, arena),
        };
    }
    out->at = store_rows_keep(rows, out->count, sizeof(*rows), arena);
    if (store_answered(st) < 0)
        return store_fail(s, "cannot read the placements", err);
    decisions_sort(out);
    return 0;
}

int report_decisions_read(const char *path, const char *run,
                          struct gs_arena *arena, struct report_decisions *out,
                          struct gs_err *err)
{
    struct report_store *s = report_store_open_readonly(path, err);
    struct report_choice *choice;
    uint32_t count;
    int rc = -1;

    *out = (struct report_decisions){ .at = NULL };
    if (s && report_choose(&s, 1, &run, 1, arena, &choice, &count, err) == 0)
        rc = rows_read(s, choice[0].run.id, arena, out, err);
    report_store_close(s);
    return rc;
}

/* --- digests -------------------------------------------------------------- */

static uint64_t text_hash(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t number_hash(uint64_t h, uint64_t n)
{
    for (int i = 0; i < 8; i++, n >>= 8)
        h = (h ^ (n & 0xff)) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t decided_hash(uint64_t h, const struct report_decided *d)
{
    h = number_hash(h, (uint64_t)d->at);
    h = number_hash(h, d->job);
    h = number_hash(h, (uint64_t)d->tasks);
    h = number_hash(h, d->devices);
    return text_hash(h, d->node);
}

/* The two characters of a running hash. */
static void hash_put(uint64_t h, char out[2])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789-_";

    h ^= h >> 32;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    out[0] = digits[h >> 58];
    out[1] = digits[h >> 52 & 63];
}

const char *report_decisions_digest(const struct report_decisions *d,
                                    struct gs_arena *arena)
{
    const uint32_t stride = d->count / POINTS_MOST + 1;
    const size_t points = d->count / stride + (d->count % stride > 0);
    char *text = gs_arena_alloc(arena, 2 * points + 40, 1);
    size_t n = (size_t)snprintf(text, 40, "%u:%u:", d->count, stride);
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < d->count; i++) {
        h = decided_hash(h, &d->at[i]);
        if ((i + 1) % stride == 0 || i + 1 == d->count) {
            hash_put(h, text + n);
            n += 2;
        }
    }
    text[n] = '\0';
    return text;
}

bool report_decisions_moved(const struct report_decisions *d,
                            const char *digest, uint32_t *from, uint32_t *to)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    unsigned count, stride;
    int head = 0;
    size_t points;
    uint32_t begin = 0;

    if (sscanf(digest, "%u:%u:%n", &count, &stride, &head) < 2 || head == 0
        || stride == 0)
        return false;
    digest += head;
    points = strlen(digest) / 2;
    for (uint32_t i = 0; i < d->count; i++) {
        const bool is_point = (i + 1) % stride == 0 || i + 1 == count;
        char is[2];

        h = decided_hash(h, &d->at[i]);
        if (!is_point)
            continue;
        hash_put(h, is);
        if (points == 0 || i >= count || memcmp(is, digest, 2) != 0) {
            *from = begin;
            *to = i + 1;
            return true;
        }
        begin = i + 1;
        digest += 2;
        points--;
    }
    *from = begin;
    *to = d->count;
    return d->count != count;
}
