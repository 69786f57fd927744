/* policies/reservation/window_view.c - the nodes for jobs of a request class,
 * see window.h.
 *
 * Most jobs that a pass looks at are of few classes, and few of them start:
 * what fits on which node, now and as running jobs end, is computed once for a
 * class until a job starts.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/placement/placement.h"
#include "policies/reservation/window.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"

void gsched_window_views_free(struct gsched_window *w)
{
    for (uint32_t i = 0; i < WINDOW_VIEWS; i++) {
        struct window_view *v = &w->view[i];

        gs_array_free(v->usable);
        gs_array_free(v->open);
        gs_array_free(v->opens);
        gs_array_free(v->fits);
        gs_array_free(v->sum);
        gs_array_free(v->domain);
        gs_array_free(v->domain_of);
        gs_array_free(v->want);
    }
}

/* --- what the job asks for ------------------------------------------------ */

static void domains_find(struct gsched *s, uint32_t job)
{
    struct window_view *v = s->window->of;
    uint32_t at = NONE;
    struct scope scope;

    v->domains = 0;
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        v->domain_of[n] = NONE;
    while (gsched_topology_next(s, job, &at, &scope)) {
        v->domain = gs_array_grow(v->domain, &v->domain_cap, v->domains + 1,
                                  sizeof(*v->domain));
        for (uint32_t n = scope.from; n < scope.end; n++)
            v->domain_of[n] = v->domains;
        v->domain[v->domains++] = scope;
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
        most = class_set_has(&want->suits, k) && n > most ? n : most;
    }
    return (uint32_t)most;
}

static void want_set(struct gsched *s, uint32_t job, uint32_t group)
{
    struct window_view *v = s->window->of;
    struct group_want *want = &v->want[group];
    const uint32_t shape = gsched_group(s, job, group)->shape;
    uint32_t nodes;

    *want = (struct group_want){
        .suits = gsched_shape(s, shape)->suits,
        .amount = s->work->shape[shape].amount,
        .gang = gsched_gang_of(s, job, group),
        .most = gsched_most_on_node(s, job, group),
    };
    for (uint32_t d = 0; d < s->dims; d++) {
        if (want->amount[d] > 0)
            want->dim[want->dims++] = (uint8_t)d;
    }
    want->most = most_in(s, want);
    nodes = (want->gang + want->most - 1) / want->most;
    v->least = nodes > v->least ? nodes : v->least;
}

/* --- what fits ------------------------------------------------------------ */

uint32_t gsched_window_fit(const struct gsched *s, uint32_t group,
                           uint32_t node)
{
    const struct group_want *want = &s->window->of->want[group];
    const int64_t *free = gsched_window_later(s, node);
    uint32_t n = want->most < want->gang ? want->most : want->gang;

    if (!class_set_has(&want->suits, s->topo->node_class[node]))
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

void gsched_window_release(struct gsched *s, uint32_t job,
                           const struct allocation *a)
{
    topo_grant_add(s->topo, gsched_request(s, job, a->group), &a->grant, 1,
                   gsched_window_later(s, a->grant.node));
    (void)gs_numbers_add(&s->window->touched, a->grant.node);
}

/* Set what fits on the node.  False: nothing does. */
static bool node_fits(const struct gsched *s, uint32_t node)
{
    const struct window_view *v = s->window->of;
    bool any = false;

    for (uint32_t g = 0; g < v->groups; g++) {
        uint32_t *tasks = &v->fits[(size_t)node * v->groups + g];

        *tasks = gsched_window_fit(s, g, node);
        any |= *tasks > 0;
    }
    return any;
}

void gsched_window_restore(struct gsched *s)
{
    struct gsched_window *w = s->window;

    for (uint32_t i = 0; i < w->touched.count; i++) {
        const uint32_t n = w->touched.at[i];
        const size_t at = (size_t)n * s->dims;

        memcpy(w->later + at, w->free + at, s->dims * sizeof(*w->free));
        (void)node_fits(s, n);
    }
    w->touched.count = 0;
}

/* Set what is usable, and what fits now. */
static void nodes_find(struct gsched *s)
{
    const struct gsched_window *w = s->window;
    struct window_view *v = w->of;

    memset(v->usable, 0, w->words * sizeof(*v->usable));
    memset(v->open, 0, w->words * sizeof(*v->open));
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const uint64_t bit = UINT64_C(1) << n % 64;
        const bool fits = node_fits(s, n);
        bool suits = false;

        for (uint32_t g = 0; g < v->groups && !suits; g++)
            suits = class_set_has(&v->want[g].suits, s->topo->node_class[n]);
        if (suits && v->domain_of[n] != NONE)
            v->usable[n / 64] |= bit;
        if (fits)
            v->open[n / 64] |= bit;
        v->opens[n] = fits ? s->now : GSCHED_NEVER;
    }
}

/* Set when tasks fit on each node, as all running jobs end. */
static void opens_find(struct gsched *s)
{
    const struct allocation *all = s->allocations->allocation;
    const struct gsched_window *w = s->window;

    for (uint32_t i = 0; i < w->ends; i++) {
        const uint32_t job = w->end[i].job;

        for (uint32_t a = gsched_job(s, job)->first_allocation; a != NONE;
             a = all[a].next) {
            const uint32_t node = all[a].grant.node;

            if (w->of->opens[node] != GSCHED_NEVER)
                continue;
            gsched_window_release(s, job, &all[a]);
            if (node_fits(s, node))
                w->of->opens[node] = w->end[i].at;
        }
    }
    gsched_window_restore(s);
}

/* Note which nodes the jobs of each block of ends hold. */
static void ending_note(struct gsched *s)
{
    const struct allocation *all = s->allocations->allocation;
    struct gsched_window *w = s->window;
    const uint32_t words = ((w->ends >> w->block) + 1) * w->words;

    w->ending = gs_array_grow(w->ending, &w->ending_cap, words,
                              sizeof(*w->ending));
    memset(w->ending, 0, words * sizeof(*w->ending));
    memset(w->busy, 0, w->words * sizeof(*w->busy));
    for (uint32_t i = 0; i < w->ends; i++) {
        for (uint32_t a = gsched_job(s, w->end[i].job)->first_allocation;
             a != NONE; a = all[a].next) {
            const uint32_t n = all[a].grant.node;

            w->busy[n / 64] |= UINT64_C(1) << n % 64;
            w->ending[(i >> w->block) * w->words + n / 64] |= UINT64_C(1)
                                                              << n % 64;
        }
    }
    w->noted = w->version;
}

/* --- the view ------------------------------------------------------------- */

static void view_make(struct gsched *s, uint32_t job)
{
    const uint32_t nodes = s->topo->node_count;
    struct gsched_window *w = s->window;
    struct window_view *v = w->of;

    if (!v->usable) {
        v->usable = gs_array_new(w->words, sizeof(*v->usable));
        v->open = gs_array_new(w->words, sizeof(*v->open));
        v->opens = gs_array_new(nodes, sizeof(*v->opens));
        v->domain_of = gs_array_new(nodes, sizeof(*v->domain_of));
    }
    v->groups = s->work->job[job].group_count;
    domains_find(s, job);
    v->fits = gs_array_grow(v->fits, &v->fits_cap, nodes * v->groups,
                            sizeof(*v->fits));
    v->sum = gs_array_grow(v->sum, &v->sum_cap, v->domains * v->groups + 1,
                           sizeof(*v->sum));
    v->want = gs_array_grow(v->want, &v->want_cap, v->groups, sizeof(*v->want));
    v->least = 1;
    v->is_tried = false;
    for (uint32_t g = 0; g < v->groups; g++)
        want_set(s, job, g);
    nodes_find(s);
    opens_find(s);
}

void gsched_window_job(struct gsched *s, uint32_t job, uint32_t rclass)
{
    struct gsched_window *w = s->window;

    assert(w->touched.count == 0);
    w->at_record = 0;
    w->of = &w->view[rclass % WINDOW_VIEWS];
    if (w->noted != w->version)
        ending_note(s);
    if (w->of->version == w->version && w->of->rclass == rclass)
        return;
    w->of->version = w->version;
    w->of->rclass = rclass;
    view_make(s, job);
}
