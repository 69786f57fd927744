/* policies/host.c - the services that modules get. */
#include "base/arena.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/scheduler_private.h"

/* A task kind is its request. */
struct gsp_task {
    struct topo_request request;
};

static void *host_keep(void *ctx, size_t size)
{
    struct gsched_module *m = ctx;

    return gs_arena_alloc(m->s->arena, 1, size);
}

static uint64_t host_random(void *ctx, uint64_t below)
{
    struct gsched_module *m = ctx;

    return gs_rng_below(&m->rng, below);
}

static uint32_t host_dims(void *ctx)
{
    const struct gsched_module *m = ctx;

    return m->s->topo->dims->count;
}

static const char *host_dim_name(void *ctx, uint32_t dim)
{
    const struct gsched_module *m = ctx;
    const struct topo *t = m->s->topo;

    return gs_strtab_str(t->names, t->dims->name[dim]);
}

static int64_t host_dim_total(void *ctx, uint32_t dim)
{
    const struct gsched_module *m = ctx;
    const struct topo *t = m->s->topo;
    int64_t sum = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        sum += t->klass[t->node_class[n]].capacity[dim];
    return sum;
}

static uint32_t host_states(const struct gsp_view *v)
{
    return v->count;
}

static const uint32_t *host_nodes(const struct gsp_view *v)
{
    return v->groups->nodes + v->first;
}

static const uint32_t *host_gpus_free(const struct gsp_view *v)
{
    return v->groups->gpus_free + v->first;
}

static const int64_t *host_free(const struct gsp_view *v, uint32_t dim)
{
    return v->groups->free[dim] + v->first;
}

static const int64_t *host_capacity(const struct gsp_view *v, uint32_t dim)
{
    return v->groups->capacity[dim] + v->first;
}

static const uint8_t *host_room(const struct gsp_view *v)
{
    return v->room;
}

static const uint8_t *host_hardware(const struct gsp_view *v)
{
    return v->hardware;
}

static int64_t host_amount(const struct gsp_task *t, uint32_t dim)
{
    return t->request.amount[dim];
}

static uint32_t host_gpus(const struct gsp_task *t)
{
    return t->request.gpus;
}

static uint32_t host_share(const struct gsp_task *t)
{
    return t->request.share;
}

static const struct trace_job *spec(const struct gsp_job *j)
{
    return &j->s->work->job[j->id];
}

static gsp_time host_job_since(const struct gsp_job *j)
{
    return j->s->job[j->id].since;
}

static int32_t host_job_priority(const struct gsp_job *j)
{
    return j->s->work->klass[spec(j)->klass].value;
}

static uint32_t host_job_queue(const struct gsp_job *j)
{
    return spec(j)->queue;
}

static uint32_t host_job_gang(const struct gsp_job *j)
{
    return spec(j)->gang;
}

static uint32_t host_job_tasks(const struct gsp_job *j)
{
    return spec(j)->tasks;
}

static uint32_t host_job_placed(const struct gsp_job *j)
{
    return j->s->job[j->id].placed;
}

const struct gsp_host gsched_host = {
    .size = sizeof(struct gsp_host),
    .keep = host_keep,
    .random = host_random,
    .dims = host_dims,
    .dim_name = host_dim_name,
    .dim_total = host_dim_total,
    .states = host_states,
    .nodes = host_nodes,
    .gpus_free = host_gpus_free,
    .free = host_free,
    .capacity = host_capacity,
    .room = host_room,
    .hardware = host_hardware,
    .amount = host_amount,
    .gpus = host_gpus,
    .share = host_share,
    .job_since = host_job_since,
    .job_priority = host_job_priority,
    .job_queue = host_job_queue,
    .job_gang = host_job_gang,
    .job_tasks = host_job_tasks,
    .job_placed = host_job_placed,
};
