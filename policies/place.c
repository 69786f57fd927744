/* policies/place.c - gangs and single tasks onto nodes, in transactions.
 *
 * What is tried is allocated on the cluster itself and proposed as decisions;
 * either all of it stays, or all of it is undone.
 */
#include "policies/scheduler_private.h"

#include <assert.h>

#include "topology/cluster.h"

/* --- proposing -------------------------------------------------------------- */

void gsched_propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g)
{
    const struct gsched_decision d = { .kind = GSCHED_PLACE,
                                       .job = job,
                                       .group = group,
                                       .first_task = first_task,
                                       .grant = *g,
                                       .placed_at = s->now,
                                       .by = NONE };

    assert(job < s->job_count && group < s->work->job[job].group_count);
    assert(g->tasks > 0 && g->node < s->topo->node_count);
    assert(first_task + g->tasks <= gsched_group(s, job, group)->replicas);
    gsched_decide(s, &d);
    gsched_tell_placed(s, job, group, g->node, g->tasks);
}

void gsched_undo(struct gsched *s, uint32_t mark, uint32_t first)
{
    assert(first <= s->decision_count);
    topo_cluster_rollback(s->cluster, mark);
    while (s->decision_count > first) {
        const struct gsched_decision *d = &s->decision[--s->decision_count];

        gsched_tell_released(s, d->job, d->group, d->grant.node,
                             d->grant.tasks);
    }
}

struct where gsched_anywhere(const struct gsched *s, uint32_t job,
                             uint32_t group)
{
    assert(job < s->job_count);
    return (struct where){ .end = s->topo->node_count,
                           .job = job,
                           .group = group,
                           .has_rules = gsched_has_rules(s, job) };
}

/* The device for a share that the first module with an opinion picks. */
static uint32_t device_pick(struct gsched *s, uint32_t node,
                            const struct topo_request *r)
{
    static const uint8_t room = 1, accepted = GSP_ACCEPTED;
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    const struct gsp_view v = { .cluster = s->cluster,
                                .groups = topo_cluster_groups(s->cluster),
                                .first = group,
                                .count = 1,
                                .room = &room,
                                .hardware = &accepted };
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;
    const uint32_t n = s->topo->klass[v.groups->klass[group]].gpus;
    uint16_t left[TOPO_DEVICES_MAX];

    topo_node_shares(s->cluster, node, left);
    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];
        uint32_t device = GSP_NONE;

        if (m->module->device)
            device = m->module->device(m->self, &v, task, left, n);
        if (device < n)
            return device;
    }
    return UINT32_MAX;
}

struct topo_grant gsched_take(struct gsched *s, uint32_t node,
                              const struct topo_request *r, uint32_t tasks)
{
    return topo_cluster_allocate(
        s->cluster, node, r, tasks,
        s->picks_devices && r->share ? device_pick(s, node, r) : UINT32_MAX);
}

/* --- gangs ------------------------------------------------------------------ */

uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g)
{
    const struct trace_job *j = &s->work->job[job];

    assert(g < j->group_count);
    return j->group_count == 1 ? j->gang : s->group_gang[j->first_group + g];
}

/* Give groups more of the gang, in order, but no more than `possible` allows;
 * what is left.
 */
static uint32_t gang_fill(struct gsched *s, uint32_t job, uint32_t left,
                          bool possible)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; g < j->group_count && left > 0; g++) {
        const struct trace_group *group = gsched_group(s, job, g);
        uint32_t *n = &s->group_gang[j->first_group + g];
        const uint64_t most = possible ? gsched_shape(s, group->shape)->most
                                       : group->replicas;
        const uint32_t end = most < group->replicas ? (uint32_t)most
                                                    : group->replicas;
        const uint32_t more = end > *n ? end - *n : 0;

        *n += more < left ? more : left;
        assert(*n <= group->replicas);
        left -= more < left ? more : left;
    }
    return left;
}

void gsched_gang_divide(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t left = j->gang;

    assert(j->group_count > 1 && j->gang <= j->tasks);
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t min = gsched_group(s, job, g)->min;

        s->group_gang[j->first_group + g] = min;
        left -= min;
    }
    if (j->gang < j->tasks)
        left = gang_fill(s, job, left, true);
    (void)gang_fill(s, job, left, false); /* all of it is given to some group */
}

/* Place `count` tasks of a group; false when one is left. */
static bool place_group(struct gsched *s, uint32_t count, const struct where *w)
{
    const uint32_t shape = gsched_group(s, w->job, w->group)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    uint32_t task = 0;

    assert(w->from <= w->end && w->end <= s->topo->node_count);
    assert(count <= gsched_group(s, w->job, w->group)->replicas);
    while (task < count) {
        struct topo_grant g;
        struct choice best;
        uint32_t n = 1;

        if (!gsched_shape_best(s, shape, w, &best))
            return false;
        assert(best.node >= w->from && best.node < w->end && best.fits > 0);
        if (s->fills_nodes && !w->has_rules && !topo_request_is_part(r))
            n = best.fits < count - task ? best.fits : count - task;
        g = gsched_take(s, best.node, r, n);
        gsched_propose(s, w->job, w->group, task, &g);
        task += n;
    }
    return true;
}

bool gsched_gang_has_room(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t n = gsched_gang_of(s, job, g);

        if (n && !gsched_shape_has_room(s, gsched_group(s, job, g)->shape, n))
            return false;
    }
    return true;
}

bool gsched_gang_try(struct gsched *s, uint32_t job, const struct where *where)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t first = s->decision_count, placed = s->job[job].placed;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    struct where w = *where;
    bool ready = true;

    assert(placed < j->gang);
    assert(s->job[job].created >= j->gang);
    for (uint32_t g = 0; g < j->group_count && ready; g++) {
        w.group = g;
        ready = place_group(s, gsched_gang_of(s, job, g), &w);
    }
    if (ready) {
        s->job[job].placed = j->gang;
        ready = gsched_vote_ready(s, job);
        s->job[job].placed = placed;
    }
    if (!ready) {
        gsched_undo(s, mark, first);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    return true;
}

/* Ranks in the order of nodes, which is the order of racks and rails: tasks
 * that follow one another stand near one another.
 */
void gsched_order_ranks(struct gsched_decision *d, uint32_t n)
{
    assert(d || n == 0);
    if (n == 0)
        return;
    for (uint32_t i = 1; i < n; i++) {
        const struct gsched_decision it = d[i];
        uint32_t k = i;

        for (; k > 0 && d[k - 1].group == it.group
               && d[k - 1].grant.node > it.grant.node;
             k--)
            d[k] = d[k - 1];
        d[k] = it;
    }
    d[0].first_task = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (d[i].group == d[i - 1].group)
            d[i].first_task = d[i - 1].first_task + d[i - 1].grant.tasks;
        else
            d[i].first_task = 0;
    }
}

void gsched_gang_commit(struct gsched *s, uint32_t job, uint32_t first)
{
    assert(first < s->decision_count);
    if (s->subtree)
        gsched_order_ranks(s->decision + first, s->decision_count - first);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision d = s->decision[i];

        gsched_hold(s, job, d.group, d.first_task, &d.grant);
    }
}

bool gsched_place_gang(struct gsched *s, uint32_t job)
{
    const uint32_t first = s->decision_count;
    uint32_t mark;

    if (s->work->job[job].gang > 1 && !gsched_gang_has_room(s, job))
        return false;
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, job, NULL)) {
        topo_cluster_rollback(s->cluster, mark);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    gsched_gang_commit(s, job, first);
    return true;
}

/* --- single tasks ----------------------------------------------------------- */

bool gsched_place_task(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t task = s->group_placed[j->first_group + group];
    const uint32_t shape = gsched_group(s, job, group)->shape;
    struct where w = gsched_anywhere(s, job, group);
    struct topo_grant g;
    struct choice best;

    assert(task < gsched_group(s, job, group)->replicas);
    assert(gsched_group_missing(s, job, group) > 0);
    gsched_subtree_stay(s, &w);
    if (!gsched_shape_best(s, shape, &w, &best))
        return false;
    g = gsched_take(s, best.node, &s->work->shape[shape], 1);
    gsched_propose(s, job, group, task, &g);
    gsched_hold(s, job, group, task, &g);
    return true;
}

/* --- items ------------------------------------------------------------------ */

bool gsched_place_item(struct gsched *s, const struct item *it)
{
    assert(it->job < s->job_count);
    return it->group == NONE ? gsched_place_gang(s, it->job)
                             : gsched_place_task(s, it->job, it->group);
}

bool gsched_item_allocatable(struct gsched *s, const struct item *it)
{
    int64_t asked[TOPO_DIMS_MAX];

    if (!s->has_quota)
        return true;
    if (it->group != NONE)
        return gsched_vote_allocatable(
            s, it->job,
            s->work->shape[gsched_group(s, it->job, it->group)->shape].amount);
    gsched_job_minimum(s, it->job, asked);
    return gsched_vote_allocatable(s, it->job, asked);
}
