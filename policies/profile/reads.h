/* policies/profile/reads.h - settings of a workload that have no effect under a
 * profile.
 *
 * Modules state the settings that they read (`reads` of struct gsp_module);
 * reads.c states those that the actions of the scheduler read.  A setting that
 * neither reads, or that equals its default, has no effect on a run.
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

#define GSCHED_SETTINGS_MAX 64

/* A set of inputs: enum gsp_input, from bit 32 on queue terms, and the last bit
 * for what modules with hold_time() make the scheduler read.
 */
#define GSCHED_READS_TERM(term) (UINT64_C(1) << (32 + (term)))
#define GSCHED_READS_HOLD (UINT64_C(1) << 63)

/* All that the module may ever read. */
static inline uint64_t gsched_module_reads(const struct gsp_module *m)
{
    return m->reads | m->terms << 32 | (m->hold_time ? GSCHED_READS_HOLD : 0);
}

/* Set *reads to the settings that affect a run under the profile.  -1 when a
 * parameter of the profile is wrong.
 */
int gsched_profile_reads(const struct gsched_profile *p,
                         const struct topo_dims *dims,
                         const struct gs_strtab *names, struct gs_arena *arena,
                         uint64_t *reads, struct gs_err *err);

/* A setting that a workload states. */
struct gsched_setting {
    const char *name; /* as a trace writes it: "limit", "affinity" */
    const char *of;   /* objects that state it: "queues", "jobs" */
    uint64_t input;   /* the one that reads it */
    uint32_t count;   /* queues or jobs that state it */
    uint32_t first;   /* string id of the first one's name */
    uint32_t line; /* line of the first one in the trace file; 0: not known */
};

/* List the settings of the workload that could affect a run, in the order of a
 * table.  Left out: settings equal to their default, and settings equal for all
 * when only differences count.  Returns their number.
 */
uint32_t gsched_settings(const struct trace_workload *w,
                         struct gsched_setting out[GSCHED_SETTINGS_MAX]);
/* Number of kinds of settings that it looks for. */
uint32_t gsched_settings_known(void);

/* The input of the last part of a path as in --set, "limit" of
 * queues.a.limit.gpu; 0: none, or one that every profile reads.
 */
uint64_t gsched_input_of_path(const char *path);

#endif /* POLICIES_PROFILE_READS_H */
