/* tests/lib/live_world.h - a random workload on a live host, with checks at
 * each decision and after each cycle.
 *
 * Jobs have the numbers of the workload.  A job runs for its duration after its
 * gang is placed; an evicted job resumes from its last checkpoint.
 */
#ifndef TEST_LIVE_WORLD_H
#define TEST_LIVE_WORLD_H

#include "tests/lib/live_host.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define WORKLOADS 60 /* times SEEDS */
#define LIVE_NEVER INT64_MAX

/* A node is cordoned or uncordoned. */
struct live_turn {
    int64_t at;
    uint32_t node;
    bool opens;
};

#define LIVE_TURNS 8

struct live_world {
    struct world *w;
    struct live *host;
    struct gsched *sched; /* of the host */
    int64_t now;
    uint32_t cycle;
    uint32_t *began;                   /* [job] cycle in which it came to run */
    const void *it;                    /* case that is looked at */
    void *kept;                        /* by the test */
    struct live_turn turn[LIVE_TURNS]; /* by time */
    uint32_t turns, next_turn;
    int faults, line; /* line of the first */

    /* Callbacks of the test; each may be NULL.  The scheduler was created; a
     * decision is about to be carried out; a job is about to release an
     * allocation at its end.
     */
    void (*opened)(struct live_world *l);
    void (*decided)(struct live_world *l, const struct gsched_decision *d);
    void (*ended)(struct live_world *l, const struct gsched_decision *d);
    void (*cycled)(struct live_world *l);
    void (*cordoned)(struct live_world *l);
};

#define LIVE_FAULT(l, is)             \
    do {                              \
        if (is) {                     \
            (l)->faults++;            \
            if ((l)->line == 0)       \
                (l)->line = __LINE__; \
        }                             \
    } while (0)

const struct trace_job *live_spec(const struct live_world *l, uint32_t job);
const struct trace_group *live_group_of(const struct live_world *l,
                                        uint32_t job, uint32_t group);
const struct topo_request *live_request(const struct live_world *l,
                                        const struct gsched_decision *d);
int32_t live_value(const struct live_world *l, uint32_t job);

bool live_waits(const struct live_world *l, uint32_t job);
/* Since when it runs; LIVE_NEVER. */
int64_t live_since(const struct live_world *l, uint32_t job);
/* Tasks that are placed: of a job, of its group. */
uint32_t live_placed(const struct live_world *l, uint32_t job);
uint32_t live_group_placed(const struct live_world *l, uint32_t job,
                           uint32_t group);
/* Amount that jobs of a queue and of those below it hold. */
int64_t live_queue_used(const struct live_world *l, uint32_t queue,
                        uint32_t dim);
/* True when `queue` is `below` or above it. */
bool live_is_above(const struct live_world *l, uint32_t queue, uint32_t below);

/* Run l->w under a policy from the first submission to the last end. */
void live_run(struct live_world *l, const char *policy);

struct live_case {
    const char *what, *profile;
    unsigned features; /* enum random_feature */
    int kind;          /* as the test likes */
};

/* Draw a world by `seed` and run it; `open` is called before.  Returns the
 * faults.
 */
int live_faults(const struct live_case *c, uint64_t seed, struct live_world *l,
                void (*open)(struct live_world *l));

/* The same for successive seeds until one has faults.  Returns the faults of
 * the last.
 */
int live_rounds(const struct live_case *c, uint64_t seeds, void *kept,
                void (*open)(struct live_world *l));

#endif /* TEST_LIVE_WORLD_H */
