/* sim/study/turns.c - runs in turn, see turns.h.
 *
 * A process that has made its run says so in memory that all share, wakes the
 * caller, which then may begin the next one, and waits for the process before
 * it.  A process that ends otherwise does not wake it: the caller sees that it
 * failed, and ends those that still wait.
 */
#include "sim/study/turns.h"

#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/output.h"
#include "sim/study/pool.h"

struct study_turn {
    sem_t may_store;
    atomic_bool is_made;
    atomic_uint_least32_t steps;
};

struct line {
    struct study_turns *t;
    pid_t caller;
    uint32_t told; /* runs whose end was told */
    bool *is_over; /* [count] */
    char *answer;  /* [count] of t->answer bytes */
};

static const struct gs_mark nowhere = { 0 };

void study_turns_step(const struct study_turns *t, uint32_t i, uint32_t steps)
{
    atomic_store_explicit(&t->turn[i].steps, steps, memory_order_relaxed);
}

/* --- in the process of a run ---------------------------------------------- */

static int point(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct line *l = ctx;
    struct study_turns *t = l->t;

    if (t->make(t->ctx, i, answer, err) < 0)
        return -1;
    atomic_store(&t->turn[i].is_made, true);
    kill(l->caller, SIGCHLD); /* a pool waits for it */
    while (sem_wait(&t->turn[i].may_store) < 0) {
        if (errno != EINTR)
            return gs_fail(err, GS_IO, nowhere, "cannot wait: %s",
                           strerror(errno));
    }
    if (t->store(t->ctx, i, err) < 0)
        return -1;
    if (i + 1 < t->count)
        sem_post(&t->turn[i + 1].may_store);
    return 0;
}

/* --- in the caller's ------------------------------------------------------ */

/* Is there a core for run `i`? */
static bool may_begin(void *ctx, uint32_t i)
{
    const struct study_turns *t = ((struct line *)ctx)->t;
    uint32_t making = 0;

    for (uint32_t k = 0; k < i; k++)
        making += !atomic_load(&t->turn[k].is_made);
    return making < t->jobs;
}

/* Processes end in any order. */
static int over(void *ctx, uint32_t i, const void *answer,
                const struct gs_err *failure, struct gs_err *err)
{
    struct line *l = ctx;
    struct study_turns *t = l->t;

    (void)failure; /* the pool needs all */
    (void)err;
    l->is_over[i] = true;
    if (t->answer)
        memcpy(l->answer + i * t->answer, answer, t->answer);
    for (; l->told < t->count && l->is_over[l->told]; l->told++)
        t->over(t->ctx, l->told, l->answer + l->told * t->answer);
    return 0;
}

static void tick(void *ctx)
{
    const struct study_turns *t = ((struct line *)ctx)->t;
    uint64_t steps = 0;

    for (uint32_t i = 0; t->tick && i < t->count; i++)
        steps += atomic_load_explicit(&t->turn[i].steps, memory_order_relaxed);
    if (t->tick)
        t->tick(t->ctx, steps);
}

/* Memory that all processes share: that of a file without a name. */
static int turns_share(struct study_turns *t, size_t size, FILE *file,
                       struct gs_err *err)
{
    char *zeroes = gs_array_new(size, 1);
    void *at = MAP_FAILED;

    if (fwrite(zeroes, 1, size, file) == size && fflush(file) == 0)
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file),
                  0);
    gs_array_free(zeroes);
    if (at == MAP_FAILED)
        return gs_fail(err, GS_IO, nowhere, "cannot share memory: %s",
                       strerror(errno));
    t->turn = at;
    for (uint32_t i = 0; i < t->count; i++)
        sem_init(&t->turn[i].may_store, 1, i == 0);
    return 0;
}

static int line_run(struct line *l, struct gs_err *err)
{
    struct study_turns *t = l->t;
    struct study_pool pool = {
        .jobs = t->jobs < STUDY_JOBS_MAX / 2 ? 2 * t->jobs : STUDY_JOBS_MAX,
        .count = t->count,
        .answer = t->answer,
        .may_begin = may_begin,
        .point = point,
        .over = over,
        .tick = tick,
        .ctx = l,
        .needs_all = true,
    };
    int rc;

    l->is_over = gs_array_new(t->count, sizeof(*l->is_over));
    l->answer = gs_array_new(t->count, t->answer + 1);
    rc = study_pool_run(&pool, err);
    t->signal = pool.signal;
    gs_array_free(l->answer);
    gs_array_free(l->is_over);
    return rc;
}

int study_turns_run(struct study_turns *t, struct gs_err *err)
{
    const size_t size = (size_t)t->count * sizeof(*t->turn);
    struct line l = { .t = t, .caller = getpid() };
    FILE *file;
    int rc;

    assert(t->jobs > 0 && t->jobs <= STUDY_JOBS_MAX && t->count > 0);
    t->signal = 0;
    file = gs_output_scratch(err);
    if (!file)
        return -1;
    rc = turns_share(t, size, file, err);
    if (rc == 0) {
        rc = line_run(&l, err);
        munmap(t->turn, size);
        t->turn = NULL;
    }
    fclose(file);
    return rc;
}
