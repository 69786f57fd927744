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
struct gs_far;
struct gs_far_keeper;
struct gs_strtab;
struct gsched_profile;
struct import_account;
struct kube_options;
struct sim_speed;
struct sim_scenario;
struct sources;
struct topo;
struct topo_mix;
struct trace_estimates;
struct trace_model;
struct trace_workload;

struct inputs {
    struct gs_arena *arena; /* holds everything below that is not freed
                               separately */
    struct gs_far *far;     /* where the workload lies; NULL: in memory */
    struct gs_far_keeper *keeper;
    struct gs_strtab *names;
    struct topo_dims dims;
    const struct topo *topo;
    struct trace_workload *work;
    struct trace_facts facts;
    const char *topology_path, *trace_path;
    const struct trace_estimates *estimates; /* NULL: those of the trace */
    uint64_t topology_hash, trace_hash;
    const struct kube_options *objects; /* how they are read; NULL: as by
                                           default (source_options.h) */
    struct sources *sources; /* objects they were made of; NULL: native files */
    const char *lent_path;   /* configuration of a policy with queues for the
                              trace, or spreads for pods of objects; NULL:
                              none */
    bool takes_lent;         /* what was read has these */
    struct import_account *lent;   /* what became of queues for a trace that is
                                    not of objects; NULL: none */
    const struct sim_speed *speed; /* NULL: none */
    const char *speed_spec;        /* as --speed names it */
    uint64_t speed_hash;           /* of its file; 0 */
    struct sim_scenario *scenario; /* NULL: none */
    const char *scenario_path;
    uint64_t scenario_hash;          /* of its file; 0 */
    struct inputs_profile *profiles; /* profiles to close */
    bool is_in_set; /* a scheduler of a file of several is being read */
    uint32_t
        homeless; /* jobs that stood at time 0 on nodes that --set removed */
};

void inputs_init(struct inputs *in);
void inputs_fini(struct inputs *in);

/* Before anything is read: let what has an entry for each job lie in files in
 * `folder` (base/far.h), so that memory does not grow with the jobs.
 */
int inputs_lie_in(struct inputs *in, const char *folder, struct gs_err *err);

/* A trace, or objects of Kubernetes (a file told by its content, a folder, an
 * archive), which are jobs beside the nodes that were read before, or else
 * those among them.
 */
int inputs_read_trace(struct inputs *in, const char *path,
                      const struct trace_options *o, struct gs_err *err);

/* Read `path`, or with NULL the topology that the trace names. */
int inputs_read_topology(struct inputs *in, const char *path,
                         struct gs_err *err);

/* Add to the nodes the labels that the jobs ask for, tiers among them
 * (topology/labels.h); or that the jobs and a mix ask for: the mix is then
 * created again and returned.
 */
void inputs_relabel(struct inputs *in);
struct topo_mix *inputs_relabel_mix(struct inputs *in, struct topo_mix *mix);

/* After both are read: labels, a check of the tiers that jobs name, and
 * inputs_resolve_shares().
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

/* When a node type or a queue limits pods, count each task as a pod.  For
 * callers that read trace and topology one by one.
 */
void inputs_count_pods(struct inputs *in);

/* Compute the shares of GPUs for tasks with gpu_memory.  For the same callers.
 */
int inputs_resolve_shares(struct inputs *in, struct gs_err *err);

/* Read the speed model of --speed (NULL: none), after all else was read. */
int inputs_read_speed(struct inputs *in, const char *spec, struct gs_err *err);

/* Read a speed model (NULL topo: its tiers are not looked up); read a trace
 * model.  NULL on failure.
 */
const struct sim_speed *inputs_read_speed_file(struct inputs *in,
                                               const char *path,
                                               struct gs_err *err);
const struct trace_model *inputs_read_model(struct inputs *in, const char *path,
                                            struct gs_err *err);

/* Read the scenario of --scenario (NULL: none), after all changes of the
 * topology: its node names are looked up there.
 */
int inputs_read_scenario(struct inputs *in, const char *path,
                         struct gs_err *err);

/* Check a profile as a replay does before its first cycle: its parameters, and,
 * with a topology, that a scheduler can be created.
 */
int inputs_check_policy(struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err);
/* Report each job that a replay would reject as a problem in `err`; trace and
 * topology must be read.
 */
int inputs_check_jobs(struct inputs *in, struct gs_err *err);

#endif /* STUDY_INPUTS_H */
