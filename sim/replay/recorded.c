/* sim/replay/recorded.c - the devices of a recorded run, see recorded.h. */
#include "sim/replay/recorded.h"

#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "topology/topology.h"
#include "traces/workload/records.h"
#include "traces/workload/workload.h"

#define NONE UINT32_MAX

void sim_recorded_open(struct sim_recorded *r, const struct topo *t,
                       const struct trace_workload *w)
{
    assert(r && t && w);
    *r = (struct sim_recorded){ .topo = t, .work = w };
    r->names = gs_strtab_count(w->names);
    r->node_of = gs_array_new(r->names, sizeof(*r->node_of));
    for (uint32_t n = 0; n < t->node_count; n++)
        r->node_of[t->node_name[n]] = n + 1;
}

void sim_recorded_free(struct sim_recorded *r)
{
    gs_array_free(r->node_of);
    gs_array_free(r->at);
    *r = (struct sim_recorded){ 0 };
}

/* The next tasks of the job that are to be placed. */
struct cursor {
    uint32_t job, group, task;
};

static const struct trace_group *group_at(const struct sim_recorded *r,
                                          const struct cursor *at)
{
    const struct trace_job *j = &r->work->job[at->job];

    return at->group < j->group_count
               ? trace_group_at(r->work, j->first_group + at->group)
               : NULL;
}

static void allocate(struct sim_recorded *r, struct topo_cluster *c,
                     struct cursor *at, uint32_t node, uint32_t tasks)
{
    const struct trace_group *g = group_at(r, at);
    const struct topo_request *q = &r->work->shape[g->shape];
    const uint32_t most = q->share || q->mig ? 1 : tasks;

    while (tasks > 0) {
        const uint32_t n = tasks < most ? tasks : most;

        r->at = gs_array_grow(r->at, &r->cap, r->count + 1, sizeof(*r->at));
        r->at[r->count++] = (struct sim_recorded_grant){
            at->group, at->task, topo_cluster_allocate(c, node, q, n, NONE)
        };
        at->task += n;
        tasks -= n;
    }
    if (at->task == g->replicas) {
        at->group++;
        at->task = 0;
    }
}

/* How many of the tasks the node has room for, whatever its labels. */
static uint32_t room_on(const struct sim_recorded *r,
                        const struct topo_cluster *c, uint32_t node,
                        const struct topo_request *q)
{
    const enum topo_misfit misfit = topo_class_misfit(
        r->topo, r->topo->node_class[node], q);

    if (misfit == TOPO_NO_MODEL || misfit == TOPO_TOO_SMALL
        || topo_cluster_is_cordoned(c, node))
        return 0;
    return topo_group_fit(c, topo_cluster_group_of(c, node), q);
}

static bool place_there(struct sim_recorded *r, struct topo_cluster *c,
                        struct cursor *at, const struct trace_record *run)
{
    for (uint32_t i = 0; i < run->spot_count; i++) {
        const struct trace_spot *s =
            &r->work->records->spot[run->first_spot + i];
        const uint32_t node = s->node < r->names ? r->node_of[s->node] : 0;
        uint32_t left = s->tasks;

        if (!node)
            return false;
        while (left > 0) {
            const struct trace_group *g = group_at(r, at);
            const uint32_t rest = g ? g->replicas - at->task : 0;
            const uint32_t tasks = left < rest ? left : rest;

            if (!g
                || room_on(r, c, node - 1, &r->work->shape[g->shape]) < tasks)
                return false;
            allocate(r, c, at, node - 1, tasks);
            left -= tasks;
        }
    }
    return true;
}

/* The state group whose nodes the task fits best: those with the fewest free
 * GPUs, then CPUs, then the lowest node.
 */
static uint32_t best_group(const struct sim_recorded *r,
                           const struct topo_cluster *c,
                           const struct topo_request *q)
{
    const struct topo_groups *all = topo_cluster_groups(c);
    uint32_t best = NONE;

    for (uint32_t i = 0; i < all->live_count; i++) {
        const uint32_t g = all->live[i];

        if ((all->kinds[g] & TOPO_CLOSED)
            || topo_class_misfit(r->topo, all->klass[g], q) != TOPO_FITS
            || !topo_group_has_room(c, g, q))
            continue;
        if (best == NONE || all->free[TOPO_GPU][g] < all->free[TOPO_GPU][best]
            || (all->free[TOPO_GPU][g] == all->free[TOPO_GPU][best]
                && (all->free[TOPO_CPU][g] < all->free[TOPO_CPU][best]
                    || (all->free[TOPO_CPU][g] == all->free[TOPO_CPU][best]
                        && all->first[g] < all->first[best]))))
            best = g;
    }
    return best;
}

static bool place_anywhere(struct sim_recorded *r, struct topo_cluster *c,
                           struct cursor *at)
{
    const struct trace_group *g;

    while ((g = group_at(r, at)) != NULL) {
        const struct topo_request *q = &r->work->shape[g->shape];
        const uint32_t group = best_group(r, c, q);
        const uint32_t left = g->replicas - at->task;
        uint32_t room;

        if (group == NONE)
            return false;
        room = topo_group_fit(c, group, q);
        allocate(r, c, at, topo_cluster_groups(c)->first[group],
                 room < left ? room : left);
    }
    return true;
}

enum sim_recorded_place sim_recorded_find(struct sim_recorded *r,
                                          struct topo_cluster *c, uint32_t job,
                                          const struct trace_record *run)
{
    const bool has_nodes = run && run->spot_count > 0;
    enum sim_recorded_place how = SIM_RECORDED_NOWHERE;

    for (int way = has_nodes ? 0 : 1; way < 2 && how == SIM_RECORDED_NOWHERE;
         way++) {
        const uint32_t mark = topo_cluster_begin(c);
        struct cursor at = { .job = job };

        r->count = 0;
        if (way == 0 && place_there(r, c, &at, run))
            how = SIM_RECORDED_THERE;
        else if (way == 1 && place_anywhere(r, c, &at))
            how = has_nodes ? SIM_RECORDED_ELSEWHERE : SIM_RECORDED_UNKNOWN;
        topo_cluster_rollback(c, mark);
    }
    if (how == SIM_RECORDED_NOWHERE)
        r->count = 0;
    return how;
}
