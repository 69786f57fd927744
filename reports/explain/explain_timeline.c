/* reports/explain/explain_timeline.c - the life of a job in columns.
 *
 * Each column of the bar is an equal part of the time from submission to end
 * and shows the state in which the job was longest.  Of causes only the sums
 * are known: the columns of the first wait are divided in proportion to these,
 * the longest first.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "reports/explain/explain_private.h"

/* A change at `at`, counted from submission. */
struct change {
    int64_t at, tasks; /* change of the number of held tasks */
};

/* --- columns -------------------------------------------------------------- */

/* The first microsecond that begins in the column. */
static int64_t column_from(const struct timeline *t, uint32_t column)
{
    const int64_t rest = t->length % t->columns * column;

    return t->length / t->columns * column
           + (rest + t->columns - 1) / t->columns;
}

uint32_t timeline_column(const struct timeline *t, int64_t at)
{
    uint32_t low = 0, high = t->columns - 1;

    while (low < high) {
        const uint32_t mid = low + (high - low + 1) / 2;

        if (column_from(t, mid) <= at)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

/* Set a mark at a time, if it is on the bar. */
static void mark(struct timeline *t, int64_t at, char what)
{
    char *to;

    if (at < 0 || at > t->length)
        return;
    to = &t->mark[timeline_column(t, at)];
    *to = *to == ' ' ? what : '*';
    for (size_t i = 0; i < TIMELINE_MARK_COUNT; i++)
        t->has_mark[i] |= TIMELINE_MARKS[i] == what || TIMELINE_MARKS[i] == *to;
}

/* --- segments ------------------------------------------------------------- */

static int change_compare(const void *pa, const void *pb)
{
    const struct change *a = pa, *b = pb;

    return (a->at > b->at) - (a->at < b->at);
}

static int64_t clipped(const struct timeline *t, int64_t at)
{
    at -= t->job->submit;
    return at < 0 ? 0 : at > t->length ? t->length : at;
}

/* Two changes for each allocation and one for the start; allocated on the heap.
 */
static struct change *changes_find(const struct timeline *t, uint32_t *count)
{
    const struct report_explained *e = t->job;
    struct change *c = gs_array_new((size_t)e->spans * 2 + 2, sizeof(*c));
    uint32_t n = 0;

    c[n++] = (struct change){ 0, 0 };
    if (e->start >= 0)
        c[n++] = (struct change){ clipped(t, e->start), 0 };
    for (uint32_t i = 0; i < e->spans; i++) {
        const struct report_explained_span *p = &e->span[i];
        const int64_t tasks = p->tasks < UINT32_MAX ? p->tasks : UINT32_MAX;

        c[n++] = (struct change){ clipped(t, p->start), tasks };
        c[n++] = (struct change){ p->end < 0 ? t->length : clipped(t, p->end),
                                  -tasks };
    }
    qsort(c, n, sizeof(*c), change_compare);
    *count = n;
    return c;
}

static enum timeline_life life_at(const struct timeline *t, int64_t at,
                                  int64_t held)
{
    const struct report_explained *e = t->job;
    const bool has_started = e->start >= 0 && at >= e->start - e->submit;

    if (held <= 0)
        return has_started ? LIFE_AGAIN : LIFE_WAITING;
    return has_started && held >= e->gang ? LIFE_RUNNING : LIFE_HOLDING;
}

static void segments_find(struct timeline *t)
{
    uint32_t n;
    struct change *c = changes_find(t, &n);
    int64_t held = 0;

    t->segment = gs_array_new(n, sizeof(*t->segment));
    for (uint32_t i = 0; i < n; i++) {
        enum timeline_life now;

        held += c[i].tasks;
        if (i + 1 < n && c[i + 1].at == c[i].at)
            continue;
        now = life_at(t, c[i].at, held);
        if (c[i].at < t->length
            && (t->segments == 0 || t->segment[t->segments - 1].life != now))
            t->segment[t->segments++] = (struct timeline_segment){ c[i].at,
                                                                   now };
    }
    gs_array_free(c);
}

static int64_t segment_to(const struct timeline *t, uint32_t i)
{
    return i + 1 < t->segments ? t->segment[i + 1].from : t->length;
}

/* --- columns filled ------------------------------------------------------- */

static void lives_fill(struct timeline *t)
{
    uint32_t at = 0;

    for (uint32_t c = 0; c < t->columns; c++) {
        const int64_t to = column_from(t, c + 1);
        int64_t from = column_from(t, c), us[TIMELINE_LIVES] = { 0 };
        enum timeline_life most = LIFE_WAITING;

        if (from == to) /* a column shorter than a microsecond */
            from--;
        while (segment_to(t, at) <= from)
            at++;
        for (uint32_t i = at; i < t->segments && t->segment[i].from < to; i++) {
            const int64_t begin = t->segment[i].from, end = segment_to(t, i);

            us[t->segment[i].life] += (end < to ? end : to)
                                      - (begin > from ? begin : from);
        }
        for (int l = LIFE_WAITING; l < TIMELINE_LIVES; l++)
            most = us[l] >= us[most] ? (enum timeline_life)l : most;
        t->life[c] = (unsigned char)most;
    }
}

/* Times by cause count the waits before the first start and after it. */
static bool is_waiting(const struct timeline *t, uint32_t column)
{
    return t->life[column] == LIFE_WAITING || t->life[column] == LIFE_AGAIN;
}

static void waits_fill(struct timeline *t)
{
    const struct report_explained *e = t->job;
    uint32_t columns = 0, done = 0, wait = 0;
    double all = 0, sum = 0;

    for (uint32_t c = 0; c < t->columns; c++)
        columns += is_waiting(t, c);
    for (uint32_t i = 0; i < e->waits; i++)
        all += (double)e->wait[i].us;
    for (uint32_t c = 0; c < t->columns; c++) {
        if (!is_waiting(t, c))
            continue;
        while (wait < e->waits
               && sum + (double)e->wait[wait].us
                      <= all * (done + 0.5) / columns)
            sum += (double)e->wait[wait++].us;
        t->wait[c] = wait;
        done++;
    }
}

static void marks_fill(struct timeline *t)
{
    const struct report_explained *e = t->job;

    memset(t->mark, ' ', t->columns);
    if (e->start >= 0)
        mark(t, e->start - e->submit, '^');
    for (uint32_t i = 1; i < t->segments; i++) {
        if (t->segment[i].life == LIFE_RUNNING
            && t->segment[i].from > e->start - e->submit)
            mark(t, t->segment[i].from, '^');
    }
    for (uint32_t i = 0; i < e->evictions; i++)
        mark(t, e->eviction[i].at - e->submit, 'v');
    mark(t, t->length, e->end >= 0 ? 'x' : '>');
}

void timeline_init(struct timeline *t, const struct report_explained *e,
                   uint32_t columns)
{
    assert(t && e);
    *t = (struct timeline){
        .job = e,
        .length = (e->end >= 0 ? e->end : e->run_end) - e->submit,
        .columns = columns,
        .life = gs_array_new(columns, sizeof(*t->life)),
        .wait = gs_array_new(columns, sizeof(*t->wait)),
        .mark = gs_array_new(columns, sizeof(*t->mark)),
    };
    segments_find(t);
    lives_fill(t);
    waits_fill(t);
    marks_fill(t);
}

void timeline_fini(struct timeline *t)
{
    gs_array_free(t->segment);
    gs_array_free(t->life);
    gs_array_free(t->wait);
    gs_array_free(t->mark);
}
