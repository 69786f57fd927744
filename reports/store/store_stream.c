/* reports/store/store_stream.c - see stream.h.
 *
 * The run's thread collects the placements of each job until it ends, and gives
 * blocks of jobs.  The other thread numbers their kinds and keeps their rows in
 * a window, whose rows with the lowest job numbers are inserted when it is
 * full: most jobs end soon after their neighbours, so the trees of the tables
 * grow at their right side, where that is cheap.  The more jobs run at once,
 * the more pages a row may be for.
 */
#include "reports/store/stream.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/fetch.h"
#include "base/sparse.h"
#include "base/worker.h"
#include "reports/store/store_private.h"
#include "traces/workload/workload.h"

#define BLOCK_JOBS 1024u   /* jobs of a block at least, but for the last */
#define BLOCKS_WAIT 16u    /* blocks that wait at most */
#define AHEAD 8u           /* jobs whose memory is fetched */
#define WINDOW_JOBS 32768u /* rows in the window at most, or ... */
#define WINDOW_TIMES 2u    /* ... as many times the jobs that ran at once */
#define KEPT_JOBS 1048576u /* rows that wait for the transaction at most */
#define CACHE "-8192"      /* rows come nearly in order: old pages rest */
#define STORE_US 6         /* three times what storing a job takes */

/* A job that has ended, and where its placements are. */
struct ended_job {
    struct report_job job;
    uint32_t first, placements;
};

/* What is handed over. */
struct block {
    struct ended_job *job; /* by end */
    uint32_t jobs, job_cap;
    struct report_placement *placement; /* of a job: by release */
    uint32_t placements, placement_cap;
    uint32_t running; /* jobs at once, at most, so far */
    bool may_begin;   /* the transaction */
    bool is_last;     /* all rows of jobs are inserted behind it */
    struct report_stream *of;
};

/* A placement of a job that has not ended. */
struct open_placement {
    struct report_placement placement;
    uint32_t before; /* index and 1 of that released before; 0: none.  Of one
                        that is free: the next of these */
};

struct window_row {
    struct store_job_row row; /* first: rows are made from it */
    uint32_t first, placements;
};

struct window {
    struct window_row *row;
    uint32_t rows, row_cap;
    struct report_placement *placement;
    uint32_t placements, placement_cap;
};

struct report_stream {
    struct report_observer observer;
    struct report_store *store;
    struct report_run run;
    const struct report_log *log;
    struct gs_worker *worker; /* NULL: it has ended */
    /* of the run's thread */
    int64_t (*clock)(void);
    int64_t opened, end;      /* by the clock; when the last job ended */
    uint32_t ended;           /* jobs */
    uint32_t running;         /* at once, at most */
    struct gs_sparse last_of; /* [job] index and 1 of its last placement; 0:
                                 none */
    struct open_placement *open;
    uint32_t opens, open_cap, free; /* free: index and 1 */
    struct block *block;            /* being filled */
    bool may_begin;
    /* of the other thread, and of the caller's when there is none */
    struct report_writing writing;
    struct store_kinds *kinds;
    struct window window;
    bool is_begun, has_failed;
    struct gs_err err; /* why it failed */
};

/* --- the run's thread: placements ----------------------------------------- */

static void placement_open(struct report_stream *st,
                           const struct report_allocation *s, int64_t end)
{
    uint32_t at = st->free;

    if (at) {
        st->free = st->open[at - 1].before;
    } else {
        st->open = gs_array_grow(st->open, &st->open_cap, st->opens + 1,
                                 sizeof(*st->open));
        at = ++st->opens;
    }
    st->open[at - 1] = (struct open_placement){
        report_placement_of(s, end), gs_sparse_get(&st->last_of, s->job)
    };
    gs_sparse_set(&st->last_of, s->job, at);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
{
    placement_open(self, s, now);
}

static void on_renumbered(void *self, int64_t now,
                          const struct report_allocation *s)
{
    if (s->placed_at < now)
        placement_open(self, s, now);
}

static void on_held(void *self, int64_t now, const struct report_allocation *s)
{
    (void)now; /* the end is unknown */
    placement_open(self, s, -1);
}

/* Move the placements of the job to the block, by release. */
static uint32_t placements_take(struct report_stream *st, uint32_t job)
{
    struct block *b = st->block;
    const uint32_t last = gs_sparse_get(&st->last_of, job);
    uint32_t n = 0, left;

    for (uint32_t at = last; at; at = st->open[at - 1].before)
        n++;
    b->placement = gs_array_grow(b->placement, &b->placement_cap,
                                 b->placements + n, sizeof(*b->placement));
    b->placements += n;
    left = b->placements;
    for (uint32_t at = last, before; at; at = before) {
        before = st->open[at - 1].before;
        b->placement[--left] = st->open[at - 1].placement;
        st->open[at - 1].before = st->free;
        st->free = at;
    }
    gs_sparse_set(&st->last_of, job, 0);
    return n;
}

/* --- the run's thread: jobs ----------------------------------------------- */

/* Will the run be over in about the time that storing takes? */
static bool is_time(const struct report_stream *st)
{
    const double jobs = st->log->job_count, ended = st->ended;

    if (!st->clock)
        return true;
    return (double)(st->clock() - st->opened) * (jobs - ended) / ended
           <= jobs * STORE_US;
}

static void block_give(struct report_stream *st)
{
    st->may_begin = st->may_begin || is_time(st);
    st->block->may_begin = st->may_begin;
    st->block->running = st->running;
    st->block->of = st;
    gs_worker_give(st->worker, st->block);
    st->block = gs_array_new(1, sizeof(*st->block));
}

static void job_add(struct report_stream *st, const struct report_job *j)
{
    struct block *b = st->block;
    const uint32_t first = b->placements;

    b->job = gs_array_grow(b->job, &b->job_cap, b->jobs + 1, sizeof(*b->job));
    b->job[b->jobs++] = (struct ended_job){ *j, first,
                                            placements_take(st, j->job) };
    st->ended++;
}

/* Jobs that end at one time are given in one block. */
static void on_ended(void *self, int64_t now, const struct report_job *told)
{
    struct report_stream *st = self;
    const struct report_job j = report_log_job(st->log, told->job);

    if (store_job_is_last(&j))
        return;
    assert(j.end == now && now >= st->end);
    if (st->block->jobs >= BLOCK_JOBS && now > st->end)
        block_give(st);
    st->end = now;
    job_add(st, &j);
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct report_stream *st = self;

    (void)now;
    if (i->running > st->running)
        st->running = i->running;
}

void report_stream_over(struct report_stream *st)
{
    st->may_begin = true;
    for (uint32_t i = 0; i < st->log->job_count; i++) {
        const struct report_job j = report_log_job(st->log, i);

        if (!store_job_is_last(&j))
            continue;
        if (st->block->jobs >= BLOCK_JOBS)
            block_give(st);
        job_add(st, &j);
    }
    assert(st->ended == st->log->job_count);
    st->block->is_last = true;
    block_give(st);
    gs_sparse_free(&st->last_of);
    gs_array_free(st->open);
    st->open = NULL;
}

/* --- the other thread: the window ----------------------------------------- */

static int row_compare(const void *pa, const void *pb)
{
    const struct window_row *a = pa, *b = pb;

    return a->row.job < b->row.job ? -1 : 1;
}

/* Insert the first `n` rows of the window, which is sorted. */
static int rows_insert(struct report_stream *st, uint32_t n)
{
    const struct window *w = &st->window;
    const struct report_placement **at;
    uint32_t *seq;
    uint32_t count = 0;
    int rc;

    for (uint32_t i = 0; i < n; i++)
        count += w->row[i].placements;
    at = gs_array_new(count, sizeof(*at));
    seq = gs_array_new(count, sizeof(*seq));
    count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct window_row *r = &w->row[i];
        const struct report_placement **of = at + count;

        for (uint32_t k = 0; k < r->placements; k++) {
            seq[count] = k;
            at[count++] = &w->placement[r->first + k];
        }
        if (r->placements > 1)
            store_placements_sort(of, r->placements);
    }
    rc = store_job_rows_write(&st->writing, n, w->row, sizeof(*w->row));
    if (rc == 0)
        rc = store_placements_insert(&st->writing, count, at, seq);
    gs_array_free(at);
    gs_array_free(seq);
    return rc;
}

/* Remove the first `n` rows. */
static void window_shift(struct window *w, uint32_t n)
{
    struct report_placement *kept = NULL;
    uint32_t count = 0, cap = 0;

    for (uint32_t i = n; i < w->rows; i++)
        count += w->row[i].placements;
    kept = gs_array_grow(kept, &cap, count, sizeof(*kept));
    count = 0;
    for (uint32_t i = n; i < w->rows; i++) {
        struct window_row *r = &w->row[i];

        if (r->placements)
            memcpy(kept + count, w->placement + r->first,
                   r->placements * sizeof(*kept));
        r->first = count;
        count += r->placements;
        w->row[i - n] = *r;
    }
    gs_array_free(w->placement);
    w->placement = kept;
    w->placements = count;
    w->placement_cap = cap;
    w->rows -= n;
}

/* Insert rows until at most `left` are left. */
static int window_write(struct report_stream *st, uint32_t left)
{
    struct window *w = &st->window;
    const uint32_t n = w->rows > left ? w->rows - left : 0;

    if (!st->is_begun) {
        if (store_run_begin(st->store, &st->run, &st->writing, &st->err) != 0)
            return -1;
        st->is_begun = true;
        (void)store_exec(st->store, "PRAGMA cache_size = " CACHE);
    }
    if (n == 0)
        return 0;
    qsort(w->row, w->rows, sizeof(*w->row), row_compare);
    if (rows_insert(st, n) < 0)
        return store_run_fail(st->store, &st->run, &st->err);
    window_shift(w, n);
    return 0;
}

/* --- the other thread: blocks --------------------------------------------- */

static int ended_compare(const void *pa, const void *pb)
{
    const struct report_job *a = &((const struct ended_job *)pa)->job;
    const struct report_job *b = &((const struct ended_job *)pb)->job;
    const int64_t end_a = store_job_is_last(a) ? INT64_MAX : a->end;
    const int64_t end_b = store_job_is_last(b) ? INT64_MAX : b->end;

    if (end_a != end_b)
        return end_a < end_b ? -1 : 1;
    return a->job < b->job ? -1 : 1;
}

static void window_add(struct report_stream *st, const struct block *b)
{
    const struct trace_job *job = st->writing.work->job;
    struct window *w = &st->window;

    if (b->jobs)
        qsort(b->job, b->jobs, sizeof(*b->job), ended_compare);
    w->row = gs_array_grow(w->row, &w->row_cap, w->rows + b->jobs,
                           sizeof(*w->row));
    w->placement = gs_array_grow(w->placement, &w->placement_cap,
                                 w->placements + b->placements,
                                 sizeof(*w->placement));
    for (uint32_t i = 0; i < b->jobs; i++) {
        const struct ended_job *e = &b->job[i];

        if (i + AHEAD < b->jobs)
            gs_fetch(&job[b->job[i + AHEAD].job.job], sizeof(*job));
        w->row[w->rows++] = (struct window_row){
            store_job_row(&e->job, store_kind_put(st->kinds, &e->job)),
            w->placements + e->first, e->placements
        };
    }
    if (b->placements)
        memcpy(w->placement + w->placements, b->placement,
               b->placements * sizeof(*b->placement));
    w->placements += b->placements;
}

static void block_free(struct block *b)
{
    if (!b)
        return;
    gs_array_free(b->job);
    gs_array_free(b->placement);
    gs_array_free(b);
}

static void block_take(void *ctx, void *block)
{
    struct report_stream *st = ctx;
    struct block *b = block;
    const uint32_t most = b->running > WINDOW_JOBS / WINDOW_TIMES
                              ? b->running * WINDOW_TIMES
                              : WINDOW_JOBS;

    if (!st->has_failed) {
        window_add(st, b);
        if (b->is_last
            || (st->is_begun ? st->window.rows >= most
                             : b->may_begin || st->window.rows >= KEPT_JOBS))
            st->has_failed = window_write(st, b->is_last ? 0 : most / 2) < 0;
    }
    block_free(b);
}

/* --- its life ------------------------------------------------------------- */

struct report_stream *report_stream_open(struct report_store *s,
                                         const struct report_run *run,
                                         const struct topo *t,
                                         const struct trace_workload *w,
                                         const struct report_log *log,
                                         int64_t (*clock)(void))
{
    struct report_stream *st = gs_array_new(1, sizeof(*st));

    assert(s && run && !run->place && !run->metrics_only && log);
    st->observer = (struct report_observer){ .self = st,
                                             .released = on_released,
                                             .renumbered = on_renumbered,
                                             .held = on_held,
                                             .ended = on_ended,
                                             .instant = on_instant };
    st->store = s;
    st->run = *run;
    st->log = log;
    st->clock = clock;
    st->opened = clock ? clock() : 0;
    gs_sparse_init(&st->last_of, log->job_count);
    st->block = gs_array_new(1, sizeof(*st->block));
    st->writing = (struct report_writing){ .topo = t, .work = w, .log = log };
    st->kinds = store_kinds_create(&st->writing);
    st->writing.kinds = st->kinds;
    st->worker = gs_worker_start(BLOCKS_WAIT, block_take, st);
    return st;
}

const struct report_observer *report_stream_observer(
    const struct report_stream *st)
{
    return &st->observer;
}

static int stream_end(struct report_stream *st, int rc, struct gs_err *err)
{
    st->is_begun = false;
    rc = store_run_end(st->store, &st->run, rc, err);
    (void)store_exec(st->store, "PRAGMA cache_size = " STORE_CACHE);
    return rc;
}

int report_stream_write(struct report_stream *st, const struct report_run *run,
                        const struct report_metric *metric, uint32_t metrics,
                        const struct report_samples *samples,
                        struct gs_err *err)
{
    int rc;

    gs_worker_finish(st->worker);
    st->worker = NULL;
    assert(st->has_failed || st->is_begun); /* after report_stream_over() */
    if (st->has_failed) {
        gs_err_append(err, &st->err);
        return -1; /* report_stream_close rolls back */
    }
    rc = store_run_write(&st->writing, run, metric, metrics, samples);
    if (rc < 0)
        rc = store_run_fail(st->store, run, err);
    return stream_end(st, rc, err);
}

void report_stream_close(struct report_stream *st)
{
    if (!st)
        return;
    gs_worker_finish(st->worker);
    if (st->is_begun)
        (void)stream_end(st, -1, &st->err);
    store_kinds_free(st->kinds);
    block_free(st->block);
    gs_array_free(st->window.row);
    gs_array_free(st->window.placement);
    gs_array_free(st->open);
    gs_sparse_free(&st->last_of);
    gs_array_free(st);
}
