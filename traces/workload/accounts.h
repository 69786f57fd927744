/* traces/workload/accounts.h - accounts in a tree with the shares of their
 * users, QOS classes and partitions, which jobs name.
 */
#ifndef TRACES_WORKLOAD_ACCOUNTS_H
#define TRACES_WORKLOAD_ACCOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_hash;
struct trace_workload;

#define TRACE_ROOT_ACCOUNT "root"
#define TRACE_SHARES_MAX 1000000000u
#define TRACE_SHARES_PARENT UINT32_MAX /* `shares: parent` */
#define TRACE_ACCOUNTS_MAX 10000000u   /* accounts and users of accounts */
#define TRACE_PRIORITY_MAX UINT32_MAX  /* of a QOS, a partition */

/* An account, or a user of it.  The account TRACE_ROOT_ACCOUNT is the root of
 * the tree, defined or not.
 */
struct trace_account {
    uint32_t name;   /* string id of the account */
    uint32_t user;   /* string id; 0: the account itself */
    uint32_t parent; /* string id of the account above; 0: the root; of a user
                        not used */
    uint32_t shares; /* among its siblings, to TRACE_SHARES_MAX, or
                        TRACE_SHARES_PARENT */
    uint32_t line;   /* of the trace file; 0: none */
    double usage;    /* weighted resource seconds that count at time 0 */
    uint32_t limits; /* limits.h; 0: none */
};

struct trace_qos {
    uint32_t name;       /* string id */
    uint32_t priority;   /* higher goes first */
    uint32_t line;       /* as of an account */
    double usage_factor; /* of what its jobs use, at least 0 */
    uint32_t limits;     /* as of an account */
    int64_t grace;       /* us in which a victim goes on; 0: not stated */
    bool stays;          /* what its jobs used is not forgotten by its limits */
    bool over_partition; /* its limits come before those of a partition's QOS */
};

/* A named set of nodes as far as the order of jobs depends on it; its nodes are
 * labels.
 */
struct trace_partition {
    uint32_t name;   /* string id */
    uint32_t tier;   /* jobs of a higher tier go first */
    uint32_t factor; /* of the priority of its jobs, among the partitions */
    uint32_t qos;    /* string id of the QOS whose limits hold in it; 0: none */
    uint32_t line;   /* as of an account */
    int64_t grace;   /* as of a QOS, for jobs whose QOS states none */
};

/* All that a workload defines. */
struct trace_accounts {
    struct trace_account *account; /* those that are defined; */
    struct trace_qos *qos;
    struct trace_partition *partition;
    uint32_t account_count, qos_count, partition_count;
    uint32_t account_cap, qos_cap, partition_cap;
    struct gs_hash *account_index;   /* account[]; private */
    uint32_t *qos_by, *partition_by; /* [string id] index + 1; private */
    uint32_t qos_by_cap, partition_by_cap;
};

/* The entry of the account, or of its user (0: the account itself), both string
 * ids; TRACE_NONE if it is not defined.
 */
uint32_t trace_account_find(const struct trace_workload *w, uint32_t name,
                            uint32_t user);
/* Append an entry, which must be new. */
void trace_account_add(struct trace_workload *w, const struct trace_account *a);

/* The QOS, or the partition, with string id `name`; TRACE_NONE. */
uint32_t trace_qos_find(const struct trace_workload *w, uint32_t name);
uint32_t trace_partition_find(const struct trace_workload *w, uint32_t name);
/* The same, created with default values when new. */
uint32_t trace_qos_put(struct trace_workload *w, uint32_t name);
uint32_t trace_partition_put(struct trace_workload *w, uint32_t name);

/* Index all of them anew after their names changed. */
void trace_accounts_index(struct trace_workload *w);
void trace_accounts_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_ACCOUNTS_H */
