/* sim/study/fill.c - one allocation experiment, see fill.h. */
#include "sim/study/fill.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/rng.h"
#include "policies/scheduler.h"
#include "sim/study/fill_mix.h"
#include "sim/study/pool.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

/* Shared by all runs; they only read it. */
struct fill_list {
    struct gs_arena *arena;
    const struct topo *topo;
    /* The tasks by shape, a group each; without jobs. */
    struct trace_workload *shapes;
    int64_t weight; /* of the mix */
    uint32_t *task; /* [task] its shape */
    uint32_t tasks, task_cap;
};

uint32_t fill_points(uint32_t load)
{
    return load / 10;
}

/* --- the cluster ---------------------------------------------------------- */

/* Copy the nodes that have GPUs, in `order` (NULL: the order of `from`). */
static int nodes_copy(const struct topo *from, const uint32_t *order,
                      struct topo *to, struct gs_err *err)
{
    uint32_t path[TOPO_TIERS_MAX];

    for (uint32_t i = 0; i < from->node_count; i++) {
        const uint32_t n = order ? order[i] : i;
        const struct topo_class *k = &from->klass[from->node_class[n]];

        if (k->gpus == 0)
            continue;
        for (uint32_t tier = 0; tier < from->tier_count; tier++)
            path[tier] = from->domain[topo_domain_of(from, n, tier + 1)].name;
        if (topo_add_node(to, from->node_name[n], topo_add_class(to, k), path,
                          err)
            < 0)
            return -1;
    }
    return 0;
}

static struct topo *topology_copy(const struct topo *t, const uint32_t *order,
                                  struct gs_arena *arena, struct gs_err *err)
{
    struct topo *to = topo_create(arena, t->names, t->dims);
    int rc;

    to->cluster = t->cluster;
    to->node_tier = t->node_tier;
    rc = 0;
    for (uint32_t i = 0; rc == 0 && i < t->tier_count; i++)
        rc = topo_add_tier(to, &t->tier[i], err);
    if (rc == 0)
        rc = nodes_copy(t, order, to, err);
    /* topo_finish in any case: it frees the memory of the construction */
    return topo_finish(to, err) < 0 || rc < 0 ? NULL : to;
}

const struct topo *fill_topology(const struct topo *t, const char *source,
                                 struct gs_arena *arena, struct gs_err *err)
{
    assert(t && !t->build && arena);
    if (t->gpu_count == 0) {
        gs_fail(err, GS_INPUT, (struct gs_mark){ .source = source },
                "no node has GPUs");
        return NULL;
    }
    return topology_copy(t, NULL, arena, err);
}

/* A copy of the topology with its nodes in an order drawn from the seed: the
 * scheduler takes the first of equal nodes, and the nodes of a live cluster
 * have no fixed order. /
 */
static struct topo *nodes_shuffled(const struct topo *t, uint64_t seed,
                                   struct gs_arena *arena, struct gs_err *err)
{
    uint32_t *order = gs_arena_alloc(arena, t->node_count, sizeof(*order));
    struct gs_rng r;

    gs_rng_init(&r, seed, "nodes");
    for (uint32_t i = 0; i < t->node_count; i++) {
        const uint32_t k = (uint32_t)gs_rng_below(&r, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    return topology_copy(t, order, arena, err);
}

/* --- the list ------------------------------------------------------------- */

/* Every task of every job, by its shape. */
static int tasks_gather(struct fill_list *l, const struct trace_workload *w)
{
    for (uint32_t j = 0; j < w->job_count; j++) {
        const uint32_t first = w->job[j].first_group;

        for (uint32_t k = first; k < first + w->job[j].group_count; k++) {
            const struct trace_group *g = trace_group_at(w, k);
            const uint32_t shape = trace_workload_shape(l->shapes,
                                                        &w->shape[g->shape]);

            if (g->replicas > TRACE_JOBS_MAX - l->tasks)
                return -1;
            l->task = gs_array_grow(l->task, &l->task_cap,
                                    l->tasks + g->replicas, sizeof(*l->task));
            for (uint32_t i = 0; i < g->replicas; i++)
                l->task[l->tasks++] = shape;
        }
    }
    return 0;
}

static int64_t shape_milli(const struct fill_list *l, uint32_t shape)
{
    return l->shapes->shape[shape].amount[TOPO_GPU];
}

/* The most that arriving tasks may ask for, in thousandths of a GPU. */
static int64_t milli_most(const struct fill_list *l, uint32_t load)
{
    return (int64_t)l->topo->gpu_count * TOPO_SHARE_ONE * load / 1000;
}

static int list_check(const struct fill_list *l, uint32_t load,
                      const char *source, struct gs_err *err)
{
    const struct gs_mark at = { .source = source };
    int64_t asked = 0;

    for (uint32_t i = 0; i < l->tasks; i++)
        asked += shape_milli(l, l->task[i]);
    if (asked == 0)
        return gs_fail(err, GS_INPUT, at, "no task asks for GPUs");
    if (l->tasks + (double)milli_most(l, load) * l->tasks / (double)asked
        > TRACE_JOBS_MAX)
        return gs_fail(err, GS_LIMIT, at,
                       "its tasks ask for so little that more than %d tasks "
                       "would have to arrive",
                       TRACE_JOBS_MAX);
    return 0;
}

/* Count the tasks of each shape, for the mix; the same for all seeds. */
static void shapes_count(struct fill_list *l)
{
    struct trace_workload *w = l->shapes;
    uint32_t *tasks = gs_array_new(w->shape_count, sizeof(*tasks));
    struct topo_mix *mix;

    w->group = gs_array_grow(w->group, &w->group_cap, w->shape_count,
                             sizeof(*w->group));
    w->group_count = w->shape_count;
    for (uint32_t i = 0; i < l->tasks; i++)
        tasks[l->task[i]]++;
    for (uint32_t i = 0; i < w->shape_count; i++)
        trace_group_set(
            w, i, &(struct trace_group){ .shape = i, .replicas = tasks[i] });
    gs_array_free(tasks);
    mix = trace_mix_create(w, l->topo, TRACE_MIX_PUBLISHED);
    l->weight = topo_mix_weight(mix);
    topo_mix_destroy(mix);
}

struct fill_list *fill_list_create(const struct topo *t,
                                   const struct trace_workload *w,
                                   uint32_t load, const char *source,
                                   struct gs_err *err)
{
    struct fill_list *l = gs_array_new(1, sizeof(*l));

    assert(t && w && load > 0);
    l->arena = gs_arena_create(1 << 16);
    l->topo = t;
    l->shapes = trace_workload_create(l->arena, w->names, w->dims);
    if (tasks_gather(l, w) < 0) {
        gs_fail(err, GS_LIMIT, (struct gs_mark){ .source = source },
                "has more than %d tasks", TRACE_JOBS_MAX);
        goto fail;
    }
    if (list_check(l, load, source, err) < 0)
        goto fail;
    shapes_count(l);
    return l;
fail:
    fill_list_destroy(l);
    return NULL;
}

void fill_list_destroy(struct fill_list *l)
{
    if (!l)
        return;
    trace_workload_destroy(l->shapes);
    gs_array_free(l->task);
    gs_arena_destroy(l->arena);
    gs_array_free(l);
}

uint32_t fill_list_tasks(const struct fill_list *l)
{
    assert(l);
    return l->tasks;
}

int64_t fill_list_weight(const struct fill_list *l)
{
    return l->weight;
}

/* --- the arrivals --------------------------------------------------------- */

/* The shapes of the tasks in the order of their arrival. */
struct arrivals {
    uint32_t *shape;
    uint32_t count, cap;
    int64_t milli, most; /* asked for, at most */
};

static bool arrive(struct arrivals *a, const struct fill_list *l,
                   uint32_t shape)
{
    const int64_t milli = shape_milli(l, shape);

    if (milli > a->most - a->milli)
        return false;
    a->milli += milli;
    a->shape = gs_array_grow(a->shape, &a->cap, a->count + 1,
                             sizeof(*a->shape));
    a->shape[a->count++] = shape;
    return true;
}

static void arrivals_draw(struct arrivals *a, const struct fill_list *l,
                          uint64_t seed)
{
    uint32_t *order = gs_array_new(l->tasks, sizeof(*order));
    struct gs_rng rng;
    uint32_t i;

    gs_rng_init(&rng, seed, "fill");
    memcpy(order, l->task, l->tasks * sizeof(*order));
    for (i = l->tasks; i > 1; i--) {
        const uint32_t other = (uint32_t)gs_rng_below(&rng, i);
        const uint32_t shape = order[i - 1];

        order[i - 1] = order[other];
        order[other] = shape;
    }
    for (i = 0; i < l->tasks && arrive(a, l, order[i]); i++)
        ;
    while (i == l->tasks && arrive(a, l, l->task[gs_rng_below(&rng, l->tasks)]))
        ;
    gs_array_free(order);
}

/* Make a job of one task for each arrival. */
static void arrivals_jobs(const struct arrivals *a, struct gs_arena *arena,
                          struct trace_workload *w)
{
    w->job = gs_arena_alloc(arena, a->count + 1, sizeof(*w->job));
    w->group = gs_arena_alloc(arena, a->count + 1, sizeof(*w->group));
    w->group_kind = gs_arena_alloc(arena, w->shape_count,
                                   sizeof(*w->group_kind));
    w->job_count = w->group_count = a->count;
    for (uint32_t i = 0; i < w->shape_count; i++)
        w->group_kind[i] =
            (struct trace_group){ .shape = i, .replicas = 1, .min = 1 };
    for (uint32_t i = 0; i < a->count; i++) {
        w->group[i] = a->shape[i];
        w->job[i] = (struct trace_job){ .aside = w->plain,
                                        .duration = TRACE_FOREVER,
                                        .estimate = TRACE_FOREVER,
                                        .first_group = i,
                                        .group_count = 1,
                                        .tasks = 1,
                                        .gang = 1,
                                        .retries = TRACE_NONE };
    }
}

/* --- a run ---------------------------------------------------------------- */

struct fill_state {
    const struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct fill_fragments *fragments;
    struct fill_point now;
    struct fill_point *point;
    uint32_t points, measured;
};

/* Record the points of all percents that `milli`, the GPU thousandths arrived
 * so far, has passed.
 */
static void measure(struct fill_state *r, int64_t milli)
{
    const int64_t all = topo_cluster_totals(r->cluster)->gpu_milli;

    while (r->measured < r->points
           && (milli == INT64_MAX
               || milli * 100 > (int64_t)(r->measured + 1) * all))
        r->point[r->measured++] = r->now;
}

/* Submit one task; a task that is not placed is removed. */
static void try_task(struct fill_state *r, uint32_t job)
{
    const struct topo_request *request =
        &r->work->shape[trace_group_at(r->work, job)->shape];
    const struct gsched_decision *d;
    bool is_over = false;
    uint32_t count;

    gsched_submit(r->sched, job, 1, 0);
    d = gsched_cycle(r->sched, 0, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (d[i].job != job)
            continue;
        is_over = true;
        if (d[i].kind != GSCHED_PLACE)
            continue;
        r->now.allocated += request->amount[TOPO_GPU];
        r->now.fragmented = fill_fragment(r->fragments, r->cluster,
                                          d[i].grant.node);
    }
    if (!is_over)
        gsched_end(r->sched, job, 0);
}

static void try_all(struct fill_state *r, const struct fill_list *l,
                    const struct arrivals *a)
{
    int64_t milli = 0;

    for (uint32_t i = 0; i < a->count; i++) {
        milli += shape_milli(l, a->shape[i]);
        measure(r, milli);
        try_task(r, i);
    }
    measure(r, INT64_MAX);
}

int fill_run(const struct fill_list *l, const struct gsched_profile *p,
             uint64_t seed, uint32_t load, struct fill_point *point,
             struct gs_err *err)
{
    struct gs_arena *arena = gs_arena_create(1 << 20);
    struct arrivals a = { .most = milli_most(l, load) };
    struct trace_workload w = *l->shapes;
    struct topo_mix *mix, *whole = NULL;
    struct fill_state r = { .work = &w,
                            .point = point,
                            .points = fill_points(load) };
    const struct topo *topo = nodes_shuffled(l->topo, seed, arena, err);

    assert(l && p && point && load > 0);
    /* policies that minimize fragmentation use the same mix as the measure */
    mix = trace_mix_create(l->shapes, topo, TRACE_MIX_PUBLISHED);
    arrivals_draw(&a, l, seed);
    arrivals_jobs(&a, arena, &w);
    r.cluster = topo_cluster_create(topo);
    r.sched = gsched_create(r.cluster, &w, p, seed, err);
    if (r.sched) {
        if (gsched_wants_whole_mix(r.sched))
            whole = trace_mix_create(l->shapes, topo, TRACE_MIX_WHOLE);
        gsched_mix_set(r.sched, whole ? whole : mix);
        r.fragments = fill_fragments_create(mix, r.cluster, arena);
        r.now.fragmented = fill_fragment(r.fragments, r.cluster, UINT32_MAX);
        try_all(&r, l, &a);
    }
    gsched_destroy(r.sched);
    topo_mix_destroy(whole);
    topo_mix_destroy(mix);
    topo_cluster_destroy(r.cluster);
    gs_array_free(a.shape);
    gs_arena_destroy(arena);
    return r.sched ? 0 : -1;
}

/* --- many experiments ----------------------------------------------------- */

struct grid_run {
    const struct fill_grid *grid;
    struct fill_point *point;
    uint32_t made, runs;
};

static int run_make(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    const struct fill_grid *g = ((const struct grid_run *)ctx)->grid;

    return fill_run(g->list[i / g->seeds / g->profiles],
                    g->profile[i / g->seeds % g->profiles],
                    g->first_seed + i % g->seeds, g->load, answer, err);
}

static int run_over(void *ctx, uint32_t i, const void *answer,
                    const struct gs_err *failure, struct gs_err *err)
{
    struct grid_run *r = ctx;
    const uint32_t points = fill_points(r->grid->load);

    (void)failure; /* NULL: needs_all is set */
    (void)err;
    memcpy(r->point + (size_t)i * points, answer, points * sizeof(*r->point));
    r->made++;
    return 0;
}

static void made_tell(void *ctx)
{
    const struct grid_run *r = ctx;

    if (r->grid->progress)
        r->grid->progress(r->grid->progress_ctx, r->made, r->runs);
}

int fill_grid_run(const struct fill_grid *g, struct fill_point *point,
                  struct gs_err *err)
{
    struct grid_run r = { g, point, 0, g->lists * g->profiles * g->seeds };
    struct study_pool pool = { .jobs = g->jobs,
                               .count = r.runs,
                               .answer = fill_points(g->load) * sizeof(*point),
                               .point = run_make,
                               .over = run_over,
                               .tick = made_tell,
                               .ctx = &r,
                               .needs_all = true };

    assert(r.runs > 0 && g->jobs > 0 && point);
    return study_pool_run(&pool, err);
}
