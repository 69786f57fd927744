/* policies/state/module_accounts.c - the services about accounts, QOS and
 * partitions.
 */
#include <assert.h>

#include "policies/state/associations.h"
#include "policies/state/limit_sets.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "traces/workload/accounts.h"

/* --- accounts ------------------------------------------------------------- */

static const struct gsched_association *entry(void *ctx, uint32_t account)
{
    const struct gsched *s = gsched_of_module(ctx);

    gsched_services_ask(s, GSP_READS_ACCOUNTS);
    assert(account < s->accounts->count);
    return &s->accounts->at[account];
}

uint32_t gsched_host_accounts(void *ctx)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_ACCOUNTS);
    return gsched_of_module(ctx)->accounts->count;
}

uint32_t gsched_host_account_parent(void *ctx, uint32_t account)
{
    return entry(ctx, account)->parent;
}

bool gsched_host_account_is_user(void *ctx, uint32_t account)
{
    return entry(ctx, account)->user != 0;
}

uint32_t gsched_host_account_shares(void *ctx, uint32_t account)
{
    const uint32_t shares = entry(ctx, account)->shares;

    return shares == TRACE_SHARES_PARENT ? GSP_NONE : shares;
}

double gsched_host_account_usage(void *ctx, uint32_t account)
{
    return entry(ctx, account)->usage;
}

uint32_t gsched_host_job_account(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_ACCOUNTS);
    return gsched_association_of(j->s, j->id);
}

/* --- QOS ------------------------------------------------------------------ */

static const struct trace_qos *qos_of(void *ctx, uint32_t qos)
{
    const struct gsched *s = gsched_of_module(ctx);

    gsched_services_ask(s, GSP_READS_QOS);
    assert(qos < s->work->accounts->qos_count);
    return &s->work->accounts->qos[qos];
}

uint32_t gsched_host_qos_levels(void *ctx)
{
    return gsched_of_module(ctx)->work->accounts->qos_count;
}

uint32_t gsched_host_job_qos(const struct gsp_job *j)
{
    return trace_qos_find(j->s->work, gsched_spec(j)->aside->qos);
}

uint32_t gsched_host_qos_priority(void *ctx, uint32_t qos)
{
    return qos_of(ctx, qos)->priority;
}

double gsched_host_qos_usage_factor(void *ctx, uint32_t qos)
{
    return qos_of(ctx, qos)->usage_factor;
}

/* --- partitions ----------------------------------------------------------- */

static const struct trace_partition *partition_of(void *ctx, uint32_t partition)
{
    const struct gsched *s = gsched_of_module(ctx);

    gsched_services_ask(s, GSP_READS_PARTITIONS);
    assert(partition < s->work->accounts->partition_count);
    return &s->work->accounts->partition[partition];
}

uint32_t gsched_host_partitions(void *ctx)
{
    return gsched_of_module(ctx)->work->accounts->partition_count;
}

uint32_t gsched_host_job_partition(const struct gsp_job *j)
{
    return trace_partition_find(j->s->work, gsched_spec(j)->aside->partition);
}

uint32_t gsched_host_partition_tier(void *ctx, uint32_t partition)
{
    return partition_of(ctx, partition)->tier;
}

uint32_t gsched_host_partition_factor(void *ctx, uint32_t partition)
{
    return partition_of(ctx, partition)->factor;
}

int32_t gsched_host_job_nice(const struct gsp_job *j)
{
    gsched_services_ask(j->s, GSP_READS_NICE);
    return (int32_t)gsched_spec(j)->aside->nice;
}

/* --- limits --------------------------------------------------------------- */

const char *gsched_host_job_limit(const struct gsp_job *j, const int64_t *asked)
{
    gsched_services_ask(j->s, GSP_READS_LIMITS | GSP_READS_POOLS
                                  | GSP_READS_USER_LIMITS);
    j->s->modules->limit = gsched_limits_reason(j->s, j->id, asked);
    return j->s->modules->limit;
}
