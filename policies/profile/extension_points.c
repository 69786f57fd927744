/* policies/profile/extension_points.c - which extension points of a module a
 * profile uses.
 *
 * `only: [queue_order]` enables this extension point only, as the enable
 * switches of Volcano.
 */
#include "policies/profile/extension_points.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/yamldoc.h"

#define POINT(member)                                \
    {                                                \
#member, offsetof(struct gsp_module, member) \
    }
/* A point with two names, selected by the kind of eviction. */
#define NOWHERE SIZE_MAX

static const struct {
    const char *name;
    size_t at;
} points[] = {
    POINT(job_order),     POINT(queue_order),     POINT(overused),
    POINT(allocatable),   POINT(preemptive),      POINT(enqueue),
    POINT(filter),        POINT(score),           POINT(pick),
    POINT(gang_ready),    POINT(hold_time),       POINT(subtree),
    POINT(refuses),       { "preempt", NOWHERE }, { "reclaim", NOWHERE },
    POINT(backfill),      POINT(prefer),          POINT(prefer_domain),
    POINT(preemption),    POINT(passes),          POINT(moves),
    POINT(gang_victims),  POINT(retry),           POINT(choice),
    POINT(number),        POINT(next_group),      POINT(victims_ok),
    POINT(consolidation), POINT(usage_decay),     POINT(make_room),
    POINT(admit),         POINT(group_order),     POINT(keep),
};

#define N_POINTS (sizeof(points) / sizeof(points[0]))
_Static_assert(N_POINTS <= 64, "a mask has a bit for each point");

typedef void (*point_fn)(void);

static bool has_point(const struct gsp_module *m, size_t i)
{
    point_fn fn = NULL;

    if (points[i].at == NOWHERE)
        return m->victims != NULL;
    memcpy(&fn, (const char *)m + points[i].at, sizeof(fn));
    return fn != NULL;
}

static int unknown_point(const struct gs_yctx *c, const struct gs_ynode *v,
                         const struct gsp_module *m, struct gs_err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < N_POINTS; i++) {
        if (has_point(m, i))
            gs_text_add(known, sizeof(known), "%s%s", *known ? ", " : "",
                        points[i].name);
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'only' of module '%s' must be a list of: %s", m->name,
                   *known ? known : "nothing");
}

int gsched_points_read(const struct gs_yctx *c, const struct gs_ynode *v,
                       const struct gsp_module *m, uint64_t *out,
                       struct gs_err *err)
{
    uint64_t mask = 0;
    int rc = 0;

    if (v->kind != GS_YSEQ || !v->child)
        return unknown_point(c, v, m, err);
    for (const struct gs_ynode *n = v->child; n; n = n->next) {
        size_t i = 0;

        while (i < N_POINTS
               && (n->kind != GS_YSCALAR || !has_point(m, i)
                   || strcmp(points[i].name, n->text) != 0))
            i++;
        if (i == N_POINTS)
            rc = unknown_point(c, n, m, err);
        else
            mask |= UINT64_C(1) << i;
    }
    *out = mask;
    return rc;
}

static bool is_in(uint64_t mask, const char *name)
{
    for (size_t i = 0; i < N_POINTS; i++) {
        if (strcmp(points[i].name, name) == 0)
            return mask >> i & 1;
    }
    return false;
}

bool gsched_points_have(uint64_t mask, enum gsp_why why)
{
    return mask == 0 || is_in(mask, why == GSP_PREEMPT ? "preempt" : "reclaim");
}

const struct gsp_module *gsched_points_of(const struct gsp_module *m,
                                          uint64_t mask, struct gs_arena *arena)
{
    const point_fn none = NULL;
    struct gsp_module *some;

    if (mask == 0)
        return m;
    some = gs_arena_alloc(arena, 1, sizeof(*some));
    memcpy(some, m, m->size < sizeof(*some) ? m->size : sizeof(*some));
    for (size_t i = 0; i < N_POINTS; i++) {
        if (points[i].at != NOWHERE && !(mask >> i & 1))
            memcpy((char *)some + points[i].at, &none, sizeof(none));
    }
    return some;
}

uint64_t gsched_points_all(const struct gsp_module *m)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < N_POINTS; i++)
        mask |= (uint64_t)has_point(m, i) << i;
    return mask;
}

uint64_t gsched_points_mask(const struct gsp_module *m, const char *name)
{
    for (size_t i = 0; i < N_POINTS; i++) {
        if (has_point(m, i) && strcmp(points[i].name, name) == 0)
            return UINT64_C(1) << i;
    }
    return 0;
}

const char *gsched_points_name(uint64_t mask, uint32_t *at)
{
    for (; *at < N_POINTS; ++*at) {
        if (mask >> *at & 1)
            return points[(*at)++].name;
    }
    return NULL;
}
