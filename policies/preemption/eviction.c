/* policies/preemption/eviction.c - tentative evictions */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/preemption/preemption.h"
#include "policies/preemption/turns.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

void gsched_attempt_open(struct gsched *s, uint64_t seed)
{
    if (!s->running->may_evict)
        return;
    (void)gsched_follow_nodes(s); /* nothing is placed yet */
    s->evict = gs_arena_alloc(s->arena, 1, sizeof(*s->evict));
    gsched_room_open(s);
    s->evict->seen = gs_arena_alloc(s->arena, s->topo->node_count,
                                    sizeof(*s->evict->seen));
    s->evict->chosen = gs_arena_alloc(s->arena, s->topo->node_count, 1);
    gsched_turns_open(s);
    s->evict->domain = gs_arena_alloc(s->arena, s->profile->domains,
                                      sizeof(*s->evict->domain));
    if (s->profile->start == GSCHED_START_VICTIMS)
        return;
    s->evict->possible = gs_arena_alloc(s->arena, s->topo->node_count,
                                        sizeof(*s->evict->possible));
    gs_rng_init(&s->evict->rng, seed, "preemption");
}

void gsched_attempt_free(struct gsched *s)
{
    struct gsched_evict *e = s->evict;

    if (!e)
        return;
    gsched_room_free(s);
    gs_array_free(e->victim);
    gs_array_free(e->job);
    gs_array_free(e->shown);
    gs_array_free(e->protected);
    gs_array_free(e->scratch);
    gs_array_free(e->evicted);
    gs_array_free(e->tentative);
    gs_array_free(e->proposal);
    gs_array_free(e->cqueue);
    gs_array_free(e->standing);
    gs_array_free(e->bundle);
    gs_array_free(e->ordered);
    gs_array_free(e->ranked);
}

/* Count the tasks of an allocation as released (sign -1), or as held again (1).
 */
static void allocation_count(struct gsched *s, struct allocation *a, int sign)
{
    const struct topo_request *r = gsched_request(s, a->job, a->group);
    const uint32_t tasks = a->grant.tasks;
    uint32_t *placed = &gsched_job(s, a->job)->placed;
    uint32_t *group_placed =
        &s->jobs->group_placed[s->work->job[a->job].first_group + a->group];

    assert(sign == 1 || sign == -1);
    assert(a->is_evicted == (sign > 0));
    a->is_evicted = sign < 0;
    if (sign < 0) {
        assert(*placed >= tasks && *group_placed >= tasks);
        topo_cluster_release(s->cluster, r, &a->grant);
        gsched_tell(s, a->job, a->group, a->grant.node, tasks, TOLD_RELEASED);
        *placed -= tasks;
        *group_placed -= tasks;
    } else {
        topo_cluster_take(s->cluster, r, &a->grant);
        gsched_tell(s, a->job, a->group, a->grant.node, tasks, TOLD_PLACED);
        *placed += tasks;
        *group_placed += tasks;
    }
    gsched_usage_allocated(s, a->job, a->group, tasks, sign);
}

void gsched_evict(struct gsched *s, uint32_t job, uint32_t allocation,
                  bool breaks)
{
    struct gsched_evict *e = s->evict;
    struct allocation *all = s->allocations->allocation;
    struct job_state *j = gsched_job(s, job);
    struct evicted it = { .job = job,
                          .head = allocation,
                          .newer = NONE,
                          .is_whole = allocation == NONE,
                          .breaks = breaks };

    if (it.is_whole) {
        it.head = j->first_allocation;
        assert(it.head != NONE);
        j->first_allocation = NONE;
        for (uint32_t i = it.head; i != NONE; i = all[i].next)
            allocation_count(s, &all[i], -1);
    } else {
        it.newer = gsched_allocation_unlink(s, allocation);
        allocation_count(s, &all[allocation], -1);
    }
    e->evicted = gs_array_grow(e->evicted, &e->evicted_cap,
                               e->evicted_count + 1, sizeof(*e->evicted));
    e->evicted[e->evicted_count++] = it;
}

void gsched_restore_one(struct gsched *s, uint32_t at)
{
    struct gsched_evict *e = s->evict;
    struct allocation *all = s->allocations->allocation;
    const struct evicted g = e->evicted[at];

    assert(at < e->evicted_count);
    e->evicted_count--;
    memmove(e->evicted + at, e->evicted + at + 1,
            (e->evicted_count - at) * sizeof(*e->evicted));
    if (g.newer == NONE)
        gsched_job(s, g.job)->first_allocation = g.head;
    else
        all[g.newer].next = g.head;
    all[g.head].newer = g.newer;
    if (!g.is_whole) {
        if (all[g.head].next != NONE)
            all[all[g.head].next].newer = g.head;
        allocation_count(s, &all[g.head], 1);
        return;
    }
    for (uint32_t i = g.head; i != NONE; i = all[i].next) {
        if (all[i].is_evicted)
            allocation_count(s, &all[i], 1);
    }
}

void gsched_restore(struct gsched *s, uint32_t at)
{
    while (s->evict->evicted_count > at)
        gsched_restore_one(s, s->evict->evicted_count - 1);
}

void gsched_attempt_remember(struct gsched *s, uint32_t first)
{
    struct gsched_evict *e = s->evict;

    e->proposal_count = s->decision_count - first;
    e->proposal = gs_array_grow(e->proposal, &e->proposal_cap,
                                e->proposal_count + 1, sizeof(*e->proposal));
    memcpy(e->proposal, s->decision + first,
           e->proposal_count * sizeof(*e->proposal));
    e->tentative_count = e->evicted_count;
    e->tentative = gs_array_grow(e->tentative, &e->tentative_cap,
                                 e->evicted_count + 1, sizeof(*e->tentative));
    if (e->evicted_count)
        memcpy(e->tentative, e->evicted,
               e->evicted_count * sizeof(*e->tentative));
}

bool gsched_rules_stand(struct gsched *s, uint32_t job, uint32_t first)
{
    bool stands = true;

    if (!gsched_has_rules(s, job))
        return true;
    for (uint32_t i = s->decision_count; i-- > first;) {
        const struct gsched_decision *d = &s->decision[i];

        gsched_tell(s, job, d->group, d->grant.node, d->grant.tasks,
                    TOLD_RELEASED);
    }
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];
        const struct scope w = gsched_scope_all(s, job, d->group);

        stands &= gsched_modules_allow_node(s, &w, d->grant.node)
                  == d->grant.node;
        gsched_tell(s, job, d->group, d->grant.node, d->grant.tasks,
                    TOLD_PLACED);
    }
    return stands;
}

void gsched_attempt_undo(struct gsched *s, uint32_t mark, uint32_t first)
{
    while (s->decision_count > first) {
        const struct gsched_decision *d = &s->decision[--s->decision_count];

        topo_cluster_release(s->cluster, gsched_request(s, d->job, d->group),
                             &d->grant);
        gsched_tell(s, d->job, d->group, d->grant.node, d->grant.tasks,
                    TOLD_RELEASED);
    }
    gsched_restore(s, 0);
    topo_cluster_forget(s->cluster, mark);
}

bool gsched_evicted_later(const struct evicted *e, uint32_t count, uint32_t at)
{
    for (uint32_t i = at + 1; i < count; i++) {
        if (e[i].job == e[at].job)
            return true;
    }
    return false;
}

void gsched_victim_amount(const struct gsched *s, uint32_t job,
                          uint32_t allocation, int64_t *amount)
{
    const struct allocation *a;

    if (allocation == NONE) {
        gsched_job_used(s, job, amount);
        return;
    }
    a = &s->allocations->allocation[allocation];
    assert(a->job == job);
    memset(amount, 0, s->topo->dims->count * sizeof(*amount));
    topo_grant_add(s->topo, gsched_request(s, job, a->group), &a->grant, 1,
                   amount);
}
