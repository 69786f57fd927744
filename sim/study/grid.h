/* sim/study/grid.h - all combinations of the choices on some axes.
 *
 * Points are numbered in row-major order: the last axis varies fastest.
 */
#ifndef STUDY_GRID_H
#define STUDY_GRID_H

#include <stdint.h>

struct gs_arena;

#define GRID_AXES_MAX 16u
#define GRID_POINTS_MAX 100000u

struct grid_choice {
    const char *value;         /* a path, a policy, a number, or its name */
    const char *label;         /* in the names of runs */
    const char *const *change; /* PATH=VALUE, as sim/study/change.h has them */
    uint32_t change_count;
};

struct grid_axis {
    const char *name;
    const struct grid_choice *choice;
    uint32_t count; /* at least 1 */
};

struct grid {
    struct grid_axis axis[GRID_AXES_MAX];
    uint32_t axis_count;
};

/* The number of points of the grid; above GRID_POINTS_MAX the number is not
 * exact.
 */
uint32_t grid_points(const struct grid *g);

/* The choice of point `i` on axis `axis`. */
const struct grid_choice *grid_choice(const struct grid *g, uint32_t i,
                                      uint32_t axis);

/* The labels of point `i` on the axes with more than one choice, joined by '/':
 * unique when the labels of each axis are.  `otherwise` when there are none.
 * In `arena`.
 */
const char *grid_name(const struct grid *g, uint32_t i, const char *otherwise,
                      struct gs_arena *arena);

#endif /* STUDY_GRID_H */
