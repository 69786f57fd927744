/* tests/lib/choice_world.h - a cluster with some nodes partly in use, and jobs
 * that come one after the other: on which nodes are they?
 */
#ifndef TEST_CHOICE_WORLD_H
#define TEST_CHOICE_WORLD_H

#include "tests/lib/world.h"

#define CHOICE_NODES 128u
#define CHOICE_JOBS 16u

/* A node of so many CPUs, of which some are free. */
struct choice_node {
    char name[32];
    char domain[TOPO_TIERS_MAX][32]; /* by tier, the outermost first */
    long cpus, free, weight;
};

struct choice_job {
    long tasks, cpus;     /* of a task */
    long leader;          /* CPUs of a task of a kind of its own; 0: none */
    bool is_spread;       /* one task on a node */
    const char *within;   /* tier of which it needs one domain; NULL */
    const char *topology; /* other terms of its topology; NULL */
};

struct choice_world {
    struct choice_node node[CHOICE_NODES];
    struct choice_job job[CHOICE_JOBS];
    size_t nodes, jobs, tiers;
    const char *choice; /* parameters of module node-choice */
    struct world w;
};

/* Replay it: the jobs come at 10 s, in their order, and stay.  False: told. */
bool choice_run(struct choice_world *c);
/* The nodes of job `i`, in their order, with spaces between; "": it waits. */
const char *choice_nodes(const struct choice_world *c, size_t i, char *to,
                         size_t size);
/* The tasks of job `i` on the node; of its leader, or but for it. */
uint32_t choice_tasks(const struct choice_world *c, size_t i, const char *node,
                      bool of_leader);
void choice_fini(struct choice_world *c);

#endif /* TEST_CHOICE_WORLD_H */
