/* traces/formats/limit_terms.c - the key `limits` of an account, a user of one
 * or a QOS, see terms.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/yamldoc.h"
#include "traces/formats/native_task.h"
#include "traces/formats/terms.h"
#include "traces/formats/writing.h"
#include "traces/workload/limits.h"
#include "traces/workload/workload.h"

static const char *const scopes[TRACE_LIMIT_SCOPES] = {
    [TRACE_LIMIT_GROUP] = "group",
    [TRACE_LIMIT_USER] = "user",
    [TRACE_LIMIT_ACCOUNT] = "account",
    [TRACE_LIMIT_JOB] = "job",
};

struct limits_in {
    const struct gs_ynode *amount[TRACE_LIMIT_SCOPES], *jobs;
    int64_t wall;
};

static int jobs_take(const struct gs_yctx *c, const struct gs_ynode *map,
                     int64_t *jobs, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "group", gs_yread_u32, 0, false },
        { "user", gs_yread_u32, sizeof(uint32_t), false },
        { "account", gs_yread_u32, 2 * sizeof(uint32_t), false },
    };
    uint32_t n[TRACE_LIMIT_JOB] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
    const int rc = gs_ynode_fields(c, map, "number of jobs", fields, 3, n, err);

    for (int i = 0; i < TRACE_LIMIT_JOB; i++) {
        if (n[i] != UINT32_MAX)
            jobs[i] = n[i];
    }
    return rc;
}

int trace_limits_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                       uint32_t *limits, struct gs_err *err)
{
#define IN(member) offsetof(struct limits_in, member)
    static const struct gs_yfield fields[] = {
        { "group", gs_yread_node, IN(amount[TRACE_LIMIT_GROUP]), false },
        { "user", gs_yread_node, IN(amount[TRACE_LIMIT_USER]), false },
        { "account", gs_yread_node, IN(amount[TRACE_LIMIT_ACCOUNT]), false },
        { "job", gs_yread_node, IN(amount[TRACE_LIMIT_JOB]), false },
        { "jobs", gs_yread_node, IN(jobs), false },
        { "wall", gs_yread_duration, IN(wall), false },
    };
#undef IN
    struct trace_workload *w = c->user;
    struct limits_in in = { .wall = -1 };
    int rc;

    if (!map)
        return 0;
    rc = gs_ynode_fields(c, map, "limits", fields, 6, &in, err);
    *limits = trace_limits_put(w, *limits);
    if (in.wall >= 0)
        w->limits[*limits - 1].wall = in.wall;
    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        if (in.amount[i]
            && trace_amounts_take(c, in.amount[i],
                                  w->limits[*limits - 1].amount[i], err)
                   < 0)
            rc = -1;
    }
    if (in.jobs && jobs_take(c, in.jobs, w->limits[*limits - 1].jobs, err) < 0)
        rc = -1;
    return rc;
}

/* The members of a mapping after the first, with a comma. */
static const char *between(bool *any)
{
    const char *text = *any ? ", " : "";

    *any = true;
    return text;
}

static void put_jobs(FILE *out, const int64_t *jobs, bool *any)
{
    bool inside = false;

    for (int i = 0; i < TRACE_LIMIT_JOB; i++) {
        if (jobs[i] < 0)
            continue;
        if (!inside)
            fprintf(out, "%sjobs: {", between(any));
        fprintf(out, "%s%s: %" PRId64, between(&inside), scopes[i], jobs[i]);
    }
    if (inside)
        fputs("}", out);
}

void trace_put_limits(FILE *out, const struct trace_workload *w, uint32_t of)
{
    const struct trace_limits *l = trace_limits_of(w, of);
    bool any = false;

    if (!l)
        return;
    fputs(", limits: {", out);
    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        any |= trace_put_amounts(out, w, any ? ", " : "", scopes[i],
                                 l->amount[i], 0, -1);
    }
    put_jobs(out, l->jobs, &any);
    if (l->wall >= 0) {
        fprintf(out, "%swall: ", between(&any));
        trace_put_time(out, l->wall);
    }
    fputs("}", out);
}
