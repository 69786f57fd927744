/* sim/study/grid.c - combinations, see grid.h. */
#include "sim/study/grid.h"

#include <string.h>

#include "base/arena.h"

uint32_t grid_points(const struct grid *g)
{
    uint64_t n = 1;

    for (uint32_t a = 0; a < g->axis_count; a++) {
        n *= g->axis[a].count;
        if (n > GRID_POINTS_MAX)
            return GRID_POINTS_MAX + 1;
    }
    return (uint32_t)n;
}

const struct grid_choice *grid_choice(const struct grid *g, uint32_t i,
                                      uint32_t axis)
{
    for (uint32_t a = g->axis_count - 1; a > axis; a--)
        i /= g->axis[a].count;
    return &g->axis[axis].choice[i % g->axis[axis].count];
}

const char *grid_name(const struct grid *g, uint32_t i, const char *otherwise,
                      struct gs_arena *arena)
{
    const char *name = NULL;

    for (uint32_t a = 0; a < g->axis_count; a++) {
        if (g->axis[a].count > 1)
            name = gs_arena_printf(arena, "%s%s%s", name ? name : "",
                                   name ? "/" : "",
                                   grid_choice(g, i, a)->label);
    }
    return name ? name : otherwise;
}
