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

/* Limits by scope, beside the amounts that are held, which stand alone. */
static const char *const kinds[TRACE_LIMIT_KINDS] = {
    [TRACE_LIMIT_TASK] = "task",
    [TRACE_LIMIT_LEAST] = "least",
    [TRACE_LIMIT_MINUTES] = "minutes",
    [TRACE_LIMIT_RUNNING] = "running_minutes",
};

struct limits_in {
    const struct gs_ynode *amount[TRACE_LIMIT_SCOPES];
    const struct gs_ynode *kind[TRACE_LIMIT_KINDS], *jobs;
    int64_t wall, group_wall;
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

/* Amounts by scopes, of which those of the mask are allowed. */
static int scopes_take(const struct gs_yctx *c, const struct gs_ynode *map,
                       const char *what, uint32_t mask,
                       int64_t (*amount)[TOPO_DIMS_MAX], struct gs_err *err)
{
    struct gs_yfield fields[TRACE_LIMIT_SCOPES];
    const struct gs_ynode *in[TRACE_LIMIT_SCOPES] = { NULL };
    size_t n = 0;
    int rc;

    for (uint32_t i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        if (mask >> i & 1)
            fields[n++] = (struct gs_yfield){ scopes[i], gs_yread_node,
                                              i * sizeof(in[0]), false };
    }
    rc = gs_ynode_fields(c, map, what, fields, n, in, err);
    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        if (in[i] && trace_amounts_take(c, in[i], amount[i], err) < 0)
            rc = -1;
    }
    return rc;
}

static int kinds_take(const struct gs_yctx *c, const struct limits_in *in,
                      struct trace_limits *l, struct gs_err *err)
{
    const uint32_t job = 1u << TRACE_LIMIT_JOB, group = 1u << TRACE_LIMIT_GROUP;
    int rc = 0;

    for (int k = 0; k < TRACE_LIMIT_KINDS; k++) {
        const struct gs_ynode *v = in->kind[k];

        if (v
            && (k <= TRACE_LIMIT_LEAST
                    ? trace_amounts_take(c, v, l->amount[k][TRACE_LIMIT_JOB],
                                         err)
                    : scopes_take(c, v, kinds[k],
                                  k == TRACE_LIMIT_MINUTES ? group | job
                                                           : job - 1,
                                  l->amount[k], err))
                   < 0)
            rc = -1;
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
        { "task", gs_yread_node, IN(kind[TRACE_LIMIT_TASK]), false },
        { "least", gs_yread_node, IN(kind[TRACE_LIMIT_LEAST]), false },
        { "minutes", gs_yread_node, IN(kind[TRACE_LIMIT_MINUTES]), false },
        { "running_minutes", gs_yread_node, IN(kind[TRACE_LIMIT_RUNNING]),
          false },
        { "jobs", gs_yread_node, IN(jobs), false },
        { "wall", gs_yread_duration, IN(wall), false },
        { "group_wall", gs_yread_duration, IN(group_wall), false },
    };
#undef IN
    struct trace_workload *w = c->user;
    struct limits_in in = { .wall = -1, .group_wall = -1 };
    struct trace_limits *l;
    int rc;

    if (!map)
        return 0;
    rc = gs_ynode_fields(c, map, "limits", fields,
                         sizeof(fields) / sizeof(fields[0]), &in, err);
    *limits = trace_limits_put(w, *limits);
    l = &w->limits[*limits - 1];
    if (in.wall >= 0)
        l->wall = in.wall;
    if (in.group_wall >= 0)
        l->group_wall = in.group_wall;
    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        if (in.amount[i]
            && trace_amounts_take(c, in.amount[i],
                                  l->amount[TRACE_LIMIT_HOLDS][i], err)
                   < 0)
            rc = -1;
    }
    if (kinds_take(c, &in, l, err) < 0)
        rc = -1;
    if (in.jobs && jobs_take(c, in.jobs, l->jobs, err) < 0)
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

static void put_wall(FILE *out, const char *key, int64_t wall, bool *any)
{
    if (wall < 0)
        return;
    fprintf(out, "%s%s: ", between(any), key);
    trace_put_time(out, wall);
}

/* The amounts of a kind by their scopes. */
static void put_scopes(FILE *out, const struct trace_workload *w,
                       const struct trace_limits *l, enum trace_limit_kind kind,
                       bool *any)
{
    char before[40];
    bool inside = false;

    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++) {
        (void)snprintf(before, sizeof(before), inside ? ", " : "%s%s: {",
                       *any ? ", " : "", kinds[kind]);
        inside |= trace_put_amounts(out, w, before, scopes[i],
                                    l->amount[kind][i], 0, -1);
    }
    if (inside)
        putc('}', out);
    *any |= inside;
}

void trace_put_limits(FILE *out, const struct trace_workload *w, uint32_t of)
{
    const struct trace_limits *l = trace_limits_of(w, of);
    bool any = false;

    if (!l)
        return;
    fputs(", limits: {", out);
    for (int i = 0; i < TRACE_LIMIT_SCOPES; i++)
        any |= trace_put_amounts(out, w, any ? ", " : "", scopes[i],
                                 l->amount[TRACE_LIMIT_HOLDS][i], 0, -1);
    for (int k = TRACE_LIMIT_TASK; k <= TRACE_LIMIT_LEAST; k++)
        any |= trace_put_amounts(out, w, any ? ", " : "", kinds[k],
                                 l->amount[k][TRACE_LIMIT_JOB], 0, -1);
    put_scopes(out, w, l, TRACE_LIMIT_MINUTES, &any);
    put_scopes(out, w, l, TRACE_LIMIT_RUNNING, &any);
    put_jobs(out, l->jobs, &any);
    put_wall(out, "wall", l->wall, &any);
    put_wall(out, "group_wall", l->group_wall, &any);
    fputs("}", out);
}
