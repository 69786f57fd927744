/* import/slurm/slurm_state.h - what has been read of a Slurm cluster so far.
 * Private to import/slurm/.
 */
#ifndef SLURM_STATE_H
#define SLURM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "import/account.h"
#include "traces/workload/limits.h"

struct gs_arena;
struct gs_input;
struct gs_strtab;
struct gs_zone;
struct topo_dims;

struct slurm_place {
    uint32_t source; /* string id of the file; 0: none */
    int line, column;
};

/* --- the configuration ---------------------------------------------------- */

/* A parameter of slurm.conf that is stated; the last one of a key holds. */
struct slurm_option {
    const char *key, *value; /* key as in the table of settings.c */
    struct slurm_place at;
};

struct slurm_gres {
    uint32_t name, type; /* string ids; type 0: none */
    int64_t count;
};

/* Hardware that one record states for all of its nodes. */
struct slurm_hardware {
    struct slurm_place at;
    int64_t cpus;                                           /* 0: not stated */
    int64_t boards, board_sockets, sockets, cores, threads; /* 0: not stated */
    int64_t memory, memory_kept; /* MiB; kept for the system */
    int64_t cores_kept, cpus_kept;
    int64_t weight;
    const char *features, *state, *gres_text;
    struct slurm_gres *gres;
    uint32_t gres_count;
};

struct slurm_node {
    uint32_t name;           /* string id */
    uint32_t hardware;       /* into hardware[] */
    const char *state;       /* NULL: schedulable */
    struct slurm_gres *gres; /* types by gres.conf; NULL: the hardware's */
    uint32_t gres_count, gres_cap;
};

/* A record of gres.conf with a type. */
struct slurm_gres_record {
    const char *nodes;   /* NULL: all that have it */
    uint32_t name, type; /* string ids */
    int64_t count;
    struct slurm_place at;
};

/* Defaults for jobs that state no memory, in the order in which they hold. */
enum { SLURM_OF_NODE, SLURM_OF_CPU, SLURM_OF_GPU, SLURM_DEFAULTS };

enum slurm_sharing { SLURM_SHARES, SLURM_WHOLE_NODES, SLURM_OVERSUBSCRIBES };

struct slurm_partition {
    uint32_t name;
    struct slurm_place at, nodes_at;
    const char *nodes;
    int64_t max_time, default_time; /* us; SLURM_INFINITE, SLURM_UNKNOWN */
    int64_t tier, factor;
    enum slurm_sharing sharing;
    const char *state, *preempt_mode, *qos, *is_default;
    const char *allowed_qos, *denied_qos, *allowed_accounts, *denied_accounts;
    int64_t min_nodes, max_nodes;       /* 0: any */
    const char *memory[SLURM_DEFAULTS]; /* NULL: not stated */
    int64_t grace;                      /* s */
    const char *billing;                /* TRESBillingWeights; NULL */
    uint32_t *node;                     /* resolved */
    uint32_t node_count, node_cap;
};

struct slurm_node_set {
    const char *name, *features, *nodes;
    struct slurm_place at;
};

/* A switch, or a block, of a topology. */
struct slurm_switch {
    uint32_t name;
    struct slurm_place at;
    const char *nodes, *children; /* NULL: none */
    uint32_t parent;              /* into switches; UINT32_MAX: a root */
    uint32_t level;               /* 0: nodes hang on it */
};

struct slurm_tree {
    uint32_t name;    /* of the topology; 0: that of topology.conf */
    const char *kind; /* "tree", "block", or what gsim does not model */
    bool is_default;
    struct slurm_place at;
    struct slurm_switch *at_switch;
    uint32_t count, cap;
    int64_t block_size[16];
    uint32_t block_sizes;
};

/* --- accounting ----------------------------------------------------------- */

/* Limits of a row of sacctmgr, by enum trace_limit_kind and _scope. */
struct slurm_limits {
    const char
        *tres[TRACE_LIMIT_KINDS][TRACE_LIMIT_SCOPES]; /* "cpu=4,gres/gpu=8";
                                                          NULL: none */
    int64_t jobs[TRACE_LIMIT_JOB], wall, group_wall;  /* us; -1: none */
};

struct slurm_qos {
    uint32_t name;
    int64_t priority;
    double usage_factor;
    const char *preempt, *mode; /* its victims; what becomes of its jobs */
    const char *flags;          /* NULL: none */
    int64_t grace;              /* us */
    struct slurm_limits limits;
    struct slurm_place at;
};

/* An account, or a user of one. */
struct slurm_account {
    uint32_t name, parent; /* string ids; parent 0: root */
    uint32_t user;         /* string id; 0: the account */
    double shares;
    bool as_parent; /* its shares are "parent" */
    struct slurm_limits limits;
    struct slurm_place at;
};

/* An advance reservation, as it is shown. */
struct slurm_reservation {
    uint32_t name;             /* string id */
    int64_t start, end;        /* us since 1970; SLURM_UNKNOWN */
    const char *nodes, *flags; /* NULL: none */
    struct slurm_place at;
};

/* --- jobs ----------------------------------------------------------------- */

enum slurm_job_end {
    SLURM_ENDED,     /* it ran, and ended */
    SLURM_RUNNING,   /* it ran when the export was made */
    SLURM_PENDING,   /* it waited then */
    SLURM_WITHDRAWN, /* it was cancelled before it started */
};

struct slurm_job {
    int64_t submit, start, end; /* us since 1970; SLURM_UNKNOWN */
    int64_t queued;             /* when it was queued; submit: when eligible */
    int64_t elapsed, limit;     /* us; SLURM_UNKNOWN, SLURM_INFINITE */
    uint32_t name, user, account, partition, qos; /* string ids; 0 */
    uint32_t reservation, constraints, dependency, licenses;
    uint32_t placed; /* string id of its list of nodes; 0 */
    uint32_t type;   /* of GPUs that it asks for; 0: any */
    uint32_t line;
    uint32_t nodes, cpus, gpus; /* of all of it; cpus 0: not stated */
    uint32_t asked_cpus; /* where nodes are allocated whole, cpus is all */
    int64_t memory;      /* bytes of all of it */
    uint32_t gres;       /* string id of other gres, "name=n,..."; 0 */
    uint32_t next; /* next component of the same job; 0: none (index + 1) */
    uint32_t
        earlier;    /* a run from which it was requeued; 0: none (index + 1) */
    uint32_t label; /* of it, its --job-name; 0: not looked at */
    uint32_t refusal; /* string id of why its partition does not take it; 0 */
    uint32_t segment; /* nodes of a block, --segment; 0: none */
    uint32_t at_once; /* tasks of its array that run at once; 0: all */
    int32_t nice;
    uint8_t how;        /* enum slurm_job_end */
    bool begins_later;  /* --begin: it is eligible then at the earliest */
    bool is_failed;     /* it ended, but not well */
    bool is_exclusive;  /* --exclusive */
    bool asks_switches; /* --switches */
    bool is_part;       /* a component, but the first, of another job */
    bool is_gone;       /* an earlier run of a job that was requeued */
};

/* The last text of a column of accounting. */
struct slurm_cell_kept {
    const char *text;
    uint32_t id, len; /* id 0: none */
};

#define SLURM_CELLS 48 /* at least as many as enum sacct_field has */

struct slurm {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims *dims;
    struct import_account *account;
    const char *source; /* the file that is read now */
    const char *placed; /* that of the last place, and its string id */
    uint32_t placed_id;
    uint64_t hash; /* of all files that were read */

    const char **included; /* files */
    uint32_t includes, included_cap;
    struct slurm_option *option;
    uint32_t options, option_cap;
    struct slurm_hardware *hardware;
    uint32_t hardwares, hardware_cap;
    struct slurm_node *node;
    uint32_t nodes, node_cap;
    uint32_t *node_of; /* [string id] index + 1 */
    uint32_t node_of_cap;
    struct slurm_gres_record *gres_record;
    uint32_t gres_records, gres_record_cap;
    struct slurm_partition *partition;
    uint32_t partitions, partition_cap;
    uint32_t *partition_of; /* [string id] index + 1 */
    uint32_t partition_of_cap;
    struct slurm_node_set *set;
    uint32_t sets, set_cap;
    struct slurm_tree *tree;
    uint32_t trees, tree_cap;
    struct slurm_tree *used_tree; /* NULL: none */
    uint64_t expanded;            /* names of all lists */
    bool has_conf, lacks_include;
    uint32_t release; /* such as 2205, of 22.05; 0: not told */

    struct slurm_qos *qos;
    uint32_t qoses, qos_cap;
    struct slurm_reservation *reservation;
    uint32_t reservations, reservation_cap;
    struct slurm_account *user_account;
    uint32_t accounts, account_cap;

    struct slurm_job *job;
    uint32_t jobs, job_cap;
    uint32_t *job_of, *part_of; /* [string id of a job] index + 1 */
    uint32_t job_of_cap, part_of_cap;
    uint32_t *queue_of; /* [string id of an account] that of its queue */
    uint32_t queue_of_cap;
    const struct gs_zone *zone; /* NULL: UTC, as it is not known */
    uint32_t steps;             /* rows that were skipped */
    struct slurm_cell_kept kept[SLURM_CELLS];
    struct sacct_tres *tres; /* kept texts, see sacct_resources.c; NULL */
    bool has_used_limits;    /* limits on what was used: GrpTRESMins, GrpWall */
    bool has_local_times;    /* a row stated a time without an offset */
    const char *columns;     /* of an export without a header; NULL */
};

#define SLURM_NAMES_MAX (4u << 20) /* that all lists may expand to */

uint32_t slurm_put(struct slurm *s, const char *text, size_t len);
uint32_t slurm_put_text(struct slurm *s, const char *text);
const char *slurm_str(const struct slurm *s, uint32_t id);
const char *slurm_copy(struct slurm *s, const char *text);

struct slurm_place slurm_place_at(struct slurm *s, int line, int column);
struct gs_mark slurm_mark(const struct slurm *s, const struct slurm_place *at);
/* Tell a note with its place; `at` NULL: without one. */
void slurm_tell(struct slurm *s, enum import_note note,
                const struct slurm_place *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The last value stated for a key, NULL: none; *at (may be NULL) its place. */
const struct slurm_option *slurm_option_find(const struct slurm *s,
                                             const char *key);
/* Its value; `fallback` where it is not stated. */
const char *slurm_option_value(const struct slurm *s, const char *key,
                               const char *fallback);
/* Where it is stated; NULL. */
const struct slurm_place *slurm_option_place(const struct slurm *s,
                                             const char *key);
/* Is one of the words of the option, between commas, `word`? */
bool slurm_option_has(const struct slurm *s, const char *key, const char *word);

/* Are limits of accounts and QOS in force (AccountingStorageEnforce)? */
bool slurm_enforces_limits(const struct slurm *s);

/* The index of the node called by string id `name`; UINT32_MAX. */
uint32_t slurm_node_find(const struct slurm *s, uint32_t name);
/* The same, added with the hardware when it is new. */
uint32_t slurm_node_put(struct slurm *s, uint32_t name, uint32_t hardware);
/* Is it described, but not there yet (State=FUTURE)? */
bool slurm_node_is_future(const struct slurm *s, uint32_t node);
/* Likewise of a partition; of a list of them that of the highest tier, and of
 * these of the highest factor; add one, which must be new.
 */
uint32_t slurm_partition_find(const struct slurm *s, uint32_t name);
uint32_t slurm_partition_best(const struct slurm *s, uint32_t names);
uint32_t slurm_partition_add(struct slurm *s, const struct slurm_partition *p);

/* Add the file, which was read, to s->hash. */
void slurm_hash_add(struct slurm *s, const struct gs_input *in);

/* Does the comma list, in letters of either case, hold the word? */
bool slurm_list_has(const char *list, const char *word);

#endif /* SLURM_STATE_H */
