/* policies/profile/profile.h - what a scheduler is made of: actions over
 * modules.
 *
 * A profile comes from a preset, from module names joined with ',' or '+', or
 * from a file; single settings can then be changed by path.
 */
#ifndef POLICIES_PROFILE_PROFILE_H
#define POLICIES_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#pragma GCC visibility push(default)

struct gs_arena;
struct gs_ynode;
struct gsched_plugin;
struct gsp_module;
struct gsp_param;
union gsp_value;
struct topo_dims;
struct gs_strtab;

#define GSCHED_MODULES_MAX 32
#define GSCHED_PARAMS_MAX 16 /* of one module */

enum gsched_action {
    GSCHED_ENQUEUE,
    GSCHED_ALLOCATE,
    GSCHED_BACKFILL,
    GSCHED_PREEMPT,
    GSCHED_RECLAIM,
    GSCHED_ACTIONS
};

extern const char *const gsched_action_names[GSCHED_ACTIONS];

enum gsched_unit {
    GSCHED_UNIT_GANG, /* a transaction a job */
    GSCHED_UNIT_POD,  /* a transaction a task, as kube-scheduler */
};

/* The place of a job that was evicted, or lost with a node, among its equals.
 */
enum gsched_requeue {
    GSCHED_REQUEUE_BY_UNIT,   /* not said: last with unit pod, else submitted */
    GSCHED_REQUEUE_SUBMITTED, /* by its submission: the object that stands for
                                 it stays (Volcano's and KAI's pod groups,
                                 Kueue's workloads, Slurm's jobs) */
    GSCHED_REQUEUE_LAST,      /* by the eviction: its pods are made anew */
};

/* One module of a profile, with what was said about its parameters. */
struct gsched_use {
    const struct gsp_module *module;
    const char *path;  /* of its shared object, as written; NULL: built in */
    uint32_t tier;     /* answers combine tier by tier, from 0 */
    uint32_t only;     /* its points in use, see extension_points.h; 0: all */
    struct gs_mark at; /* where the profile names it */
    const struct gs_ynode *value[GSCHED_PARAMS_MAX]; /* NULL: fallback */
};

struct gsched_profile {
    const char *name;
    const char *source;     /* file or text, for messages */
    const char *folder;     /* of the file, with its slash; NULL: a text */
    struct gs_arena *arena; /* that it lives in */
    struct gsched_plugin *plugins; /* shared objects that are open */
    uint32_t action_count;
    enum gsched_action action[GSCHED_ACTIONS];
    enum gsched_unit unit;
    struct gs_mark unit_at; /* where that is said */
    enum gsched_requeue requeue;
    bool head_blocks;      /* no job overtakes one that does not fit */
    int64_t period;        /* us between cycles; 0: at every event */
    int64_t decision_cost; /* us a placed task costs */
    uint32_t use_count;
    struct gsched_use use[GSCHED_MODULES_MAX];
};

/* A preset's name, or module names and paths of shared objects joined with ','
 * or '+'.  Lives in `arena`, but has to be closed.  NULL on failure (GS_USAGE
 * for an unknown name, with the nearest known).
 */
struct gsched_profile *gsched_profile_named(const char *spec,
                                            struct gs_arena *arena,
                                            struct gs_err *err);
/* The profile that `text` states, in the part of YAML that base/yamlplain.h
 * reads, called `name` unless it says otherwise; as gsched_profile_read.
 */
struct gsched_profile *gsched_profile_parse(const char *name, const char *text,
                                            struct gs_arena *arena,
                                            struct gs_err *err);
/* The profile of a tree that was read from the file `path`: named after it
 * unless it says otherwise, and shared objects are sought from its folder.
 */
struct gsched_profile *gsched_profile_of(const char *path,
                                         const struct gs_ynode *root,
                                         struct gs_arena *arena,
                                         struct gs_err *err);
/* Close the shared objects that it has open, so that it cannot be used any
 * more.  NULL is fine; a profile of built-in modules needs no closing.
 */
void gsched_profile_close(struct gsched_profile *p);

/* Is one of the names that `spec` joins a shared object's? */
bool gsched_profile_names_plugin(const char *spec);

/* Does a job that was evicted wait again as one that came then? */
static inline bool gsched_requeues_last(const struct gsched_profile *p)
{
    return p->requeue == GSCHED_REQUEUE_BY_UNIT
               ? p->unit == GSCHED_UNIT_POD
               : p->requeue == GSCHED_REQUEUE_LAST;
}

/* Apply "PATH=VALUE": unit=pod, head=block, requeue=last, trigger.period=1s,
 * decision_cost=5ms, or MODULE.PARAM=VALUE, which adds the module when the
 * profile lacks it.
 */
int gsched_profile_set(struct gsched_profile *p, const char *setting,
                       struct gs_arena *arena, struct gs_err *err);

/* Cross-check: at least one action, unit gang has a gang module ... */
int gsched_profile_check(const struct gsched_profile *p, struct gs_err *err);

/* The whole profile as a file would hold it, every parameter stated. */
const char *gsched_profile_text(const struct gsched_profile *p,
                                struct gs_arena *arena);

/* --- for the scheduler: parameters as values ------------------------------ */

/* The values of use `u`, in the order of its module's table, in `arena`.  With
 * `dims` and `names` NULL they are checked as far as can be: resources are not
 * looked up, and weights mean nothing.
 */
int gsched_use_values(const struct gsched_use *u, const char *source,
                      const struct topo_dims *dims,
                      const struct gs_strtab *names, struct gs_arena *arena,
                      union gsp_value *value, struct gs_err *err);

/* 0 if a profile could state the parameter's own fallback; resources of
 * GSP_WEIGHTS are not looked up.
 */
int gsched_param_check(const struct gsp_param *param, struct gs_arena *arena);

#pragma GCC visibility pop

#endif /* POLICIES_PROFILE_PROFILE_H */
