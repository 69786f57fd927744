/* policies/reservation/easy_slots.c - where the head will stand at the shadow
 * time.
 *
 * Groups that ask for different things may fit in one way and not in another,
 * and more room is no help to a search in order.  So the way that was found
 * when the head was promised a time is kept: it stands as long as no job takes
 * of it, and when the time has come, and the modules know no way that they like
 * better, it is taken.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/reservation/easy_shadow.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

static const struct topo_request *request_of(const struct gsched *s,
                                             uint32_t job, uint32_t group)
{
    return &s->work->shape[gsched_group(s, job, group)->shape];
}

static void draft_add(struct shadow_state *f, uint32_t group, uint32_t node,
                      uint32_t tasks)
{
    f->draft = gs_array_grow(f->draft, &f->draft_cap, f->draft_count + 1,
                             sizeof(*f->draft));
    f->draft[f->draft_count++] = (struct slot){ group, node, tasks };
}

/* Place `n` tasks of a group on nodes [from, end), anyhow. */
static bool group_find(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t from, uint32_t end)
{
    struct shadow_state *f = s->shadow;
    const uint32_t shape = gsched_group(s, job, group)->shape;
    const struct topo_request *r = request_of(s, job, group);
    uint32_t n = gsched_gang_of(s, job, group);
    bool moved = true;

    while (n && moved) {
        const uint32_t count = topo_cluster_groups(f->cluster)->count;

        moved = false;
        for (uint32_t i = 0; i < count && n; i++) {
            const uint32_t fit = gsched_shadow_fit(s, i, shape);
            const uint32_t node =
                fit ? topo_group_first(f->cluster, i, from, end) : NONE;
            const uint32_t k = topo_request_is_part(r) ? 1 : fit < n ? fit : n;

            if (node == NONE)
                continue;
            topo_cluster_allocate(f->cluster, node, r, k, UINT32_MAX);
            draft_add(f, group, node, k);
            n -= k;
            moved = true;
        }
    }
    return n == 0;
}

bool gsched_slot_find(struct gsched *s, uint32_t job, uint32_t from,
                      uint32_t end)
{
    struct shadow_state *f = s->shadow;
    const uint32_t mark = topo_cluster_begin(f->cluster);
    struct slot *const old = f->slot;
    const uint32_t old_cap = f->slot_cap;
    bool fits = true;

    assert(from <= end && end <= s->topo->node_count);
    f->draft_count = 0;
    for (uint32_t g = 0; g < s->work->job[job].group_count && fits; g++)
        fits = group_find(s, job, g, from, end);
    topo_cluster_rollback(f->cluster, mark);
    if (!fits)
        return false;
    f->slot = f->draft;
    f->slot_count = f->draft_count;
    f->slot_cap = f->draft_cap;
    f->draft = old;
    f->draft_cap = old_cap;
    f->slotted = job;
    return true;
}

static bool slot_fits(const struct gsched *s, const struct topo_cluster *c,
                      uint32_t job, const struct slot *at)
{
    return topo_group_fit(c, topo_cluster_group_of(c, at->node),
                          request_of(s, job, at->group))
           >= at->tasks;
}

bool gsched_slot_stands(struct gsched *s, uint32_t job)
{
    struct shadow_state *f = s->shadow;
    uint32_t mark, i = 0;

    if (f->slotted != job)
        return false;
    mark = topo_cluster_begin(f->cluster);
    while (i < f->slot_count && slot_fits(s, f->cluster, job, &f->slot[i])) {
        topo_cluster_allocate(f->cluster, f->slot[i].node,
                              request_of(s, job, f->slot[i].group),
                              f->slot[i].tasks, UINT32_MAX);
        i++;
    }
    topo_cluster_rollback(f->cluster, mark);
    return i == f->slot_count;
}

void gsched_slot_mark(struct gsched *s)
{
    struct shadow_state *f = s->shadow;

    for (uint32_t i = 0; i < f->slot_count; i++) {
        const uint32_t node = f->slot[i].node;

        if (f->avoid[node])
            continue;
        f->avoid[node] = 1;
        f->avoided = gs_array_grow(f->avoided, &f->avoided_cap,
                                   f->avoided_count + 1, sizeof(*f->avoided));
        f->avoided[f->avoided_count++] = node;
    }
}

/* One task of a reserved slot; false when it may not stand there now. */
static bool task_take(struct gsched *s, uint32_t job, const struct slot *at,
                      uint32_t task)
{
    const struct scope w = gsched_scope_all(s, job, at->group);
    const struct slot one = { at->group, at->node, 1 };
    struct topo_grant g;

    if (!slot_fits(s, s->cluster, job, &one)
        || gsched_modules_allow_node(s, &w, at->node) != at->node)
        return false;
    g = gsched_take(s, at->node, request_of(s, job, at->group), 1);
    gsched_propose(s, job, at->group, task, &g);
    return true;
}

bool gsched_slot_take(struct gsched *s, uint32_t job)
{
    const struct shadow_state *f = s->shadow;
    const uint32_t first = s->decision_count, placed = s->jobs->job[job].placed;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits = f->slotted == job;
    uint32_t task = 0;

    for (uint32_t i = 0; i < f->slot_count && fits; i++) {
        if (i > 0 && f->slot[i].group != f->slot[i - 1].group)
            task = 0;
        for (uint32_t k = 0; k < f->slot[i].tasks && fits; k++)
            fits = task_take(s, job, &f->slot[i], task++);
    }
    if (fits) {
        s->jobs->job[job].placed = s->work->job[job].gang;
        fits = gsched_modules_ready(s, job);
        s->jobs->job[job].placed = placed;
    }
    if (!fits) {
        gsched_undo(s, mark, first);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    return true;
}
