/* policies/solver/gifts.c - what queues may give for a job: bounds that modules
 * know before a trial is made.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/placement/placement.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

/* --- by queue ------------------------------------------------------------- */

static struct gift *gift_of(struct gsched *s, uint32_t queue)
{
    struct gsched_solver *v = s->solver;
    struct gift *g = &v->gift[queue];

    if (g->step != v->step) {
        g->step = v->step;
        g->most = gsched_modules_give(s, v->it->job, v->asked, queue, v->dim);
    }
    return g;
}

bool gsched_gives_any(struct gsched *s, uint32_t job)
{
    return gift_of(s, gsched_queue_of(s, job))->most > 0;
}

/* What a queue gives of the sum of its units, of which the largest is known. */
static int64_t given(int64_t most, int64_t sum, int64_t largest)
{
    if (most == 0)
        return 0;
    return sum < most || sum - most < largest ? sum : most + largest;
}

/* Count a unit of the job that holds `amount` as one that goes. */
void gsched_gift_add(struct gsched *s, uint32_t job, int64_t amount)
{
    struct gsched_solver *v = s->solver;
    struct gift *g = gift_of(s, gsched_queue_of(s, job));

    if (g->trial != v->trial_stamp) {
        g->trial = v->trial_stamp;
        g->gone = g->largest = 0;
    }
    g->gone += amount;
    g->largest = amount > g->largest ? amount : g->largest;
}

/* Where not all units can have other places, as less is free than asked for,
 * some must go, and queues must give them.
 */
bool gsched_gifts_are_enough(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    int64_t sum = 0;

    for (uint32_t i = 0; i < v->chosen_count && sum < v->lacking; i++) {
        struct gift *g =
            &v->gift[gsched_queue_of(s, v->unit[v->chosen[i]].job)];

        if (g->trial != v->trial_stamp)
            continue;
        g->trial = 0;
        sum += given(g->most, g->gone, g->largest);
    }
    return sum >= v->lacking;
}

/* Count what the job holds on each of its nodes. */
static void job_give(struct gsched *s, uint32_t job)
{
    struct gsched_solver *v = s->solver;
    const struct allocation *all = s->allocations->allocation;
    int64_t amount[TOPO_DIMS_MAX];

    gsched_victim_amount(s, job, NONE, amount);
    v->trial_stamp++;
    for (uint32_t a = gsched_job(s, job)->first_allocation; a != NONE;
         a = all[a].next) {
        const uint32_t node = all[a].grant.node;
        struct node_gift *n = &v->node_gift[node];

        if (v->seen_node[node] == v->trial_stamp)
            continue;
        v->seen_node[node] = v->trial_stamp;
        if (n->sum == 0)
            v->given_node[v->given_count++] = node;
        n->sum += amount[v->dim];
        n->largest = amount[v->dim] > n->largest ? amount[v->dim] : n->largest;
    }
}

/* Count what the queue gives on each node. */
static void queue_give(struct gsched *s, uint32_t queue, int64_t most)
{
    struct gsched_solver *v = s->solver;
    const struct gsched_running *r = s->running;

    v->given_count = 0;
    for (uint32_t p = 0; p < r->place_count; p++) {
        for (uint32_t job = r->running_list[queue * r->place_count + p].newest;
             job != NONE; job = gsched_job(s, job)->older)
            job_give(s, job);
    }
    for (uint32_t i = 0; i < v->given_count; i++) {
        struct node_gift *n = &v->node_gift[v->given_node[i]];

        if (n->step != v->step)
            n->total = 0;
        n->step = v->step;
        n->total += given(most, n->sum, n->largest);
        n->sum = n->largest = 0;
        v->most_given = n->total > v->most_given ? n->total : v->most_given;
    }
}

bool gsched_search_is_hopeful(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    const uint32_t own = gsched_queue_of(s, v->it->job);

    v->most_given = 0;
    for (uint32_t q = 0; q < s->queue_count && v->most_given < v->lacking;
         q++) {
        const struct gift *g = q == own ? NULL : gift_of(s, q);

        if (g && g->most > 0)
            queue_give(s, q, g->most);
    }
    return v->most_given >= v->lacking;
}

/* --- of a trial ----------------------------------------------------------- */

/* Tasks of the unit that take the room of one of the shape each, if all of it
 * is placed.
 */
uint64_t gsched_room_taken(const struct gsched *s, const struct unit *u,
                           const struct topo_request *r)
{
    const struct trace_job *j = &s->work->job[u->job];
    const struct topo_request *of = gsched_request(s, u->job, 0);
    bool takes = u->allocation == NONE && u->before == NONE
                 && j->group_count == 1 && !topo_request_is_part(of)
                 && gsched_job(s, u->job)->placed == j->gang;

    for (uint32_t d = 0; d < s->dims && takes; d++)
        takes = of->amount[d] >= r->amount[d];
    return takes ? j->gang : 0;
}

/* Count the victim as one of those in and below its queue that may go. */
static void part_add(struct gsched_solver *v, const struct gsp_yield *y,
                     int64_t amount, uint64_t tasks)
{
    struct part *p = &v->part[y->queue];

    if (amount > y->most)
        return; /* it alone is too much */
    if (p->trial != v->trial_stamp)
        *p = (struct part){ .trial = v->trial_stamp };
    p->amount += amount;
    p->tasks += tasks;
}

/* The same as far as one module bounds what queues free in all. */
static bool module_yields_enough(struct gsched *s,
                                 const struct gsp_victims *shown,
                                 uint64_t tasks)
{
    struct gsched_solver *v = s->solver;
    const uint32_t shape = gsched_group(s, v->it->job, 0)->shape;
    const struct topo_request *r = &s->work->shape[shape];
    const int64_t each = r->amount[v->dim];
    uint64_t rooms = 0;
    int64_t sum = 0;

    v->trial_stamp++;
    for (uint32_t i = 0; i < shown->count; i++) {
        assert(v->yield[i].queue < s->queue_count);
        if (!v->keeps[i])
            part_add(v, &v->yield[i], shown->at[i].amount[v->dim],
                     gsched_room_taken(s, &v->unit[v->chosen[i]], r));
    }
    for (uint32_t i = 0; i < shown->count; i++) {
        const int64_t most = v->yield[i].most;
        struct part *p = &v->part[v->yield[i].queue];
        uint64_t n;

        if (p->trial != v->trial_stamp)
            continue;
        p->trial = 0;
        n = each > 0 && most < GSP_NEVER ? (uint64_t)(most / each) : p->tasks;
        rooms += n < p->tasks ? n : p->tasks;
        sum += most < p->amount ? most : p->amount;
    }
    return rooms >= tasks && sum >= v->lacking;
}

static bool yields_are_enough(struct gsched *s, const struct gsp_victims *shown,
                              uint64_t tasks)
{
    struct gsched_solver *v = s->solver;
    bool are = true;

    v->yield = gs_array_grow(v->yield, &v->yield_cap, shown->count,
                             sizeof(*v->yield));
    for (uint32_t m = 0; m < s->modules->judges && are; m++)
        are = !gsched_module_yields(s, m, v->it->job, v->asked, shown, v->dim,
                                    v->yield)
              || module_yields_enough(s, shown, tasks);
    return are;
}

/* Are so many tasks in units that modules may let go, and do these hold as much
 * as must go?
 */
bool gsched_gifts_may_go(struct gsched *s, uint64_t tasks)
{
    struct gsched_solver *v = s->solver;
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, v->it->job, 0)->shape];
    const uint64_t all = tasks;
    struct gsp_victims shown;
    int64_t sum = 0;

    s->evict->victim_count = 0;
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        const struct unit *u = &v->unit[v->chosen[i]];
        const uint32_t a = gsched_unit_next(s, v->chosen[i], NONE);

        gsched_victim_add(s, gsched_allocation_at(s, a)->grant.node, u->job,
                          u->allocation);
    }
    shown = gsched_victims_show(s);
    v->keeps = gs_array_grow(v->keeps, &v->keeps_cap, shown.count, 1);
    v->keeps_by_one = gs_array_grow(v->keeps_by_one, &v->keeps_by_one_cap,
                                    shown.count, 1);
    gsched_modules_keep(s, v->it->job, v->asked, &shown, v->keeps,
                        v->keeps_by_one);
    for (uint32_t i = 0; i < shown.count; i++) {
        const uint64_t n = v->keeps[i] || !tasks
                               ? 0
                               : gsched_room_taken(s, &v->unit[v->chosen[i]],
                                                   r);

        sum += v->keeps[i] ? 0 : shown.at[i].amount[v->dim];
        tasks -= n < tasks ? n : tasks;
    }
    return tasks == 0 && sum >= v->lacking && yields_are_enough(s, &shown, all);
}
