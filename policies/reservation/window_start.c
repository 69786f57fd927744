/* policies/reservation/window_start.c - when and where a job could start as
 * running jobs end, see window.h.
 *
 * Amounts count, not devices; a job with shares of GPUs may in the end have to
 * wait for a device.  Nodes are chosen as module node-choice says, without it
 * by runs of neighbours, see placement/node_choice.h.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/node_choice.h"
#include "policies/reservation/window.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

#define FIRST_WINDOW (INT64_C(30) * 1000000) /* ends seen as one at first */
#define RELEASES 201u                        /* of one test */

bool gsched_window_has_nodes(const struct gsched *s)
{
    const struct gsched_window *w = s->window;
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < w->words; i++)
        nodes += (uint32_t)__builtin_popcountll(w->given[i]);
    return nodes >= w->of->least;
}

/* Count again the tasks that fit on the node, which is given. */
static void node_count(struct gsched *s, uint32_t node)
{
    struct window_view *v = s->window->of;
    uint64_t *sum = &v->sum[(size_t)v->domain_of[node] * v->groups];
    uint32_t *fits = &v->fits[(size_t)node * v->groups];

    for (uint32_t g = 0; g < v->groups; g++) {
        const uint32_t n = gsched_window_fit(s, g, node);

        sum[g] += (uint64_t)n - fits[g];
        fits[g] = n;
        if (n)
            s->window->fitting[node / 64] |= UINT64_C(1) << node % 64;
    }
}

/* Sum up what fits on the given nodes now.  Returns the nodes that count. */
static uint32_t given_sum(struct gsched *s)
{
    const struct gsched_window *w = s->window;
    struct window_view *v = w->of;
    uint32_t nodes = 0;

    memset(v->sum, 0, (size_t)v->domains * v->groups * sizeof(*v->sum));
    for (uint32_t i = 0; i < w->words; i++) {
        uint64_t bits = w->fitting[i] = w->given[i] & v->open[i];

        for (; bits; bits &= bits - 1, nodes++) {
            const uint32_t n = i * 64 + (uint32_t)__builtin_ctzll(bits);

            for (uint32_t g = 0; g < v->groups; g++)
                v->sum[(size_t)v->domain_of[n] * v->groups + g] +=
                    v->fits[(size_t)n * v->groups + g];
        }
    }
    return nodes;
}

/* True when by their sums the domain has room for the gang. */
static bool domain_fits(const struct gsched *s, uint32_t domain)
{
    const struct window_view *v = s->window->of;

    for (uint32_t g = 0; g < v->groups; g++) {
        if (v->sum[(size_t)domain * v->groups + g] < v->want[g].gang)
            return false;
    }
    return true;
}

bool gsched_window_has_room(struct gsched *s)
{
    bool fits = false;

    if (given_sum(s) < s->window->of->least)
        return false;
    for (uint32_t d = 0; d < s->window->of->domains && !fits; d++)
        fits = domain_fits(s, d);
    return fits;
}

/* True when until `latest` tasks fit on as many given nodes as the job needs.
 */
static bool opens_by(const struct gsched *s, int64_t latest)
{
    const struct gsched_window *w = s->window;
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < w->words && nodes < w->of->least; i++) {
        for (uint64_t bits = w->given[i]; bits && nodes < w->of->least;
             bits &= bits - 1)
            nodes += w->of->opens[i * 64 + (uint32_t)__builtin_ctzll(bits)]
                     <= latest;
    }
    return nodes >= w->of->least;
}

/* --- the choice of nodes -------------------------------------------------- */

/* Take `tasks` of the group, which fit, on the node. */
static void node_take(struct gsched *s, uint32_t job, uint32_t group,
                      uint32_t node, uint32_t tasks)
{
    const int64_t *amount = gsched_request(s, job, group)->amount;
    struct gsched_window *w = s->window;
    int64_t *free = gsched_window_later(s, node);

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
        int64_t *free = gsched_window_later(s, at->node);

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

    const struct gsched_window *w = x->s->window;

    return w->of->groups == 1 ? w->of->fits[node]
                              : gsched_window_fit(x->s, x->group, node);
}

/* Jobs run on it now. */
static bool later_first(void *of, uint32_t node)
{
    return gsched_bit(((const struct nodes_later *)of)->s->window->busy, node);
}

static int64_t later_idle(void *of, uint32_t node, uint32_t dim)
{
    return gsched_window_later(((const struct nodes_later *)of)->s, node)[dim];
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
                                    .among = s->window->fitting,
                                    .of = &later,
                                    .fit = later_fit,
                                    .first = s->modules->backfill.busy_nodes
                                                 ? later_first
                                                 : NULL,
                                    .idle = later_idle,
                                    .take = later_take };

    return ask.need == 0 || gsched_nodes_choose(s, &ask);
}

/* Choose nodes for the gang in a domain that has room for it. */
static bool choose(struct gsched *s, uint32_t job)
{
    const struct window_view *v = s->window->of;

    for (uint32_t d = 0; d < v->domains; d++) {
        bool fits = domain_fits(s, d);

        if (!fits)
            continue;
        for (uint32_t g = 0; g < v->groups && fits; g++)
            fits = group_choose(s, job, g, &v->domain[d]);
        if (fits)
            return true;
        all_return(s, job);
    }
    return false;
}

/* --- the releases --------------------------------------------------------- */

/* True when the job holds something on a given node. */
static bool touches(const struct gsched *s, const struct window_end *e)
{
    const struct allocation *all = s->allocations->allocation;

    if (e->node != NONE)
        return gsched_bit(s->window->given, e->node);
    for (uint32_t i = gsched_job(s, e->job)->first_allocation; i != NONE;
         i = all[i].next) {
        if (gsched_bit(s->window->given, all[i].grant.node))
            return true;
    }
    return false;
}

/* Release what the job holds on given nodes, and count there again. */
static void release(struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;

    for (uint32_t i = gsched_job(s, job)->first_allocation; i != NONE;
         i = all[i].next) {
        if (!gsched_bit(s->window->given, all[i].grant.node))
            continue;
        gsched_window_release(s, job, &all[i]);
        node_count(s, all[i].grant.node);
    }
}

/* True when no job of the block of ends holds a given node. */
static bool is_apart(const struct gsched_window *w, uint32_t block)
{
    uint64_t both = 0;

    for (uint32_t i = 0; i < w->words; i++)
        both |= w->ending[block * w->words + i] & w->given[i];
    return both == 0;
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
 * the last; NONE: none, or one that ends after `latest`.  *next: the end of the
 * job after it.
 */
static uint32_t release_some(struct gsched *s, uint32_t *i, int64_t latest,
                             struct end_window *e, int64_t *next)
{
    struct gsched_window *w = s->window;
    uint32_t last = NONE, released = 0;

    *next = GSCHED_NEVER;
    while (*i < w->ends && released < RELEASES
           && w->end[*i].at <= GSCHED_LAST) {
        const uint32_t at = *i;
        const int64_t end = w->end[at].at;

        if ((at & ((1u << w->block) - 1)) == 0 && is_apart(w, at >> w->block)) {
            *i += 1u << w->block;
            continue;
        }
        ++*i;
        if (end > latest)
            return NONE;
        if (!touches(s, &w->end[at]))
            continue;
        if (e->from < 0)
            e->from = end + FIRST_WINDOW
                      - (end + s->modules->backfill.clock % FIRST_WINDOW)
                            % FIRST_WINDOW;
        release(s, w->end[at].job);
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

    if (!opens_by(s, latest))
        return GSCHED_NEVER;
    s->window->taken.slots = 0;
    memset(s->window->picked, 0, s->window->words * sizeof(uint64_t));
    while (start == GSCHED_NEVER
           && (last = release_some(s, &i, latest, &e, &next)) != NONE) {
        window_grow(s, &e, next);
        if (choose(s, job))
            start = s->window->end[last].at;
    }
    gsched_window_restore(s);
    return start;
}
