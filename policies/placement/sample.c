/* policies/placement/sample.c - the part of the nodes that is searched for a
 * task.
 *
 * As in kube-scheduler and Volcano, a search stops when enough nodes are found
 * on which the task may be placed, and the next one begins behind the last node
 * that was looked at.  Nodes of several zones are looked at by turns.
 *
 * Source: kube-scheduler's findNodesThatPassFilters and node tree; Volcano's
 * CalculateNumOfFeasibleNodesToFind.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "policies/placement/candidates.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"

struct gsched_sample {
    uint32_t start;  /* where the next search begins */
    uint32_t *order; /* the nodes, zone by zone; NULL: as they are numbered */
};

/* The level of the zones; 0: there are none, or one. */
static uint32_t zone_level(const struct topo *t)
{
    for (uint32_t i = 0; i < t->tier_count; i++) {
        if (strcmp(gs_strtab_str(t->names, t->tier[i].name), "zone") == 0)
            return i + 1;
    }
    return 0;
}

/* One node of each zone by turns, those without nodes left out. */
static void by_turns(const struct topo *t, uint32_t *zone, uint32_t zones,
                     uint32_t *order)
{
    uint32_t n = 0;

    for (uint32_t turn = 0; zones > 0; turn++) {
        uint32_t kept = 0;

        for (uint32_t i = 0; i < zones; i++) {
            const struct topo_domain *d = &t->domain[zone[i]];

            if (turn == d->node_count)
                continue;
            order[n++] = d->first_node + turn;
            zone[kept++] = zone[i];
        }
        zones = kept;
    }
    assert(n == t->node_count);
}

void gsched_sample_open(struct gsched *s)
{
    const struct topo *t = s->topo;
    const uint32_t level = zone_level(t);
    uint32_t *zone, zones = 0;

    if (gsched_part_of(&s->profile->sample, t->node_count) == t->node_count)
        return;
    s->sample = gs_arena_alloc(s->arena, 1, sizeof(*s->sample));
    if (level == 0)
        return;
    zone = gs_arena_alloc(s->arena, t->domain_count, sizeof(*zone));
    for (uint32_t d = 0; d < t->domain_count; d++) {
        if (t->domain[d].level == level)
            zone[zones++] = d;
    }
    s->sample->order = gs_arena_alloc(s->arena, t->node_count,
                                      sizeof(*s->sample->order));
    by_turns(t, zone, zones, s->sample->order);
}

bool gsched_is_sampled(const struct gsched *s, const struct scope *w)
{
    const uint32_t nodes = w->end - w->from;

    return s->sample && gsched_part_of(&s->profile->sample, nodes) < nodes;
}

static bool is_allowed(const struct gsched *s, const struct scope *w,
                       uint32_t node)
{
    return (!w->has_rules && !w->avoid)
           || gsched_modules_allow_node(s, w, node) == node;
}

/* True when any candidate has nodes: else no search finds one. */
static bool any_left(struct gsched *s, uint32_t shape)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct shape_view *sv = gsched_shape_seen(s, shape);

    for (uint32_t i = 0; i < sv->count; i++) {
        if (g->nodes[sv->candidate[i].group]
            && gsched_candidate_stands(s, sv, i))
            return true;
    }
    return false;
}

void gsched_sample_collect(struct gsched *s, uint32_t shape,
                           const struct scope *w, struct node_scores *n)
{
    const uint32_t nodes = w->end - w->from;
    const uint32_t enough = gsched_part_of(&s->profile->sample, nodes);
    const uint32_t *order = nodes == s->topo->node_count ? s->sample->order
                                                         : NULL;
    const uint32_t start = nodes ? s->sample->start % nodes : 0;
    uint32_t seen = 0;

    n->count = 0;
    if (!any_left(s, shape))
        return;
    for (; seen < nodes && n->count < enough; seen++) {
        const uint32_t at = (start + seen) % nodes;
        const uint32_t node = order ? order[at] : w->from + at;
        const struct candidate *c = gsched_candidate(
            s, shape, topo_cluster_group_of(s->cluster, node));

        if (c && is_allowed(s, w, node))
            gsched_node_scores_put(n, node, c->score);
    }
    if (seen < nodes) /* all of them lead back to the start */
        s->sample->start = start + seen;
}
