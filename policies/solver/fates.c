/* policies/solver/fates.c - what a trial made of its units: which stay, move or
 * go.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/solver/solver.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* A number for where tasks are: equal sums for equal places, else almost surely
 * different ones.  Whole devices of one node are alike.
 */
static uint64_t place_hash(const struct gsched *s, uint32_t job, uint32_t group,
                           const struct topo_grant *g)
{
    const struct topo_request *r = gsched_request(s, job, group);
    uint64_t x = ((uint64_t)group << 32 | g->node) + 1;

    if (topo_request_is_part(r))
        x ^= (g->devices + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) * g->tasks;
}

void gsched_fates_find(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    const struct allocation *all = s->allocations->allocation;

    for (uint32_t i = 0; i < v->chosen_count; i++) {
        struct unit *u = &v->unit[v->chosen[i]];
        const struct evicted *e = &s->evict->evicted[i];

        assert(e->job == u->job);
        u->fate = UNIT_GOES;
        u->places = 0;
        for (uint32_t a = e->head; a != NONE;
             a = e->is_whole ? all[a].next : NONE)
            u->places += place_hash(s, u->job, all[a].group, &all[a].grant);
    }
    for (uint32_t i = 0; i < v->place_count; i++) {
        const struct solver_place *p = &v->place[i];

        if (p->unit == NONE)
            continue;
        v->unit[p->unit].fate = UNIT_MOVES;
        v->unit[p->unit].places -= place_hash(s, p->d.job, p->d.group,
                                              &p->d.grant);
    }
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        struct unit *u = &v->unit[v->chosen[i]];

        if (u->fate == UNIT_MOVES && u->places == 0)
            u->fate = UNIT_STAYS;
    }
    /* a job that goes as a whole takes its tasks above the gang with it */
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        const struct unit *u = &v->unit[v->chosen[i]];

        for (uint32_t b = u->before;
             u->allocation == NONE && u->fate != UNIT_STAYS && b != NONE;
             b = v->unit[b].before) {
            if (v->unit[b].fate == UNIT_STAYS)
                v->unit[b].fate = UNIT_MOVES;
        }
    }
}

static bool is_kept(const struct gsched_solver *v, const struct solver_place *p)
{
    return p->unit == NONE || v->unit[p->unit].fate != UNIT_STAYS;
}

/* Take the place: the same devices, or others of the node. */
static bool place_take(struct gsched *s, struct solver_place *p)
{
    const struct topo_request *r = gsched_request(s, p->d.job, p->d.group);
    const uint32_t node = p->d.grant.node, tasks = p->d.grant.tasks;

    if (topo_cluster_could_take(s->cluster, r, &p->d.grant)) {
        topo_cluster_take(s->cluster, r, &p->d.grant);
    } else {
        if (topo_group_fit(s->cluster, topo_cluster_group_of(s->cluster, node),
                           r)
            < tasks)
            return false;
        p->d.grant = gsched_take(s, node, r, tasks);
    }
    gsched_propose(s, p->d.job, p->d.group, p->d.first_task, &p->d.grant);
    return true;
}

/* Do all others have their places while the units that stay are not evicted? */
static bool fits_beside_those_that_stay(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits = true;

    s->evict->evicted_count = 0;
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        if (v->unit[v->chosen[i]].fate != UNIT_STAYS)
            gsched_unit_evict(s, v->chosen[i]);
    }
    for (uint32_t i = 0; i < v->place_count && fits; i++)
        fits = !is_kept(v, &v->place[i]) || place_take(s, &v->place[i]);
    gsched_attempt_undo(s, mark, first);
    return fits;
}

void gsched_fates_settle(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    uint32_t stays = 0, n = 0;

    for (uint32_t i = 0; i < v->chosen_count; i++)
        stays += v->unit[v->chosen[i]].fate == UNIT_STAYS;
    if (!stays)
        return;
    v->spare = gs_array_grow(v->spare, &v->spare_cap, v->place_count + 1,
                             sizeof(*v->spare));
    memcpy(v->spare, v->place, v->place_count * sizeof(*v->place));
    if (!fits_beside_those_that_stay(s)) {
        memcpy(v->place, v->spare, v->place_count * sizeof(*v->place));
        for (uint32_t i = 0; i < v->chosen_count; i++) {
            struct unit *u = &v->unit[v->chosen[i]];

            u->fate = u->fate == UNIT_STAYS ? UNIT_MOVES : u->fate;
        }
        return;
    }
    for (uint32_t i = 0; i < v->place_count; i++) {
        if (is_kept(v, &v->place[i]))
            v->place[n++] = v->place[i];
    }
    v->place_count = n;
}
