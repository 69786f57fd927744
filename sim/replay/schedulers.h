/* sim/replay/schedulers.h - the schedulers of the cluster.
 *
 * One alone allocates on the cluster itself.  Several each have a cluster of
 * their own, with what they know: each plans on what it knew when its cycle
 * began, and schedulers whose cycles fall on one instant do not see what the
 * others decide then.  sim_schedulers_cycle() carries their decisions out on
 * the real cluster, in the order of the policy.  Tasks whose devices are taken
 * get others of their node; tasks that the node has no room for any more are a
 * conflict: they are given back and tried again.  Whatever is placed or
 * released is told to the others (sim_others_learn) before the next cycle.
 *
 * Schedulers of one process share what they know: at one instant their cycles
 * run one after the other, so they are never in conflict.
 */
#ifndef SIM_REPLAY_SCHEDULERS_H
#define SIM_REPLAY_SCHEDULERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/replay/conflicts.h"
#include "topology/cluster.h"

struct gs_err;
struct gsched;
struct gsched_decision;
struct gsched_profile;
struct sim;
struct trace_workload;

struct sim_scheduler {
    const struct gsched_profile *profile;
    struct gsched *sched;
    struct topo_cluster *cluster; /* as far as it knows */
    uint32_t process;             /* the first scheduler of its process */
    bool is_dirty;      /* it learned something since its last cycle */
    int64_t dirty_at;   /* time of the first event since its last cycle; -1:
                           there was none */
    int64_t busy_until; /* the decisions of its last cycle take until then */
    const struct gsched_decision *decision; /* of this instant */
    uint32_t count;
    bool runs;          /* a cycle at this instant */
    uint64_t shares_at; /* gsched_usage_changes() when shares were summed up */
    uint32_t learned;   /* news that it knows, as far as they are releases */
};

/* Tasks that were placed or released, to be told to the other schedulers. */
struct sim_news {
    uint32_t by; /* scheduler */
    uint32_t job, group;
    struct topo_grant grant;
    bool is_release;
};

struct sim_schedulers {
    struct sim_scheduler *at;
    uint32_t count;
    uint32_t *of_job; /* [job] its scheduler; NULL: the only one */
    struct sim_news *news;
    uint32_t news_count, news_cap;
    struct sim_conflicts conflicts;
};

/* The position, among `p` and those beside it, of the scheduler that the job
 * names; of a job that names none that of TRACE_DEFAULT_SCHEDULER, else 0.
 * SIM_NO_SCHEDULER: there is none, which sim_scheduler_missing() tells (-1).
 */
#define SIM_NO_SCHEDULER UINT32_MAX
uint32_t sim_scheduler_find(const struct gsched_profile *p,
                            const struct trace_workload *w, uint32_t job);
int sim_scheduler_missing(const struct gsched_profile *p,
                          const struct trace_workload *w, uint32_t job,
                          const char *source, struct gs_err *err);

int sim_schedulers_open(struct sim *s, const struct gsched_profile *p,
                        struct gs_err *err);
void sim_schedulers_free(struct sim *s);
/* Note which of them have to run a cycle because of the last events. */
void sim_schedulers_note(struct sim *s);
/* When the next cycle of any is due, or SIM_FOREVER. */
int64_t sim_schedulers_due(const struct sim *s);
/* The name of the job's scheduler; NULL: it is the only one. */
const char *sim_scheduler_name(const struct sim *s, uint32_t job);
/* Run the cycles that are due now. */
void sim_schedulers_cycle(struct sim *s);
/* Tell the others what was placed and released since the last call. */
void sim_others_learn(struct sim *s);
/* Tasks of the decision were placed or released: change the real cluster, and
 * keep it as news.
 */
void sim_others_note(struct sim *s, const struct gsched_decision *d,
                     bool is_release);

/* Tell one the releases of others since that call. */
void sim_others_learn_releases(struct sim *s, struct sim_scheduler *k);
/* `delay`, and the time that the decision takes. */
int64_t sim_decision_delay(const struct sim_scheduler *k,
                           const struct gsched_decision *d, int64_t delay);

/* Over all schedulers: jobs that wait, the head of some queue is blocked, nodes
 * wanted (gsched_nodes_wanted).
 */
uint32_t sim_waiting(const struct sim *s);
bool sim_is_blocked(const struct sim *s);
uint32_t sim_nodes_wanted(const struct sim *s, uint32_t type, uint32_t most);
/* True when a cycle is due without another event. */
bool sim_is_due(const struct sim *s);
/* Tell all: follow nodes; the state of a node, or of one of its GPUs. */
void sim_nodes_follow(struct sim *s);
void sim_node_cordon(struct sim *s, uint32_t node, bool is_cordoned);
void sim_gpu_fail(struct sim *s, uint32_t node, uint32_t device,
                  bool is_failed);
/* The allocations on a node, as gsched_next_on(), from *scheduler 0 and *at
 * GSCHED_FIRST on.
 */
bool sim_next_on(const struct sim *s, uint32_t node, uint32_t *scheduler,
                 uint32_t *at, struct gsched_decision *out);

#endif /* SIM_REPLAY_SCHEDULERS_H */
