/* policies/state/module_queues.c - the services about queues. */
#include <assert.h>

#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/usage.h"

static const struct trace_queue *queue_of(void *ctx, uint32_t queue)
{
    assert(queue < gsched_of_module(ctx)->queues);
    return &gsched_of_module(ctx)->work->queue[queue];
}

uint32_t gsched_host_queues(void *ctx)
{
    return gsched_of_module(ctx)->queues;
}

uint32_t gsched_host_queue_parent(void *ctx, uint32_t queue)
{
    const uint32_t parent = queue_of(ctx, queue)->parent;

    return parent == TRACE_NONE ? GSP_NONE : parent;
}

double gsched_host_queue_weight(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_WEIGHT);
    return queue_of(ctx, queue)->weight;
}

int32_t gsched_host_queue_priority(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_PRIORITY);
    return queue_of(ctx, queue)->priority;
}

bool gsched_host_queue_is_open(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_STATE);
    return !queue_of(ctx, queue)->closed;
}

bool gsched_host_queue_reclaimable(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_RECLAIMABLE);
    return !queue_of(ctx, queue)->keeps;
}

const int64_t *gsched_host_queue_amount(void *ctx, uint32_t queue,
                                        enum gsp_amount which)
{
    const struct trace_queue *q = queue_of(ctx, queue);

    switch (which) {
    case GSP_GUARANTEE:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_GUARANTEE);
        return q->guarantee;
    case GSP_DESERVED:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_DESERVED);
        return q->deserved;
    case GSP_LIMIT:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_LIMIT);
        return q->limit;
    case GSP_USER_LIMIT:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_USER_LIMIT);
        return q->user_limit;
    default:
        return gsched_queue_amount(gsched_of_module(ctx), queue, which);
    }
}

uint64_t gsched_host_ledger(void *ctx)
{
    return gsched_usage_changes(gsched_of_module(ctx));
}

const int64_t *gsched_host_queue_change(void *ctx, uint32_t queue)
{
    const struct gsched *s = gsched_of_module(ctx);

    assert(queue < s->queues && s->modules->queue_change);
    return s->modules->queue_change(s, queue);
}
