/* tests/lib/random_world.h - clusters, workloads and profiles drawn at random.
 *
 * Each draw is a statement of its own: C does not define the order within one.
 */
#ifndef TEST_RANDOM_WORLD_H
#define TEST_RANDOM_WORLD_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "policies/profile/registry.h"

/* What workloads may have besides gangs, shares, models, two classes. */
enum random_feature {
    RANDOM_QUEUES = 1,     /* a tree of queues, users */
    RANDOM_CLASSES = 2,    /* a class that never preempts, fixed jobs */
    RANDOM_ELASTIC = 4,    /* replicas: {min, max} */
    RANDOM_SAVES = 8,      /* checkpoints, retries */
    RANDOM_RULES = 16,     /* labels, affinity, spread */
    RANDOM_WITHIN = 32,    /* topology: {within: ...} */
    RANDOM_ESTIMATES = 64, /* at least the duration; no task_interval */
    RANDOM_ONE_KIND = 128, /* all tasks ask for the same */
    RANDOM_EQUAL = 256,    /* no priorities */
    RANDOM_RIGID = 512,    /* the gang is all of a job */
    RANDOM_ALIKE = 1024,   /* tasks of one job ask for the same */
    RANDOM_WHOLE = 2048,   /* no shares of a GPU */
    RANDOM_MIG = 4096,     /* A100-40s that are cut; tasks_per_gpu;
                              nodes with two models */
    RANDOM_LEAVES = 8192,  /* withdraw: true */
    RANDOM_PREFERS =
        16384,            /* preferred nodes, spreads; without RANDOM_RULES also
                               affinity */
    RANDOM_TASKS = 32768, /* kinds of tasks together, or apart */
    RANDOM_BOOKED = 65536, /* reservations of nodes, and jobs of them */
    RANDOM_ALL = 63,
};

struct drawn_text {
    char at[32768];
    size_t len;
};

#define PUT(t, ...)                                   \
    ((t)->len += (size_t)snprintf((t)->at + (t)->len, \
                                  sizeof((t)->at) - (t)->len, __VA_ARGS__))

unsigned below(struct gs_rng *r, unsigned n);

/* Two racks, two kinds of nodes. */
void topology_make(struct gs_rng *r, struct drawn_text *t, unsigned features);

void trace_make(struct gs_rng *r, struct drawn_text *t, unsigned features);

void outages_make(struct gs_rng *r, struct drawn_text *t);

/* How fast jobs run there. */
void speed_make(struct gs_rng *r, struct drawn_text *t);

void profile_make(struct gs_rng *r, struct drawn_text *t, const char *must);

#endif /* TEST_RANDOM_WORLD_H */
