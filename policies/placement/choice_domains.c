/* policies/placement/choice_domains.c - what trees and blocks have in common,
 * see node_choice.h.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/node_choice.h"

void gsched_domains_count(struct gsched *s, const struct choice_ask *ask,
                          int64_t limit)
{
    struct chosen_domain *domain = s->choice->domain;

    memset(domain, 0, s->topo->domain_count * sizeof(*domain));
    for (EACH_ASKED(n, ask)) {
        const uint32_t fits = s->choice->fits[n];
        const int64_t weight = gsched_weight_of(s, n);
        uint32_t d = s->topo->node_domain[n];

        if (fits == 0 || weight > limit)
            continue;
        for (;; d = s->topo->domain[d].parent) {
            if (domain[d].nodes == 0 || weight < domain[d].weight)
                domain[d].weight = weight;
            domain[d].nodes++;
            domain[d].tasks += fits;
            if (d == 0)
                break;
        }
    }
}

struct choice_ask gsched_ask_within(const struct gsched *s,
                                    const struct choice_ask *ask,
                                    uint32_t domain)
{
    const struct topo_domain *d = &s->topo->domain[domain];
    const uint32_t end = d->first_node + d->node_count;
    struct choice_ask in = *ask;

    in.from = d->first_node > ask->from ? d->first_node : ask->from;
    in.end = end < ask->end ? end : ask->end;
    in.end = in.end > in.from ? in.end : in.from;
    return in;
}

/* Take what is needed on the node, which its domains then lack. */
static uint32_t node_take(struct gsched *s, const struct choice_ask *ask,
                          uint32_t node, uint32_t need)
{
    struct chosen_domain *domain = s->choice->domain;
    const uint32_t fits = s->choice->fits[node];

    for (uint32_t d = s->topo->node_domain[node];;
         d = s->topo->domain[d].parent) {
        domain[d].nodes--;
        domain[d].tasks -= fits;
        if (d == 0)
            break;
    }
    return gsched_choice_take(s, ask, node, need);
}

uint32_t gsched_domain_take(struct gsched *s, const struct choice_ask *ask,
                            uint32_t domain, int64_t limit, uint32_t need)
{
    const struct choice_ask in = gsched_ask_within(s, ask, domain);

    s->choice->domain[domain].is_used = true;
    for (EACH_ASKED(n, &in)) {
        if (need == 0)
            break;
        if (s->choice->fits[n] && gsched_weight_of(s, n) <= limit)
            need = node_take(s, ask, n, need);
    }
    return need;
}

uint32_t gsched_domains_begin(struct gsched *s, const struct choice_ask *ask,
                              int64_t limit)
{
    const uint32_t level = s->topo->tier_count;
    uint32_t need = ask->need;
    bool any = false;

    for (EACH_ASKED(n, ask)) {
        if (need == 0)
            break;
        if (s->choice->fits[n] == 0 || gsched_weight_of(s, n) >= limit)
            continue;
        s->choice->domain[s->topo->node_domain[n]].is_used = any = true;
        need = node_take(s, ask, n, need);
    }
    for (uint32_t d = 0; any && d < s->topo->domain_count && need > 0; d++) {
        if (s->topo->domain[d].level == level && s->choice->domain[d].is_used)
            need = gsched_domain_take(s, ask, d, limit, need);
    }
    return need;
}
