/* policies/placement/topology_bound.c - the domains that a gang, or a group of
 * it, must not leave, and those in which room may be made for it, see
 * placement.h.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/placement/subtree.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

/* Limit `w` to the domain of the node at the level. */
static void stay_at(const struct gsched *s, struct scope *w, uint32_t node,
                    uint32_t level)
{
    const struct topo_domain *d;

    if (level > s->topo->tier_count) {
        *w = gsched_scope_within(w, node, 1);
        return;
    }
    d = &s->topo->domain[topo_domain_of(s->topo, node, level)];
    *w = gsched_scope_within(w, d->first_node, d->node_count);
}

/* An allocation of the group, or of one that shares its domain; NONE. */
static uint32_t allocation_of(const struct gsched *s, uint32_t job,
                              uint32_t group)
{
    uint32_t a = gsched_job(s, job)->first_allocation;

    while (a != NONE
           && !trace_groups_join(s->work, &s->work->job[job], group,
                                 s->allocations->allocation[a].group))
        a = s->allocations->allocation[a].next;
    return a;
}

/* Limit `w` to the domain that the job must not leave. */
static void job_stay(const struct gsched *s, struct scope *w)
{
    const uint32_t allocation = gsched_job(s, w->job)->first_allocation;
    struct gsp_subtree t;

    if (allocation != NONE && gsched_subtree_of(s, w->job, &t) && t.widest > 0)
        stay_at(s, w, s->allocations->allocation[allocation].grant.node,
                t.widest);
}

void gsched_group_stay(const struct gsched *s, struct scope *w, uint32_t node)
{
    const uint32_t level = gsched_group_bound_level(s, w->job, w->group);

    if (level > 0)
        stay_at(s, w, node, level);
}

void gsched_topology_stay(const struct gsched *s, struct scope *w)
{
    uint32_t own;

    job_stay(s, w);
    own = gsched_group_bound_level(s, w->job, w->group)
              ? allocation_of(s, w->job, w->group)
              : NONE;
    if (own != NONE)
        gsched_group_stay(s, w, s->allocations->allocation[own].grant.node);
}

uint32_t gsched_bound_level(const struct gsched *s, uint32_t job)
{
    struct gsp_subtree t;

    return gsched_subtree_of(s, job, &t) ? t.widest : 0;
}

uint32_t gsched_group_bound_level(const struct gsched *s, uint32_t job,
                                  uint32_t group)
{
    struct gsp_subtree t;

    return gsched_group_subtree_of(s, job, group, &t) ? t.widest : 0;
}

bool gsched_topology_next(const struct gsched *s, uint32_t job, uint32_t *at,
                          struct scope *w)
{
    const bool is_first = *at == NONE;
    struct gsp_subtree t;

    assert(at && w && job < s->jobs->job_count);
    if (is_first)
        *at = 0;
    *w = gsched_scope_all(s, job, 0);
    if (!gsched_subtree_of(s, job, &t) || t.widest == 0)
        return is_first;
    if (gsched_job(s, job)->first_allocation != NONE) {
        job_stay(s, w);
        return is_first;
    }
    if (t.widest > s->topo->tier_count) {
        const uint32_t node = is_first ? 0 : ++*at;

        *w = gsched_scope_within(w, node, 1);
        return node < s->topo->node_count;
    }
    for (*at += !is_first; *at < s->topo->domain_count; ++*at) {
        const struct topo_domain *d = &s->topo->domain[*at];

        if (d->level == t.widest) {
            *w = gsched_scope_within(w, d->first_node, d->node_count);
            return true;
        }
    }
    return false;
}

struct scope gsched_scope_domain(const struct gsched *s, uint32_t job,
                                 uint32_t domain)
{
    const struct scope w = gsched_scope_all(s, job, 0);

    assert(domain < s->topo->domain_count);
    return gsched_scope_within(&w, s->topo->domain[domain].first_node,
                               s->topo->domain[domain].node_count);
}

/* Could the domain, when empty, hold these amounts? */
static bool could_hold(const struct topo *t, const struct topo_domain *d,
                       const int64_t *asked)
{
    for (uint32_t dim = 0; dim < t->dims->count; dim++) {
        int64_t sum = 0;

        for (uint32_t n = 0; n < d->node_count && sum < asked[dim]; n++)
            sum += t->klass[t->node_class[d->first_node + n]].capacity[dim];
        if (sum < asked[dim])
            return false;
    }
    return true;
}

uint32_t gsched_domains_wide(const struct topo *t, uint32_t widest,
                             const int64_t *asked, uint32_t most, uint32_t *out)
{
    uint32_t count = 0;

    assert(most > 0 && widest > 0);
    for (uint32_t level = widest; level <= t->tier_count; level++) {
        uint32_t begin = most; /* the last ones stand at the end of out[] */

        for (uint32_t d = t->domain_count; d-- > 0 && begin > count;) {
            if (t->domain[d].level == level
                && could_hold(t, &t->domain[d], asked))
                out[--begin] = d;
        }
        memmove(out + count, out + begin, (most - begin) * sizeof(*out));
        count += most - begin;
    }
    return count;
}
