/* sim/speed/speed.h - how placement and replicas change a job's rate.
 *
 * Durations are work, in time at the placement they were measured on.  Without
 * a model a job runs everywhere as fast as its node types say.
 *
 * all-reduce: each step of a job is computation, and an all-reduce among its
 * ranks that takes the part c of it (`communication`) on the tier where it was
 * measured (`measured_on`).  On a tier where the all-reduce takes x times as
 * long, the job's rate is 1 / ((1 - c) + c x).  A ring of p ranks reduces n
 * bytes in 2 (p - 1) steps, each taking a + n / (p b) on links of latency a and
 * bandwidth b (R. Thakur, R. Rabenseifner, W. Gropp: Optimization of collective
 * communication operations in MPICH, IJHPCA 19(1), 2005, 4.4), and waits for
 * its slowest link; so x is the ratio of such steps, that of the bandwidths
 * alone when the job does not state n (`gradient`).  A link's bandwidth is what
 * one rank has of it: links that are shared, with other jobs or in a tree, are
 * not modelled.
 *
 * A table gives measured throughputs instead, as Gavel has them (D. Narayanan
 * et al., OSDI 2020): by name or class of job, GPU model, GPUs and tier.
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

/* The speed of the jobs that match all its members. */
struct sim_speed_row {
    const char *name;      /* pattern with * and ?; NULL: any */
    uint32_t label, model; /* string ids, "class=NAME"; 0: any */
    uint32_t gpus;         /* that the job holds; 0: any */
    uint32_t level;        /* smallest that holds it; UINT32_MAX: any */
    uint32_t milli;        /* thousandths */
    uint32_t keys;         /* how many of the above are stated */
};

struct sim_speed {
    bool is_all_reduce;
    bool is_linear; /* so many of its tasks, so much of its speed */
    const struct sim_speed_row *row;
    uint32_t row_count;
};

/* Read a model: `placement: all-reduce`, `replicas: linear`, `table: [...]`.
 * In `arena`; NULL on failure.  Without a topology (NULL) the tiers it names
 * are taken to be there: fit to be checked, not to be replayed.
 */
const struct sim_speed *sim_speed_read(struct gs_input *in,
                                       const struct topo *t,
                                       struct gs_arena *arena,
                                       struct gs_err *err);

/* Fails when the all-reduce is asked of a cluster, read from `source`, that
 * does not state the bandwidth of each tier that jobs may span.
 */
int sim_speed_check(const struct sim_speed *m, const struct topo *t,
                    const struct trace_workload *w, const char *source,
                    struct gs_err *err);

/* Millionths at which job `job` runs within a subtree of `level`, by the
 * all-reduce.
 */
uint32_t sim_speed_reduce(const struct topo *t, const struct trace_workload *w,
                          uint32_t job, uint32_t level);

/* The row of the table that says most of a job that holds so many thousandths
 * of GPUs of `model`, the first of several; NULL.
 */
const struct sim_speed_row *sim_speed_find(const struct sim_speed *m,
                                           const struct trace_workload *w,
                                           uint32_t job, uint32_t model,
                                           int64_t gpu_milli, uint32_t level);

/* No job ever runs faster than so many millionths of what its node types say.
 */
uint32_t sim_speed_most(const struct sim_speed *m, const struct topo *t,
                        const struct trace_workload *w);

#endif /* SIM_SPEED_SPEED_H */
