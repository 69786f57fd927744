/* tests/lib/live_host.h - a host that is not the simulator: it takes a scheduler
 * through a workload by its door (policies/scheduler.h) and shows every
 * decision, and what holds after every cycle.
 *
 * Jobs run as long as the trace says from when their gang is placed; one that
 * is evicted begins anew.
 */
#ifndef TEST_LIVE_H
#define TEST_LIVE_H

#include "base/array.h"
#include "policies/scheduler.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

#define LIVE_NEVER INT64_MAX

struct live_job {
    int64_t start, end;     /* of this run; LIVE_NEVER */
    uint32_t placed, cycle; /* cycle: in which it came to run */
    bool is_there, is_over;
};

/* A node is drained, or opens again. */
struct live_turn {
    int64_t at;
    uint32_t node;
    bool opens;
};

#define LIVE_TURNS 8

struct live {
    const struct world *w;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct live_job *job;
    uint32_t *placed;               /* [group of the workload] */
    int64_t (*used)[TOPO_DIMS_MAX]; /* [queue], by those below it too */
    int64_t now;
    uint32_t cycle;
    const void *it; /* what is looked at, and what is kept for it */
    void *kept;
    void (*opened)(struct live *l); /* the scheduler was made; NULL */
    /* Before the decision is carried out; NULL. */
    void (*decided)(struct live *l, const struct gsched_decision *d);
    /* A span that a job gives back at its end; NULL. */
    void (*ended)(struct live *l, const struct gsched_decision *d);
    void (*cycled)(struct live *l);    /* after all of a cycle's; NULL */
    void (*closed)(struct live *l);    /* a node was drained; NULL */
    struct live_turn turn[LIVE_TURNS]; /* by time */
    uint32_t turns, next_turn;
    int faults, line; /* line of the first */
};

#define LIVE_FAULT(l, is)             \
    do {                              \
        if (is) {                     \
            (l)->faults++;            \
            if ((l)->line == 0)       \
                (l)->line = __LINE__; \
        }                             \
    } while (0)

const struct trace_job *live_spec(const struct live *l, uint32_t job);

const struct trace_group *live_group(const struct live *l, uint32_t job,
                                     uint32_t group);

const struct topo_request *live_request(const struct live *l,
                                        const struct gsched_decision *d);

int32_t live_value(const struct live *l, uint32_t job);

bool live_waits(const struct live *l, uint32_t job);

/* From the first submission to the last end; false when the profile does not
 * suit the workload.
 */
bool live_run(struct live *l, const struct gsched_profile *p);

#endif /* TEST_LIVE_H */
