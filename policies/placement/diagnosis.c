/* policies/placement/diagnosis.c - diagnosis of a failed placement.
 *
 * Called when an entry could not be placed, and while it is unschedulable
 * whenever the result may change (gsched_causes_follow).  The causes are
 * checked in this order: no suitable hardware (constraint); it would fit if
 * partially allocated jobs were evicted (hoarding); less is free than it asks
 * for (capacity); it would fit without rules about other jobs (constraint); it
 * fits outside its tier (topology); otherwise enough is free, but scattered
 * (fragmentation).
 */
#include "policies/placement/placement.h"

#include <assert.h>

#include "policies/placement/candidates.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* True when some open node has hardware that suits the shape. */
static bool has_nodes(struct gsched *s, uint32_t shape)
{
    const struct shape_view *sv = gsched_shape_known(s, shape);
    const uint32_t classes = s->topo->class_count;
    uint32_t k = class_set_next(&sv->suits, 0, classes);

    while (k < classes && topo_class_open(s->cluster, k) == 0)
        k = class_set_next(&sv->suits, k + 1, classes);
    return k < classes;
}

static bool has_hardware(struct gsched *s, const struct queue_entry *it)
{
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t shape = gsched_group(s, it->job, g)->shape;

        if (gsched_entry_tasks(s, it, g)
            && (gsched_shape_known(s, shape)->most == 0
                || !has_nodes(s, shape)))
            return false;
    }
    return true;
}

/* Release, within a transaction, all that the job holds. */
static void release_all(struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;

    for (uint32_t at = gsched_job(s, job)->first_allocation; at != NONE;
         at = all[at].next)
        topo_cluster_release(s->cluster, gsched_request(s, job, all[at].group),
                             &all[at].grant);
}

/* True when the entry would fit if every other partially allocated job were
 * evicted.  More room never hurts, so the search ends as soon as it fits; the
 * room is looked at after 1, 2, 4 ... jobs.
 */
static bool is_hoarded(struct gsched *s, const struct queue_entry *it)
{
    const struct gs_numbers *partial = &s->allocations->partial;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits = false;

    for (uint32_t i = 0, next = 1; i < partial->count && !fits; i++) {
        if (partial->at[i] != it->job)
            release_all(s, partial->at[i]);
        if (i + 1 == next || i + 1 == partial->count) {
            fits = gsched_entry_has_room(s, it);
            next *= 2;
        }
    }
    topo_cluster_rollback(s->cluster, mark);
    return fits;
}

int64_t gsched_suitable_free(struct gsched *s, uint32_t shape, uint32_t dim)
{
    const struct shape_view *sv = gsched_shape_known(s, shape);
    int64_t few = 0;

    for (uint32_t i = 0; i < sv->suits.few_count; i++)
        few += topo_class_free(s->cluster, sv->suits.few[i], dim);
    return sv->suits.is_of_others ? topo_domain_free(s->cluster, 0, dim) - few
                                  : few;
}

/* Does the sum of what is free on nodes that suit each task, or on all nodes,
 * cover the request of the entry?
 */
static bool has_capacity(struct gsched *s, const struct queue_entry *it,
                         bool of_all)
{
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t n = gsched_entry_tasks(s, it, g);
        const uint32_t shape = gsched_group(s, it->job, g)->shape;
        const struct topo_request *r = &s->work->shape[shape];

        for (uint32_t d = 0; n && d < s->topo->dims->count; d++) {
            if (r->amount[d] > 0
                && (of_all ? topo_domain_free(s->cluster, 0, d)
                           : gsched_suitable_free(s, shape, d))
                       < n * r->amount[d])
                return false;
        }
    }
    return true;
}

bool gsched_has_capacity(struct gsched *s, const struct queue_entry *it)
{
    return has_capacity(s, it, false);
}

bool gsched_moves_have_capacity(struct gsched *s, const struct queue_entry *it)
{
    return has_capacity(s, it, true);
}

/* True when the entry would fit in its domain without rules about other jobs.
 */
static bool is_ruled_out(struct gsched *s, const struct queue_entry *it)
{
    const uint32_t first = s->decision_count;
    struct scope w = gsched_scope_all(s, it->job, it->group);
    uint32_t mark;
    bool fits;

    if (!w.has_rules || !gsched_entry_has_room(s, it))
        return false;
    w.has_rules = false;
    if (it->group != NONE) {
        gsched_topology_stay(s, &w);
        return gsched_shape_fits(s, gsched_group(s, it->job, it->group)->shape,
                                 &w);
    }
    mark = topo_cluster_begin(s->cluster);
    fits = gsched_gang_place_in(s, &w);
    gsched_undo(s, mark, first);
    return fits;
}

/* Must the gang, or its tasks of a group, stand in one domain? */
static bool is_bound(const struct gsched *s, uint32_t job)
{
    bool is = gsched_bound_level(s, job) > 0;

    for (uint32_t g = 0; g < s->work->job[job].group_count && !is; g++)
        is = gsched_group_bound_level(s, job, g) > 0;
    return is;
}

enum gsched_cause gsched_cause_of(struct gsched *s,
                                  const struct queue_entry *it)
{
    assert(it->job < s->jobs->job_count);
    if (!has_hardware(s, it))
        return GSCHED_CONSTRAINT;
    if (s->allocations->partial.count && !gsched_entry_has_room(s, it)
        && is_hoarded(s, it))
        return GSCHED_HOARDING;
    if (!gsched_has_capacity(s, it))
        return GSCHED_CAPACITY;
    if (is_ruled_out(s, it)) /* by claims, where nothing else rules */
        return s->booked || gsched_has_label_rules(s, it->job)
                   ? GSCHED_CONSTRAINT
                   : GSCHED_ORDER;
    if (is_bound(s, it->job) && gsched_entry_has_room(s, it))
        return GSCHED_TOPOLOGY;
    return GSCHED_FRAGMENTATION;
}
