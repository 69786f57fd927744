/* policies/placement/gang_fit.c - places a gang on nodes in one transaction */
#include "policies/placement/placement.h"

#include <assert.h>
#include <string.h>

#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"
#include "traces/workload/task_rules.h"

/* --- gangs ---------------------------------------------------------------- */

/* Assign more tasks of the gang to groups, in order, at most what `possible`
 * allows.  Returns how many are left.
 */
static uint32_t gang_fill(struct gsched *s, uint32_t job, uint32_t left,
                          bool possible)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t k = 0; k < j->group_count && left > 0; k++) {
        const uint32_t g = gsched_group_at(s, job, k);
        const struct trace_group *group = gsched_group(s, job, g);
        uint32_t *n = &s->jobs->group_gang[j->first_group + g];
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

        s->jobs->group_gang[j->first_group + g] = min;
        left -= min;
    }
    if (j->gang < j->tasks)
        left = gang_fill(s, job, left, true);
    (void)gang_fill(s, job, left, false); /* every task belongs to some group */
}

/* Place tasks [task, count) of a group; false when not all fit. */
static bool place_group(struct gsched *s, uint32_t task, uint32_t count,
                        const struct scope *w)
{
    const uint32_t shape = gsched_group(s, w->job, w->group)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    const bool at_once = s->modules->fills_nodes && !w->has_rules
                         && !topo_request_is_part(r)
                         && !gsched_scope_is_regarded(s, w)
                         && !gsched_is_sampled(s, w);

    assert(w->from <= w->end && w->end <= s->topo->node_count);
    assert(count <= gsched_group(s, w->job, w->group)->replicas);
    while (task < count) {
        struct topo_grant g;
        struct node_fit best;
        uint32_t n = 1;

        if (!gsched_shape_best(s, shape, w, &best))
            return false;
        assert(best.node >= w->from && best.node < w->end && best.fits > 0);
        if (at_once)
            n = best.fits < count - task ? best.fits : count - task;
        g = gsched_take(s, best.node, r, n);
        gsched_propose(s, w->job, w->group, task, &g);
        task += n;
    }
    return true;
}

/* Place the gang's tasks of a group, which rules keep from being chosen
 * together; in the first domain that holds them, where each group has its own.
 */
static bool place_together(struct gsched *s, uint32_t count,
                           const struct scope *w)
{
    const struct trace_group *g = gsched_group(s, w->job, w->group);
    const struct trace_topology t = trace_group_topology(
        s->work, &s->work->job[w->job], g);
    const bool is_own = t.tier && gsched_groups_have_domains(s, w->job);
    const int level = is_own ? topo_level_find(s->topo, t.tier) : 0;

    for (uint32_t d = 0; is_own && d < s->topo->domain_count; d++) {
        const struct scope in = gsched_scope_domain(s, w->job, d);
        const uint32_t mark = topo_cluster_begin(s->cluster);
        const uint32_t first = s->decision_count;
        struct scope x = *w;

        x.from = in.from > w->from ? in.from : w->from;
        x.end = in.end < w->end ? in.end : w->end;
        if ((int)s->topo->domain[d].level == level && x.from < x.end
            && place_group(s, 0, count, &x)) {
            topo_cluster_commit(s->cluster, mark);
            return true;
        }
        gsched_undo(s, mark, first);
    }
    return !(is_own && t.within == TRACE_REQUIRED)
           && place_group(s, 0, count, w);
}

bool gsched_group_try(struct gsched *s, const struct scope *w)
{
    const struct trace_job *j = &s->work->job[w->job];
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    struct scope x = *w;
    bool fits = true;

    for (uint32_t k = 0; k < j->group_count && fits; k++) {
        x.group = gsched_group_at(s, w->job, k);
        if (trace_groups_join(s->work, j, w->group, x.group))
            fits = place_group(s, 0, gsched_gang_of(s, w->job, x.group), &x);
    }
    if (fits) {
        topo_cluster_commit(s->cluster, mark);
        return true;
    }
    gsched_undo(s, mark, first);
    return false;
}

/* Is the group among the first `k` in order? */
static bool is_before(const struct gsched *s, uint32_t job, uint32_t group,
                      uint32_t k)
{
    while (k > 0 && gsched_group_at(s, job, k - 1) != group)
        k--;
    return k > 0;
}

/* Does a group among the first `k` in order share its domain with the group? */
static bool is_joined_before(const struct gsched *s, uint32_t job,
                             uint32_t group, uint32_t k)
{
    const struct trace_job *j = &s->work->job[job];

    while (k > 0
           && !trace_groups_join(s->work, j, group,
                                 gsched_group_at(s, job, k - 1)))
        k--;
    return k > 0;
}

/* Place the gang group by group, those that share a domain with the first of
 * them.
 */
static bool place_groups(struct gsched *s, struct scope *w)
{
    const uint32_t job = w->job;
    uint32_t leader, others, first, second;
    const bool leads = gsched_leader_of(s, job, &leader, &others);
    bool fits = true;

    for (uint32_t k = 0; k < s->work->job[job].group_count && fits; k++) {
        const uint32_t g = gsched_group_at(s, job, k);
        const uint32_t count = gsched_gang_of(s, job, g);
        const bool is_led = leads && (g == leader || g == others);

        w->group = g;
        first = leader;
        second = others;
        if (is_led || gsched_pair_of(s, job, g, &first, &second)) {
            fits = is_before(s, job, g == first ? second : first, k)
                   || gsched_pair_choose(s, first, second, w);
            continue;
        }
        if (gsched_group_has_subtree(s, job, g))
            fits = is_joined_before(s, job, g, k)
                   || gsched_group_place_in(s, w);
        else
            fits = gsched_is_chosen(s, w->job, w->group)
                       ? gsched_group_choose(s, count, w)
                       : place_together(s, count, w);
    }
    return fits;
}

/* Place the gang in the order in which modules say its tasks. */
static bool place_in_order(struct gsched *s, struct scope *w)
{
    const uint32_t groups = s->work->job[w->job].group_count;
    uint32_t left[TRACE_TASK_KINDS_MAX], all = 0;
    bool fits = true;

    assert(groups <= TRACE_TASK_KINDS_MAX);
    for (uint32_t g = 0; g < groups; g++) {
        left[g] = gsched_gang_of(s, w->job, g);
        all += left[g];
    }
    for (; all > 0 && fits; all--) {
        uint32_t task;

        w->group = gsched_modules_next_group(s, w->job, left);
        task = gsched_gang_of(s, w->job, w->group) - left[w->group]--;
        fits = place_group(s, task, task + 1, w);
    }
    return fits;
}

bool gsched_gang_is_ready(struct gsched *s, uint32_t job)
{
    struct job_state *j = gsched_job(s, job);
    const uint32_t placed = j->placed;
    bool ready;

    j->placed = s->work->job[job].gang;
    ready = gsched_modules_ready(s, job);
    j->placed = placed;
    return ready;
}

static uint32_t proposed_tasks(const struct gsched *s, uint32_t first)
{
    uint32_t tasks = 0;

    for (uint32_t i = first; i < s->decision_count; i++)
        tasks += s->decision[i].grant.tasks;
    return tasks;
}

bool gsched_gang_try(struct gsched *s, uint32_t job, const struct scope *scope)
{
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    struct scope w = *scope;
    bool fits;

    assert(gsched_job(s, job)->placed < s->work->job[job].gang);
    assert(gsched_job(s, job)->created >= s->work->job[job].gang);
    s->attempts++;
    fits = gsched_orders_tasks(s, job) ? place_in_order(s, &w)
                                       : place_groups(s, &w);
    if (!fits)
        fits = s->modules->retry.part
               && proposed_tasks(s, first) >= gsched_gang_enough(s, job);
    else
        fits = gsched_gang_is_ready(s, job);
    if (!fits) {
        gsched_undo(s, mark, first);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    return true;
}

/* --- entries -------------------------------------------------------------- */

uint32_t gsched_entry_tasks(const struct gsched *s,
                            const struct queue_entry *it, uint32_t g)
{
    assert(g < s->work->job[it->job].group_count);
    return it->group != NONE ? g == it->group : gsched_gang_of(s, it->job, g);
}

void gsched_entry_amount(const struct gsched *s, const struct queue_entry *it,
                         int64_t *amount)
{
    if (it->group == NONE)
        gsched_job_minimum(s, it->job, amount);
    else
        memcpy(amount, gsched_request(s, it->job, it->group)->amount,
               s->topo->dims->count * sizeof(*amount));
}

bool gsched_entry_has_room(struct gsched *s, const struct queue_entry *it)
{
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t n = gsched_entry_tasks(s, it, g);

        if (n
            && !gsched_shape_has_room(s, gsched_group(s, it->job, g)->shape, n))
            return false;
    }
    return true;
}

bool gsched_gang_has_room(struct gsched *s, uint32_t job)
{
    const struct queue_entry it = { .job = job, .group = NONE };

    return gsched_entry_has_room(s, &it);
}

bool gsched_entry_allocatable(struct gsched *s, const struct queue_entry *it)
{
    int64_t asked[TOPO_DIMS_MAX];

    if (!s->modules->has_quota)
        return true;
    gsched_entry_amount(s, it, asked);
    return gsched_modules_allocatable(s, it->job, asked);
}
