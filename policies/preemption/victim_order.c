/* policies/preemption/victim_order.c - victims of the whole cluster in one
 * order, as many as the gang needs to fit.
 *
 * As _run_now() of Slurm's select plugin: candidates are evicted one after the
 * other until the job fits, the order is improved and the search repeated, and
 * those without anything on the chosen nodes stay.  More evictions never make a
 * job fit less, so the number of victims is found by bisection.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/lifecycle/allocations.h"
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* --- candidates ----------------------------------------------------------- */

/* Number of nodes of the job; with `chosen`, of those that are marked. */
static uint32_t nodes_count(struct gsched *s, uint32_t job,
                            const uint8_t *chosen)
{
    struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;
    uint32_t n = 0;

    e->stamp++;
    for (uint32_t i = gsched_job(s, job)->first_allocation; i != NONE;
         i = all[i].next) {
        const uint32_t node = all[i].grant.node;

        n += e->seen[node] != e->stamp && (!chosen || chosen[node]);
        e->seen[node] = e->stamp;
    }
    return n;
}

static bool is_within(const struct gsched *s, const struct scope *w,
                      uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    uint32_t i = gsched_job(s, job)->first_allocation;

    while (i != NONE
           && (all[i].grant.node < w->from || all[i].grant.node >= w->end))
        i = all[i].next;
    return i != NONE;
}

static void candidate_add(struct gsched *s, uint32_t job)
{
    struct gsched_evict *e = s->evict;

    e->ranked = gs_array_grow(e->ranked, &e->ranked_cap, e->ranked_count + 1,
                              sizeof(*e->ranked));
    e->ranked[e->ranked_count++] = (struct ranked_victim){
        .job = job,
        .value = gsched_value_of(s, job, NONE),
        .nodes = nodes_count(s, job, NULL),
        .start = gsched_job(s, job)->allocated_since,
    };
}

static int by_job(const struct ranked_victim *x, const struct ranked_victim *y)
{
    return (x->job > y->job) - (x->job < y->job);
}

static int by_priority(const struct ranked_victim *x,
                       const struct ranked_victim *y)
{
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? -1 : 1;
    return by_job(x, y);
}

static int by_youth(const struct ranked_victim *x,
                    const struct ranked_victim *y)
{
    if (x->start != y->start)
        return x->start > y->start ? -1 : 1;
    return by_job(x, y);
}

static int by_use(const struct ranked_victim *x, const struct ranked_victim *y)
{
    if (x->useful != y->useful)
        return x->useful > y->useful ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

struct ranking {
    struct ranked_victim *at;
    int (*compare)(const struct ranked_victim *x,
                   const struct ranked_victim *y);
};

/* A heap with the last in order on top. */
static bool ranked_before(const void *of, uint32_t a, uint32_t b)
{
    const struct ranking *r = of;

    return r->compare(&r->at[a], &r->at[b]) > 0;
}

static void ranked_swap(void *of, uint32_t a, uint32_t b)
{
    const struct ranking *r = of;
    const struct ranked_victim x = r->at[a];

    r->at[a] = r->at[b];
    r->at[b] = x;
}

static void ranked_sort(struct ranking r, uint32_t count)
{
    static const struct gs_heap heap = { ranked_before, ranked_swap };

    gs_heap_build(&heap, &r, count);
    while (count > 1) {
        ranked_swap(&r, 0, --count);
        (void)gs_heap_sink(&heap, &r, count, 0);
    }
}

/* Add all of the job to the candidates, on one of its nodes. */
static void whole_add(struct gsched *s, uint32_t job)
{
    const uint32_t first = gsched_job(s, job)->first_allocation;

    gsched_victim_add(s, gsched_allocation_at(s, first)->grant.node, job, NONE);
}

/* Collect the jobs that may be victims and that no module protects, in order.
 */
static void candidates_gather(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    const uint32_t queue = gsched_queue_of(s, a->job);
    const struct gsched_running *r = s->running;
    uint32_t n = 0;

    e->ranked_count = 0;
    for (uint32_t p = 0; p < r->place_count; p++) {
        uint32_t job = r->running_list[queue * r->place_count + p].oldest;

        for (; job != NONE; job = gsched_job(s, job)->newer) {
            if (gsched_is_eligible(s, a, job, gsched_job(s, job)->high_class)
                && !gsched_is_fixed(s, job) && !gsched_any_leaves(s, job)
                && is_within(s, &a->scope, job))
                candidate_add(s, job);
        }
    }
    if (e->ranked_count == 0)
        return;
    ranked_sort(
        (struct ranking){ e->ranked, s->modules->preemption.youngest_first
                                         ? by_youth
                                         : by_priority },
        e->ranked_count);
    e->victim_count = 0;
    for (uint32_t i = 0; i < e->ranked_count; i++)
        whole_add(s, e->ranked[i].job);
    (void)gsched_victims_protect(s, a);
    for (uint32_t i = 0; i < e->ranked_count; i++) {
        if (!e->protected[i])
            e->ranked[n++] = e->ranked[i];
    }
    e->ranked_count = n;
}

/* --- the search ----------------------------------------------------------- */

/* True when the gang fits after the eviction of the first `n` candidates; then
 * these and the placements are remembered.
 */
static bool fits_after(struct gsched *s, const struct attempt *a,
                       const struct queue_entry *it, uint32_t n)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits;

    e->evicted_count = 0;
    for (uint32_t i = 0; i < n; i++)
        gsched_evict(s, e->ranked[i].job, NONE, false);
    fits = gsched_entry_allocatable(s, it) && gsched_gang_place_in(s, &a->scope)
           && gsched_rules_stand(s, it->job, first);
    if (fits)
        gsched_attempt_remember(s, first);
    gsched_attempt_undo(s, mark, first);
    return fits;
}

/* The least number of candidates, in their order, whose eviction is enough, of
 * which `most` are; then it is remembered.
 */
static uint32_t count_find(struct gsched *s, const struct attempt *a,
                           const struct queue_entry *it, uint32_t most)
{
    uint32_t no = 0, yes = 1;

    while (yes < most && !fits_after(s, a, it, yes)) {
        no = yes;
        yes = yes > most / 2 ? most : 2 * yes;
    }
    while (yes - no > 1) {
        const uint32_t mid = no + (yes - no) / 2;

        if (fits_after(s, a, it, mid))
            yes = mid;
        else
            no = mid;
    }
    return fits_after(s, a, it, yes) ? yes : 0;
}

/* Mark the nodes of the placements, or unmark them. */
static void chosen_mark(const struct gsched *s, uint8_t mark)
{
    const struct gsched_evict *e = s->evict;

    for (uint32_t i = 0; i < e->proposal_count; i++)
        e->chosen[e->proposal[i].grant.node] = mark;
}

/* Improve the order of the candidates, of which the first `n` are victims. */
static void candidates_sort(struct gsched *s, uint32_t n)
{
    struct gsched_evict *e = s->evict;
    const struct ranked_victim last = e->ranked[n - 1];

    if (s->modules->preemption.strict) {
        memmove(e->ranked + 1, e->ranked, (n - 1) * sizeof(*e->ranked));
        e->ranked[0] = last;
        return;
    }
    chosen_mark(s, 1);
    for (uint32_t i = 0; i < e->ranked_count; i++) {
        e->ranked[i].place = i;
        e->ranked[i].useful = i == n - 1 ? UINT32_MAX
                              : i < n
                                  ? nodes_count(s, e->ranked[i].job, e->chosen)
                                  : 0;
    }
    chosen_mark(s, 0);
    ranked_sort((struct ranking){ e->ranked, by_use }, e->ranked_count);
}

/* Keep the victims that hold something on the chosen nodes. */
static void victims_keep(struct gsched *s)
{
    struct gsched_evict *e = s->evict;
    uint32_t n = 0;

    chosen_mark(s, 1);
    for (uint32_t i = 0; i < e->tentative_count; i++) {
        if (nodes_count(s, e->tentative[i].job, e->chosen))
            e->tentative[n++] = e->tentative[i];
    }
    chosen_mark(s, 0);
    e->tentative_count = n;
}

/* True when the rules allow the placements that are remembered if only the
 * victims that are remembered go.
 */
static bool rules_stand_with(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool stands;

    e->evicted_count = 0;
    for (uint32_t i = 0; i < e->tentative_count; i++)
        gsched_evict(s, e->tentative[i].job, NONE, false);
    for (uint32_t i = 0; i < e->proposal_count; i++) {
        const struct gsched_decision *d = &e->proposal[i];

        topo_cluster_take(s->cluster, gsched_request(s, d->job, d->group),
                          &d->grant);
        gsched_propose(s, d->job, d->group, d->first_task, &d->grant);
    }
    stands = gsched_rules_stand(s, a->job, first);
    gsched_attempt_undo(s, mark, first);
    return stands;
}

bool gsched_order_clear(struct gsched *s, const struct attempt *a,
                        const struct queue_entry *it)
{
    const uint32_t reorder = s->modules->preemption.reorder;
    struct gsched_evict *e = s->evict;
    uint32_t n;

    if (fits_after(s, a, it, 0))
        return true;
    candidates_gather(s, a);
    n = e->ranked_count;
    if (n == 0 || !fits_after(s, a, it, n))
        return false;
    for (uint32_t pass = 0;; pass++) {
        n = count_find(s, a, it, n);
        if (n == 0)
            return false; /* a module answered differently */
        if (pass >= reorder || e->ranked_count <= pass + 1)
            break;
        candidates_sort(s, n); /* the first n stay the first n */
    }
    victims_keep(s);
    return !gsched_has_rules(s, a->job) || rules_stand_with(s, a)
           || fits_after(s, a, it, n);
}
