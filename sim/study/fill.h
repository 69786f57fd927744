/* sim/study/fill.h - the allocation experiment: tasks arrive one by one and never
 * leave; how much of the GPUs can be given out until nothing fits any more?
 *
 * Weng et al., Beware of Fragmentation (USENIX ATC 2023).  The tasks of a list
 * come in random order, all of them, then more drawn from it with replacement,
 * as long as what they ask for together is at most `load` times what the
 * cluster has.  Each is tried once.  Times, queues and priorities play no
 * role; a job's tasks come as if they were jobs.
 */
#ifndef SIM_STUDY_FILL_H
#define SIM_STUDY_FILL_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gsched_profile;
struct topo;
struct trace_workload;
struct fill_list; /* opaque */

/* What was measured at one percent of the cluster's GPUs arrived: after the
 * last task with which they are no more than that.
 */
struct fill_point {
    int64_t allocated;  /* thousandths of GPUs */
    int64_t fragmented; /* of the free ones; times fill_list_weight */
};

/* The cluster of an experiment: the nodes of `t` that have GPUs, in `arena`.
 * NULL if none has; `source` is its file, for messages.
 */
const struct topo *fill_topology(const struct topo *t, const char *source,
                                 struct gs_arena *arena, struct gs_err *err);

/* The tasks of `w`, for experiments on `t` (which stays, as the lists of w's
 * requests do) up to `load`.  NULL if they ask for no GPUs, or if too many
 * would arrive.
 */
struct fill_list *fill_list_create(const struct topo *t,
                                   const struct trace_workload *w,
                                   uint32_t load, const char *source,
                                   struct gs_err *err);
void fill_list_destroy(struct fill_list *l); /* NULL is fine */
uint32_t fill_list_tasks(const struct fill_list *l);
/* The tasks in the mix that fragmentation is measured with. */
int64_t fill_list_weight(const struct fill_list *l);

/* Points of an experiment: percents 1 to this. */
uint32_t fill_points(uint32_t load);

/* One experiment; fills all of `point`.  -1 when the profile does not suit the
 * cluster.
 */
int fill_run(const struct fill_list *l, const struct gsched_profile *p,
             uint64_t seed, uint32_t load, struct fill_point *point,
             struct gs_err *err);

/* Every list under every profile with every seed. */
struct fill_grid {
    struct fill_list *const *list;
    struct gsched_profile *const *profile;
    uint32_t lists, profiles, seeds;
    uint64_t first_seed;
    uint32_t load; /* thousandths */
    uint32_t jobs; /* processes at a time; results do not depend on it */
    /* Called after each experiment; NULL: never. */
    void (*progress)(void *ctx, uint32_t made, uint32_t all);
    void *progress_ctx;
};

/* Fills the points of all: first by list, then by profile, then by seed.  -1
 * with the first failure in that order, or on a signal (study/pool.h).
 */
int fill_grid_run(const struct fill_grid *g, struct fill_point *point,
                  struct gs_err *err);

#endif /* SIM_STUDY_FILL_H */
