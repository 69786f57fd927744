/* sim/scenario/scenario.h - node events of a run.
 *
 *   events:                          # recorded, or made up
 *     - {at: 1h, node: n003, what: drain, for: 2h}
 *     - {at: 3h, rack: r1, what: fail, for: 30m}
 *     - {at: 4h, node: n001, gpu: 3, what: fail, for: 1h}
 *     - {at: 6h, node: "n[5-8]", what: remove, notice: 2m}
 *   failures:                        # at random, or one word: published
 *     - {what: node, of: h100, mtbf: 100d, shape: 1.2, repair: 4h}
 *   autoscale:
 *     - {type: spot, min: 4, max: 64, delay: 5m, idle: 10m}
 *   start:                           # what it costs to start
 *     nodes: [{of: h100, pull: 3m, time: 20s, spread: 0.4}]
 *     per_task: 10ms
 *     binding_rate: 100
 *   checkpoint: 1h                   # of jobs that state none
 *
 * A node is cordoned while it is drained, failed or absent; several of these
 * may hold at once.  A node that fails or is removed loses its tasks.  A node
 * with an `add` before any `remove` is absent until that `add`.  Times are as
 * in traces (base/duration.h).
 */
#ifndef SIM_SCENARIO_SCENARIO_H
#define SIM_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_FOREVER INT64_MAX /* us */

struct gs_arena;
struct gs_err;
struct gs_input;
struct topo;

#define SIM_WHOLE UINT32_MAX         /* the whole node, instead of a device */
#define SIM_SCENARIO_LISTED_MAX 4096 /* entries of `failures`; of `autoscale` */

enum sim_what {
    SIM_DRAIN, /* no new tasks; running tasks may end */
    SIM_FAIL,
    SIM_REPAIR, /* neither drained nor failed any longer */
    SIM_ADD,    /* the node arrives, or returns */
    SIM_REMOVE, /* the node leaves, as a spot node does */
    SIM_WHATS
};

/* One event for the nodes [first_node, + node_count), or for a GPU of one. */
struct sim_scenario_event {
    int64_t at;     /* us */
    int64_t span;   /* us; SIM_FOREVER: until another event ends it */
    int64_t notice; /* us before `at` from which it is drained */
    uint32_t first_node, node_count;
    uint32_t device; /* or SIM_WHOLE */
    enum sim_what what;
};

/* Random failures of each unit, counted from its last repair: Weibull
 * distributed, with shape 1 exponential; repair times likewise.  Draws are
 * rounded to whole seconds, so that the last bits of a logarithm do not matter.
 */
struct sim_failures {
    int64_t mtbf, repair; /* us; means */
    double shape, repair_shape;
    uint32_t type;  /* string id of the node type; 0: all */
    uint32_t level; /* level of the domains that fail (topology.h);
                       tier_count + 1: nodes */
    bool is_gpu;    /* each GPU by itself */
};

/* Autoscaling of a node type: at least `min`, at most `max` nodes.  A node
 * arrives `delay` after it was requested, and leaves after it was idle for
 * `idle`.
 */
struct sim_scale {
    int64_t delay, idle; /* us */
    uint32_t type;       /* string id */
    uint32_t min, max;   /* nodes */
};

/* From the placement of a task on a node until it is ready. */
struct sim_start {
    uint32_t type; /* string id of the node type; 0: all */
    int64_t pull;  /* us, unless the image is there */
    int64_t time;  /* us; mean */
    double spread; /* standard deviation of its logarithm */
};

/* What it costs to start a run: nothing, when zeroed. */
struct sim_starts {
    struct sim_start *node; /* the first that fits counts */
    uint32_t count;
    const char *image; /* label of jobs that names their image; NULL: they have
                          the same */
    int64_t per_task;  /* us for each task of the gang, once all are ready */
    int64_t bind;      /* us between two tasks that are bound */
};

struct sim_scenario {
    const struct topo *topo;
    int64_t checkpoint; /* us of work between checkpoints of jobs that state
                           none; 0: none */
    struct sim_scenario_event *event; /* in the order of the file */
    uint32_t event_count, event_cap;
    struct sim_failures *failures;
    uint32_t failures_count;
    struct sim_scale *scale;
    uint32_t scale_count;
    struct sim_starts starts;
};

/* Read a scenario for the topology; `in` stays open.  The result is in `arena`,
 * and needs sim_scenario_destroy().  NULL on failure.  Without a topology
 * (NULL) names of nodes are not looked up: such a scenario can be checked, not
 * replayed.
 */
struct sim_scenario *sim_scenario_read(struct gs_input *in,
                                       struct gs_arena *arena,
                                       const struct topo *t,
                                       struct gs_err *err);
void sim_scenario_destroy(struct sim_scenario *w); /* NULL is fine */

#endif /* SIM_SCENARIO_SCENARIO_H */
