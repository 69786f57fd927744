/* traces/formats/native_load.c - services whose replicas follow a daily curve,
 * or a series (native_scaling.c).
 *
 * The number of wanted replicas at time t is
 *
 *   low + (high - low) (1 + cos(2 pi (t - peak) / 24 h)) / 2
 *
 * rounded.  Each replica is a job of its own: replicas up to `low` for the
 * whole time of the service, the others once a day while the curve is above
 * them.  Times are whole seconds, so that the last bits of the cosine do not
 * matter.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "traces/formats/native_load.h"
#include "traces/formats/reading.h"

#define DAY (86400 * GS_SECOND)
#define REPLICAS_MAX 100000u

static int read_peak(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest >= DAY)
        return gs_yread_refuse(c, v, "a time of day below 24h", err);
    return 0;
}

int trace_read_load(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "low", gs_yread_u32, offsetof(struct trace_load, low), true },
        { "high", gs_yread_count, offsetof(struct trace_load, high), true },
        { "peak", read_peak, offsetof(struct trace_load, peak), false },
    };
    struct trace_load *load = dest;

    if (gs_ynode_find(v, "series"))
        return trace_read_following(c, v, load, err);
    load->peak = 14 * 3600 * GS_SECOND;
    if (gs_ynode_fields(c, v, "load", fields, 3, load, err) < 0)
        return -1;
    if (load->low > load->high || load->high > REPLICAS_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'low' must not be above 'high', nor that above %u",
                       REPLICAS_MAX);
    return 0;
}

/* Time before and after the peak for which replica `k` is wanted. */
static int64_t half_of(const struct trace_load *load, uint32_t k)
{
    const double range = load->high - load->low;
    const double x = 2 * ((double)k - 0.5 - load->low) / range - 1;
    const double pi = acos(-1.0);

    return (int64_t)(acos(x) / (2 * pi) * 86400 + 0.5) * GS_SECOND;
}

int trace_replica_add(struct trace_native *l, const struct trace_job *service,
                      const char *name, int64_t from, int64_t to,
                      struct gs_mark at, struct gs_err *err)
{
    const int64_t end = service->submit + service->duration;
    struct trace_job job = *service;
    struct trace_job_aside aside = *service->aside;

    job.submit = from > service->submit ? from : service->submit;
    job.duration = (to < end ? to : end) - job.submit;
    if (job.duration <= 0)
        return 0;
    job.estimate = job.duration;
    aside.withdraws = aside.resumes = true;
    job.aside = &aside;
    job.name = gs_strtab_put(l->r->w->names, name, strlen(name));
    if (trace_reading_claim(l->r, job.name, at.line, at, err) < 0)
        return -1;
    return trace_reading_add(l->r, &job, l->group, at, err);
}

/* Add replica `k` on each day of the service. */
static int days_add(struct trace_native *l, const struct trace_job *service,
                    const struct trace_load *load, uint32_t k,
                    struct gs_mark at, struct gs_err *err)
{
    const char *own = gs_strtab_str(l->r->w->names, service->name);
    const int64_t half = half_of(load, k);
    const int64_t last = (service->submit + service->duration) / DAY + 1;
    char name[400];

    for (int64_t day = service->submit / DAY - 1; day <= last; day++) {
        const int64_t peak = day * DAY + load->peak;

        snprintf(name, sizeof(name), "%.300s-%u.%" PRId64, own, k,
                 day - service->submit / DAY + 1);
        if (trace_replica_add(l, service, name, peak - half, peak + half, at,
                              err)
            < 0)
            return -1;
    }
    return 0;
}

int trace_load_add(struct trace_native *l, const struct trace_job *service,
                   const struct trace_load *load, struct gs_mark at,
                   struct gs_err *err)
{
    const char *own = gs_strtab_str(l->r->w->names, service->name);
    const int64_t days = service->duration / DAY + 2;
    char name[400];

    assert(l && service);
    if (service->duration == TRACE_FOREVER || service->duration > GS_TIME_MAX
        || (!load->following
            && days * (load->high - load->low) > TRACE_LOAD_JOBS_MAX))
        return gs_fail(err, GS_INPUT, at,
                       "'load' needs a 'duration' with an end, and at most %u "
                       "replicas over all of its days",
                       TRACE_LOAD_JOBS_MAX);
    if (load->following)
        return trace_following_add(l, service, load->following, at, err);
    for (uint32_t k = 1; k <= load->high; k++) {
        int rc;

        if (k > load->low) {
            rc = days_add(l, service, load, k, at, err);
        } else {
            snprintf(name, sizeof(name), "%.300s-%u", own, k);
            rc = trace_replica_add(l, service, name, service->submit, INT64_MAX,
                                   at, err);
        }
        if (rc < 0)
            return -1;
    }
    return 0;
}
