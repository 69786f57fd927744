/* policies/reservation/window_start.c - when and where a job could start as
 * running jobs end, see window.h.
 *
 * Amounts count, not devices; a job with shares of GPUs may in the end have to
 * wait for a device.  Nodes are chosen as module node-choice says, without it by
 * runs of neighbours, see placement/node_choice.h.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/placement/placement.h"
#include "policies/reservation/window.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

#define FIRST_WINDOW (INT64_C(30) * 1000000) /* ends seen as one at first */
#define RELEASES 201u                        /* of one test */

static uint32_t groups_of(const struct gsched *s, uint32_t job)
{
    return s->work->job[job].group_count;
}

static void domains_find(struct gsched *s, uint32_t job)
{
    struct gsched_window *w = s->window;
    uint32_t at = NONE;
    struct scope scope;

    w->domains = 0;
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        w->domain_of[n] = NONE;
    while (gsched_topology_next(s, job, &at, &scope)) {
        w->domain = gs_array_grow(w->domain, &w->domain_cap, w->domains + 1,
                                  sizeof(*w->domain));
        for (uint32_t n = scope.from; n < scope.end; n++)
            w->domain_of[n] = w->domains;
        w->domain[w->domains++] = scope;
    }
}

/* The most tasks of the group on any empty node; 1 at least. */
static uint32_t most_in(const struct gsched *s, const struct group_want *want)
{
    int64_t most = 1;

    for (uint32_t k = 0; k < s->topo->class_count; k++) {
        const int64_t *has = s->topo->klass[k].capacity;
        int64_t n = want->most;

        for (uint32_t i = 0; i < want->dims; i++) {
            const int64_t fits = has[want->dim[i]] / want->amount[want->dim[i]];

            n = fits < n ? fits : n;
        }
        most = want->fits_class[k] && n > most ? n : most;
    }
    return (uint32_t)most;
}

static const struct group_want *want_set(struct gsched *s, uint32_t job,
                                         uint32_t group)
{
    struct group_want *want = &s->window->want[group];
    const uint32_t shape = gsched_group(s, job, group)->shape;

    *want = (struct group_want){
        .fits_class = gsched_shape(s, shape)->fits_class,
        .amount = s->work->shape[shape].amount,
        .gang = gsched_gang_of(s, job, group),
        .most = gsched_most_on_node(s, job, group),
    };
    for (uint32_t d = 0; d < s->dims; d++) {
        if (want->amount[d] > 0)
            want->dim[want->dims++] = (uint8_t)d;
    }
    want->most = most_in(s, want);
    return want;
}

void gsched_window_job(struct gsched *s, uint32_t job)
{
    struct gsched_window *w = s->window;
    const uint32_t groups = groups_of(s, job);

    w->at_record = 0;
    domains_find(s, job);
    w->fits = gs_array_grow(w->fits, &w->fits_cap, s->topo->node_count * groups,
                            sizeof(*w->fits));
    w->sum = gs_array_grow(w->sum, &w->sum_cap, w->domains * groups + 1,
                           sizeof(*w->sum));
    w->want = gs_array_grow(w->want, &w->want_cap, groups, sizeof(*w->want));
    w->least = 1;
    for (uint32_t g = 0; g < groups; g++) {
        const struct group_want *want = want_set(s, job, g);
        const uint32_t nodes = (want->gang + want->most - 1) / want->most;

        w->least = nodes > w->least ? nodes : w->least;
    }
    memset(w->usable, 0, w->words * sizeof(*w->usable));
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        bool any = false;

        for (uint32_t g = 0; g < groups && !any; g++)
            any = w->want[g].fits_class[s->topo->node_class[n]];
        if (any && w->domain_of[n] != NONE)
            w->usable[n / 64] |= UINT64_C(1) << n % 64;
    }
}

bool gsched_window_has_nodes(const struct gsched *s)
{
    const struct gsched_window *w = s->window;
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < w->words; i++)
        nodes += (uint32_t)__builtin_popcountll(w->given[i]);
    return nodes >= w->least;
}

static int64_t *later_of(const struct gsched *s, uint32_t node)
{
    return s->window->later + (size_t)node * s->dims;
}

/* Number of tasks of the group that fit on the node. */
static uint32_t fit(const struct gsched *s, uint32_t group, uint32_t node)
{
    const struct group_want *want = &s->window->want[group];
    const int64_t *free = later_of(s, node);
    uint32_t n = want->most < want->gang ? want->most : want->gang;

    if (!want->fits_class[s->topo->node_class[node]])
        return 0;
    for (uint32_t i = 0; i < want->dims && n > 0; i++) {
        const int64_t amount = want->amount[want->dim[i]];
        const int64_t has = free[want->dim[i]];

        if (has < amount)
            return 0;
        if (n > 1 && has / amount < n)
            n = (uint32_t)(has / amount);
    }
    return n;
}

/* Count the tasks that fit on the node, which is given. */
static void node_count(struct gsched *s, uint32_t job, uint32_t node)
{
    struct gsched_window *w = s->window;
    const uint32_t groups = groups_of(s, job);
    uint64_t *sum = &w->sum[(size_t)w->domain_of[node] * groups];
    uint32_t *fits = &w->fits[(size_t)node * groups];

    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t n = fit(s, g, node);

        sum[g] += (uint64_t)n - fits[g];
        fits[g] = n;
    }
}

static void count_all(struct gsched *s, uint32_t job)
{
    struct gsched_window *w = s->window;
    const uint32_t groups = groups_of(s, job);

    memset(w->sum, 0, (size_t)w->domains * groups * sizeof(*w->sum));
    memset(w->fits, 0, (size_t)s->topo->node_count * groups * sizeof(*w->fits));
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        if (gsched_bit(w->given, n))
            node_count(s, job, n);
    }
}

/* True when by their sums the domain has room for the gang. */
static bool domain_fits(struct gsched *s, uint32_t job, uint32_t domain)
{
    const struct gsched_window *w = s->window;
    const uint32_t groups = groups_of(s, job);

    for (uint32_t g = 0; g < groups; g++) {
        if (w->sum[(size_t)domain * groups + g] < w->want[g].gang)
            return false;
    }
    return true;
}

bool gsched_window_has_room(struct gsched *s, uint32_t job)
{
    count_all(s, job);
    for (uint32_t d = 0; d < s->window->domains; d++) {
        if (domain_fits(s, job, d))
            return true;
    }
    return false;
}

/* --- the choice of nodes -------------------------------------------------- */

/* Take `tasks` of the group, which fit, on the node. */
static void node_take(struct gsched *s, uint32_t job, uint32_t group,
                      uint32_t node, uint32_t tasks)
{
    const int64_t *amount = gsched_request(s, job, group)->amount;
    struct gsched_window *w = s->window;
    int64_t *free = later_of(s, node);

    for (uint32_t d = 0; d < s->dims; d++)
        free[d] -= amount[d] * tasks;
    w->picked[node / 64] |= UINT64_C(1) << node % 64;
    (void)gs_numbers_add(&w->touched, node);
    gsched_slot_add(&w->taken, group, node, tasks);
}

/* Give back what was taken. */
static void all_return(struct gsched *s, uint32_t job)
{
    struct gsched_window *w = s->window;

    for (uint32_t i = 0; i < w->taken.slots; i++) {
        const struct reserved_slot *at = &w->taken.slot[i];
        const int64_t *amount = gsched_request(s, job, at->group)->amount;
        int64_t *free = later_of(s, at->node);

        for (uint32_t d = 0; d < s->dims; d++)
            free[d] += amount[d] * at->tasks;
    }
    w->taken.slots = 0;
    memset(w->picked, 0, w->words * sizeof(*w->picked));
}

/* The nodes as they are later, for a group of the job. */
struct nodes_later {
    struct gsched *s;
    uint32_t job, group;
};

static uint32_t later_fit(void *of, uint32_t node)
{
    const struct nodes_later *x = of;

    return gsched_bit(x->s->window->given, node) ? fit(x->s, x->group, node)
                                                 : 0;
}

static int64_t later_idle(void *of, uint32_t node, uint32_t dim)
{
    return later_of(((const struct nodes_later *)of)->s, node)[dim];
}

static void later_take(void *of, uint32_t node, uint32_t tasks)
{
    const struct nodes_later *x = of;

    node_take(x->s, x->job, x->group, node, tasks);
}

static bool group_choose(struct gsched *s, uint32_t job, uint32_t group,
                         const struct scope *in)
{
    struct nodes_later later = { s, job, group };
    const struct choice_ask ask = { .job = job,
                                    .group = group,
                                    .need = gsched_gang_of(s, job, group),
                                    .from = in->from,
                                    .end = in->end,
                                    .of = &later,
                                    .fit = later_fit,
                                    .idle = later_idle,
                                    .take = later_take };

    return ask.need == 0 || gsched_nodes_choose(s, &ask);
}

/* Choose nodes for the gang in a domain that has room for it. */
static bool choose(struct gsched *s, uint32_t job)
{
    struct gsched_window *w = s->window;

    for (uint32_t d = 0; d < w->domains; d++) {
        bool fits = domain_fits(s, job, d);

        for (uint32_t g = 0; g < groups_of(s, job) && fits; g++)
            fits = group_choose(s, job, g, &w->domain[d]);
        if (fits)
            return true;
        all_return(s, job);
    }
    return false;
}

/* --- the releases --------------------------------------------------------- */

/* True when the job holds something on a given node. */
static bool touches(const struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;

    for (uint32_t i = s->jobs->job[job].first_allocation; i != NONE;
         i = all[i].next) {
        if (gsched_bit(s->window->given, all[i].grant.node))
            return true;
    }
    return false;
}

/* Release what `ended` holds, and count again where `job` could be. */
static void release(struct gsched *s, uint32_t ended, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    struct gsched_window *w = s->window;

    for (uint32_t i = s->jobs->job[ended].first_allocation; i != NONE;
         i = all[i].next) {
        const uint32_t node = all[i].grant.node;
        const int64_t *amount = gsched_request(s, ended, all[i].group)->amount;
        int64_t *free = later_of(s, node);

        if (!gsched_bit(w->given, node))
            continue;
        for (uint32_t d = 0; d < s->dims; d++)
            free[d] += amount[d] * all[i].grant.tasks;
        (void)gs_numbers_add(&w->touched, node);
        node_count(s, job, node);
    }
}

static void later_restore(struct gsched *s)
{
    struct gsched_window *w = s->window;

    for (uint32_t i = 0; i < w->touched.count; i++) {
        const size_t at = (size_t)w->touched.at[i] * s->dims;

        memcpy(w->later + at, w->free + at, s->dims * sizeof(*w->free));
    }
    w->touched.count = 0;
}

/* The time in which ends are one: from `from` for `length`. */
struct end_window {
    int64_t from, length;
};

/* Let it grow, once at least, until the end at `next` is in it. */
static void window_grow(const struct gsched *s, struct end_window *e,
                        int64_t next)
{
    const int64_t step = s->modules->backfill.window_step;

    do {
        e->length += step > 0 ? step : e->length;
    } while (next <= GSCHED_LAST && next > e->from + e->length
             && e->length < GSCHED_LAST / 4);
}

/* Release jobs from place *i on whose ends are one, a number at most.  Returns
 * the last; NONE: none.  *next: the end of the job after it.
 */
static uint32_t release_some(struct gsched *s, uint32_t job, uint32_t *i,
                             struct end_window *e, int64_t *next)
{
    struct gsched_window *w = s->window;
    uint32_t last = NONE, released = 0;

    *next = GSCHED_NEVER;
    while (*i < w->ends && released < RELEASES
           && w->end[*i].at <= GSCHED_LAST) {
        const uint32_t at = (*i)++;
        const int64_t end = w->end[at].at;

        if (!touches(s, w->end[at].job))
            continue;
        if (e->from < 0)
            e->from = end + FIRST_WINDOW
                      - (end + s->modules->backfill.clock % FIRST_WINDOW)
                            % FIRST_WINDOW;
        release(s, w->end[at].job, job);
        released++;
        last = at;
        *next = *i < w->ends ? w->end[*i].at : GSCHED_NEVER;
        if (*next <= GSCHED_LAST && *next > e->from + e->length)
            break;
    }
    return last;
}

int64_t gsched_window_start(struct gsched *s, uint32_t job, int64_t latest)
{
    struct end_window e = { -1, FIRST_WINDOW };
    int64_t start = GSCHED_NEVER, next;
    uint32_t i = 0, last;

    s->window->taken.slots = 0;
    memset(s->window->picked, 0, s->window->words * sizeof(uint64_t));
    while (start == GSCHED_NEVER
           && (last = release_some(s, job, &i, &e, &next)) != NONE
           && s->window->end[last].at <= latest) {
        window_grow(s, &e, next);
        if (choose(s, job))
            start = s->window->end[last].at;
    }
    later_restore(s);
    return start;
}
