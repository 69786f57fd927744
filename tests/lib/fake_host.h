/* tests/lib/fake_host.h - a host of plain arrays for tests of single modules:
 * queues, jobs, victims and nodes as the test sets them.
 */
#ifndef TEST_FAKE_HOST_H
#define TEST_FAKE_HOST_H

#include <string.h>

#include "base/arena.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/profile/registry.h"
#include "tests/lib/suite.h"

#define FAKE_DIMS 8u /* cpu, memory, rdma, pods, gpu and three of tests */
#define FAKE_NODES 8u
#define FAKE_QUEUES 256u
#define FAKE_VICTIMS 64u

struct gsp_job {
    uint32_t id, queue, gang, tasks, placed;
    uint32_t within;             /* level of the tier that it states; 0: none */
    const struct gsp_task *task; /* what each of its tasks asks for */
    int32_t priority;
    gsp_time since, started;
    bool never; /* it never preempts */
    bool stays; /* it is not preemptible */
    int64_t used[FAKE_DIMS], minimum[FAKE_DIMS], user_used[FAKE_DIMS];
};

struct fake_victim {
    const struct gsp_job *job;
    bool whole;
    int64_t amount[FAKE_DIMS];
};

struct fake_victims {
    uint32_t count;
    struct fake_victim one[FAKE_VICTIMS];
    struct gsp_victim at[FAKE_VICTIMS];
    struct gsp_victims shown;
};

/* The victims as modules see them. */
const struct gsp_victims *fake_shown(struct fake_victims *v);

/* Nodes, each a node equivalence class of its own. */
struct gsp_states {
    uint32_t count;
    int64_t free[FAKE_DIMS][FAKE_NODES], capacity[FAKE_DIMS][FAKE_NODES];
    uint32_t gpus_free[FAKE_NODES];
    int32_t load[2][FAKE_NODES]; /* thousandths of cpu, memory, + 1; 0: none */
    uint16_t part[FAKE_NODES]; /* left on the one that is shared; 0: none is */
};

struct gsp_task {
    int64_t amount[FAKE_DIMS];
    uint32_t share;
    int64_t share_exact;
};

struct fake_queue {
    uint32_t parent;
    double weight;
    int32_t priority;
    bool closed, keeps; /* keeps: not reclaimable */
    int64_t deserved[FAKE_DIMS], guarantee[FAKE_DIMS], limit[FAKE_DIMS],
        user_limit[FAKE_DIMS];
    int64_t used[FAKE_DIMS], asked[FAKE_DIMS], entered[FAKE_DIMS],
        elastic[FAKE_DIMS], kept[FAKE_DIMS];
    bool has_change;
    int64_t change[FAKE_DIMS];     /* by what is served next */
    int64_t term[GSP_QUEUE_TERMS]; /* 0: it states none */
    int32_t waiting_priority;      /* of its jobs that wait */
};

#define FAKE_LEVELS 8u

/* Tiers above nodes that are the states of `node`, each a class of its own. */
struct fake_tree {
    const struct gsp_states *node;
    uint32_t levels;                             /* cluster, tiers, node */
    uint32_t domain_of[FAKE_LEVELS][FAKE_NODES]; /* [level above][node] */
};

struct fake {
    struct gs_arena *arena;
    int64_t total[FAKE_DIMS];
    uint32_t queues;
    struct fake_queue queue[FAKE_QUEUES];
    uint64_t ledger;
    gsp_time now;
    int64_t epoch;
    struct fake_tree tree;
    int64_t capacity[FAKE_DIMS]; /* of the node asked for last */
};

extern const char *const fake_dim_names[FAKE_DIMS];

extern const struct gsp_host fake_host; /* its context is a struct fake */

uint32_t fake_queues(void *ctx);

void fake_start(struct fake *f);

void fake_end(struct fake *f);

/* Set the amounts of cpu, memory and gpu, the dimensions that tests use. */
void fake_put(int64_t *amount, const int64_t *three);

/* A queue without limits. */
uint32_t fake_add(struct fake *f, uint32_t parent, double weight);

/* Add to one dimension of a queue and all above it; `table` is the offset of
 * used, asked or entered.
 */
void fake_book(struct fake *f, uint32_t queue, size_t table, uint32_t dim,
               int64_t amount);

#define FAKE_BOOK(f, queue, table, dim, amount) \
    fake_book(f, queue, offsetof(struct fake_queue, table), dim, amount)

/* The `self` of the module; `value` must stay valid. */
void *fake_module(struct fake *f, const struct gsp_module *m,
                  const union gsp_value *value);

#endif /* TEST_FAKE_HOST_H */
