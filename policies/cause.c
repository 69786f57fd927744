/* policies/cause.c - why something was left waiting.
 *
 * Asked when it could not be placed, and while it is unschedulable whenever the
 * answer may be another (gsched_causes_follow), in this order: no hardware for it;
 * it would fit if partly placed jobs gave back (hoarding); less is free than
 * it asks for (capacity); it would fit but for rules about other jobs
 * (constraint); it fits outside its tier (topology); else enough is free, but
 * scattered (fragmentation).
 */
#include "policies/scheduler_private.h"

#include <assert.h>

#include "topology/cluster.h"

/* What of the item is wanted of group `g` of its job. */
static uint32_t wanted(const struct gsched *s, const struct item *it,
                       uint32_t g)
{
    assert(g < s->work->job[it->job].group_count);
    return it->group != NONE ? g == it->group : gsched_gang_of(s, it->job, g);
}

static bool has_room(struct gsched *s, const struct item *it)
{
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t n = wanted(s, it, g);

        if (n
            && !gsched_shape_has_room(s, gsched_group(s, it->job, g)->shape, n))
            return false;
    }
    return true;
}

/* Nodes that are open and whose hardware suits the shape. */
static bool has_nodes(struct gsched *s, uint32_t shape)
{
    const struct shape_view *sv = gsched_shape(s, shape);
    bool has = false;

    for (uint32_t k = 0; k < s->topo->class_count && !has; k++)
        has = sv->fits_class[k] && topo_class_open(s->cluster, k) > 0;
    return has;
}

static bool has_hardware(struct gsched *s, const struct item *it)
{
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t shape = gsched_group(s, it->job, g)->shape;

        if (wanted(s, it, g)
            && (gsched_shape(s, shape)->most == 0 || !has_nodes(s, shape)))
            return false;
    }
    return true;
}

/* Would it fit if every other partly placed job gave back what it holds? */
static bool is_hoarded(struct gsched *s, const struct item *it)
{
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits;

    for (uint32_t i = 0; i < s->partly_count; i++) {
        const uint32_t job = s->partly[i];
        uint32_t at = s->job[job].first_span;

        for (; job != it->job && at != NONE; at = s->span[at].next) {
            const struct span *sp = &s->span[at];
            const uint32_t shape = gsched_group(s, job, sp->group)->shape;

            topo_cluster_release(s->cluster, &s->work->shape[shape],
                                 &sp->grant);
        }
    }
    fits = has_room(s, it);
    topo_cluster_rollback(s->cluster, mark);
    return fits;
}

/* Free amount of a dimension on nodes whose hardware suits a shape. */
static int64_t suitable_free(struct gsched *s, uint32_t shape, uint32_t dim)
{
    const struct shape_view *sv = gsched_shape(s, shape);
    int64_t sum = 0;

    for (uint32_t k = 0; k < s->topo->class_count; k++) {
        if (sv->fits_class[k])
            sum += topo_class_free(s->cluster, k, dim);
    }
    return sum;
}

static bool has_capacity(struct gsched *s, const struct item *it)
{
    const uint32_t groups = s->work->job[it->job].group_count;

    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t n = wanted(s, it, g);
        const uint32_t shape = gsched_group(s, it->job, g)->shape;
        const struct topo_request *r = &s->work->shape[shape];

        for (uint32_t d = 0; n && d < s->topo->dims->count; d++) {
            if (r->amount[d] > 0
                && suitable_free(s, shape, d) < n * r->amount[d])
                return false;
        }
    }
    return true;
}

/* Would it fit where it may stand, were there no rules about other jobs? */
static bool is_ruled_out(struct gsched *s, const struct item *it)
{
    const uint32_t first = s->decision_count;
    struct where w = gsched_anywhere(s, it->job, it->group);
    struct choice best;
    uint32_t mark;
    bool fits;

    if (!w.has_rules || !has_room(s, it))
        return false;
    w.has_rules = false;
    if (it->group != NONE) {
        gsched_subtree_stay(s, &w);
        return gsched_shape_best(s, gsched_group(s, it->job, it->group)->shape,
                                 &w, &best);
    }
    mark = topo_cluster_begin(s->cluster);
    fits = gsched_gang_place_in(s, &w);
    gsched_undo(s, mark, first);
    return fits;
}

enum gsched_cause gsched_cause_of(struct gsched *s, const struct item *it)
{
    assert(it->job < s->job_count);
    if (!has_hardware(s, it))
        return GSCHED_CONSTRAINT;
    if (s->partly_count && !has_room(s, it) && is_hoarded(s, it))
        return GSCHED_HOARDING;
    if (!has_capacity(s, it))
        return GSCHED_CAPACITY;
    if (is_ruled_out(s, it))
        return GSCHED_CONSTRAINT;
    if (gsched_bound_level(s, it->job) && has_room(s, it))
        return GSCHED_TOPOLOGY;
    return GSCHED_FRAGMENTATION;
}

/* --- while it is unschedulable ------------------------------------------------- */

/* A waiting item of the request class that its cause is of; false: none. */
static bool sample_of(const struct gsched *s, const struct ask *a,
                      struct item *out)
{
    uint32_t b = a->first_bin;

    if (a->waiting == 0)
        return false;
    while (b != NONE && s->bin[b].count == 0)
        b = s->bin[b].next;
    if (b == NONE)
        return false;
    *out = s->bin[b].heap[0];
    return true;
}

static bool is_simply_short(const struct gsched *s, const struct ask *a)
{
    return a->need > s->shape[a->shape].enough_for;
}

void gsched_cause_found(struct gsched *s, uint32_t ask)
{
    struct ask *a = &s->ask[ask];
    struct item it;

    a->is_short = sample_of(s, a, &it) && !has_capacity(s, &it);
    if (a->is_simple)
        gsched_shape(s, a->shape)->enough_for = UINT64_MAX; /* look again */
}

static void find_anew(struct gsched *s, struct ask *a, bool is_short)
{
    struct item it;
    enum gsched_cause why;

    assert(a->sleeps_at != NONE);
    if (!sample_of(s, a, &it))
        return;
    a->is_short = is_short;
    why = gsched_cause_of(s, &it);
    if (a->kind == ASK_ALL)
        gsched_wait_head(s, it.job, why);
    else
        gsched_ask_blames(s, a, why);
}

static bool is_hoarded_no_more(const struct gsched *s, const struct ask *a)
{
    return a->cause == GSCHED_HOARDING && s->partly_count == 0;
}

/* How many tasks of the shape what is free, wherever it is, would do for. */
static uint64_t enough_for(struct gsched *s, uint32_t shape)
{
    const struct topo_request *r = &s->work->shape[shape];
    uint64_t most = UINT32_MAX;

    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        uint64_t n;

        if (r->amount[d] <= 0)
            continue;
        n = (uint64_t)suitable_free(s, shape, d) / (uint64_t)r->amount[d];
        most = n < most ? n : most;
    }
    return most;
}

static void follow_simple(struct gsched *s, uint32_t shape, bool all)
{
    struct shape_view *sv = &s->shape[shape];
    const uint64_t enough = enough_for(s, shape);

    if (enough == sv->enough_for && !all)
        return;
    sv->enough_for = enough;
    for (uint32_t k = 0; k < s->shape[shape].sleeper_count; k++) {
        struct ask *a = &s->ask[s->shape[shape].sleeper[k]];

        if (is_simply_short(s, a) != a->is_short || is_hoarded_no_more(s, a))
            find_anew(s, a, is_simply_short(s, a));
    }
}

static void follow_complex(struct gsched *s, struct ask *a)
{
    struct item it;
    bool is_short;

    if (!sample_of(s, a, &it))
        return;
    is_short = !has_capacity(s, &it);
    if (is_short != a->is_short || is_hoarded_no_more(s, a))
        find_anew(s, a, is_short);
}

void gsched_causes_follow(struct gsched *s)
{
    const bool all = s->causes_hoarded && s->partly_count == 0;

    if (s->causes_followed == s->holdings)
        return;
    s->causes_followed = s->holdings;
    s->causes_hoarded = s->partly_count > 0;
    for (uint32_t i = 0; i < s->sleeping_count; i++)
        follow_simple(s, s->sleeping[i], all);
    for (uint32_t i = 0; i < s->complex_count; i++)
        follow_complex(s, &s->ask[s->complex[i]]);
}
