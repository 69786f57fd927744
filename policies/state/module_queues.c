/* policies/state/module_queues.c - the services about queues. */
#include <assert.h>

#include "base/strtab.h"
#include "policies/profile/reads.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/queue_keys.h"
#include "policies/state/usage.h"
#include "policies/state/waiting_priority.h"
#include "topology/topology.h"
#include "traces/workload/queue_terms.h"

static const struct trace_queue *queue_of(void *ctx, uint32_t queue)
{
    assert(queue < gsched_of_module(ctx)->queues);
    return &gsched_of_module(ctx)->work->queue[queue];
}

static const struct trace_queue_extra *extra_of(void *ctx, uint32_t queue)
{
    return trace_queue_extra(gsched_of_module(ctx)->work, queue_of(ctx, queue));
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

int32_t gsched_host_queue_waiting_priority(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_PRIORITY);
    return gsched_waiting_priority(gsched_of_module(ctx), queue);
}

uint64_t gsched_host_waiting_changes(void *ctx)
{
    return gsched_waiting_changes(gsched_of_module(ctx));
}

uint32_t gsched_host_waiting_changed(void *ctx, uint64_t since, uint32_t after)
{
    return gsched_waiting_changed(gsched_of_module(ctx), since, after);
}

uint32_t gsched_host_queue_jobs(void *ctx, uint32_t queue)
{
    return gsched_queue_jobs(gsched_of_module(ctx), queue);
}

const int64_t *gsched_host_queue_amount(void *ctx, uint32_t queue,
                                        enum gsp_amount which)
{
    const struct trace_queue *q = queue_of(ctx, queue);

    switch (which) {
    case GSP_GUARANTEE:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_GUARANTEE);
        return trace_queue_amounts(q)->guarantee;
    case GSP_DESERVED:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_DESERVED);
        return trace_queue_amounts(q)->deserved;
    case GSP_LIMIT:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_LIMIT);
        return trace_queue_amounts(q)->limit;
    case GSP_USER_LIMIT:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_USER_LIMIT);
        return trace_queue_amounts(q)->user_limit;
    case GSP_BORROW:
    case GSP_LEND:
        gsched_services_ask(gsched_of_module(ctx), GSP_READS_QUEUE_BORROW);
        return which == GSP_BORROW ? extra_of(ctx, queue)->borrow
                                   : extra_of(ctx, queue)->lend;
    default:
        return gsched_queue_amount(gsched_of_module(ctx), queue, which);
    }
}

uint64_t gsched_host_ledger(void *ctx)
{
    return gsched_usage_changes(gsched_of_module(ctx));
}

uint32_t gsched_host_queue_changed(void *ctx, uint64_t since, uint32_t after)
{
    return gsched_queue_changed(gsched_of_module(ctx), since, after);
}

void gsched_host_refused_by(void *ctx, uint32_t queue)
{
    const struct gsched *s = gsched_of_module(ctx);

    assert(queue == GSP_NONE || queue < s->queues);
    s->modules->blocker = queue == GSP_NONE ? s->queues : queue;
}

void gsched_host_queue_eases(void *ctx, uint32_t queue)
{
    struct gsched *s = ((const struct gsched_module *)ctx)->s;

    gsched_queue_ease(s, queue == GSP_NONE ? s->queues : queue);
}

void gsched_host_queue_moves(void *ctx, uint32_t queue)
{
    struct gsched *s = ((const struct gsched_module *)ctx)->s;

    assert(queue < s->queues);
    gsched_queue_key_forget(s, queue, false);
}

const int64_t *gsched_host_queue_change(void *ctx, uint32_t queue)
{
    const struct gsched *s = gsched_of_module(ctx);

    assert(queue < s->queues && s->modules->queue_change);
    return s->modules->queue_change(s, queue);
}

/* --- queue terms ---------------------------------------------------------- */

#define SAME_PLACE(member, ...)                             \
    _Static_assert(                                         \
        (int)GSP_TERM_##member == (int)TRACE_TERM_##member, \
        "the terms of policy.h and queue_terms.h are in one order");
TRACE_QUEUE_TERMS_LIST(SAME_PLACE)
_Static_assert((int)GSP_QUEUE_TERMS == (int)TRACE_QUEUE_TERMS,
               "policy.h has all terms of queue_terms.h");

int64_t gsched_host_queue_term(void *ctx, uint32_t queue,
                               enum gsp_queue_term term)
{
    assert(term < GSP_QUEUE_TERMS);
    gsched_services_ask(gsched_of_module(ctx), GSCHED_READS_TERM(term));
    return extra_of(ctx, queue)->term[term];
}

double gsched_host_queue_over_quota(void *ctx, uint32_t queue, uint32_t dim)
{
    const double weight = extra_of(ctx, queue)->over_quota[dim];

    assert(dim < TOPO_DIMS_MAX);
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_OVER_QUOTA);
    return weight >= 0 ? weight : gsched_host_queue_weight(ctx, queue);
}

/* --- flavors -------------------------------------------------------------- */

static const struct trace_flavor *flavor_of(void *ctx, uint32_t flavor)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_FLAVORS);
    assert(flavor < gsched_of_module(ctx)->work->terms->flavor_count);
    return &gsched_of_module(ctx)->work->terms->flavor[flavor];
}

uint32_t gsched_host_flavors(void *ctx)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_FLAVORS);
    return gsched_of_module(ctx)->work->terms->flavor_count;
}

const char *gsched_host_flavor_name(void *ctx, uint32_t flavor)
{
    return gs_strtab_str(gsched_of_module(ctx)->work->names,
                         flavor_of(ctx, flavor)->name);
}

static bool has_label(const struct topo_class *k, const struct topo_label *l)
{
    bool any = false;

    for (uint32_t i = 0; i < k->label_count && !any; i++)
        any = k->label[i].key == l->key && k->label[i].value == l->value;
    return any;
}

bool gsched_host_flavor_allows(void *ctx, uint32_t flavor, uint32_t klass)
{
    const struct topo *t = gsched_of_module(ctx)->topo;
    const struct trace_flavor *f = flavor_of(ctx, flavor);
    bool all = true;

    assert(klass < t->class_count);
    for (uint32_t i = 0; i < f->label_count && all; i++)
        all = has_label(&t->klass[klass], &f->label[i]);
    return all;
}

uint32_t gsched_host_queue_flavors(void *ctx, uint32_t queue)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_FLAVORS);
    return extra_of(ctx, queue)->flavor_count;
}

struct gsp_queue_flavor gsched_host_queue_flavor(void *ctx, uint32_t queue,
                                                 uint32_t i)
{
    const struct trace_queue_extra *x = extra_of(ctx, queue);
    const struct trace_queue_flavor *f =
        &gsched_of_module(ctx)->work->terms->queue_flavor[x->first_flavor + i];

    assert(i < x->flavor_count);
    return (struct gsp_queue_flavor){ f->flavor, f->guarantee, f->borrow,
                                      f->lend };
}
