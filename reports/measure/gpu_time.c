/* reports/measure/gpu_time.c - all GPU time of the window, in parts.
 *
 * The parts add up to the GPUs of the cluster times the window.  They are
 * computed in thousandths of GPUs times microseconds, and rounded to GPU
 * microseconds such that the sum stays the same.
 */
#include <assert.h>

#include "base/array.h"
#include "base/far.h"
#include "reports/glossary/metric_names.h"
#include "reports/measure/metrics_private.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

typedef report_wide wide;

#define NONE UINT32_MAX

/* Parts in the order of the table. */
enum part {
    USEFUL,
    REPEATED,
    STARTING,
    HOARDED,
    FRAGMENTED,
    SHORT,
    QUOTA,
    ORDER,
    IDLE,
    DOWN,
    PARTS
};

static const char *const names[PARTS] = {
    [USEFUL] = METRIC_GPU_TIME_USEFUL,
    [REPEATED] = METRIC_GPU_TIME_REPEATED,
    [STARTING] = METRIC_GPU_TIME_STARTING,
    [HOARDED] = METRIC_GPU_TIME_HOARDED,
    [FRAGMENTED] = METRIC_GPU_TIME_FRAGMENTED,
    [SHORT] = METRIC_GPU_TIME_SHORT,
    [QUOTA] = METRIC_GPU_TIME_QUOTA,
    [ORDER] = METRIC_GPU_TIME_ORDER,
    [IDLE] = METRIC_GPU_TIME_IDLE,
    [DOWN] = METRIC_GPU_TIME_DOWN,
};

/* --- repeated work -------------------------------------------------------- */

/* The placements of the log, linked by job. */
struct history {
    uint32_t *earlier; /* [placement] of the same job; NONE */
    uint32_t *last;    /* [job]; NONE */
    uint32_t count;    /* placements linked */
};

static void link_to(struct history *h, const struct report_log *log,
                    uint32_t end)
{
    for (; h->count < end; h->count++) {
        uint32_t *last = &h->last[log->placement[h->count].job];

        h->earlier[h->count] = *last;
        *last = h->count;
    }
}

static wide held(const struct report_metrics *m,
                 const struct report_placement *p, int64_t from, int64_t to)
{
    const struct trace_workload *w = m->work;
    const uint32_t group = w->job[p->job].first_group + p->group;
    const int64_t milli =
        w->shape[trace_group_at(w, group)->shape].amount[TOPO_GPU];

    from = from > p->start ? from : p->start;
    to = to < p->end ? to : p->end;
    return (wide)(uint64_t)milli * p->tasks
           * (uint64_t)report_window_overlap(&m->measured, from, to);
}

/* GPU time of work that the eviction lost: of a job with completions, of the
 * tasks evicted since they run; of another, of all that it held in the last
 * lost_us of its run.
 */
static wide lost_by(const struct report_metrics *m,
                    const struct report_log *log, const struct history *h,
                    const struct report_evicted *e)
{
    const bool by_task = m->work->job[e->what.job].aside->completions > 0;
    const int64_t us = by_task || e->what.lost_us > e->what.run_us
                           ? e->what.run_us
                           : e->what.lost_us;
    uint32_t tasks = by_task ? e->what.tasks : UINT32_MAX;
    uint32_t i = h->last[e->what.job];
    wide sum = 0;

    for (; i != NONE && tasks > 0; i = h->earlier[i]) {
        const struct report_placement *p = &log->placement[i];

        if (p->end <= e->at - us)
            break;
        sum += held(m, p, e->at - us, e->at);
        tasks -= by_task ? p->tasks : 0;
    }
    return sum;
}

static wide repeated(const struct report_metrics *m,
                     const struct report_log *log)
{
    struct history h = { .count = 0 };
    wide sum = 0;

    for (uint32_t i = 0; i < log->eviction_count; i++) {
        const struct report_evicted *e = &log->eviction[i];

        if (e->what.lost_us <= 0)
            continue;
        if (!h.last) {
            h.earlier = gs_far_new(m->work->far, log->placement_count,
                                   sizeof(uint32_t));
            h.last = gs_far_new(m->work->far, log->job_count, sizeof(uint32_t));
            for (uint32_t k = 0; k < log->job_count; k++)
                h.last[k] = NONE;
        }
        link_to(&h, log, e->placements);
        sum += lost_by(m, log, &h, e);
    }
    gs_far_free(m->work->far, h.earlier);
    gs_far_free(m->work->far, h.last);
    return sum;
}

/* --- rows ----------------------------------------------------------------- */

/* Round to GPU microseconds: the sum of the first parts is rounded down, and
 * each part is the difference of two such sums.
 */
static void parts_put(struct report_metrics *m, const wide *part, wide all)
{
    wide sum = 0, before = 0;

    for (int k = 0; k < PARTS; k++) {
        sum += part[k];
        report_metrics_put_cluster(m, names[k], (double)part[k] / (double)all);
        if (all / 1000 > INT64_MAX)
            continue;
        m->row[m->count - 1].gpu_us = (int64_t)(sum / 1000 - before);
        m->row[m->count - 1].has_gpu_us = true;
        before = sum / 1000;
    }
    assert(sum == all);
}

void report_gpu_time_put(struct report_metrics *m, const struct report_log *log)
{
    const wide span = (uint64_t)(m->measured.to - m->measured.from);
    const wide all = span * m->topo->gpu_count * TOPO_SHARE_ONE;
    wide part[PARTS] = {
        [HOARDED] = m->hoarded,
        [FRAGMENTED] = m->free[REPORT_FREE_FRAGMENTED],
        [SHORT] = m->free[REPORT_FREE_SHORT],
        [QUOTA] = m->free[REPORT_FREE_QUOTA],
        [ORDER] = m->free[REPORT_FREE_ORDER],
        [DOWN] = m->out,
    };

    if (all == 0)
        return;
    part[REPEATED] = repeated(m, log);
    assert(part[REPEATED] <= m->busy && m->busy + m->hoarded <= m->allocated);
    part[USEFUL] = m->busy - part[REPEATED];
    part[STARTING] = m->allocated - m->busy - m->hoarded;
    part[IDLE] = all - m->allocated - m->out;
    for (int why = 0; why < REPORT_FREE_REASONS; why++) {
        assert(m->free[why] <= part[IDLE]);
        part[IDLE] -= m->free[why];
    }
    parts_put(m, part, all);
}
