/* policies/placement/choice_tree.c - nodes below a tree of switches, see
 * node_choice.h.
 *
 * The domains of the innermost tier are the leaves.  The first leaf is the one
 * with the fewest nodes of those that are enough; if none is, one below the
 * smallest parent that is enough, or the one with the most nodes.  Then leaves
 * near to those already used follow, as in _eval_nodes_topo() of Slurm.
 */
#include <assert.h>

#include "policies/placement/node_choice.h"
#include "policies/state/module_calls.h"

/* The number of links between two leaves. */
static uint64_t links(const struct gsched *s, uint32_t a, uint32_t b)
{
    uint64_t n = 0;

    for (; a != b; n += 2) {
        a = s->topo->domain[a].parent;
        b = s->topo->domain[b].parent;
    }
    return n;
}

/* Leaf `used` is used: the distances of the others grow. */
static void distances_add(struct gsched *s, uint32_t used)
{
    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        if (s->topo->domain[d].level == s->topo->tier_count
            && s->choice->domain[d].nodes)
            s->choice->domain[d].distance += links(s, used, d);
    }
}

/* > 0: leaf `a` is a better fit for `need` tasks; *fits: it is enough, or what
 * is above it where they were compared.
 */
static int leaf_compare(const struct gsched *s, uint32_t a, uint32_t b,
                        uint32_t need, bool *fits)
{
    const struct chosen_domain *of = s->choice->domain;
    const struct topo_domain *domain = s->topo->domain;

    for (;;) {
        const bool a_fits = of[a].tasks >= need, b_fits = of[b].tasks >= need;

        *fits = a_fits;
        if (a_fits != b_fits)
            return a_fits ? 1 : -1;
        if (a_fits && of[a].nodes != of[b].nodes)
            return of[a].nodes < of[b].nodes ? 1 : -1;
        if (a_fits || domain[a].parent == domain[b].parent)
            break;
        a = domain[a].parent;
        b = domain[b].parent;
    }
    return (of[a].nodes > of[b].nodes) - (of[a].nodes < of[b].nodes);
}

/* The leaf to use next; NONE: nothing is left. */
static uint32_t leaf_best(const struct gsched *s, uint32_t need)
{
    const struct chosen_domain *of = s->choice->domain;
    uint32_t best = NONE;

    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        bool fits;
        int better;

        if (s->topo->domain[d].level != s->topo->tier_count || of[d].is_used
            || of[d].nodes == 0)
            continue;
        if (best == NONE) {
            best = d;
            continue;
        }
        better = leaf_compare(s, d, best, need, &fits);
        if ((of[d].distance < of[best].distance && fits)
            || (of[d].distance == of[best].distance && better > 0))
            best = d;
    }
    return best;
}

/* The domain at the level that no gang leaves which has the lowest weight, of
 * equals the last, among those that are enough; NONE.
 */
static uint32_t top_find(struct gsched *s, const struct choice_ask *ask)
{
    const struct chosen_domain *of = s->choice->domain;
    uint32_t best = NONE;

    gsched_domains_count(s, ask, INT64_MAX);
    for (uint32_t d = 0; d < s->topo->domain_count; d++) {
        if (s->topo->domain[d].level == s->modules->choice.within
            && of[d].tasks >= ask->need
            && (best == NONE || of[d].weight <= of[best].weight))
            best = d;
    }
    return best;
}

bool gsched_choose_tree(struct gsched *s, const struct choice_ask *ask)
{
    const uint32_t top = top_find(s, ask);
    struct choice_ask in;
    int64_t limit;
    uint32_t need;

    if (top == NONE)
        return false;
    in = gsched_ask_within(s, ask, top);
    if (!gsched_choice_limit(s, &in, &limit))
        return false;
    gsched_domains_count(s, &in, limit);
    need = gsched_domains_begin(s, &in, limit);
    for (uint32_t d = 0; need > 0 && d < s->topo->domain_count; d++) {
        if (s->choice->domain[d].is_used)
            distances_add(s, d);
    }
    while (need > 0) {
        const uint32_t leaf = leaf_best(s, need);

        if (leaf == NONE)
            return false;
        need = gsched_domain_take(s, &in, leaf, limit, need);
        distances_add(s, leaf);
    }
    return true;
}
