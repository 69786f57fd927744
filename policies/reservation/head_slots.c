/* policies/reservation/head_slots.c - where the head will stand.
 *
 * With different requests in one gang a search may fail although another
 * assignment fits, and may fail even with more room.  So the slots found for
 * the reservation are kept while no job uses them; if the modules find no other
 * placement at the reserved time, the head gets these slots.
 */
#include <assert.h>

#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/jobs.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

static bool is_booked(const struct gsched *s, uint32_t job, uint32_t node)
{
    return s->booked
           && gsched_booked_refuses(s, job, node, s->shadow->shadow_time,
                                    gsched_job(s, job)->estimate);
}

/* The same as group_find() node by node, since some are kept for others then.
 */
static bool group_find_open(struct gsched *s, uint32_t job, uint32_t group,
                            uint32_t from, uint32_t end)
{
    struct shadow_state *f = s->shadow;
    const uint32_t shape = gsched_group(s, job, group)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    uint32_t n = gsched_gang_of(s, job, group);

    for (uint32_t node = from; node < end && n; node++) {
        uint32_t fit, k;

        if (is_booked(s, job, node))
            continue;
        while (n
               && (fit = gsched_shadow_fit(
                       s, topo_cluster_group_of(f->cluster, node), shape))
                      > 0) {
            k = topo_request_is_part(r) ? 1 : fit < n ? fit : n;
            topo_cluster_allocate(f->cluster, node, r, k, UINT32_MAX);
            gsched_slot_add(&f->draft, group, node, k);
            n -= k;
        }
    }
    return n == 0;
}

/* Place the tasks of a group in the gang on nodes [from, end). */
static bool group_find(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t from, uint32_t end)
{
    struct shadow_state *f = s->shadow;
    const uint32_t shape = gsched_group(s, job, group)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    uint32_t n = gsched_gang_of(s, job, group);
    bool has_moved = true;

    while (n && has_moved) {
        const uint32_t count = topo_cluster_groups(f->cluster)->count;

        has_moved = false;
        for (uint32_t i = 0; i < count && n; i++) {
            const uint32_t fit = gsched_shadow_fit(s, i, shape);
            const uint32_t node =
                fit ? topo_group_first(f->cluster, i, from, end) : NONE;
            const uint32_t k = topo_request_is_part(r) ? 1 : fit < n ? fit : n;

            if (node == NONE)
                continue;
            topo_cluster_allocate(f->cluster, node, r, k, UINT32_MAX);
            gsched_slot_add(&f->draft, group, node, k);
            n -= k;
            has_moved = true;
        }
    }
    return n == 0;
}

/* The same of the group and those that share its domain. */
static bool set_find(struct gsched *s, uint32_t job, uint32_t group,
                     uint32_t from, uint32_t end)
{
    const struct trace_job *j = &s->work->job[job];
    struct shadow_state *f = s->shadow;
    const uint32_t mark = topo_cluster_begin(f->cluster);
    const uint32_t slots = f->draft.slots;
    bool fits = from < end;

    for (uint32_t g = group; g < j->group_count && fits; g++) {
        if (trace_groups_join(s->work, j, group, g))
            fits = s->booked ? group_find_open(s, job, g, from, end)
                             : group_find(s, job, g, from, end);
    }
    if (fits) {
        topo_cluster_commit(f->cluster, mark);
        return true;
    }
    topo_cluster_rollback(f->cluster, mark);
    f->draft.slots = slots;
    return false;
}

/* The same in one domain of the level. */
static bool domain_find(struct gsched *s, uint32_t job, uint32_t group,
                        const struct scope *w, uint32_t level)
{
    bool fits = false;

    for (uint32_t d = 0; !fits && d < s->topo->domain_count; d++) {
        const struct scope in = gsched_scope_domain(s, job, d);

        fits = s->topo->domain[d].level == level
               && set_find(s, job, group, in.from > w->from ? in.from : w->from,
                           in.end < w->end ? in.end : w->end);
    }
    return fits;
}

/* The same on one node: of those in one state the first is tried. */
static bool node_find(struct gsched *s, uint32_t job, uint32_t group,
                      const struct scope *w)
{
    const struct topo_groups *now = topo_cluster_groups(s->shadow->cluster);
    bool fits = false;

    for (uint32_t i = 0; !fits && i < now->count; i++) {
        const uint32_t node = topo_group_first(s->shadow->cluster, i, w->from,
                                               w->end);

        fits = node != NONE && set_find(s, job, group, node, node + 1);
    }
    return fits;
}

/* The same where they must stand. */
static bool part_find(struct gsched *s, uint32_t job, uint32_t group,
                      const struct scope *w)
{
    const uint32_t level = gsched_group_bound_level(s, job, group);

    if (level == 0)
        return set_find(s, job, group, w->from, w->end);
    return level > s->topo->tier_count ? node_find(s, job, group, w)
                                       : domain_find(s, job, group, w, level);
}

bool gsched_head_slots_find(struct gsched *s, uint32_t job,
                            const struct scope *w)
{
    struct shadow_state *f = s->shadow;
    const struct reservation old = f->found;
    const uint32_t mark = topo_cluster_begin(f->cluster);
    bool fits = true;

    assert(w->from <= w->end && w->end <= s->topo->node_count);
    f->draft.job = job;
    f->draft.slots = 0;
    for (uint32_t g = 0; g < s->work->job[job].group_count && fits; g++)
        fits = trace_groups_first(s->work, &s->work->job[job], g) < g
               || part_find(s, job, g, w);
    topo_cluster_rollback(f->cluster, mark);
    if (!fits)
        return false;
    f->found = f->draft;
    f->draft = old;
    return true;
}

bool gsched_head_slots_stand(struct gsched *s, uint32_t job)
{
    struct shadow_state *f = s->shadow;
    uint32_t mark, i = 0;

    if (f->found.job != job)
        return false;
    mark = topo_cluster_begin(f->cluster);
    for (; i < f->found.slots; i++) {
        const struct reserved_slot *at = &f->found.slot[i];
        const struct topo_request *r = gsched_request(s, job, at->group);

        if (is_booked(s, job, at->node)
            || topo_group_fit(f->cluster,
                              topo_cluster_group_of(f->cluster, at->node), r)
                   < at->tasks)
            break;
        topo_cluster_allocate(f->cluster, at->node, r, at->tasks, UINT32_MAX);
    }
    topo_cluster_rollback(f->cluster, mark);
    return i == f->found.slots;
}
