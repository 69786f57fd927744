/* sim/study/rerun.c - see rerun.h. */
#include "sim/study/rerun.h"

#include "base/array.h"
#include "base/err.h"
#include "policies/profile/profile.h"
#include "reports/compare/statistics.h"
#include "sim/replay/observer.h"
#include "sim/replay/replay.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "traces/workload/workload.h"

/* What became of a job. */
struct outcome {
    int64_t start; /* -1: it did not */
    int64_t waited;
};

struct watch {
    struct outcome *job;
    uint32_t evictions;
};

struct study_recorded {
    struct watch was;
};

static void ended(void *self, int64_t now, const struct report_job *j)
{
    struct watch *w = self;
    struct outcome *o = &w->job[j->job];

    (void)now;
    o->start = j->start;
    for (int c = 0; j->waits && c < REPORT_CAUSES; c++)
        o->waited += j->waits[c];
}

static void evicted(void *self, int64_t now, const struct report_eviction *e)
{
    struct watch *w = self;

    (void)now;
    w->evictions += e->is_whole && report_eviction_is_taking(e->kind);
}

static int watch_run(struct inputs *in, const struct gsched_profile *p,
                     uint64_t seed, struct watch *w, struct gs_err *err)
{
    const struct report_observer observer = { .self = w,
                                              .evicted = evicted,
                                              .ended = ended };
    const struct report_observer *const list[] = { &observer };
    const struct sim_options o = { .source = in->trace_path,
                                   .seed = seed,
                                   .until = SIM_FOREVER };
    struct sim_stats stats;

    w->job = gs_array_new(in->work->job_count, sizeof(*w->job));
    for (uint32_t i = 0; i < in->work->job_count; i++)
        w->job[i].start = -1;
    return sim_replay(in->topo, in->work, p, &o, list, 1, &stats, err);
}

/* Runs of the record that were no last ones. */
static uint32_t recorded_evictions(const struct trace_workload *w)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < w->job_count; i++)
        count += w->job[i].record_count > 1 ? w->job[i].record_count - 1 : 0;
    return count;
}

static void compare(const struct inputs *in, const struct watch *was,
                    const struct watch *is, struct study_rerun *out)
{
    const uint32_t jobs = in->work->job_count;
    double *x = gs_array_new(2 * (size_t)jobs + 1, sizeof(*x)), *y = x + jobs;

    for (uint32_t i = 0; i < jobs; i++) {
        if (was->job[i].start < 0 || is->job[i].start < 0)
            continue;
        out->recorded += (double)was->job[i].waited;
        out->mean += (double)is->job[i].waited;
        x[out->jobs] = (double)was->job[i].start;
        y[out->jobs++] = (double)is->job[i].start;
    }
    if (out->jobs) {
        out->recorded /= out->jobs;
        out->mean /= out->jobs;
        out->tau = report_tau(x, y, out->jobs);
    }
    gs_array_free(x);
}

struct study_recorded *study_recorded_run(struct inputs *in, uint64_t seed,
                                          struct gs_err *err)
{
    const struct gsched_profile *p = inputs_policy(in, "recorded", err);
    struct study_recorded *r = gs_array_new(1, sizeof(*r));

    if (p && watch_run(in, p, seed, &r->was, err) == 0)
        return r;
    study_recorded_free(r);
    return NULL;
}

void study_recorded_free(struct study_recorded *r)
{
    if (!r)
        return;
    gs_array_free(r->was.job);
    gs_array_free(r);
}

int study_rerun(struct inputs *in, const struct gsched_profile *p,
                uint64_t seed, const struct study_recorded *record,
                struct study_rerun *out, struct gs_err *err)
{
    struct watch is = { 0 };
    const int rc = watch_run(in, p, seed, &is, err);

    *out = (struct study_rerun){ 0 };
    if (rc == 0) {
        compare(in, &record->was, &is, out);
        out->evictions = is.evictions;
        out->recorded_evictions = recorded_evictions(in->work);
    }
    gs_array_free(is.job);
    return rc;
}
