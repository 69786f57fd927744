/* policies/modules/quota_history.h - what queues held in the last window of
 * time, on average, decayed.
 *
 * The window is divided into steps; of each the mean of what a queue held is
 * kept, so that a sliding window moves on by whole steps.  With a half-life a
 * step of age a counts 0.5^(a / half-life).  A tumbling window begins anew
 * after its length.
 */
#ifndef GSP_QUOTA_HISTORY_H
#define GSP_QUOTA_HISTORY_H

#include <assert.h>
#include <string.h>

#include "policies/modules/exact_math.h"
#include "policies/policy.h"

#define QUOTA_STEPS 64 /* of a window */

struct quota_window {
    gsp_time length; /* 0: no history */
    gsp_time period; /* between two computations */
    gsp_time half_life;
    bool tumbles;
};

struct quota_history {
    struct quota_window window;
    gsp_time step;     /* its length */
    gsp_time computed; /* time of the last computation */
    gsp_time began;    /* of the present step */
    gsp_time busy;     /* of the last change of what queues hold */
    uint32_t queues, dims;
    uint32_t steps, at; /* that are full; the one that is filled next */
    gsp_time *since;    /* [queue] up to when `now` is counted */
    int64_t *rate;      /* [queue][dim] that it holds */
    double *now;        /* [queue][dim] x us in the present step */
    double *full;       /* [step][queue][dim] */
    double *sum;        /* [queue][dim] of the full steps, decayed */
    double length;      /* us of these, decayed */
    double *mean;       /* [queue][dim] out */
};

static inline void quota_history_open(struct quota_history *h,
                                      const struct gsp_host *host, void *ctx,
                                      uint32_t queues, uint32_t dims,
                                      const struct quota_window *window)
{
    const size_t n = (size_t)queues * dims + 1;

    h->window = *window;
    if (window->length <= 0)
        return;
    h->queues = queues;
    h->dims = dims;
    h->step = window->length / QUOTA_STEPS > 1 ? window->length / QUOTA_STEPS
                                               : 1;
    h->since = host->keep(ctx, (queues + 1) * sizeof(*h->since));
    h->rate = host->keep(ctx, n * sizeof(*h->rate));
    h->now = host->keep(ctx, n * sizeof(*h->now));
    h->mean = host->keep(ctx, n * sizeof(*h->mean));
    h->full = host->keep(ctx, QUOTA_STEPS * n * sizeof(*h->full));
    h->sum = host->keep(ctx, n * sizeof(*h->sum));
}

/* Count what the queue held up to `now`. */
static inline void quota_history_count(struct quota_history *h, uint32_t queue,
                                       gsp_time now)
{
    const double time = (double)(now - h->since[queue]);

    for (size_t i = (size_t)queue * h->dims;
         time > 0 && i < (size_t)(queue + 1) * h->dims; i++)
        h->now[i] += (double)h->rate[i] * time;
    h->since[queue] = now > h->since[queue] ? now : h->since[queue];
}

/* How much of something of that age counts. */
static inline double quota_history_decay(const struct quota_history *h,
                                         gsp_time age)
{
    return h->window.half_life > 0
               ? exact_exp2(-(double)age / (double)h->window.half_life)
               : 1;
}

/* Sum up the full steps, as of the begin of the present one. */
static inline void quota_history_sum(struct quota_history *h)
{
    const size_t n = (size_t)h->queues * h->dims;

    memset(h->sum, 0, n * sizeof(*h->sum));
    h->length = 0;
    for (uint32_t s = 0; s < h->steps; s++) {
        const uint32_t at = (h->at + QUOTA_STEPS - 1 - s) % QUOTA_STEPS;
        const double decay = quota_history_decay(h, s * h->step + h->step / 2);

        for (size_t i = 0; i < n && decay > 0; i++)
            h->sum[i] += h->full[at * n + i] * decay;
        h->length += (double)h->step * decay;
    }
}

/* End the present step. */
static inline void quota_history_step(struct quota_history *h)
{
    const size_t n = (size_t)h->queues * h->dims;
    const gsp_time end = h->began + h->step;

    for (uint32_t q = 0; q < h->queues; q++)
        quota_history_count(h, q, end);
    memcpy(h->full + h->at * n, h->now, n * sizeof(*h->now));
    memset(h->now, 0, n * sizeof(*h->now));
    h->at = (h->at + 1) % QUOTA_STEPS;
    h->steps = h->steps < QUOTA_STEPS ? h->steps + 1 : QUOTA_STEPS;
    if (h->window.tumbles
        && end / h->window.length != h->began / h->window.length)
        h->steps = 0;
    h->began = end;
}

/* End the steps before `now`; nothing changed since the last call, so that of
 * more than a window only the last steps are looked at.
 */
static inline void quota_history_steps(struct quota_history *h, gsp_time now)
{
    const gsp_time behind = (now - h->began) / h->step;

    if (behind > QUOTA_STEPS) {
        h->began += (behind - QUOTA_STEPS) * h->step;
        for (uint32_t q = 0; q < h->queues; q++)
            h->since[q] = h->began;
        memset(h->now, 0, (size_t)h->queues * h->dims * sizeof(*h->now));
    }
    while (now - h->began >= h->step)
        quota_history_step(h);
    if (behind > 0)
        quota_history_sum(h);
}

/* A queue holds `amount` more from `now` on. */
static inline void quota_history_change(struct quota_history *h, uint32_t queue,
                                        const int64_t *amount, gsp_time now)
{
    assert(queue < h->queues);
    quota_history_steps(h, now);
    quota_history_count(h, queue, now);
    for (uint32_t d = 0; d < h->dims; d++)
        h->rate[(size_t)queue * h->dims + d] += amount[d];
    h->busy = now;
}

/* Bring it to `now`; true when the means were computed anew. */
static inline bool quota_history_advance(struct quota_history *h, gsp_time now)
{
    const size_t n = (size_t)h->queues * h->dims;
    double young, old, length;

    if (h->window.length <= 0 || now - h->computed < h->window.period)
        return false;
    quota_history_steps(h, now);
    young = quota_history_decay(h, (now - h->began) / 2);
    old = quota_history_decay(h, now - h->began);
    length = (double)(now - h->began) * young + h->length * old;
    for (uint32_t q = 0; q < h->queues; q++)
        quota_history_count(h, q, now);
    for (size_t i = 0; i < n; i++)
        h->mean[i] = length > 0 ? (h->now[i] * young + h->sum[i] * old) / length
                                : 0;
    h->computed = now;
    return true;
}

/* When it is due next: while what was held last is in the window. */
static inline gsp_time quota_history_due(const struct quota_history *h)
{
    return h->window.length <= 0 || h->computed - h->busy >= h->window.length
               ? GSP_NEVER
               : h->computed + h->window.period;
}

/* What the queue held on average, without the queues below it. */
static inline double quota_history_mean(const struct quota_history *h,
                                        uint32_t queue, uint32_t d)
{
    return h->mean[(size_t)queue * h->dims + d];
}

#endif /* GSP_QUOTA_HISTORY_H */
