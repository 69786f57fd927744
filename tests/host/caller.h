/* tests/host/caller.h - calls of the scheduler, and a simple model of the
 * expected jobs and allocations.
 */
#ifndef TEST_CALLER_H
#define TEST_CALLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/strtab.h"
#include "policies/scheduler.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "traces/workload/workload.h"

#define CALLER_NODES 3u
#define CALLER_JOBS_MAX 64u
#define CALLER_SPANS_MAX 64u

#define CALLER_PRESETS 7u

extern const char *const caller_presets[CALLER_PRESETS];
extern const uint32_t caller_gpus[CALLER_NODES]; /* [node] */

/* What a job holds, as decided. */
struct caller_holding {
    uint32_t group, node, tasks;
    uint64_t devices;
};

struct caller_job {
    bool is_there, is_over, is_running;
    uint32_t created, placed, count;
    struct caller_holding span[CALLER_SPANS_MAX];
};

struct caller {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct gsched_profile *profile;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct gs_rng rng;
    int64_t now, told; /* to the scheduler */
    bool is_closed[CALLER_NODES];
    uint64_t broken[CALLER_NODES];
    uint32_t late_queue, late_class; /* the first added too late */
    struct caller_job job[CALLER_JOBS_MAX];
};

uint32_t caller_name(struct caller *h, const char *text);
void caller_init(struct caller *h, const char *preset, uint64_t seed);
void caller_fini(struct caller *h);
/* Add a job with tasks of `gpus` GPUs; 0: of 300 thousandths of one. */
uint32_t caller_add(struct caller *h, uint32_t groups, uint32_t replicas,
                    uint32_t gang, uint32_t gpus);
void caller_span_add(struct caller *h, uint32_t job,
                     const struct caller_holding *at);
bool caller_span_drop(struct caller_job *k, const struct caller_holding *at);
struct caller_holding caller_holding_of(const struct gsched_decision *d);
bool caller_is_live(const struct caller *h, uint32_t job);
bool caller_runs(const struct caller *h, uint32_t job);
int64_t caller_share_held(const struct caller *h, uint32_t node,
                          uint32_t device);
/* True when the scheduler agrees with the model. */
bool caller_agrees(struct caller *h);
/* Return the status of a call; on success the scheduler knows the time. */
int caller_took(struct caller *h, int status, int64_t now);
uint32_t caller_cycle(struct caller *h);
int caller_submit(struct caller *h, uint32_t job, uint32_t created,
                  int64_t now);
int caller_end(struct caller *h, uint32_t job, int64_t now);

#endif /* TEST_CALLER_H */
