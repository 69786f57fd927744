/* base/far_keeper.c - the thread that gives back memory, see far.h. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/far.h"

#define PAUSE_MS 1 /* between two looks, unless memory grows fast: */
#define FAST 64u   /* by this part of the limit between them */

struct gs_far_keeper {
    struct gs_far *far;
    size_t limit, page;
    FILE *told; /* what the system tells of memory */
    bool has_thread;
    pthread_t thread;
    atomic_bool is_over;
};

/* Bytes of files that are in memory; 0: not known. */
static size_t near_bytes(const struct gs_far_keeper *k)
{
    unsigned long all, resident, shared;

    rewind(k->told); /* it is read anew */
    if (fscanf(k->told, "%lu %lu %lu", &all, &resident, &shared) != 3)
        return 0;
    return shared * k->page;
}

static void *keep(void *self)
{
    struct gs_far_keeper *k = self;
    size_t was = 0;

    while (!atomic_load(&k->is_over)) {
        const size_t is = near_bytes(k);
        const bool is_fast = is > was + k->limit / FAST;

        was = is;
        if (is > k->limit) {
            gs_far_leave(k->far);
            was = 0;
        } else if (!is_fast) {
            (void)poll(NULL, 0, PAUSE_MS);
        }
    }
    return NULL;
}

struct gs_far_keeper *gs_far_keeper_start(struct gs_far *far, size_t limit)
{
    struct gs_far_keeper *k = gs_array_new(1, sizeof(*k));
    sigset_t all, before;

    assert(far && limit > 0);
    k->far = far;
    k->limit = limit;
    k->page = (size_t)sysconf(_SC_PAGESIZE);
    k->told = fopen("/proc/self/statm", "r");
    if (!k->told)
        return k;
    setvbuf(k->told, NULL, _IONBF, 0);
    sigfillset(&all); /* signals are for the thread that was there before */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    k->has_thread = pthread_create(&k->thread, NULL, keep, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return k;
}

void gs_far_keeper_stop(struct gs_far_keeper *k)
{
    if (!k)
        return;
    atomic_store(&k->is_over, true);
    if (k->has_thread)
        pthread_join(k->thread, NULL);
    if (k->told)
        (void)fclose(k->told); /* nothing was written */
    gs_array_free(k);
}
