/* tests/lib/world.h - a replay in a test: inputs, one run, its log. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/profile/profile_file.h"
#include "reports/measure/log.h"
#include "sim/replay/replay.h"
#include "sim/scenario/scenario.h"
#include "topology/labels.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "traces/formats/reader.h"
#include "traces/workload/workload.h"

struct world {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    const struct topo *topo;
    struct trace_workload *work;
    struct trace_facts facts;
    struct report_log *log;
    struct report_job *job;       /* [job] their outcomes, from the log */
    struct sim_scenario *outages; /* NULL: nothing happens to nodes */
    struct sim_stats stats;
    const struct sim_speed *speed; /* NULL: none */
    int64_t until;                 /* 0: to the end */
    struct gs_err err;
};

void world_init(struct world *w);

void world_fini(struct world *w);

/* A path, or a text when it holds a line end. */
struct gs_input *world_open(struct world *w, const char *what);

int world_load(struct world *w, const char *topology, const char *trace,
               const struct trace_options *o);

/* A world file for the topology that was loaded. */
int world_outages(struct world *w, const char *what);

/* Replay under profile `p`, reported to `more` (may be NULL), too. */
int world_run_profile(struct world *w, const struct gsched_profile *p,
                      const struct report_observer *more);

/* A preset, modules joined, or a profile when it holds a line end. */
struct gsched_profile *world_profile(struct world *w, const char *policy);

/* The same under `policy`, changed by `set`, "a.b=1; c.d=2" (NULL: unchanged).
 */
int world_run(struct world *w, const char *policy, const char *set,
              const struct report_observer *more);

/* The result of the job called `name`. */
const struct report_job *world_job(const struct world *w, const char *name);

#endif /* TEST_WORLD_H */
