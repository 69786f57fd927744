/* policies/reservation/window_map.c - the map of windowed backfill, see
 * window.h.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/reservation/window.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

#define OVERDUE \
    (INT64_C(30) * 1000000) /* what is left to a job that exceeds
                                           its estimate */

static struct gsched_window *window_of(struct gsched *s)
{
    struct gsched_window *w = s->window;
    const uint32_t nodes = s->topo->node_count;

    if (w)
        return w;
    w = s->window = gs_array_new(1, sizeof(*w));
    w->words = (nodes + 63) / 64;
    w->block = 4;
    while (1u << w->block < 16 * w->words)
        w->block++;
    w->resolution = s->modules->backfill.resolution;
    w->resolution = w->resolution > 0 ? w->resolution : 1;
    w->clock = s->modules->backfill.clock % w->resolution;
    w->free = gs_array_new((size_t)nodes * s->dims, sizeof(*w->free));
    w->later = gs_array_new((size_t)nodes * s->dims, sizeof(*w->later));
    w->given = gs_array_new(w->words, sizeof(*w->given));
    w->busy = gs_array_new(w->words, sizeof(*w->busy));
    w->fitting = gs_array_new(w->words, sizeof(*w->fitting));
    w->picked = gs_array_new(w->words, sizeof(*w->picked));
    return w;
}

void gsched_window_free(struct gsched *s)
{
    struct gsched_window *w = s->window;

    if (!w)
        return;
    gs_array_free(w->running.job);
    gs_array_free(w->record);
    gs_array_free(w->bits);
    gs_array_free(w->bound);
    gs_array_free(w->end);
    gs_array_free(w->free);
    gs_array_free(w->later);
    gs_array_free(w->touched.at);
    gsched_window_views_free(w);
    gs_array_free(w->given);
    gs_array_free(w->fitting);
    gs_array_free(w->busy);
    gs_array_free(w->ending);
    gs_array_free(w->picked);
    gs_array_free(w->taken.slot);
    gs_array_free(w);
}

void gsched_window_started(struct gsched *s, uint32_t job)
{
    gsched_ends_add(s, &window_of(s)->running, job);
}

void gsched_window_ended(struct gsched *s, uint32_t job)
{
    gsched_ends_drop(s, &s->window->running, job);
}

/* --- running jobs --------------------------------------------------------- */

/* When the job is expected to end: soon, if it exceeds its estimate. */
static int64_t end_of(const struct gsched *s, uint32_t job)
{
    const int64_t end = gsched_estimated_end(s, job);
    const int64_t late = gsched_later(end, OVERDUE);

    if (end > s->now)
        return end;
    return late > s->now ? late : s->now + 1;
}

/* The node of a job that holds one allocation; NONE. */
static uint32_t node_of(const struct gsched *s, uint32_t job)
{
    const uint32_t first = gsched_job(s, job)->first_allocation;
    const struct allocation *all = s->allocations->allocation;

    return first != NONE && all[first].next == NONE ? all[first].grant.node
                                                    : NONE;
}

static bool end_before(const void *of, uint32_t a, uint32_t b)
{
    const struct window_end *e = of;

    /* a heap with the latest on top, so that sorting makes them rise */
    return e[a].at != e[b].at ? e[a].at > e[b].at : e[a].job > e[b].job;
}

GS_HEAP_SWAP(end_swap, struct window_end)

static void ends_sort(struct gsched *s)
{
    static const struct gs_heap latest = { end_before, end_swap };
    struct gsched_window *w = s->window;

    w->ends = w->running.count;
    w->end = gs_array_grow(w->end, &w->end_cap, w->ends + 1, sizeof(*w->end));
    for (uint32_t i = 0; i < w->ends; i++) {
        const uint32_t job = w->running.job[i];

        w->end[i] = (struct window_end){ end_of(s, job), job, node_of(s, job) };
    }
    gs_heap_sort(&latest, w->end, w->ends);
}

static void free_set(struct gsched *s, uint32_t node)
{
    struct gsched_window *w = s->window;
    const size_t at = (size_t)node * s->dims;
    struct topo_free f;

    topo_free_of(s->cluster, topo_cluster_group_of(s->cluster, node), &f);
    memcpy(w->free + at, f.free, s->dims * sizeof(*w->free));
    memcpy(w->later + at, f.free, s->dims * sizeof(*w->later));
}

void gsched_window_took(struct gsched *s, uint32_t job, uint32_t first)
{
    struct gsched_window *w = s->window;
    const struct window_end it = { end_of(s, job), job, node_of(s, job) };
    uint32_t i = w->ends++;

    w->version++;
    w->end = gs_array_grow(w->end, &w->end_cap, w->ends, sizeof(*w->end));
    for (; i > 0 && w->end[i - 1].at > it.at; i--)
        w->end[i] = w->end[i - 1];
    w->end[i] = it;
    for (uint32_t k = first; k < s->decision_count; k++)
        free_set(s, s->decision[k].grant.node);
}

void gsched_window_renew(struct gsched *s)
{
    s->window->version++;
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        free_set(s, n);
    ends_sort(s);
}

/* --- records -------------------------------------------------------------- */

static uint64_t *bits_of(const struct gsched_window *w, uint32_t record)
{
    return w->bits + (size_t)record * w->words;
}

/* Split the record at `at`, within it. */
static void split(struct gsched_window *w, uint32_t record, int64_t at)
{
    const uint32_t i = w->records++;
    struct window_record *r;

    w->record = gs_array_grow(w->record, &w->record_cap, w->records,
                              sizeof(*w->record));
    w->bits = gs_array_grow(w->bits, &w->bits_cap, w->records * w->words,
                            sizeof(*w->bits));
    r = &w->record[record];
    assert(at > r->begin && at < r->end);
    w->record[i] = (struct window_record){ at, r->end, r->next };
    memcpy(bits_of(w, i), bits_of(w, record), w->words * sizeof(*w->bits));
    r->end = at;
    r->next = i;
}

static int64_t grid_down(const struct gsched_window *w, int64_t at)
{
    const int64_t over = (at % w->resolution + w->clock) % w->resolution;

    return at > over ? at - over : at - at % w->resolution;
}

void gsched_window_slot(const struct gsched_window *w, int64_t start,
                        int64_t time, bool down, int64_t *begin, int64_t *end)
{
    const int64_t stop = gsched_later(start, time);

    *begin = grid_down(w, start);
    *end = grid_down(w, stop);
    if (!down && *end < stop)
        *end = gsched_later(*end, w->resolution);
}

/* True when nodes are free after the record that were not before. */
static bool frees(const struct gsched_window *w, uint32_t record)
{
    const uint64_t *here = bits_of(w, record);
    const uint64_t *next = bits_of(w, w->record[record].next);

    for (uint32_t i = 0; i < w->words; i++) {
        if (w->of->usable[i] & next[i] & ~(w->given[i] & here[i]))
            return true;
    }
    return false;
}

int64_t gsched_window_give(struct gsched_window *w, int64_t from, int64_t end)
{
    int64_t later = GSCHED_NEVER;
    uint32_t i = w->at_record;

    while (w->record[i].end <= from && w->record[i].next)
        i = w->record[i].next;
    w->at_record = i;
    memcpy(w->given, w->of->usable, w->words * sizeof(*w->given));
    do {
        const struct window_record *r = &w->record[i];
        const uint64_t *bits = bits_of(w, i);

        if (r->end > from && r->next && later == GSCHED_NEVER && frees(w, i))
            later = r->end;
        if (r->begin > end)
            break;
        for (uint32_t k = 0; k < w->words && r->end > from; k++)
            w->given[k] &= bits[k];
        i = r->next;
    } while (i);
    return later;
}

bool gsched_window_overlaps(const struct gsched_window *w, int64_t begin,
                            int64_t end)
{
    uint32_t i = w->at_record;

    do {
        const struct window_record *r = &w->record[i];
        const uint64_t *bits = bits_of(w, i);

        if (r->begin >= end)
            break;
        for (uint32_t k = 0; k < w->words && r->end > begin; k++) {
            if (w->picked[k] & ~bits[k])
                return true;
        }
        i = r->next;
    } while (i);
    return false;
}

/* Join the first two neighbours from record `i` on that are equal. */
static void join(struct gsched_window *w, uint32_t i, uint32_t end)
{
    while (i != end && w->record[i].next) {
        const uint32_t next = w->record[i].next;

        if (memcmp(bits_of(w, i), bits_of(w, next), w->words * sizeof(*w->bits))
            == 0) {
            w->record[i].end = w->record[next].end;
            w->record[i].next = w->record[next].next;
            return;
        }
        i = next;
    }
}

void gsched_window_reserve(struct gsched_window *w, int64_t begin, int64_t end)
{
    uint32_t before = 0, i = 0;

    begin = begin > w->record[0].begin ? begin : w->record[0].begin;
    if (end < gsched_later(begin, w->resolution))
        end = gsched_later(begin, w->resolution);
    while (w->record[i].end <= begin && w->record[i].next) {
        before = i;
        i = w->record[i].next;
    }
    if (w->record[i].end <= begin)
        return; /* it begins after the window */
    if (w->record[i].begin < begin) {
        before = i;
        split(w, i, begin);
        i = w->record[i].next;
    }
    for (;; i = w->record[i].next) {
        uint64_t *bits;

        if (w->record[i].end > end)
            split(w, i, end);
        bits = bits_of(w, i);
        for (uint32_t k = 0; k < w->words; k++)
            bits[k] &= ~w->picked[k];
        if (w->record[i].end == end || !w->record[i].next)
            break;
    }
    join(w, before, w->record[i].next);
}

/* --- a pass --------------------------------------------------------------- */

/* True when the amounts, of so many tasks, are all of the node's CPUs or GPUs.
 */
static bool fills(const struct gsched *s, uint32_t node, const int64_t *amount,
                  uint32_t tasks)
{
    const int64_t *has = s->topo->klass[s->topo->node_class[node]].capacity;

    return (has[TOPO_CPU] > 0 && amount[TOPO_CPU] * tasks >= has[TOPO_CPU])
           || (has[TOPO_GPU] > 0 && amount[TOPO_GPU] * tasks >= has[TOPO_GPU]);
}

/* Reserve the nodes that running jobs fill until they end. */
static void running_reserve(struct gsched *s)
{
    const struct allocation *all = s->allocations->allocation;
    const bool down = s->modules->backfill.rounds_down;
    struct gsched_window *w = s->window;

    for (uint32_t i = 0; i < w->ends; i++) {
        const uint32_t job = w->end[i].job;
        int64_t begin, end;
        bool any = false;

        if (s->running->may_evict && !s->work->job[job].fixed)
            continue; /* it does not keep its nodes */
        memset(w->picked, 0, w->words * sizeof(*w->picked));
        for (uint32_t a = gsched_job(s, job)->first_allocation; a != NONE;
             a = all[a].next) {
            const uint32_t n = all[a].grant.node;

            if (!fills(s, n, gsched_request(s, job, all[a].group)->amount,
                       all[a].grant.tasks))
                continue;
            w->picked[n / 64] |= UINT64_C(1) << n % 64;
            any = true;
        }
        gsched_window_slot(w, s->now, w->end[i].at - s->now, down, &begin,
                           &end);
        if (any && w->end[i].at <= GSCHED_LAST)
            gsched_window_reserve(w, begin, end);
    }
}

struct gsched_window *gsched_window_begin(struct gsched *s)
{
    struct gsched_window *w = window_of(s);
    const uint32_t nodes = s->topo->node_count;

    w->limit = gsched_later(s->now, s->modules->backfill.window);
    w->pass++;
    w->version++;
    w->records = 1;
    w->record = gs_array_grow(w->record, &w->record_cap, 1, sizeof(*w->record));
    w->bits = gs_array_grow(w->bits, &w->bits_cap, w->words, sizeof(*w->bits));
    w->record[0] = (struct window_record){ grid_down(w, s->now),
                                           grid_down(w, w->limit), 0 };
    memset(w->bits, 0, w->words * sizeof(*w->bits));
    for (uint32_t n = 0; n < nodes; n++) {
        if (!topo_cluster_is_cordoned(s->cluster, n))
            w->bits[n / 64] |= UINT64_C(1) << n % 64;
        free_set(s, n);
    }
    ends_sort(s);
    if (s->modules->backfill.running)
        running_reserve(s);
    return w;
}

/* --- what is known of jobs alike ------------------------------------------ */

static struct start_bound *bounds_of(struct gsched_window *w, uint32_t rclass)
{
    const uint32_t first = rclass * WINDOW_LIMITS;

    w->bound = gs_array_grow(w->bound, &w->bound_cap, first + WINDOW_LIMITS,
                             sizeof(*w->bound));
    return &w->bound[first];
}

static uint32_t logarithm(int64_t limit)
{
    return limit > 0 ? 63 - (uint32_t)__builtin_clzll((uint64_t)limit) : 0;
}

int64_t gsched_window_bound(const struct gsched *s, uint32_t rclass,
                            int64_t limit)
{
    const struct start_bound *b = bounds_of(s->window, rclass);
    int64_t at = s->now;

    for (uint32_t i = 0; i <= logarithm(limit); i++) {
        if (b[i].pass == s->window->pass && b[i].limit <= limit && b[i].at > at)
            at = b[i].at;
    }
    return at;
}

void gsched_window_note(struct gsched *s, uint32_t rclass, int64_t limit,
                        int64_t at)
{
    struct start_bound *b = &bounds_of(s->window, rclass)[logarithm(limit)];

    *b = (struct start_bound){ limit, at, s->window->pass };
}
