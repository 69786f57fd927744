/* sim/speed/speed.h - speed models: effect of placement and number of tasks on
 * the speed of a job.
 *
 * Durations are work, stated as time at the placement where they were measured.
 * Without a model the speed of a job depends only on its node types.
 *
 * all-reduce: each step of a job is computation, and an all-reduce among its
 * ranks that takes the part c of it (`communication`) on the tier where it was
 * measured (`measured_on`).  On a tier where the all-reduce takes x times as
 * long, the job's rate is 1 / ((1 - c) + c x).  A ring of p ranks reduces n
 * bytes in 2 (p - 1) steps, each taking a + n / (p b) on links of latency a and
 * bandwidth b (R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective
 * communication operations in MPICH, IJHPCA 19(1), 2005, 4.4), and waits for
 * its slowest link; so x is the ratio of such steps, that of the bandwidths
 * alone when the job does not state n (`gradient`).  The bandwidth of a link is
 * that of one rank; sharing of links, with other jobs or in a tree, is not
 * modelled.
 *
 * A table states measured throughputs instead, as in Gavel (D. Narayanan et
 * al., OSDI 2020): by name or class of job, GPU model, GPUs and tier.
 */
#ifndef SIM_SPEED_SPEED_H
#define SIM_SPEED_SPEED_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;
struct topo;
struct trace_workload;

#define SIM_FULL_SPEED 1000000u /* speeds are in millionths */
#define SIM_SPEED_ROWS_MAX 4096u

/* The speed of jobs that match all stated members. */
struct sim_speed_row {
    const char *name;      /* pattern with * and ?; NULL: any */
    uint32_t label, model; /* string ids, "class=NAME"; 0: any */
    uint32_t gpus;         /* GPUs that the job holds; 0: any */
    uint32_t level;        /* level of the smallest subtree that holds it;
                              UINT32_MAX: any */
    uint32_t milli;        /* thousandths */
    uint32_t keys;         /* how many of the above are stated */
};

struct sim_speed {
    bool is_all_reduce;
    bool is_linear; /* speed is proportional to the number of its tasks */
    const struct sim_speed_row *row;
    uint32_t row_count;
};

/* Read a model: `placement: all-reduce`, `replicas: linear`, `table: [...]`. In
 * `arena`; NULL on failure.  Without a topology (NULL) tiers are not looked up:
 * such a model can be checked, not replayed.
 */
const struct sim_speed *sim_speed_read(struct gs_input *in,
                                       const struct topo *t,
                                       struct gs_arena *arena,
                                       struct gs_err *err);

/* Fails when the model uses all-reduce and the cluster, read from `source`,
 * does not state the bandwidth of each tier that jobs may span.
 */
int sim_speed_check(const struct sim_speed *m, const struct topo *t,
                    const struct trace_workload *w, const char *source,
                    struct gs_err *err);

/* The speed of job `job` within a subtree of `level` by the all-reduce model,
 * in millionths.
 */
uint32_t sim_speed_reduce(const struct topo *t, const struct trace_workload *w,
                          uint32_t job, uint32_t level);

/* The matching row with the most stated members (the first of equals) for a job
 * that holds `gpu_milli` thousandths of GPUs of `model`; NULL: none.
 */
const struct sim_speed_row *sim_speed_find(const struct sim_speed *m,
                                           const struct trace_workload *w,
                                           uint32_t job, uint32_t model,
                                           int64_t gpu_milli, uint32_t level);

/* Upper bound of the speed of any job, in millionths of the speed of its node
 * types.
 */
uint32_t sim_speed_most(const struct sim_speed *m, const struct topo *t,
                        const struct trace_workload *w);

#endif /* SIM_SPEED_SPEED_H */
