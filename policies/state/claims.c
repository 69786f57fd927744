/* policies/state/claims.c - room that is kept for jobs until their victims have
 * left; see grace.h.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

static void room_link(struct gsched *s, uint32_t claim,
                      const struct gsched_decision *d)
{
    struct gsched_grace *g = s->grace;
    const uint32_t i = gsched_grace_slot(&g->free_room, &g->rooms);
    uint32_t *first = &g->node_room[d->grant.node];

    g->room = gs_array_grow(g->room, &g->room_cap, g->rooms, sizeof(*g->room));
    g->room[i] = (struct claimed_room){
        .claim = claim,
        .job = d->job,
        .node = d->grant.node,
        .group = d->group,
        .tasks = d->grant.tasks,
        .next = g->claim[claim].first,
        .after = *first ? *first - 1 : NONE,
        .before = NONE,
    };
    g->claim[claim].first = i;
    if (*first)
        g->room[*first - 1].before = i;
    *first = i + 1;
    if (g->counts)
        gsched_usage_expect(s, d->job, d->group, d->grant.tasks, 1);
}

static uint32_t first_claim(const struct gsched *s, uint32_t job)
{
    const struct gsched_grace *g = s->grace;

    return g && job < g->claim_of_cap && g->claim_of[job] ? g->claim_of[job] - 1
                                                          : NONE;
}

uint32_t gsched_claim_open(struct gsched *s, uint32_t job, uint32_t group,
                           const struct gsched_decision *d, uint32_t count)
{
    struct gsched_grace *g = s->grace;
    const uint32_t i = gsched_grace_slot(&g->free_claim, &g->claims);
    uint32_t life;

    assert(count > 0);
    g->claim = gs_array_grow(g->claim, &g->claim_cap, g->claims,
                             sizeof(*g->claim));
    if (job != NONE)
        g->claim_of = gs_array_grow(g->claim_of, &g->claim_of_cap, job + 1,
                                    sizeof(*g->claim_of));
    life = g->claim[i].life + 1;
    g->claim[i] = (struct claim){
        .job = job,
        .group = group,
        .life = life,
        .first = NONE,
        .next = first_claim(s, job),
    };
    if (job != NONE)
        g->claim_of[job] = i + 1;
    g->open++;
    g->emptying += job == NONE;
    for (uint32_t k = 0; k < count; k++)
        room_link(s, i, &d[k]);
    return i;
}

static void room_unlink(struct gsched *s, uint32_t i)
{
    struct gsched_grace *g = s->grace;
    const struct claimed_room *r = &g->room[i];

    if (r->after != NONE)
        g->room[r->after].before = r->before;
    if (r->before != NONE)
        g->room[r->before].after = r->after;
    else
        g->node_room[r->node] = r->after == NONE ? 0 : r->after + 1;
    if (g->counts)
        gsched_usage_expect(s, r->job, r->group, r->tasks, -1);
    (void)gs_numbers_add(&g->free_room, i);
    (void)gs_numbers_add(&g->reopened, r->node);
}

static void claim_unlink(struct gsched *s, uint32_t claim)
{
    struct gsched_grace *g = s->grace;
    const struct claim *c = &g->claim[claim];
    uint32_t k = first_claim(s, c->job);

    if (c->job == NONE)
        return;
    if (k == claim) {
        g->claim_of[c->job] = c->next == NONE ? 0 : c->next + 1;
        return;
    }
    while (g->claim[k].next != claim)
        k = g->claim[k].next;
    g->claim[k].next = c->next;
}

/* Its victims still leave. */
static void claim_close(struct gsched *s, uint32_t claim)
{
    struct gsched_grace *g = s->grace;

    assert(g->claim[claim].first != NONE && g->open > 0);
    for (uint32_t r = g->claim[claim].first; r != NONE; r = g->room[r].next)
        room_unlink(s, r);
    claim_unlink(s, claim);
    g->claim[claim].first = NONE;
    g->open--;
    g->emptying -= g->claim[claim].job == NONE;
    (void)gs_numbers_add(&g->free_claim, claim);
}

void gsched_claims_close(struct gsched *s, uint32_t job)
{
    uint32_t i;

    while ((i = first_claim(s, job)) != NONE)
        claim_close(s, i);
}

void gsched_claims_met(struct gsched *s, uint32_t job, uint32_t group,
                       uint32_t tasks)
{
    uint32_t next;

    for (uint32_t i = first_claim(s, job); i != NONE; i = next) {
        const uint32_t of = s->grace->claim[i].group;

        next = s->grace->claim[i].next;
        if (of == NONE || (of == group && tasks > 0)) {
            tasks -= of == group;
            claim_close(s, i);
        }
    }
}

void gsched_claims_lost(struct gsched *s, uint32_t job)
{
    uint32_t i = gsched_job(s, job)->first_allocation;

    if (!gsched_any_leaves(s, job))
        return;
    for (; i != NONE; i = s->allocations->allocation[i].next) {
        const uint32_t leaver = s->allocations->allocation[i].leaver;
        const struct leaver *l = leaver ? &s->grace->leaver[leaver - 1] : NULL;

        if (l && gsched_claim_stands(s->grace, l))
            claim_close(s, l->claim);
    }
}

void gsched_claims_lapse(struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    for (uint32_t i = 0; i < g->gone.count; i++) {
        const struct claim *c = &g->claim[g->gone.at[i]];

        if (c->first != NONE && c->leavers == 0)
            claim_close(s, g->gone.at[i]);
    }
    g->gone.count = 0;
}

uint32_t gsched_claims_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t i = first_claim(s, job); i != NONE;
         i = s->grace->claim[i].next)
        n += s->grace->claim[i].group == group;
    return n;
}

void gsched_claims_count_own(struct gsched *s, bool is_so)
{
    if (s->grace)
        s->grace->counts_own = is_so;
}

bool gsched_claims_refuse(const struct gsched *s, const struct scope *w,
                          uint32_t node)
{
    const struct gsched_grace *g = s->grace;
    const uint32_t state = topo_cluster_group_of(s->cluster, node);
    const struct topo_groups *groups = topo_cluster_groups(s->cluster);
    const int64_t *leaving = g->leaving + (size_t)node * s->dims;
    const int32_t value =
        s->work->klass[gsched_class_of(s, w->job, w->group)].value;
    const struct topo_request *own = gsched_request(
        s, w->job, w->group == NONE ? 0 : w->group);
    int64_t kept[TOPO_DIMS_MAX] = { 0 };
    bool any = false;

    for (uint32_t i = g->node_room[node]; i; i = g->room[i - 1].after + 1) {
        const struct claimed_room *r = &g->room[i - 1];
        const uint32_t job = r->job;
        const struct topo_request *q = gsched_request(s, job, r->group);

        if ((job == w->job && !g->counts_own)
            || (gsched_queue_of(s, job) == gsched_queue_of(s, w->job)
                && s->work->klass[gsched_class_of(s, job, r->group)].value
                       < value))
            continue;
        any = true;
        for (uint32_t d = 0; d < s->dims; d++)
            kept[d] += q->amount[d] * r->tasks;
    }
    for (uint32_t d = 0; d < s->dims && any; d++) {
        if (own->amount[d] > 0
            && groups->free[d][state] + leaving[d] - own->amount[d] < kept[d])
            return true;
    }
    return false;
}

/* --- what queues count ---------------------------------------------------- */

static void rooms_count(struct gsched *s, int sign)
{
    const struct gsched_grace *g = s->grace;

    for (uint32_t i = 0; i < g->claims; i++) {
        for (uint32_t r = g->claim[i].first; r != NONE; r = g->room[r].next)
            gsched_usage_expect(s, g->room[r].job, g->room[r].group,
                                g->room[r].tasks, sign);
    }
}

static void leavers_count(struct gsched *s, int sign)
{
    const struct allocation *all = s->allocations->allocation;
    const struct gsched_grace *g = s->grace;

    for (uint32_t i = 0; i < g->leavers; i++) {
        uint32_t a = g->leaver[i].left
                         ? gsched_job(s, g->leaver[i].why.job)->first_allocation
                         : NONE;

        for (; a != NONE; a = all[a].next) {
            if (all[a].leaver == i + 1)
                gsched_usage_expect(s, all[a].job, all[a].group,
                                    all[a].grant.tasks, sign);
        }
    }
}

void gsched_claims_count(struct gsched *s, bool counts)
{
    if (!s->grace || s->grace->counts == counts)
        return;
    rooms_count(s, counts ? 1 : -1);
    leavers_count(s, counts ? -1 : 1);
    s->grace->counts = counts;
}
