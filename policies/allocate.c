/* policies/allocate.c - the action that places what waits.
 *
 * Bins are served in the order of their first items.  A gang is placed in one
 * transaction or not at all; pods, and members of a gang above its minimum,
 * one by one, the latter after all gangs.
 */
#include "base/array.h"
#include "policies/scheduler_private.h"

/* --- bins in order ---------------------------------------------------------- */

static bool bin_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    return gsched_item_compare(s, &s->bin[a].heap[0], &s->bin[b].heap[0]) < 0;
}

static void order_down(struct gsched *s, uint32_t count, uint32_t i)
{
    const uint32_t bin = s->order[i];

    for (uint32_t k = 2 * i + 1; k < count; k = 2 * i + 1) {
        if (k + 1 < count && bin_before(s, s->order[k + 1], s->order[k]))
            k++;
        if (!bin_before(s, s->order[k], bin))
            break;
        s->order[i] = s->order[k];
        i = k;
    }
    s->order[i] = bin;
}

/* The awake bins, elastic ones or the others, as a heap.  Their number. */
static uint32_t order_make(struct gsched *s, bool elastic)
{
    uint32_t n = 0;

    s->order = gs_array_grow(s->order, &s->order_cap, s->awake_count,
                             sizeof(*s->order));
    for (uint32_t i = 0; i < s->awake_count; i++) {
        if ((s->bin[s->awake[i]].kind == BIN_ELASTIC) == elastic)
            s->order[n++] = s->awake[i];
    }
    for (uint32_t i = n / 2; i-- > 0;)
        order_down(s, n, i);
    return n;
}

/* --- placing ---------------------------------------------------------------- */

/* Put a decision aside until the transaction is known to hold. */
static void propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g)
{
    const struct gsched_decision d = { GSCHED_PLACE, job, group,
                                       first_task,   *g,  s->now };

    gsched_decide(s, &d);
}

/* Place `count` tasks of a group in [from, end); false when one is left. */
static bool place_group(struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t count, uint32_t from, uint32_t end)
{
    const uint32_t shape = gsched_group(s, job, group)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    uint32_t task = 0;

    while (task < count) {
        struct topo_grant g;
        struct choice best;
        uint32_t n = 1;

        if (!gsched_shape_best(s, shape, from, end, &best))
            return false;
        if (s->fills_nodes && r->share == 0)
            n = best.fits < count - task ? best.fits : count - task;
        g = topo_cluster_allocate(s->cluster, best.node, r, n, UINT32_MAX);
        propose(s, job, group, task, &g);
        task += n;
    }
    return true;
}

/* Is there room for every group by itself?  Rules most failures out. */
static bool has_room(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t left = j->gang;

    for (uint32_t g = 0; g < j->group_count && left; g++) {
        const struct trace_group *group = gsched_group(s, job, g);
        const uint32_t n = group->replicas < left ? group->replicas : left;

        if (!gsched_shape_has_room(s, group->shape, n))
            return false;
        left -= n;
    }
    return true;
}

static bool gang_is_ready(struct gsched *s, uint32_t job)
{
    const struct gsp_job j = { s, job };

    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];

        if (m->module->gang_ready && !m->module->gang_ready(m->self, &j))
            return false;
    }
    return true;
}

/* The gang's tasks within [from, end), in one transaction. */
static bool gang_try(struct gsched *s, uint32_t job, uint32_t from,
                     uint32_t end)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    uint32_t left = j->gang;
    bool ready = true;

    for (uint32_t g = 0; g < j->group_count && left && ready; g++) {
        const uint32_t all = gsched_group(s, job, g)->replicas;
        const uint32_t n = all < left ? all : left;

        ready = place_group(s, job, g, n, from, end);
        left -= n;
    }
    if (ready) {
        s->job[job].placed = j->gang;
        ready = gang_is_ready(s, job);
        s->job[job].placed = 0;
    }
    if (!ready) {
        topo_cluster_rollback(s->cluster, mark);
        s->decision_count = first;
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision d = s->decision[i];

        gsched_hold(s, job, d.group, d.first_task, &d.grant);
    }
    return true;
}

/* The gang within the first domain of its tier that can hold it. */
static bool gang_place_within(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const int64_t asked = j->gang == j->tasks
                              ? trace_job_gpu_milli(s->work, job)
                              : 0;

    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        const struct topo_domain *domain = &s->topo->domain[d];

        if (domain->level == s->within_level
            && topo_domain_free_milli(s->cluster, d) >= asked
            && gang_try(s, job, domain->first_node,
                        domain->first_node + domain->node_count))
            return true;
    }
    return false;
}

static bool gang_place(struct gsched *s, uint32_t job)
{
    if (s->work->job[job].gang > 1 && !has_room(s, job))
        return false;
    if (s->within_level)
        return gang_place_within(s, job);
    return gang_try(s, job, 0, s->topo->node_count);
}

/* One task of a group. */
static bool pod_place(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t task = s->group_placed[j->first_group + group];
    const uint32_t shape = gsched_group(s, job, group)->shape;
    struct topo_grant g;
    struct choice best;

    if (!gsched_shape_best(s, shape, 0, s->topo->node_count, &best))
        return false;
    g = topo_cluster_allocate(s->cluster, best.node, &s->work->shape[shape], 1,
                              UINT32_MAX);
    propose(s, job, group, task, &g);
    gsched_hold(s, job, group, task, &g);
    return true;
}

/* --- the action ------------------------------------------------------------- */

/* Why `it` waited until now, from what its bin last failed of. */
static void note_cause(struct gsched *s, const struct bin *b,
                       const struct item *it)
{
    struct job_state *j = &s->job[it->job];

    if (j->phase == JOB_RUNNING)
        return;
    if (s->now == s->work->job[it->job].submit)
        j->cause = GSCHED_NO_CAUSE;
    if (s->now <= it->since)
        return;
    if (b->kind != BIN_ALL)
        j->cause = b->cause;
    else if (j->cause == GSCHED_NO_CAUSE)
        j->cause = GSCHED_ORDER;
}

/* Serve the bin's first item; false when it cannot be placed. */
static bool serve(struct gsched *s, uint32_t bin)
{
    const struct item it = s->bin[bin].heap[0];
    enum gsched_cause why;

    note_cause(s, &s->bin[bin], &it);
    if (it.group == NONE ? gang_place(s, it.job)
                         : pod_place(s, it.job, it.group)) {
        gsched_bin_served(s, bin);
        return true;
    }
    why = gsched_cause_of(s, &it);
    if (s->job[it.job].phase != JOB_RUNNING)
        s->job[it.job].cause = (uint8_t)why;
    gsched_bin_sleep(s, bin, why);
    return false;
}

static void serve_all(struct gsched *s, bool elastic)
{
    uint32_t n = order_make(s, elastic);

    while (n) {
        const uint32_t bin = s->order[0];

        if (!serve(s, bin) || s->bin[bin].count == 0)
            s->order[0] = s->order[--n];
        if (n)
            order_down(s, n, 0);
    }
}

void gsched_allocate(struct gsched *s)
{
    gsched_pending_wake(s);
    serve_all(s, false);
    serve_all(s, true);
}
