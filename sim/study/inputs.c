/* sim/study/inputs.c - reading inputs, see inputs.h. */
#include "sim/study/inputs.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/far.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "import/account.h"
#include "sim/scenario/scenario.h"
#include "sim/speed/speed.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/misplaced.h"
#include "sim/study/scheduler_files.h"
#include "sim/study/sources.h"
#include "topology/cluster.h"
#include "topology/labels.h"
#include "topology/read.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/model/model.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/slices.h"
#include "traces/workload/workload.h"

#define FAR_LEAST ((size_t)1 << 20)  /* bytes of an array in a file */
#define FAR_NEAR ((size_t)128 << 20) /* bytes of them in memory */

void inputs_init(struct inputs *in)
{
    *in = (struct inputs){ .arena = gs_arena_create(1 << 16),
                           .names = gs_strtab_create() };
    topo_dims_init(&in->dims, in->names);
}

int inputs_lie_in(struct inputs *in, const char *folder, struct gs_err *err)
{
    assert(!in->far && !in->work && !in->topo);
    in->far = gs_far_open(folder, FAR_LEAST, err);
    if (!in->far)
        return -1;
    in->keeper = gs_far_keeper_start(in->far, FAR_NEAR);
    gs_strtab_destroy(in->names);
    in->names = gs_strtab_create_far(in->far);
    topo_dims_init(&in->dims, in->names);
    return 0;
}

void inputs_fini(struct inputs *in)
{
    inputs_profiles_close(in);
    sim_scenario_destroy(in->scenario);
    trace_workload_destroy(in->work);
    sources_destroy(in->sources);
    import_account_destroy(in->lent);
    gs_strtab_destroy(in->names);
    gs_arena_destroy(in->arena);
    gs_far_keeper_stop(in->keeper);
    gs_far_close(in->far);
}

/* `cluster` (NULL: none) has the nodes. */
static int trace_take(struct inputs *in, const struct source *from,
                      const struct source *cluster,
                      const struct trace_options *o, struct gs_err *err)
{
    int rc;

    in->trace_path = from->path;
    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    in->work->far = in->far;
    if (source_is_foreign(from)) {
        rc = sources_read_trace(
            in, from, cluster && source_is_foreign(cluster) ? cluster : NULL, o,
            err);
    } else {
        rc = trace_read(from->file, o, in->work, &in->facts, err);
        in->trace_hash = gs_input_hash(from->file);
        if (in->facts.beside_hash)
            in->trace_hash = gs_hash_mix(in->trace_hash, in->facts.beside_hash);
    }
    if (rc < 0 || scheduler_file_lend(in, err) < 0)
        return -1;
    return sources_remake(in, err);
}

int inputs_read_trace(struct inputs *in, const char *path,
                      const struct trace_options *o, struct gs_err *err)
{
    struct source from, cluster = { 0 };
    const unsigned had = err ? err->count : 0;
    int rc = source_open_trace(&from, path, o, err);

    if (rc == 0 && source_is_foreign(&from) && sources_made_topology(in))
        rc = strcmp(in->topology_path, "-") == 0
                 ? gs_fail(err, GS_USAGE, (struct gs_mark){ .source = path },
                           "is read together with its nodes: these cannot "
                           "come from standard input here")
                 : source_open(&cluster, in->topology_path, false, err);
    if (rc == 0)
        rc = trace_take(in, &from, &cluster, o, err);
    source_close(&from);
    source_close(&cluster);
    if (rc < 0)
        (void)misplaced_tell(path, PLACE_TRACE, had, err);
    return rc;
}

static int topology_take(struct inputs *in, const struct source *from,
                         struct gs_err *err)
{
    if (source_is_foreign(from))
        return sources_read_topology(in, from, err);
    in->topology_path = from->path;
    in->topo = topo_read(from->file, in->arena, in->names, &in->dims, err);
    in->topology_hash = gs_input_hash(from->file);
    return in->topo ? 0 : -1;
}

int inputs_read_topology(struct inputs *in, const char *path,
                         struct gs_err *err)
{
    const struct gs_mark at = { .source = in->trace_path };
    const unsigned had = err ? err->count : 0;
    struct source from;
    int rc;

    if (!path && sources_have_nodes(in))
        return sources_read_topology(in, NULL, err);
    if (!path && in->facts.topology)
        path = gs_input_beside(in->arena, in->trace_path, in->facts.topology);
    if (!path)
        return gs_fail(err, GS_USAGE, at, "%s: give one with --topology FILE",
                       in->sources ? "holds no nodes, so there is no topology"
                                   : "names no topology");
    rc = source_open(&from, path, false, err);
    if (rc == 0)
        rc = topology_take(in, &from, err);
    source_close(&from);
    if (rc < 0)
        (void)misplaced_tell(path, PLACE_TOPOLOGY, had, err);
    return rc;
}

static int tier_check(const struct inputs *in, const struct trace_job *j,
                      uint32_t tier, struct gs_err *err)
{
    const struct gs_mark at = { .source = in->trace_path };

    if (topo_level_find(in->topo, tier) >= 0)
        return 0;
    return gs_fail(err, GS_INPUT, at,
                   "job '%s' names tier '%s', which %s does not have",
                   gs_strtab_str(in->names, j->name),
                   gs_strtab_str(in->names, tier), in->topology_path);
}

static int rules_check(const struct inputs *in, const struct trace_job *j,
                       const struct trace_group *g, struct gs_err *err)
{
    for (uint32_t i = 0; i < g->rule_count + g->soft_count; i++) {
        if (tier_check(in, j, in->work->rule[g->first_rule + i].tier, err) < 0)
            return -1;
    }
    return 0;
}

/* Layers of slices go from the tier that is stated to the node. */
static int topology_check(const struct inputs *in, const struct trace_job *j,
                          const struct trace_topology *t, struct gs_err *err)
{
    const struct trace_slices *slices = t->slices
                                            ? &in->work->slices[t->slices - 1]
                                            : NULL;
    const struct gs_mark at = { .source = in->trace_path };
    uint32_t outer = t->tier;

    if (outer && tier_check(in, j, outer, err) < 0)
        return -1;
    if (t->prefers && tier_check(in, j, t->prefers, err) < 0)
        return -1;
    if (t->prefers
        && topo_level_find(in->topo, t->prefers)
               <= topo_level_find(in->topo, outer))
        return gs_fail(err, GS_INPUT, at,
                       "job '%s' prefers '%s', which is not inside '%s'",
                       gs_strtab_str(in->names, j->name),
                       gs_strtab_str(in->names, t->prefers),
                       gs_strtab_str(in->names, outer));
    for (uint32_t i = 0; slices && i < slices->layers; i++) {
        const uint32_t tier = slices->layer[i].tier;
        const int above = outer ? topo_level_find(in->topo, outer) : 0;

        if (tier_check(in, j, tier, err) < 0)
            return -1;
        if (topo_level_find(in->topo, tier) < above + (i > 0))
            return gs_fail(err, GS_INPUT, at,
                           "job '%s': slices within '%s' are not inside '%s'",
                           gs_strtab_str(in->names, j->name),
                           gs_strtab_str(in->names, tier),
                           gs_strtab_str(in->names, outer));
        outer = tier;
    }
    return 0;
}

static int tiers_check(const struct inputs *in, struct gs_err *err)
{
    const struct trace_workload *w = in->work;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        if (j->aside->measured_on
            && tier_check(in, j, j->aside->measured_on, err) < 0)
            return -1;
        for (uint32_t k = 0; k < j->group_count; k++) {
            const struct trace_group *g = trace_group_at(w, j->first_group + k);
            const struct trace_topology own = trace_group_topology(w, j, g);

            if (topology_check(in, j, &own, err) < 0
                || rules_check(in, j, g, err) < 0)
                return -1;
        }
    }
    return 0;
}

void inputs_count_pods(struct inputs *in)
{
    const struct trace_workload *w = in->work;
    bool limited = false;

    for (uint32_t q = 0; q < w->queue_count; q++) {
        const struct trace_queue_amounts *a = w->queue[q].amounts;

        limited = limited
                  || (a
                      && (a->limit[TOPO_PODS] >= 0
                          || a->user_limit[TOPO_PODS] >= 0));
    }
    for (uint32_t f = 0; f < w->terms->queue_flavor_count; f++)
        limited = limited
                  || w->terms->queue_flavor[f].guarantee[TOPO_PODS] >= 0;
    for (uint32_t k = 0; k < in->topo->class_count; k++)
        limited = limited
                  || in->topo->klass[k].capacity[TOPO_PODS]
                         < TOPO_PODS_UNLIMITED;
    for (uint32_t i = 0; limited && i < w->shape_count; i++)
        w->shape[i].amount[TOPO_PODS] = 1;
}

/* The job that asks for `shape`. */
static uint32_t job_of(const struct trace_workload *w, uint32_t shape)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->group_count; k++) {
            if (trace_group_at(w, j->first_group + k)->shape == shape)
                return i;
        }
    }
    return TRACE_NONE;
}

int inputs_resolve_shares(struct inputs *in, struct gs_err *err)
{
    const struct gs_mark at = { .source = in->trace_path };
    const struct trace_workload *w = in->work;

    for (uint32_t i = 0; i < w->shape_count; i++) {
        char one[32], two[32];
        int64_t other = 0;
        uint32_t job;

        if (topo_request_resolve(in->topo, &w->shape[i], &other) == 0)
            continue;
        job = job_of(w, i);
        if (job == TRACE_NONE)
            continue;
        return gs_fail(
            err, GS_INPUT, at,
            "job '%s' asks for 'gpu_memory' of GPUs that have %s or %s in %s: "
            "choose one of them with 'model' or 'nodes'",
            gs_strtab_str(in->names, w->job[job].name),
            gs_quantity_format_bytes(w->shape[i].device_memory, one,
                                     sizeof(one)),
            gs_quantity_format_bytes(other, two, sizeof(two)),
            in->topology_path);
    }
    return 0;
}

void inputs_relabel(struct inputs *in)
{
    in->topo = topo_relabel(in->topo,
                            topo_label_use(in->topo, in->work->shape,
                                           in->work->shape_count, in->arena),
                            in->arena);
}

struct topo_mix *inputs_relabel_mix(struct inputs *in, struct topo_mix *mix)
{
    const uint32_t kinds = topo_mix_kinds(mix), shapes = in->work->shape_count;
    struct topo_request *r = gs_array_new(shapes + kinds, sizeof(*r));
    struct topo_mix_kind *kind = gs_array_new(kinds, sizeof(*kind));

    if (shapes)
        memcpy(r, in->work->shape, shapes * sizeof(*r));
    for (uint32_t i = 0; i < kinds; i++) {
        kind[i] = *topo_mix_kind_at(mix, i);
        r[shapes + i] = kind[i].request;
    }
    in->topo = topo_relabel(
        in->topo, topo_label_use(in->topo, r, shapes + kinds, in->arena),
        in->arena);
    topo_mix_destroy(mix);
    mix = topo_mix_create(in->topo, kind, kinds);
    gs_array_free(kind);
    gs_array_free(r);
    return mix;
}

int inputs_check(struct inputs *in, struct gs_err *err)
{
    inputs_relabel(in);
    return tiers_check(in, err) < 0 ? -1 : inputs_resolve_shares(in, err);
}

static int both_open(struct source *trace, struct source *cluster,
                     const char *trace_path, const char *topology_path,
                     const struct trace_options *o, struct gs_err *err)
{
    if (topology_path && strcmp(trace_path, "-") == 0
        && strcmp(topology_path, "-") == 0)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "standard input is the trace or the topology, not both");
    if (source_open_trace(trace, trace_path, o, err) < 0)
        return -1;
    return topology_path ? source_open(cluster, topology_path, false, err) : 0;
}

static int jobs_check(const struct inputs *in, struct gs_err *err)
{
    if (!in->sources || sources_have_jobs(in))
        return 0;
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = in->trace_path },
                   "holds no %s", sources_jobs_wanted(in));
}

int inputs_read(struct inputs *in, const char *trace, const char *topology,
                const struct trace_options *o, struct gs_err *err)
{
    /* a dump given as both is one source */
    const bool is_one = topology && strcmp(trace, topology) == 0;
    struct source from = { 0 }, cluster = { 0 };
    const unsigned had = err ? err->count : 0;
    int rc = both_open(&from, &cluster, trace, topology, o, err);
    /* objects are read beside the nodes of a native file */
    const bool is_first = rc == 0 && topology && source_is_foreign(&from)
                          && !source_is_foreign(&cluster);

    if (is_first)
        rc = topology_take(in, &cluster, err);
    if (rc == 0)
        rc = trace_take(in, &from, is_one ? NULL : &cluster, o, err);
    if (rc == 0)
        rc = source_is_foreign(&from) ? jobs_check(in, err) : 0;
    if (rc == 0 && !is_first)
        rc = topology ? topology_take(in, &cluster, err)
                      : inputs_read_topology(in, NULL, err);
    source_close(&from);
    source_close(&cluster);
    if (rc < 0 && !misplaced_tell(trace, PLACE_TRACE, had, err) && topology)
        (void)misplaced_tell(topology, PLACE_TOPOLOGY, had, err);
    if (rc < 0 || inputs_check(in, err) < 0)
        return -1;
    inputs_count_pods(in);
    sources_finish(in);
    trace_workload_settle(in->work);
    return 0;
}

const struct sim_speed *inputs_read_speed_file(struct inputs *in,
                                               const char *path,
                                               struct gs_err *err)
{
    struct gs_input *file = gs_input_open(path, err);
    const struct sim_speed *m;

    if (!file)
        return NULL;
    m = sim_speed_read(file, in->topo, in->arena, err);
    in->speed_hash = gs_input_hash(file);
    gs_input_close(file);
    return m;
}

int inputs_read_speed(struct inputs *in, const char *spec, struct gs_err *err)
{
    static const struct sim_speed all_reduce = { .is_all_reduce = true };

    if (!spec || strcmp(spec, "none") == 0)
        return 0;
    in->speed_spec = spec;
    in->speed = strcmp(spec, "all-reduce") == 0
                    ? &all_reduce
                    : inputs_read_speed_file(in, spec, err);
    return in->speed ? sim_speed_check(in->speed, in->topo, in->work,
                                       in->topology_path, err)
                     : -1;
}

const struct trace_model *inputs_read_model(struct inputs *in, const char *path,
                                            struct gs_err *err)
{
    struct gs_input *file = gs_input_open(path, err);
    const struct trace_model *m;

    if (!file)
        return NULL;
    m = trace_model_read(file, in->arena, err);
    gs_input_close(file);
    return m;
}

int inputs_read_scenario(struct inputs *in, const char *path,
                         struct gs_err *err)
{
    struct gs_input *file;

    if (!path)
        return 0;
    file = gs_input_open(path, err);
    if (!file)
        return -1;
    sim_scenario_destroy(in->scenario);
    in->scenario_path = path;
    in->scenario = sim_scenario_read(file, in->arena, in->topo, err);
    in->scenario_hash = gs_input_hash(file);
    gs_input_close(file);
    return in->scenario ? 0 : -1;
}
