/* import/slurm/slurm_import.h - the files of a Slurm cluster as a topology, a
 * trace and a profile.
 *
 *     struct slurm_import *x = slurm_import_create(names, dims, account);
 *     slurm_import_options(x, &options, err);
 *     slurm_import_read(x, file, count, err);
 *     slurm_import_finish(x, err);
 *     slurm_import_trace(x, work, &epoch, err);
 *     slurm_import_topology(x, topo, err);
 *     slurm_import_destroy(x);
 */
#ifndef SLURM_SLURM_IMPORT_H
#define SLURM_SLURM_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;
struct gs_strtab;
struct gsched_profile;
struct import_account;
struct slurm_import; /* opaque */
struct topo;
struct topo_dims;
struct trace_workload;

struct slurm_options {
    const char *timezone; /* of the times of exports, see base/timezone.h; NULL:
                             UTC */
    const char *columns;  /* of exports without a header, a comma list; NULL */
    bool jobs_only;       /* the nodes are others: none of the files' */
};

/* What a file is, for messages ("configuration of Slurm"), by its content: one
 * that slurm_import_read takes; NULL: another.  `in` is not taken.
 */
const char *slurm_file_is(struct gs_input *in);
/* Is it a configuration with the scheduler's parameters? */
bool slurm_file_is_conf(struct gs_input *in);
/* Does it hold jobs? */
bool slurm_file_is_jobs(struct gs_input *in);
/* Is the path a folder with a slurm.conf, or with recordings? */
bool slurm_folder_is(const char *path);
bool slurm_folder_has_conf(const char *path);

/* The names of the recordings in the folder (recording.h), in their order, in
 * `arena`; 0: it is none, or has none.
 */
uint32_t slurm_recordings_list(const char *path, struct gs_arena *arena,
                               const char *const **name);

/* Empty; `names`, `dims` and `account` outlive it. */
struct slurm_import *slurm_import_create(struct gs_strtab *names,
                                         struct topo_dims *dims,
                                         struct import_account *account);
void slurm_import_destroy(struct slurm_import *x); /* NULL is fine */

/* Texts outlive `x`.  -1 for a time zone that is none. */
int slurm_import_options(struct slurm_import *x, const struct slurm_options *o,
                         struct gs_err *err);

struct slurm_file {
    const char *path;
    struct gs_input *in; /* NULL: it is opened here, or is a folder */
};

/* Read files, configurations first, then states of nodes, accounts, jobs.
 * Beside a slurm.conf stand gres.conf and topology.conf or topology.yaml.
 */
int slurm_import_read(struct slurm_import *x, const struct slurm_file *file,
                      uint32_t count, struct gs_err *err);
/* Of all files that the last call read, in their order. */
uint64_t slurm_import_hash(const struct slurm_import *x);

/* Once all files are read. */
int slurm_import_finish(struct slurm_import *x, struct gs_err *err);

bool slurm_import_has_nodes(const struct slurm_import *x);
bool slurm_import_has_jobs(const struct slurm_import *x);
bool slurm_import_has_conf(const struct slurm_import *x);

/* Jobs, queues and priority classes into the empty `w`; *epoch: us since 1970
 * of its time 0.
 */
int slurm_import_trace(struct slurm_import *x, struct trace_workload *w,
                       int64_t *epoch, struct gs_err *err);

/* The nodes into the empty `t`, which is finished.  After slurm_import_trace,
 * if there are jobs: nodes have the labels that these ask for.
 */
int slurm_import_topology(struct slurm_import *x, struct topo *t,
                          struct gs_err *err);

/* The scheduler that slurm.conf configures, as a profile called `name` in
 * `arena`; it needs no closing.
 */
struct gsched_profile *slurm_import_profile(struct slurm_import *x,
                                            const char *name,
                                            struct gs_arena *arena,
                                            struct gs_err *err);

#endif /* SLURM_SLURM_IMPORT_H */
