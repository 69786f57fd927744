/* policies/placement/topology_fit.c - finds the smallest subtree that holds a
 * gang.
 *
 * A module gives the lowest and the highest level; the search goes up the tiers
 * between them.  Of the domains of one tier that can hold the gang it uses the
 * one with the most points, of equals the tightest, or the first.
 */
#include "policies/placement/placement.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/placement/subtree.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* A level below the node, such as GSP_NONE, means the node. */
bool gsched_subtree_of(const struct gsched *s, uint32_t job,
                       struct gsp_subtree *out)
{
    const uint32_t node_level = s->topo->tier_count + 1;
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    if (!s->modules->subtree || gsched_groups_have_domains(s, job)
        || (s->work->job[job].tasks < 2 && !s->modules->orders_domains)
        || !s->modules->subtree->module->subtree(s->modules->subtree->self, &j,
                                                 out))
        return false;
    out->widest = least(out->widest, node_level);
    out->narrowest = least(out->narrowest, node_level);
    if (s->work->job[job].tasks < 2) /* only if it asks for a tier */
        return out->narrowest > 0 && out->narrowest < node_level;
    return s->work->job[job].gang > 1 || out->widest > 0;
}

bool gsched_group_subtree_of(const struct gsched *s, uint32_t job,
                             uint32_t group, struct gsp_subtree *out)
{
    const uint32_t node_level = s->topo->tier_count + 1;
    const struct gsp_job j = { .s = s, .id = job, .group = group };
    const struct trace_group *g = gsched_group(s, job, group);

    if (!s->modules->subtree || !g->topology
        || s->work->topology[g->topology - 1].tier == 0
        || (gsched_groups_have_domains(s, job)
            && !gsched_joins_many(s, job, group))
        || !s->modules->subtree->module->subtree(s->modules->subtree->self, &j,
                                                 out))
        return false;
    out->widest = least(out->widest, node_level);
    out->narrowest = least(out->narrowest, node_level);
    return true;
}

uint32_t gsched_main_dim(const struct gsched *s, const int64_t *asked)
{
    uint32_t best = TOPO_CPU;
    double most = 0;

    assert(asked);
    if (asked[TOPO_GPU] > 0)
        return TOPO_GPU;
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        const double part = d != TOPO_PODS && asked[d] > 0
                                    && s->dim_total[d] > 0
                                ? (double)asked[d] / (double)s->dim_total[d]
                                : 0;

        if (part > most) {
            best = d;
            most = part;
        }
    }
    return best;
}

/* The dimension by which domains are compared for a job, and the amount that
 * its gang asks for, or the gang's tasks of a group (NONE: the former).
 */
struct measure {
    uint32_t dim;
    int64_t asked;
};

static struct measure measure_of(const struct gsched *s, uint32_t job,
                                 uint32_t group)
{
    int64_t asked[TOPO_DIMS_MAX];
    struct measure m;

    assert(job < s->jobs->job_count);
    if (group == NONE)
        gsched_job_minimum(s, job, asked);
    else
        gsched_group_minimum(s, job, group, asked);
    m.dim = gsched_main_dim(s, asked);
    m.asked = asked[m.dim];
    return m;
}

/* The domain at `level` that follows `last` in the order of filling; NONE. */
static uint32_t domain_after(const struct gsched *s, uint32_t level,
                             enum gsp_fill fill, uint32_t last,
                             const struct measure *m)
{
    const int64_t last_free = last == NONE
                                  ? -1
                                  : topo_domain_free(s->cluster, last, m->dim);
    uint32_t best = NONE;
    int64_t best_free = INT64_MAX;

    assert(level >= 1 && level <= s->topo->tier_count);
    for (uint32_t d = fill == GSP_FIRST && last != NONE ? last + 1 : 0;
         d < s->topo->domain_count; d++) {
        const int64_t free = s->topo->domain[d].level == level
                                 ? topo_domain_free(s->cluster, d, m->dim)
                                 : -1;

        if (free < m->asked || free < 0)
            continue;
        if (fill == GSP_FIRST)
            return d;
        if (last != NONE
            && (free < last_free || (free == last_free && d <= last)))
            continue;
        if (free < best_free) {
            best = d;
            best_free = free;
        }
    }
    return best;
}

/* `group`: of which the gang's tasks are placed; NONE: the gang. */
static bool try_within(struct gsched *s, const struct scope *w, uint32_t from,
                       uint32_t count, uint32_t group)
{
    const struct scope in = gsched_scope_within(w, from, count);

    assert(group == NONE || group == w->group);
    if (in.from >= in.end)
        return false;
    return group == NONE ? gsched_gang_try(s, w->job, &in)
                         : gsched_group_try(s, &in);
}

/* --- domains with points of modules --------------------------------------- */

static bool domain_before(const void *of, uint32_t a, uint32_t b)
{
    const struct ranked_domain *r = of;

    if (r[a].score != r[b].score)
        return r[a].score > r[b].score;
    return r[a].free != r[b].free ? r[a].free < r[b].free
                                  : r[a].domain < r[b].domain;
}

GS_HEAP_SWAP(domain_swap, struct ranked_domain)

static const struct gs_heap by_points = { domain_before, domain_swap };

/* Rank the domains of the tier that have room for the job's gang. */
static struct ranked_domains *domains_rank(struct gsched *s, uint32_t level,
                                           enum gsp_fill fill, uint32_t job,
                                           uint32_t group,
                                           const struct measure *m)
{
    struct ranked_domains *r = gsched_ranked_domains(s, group != NONE);

    r->count = r->scores.count = 0;
    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        const struct topo_domain *of = &s->topo->domain[d];
        const int64_t free = of->level == level
                                 ? topo_domain_free(s->cluster, d, m->dim)
                                 : -1;

        if (free < m->asked || free < 0)
            continue;
        gsched_node_scores_put(&r->scores, of->first_node, 0);
        r->at = gs_array_grow(r->at, &r->cap, r->count + 1, sizeof(*r->at));
        r->at[r->count++] =
            (struct ranked_domain){ 0, fill == GSP_TIGHTEST ? free : 0, d };
    }
    if (r->count > 1) /* alone it is the first */
        gsched_modules_prefer_domain(
            s, job, group, level,
            &(struct gsp_nodes){ r->scores.count, r->scores.node },
            r->scores.score);
    for (uint32_t i = 0; i < r->count; i++)
        r->at[i].score = r->scores.score[i];
    gs_heap_build(&by_points, r->at, r->count);
    return r;
}

/* Place it in the domain of a tier with the most points that holds it. */
static bool try_ranked(struct gsched *s, uint32_t level, enum gsp_fill fill,
                       const struct scope *w, uint32_t group)
{
    const struct measure m = measure_of(s, w->job, group);
    struct ranked_domains *r = domains_rank(s, level, fill, w->job, group, &m);

    while (r->count > 0) {
        const struct topo_domain *d = &s->topo->domain[r->at[0].domain];

        if (try_within(s, w, d->first_node, d->node_count, group))
            return true;
        r->at[0] = r->at[--r->count];
        (void)gs_heap_sink(&by_points, r->at, r->count, 0);
    }
    return false;
}

/* --- levels --------------------------------------------------------------- */

/* Place it in one domain of a tier. */
static bool try_level(struct gsched *s, uint32_t level, enum gsp_fill fill,
                      const struct scope *w, uint32_t group)
{
    const struct measure m = measure_of(s, w->job, group);
    uint32_t d = NONE;

    if (s->modules->orders_domains)
        return try_ranked(s, level, fill, w, group);
    while ((d = domain_after(s, level, fill, d, &m)) != NONE) {
        if (try_within(s, w, s->topo->domain[d].first_node,
                       s->topo->domain[d].node_count, group))
            return true;
    }
    return false;
}

/* The node that follows `last` in the order of filling, among those that could
 * take a task of the shape; NONE.  Of nodes in one state only the first is
 * tried, unless rules distinguish them.
 */
static uint32_t node_after(struct gsched *s, uint32_t shape, enum gsp_fill fill,
                           const struct scope *w, uint32_t last,
                           int64_t *last_free)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t dim = measure_of(s, w->job, NONE).dim;
    const bool differ = w->has_rules || w->avoid;
    uint32_t best = NONE;
    int64_t best_free = INT64_MAX;

    for (uint32_t i = 0; i < sv->count; i++) {
        const uint32_t group = sv->candidate[i].group;
        const int64_t free = fill == GSP_FIRST ? 0 : g->free[dim][group];
        const bool is_past = last != NONE && free == *last_free;
        uint32_t node;

        if (g->nodes[group] == 0 || free > best_free
            || (last != NONE && free < *last_free))
            continue;
        node = topo_group_first(
            s->cluster, group,
            differ && is_past && last >= w->from ? last + 1 : w->from, w->end);
        if (node == NONE || (is_past && node <= last)
            || (free == best_free && node > best)
            || !gsched_candidate_stands(s, sv, i))
            continue;
        best = node;
        best_free = free;
    }
    *last_free = best_free;
    return best;
}

/* Place the gang on one node: a single search when all tasks have the same
 * request.
 */
static bool try_node(struct gsched *s, enum gsp_fill fill,
                     const struct scope *w)
{
    const struct trace_job *j = &s->work->job[w->job];
    uint32_t node = NONE, g = 0, shape;
    int64_t free = 0;

    while (gsched_gang_of(s, w->job, g) == 0)
        g++;
    shape = gsched_group(s, w->job, g)->shape;
    if (j->group_count == 1) {
        node = gsched_shape_holds(s, shape, j->gang, fill == GSP_TIGHTEST, w);
        return node != NONE && try_within(s, w, node, 1, NONE);
    }
    while ((node = node_after(s, shape, fill, w, node, &free)) != NONE) {
        if (try_within(s, w, node, 1, NONE))
            return true;
    }
    return false;
}

static bool is_alone(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t joined = 0;

    for (uint32_t g = 0; g < j->group_count; g++)
        joined += trace_groups_join(s->work, j, group, g);
    return joined == 1;
}

/* The same for the gang's tasks of a group, and those that share its domain. */
static bool try_group_node(struct gsched *s, enum gsp_fill fill,
                           const struct scope *w)
{
    const uint32_t shape = gsched_group(s, w->job, w->group)->shape;
    uint32_t node = NONE;
    int64_t free = 0;

    if (!is_alone(s, w->job, w->group)) {
        do
            node = node_after(s, shape, fill, w, node, &free);
        while (node != NONE && !try_within(s, w, node, 1, w->group));
        return node != NONE;
    }
    node = gsched_shape_holds(s, shape, gsched_gang_of(s, w->job, w->group),
                              fill == GSP_TIGHTEST, w);

    return node != NONE && try_within(s, w, node, 1, w->group);
}

bool gsched_group_has_subtree(const struct gsched *s, uint32_t job,
                              uint32_t group)
{
    struct gsp_subtree t;

    return gsched_group_subtree_of(s, job, group, &t);
}

bool gsched_group_place_in(struct gsched *s, const struct scope *w)
{
    struct gsp_subtree t;
    bool fits = false;

    if (!gsched_group_subtree_of(s, w->job, w->group, &t))
        return gsched_group_try(s, w);
    for (uint32_t level = t.narrowest;; level--) {
        if (level > s->topo->tier_count)
            fits = try_group_node(s, t.fill, w);
        else if (level > 0)
            fits = try_level(s, level, t.fill, w, w->group);
        else
            fits = gsched_group_try(s, w);
        if (fits || level <= t.widest)
            return fits;
    }
}

bool gsched_gang_place(struct gsched *s, uint32_t job, const uint8_t *avoid)
{
    struct scope w = gsched_scope_all(s, job, 0);

    w.avoid = avoid;
    return gsched_gang_place_in(s, &w);
}

bool gsched_gang_place_in(struct gsched *s, const struct scope *w)
{
    struct gsp_subtree t;

    if (gsched_domain_is_chosen(s, w->job) || !gsched_subtree_of(s, w->job, &t))
        return gsched_gang_try(s, w->job, w);
    for (uint32_t level = t.narrowest;; level--) {
        bool fits;

        if (level > s->topo->tier_count)
            fits = try_node(s, t.fill, w);
        else if (level > 0)
            fits = try_level(s, level, t.fill, w, NONE);
        else
            fits = gsched_gang_try(s, w->job, w);
        if (fits)
            return true;
        if (level <= t.widest)
            return false;
    }
}
