/* policies/state/grace.c - see grace.h. */
#include "policies/state/grace.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"
#include "traces/workload/accounts.h"

/* --- grace times ---------------------------------------------------------- */

static bool any_grace(const struct gsched *s)
{
    const struct trace_workload *w = s->work;
    bool any = s->modules->preemption.grace > 0;

    for (uint32_t i = 0; i < w->accounts->qos_count && !any; i++)
        any = w->accounts->qos[i].grace > 0;
    for (uint32_t i = 0; i < w->accounts->partition_count && !any; i++)
        any = w->accounts->partition[i].grace > 0;
    return any;
}

int64_t gsched_grace_of(const struct gsched *s, uint32_t job)
{
    const struct trace_workload *w = s->work;
    const uint32_t qos = trace_qos_find(w, w->job[job].aside->qos);
    const uint32_t partition = trace_partition_find(
        w, w->job[job].aside->partition);

    if (qos != TRACE_NONE && w->accounts->qos[qos].grace)
        return w->accounts->qos[qos].grace;
    if (partition != TRACE_NONE && w->accounts->partition[partition].grace)
        return w->accounts->partition[partition].grace;
    return s->modules->preemption.grace;
}

/* --- heap of ends --------------------------------------------------------- */

static bool end_before(const void *of, uint32_t a, uint32_t b)
{
    const struct grace_end *end = of;

    return end[a].until != end[b].until ? end[a].until < end[b].until
                                        : end[a].leaver < end[b].leaver;
}

GS_HEAP_SWAP(end_swap, struct grace_end)

static const struct gs_heap by_end = { end_before, end_swap };

static bool end_stands(const struct gsched_grace *g, const struct grace_end *e)
{
    return g->leaver[e->leaver].left && g->leaver[e->leaver].life == e->life;
}

static void ends_clean(struct gsched_grace *g)
{
    while (g->ends && !end_stands(g, &g->end[0])) {
        g->end[0] = g->end[--g->ends];
        (void)gs_heap_sink(&by_end, g->end, g->ends, 0);
    }
}

uint32_t gsched_grace_over(struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    ends_clean(g);
    return g->ends && g->end[0].until <= s->now ? g->end[0].leaver : NONE;
}

int64_t gsched_grace_next(const struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    if (!g)
        return GSCHED_NEVER;
    ends_clean(g);
    return g->ends ? g->end[0].until : GSCHED_NEVER;
}

/* --- victims -------------------------------------------------------------- */

/* Add what an allocation holds to that of victims on its node (sign 1), or take
 * it away (-1).
 */
static void leaving_sum(struct gsched *s, const struct allocation *a, int sign)
{
    const struct topo_request *r = gsched_request(s, a->job, a->group);
    int64_t *sum = s->grace->leaving + (size_t)a->grant.node * s->dims;

    for (uint32_t d = 0; d < s->dims; d++) {
        sum[d] += sign * r->amount[d] * a->grant.tasks;
        assert(sum[d] >= 0);
    }
}

static void allocation_leaves(struct gsched *s, uint32_t i, uint32_t leaver)
{
    struct gsched_grace *g = s->grace;
    struct allocation *a = &s->allocations->allocation[i];

    assert(a->leaver == 0);
    a->leaver = leaver + 1;
    g->leaver[leaver].left++;
    g->leaving_of = gs_array_grow(g->leaving_of, &g->leaving_of_cap, a->job + 1,
                                  sizeof(*g->leaving_of));
    g->leaving_of[a->job]++;
    leaving_sum(s, a, 1);
    if (g->counts)
        gsched_usage_expect(s, a->job, a->group, a->grant.tasks, -1);
}

void gsched_leaver_add(struct gsched *s, uint32_t claim, uint32_t allocation,
                       int64_t until, const struct gsched_decision *why)
{
    struct gsched_grace *g = s->grace;
    const struct allocation *all = s->allocations->allocation;
    const uint32_t i = gsched_grace_slot(&g->free_leaver, &g->leavers);
    uint32_t life;

    g->leaver = gs_array_grow(g->leaver, &g->leaver_cap, g->leavers,
                              sizeof(*g->leaver));
    life = g->leaver[i].life + 1;
    g->leaver[i] = (struct leaver){
        .until = until,
        .estimate = gsched_job(s, why->job)->estimate,
        .allocation = allocation,
        .claim = claim,
        .claim_life = claim == NONE ? 0 : g->claim[claim].life,
        .life = life,
        .why = *why,
    };
    if (allocation != NONE)
        allocation_leaves(s, allocation, i);
    for (uint32_t k = gsched_job(s, why->job)->first_allocation;
         allocation == NONE && k != NONE; k = all[k].next) {
        if (all[k].leaver == 0) /* others leave alone, for the same claim */
            allocation_leaves(s, k, i);
    }
    assert(g->leaver[i].left > 0);
    if (claim != NONE)
        g->claim[claim].leavers++;
    g->end = gs_array_grow(g->end, &g->end_cap, g->ends + 1, sizeof(*g->end));
    g->end[g->ends] = (struct grace_end){ until, i, life };
    (void)gs_heap_rise(&by_end, g->end, g->ends++);
}

/* A victim of action admit holds nothing any more. */
static void spent_add(struct gsched_grace *g, const struct gsched_decision *why)
{
    g->spent = gs_array_grow(g->spent, &g->spent_cap, g->spent_count + 1,
                             sizeof(*g->spent));
    g->spent[g->spent_count++] = *why;
}

void gsched_leaver_left(struct gsched *s, uint32_t allocation)
{
    struct gsched_grace *g = s->grace;
    struct allocation *a = &s->allocations->allocation[allocation];
    const uint32_t i = a->leaver - 1;
    struct leaver *l = &g->leaver[i];

    assert(a->leaver && l->left > 0 && g->leaving_of[a->job] > 0);
    a->leaver = 0;
    g->leaving_of[a->job]--;
    leaving_sum(s, a, -1);
    if (g->counts)
        gsched_usage_expect(s, a->job, a->group, a->grant.tasks, 1);
    if (--l->left)
        return;
    if (l->claim == NONE)
        spent_add(g, &l->why);
    if (gsched_claim_stands(g, l) && --g->claim[l->claim].leavers == 0)
        (void)gs_numbers_add(&g->gone, l->claim);
    (void)gs_numbers_add(&g->free_leaver, i);
}

bool gsched_any_leaves(const struct gsched *s, uint32_t job)
{
    return s->grace && job < s->grace->leaving_of_cap
           && s->grace->leaving_of[job];
}

/* The victim that is the whole job; NULL. */
static struct leaver *leaver_of(const struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    uint32_t i = gsched_job(s, job)->first_allocation;

    if (!gsched_any_leaves(s, job))
        return NULL;
    while (i != NONE
           && (all[i].leaver == 0
               || s->grace->leaver[all[i].leaver - 1].allocation != NONE))
        i = all[i].next;
    return i == NONE ? NULL : &s->grace->leaver[all[i].leaver - 1];
}

bool gsched_leaves(const struct gsched *s, uint32_t job)
{
    return leaver_of(s, job) != NULL;
}

bool gsched_leaves_in_parts(const struct gsched *s, uint32_t job)
{
    uint32_t of_job = 0, of_group = 0;

    gsched_leaving_count(s, job, NONE, &of_job, &of_group);
    return of_job > 0 && of_job == gsched_job(s, job)->placed
           && !gsched_leaves(s, job);
}

void gsched_leaving_count(const struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t *of_job, uint32_t *of_group)
{
    uint32_t i = gsched_job(s, job)->first_allocation;

    if (!gsched_any_leaves(s, job))
        return;
    for (; i != NONE; i = s->allocations->allocation[i].next) {
        const struct allocation *a = &s->allocations->allocation[i];

        *of_job += a->leaver ? a->grant.tasks : 0;
        *of_group += a->leaver && a->group == group ? a->grant.tasks : 0;
    }
}

int64_t gsched_estimate_before(const struct gsched *s, uint32_t job)
{
    const struct leaver *l = leaver_of(s, job);

    return l ? l->estimate : gsched_job(s, job)->estimate;
}

int64_t gsched_estimate_leaving(struct gsched *s, uint32_t job, int64_t us)
{
    struct leaver *l = leaver_of(s, job);
    int64_t most;

    if (!l)
        return us;
    l->estimate = us;
    most = l->until - gsched_job(s, job)->allocated_since;
    return us < most ? us : most;
}

/* -------------------------------------------------------------------------- */

void gsched_grace_open(struct gsched *s)
{
    if ((!s->evict && !s->quotas) || !any_grace(s))
        return;
    s->grace = gs_arena_alloc(s->arena, 1, sizeof(*s->grace));
    s->grace->node_room = gs_arena_alloc(s->arena, s->topo->node_count,
                                         sizeof(*s->grace->node_room));
    s->grace->leaving = gs_arena_alloc(s->arena,
                                       (size_t)s->topo->node_count * s->dims,
                                       sizeof(*s->grace->leaving));
}

void gsched_grace_free(struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    if (!g)
        return;
    gs_array_free(g->leaver);
    gs_array_free(g->spent);
    gs_array_free(g->claim);
    gs_array_free(g->room);
    gs_array_free(g->end);
    gs_array_free(g->free_leaver.at);
    gs_array_free(g->free_claim.at);
    gs_array_free(g->free_room.at);
    gs_array_free(g->gone.at);
    gs_array_free(g->movers.at);
    gs_array_free(g->reopened.at);
    gs_array_free(g->claim_of);
    gs_array_free(g->leaving_of);
}
