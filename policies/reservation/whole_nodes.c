/* policies/reservation/whole_nodes.c - the plan while all that wait are gangs
 * of whole nodes.
 *
 * A gang of 2,000 nodes has 2,000 slots, and an early end moves most of the
 * gangs that wait.  Where a node holds one task of those that wait, it is free
 * for them from the time when enough of its running jobs have ended until a
 * reservation begins: reservations are sets of nodes (node_times.h), and the
 * profiles have running jobs only.  Of nodes that are free a gang takes the
 * lowest, as the search of profiles does (earliest_slot.c).
 *
 * That holds while running jobs keep off what is reserved.  When one does not,
 * as when its estimate grows, when nodes change or another kind of job waits,
 * reservations return to the profiles.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/reservation/availability.h"
#include "policies/reservation/node_times.h"
#include "policies/reservation/reservation.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"

struct whole_nodes {
    uint32_t shape; /* of all that wait */
    struct node_times *times;
    int64_t *free_from; /* [node] when its running jobs leave room for a task;
                           GSCHED_NEVER */
    /* Nodes whose time changes from `was` to `is`, not yet in `times`. */
    uint32_t changed, changed_count;
    int64_t was, is;
    uint32_t some; /* a set for tests */
};

static void set_add(const struct whole_nodes *w, uint32_t set, uint32_t node)
{
    node_times_set(w->times, set)[node / 64] |= UINT64_C(1) << node % 64;
}

/* --- when it holds -------------------------------------------------------- */

/* Tasks of the shape ask for more than half of the GPUs of each node that suits
 * them.
 */
static bool takes_nodes(struct gsched *s, uint32_t shape)
{
    const struct shape_view *sv = gsched_shape_known(s, shape);
    const int64_t gpus = s->work->shape[shape].amount[TOPO_GPU];

    for (uint32_t k = 0; k < s->topo->class_count; k++) {
        if (class_set_has(&sv->suits, k)
            && gpus <= s->topo->klass[k].capacity[TOPO_GPU] / 2)
            return false;
    }
    return gpus > 0;
}

/* A gang of such tasks, on any nodes. */
static bool is_gang_of(struct gsched *s, uint32_t job, uint32_t shape)
{
    uint32_t at = NONE;
    struct scope w;

    return s->work->job[job].group_count == 1
           && gsched_group(s, job, 0)->shape == shape
           && gsched_topology_next(s, job, &at, &w) && w.from == 0
           && w.end == s->topo->node_count
           && !gsched_topology_next(s, job, &at, &w);
}

/* Where chance or turns choose nodes, each attempt to start a job counts, even
 * if it fails; else those are not made that would not respect the plan.
 */
static bool may_begin(struct gsched *s)
{
    const struct gsched_plan *p = s->plan;
    uint32_t shape;

    if (p->counts || p->count == 0 || s->booked || s->sample || s->modules->pick
        || s->modules->picks_devices || s->modules->retry.part)
        return false;
    shape = gsched_group(s, p->queue[0].job, 0)->shape;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!is_gang_of(s, p->queue[i].job, shape))
            return false;
    }
    return takes_nodes(s, shape);
}

/* --- running jobs --------------------------------------------------------- */

static bool holds_task(const struct gsched *s, uint32_t shape,
                       const int64_t *free)
{
    const int64_t *amount = s->work->shape[shape].amount;

    for (uint32_t d = 0; d < s->plan->dims; d++) {
        if (amount[d] > 0 && free[d] < amount[d])
            return false;
    }
    return true;
}

static bool is_overdrawn(const struct gsched *s, const int64_t *free)
{
    for (uint32_t d = 0; d < s->plan->dims; d++) {
        if (free[d] < 0)
            return true;
    }
    return false;
}

/* When the running jobs of the node leave room for a task for good.  False when
 * they leave some before, or have more than there is.
 */
static bool find_free_from(struct gsched *s, uint32_t node, int64_t *from)
{
    const struct availability *t = &s->plan->profile[node];
    const uint32_t shape = s->plan->whole->shape;
    uint32_t i = t->count;

    *from = GSCHED_NEVER;
    while (i > 0 && holds_task(s, shape, availability_free(t, i - 1)))
        *from = t->at[--i];
    for (uint32_t k = 0; k < t->count; k++) {
        if (is_overdrawn(s, availability_free(t, k))
            || (k < i && holds_task(s, shape, availability_free(t, k))))
            return false;
    }
    if (!class_set_has(&gsched_shape_known(s, shape)->suits,
                       s->topo->node_class[node])
        || topo_cluster_is_cordoned(s->cluster, node))
        *from = GSCHED_NEVER;
    return true;
}

/* False, with nothing done, when nodes are reserved for a time that running
 * jobs have now.
 */
static bool change(struct gsched *s)
{
    struct whole_nodes *w = s->plan->whole;
    const int64_t was = w->was > s->now ? w->was : s->now,
                  is = w->is > s->now ? w->is : s->now;

    if (w->changed_count == 0)
        return true;
    if (was < is && !node_times_are_free(w->times, w->changed, was, is))
        return false;
    if (was < is)
        node_times_take(w->times, w->changed, was, is);
    else if (is < was)
        node_times_give(w->times, w->changed, is, was);
    memset(node_times_set(w->times, w->changed), 0,
           node_times_words(w->times) * sizeof(uint64_t));
    w->changed_count = 0;
    return true;
}

void gsched_whole_profile(struct gsched *s, uint32_t node)
{
    struct whole_nodes *w = s->plan->whole;
    int64_t is;

    if (!w)
        return;
    if (!find_free_from(s, node, &is)) {
        gsched_whole_end(s);
        return;
    }
    if (w->changed_count && (w->was != w->free_from[node] || w->is != is)
        && !change(s)) {
        gsched_whole_end(s);
        return;
    }
    w->was = w->free_from[node];
    w->is = w->free_from[node] = is;
    set_add(w, w->changed, node);
    w->changed_count++;
}

void gsched_whole_profiles(struct gsched *s)
{
    if (s->plan->whole && !change(s))
        gsched_whole_end(s);
}

/* --- reservations --------------------------------------------------------- */

static int64_t end_of(const struct gsched *s, const struct reservation *r)
{
    return gsched_later(r->start, gsched_plan_time(s, r->job));
}

void gsched_whole_reserve(struct gsched *s, const struct reservation *r,
                          int sign)
{
    struct node_times *t = s->plan->whole->times;

    assert(r->nodes);
    if (sign < 0)
        node_times_take(t, r->nodes, r->start, end_of(s, r));
    else
        node_times_give(t, r->nodes, r->start, end_of(s, r));
}

static struct nodes_sought sought_by(const struct gsched *s, uint32_t job)
{
    return (struct nodes_sought){ .nodes = gsched_gang_of(s, job, 0),
                                  .time = gsched_plan_time(s, job),
                                  .from = s->now,
                                  .before = GSCHED_NEVER };
}

int64_t gsched_whole_earliest(struct gsched *s, struct reservation *r,
                              int64_t latest)
{
    struct node_times *t = s->plan->whole->times;
    struct nodes_sought it = sought_by(s, r->job);
    int64_t at;

    assert(r->slots == 0 && !r->nodes);
    r->since = node_times_version(t);
    it.before = latest == GSCHED_NEVER ? latest : latest + 1;
    at = node_times_earliest(t, &it);
    if (at >= it.before)
        return GSCHED_NEVER;
    r->nodes = node_times_set_new(t);
    if (!node_times_lowest(t, &it, at, r->nodes))
        assert(!"nodes were found");
    r->slots = it.nodes;
    return at;
}

bool gsched_whole_renew(struct gsched *s, struct reservation *r)
{
    struct whole_nodes *w = s->plan->whole;
    struct nodes_sought it;
    uint64_t version;
    int64_t at;

    if (!w || r->slots == 0 || r->start <= s->now)
        return false;
    version = node_times_version(w->times);
    if (r->since == version)
        return true;
    it = sought_by(s, r->job);
    assert(r->slots == it.nodes);
    it.before = r->start;
    it.since = r->since;
    it.own = r->nodes;
    if (!node_times_better(w->times, &it, &at)) {
        r->since = version;
        return true;
    }
    if (at <= s->now)
        return false;
    r->since = version;
    if (!node_times_lowest(w->times, &it, at, w->some))
        assert(!"nodes were found");
    if (at == r->start
        && gs_array_same(node_times_set(w->times, w->some),
                         node_times_set(w->times, r->nodes),
                         node_times_words(w->times), sizeof(uint64_t)))
        return true;
    gsched_whole_reserve(s, r, 1);
    memcpy(node_times_set(w->times, r->nodes),
           node_times_set(w->times, w->some),
           node_times_words(w->times) * sizeof(uint64_t));
    r->start = at;
    gsched_whole_reserve(s, r, -1);
    r->since = node_times_version(w->times);
    return true;
}

bool gsched_whole_respects(struct gsched *s, uint32_t job, uint32_t first)
{
    const struct whole_nodes *w = s->plan->whole;

    memset(node_times_set(w->times, w->some), 0,
           node_times_words(w->times) * sizeof(uint64_t));
    for (uint32_t i = first; i < s->decision_count; i++)
        set_add(w, w->some, s->decision[i].grant.node);
    return node_times_are_free(w->times, w->some, s->now,
                               gsched_later(s->now, gsched_plan_time(s, job)));
}

void gsched_whole_slots(struct gsched *s, struct reservation *r)
{
    const struct node_times *t = s->plan->whole->times;

    r->slots = 0;
    for (uint32_t word = 0; r->nodes && word < node_times_words(t); word++) {
        for (uint64_t bits = node_times_set(t, r->nodes)[word]; bits;
             bits &= bits - 1)
            gsched_slot_add(r, 0, word * 64 + (uint32_t)__builtin_ctzll(bits),
                            1);
    }
}

void gsched_reservation_close(struct gsched_plan *p, struct reservation *r)
{
    if (r->nodes)
        node_times_set_free(p->whole->times, r->nodes);
    gs_array_free(r->slot);
    r->slot = NULL;
    r->slot_cap = r->nodes = 0;
}

/* --- begin, end ----------------------------------------------------------- */

static void set_of_slots(struct whole_nodes *w, struct reservation *r)
{
    r->nodes = node_times_set_new(w->times);
    r->since = 0;
    for (uint32_t i = 0; i < r->slots; i++)
        set_add(w, r->nodes, r->slot[i].node);
    gs_array_free(r->slot);
    r->slot = NULL;
    r->slot_cap = 0;
}

static void whole_open(struct gsched *s)
{
    struct whole_nodes *w = gs_array_new(1, sizeof(*w));

    w->shape = gsched_group(s, s->plan->queue[0].job, 0)->shape;
    w->times = node_times_new(s->topo->node_count);
    w->free_from = gs_array_new(s->topo->node_count, sizeof(*w->free_from));
    w->changed = node_times_set_new(w->times);
    w->some = node_times_set_new(w->times);
    s->plan->whole = w;
}

void gsched_whole_free(struct gsched_plan *p)
{
    if (!p->whole)
        return;
    node_times_free(p->whole->times);
    gs_array_free(p->whole->free_from);
    gs_array_free(p->whole);
    p->whole = NULL;
}

void gsched_whole_begin(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (p->whole) {
        node_times_trim(p->whole->times, s->now);
        return;
    }
    if (!may_begin(s))
        return;
    for (uint32_t i = 0; i < p->count; i++)
        gsched_plan_reserve(s, &p->queue[i], 1);
    whole_open(s);
    for (uint32_t node = 0; node < s->topo->node_count && p->whole; node++)
        gsched_whole_profile(s, node);
    gsched_whole_profiles(s);
    for (uint32_t i = 0; i < p->count && p->whole; i++) {
        struct reservation *r = &p->queue[i];

        if (r->slots == 0)
            continue;
        set_of_slots(p->whole, r);
        if (node_times_are_free(p->whole->times, r->nodes,
                                r->start > s->now ? r->start : s->now,
                                end_of(s, r)))
            gsched_whole_reserve(s, r, -1);
        else
            gsched_whole_end(s);
    }
}

void gsched_whole_end(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (!p->whole)
        return;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].nodes)
            gsched_whole_slots(s, &p->queue[i]);
        p->queue[i].nodes = 0;
    }
    gsched_whole_free(p);
    for (uint32_t i = 0; i < p->count; i++)
        gsched_plan_reserve(s, &p->queue[i], -1);
}

void gsched_whole_joined(struct gsched *s, uint32_t job)
{
    if (s->plan->whole && !is_gang_of(s, job, s->plan->whole->shape))
        gsched_whole_end(s);
}
