/* policies/profile/reads.h - settings of a workload that a profile does not act on.
 *
 * Modules state what they ask the host for (`reads` of struct gsp_module), the
 * scheduler's actions what they act on by themselves (reads.c).  A setting that
 * neither reads, or that the workload states as if it were not there, has no
 * effect on a run.
 */
#ifndef POLICIES_PROFILE_READS_H
#define POLICIES_PROFILE_READS_H

#include <stdint.h>

#include "policies/policy.h"

struct gs_arena;
struct gs_err;
struct gs_strtab;
struct gsched_profile;
struct topo_dims;
struct trace_workload;

#define GSCHED_SETTINGS_MAX 24

/* The inputs that a run under the profile acts on, a mask of enum gsp_input in
 * *reads.  -1 when a parameter of the profile is wrong.
 */
int gsched_profile_reads(const struct gsched_profile *p,
                         const struct topo_dims *dims,
                         const struct gs_strtab *names, struct gs_arena *arena,
                         uint32_t *reads, struct gs_err *err);

/* A setting that a workload states. */
struct gsched_setting {
    const char *name; /* as a trace writes it: "limit", "affinity" */
    const char *of;   /* what states it, for a count: "queues", "jobs" */
    enum gsp_input input;
    uint32_t count; /* queues or jobs that state it */
    uint32_t first; /* string id of the first one's name */
    uint32_t line;  /* of the trace file that states it there; 0: not known */
};

/* The settings of the workload that could change a run, in the order of a
 * table: not those that equal their default, nor those that are the same for
 * all, where only differences count.  How many.
 */
uint32_t gsched_settings(const struct trace_workload *w,
                         struct gsched_setting out[GSCHED_SETTINGS_MAX]);

/* The input that the last part of a path as in --set serves, "limit" of
 * queues.a.limit.gpu; 0: none that a profile could leave unread.
 */
uint32_t gsched_input_of_path(const char *path);

#endif /* POLICIES_PROFILE_READS_H */
