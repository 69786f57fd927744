/* policies/state/quota_open.c - the quotas that the workload states, and
 * flavors of its queues; see quota_holds.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/far.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "traces/workload/queue_terms.h"

/* --- the quotas that the workload states ---------------------------------- */

static const struct trace_queue_extra *extra_of(const struct gsched *s,
                                                uint32_t queue)
{
    return trace_queue_extra(s->work, &s->work->queue[queue]);
}

static int64_t guarantee_of(const struct gsched *s, uint32_t queue,
                            uint32_t dim)
{
    return trace_queue_amounts(&s->work->queue[queue])->guarantee[dim];
}

static bool states_plain(const struct gsched *s, uint32_t queue, uint32_t dim)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    return guarantee_of(s, queue, dim) > 0 || x->borrow[dim] >= 0
           || x->lend[dim] >= 0;
}

static void cells_set(struct gsched *s)
{
    const struct trace_workload *w = s->work;
    struct quotas *q = s->quotas->q;

    for (uint32_t n = 0; n < s->queues; n++) {
        const struct trace_queue_extra *x = extra_of(s, n);

        for (uint32_t d = 0; d < s->dims; d++) {
            if (states_plain(s, n, d))
                quotas_cell(q, n, QUOTA_PLAIN, d);
            for (uint32_t i = 0; i < x->flavor_count; i++) {
                const struct trace_queue_flavor *f =
                    &w->terms->queue_flavor[x->first_flavor + i];

                if (f->guarantee[d] >= 0)
                    quotas_cell(q, n, f->flavor + 1, d);
            }
        }
    }
    quotas_cells_done(q);
}

static void amounts_set(struct gsched *s, uint32_t n)
{
    const struct trace_queue_extra *x = extra_of(s, n);
    struct quotas *q = s->quotas->q;

    for (uint32_t d = 0; d < s->dims; d++) {
        if (states_plain(s, n, d))
            quotas_amount_set(q, n, quotas_cell_find(q, n, QUOTA_PLAIN, d),
                              guarantee_of(s, n, d), x->borrow[d], x->lend[d]);
        for (uint32_t i = 0; i < x->flavor_count; i++) {
            const struct trace_queue_flavor *f =
                &s->work->terms->queue_flavor[x->first_flavor + i];

            if (f->guarantee[d] >= 0)
                quotas_amount_set(q, n,
                                  quotas_cell_find(q, n, f->flavor + 1, d),
                                  f->guarantee[d], f->borrow[d], f->lend[d]);
        }
    }
}

static void policy_set(struct gsched *s, uint32_t n)
{
    const int64_t *term = extra_of(s, n)->term;
    struct quota_node *node = quotas_node(s->quotas->q, n);

    node->weight = s->work->queue[n].weight;
    node->policy = (struct quota_policy){
        .within = (enum quota_victims_of)term[TRACE_TERM_EVICTS_OWN],
        .reclaim = (enum quota_victims_of)term[TRACE_TERM_EVICTS_OTHERS],
        .borrows = term[TRACE_TERM_EVICTS_BORROWING] != 0,
        .has_most = term[TRACE_TERM_EVICTS_MOST] != INT64_MIN,
        .most = term[TRACE_TERM_EVICTS_MOST],
        .next_if_borrows = term[TRACE_TERM_NEXT_BORROWING] != 0,
        .next_if_preempts = term[TRACE_TERM_NEXT_EVICTING] != 0,
        .borrows_last = term[TRACE_TERM_FLAVOR_PREFERS] == 1,
        .is_strict = term[TRACE_TERM_HEAD_BLOCKS] != 0,
    };
}

/* --- flavors of a queue --------------------------------------------------- */

static void flavor_add(struct flavor_list *l, uint32_t flavor)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->flavor[i] == flavor)
            return;
    }
    if (l->count < FLAVORS_MAX)
        l->flavor[l->count++] = flavor;
}

/* Add those that the queue states, in order. */
static void flavors_stated(const struct gsched *s, uint32_t queue,
                           struct flavor_list *l)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    for (uint32_t i = 0; i < x->flavor_count; i++)
        flavor_add(l, s->work->terms->queue_flavor[x->first_flavor + i].flavor
                          + 1);
}

/* A queue without flavors has those of the next queue above that states some,
 * or all of its tree.
 */
static void flavors_list(const struct gsched *s, uint32_t queue,
                         struct flavor_list *l)
{
    const struct quotas *q = s->quotas->q;
    const uint32_t tree = quotas_node(q, queue)->tree;

    for (uint32_t n = queue; n != TRACE_NONE && l->count == 0;
         n = s->work->queue[n].parent)
        flavors_stated(s, n, l);
    for (uint32_t c = 0; l->count == 0 && c < quotas_tree(q, tree)->cells;
         c++) {
        if (quotas_cell_at(q, tree, c)->flavor != QUOTA_PLAIN)
            flavor_add(l, quotas_cell_at(q, tree, c)->flavor);
    }
    flavor_add(l, QUOTA_PLAIN);
}

static bool states(const struct gsched *s, const struct trace_queue_extra *x,
                   uint32_t flavor, uint32_t dim)
{
    bool states = false;

    for (uint32_t i = 0; i < x->flavor_count && !states; i++) {
        const struct trace_queue_flavor *f =
            &s->work->terms->queue_flavor[x->first_flavor + i];

        states = f->flavor == flavor && f->guarantee[dim] >= 0;
    }
    return states;
}

/* Which cells each flavor of the queue has: those that the queue states, or any
 * that its tree has where it states no flavors.  What flavors cover the plain
 * amounts do not.
 */
static void flavor_cells(const struct gsched *s, uint32_t queue,
                         struct flavor_list *l)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    for (uint32_t i = 0; i < l->count; i++) {
        for (uint32_t d = 0; d < s->dims; d++) {
            uint32_t *cell = &l->cell[(size_t)i * s->dims + d];
            bool covers = true;

            if (l->flavor[i] == QUOTA_PLAIN) {
                for (uint32_t k = 0; k < i && covers; k++)
                    covers = l->cell[(size_t)k * s->dims + d] == QUOTA_NONE;
            } else if (x->flavor_count) {
                covers = states(s, x, l->flavor[i] - 1, d);
            }
            *cell = covers
                        ? quotas_cell_find(s->quotas->q, queue, l->flavor[i], d)
                        : QUOTA_NONE;
        }
    }
}

/* Flavors that share a resource are of one set. */
static void sets_find(const struct gsched *s, struct flavor_list *l)
{
    memset(l->set_of_dim, FLAVOR_NONE, s->dims);
    for (uint32_t i = 0; i < l->count; i++) {
        uint8_t set = FLAVOR_NONE;

        for (uint32_t d = 0; d < s->dims; d++) {
            if (l->cell[(size_t)i * s->dims + d] != QUOTA_NONE
                && l->set_of_dim[d] < set)
                set = l->set_of_dim[d];
        }
        if (set == FLAVOR_NONE)
            set = (uint8_t)l->sets++;
        l->set[i] = set;
        for (uint32_t d = 0; d < s->dims; d++) {
            const uint8_t other = l->set_of_dim[d];

            if (l->cell[(size_t)i * s->dims + d] == QUOTA_NONE)
                continue;
            for (uint32_t k = 0; other != FLAVOR_NONE && k < i; k++) {
                if (l->set[k] == other)
                    l->set[k] = set;
            }
            for (uint32_t k = 0; other != FLAVOR_NONE && k < s->dims; k++) {
                if (l->set_of_dim[k] == other)
                    l->set_of_dim[k] = set;
            }
            l->set_of_dim[d] = set;
        }
    }
}

/* Rounds after which first jobs, each of which goes through at most so many
 * flavors of a set in turn, have met in each way.
 */
static uint32_t period_of(uint32_t flavors)
{
    static const uint32_t multiple[] = { 1, 1, 2, 6, 12 }; /* of 1, 2 ... */
    const uint32_t known = sizeof(multiple) / sizeof(multiple[0]) - 1;

    return flavors <= known            ? multiple[flavors]
           : flavors < multiple[known] ? multiple[known]
                                       : flavors;
}

static void period_set(struct gsched *s, uint32_t queue)
{
    const struct flavor_list *l = &s->quotas->queue[queue].flavors;
    uint32_t *period =
        &s->quotas->wake[quotas_node(s->quotas->q, queue)->tree].period;

    for (uint32_t set = 0; set < l->sets; set++) {
        uint32_t flavors = 0;

        for (uint32_t i = 0; i < l->count; i++)
            flavors += l->set[i] == set;
        if (period_of(flavors) > *period)
            *period = period_of(flavors);
    }
}

static void queue_open(struct gsched *s, uint32_t queue)
{
    struct flavor_list *l = &s->quotas->queue[queue].flavors;
    uint32_t flavor[FLAVORS_MAX];

    l->flavor = flavor;
    flavors_list(s, queue, l);
    l->flavor = gs_arena_alloc(s->arena, l->count, sizeof(*l->flavor));
    memcpy(l->flavor, flavor, l->count * sizeof(*flavor));
    l->set = gs_arena_alloc(s->arena, l->count, 1);
    l->set_of_dim = gs_arena_alloc(s->arena, s->dims, 1);
    l->cell = gs_arena_alloc(s->arena, (size_t)l->count * s->dims,
                             sizeof(*l->cell));
    flavor_cells(s, queue, l);
    sets_find(s, l);
    period_set(s, queue);
    s->quotas->queue[queue].tried_job = NONE;
    s->quotas->queue[queue].sticky = NONE;
}

/* --- open ----------------------------------------------------------------- */

static void how_set(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    q->gate = NO_GATE;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->admit && m->module->admit(m->self, &q->how))
            q->gate = m->gate;
    }
    q->search.usage = s->modules->usage ? gsched_quota_usage : NULL;
    q->search.usage_of = s;
    q->search.shares = q->how.shares;
    q->search.final_first = q->how.final_first;
    q->search.then_initial = q->how.then_initial;
    q->search.own_is_even = q->how.own_is_even;
}

void gsched_quotas_open(struct gsched *s)
{
    struct gsched_quotas *q;
    uint32_t *parent;

    if (!gsched_has_action(s, GSCHED_ADMIT))
        return;
    q = s->quotas = gs_arena_alloc(s->arena, 1, sizeof(*q));
    parent = gs_array_new(s->queues, sizeof(*parent));
    for (uint32_t n = 0; n < s->queues; n++)
        parent[n] = s->work->queue[n].parent == TRACE_NONE
                        ? QUOTA_NONE
                        : s->work->queue[n].parent;
    q->q = quotas_create(s->queues, parent);
    gs_array_free(parent);
    cells_set(s);
    for (uint32_t n = 0; n < s->queues; n++) {
        amounts_set(s, n);
        policy_set(s, n);
        q->has_strict |= quotas_node(q->q, n)->policy.is_strict;
    }
    quotas_settle(q->q);
    quota_sleepers_open(&q->sleepers, q->q);
    q->queue = gs_arena_alloc(s->arena, s->queues, sizeof(*q->queue));
    q->wake = gs_arena_alloc(s->arena, quotas_trees(q->q), sizeof(*q->wake));
    for (uint32_t n = 0; n < s->queues; n++)
        queue_open(s, n);
    how_set(s);
    contest_open(&q->contest, q->q, q->how.shares);
    q->contest.shares_alone = q->how.shares_alone;
    q->on_trial = NONE;
    q->set_count = 1; /* 0: any node */
    q->set = gs_array_grow(NULL, &q->set_cap, 1, sizeof(*q->set));
    s->modules->needs_admission = true;
    s->labels->has_rules |= s->work->terms->flavor_count > 0;
}

void gsched_quotas_free(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q)
        return;
    for (uint32_t n = 0; n < s->queues; n++) {
        gs_array_free(q->queue[n].active.at);
        gs_array_free(q->queue[n].sleeping.at);
        gs_array_free(q->queue[n].tried);
    }
    for (uint32_t t = 0; t < quotas_trees(q->q); t++) {
        gs_array_free(q->wake[t].aside.at);
        gs_array_free(q->wake[t].blocked.at);
        gs_array_free(q->wake[t].sleeping);
    }
    gs_array_free(q->quiet.at);
    quota_sleepers_free(&q->sleepers);
    gs_array_free(q->news.at);
    gs_array_free(q->moved.at);
    quota_search_free(&q->search);
    contest_free(&q->contest);
    flavor_choice_free(&q->choice);
    gs_far_free(s->work->far, q->hold);
    gs_array_free(q->queue_lack);
    gs_far_free(s->work->far, q->group_flavors);
    gs_far_free(s->work->far, q->group_tasks);
    gs_array_free(q->set);
    gs_hash_free(&q->sets);
    gs_array_free(q->suits);
    for (int i = 0; i < QUOTA_WAITS; i++)
        gs_array_free(q->waits[i].at);
    gs_array_free(q->kind);
    quotas_free(q->q);
}

void gsched_quotas_grow(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q)
        return;
    quotas_jobs_grow(q->q, s->work->far, s->work->job_count);
    if (q->hold_count < s->work->job_count) {
        q->hold_count = s->work->job_count;
        q->hold = gs_far_grow(s->work->far, q->hold, &q->hold_cap,
                              q->hold_count, sizeof(*q->hold));
    }
    if (q->group_count >= s->work->group_count)
        return;
    q->group_count = s->work->group_count;
    q->group_flavors = gs_far_grow(s->work->far, q->group_flavors,
                                   &q->flavors_cap, q->group_count,
                                   sizeof(*q->group_flavors));
    q->group_tasks = gs_far_grow(s->work->far, q->group_tasks, &q->tasks_cap,
                                 q->group_count, sizeof(*q->group_tasks));
}
