/* sim/study/fill.h - the allocation experiment: tasks arrive one by one and
 * never leave; how much of the GPUs can be allocated before no task fits?
 *
 * Weng et al., Beware of Fragmentation (USENIX ATC 2023).  All tasks of a list
 * arrive in random order, then more are drawn from it with replacement, while
 * the sum of their requests is at most `load` times the capacity of the
 * cluster.  Each is tried once.  Times, queues and priorities have no effect;
 * each task counts as a job.
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

/* Values at a percentage of the cluster's GPUs arrived: after the last task
 * with which the requests are at most that percentage.
 */
struct fill_point {
    int64_t allocated;  /* thousandths of GPUs */
    int64_t fragmented; /* fragmentation of the free GPUs; times
                           fill_list_weight */
};

/* The cluster of an experiment: the nodes of `t` that have GPUs, in `arena`.
 * NULL if none has; `source` is its file, for messages.
 */
const struct topo *fill_topology(const struct topo *t, const char *source,
                                 struct gs_arena *arena, struct gs_err *err);

/* The tasks of `w` for experiments on `t` up to `load`; `t` and the lists of
 * requests of `w` must stay valid.  NULL if they ask for no GPUs, or if too
 * many would arrive.
 */
struct fill_list *fill_list_create(const struct topo *t,
                                   const struct trace_workload *w,
                                   uint32_t load, const char *source,
                                   struct gs_err *err);
void fill_list_destroy(struct fill_list *l); /* NULL is fine */
uint32_t fill_list_tasks(const struct fill_list *l);
/* The number of tasks in the mix by which fragmentation is measured. */
int64_t fill_list_weight(const struct fill_list *l);

/* The number of points of an experiment, one for each percent from 1. */
uint32_t fill_points(uint32_t load);

/* Run one experiment and fill all of `point`.  -1 when the profile does not
 * suit the cluster.
 */
int fill_run(const struct fill_list *l, const struct gsched_profile *p,
             uint64_t seed, uint32_t load, struct fill_point *point,
             struct gs_err *err);

/* Experiments for every list, profile and seed. */
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

/* Run all experiments; points are ordered by list, then profile, then seed.  -1
 * with the first failure in that order, or on a signal (study/pool.h).
 */
int fill_grid_run(const struct fill_grid *g, struct fill_point *point,
                  struct gs_err *err);

#endif /* SIM_STUDY_FILL_H */
