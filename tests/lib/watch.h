/* tests/lib/watch.h - an observer that checks the invariants of a replay: no
 * device is given twice, free + used = capacity at every instant, a gang is
 * never partially allocated with unit gang, waits add up, every job ends once.
 */
#ifndef TEST_WATCH_H
#define TEST_WATCH_H

#include "base/array.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"
#include "topology/mig.h"

#define WATCH_NODES_MAX 12

struct watch {
    struct report_observer observer;
    const struct world *w;
    bool gangs; /* unit gang: no job is partially allocated */
    bool paced; /* jobs do not run at speed 1 */
    int64_t share[WATCH_NODES_MAX * TOPO_DEVICES_MAX];   /* used thousandths */
    int64_t sharing[WATCH_NODES_MAX * TOPO_DEVICES_MAX]; /* tasks */
    uint8_t slices[WATCH_NODES_MAX * TOPO_DEVICES_MAX];  /* of instances */
    int64_t used[WATCH_NODES_MAX][TOPO_DIMS_MAX];
    enum report_node_state state[WATCH_NODES_MAX];
    uint64_t broken[WATCH_NODES_MAX]; /* devices */
    int64_t *began;                   /* [job] of this run; -1 */
    int64_t *ran;                     /* [job] us of runs before this one */
    int64_t *done;                    /* [job] us of work that is not lost */
    uint32_t *placed;                 /* [job] tasks */
    uint32_t *ends;                   /* [job] times `ended` was called */
    uint64_t rows;                    /* hash of all reported rows */
    int faults;
    int line;            /* of the first */
    uint64_t instants;   /* so far */
    void (*stuck)(void); /* too many: print what runs and exit; NULL */
};

/* Count a fault, and record the line of the first. */
#define FAULT(v, is)                  \
    do {                              \
        if (is) {                     \
            (v)->faults++;            \
            if ((v)->line == 0)       \
                (v)->line = __LINE__; \
        }                             \
    } while (0)

/* No task is on a failed or absent node or GPU. */
void watch_node(void *self, int64_t now, const struct report_node *n);

/* Update the work done of the job, less the lost work. */
void watch_evicted(void *self, int64_t now, const struct report_eviction *e);

void watch_ended(void *self, int64_t now, const struct report_job *j);

void watch_open(struct watch *v, const struct world *w,
                const struct gsched_profile *p);

/* After the run: check that every submitted job ended once.  Returns the
 * faults.
 */
int watch_close(struct watch *v);

#endif /* TEST_WATCH_H */
