/* sim/study/sources.h - files of other systems (objects of Kubernetes, Slurm's
 * configuration and accounting) as a trace and a topology, behind inputs.h.
 *
 * Jobs are made of workloads and pods once the nodes are known: node affinity
 * and taints are resolved against these.  So a trace and a topology of two
 * sources are read together; and a topology that was read first is made anew
 * when jobs ask for further resources.
 */
#ifndef STUDY_SOURCES_H
#define STUDY_SOURCES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gs_err;
struct gs_input;
struct import_account;
struct topo;
struct trace_workload;
struct trace_options;
struct inputs;
struct sources; /* opaque: what was read */

enum source_system { SOURCE_NATIVE, SOURCE_KUBERNETES, SOURCE_SLURM };

/* What a path leads to. */
struct source {
    const char *path;
    struct gs_input *file; /* NULL: a folder */
    enum source_system system;
};

/* -1 when it cannot be opened.  With `is_native` no other system is looked for.
 */
int source_open(struct source *s, const char *path, bool is_native,
                struct gs_err *err);
/* The same for a trace: one with columns is accounting of Slurm. */
int source_open_trace(struct source *s, const char *path,
                      const struct trace_options *o, struct gs_err *err);
static inline bool source_is_foreign(const struct source *s)
{
    return s->system != SOURCE_NATIVE;
}
void source_close(struct source *s);

/* "objects of Kubernetes", "files of Slurm": what in->sources read. */
const char *sources_name(const struct inputs *in);

/* What a source of Slurm holds: a configuration with parameters of the
 * scheduler (also a folder with one), jobs, or something beside these.
 */
enum source_part { SOURCE_CONFIGURATION, SOURCE_JOBS, SOURCE_OTHER };

enum source_part source_slurm_part(const struct source *s);
/* Read a file of the last sort by itself, for its mistakes. */
int sources_read_part(struct inputs *in, const char *path, struct gs_err *err);

/* Read `trace` into in->work, the first o->limit jobs (0: all); with `cluster`
 * (NULL: none), of the same system, beside its nodes, not their own; else
 * beside those of in->topo, when it is a native topology.
 */
int sources_read_trace(struct inputs *in, const struct source *trace,
                       const struct source *cluster,
                       const struct trace_options *o, struct gs_err *err);

/* The nodes of `s` as in->topo: those that sources_read_trace has read already,
 * when it is of the same path.
 */
int sources_read_topology(struct inputs *in, const struct source *s,
                          struct gs_err *err);

/* Are there nodes, and jobs, among the objects that were read; and is in->topo
 * made of them?
 */
bool sources_have_nodes(const struct inputs *in);
bool sources_have_jobs(const struct inputs *in);
/* Has a flavor of Kueue a Topology? */
bool sources_have_topologies(const struct inputs *in);
/* ... what these would be, for messages. */
const char *sources_jobs_wanted(const struct inputs *in);
bool sources_made_topology(const struct inputs *in);

/* Make in->topo anew when it is of objects and lacks a resource that was asked
 * for since.
 */
int sources_remake(struct inputs *in, struct gs_err *err);

/* Once in->work and in->topo are as they are to be: free what they were made
 * of, but the account.
 */
void sources_finish(struct inputs *in);
void sources_destroy(struct sources *s); /* NULL is fine */

/* Let the pods of a source stand at time 0 as far as they fit; the account
 * tells of the others.
 */
void sources_fit(struct trace_workload *w, const struct topo *t,
                 struct import_account *account);

#endif /* STUDY_SOURCES_H */
