/* traces/workload/pools.h - pools of tokens, which jobs hold while they run,
 * wherever they run: licences, places among the tasks of an array.
 */
#ifndef TRACES_WORKLOAD_POOLS_H
#define TRACES_WORKLOAD_POOLS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default)

struct gs_hash;
struct trace_workload;

#define TRACE_POOLS_MAX 32 /* of one job */
#define TRACE_TOKENS_MAX 1000000000u

struct trace_pool {
    uint32_t name;   /* string id */
    uint32_t reason; /* string id of what jobs that lack tokens are told; 0: its
                        name */
    uint32_t line;   /* of the trace file; 0: none */
    uint32_t size;   /* tokens, to TRACE_TOKENS_MAX */
};

/* Tokens of a pool that a job takes. */
struct trace_tokens {
    uint32_t pool;  /* index into pool[] */
    uint32_t count; /* 1 to TRACE_TOKENS_MAX */
};

/* What a job takes, in tokens[]. */
struct trace_pool_set {
    uint32_t first, count;
};

/* All of a workload. */
struct trace_pools {
    struct trace_pool *pool;
    struct trace_pool_set *pool_set; /* each set once */
    struct trace_tokens *tokens;
    uint32_t pool_count, pool_cap, pool_set_count, pool_set_cap;
    uint32_t tokens_count, tokens_cap;
    struct gs_hash *pool_index; /* pool_set[]; private */
    uint32_t *pool_by;          /* [string id] index + 1; private */
    uint32_t pool_by_cap;
};

/* The pool called by string id `name`; TRACE_NONE.  Or created, of size 0, when
 * new.
 */
uint32_t trace_pool_find(const struct trace_workload *w, uint32_t name);
uint32_t trace_pool_put(struct trace_workload *w, uint32_t name);
/* The number for trace_job.pools of a job that takes `count` kinds of tokens,
 * at most TRACE_POOLS_MAX, in any order; those of one pool are added up.  0 for
 * none.
 */
uint32_t trace_pool_set_put(struct trace_workload *w,
                            struct trace_tokens *tokens, uint32_t count);
/* What trace_job.pools means; *count: how many. */
const struct trace_tokens *trace_pool_tokens(const struct trace_workload *w,
                                             uint32_t pools, uint32_t *count);
void trace_pools_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_POOLS_H */
