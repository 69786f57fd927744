/* sim/study/inputs.h - a trace and a topology, read and checked together. */
#ifndef STUDY_INPUTS_H
#define STUDY_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "topology/resources.h"
#include "traces/formats/reader.h"

struct gs_arena;
struct gs_err;
struct gs_strtab;
struct gsched_profile;
struct sim_speed;
struct sim_scenario;
struct sources;
struct topo;
struct topo_mix;
struct trace_estimates;
struct trace_model;
struct trace_workload;

struct inputs {
    struct gs_arena *arena; /* everything below that has no own end */
    struct gs_strtab *names;
    struct topo_dims dims;
    const struct topo *topo;
    struct trace_workload *work;
    struct trace_facts facts;
    const char *topology_path, *trace_path;
    const struct trace_estimates *estimates; /* NULL: the trace's own */
    uint64_t topology_hash, trace_hash;
    struct sources *sources; /* objects they were made of; NULL: native files */
    const struct sim_speed *speed; /* NULL: none */
    const char *speed_spec;        /* as --speed names it */
    uint64_t speed_hash;           /* of its file; 0 */
    struct sim_scenario *scenario; /* NULL: none */
    const char *scenario_path;
    uint64_t scenario_hash;          /* of its file; 0 */
    struct inputs_profile *profiles; /* to be closed */
};

void inputs_init(struct inputs *in);
void inputs_fini(struct inputs *in);

/* `path` as seen from the folder of the file `from`. */
const char *inputs_beside(struct gs_arena *arena, const char *from,
                          const char *path);

/* A trace, or objects of Kubernetes (a file told by its content, a folder, an
 * archive), which are jobs beside the nodes that were read before, or else those
 * among them.
 */
int inputs_read_trace(struct inputs *in, const char *path,
                      const struct trace_options *o, struct gs_err *err);

/* `path`, or with NULL the topology that the trace names or the nodes among its
 * objects.
 */
int inputs_read_topology(struct inputs *in, const char *path,
                         struct gs_err *err);

/* Give nodes the labels that the jobs ask for, tiers among them, see
 * topology/labels.h; or that the jobs and a mix do, which is made anew.
 */
void inputs_relabel(struct inputs *in);
struct topo_mix *inputs_relabel_mix(struct inputs *in, struct topo_mix *mix);

/* Once both are read, what only makes sense together: labels, the tiers that
 * jobs name, and inputs_resolve_shares.
 */
int inputs_check(struct inputs *in, struct gs_err *err);

/* Both, and checked: there must be jobs. */
int inputs_read(struct inputs *in, const char *trace, const char *topology,
                const struct trace_options *o, struct gs_err *err);

/* The account of the objects that were read, none of native files: in short on
 * standard error, and all of it.
 */
void inputs_tell_sources(const struct inputs *in);
void inputs_print_sources(const struct inputs *in, FILE *out);

/* A task is a pod wherever a node type or a queue limits pods: of what was read
 * one by one.
 */
void inputs_count_pods(struct inputs *in);

/* What shares of GPUs the tasks ask for that ask for gpu_memory: likewise. */
int inputs_resolve_shares(struct inputs *in, struct gs_err *err);

/* A speed model as --speed names it (NULL: none), once all else was read. */
int inputs_read_speed(struct inputs *in, const char *spec, struct gs_err *err);

/* The models of a file: of speed (NULL topo: its tiers are not looked up), and
 * of traces. NULL on failure.
 */
const struct sim_speed *inputs_read_speed_file(struct inputs *in,
                                               const char *path,
                                               struct gs_err *err);
const struct trace_model *inputs_read_model(struct inputs *in, const char *path,
                                            struct gs_err *err);

/* What happens to nodes, as --scenario names the file (NULL: nothing), once the
 * topology is as it is to be: a scenario is of its nodes.
 */
int inputs_read_scenario(struct inputs *in, const char *path,
                         struct gs_err *err);

/* A policy as --policy names it: a preset, modules, built in or shared objects,
 * a profile file, or the configuration of another scheduler.
 */
struct gsched_profile *inputs_policy(struct inputs *in, const char *spec,
                                     struct gs_err *err);
/* The same, as the file `from` names it: what is no policy is its mistake. */
struct gsched_profile *inputs_policy_in(struct inputs *in, const char *from,
                                        const char *spec, struct gs_err *err);
/* What a replay checks of a profile before its first cycle: its parameters, and
 * once a topology was read that a scheduler can be made of it there.
 */
int inputs_check_policy(struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err);
/* Once both were read: are there jobs that a replay would reject?  Each is a
 * problem in `err`.
 */
int inputs_check_jobs(struct inputs *in, struct gs_err *err);
/* Does it name a profile file? */
bool inputs_policy_is_file(const char *spec);

#endif /* STUDY_INPUTS_H */
