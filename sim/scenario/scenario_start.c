/* sim/scenario/scenario_start.c - what it costs to start, in scenario files. */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "sim/scenario/scenario_private.h"

#define SPREAD_MOST 3.0
#define RATE_MOST 1e6

static int read_spread(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    if (gs_yread_double(c, v, dest, err) < 0)
        return -1;
    if (!(*(double *)dest >= 0 && *(double *)dest <= SPREAD_MOST))
        return gs_yread_refuse(c, v, "a number from 0 to 3", err);
    return 0;
}

static int read_rate(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    double rate;

    if (gs_yread_double(c, v, &rate, err) < 0)
        return -1;
    if (!(rate >= 1e-3 && rate <= RATE_MOST))
        return gs_yread_refuse(c, v, "tasks a second, 0.001 to 1000000", err);
    *(int64_t *)dest = (int64_t)((double)GS_SECOND / rate);
    return 0;
}

/* At most an hour, so that that of a gang is a time, too. */
static int read_per_task(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest > 3600 * GS_SECOND)
        return gs_yread_refuse(c, v, "a time of at most 1h", err);
    return 0;
}

#define STARTS(member) offsetof(struct sim_start, member)

static const struct gs_yfield node_fields[] = {
    { "of", sim_read_type, STARTS(type), false },
    { "pull", gs_yread_duration, STARTS(pull), false },
    { "time", gs_yread_duration, STARTS(time), false },
    { "spread", read_spread, STARTS(spread), false },
};

static int read_nodes(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct sim_reading *r = c->user;
    struct sim_starts *s = &r->scenario->starts;

    (void)dest;
    if (v->kind != GS_YSEQ)
        return gs_yread_refuse(c, v, "a list of {of, pull, time, spread}", err);
    if (v->len > SIM_SCENARIO_LISTED_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, v),
                       "more than %u entries", SIM_SCENARIO_LISTED_MAX);
    s->node = gs_arena_alloc(r->arena, v->len + 1, sizeof(*s->node));
    for (const struct gs_ynode *n = v->child; n; n = n->next) {
        if (gs_ynode_fields(c, n, "start", node_fields,
                            sizeof(node_fields) / sizeof(node_fields[0]),
                            &s->node[s->count], err)
            < 0)
            return -1;
        s->count++;
    }
    return 0;
}

static int read_image(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct sim_reading *r = c->user;
    const char *text = NULL;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    *(const char **)dest = gs_arena_strndup(r->arena, text, strlen(text));
    return 0;
}

#define ALL(member) offsetof(struct sim_starts, member)

int sim_read_start(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "nodes", read_nodes, 0, false },
        { "image", read_image, ALL(image), false },
        { "per_task", read_per_task, ALL(per_task), false },
        { "binding_rate", read_rate, ALL(bind), false },
    };
    struct sim_reading *r = c->user;

    (void)dest;
    return gs_ynode_fields(c, v, "start", fields,
                           sizeof(fields) / sizeof(fields[0]),
                           &r->scenario->starts, err);
}
