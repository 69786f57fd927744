/* policies/profile/profile.h - the profile of a scheduler: its actions and
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

#define GSCHED_MODULES_MAX 64
#define GSCHED_PARAMS_MAX 24 /* of one module */

enum gsched_action {
    GSCHED_ENQUEUE,
    GSCHED_ALLOCATE,
    GSCHED_BACKFILL,
    GSCHED_PREEMPT,
    GSCHED_RECLAIM,
    GSCHED_SHUFFLE,
    GSCHED_GANG_PREEMPT,
    GSCHED_GANG_RECLAIM,
    GSCHED_CONSOLIDATE,
    GSCHED_ADMIT,
    GSCHED_ACTIONS
};

extern const char *const gsched_action_names[GSCHED_ACTIONS];

enum gsched_unit {
    GSCHED_UNIT_GANG, /* one transaction for each job */
    GSCHED_UNIT_POD,  /* one transaction for each task, as in kube-scheduler */
};

/* The place in the queue order of a job that was evicted, or lost with a node.
 */
enum gsched_requeue {
    GSCHED_REQUEUE_BY_UNIT,   /* not stated: last with unit pod, else
                                 submitted */
    GSCHED_REQUEUE_SUBMITTED, /* by its submission: the object that
                                 represents it stays (Volcano's and KAI's pod
                                 groups, Kueue's workloads, Slurm's jobs) */
    GSCHED_REQUEUE_LAST,      /* by the eviction: its pods are created anew */
};

/* How many of some nodes are enough: a percentage of them, and at least
 * `minimum`.
 */
struct gsched_part {
    int32_t percentage; /* 100: all; GSCHED_ADAPTIVE */
    int32_t minimum;
};

#define GSCHED_DOMAINS 8     /* gsched_profile.domains, where none is stated */
#define GSCHED_ADAPTIVE (-1) /* the more nodes, the fewer: from 50 down to 5 */

/* The nodes that an attempt to make room examines first. */
enum gsched_start {
    GSCHED_START_VICTIMS, /* those of the least important victims */
    GSCHED_START_RANDOM,  /* from a random node on, in their order */
    GSCHED_START_NODE,    /* from a stated one on */
};

/* One module of a profile, with the parameters that the profile states. */
struct gsched_use {
    const struct gsp_module *module;
    const char *path;  /* of its shared object, as written; NULL: built in */
    uint32_t tier;     /* tier for combining answers, from 0 */
    uint64_t only;     /* enabled points, see extension_points.h; 0: all */
    struct gs_mark at; /* where the profile names it */
    bool may_lack;     /* weights of resources that the cluster lacks are
                          left out, rather than refused */
    const struct gs_ynode *value[GSCHED_PARAMS_MAX]; /* NULL: fallback */
};

struct gsched_profile {
    const char *name;
    const char *source;     /* name of the file or text, for messages */
    const char *note;       /* what its source states without effect; NULL */
    const char *folder;     /* folder of the file, with trailing slash; NULL:
                               from a text */
    struct gs_arena *arena; /* arena that holds the profile */
    struct gsched_plugin *plugins; /* shared objects that are open */
    uint32_t action_count;
    enum gsched_action action[GSCHED_ACTIONS];
    uint32_t queue_depth[GSCHED_ACTIONS]; /* jobs of a queue that the action
                                             tries in a cycle; 0: all */
    struct gs_mark depth_at;              /* where the profile states it */
    enum gsched_unit unit;
    struct gs_mark unit_at; /* where the profile states it */
    enum gsched_requeue requeue;
    bool head_blocks;          /* no job may start before a job ahead of it that
                              does not fit */
    struct gsched_part sample; /* nodes that are searched for a task */
    struct gsched_part candidates; /* nodes that are examined to make room */
    enum gsched_start start;       /* of these */
    uint32_t start_node;
    uint32_t domains;      /* that gang-preempt and gang-reclaim examine for a
                              job that needs one */
    bool keeps_gangs;      /* they evict tasks above gangs only */
    int64_t period;        /* us between cycles; 0: at every event */
    int64_t decision_cost; /* us of decision time per placed task */
    int64_t start_latency; /* us from an event to the cycle that it triggers */
    int64_t end_latency;   /* us that a job holds its nodes after its run */
    const char *share_label; /* the amounts that modules divide are those of
                                the nodes with this label; NULL: of all */
    const char *share_value; /* NULL: of the nodes without it */
    struct gs_mark share_at; /* where the profile states it */
    bool is_recorded;        /* no cycles are run: jobs start as the trace
                              recorded it */
    uint32_t use_count;
    struct gsched_use use[GSCHED_MODULES_MAX];
    /* With several schedulers on one cluster: the name of this one (NULL: the
     * only one), of its process (NULL: its own), and the next of them.
     */
    const char *scheduler, *process;
    const char *written; /* among others its text is this name; NULL: in full */
    struct gsched_profile *beside;
};

/* A preset's name, or module names and paths of shared objects joined with ','
 * or '+'.  It lives in `arena` and must be closed.  NULL on failure (GS_USAGE
 * for an unknown name, with the nearest known).
 */
struct gsched_profile *gsched_profile_named(const char *spec,
                                            struct gs_arena *arena,
                                            struct gs_err *err);
/* Parse a profile from `text`, in the subset of YAML of base/yamlplain.h.  Its
 * name is `name` unless the text states one.  As gsched_profile_read.
 */
struct gsched_profile *gsched_profile_parse(const char *name, const char *text,
                                            struct gs_arena *arena,
                                            struct gs_err *err);
/* A profile from the tree that was read from the file `path`.  It is named
 * after the file unless it states a name, and paths of shared objects are
 * relative to its folder.
 */
struct gsched_profile *gsched_profile_of(const char *path,
                                         const struct gs_ynode *root,
                                         struct gs_arena *arena,
                                         struct gs_err *err);
/* Close the shared objects of the profile, which can not be used afterwards.
 * NULL is fine; a profile of built-in modules needs no closing.
 */
void gsched_profile_close(struct gsched_profile *p);

/* True when one of the names in `spec` is the path of a shared object. */
bool gsched_profile_names_plugin(const char *spec);

/* True when an evicted job waits again from the time of its eviction. */
static inline bool gsched_requeues_last(const struct gsched_profile *p)
{
    return p->requeue == GSCHED_REQUEUE_BY_UNIT
               ? p->unit == GSCHED_UNIT_POD
               : p->requeue == GSCHED_REQUEUE_LAST;
}

/* How many of `nodes` nodes are enough, at most all of them. */
uint32_t gsched_part_of(const struct gsched_part *p, uint32_t nodes);

/* Apply "PATH=VALUE", with several schedulers "SCHEDULER:PATH=VALUE": unit=pod,
 * head=block, requeue=last, trigger.period=1s, decision_cost=5ms,
 * sample.percentage=40, or MODULE.PARAM=VALUE, which adds the module when it is
 * not in the profile.
 */
int gsched_profile_set(struct gsched_profile *p, const char *setting,
                       struct gs_arena *arena, struct gs_err *err);

/* Check the profile, and those beside it, as a whole: it has at least one
 * action, unit gang has a gang module ...
 */
int gsched_profile_check(const struct gsched_profile *p, struct gs_err *err);

/* The whole profile as YAML, with every parameter stated, and those beside it.
 */
const char *gsched_profile_text(const struct gsched_profile *p,
                                struct gs_arena *arena);

/* --- for the scheduler: parameters as values ------------------------------ */

/* The parameter values of module `u`, in the order of the module's table, in
 * `arena`.  With `dims` and `names` NULL only values are checked: resources are
 * not looked up, and weights are undefined.
 */
int gsched_use_values(const struct gsched_use *u, const char *source,
                      const struct topo_dims *dims,
                      const struct gs_strtab *names, struct gs_arena *arena,
                      union gsp_value *value, struct gs_err *err);

/* Check the default of the parameter as if a profile stated it; resources of
 * GSP_WEIGHTS are not looked up.  0: valid.
 */
int gsched_param_check(const struct gsp_param *param, struct gs_arena *arena);

#pragma GCC visibility pop

#endif /* POLICIES_PROFILE_PROFILE_H */
