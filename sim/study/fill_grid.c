/* sim/study/fill_grid.c - many experiments at once, on threads.
 *
 * Runs are handed out in order, and each writes only what is its own; what
 * they share is read only.  A failure stops the handing out, so that the run
 * that fails first in order has been handed out, however many threads there
 * are.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/array.h"
#include "base/err.h"
#include "sim/study/fill.h"

struct pool {
    const struct fill_grid *grid;
    struct fill_point *point;
    atomic_uint next; /* to be handed out */
    atomic_bool has_failed;
    uint32_t runs;
    pthread_mutex_t lock; /* of those below */
    uint32_t made;
    uint32_t failed; /* the first run that did */
    struct gs_err err;
};

static void fail(struct pool *p, uint32_t run, const struct gs_err *err)
{
    pthread_mutex_lock(&p->lock);
    if (run < p->failed) {
        p->failed = run;
        p->err = *err;
    }
    pthread_mutex_unlock(&p->lock);
    atomic_store(&p->has_failed, true);
}

static void made_tell(struct pool *p)
{
    if (!p->grid->progress)
        return;
    pthread_mutex_lock(&p->lock);
    p->grid->progress(p->grid->progress_ctx, ++p->made, p->runs);
    pthread_mutex_unlock(&p->lock);
}

static void *work(void *arg)
{
    struct pool *p = arg;
    const struct fill_grid *g = p->grid;
    const uint32_t points = fill_points(g->load);

    while (!atomic_load(&p->has_failed)) {
        const uint32_t run = atomic_fetch_add(&p->next, 1);
        struct gs_err err = { 0 };

        if (run >= p->runs)
            break;
        if (fill_run(g->list[run / g->seeds / g->profiles],
                     g->profile[run / g->seeds % g->profiles],
                     g->first_seed + run % g->seeds, g->load,
                     p->point + (size_t)run * points, &err)
            < 0)
            fail(p, run, &err);
        made_tell(p);
    }
    return NULL;
}

int fill_grid_run(const struct fill_grid *g, struct fill_point *point,
                  struct gs_err *err)
{
    struct pool p = { .grid = g,
                      .point = point,
                      .runs = g->lists * g->profiles * g->seeds,
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .failed = UINT32_MAX };
    pthread_t *thread = gs_array_new(g->threads, sizeof(*thread));
    uint32_t started = 0;

    assert(g->lists > 0 && g->profiles > 0 && g->seeds > 0);
    assert(g->threads > 0 && point);
    /* this one works, too; and alone where no other can be had */
    while (started + 1 < g->threads && started + 1 < p.runs
           && pthread_create(&thread[started], NULL, work, &p) == 0)
        started++;
    work(&p);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&p.lock);
    gs_array_free(thread);
    if (p.failed == UINT32_MAX)
        return 0;
    *err = p.err;
    return -1;
}
