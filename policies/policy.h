/* policies/policy.h - the contract between a scheduler and its modules.
 *
 * This is the only header a module may include besides the C library.  It
 * names no simulator type: the host may be gsim or a live scheduler.
 *
 * Rules for a module:
 *   - no globals that can be written, no I/O, no clock, no rand();
 *     everything it may know arrives through the host's table, the views
 *     and its own `self`;
 *   - memory from host->keep() lives until close() and is freed by the host;
 *   - the same inputs give the same answers, bit for bit.
 */
#ifndef GSP_POLICY_H
#define GSP_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSP_ABI_MAJOR 1 /* bumped when an existing field changes */
#define GSP_ABI_MINOR 0 /* bumped when a field is appended */

typedef int64_t gsp_time; /* microseconds */
#define GSP_NEVER INT64_MAX

/* Scores are integers, in millionths of a point, so that no rounding of a
 * sum ever decides an order.
 */
#define GSP_POINT INT64_C(1000000)

struct gsp_view; /* states of nodes, as columns */
struct gsp_task; /* what one task asks for */
struct gsp_job;  /* one job, waiting or running */

/* The first dimensions of every host; the others are found by name. */
enum gsp_dim { GSP_CPU, GSP_MEMORY, GSP_RDMA, GSP_PODS, GSP_GPU };

/* Why a task may not run on a node in some state. */
enum gsp_refusal {
    GSP_ACCEPTED,
    GSP_NO_ROOM,    /* not now: something else is there */
    GSP_WRONG_NODE, /* never: model, label, taint or size */
};

/* Services the host lends to a module.  Appended to, never reordered. */
struct gsp_host {
    uint32_t size; /* sizeof(struct gsp_host) in the host */

    /* Zeroed, never NULL; while the module is open. */
    void *(*keep)(void *ctx, size_t size);
    /* Uniform in [0, below), from the module's own stream of the seed. */
    uint64_t (*random)(void *ctx, uint64_t below);

    uint32_t (*dims)(void *ctx);
    const char *(*dim_name)(void *ctx, uint32_t dim);
    int64_t (*dim_total)(void *ctx, uint32_t dim); /* of the cluster */

    /* Columns over the states in a view, [0, states). */
    uint32_t (*states)(const struct gsp_view *v);
    const uint32_t *(*nodes)(const struct gsp_view *v);
    const uint32_t *(*gpus_free)(const struct gsp_view *v);
    const int64_t *(*free)(const struct gsp_view *v, uint32_t dim);
    const int64_t *(*capacity)(const struct gsp_view *v, uint32_t dim);
    /* 1 when a task of the kind asked about fits now, else 0. */
    const uint8_t *(*room)(const struct gsp_view *v);
    /* GSP_ACCEPTED or GSP_WRONG_NODE: model, labels, taints, size. */
    const uint8_t *(*hardware)(const struct gsp_view *v);

    int64_t (*amount)(const struct gsp_task *t, uint32_t dim);
    uint32_t (*gpus)(const struct gsp_task *t);  /* whole devices */
    uint32_t (*share)(const struct gsp_task *t); /* thousandths */

    /* When the job entered the queue: submitted, or last given back. */
    gsp_time (*job_since)(const struct gsp_job *j);
    int32_t (*job_priority)(const struct gsp_job *j);
    uint32_t (*job_queue)(const struct gsp_job *j);
    uint32_t (*job_gang)(const struct gsp_job *j);  /* least tasks */
    uint32_t (*job_tasks)(const struct gsp_job *j); /* all tasks */
    uint32_t (*job_placed)(const struct gsp_job *j);
};

/* --- parameters ------------------------------------------------------------ */

enum gsp_param_type {
    GSP_WHOLE,   /* value.whole */
    GSP_TIME,    /* value.whole, microseconds */
    GSP_YESNO,   /* value.whole, 0 or 1 */
    GSP_TEXT,    /* value.text */
    GSP_WEIGHTS, /* value.weights, by dimension; < 0: none */
};

struct gsp_param {
    const char *name;
    enum gsp_param_type type;
    const char *fallback; /* as a profile would write it */
    int64_t min, max;     /* of a whole number */
    const char *summary;
};

union gsp_value {
    int64_t whole;
    const char *text;
    const double *weights;
};

/* --- the module ------------------------------------------------------------ */

/* What a module promises about its scores. */
enum gsp_promise {
    /* A node's score never falls while more tasks of one kind are placed on
     * it: the host may fill a node in one step.
     */
    GSP_SCORE_RISES = 1,
};

struct gsp_module {
    uint16_t abi_major, abi_minor;
    uint32_t size;                 /* sizeof(struct gsp_module) in the module */
    const char *name;              /* what the user types */
    const char *summary;           /* one line for `gsim policies` */
    const struct gsp_param *param; /* table, or NULL */
    uint32_t param_count;
    uint32_t promises; /* enum gsp_promise */

    /* Life cycle.  `value` stands in the order of `param`.  NULL means
     * "keeps no state": `self` is then NULL.
     */
    int (*open)(const struct gsp_host *host, void *ctx,
                const union gsp_value *value, void **self);
    void (*close)(void *self);

    /* Extension points.  NULL means "has no opinion". */

    /* < 0: `a` goes first; 0: ask the next module.  Must not depend on
     * anything that changes while the jobs wait.
     */
    int (*job_order)(void *self, const struct gsp_job *a,
                     const struct gsp_job *b);
    /* May this job enter the queue of those that are scheduled? */
    bool (*enqueue)(void *self, const struct gsp_job *j);
    /* Set refusal[i] of states that the task may not run on; states refused
     * by a module before are not to be changed.
     */
    void (*filter)(void *self, const struct gsp_view *v,
                   const struct gsp_task *t, uint8_t *refusal);
    /* Add to score[i].  May depend on the state and the task only. */
    void (*score)(void *self, const struct gsp_view *v,
                  const struct gsp_task *t, int64_t *score);
    /* Which of `count` nodes with the best score, numbered as the host
     * likes; below count.
     */
    uint64_t (*pick)(void *self, uint64_t count);
    /* May what is placed of the job be committed? */
    bool (*gang_ready)(void *self, const struct gsp_job *j);
    /* How long a partly placed job may hold what it has; GSP_NEVER. */
    gsp_time (*hold_time)(void *self);
    /* The tier of which one domain must hold all of a job; NULL: none. */
    const char *(*within)(void *self);
};

/* The one symbol a shared object exports. */
typedef const struct gsp_module *(*gsp_entry_fn)(void);
#define GSP_ENTRY "gsp_module_entry"

#endif /* GSP_POLICY_H */
