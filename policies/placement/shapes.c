/* policies/placement/shapes.c - cached candidates of each shape.
 *
 * Modules are called once for each state of nodes, not for each node and not at
 * each decision: a placement creates at most two new states.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"
#include "topology/labels.h"

struct gsched_shapes {
    struct shape_view *shape;
    uint32_t shape_count, shape_cap;
    int64_t *score; /* scores of the states passed to modules */
    uint8_t *refusal;
    uint8_t *hardware, *room; /* [state] all of them suit and have room */
    uint32_t score_cap, refusal_cap, hardware_cap, room_cap;
    uint32_t *nodes_of;      /* [class] */
    uint8_t *is_in;          /* [class] scratch, 0 between calls */
    struct gs_numbers found; /* scratch: states, classes */
    struct node_scores nodes;
    struct ranked_domains domains[2]; /* for gangs, and inside for groups */
};

/* --- asking the modules --------------------------------------------------- */

/* Call the modules for the states in `v`; results go to `refusal` and `score`.
 */
static void modules_ask(struct gsched *s, const struct gsp_view *v,
                        const struct topo_request *r)
{
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;
    uint8_t *refusal = s->shapes->refusal;
    int64_t *score = s->shapes->score;

    memset(refusal, GSP_ACCEPTED, v->states * sizeof(*refusal));
    memset(score, 0, v->states * sizeof(*score));
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->filter)
            m->module->filter(m->self, v, task, refusal);
        if (!m->module->score)
            continue;
        m->module->score(m->self, v, task, score);
        for (uint32_t k = 0; k < v->states; k++)
            score[k] = gsched_score_limited(score[k]);
    }
}

/* Have room for `n` states passed to modules. */
static void rooms_grow(struct gsched_shapes *h, uint32_t n)
{
    const uint32_t had = h->room_cap;

    if (n == 0)
        return;
    h->score = gs_array_grow(h->score, &h->score_cap, n, sizeof(*h->score));
    h->refusal = gs_array_grow(h->refusal, &h->refusal_cap, n, 1);
    h->hardware = gs_array_grow(h->hardware, &h->hardware_cap, n, 1);
    h->room = gs_array_grow(h->room, &h->room_cap, n, 1);
    memset(h->hardware + had, GSP_ACCEPTED, h->room_cap - had);
    memset(h->room + had, true, h->room_cap - had);
}

/* Ask the modules for `n` states from `first` on, all of which have suitable
 * hardware and room.
 */
static void states_ask(struct gsched *s, const struct shape_view *sv,
                       uint32_t first, uint32_t n)
{
    struct gsched_shapes *h = s->shapes;
    struct gsp_view view;

    rooms_grow(h, n);
    view = gsched_view(s, first, n, h->room, h->hardware);
    modules_ask(s, &view, &s->work->shape[sv->shape]);
}

static void candidate_add(struct shape_view *sv, uint32_t group, int64_t score)
{
    sv->candidate = gs_array_grow(sv->candidate, &sv->cap, sv->count + 1,
                                  sizeof(*sv->candidate));
    sv->candidate[sv->count++] = (struct candidate){ group, NONE, score };
}

/* Add those of `n` states from `first` on that modules accept. */
static void states_score(struct gsched *s, struct shape_view *sv,
                         uint32_t first, uint32_t n)
{
    const struct gsched_shapes *h = s->shapes;

    states_ask(s, sv, first, n);
    for (uint32_t i = 0; i < n; i++) {
        if (h->refusal[i] == GSP_ACCEPTED)
            candidate_add(sv, first + i, h->score[i]);
    }
}

bool gsched_candidate_stands(struct gsched *s, struct shape_view *sv,
                             uint32_t i)
{
    struct candidate *c = &sv->candidate[i];

    assert(i < sv->count);
    if (c->score == NOT_SCORED) {
        states_ask(s, sv, c->group, 1);
        c->score = s->shapes->refusal[0] == GSP_ACCEPTED ? s->shapes->score[0]
                                                         : REFUSED;
    }
    return c->score != REFUSED;
}

/* gs_heap_sort() puts the last one first. */
static bool is_higher(const void *of, uint32_t i, uint32_t k)
{
    const uint32_t *at = of;

    return at[i] > at[k];
}

GS_HEAP_SWAP(number_swap, uint32_t)

static void numbers_sort(uint32_t *at, uint32_t count)
{
    static const struct gs_heap highest_first = { is_higher, number_swap };

    gs_heap_sort(&highest_first, at, count);
}

/* List those states created since the last time that suit the shape and have
 * room, in ascending order.
 */
static void states_find(struct gsched *s, const struct shape_view *sv,
                        const struct topo_request *r,
                        const struct topo_groups *g)
{
    struct gs_numbers *found = &s->shapes->found;
    const struct class_set *c = &sv->suits;

    found->count = 0;
    for (uint32_t i = sv->seen; !class_set_is_narrow(c) && i < g->count; i++) {
        if (topo_group_has_gpus(g, i, r) && c->has[g->klass[i]]
            && topo_group_has_room(s->cluster, i, r))
            (void)gs_numbers_add(found, i);
    }
    for (uint32_t k = 0; class_set_is_narrow(c) && k < c->few_count; k++) {
        for (uint32_t i = g->newest[c->few[k]]; i != NONE && i >= sv->seen;
             i = g->older[i]) {
            if (topo_group_has_room(s->cluster, i, r))
                (void)gs_numbers_add(found, i);
        }
    }
    if (class_set_is_narrow(c))
        numbers_sort(found->at, found->count);
}

/* Add the states created since the last time that suit the shape and have room:
 * of many classes few may, and in a full cluster few have.  Those with nodes
 * are scored, run by run; the others are scored when they have some again,
 * which most never do.
 */
static void catch_up(struct gsched *s, struct shape_view *sv,
                     const struct topo_request *r, const struct topo_groups *g)
{
    const struct gs_numbers *found = &s->shapes->found;

    assert(sv->seen < g->count);
    states_find(s, sv, r, g);
    for (uint32_t i = 0, n; i < found->count; i += n) {
        const uint32_t first = found->at[i];

        for (n = 0; i + n < found->count && found->at[i + n] == first + n
                    && g->nodes[first + n];)
            n++;
        if (n)
            states_score(s, sv, first, n);
        else
            candidate_add(sv, found->at[i + n++], NOT_SCORED);
    }
    sv->seen = g->count;
}

/* --- what suits ----------------------------------------------------------- */

/* Make the set of the classes `found`, of which `is_in` has a 1. */
static void suits_set(struct class_set *c, const struct topo *t,
                      const struct gs_numbers *found, const uint8_t *is_in)
{
    uint32_t few = found->count;

    c->is_of_others = few > t->class_count / 2;
    few = c->is_of_others ? t->class_count - few : few;
    c->few = gs_array_new(few + 1, sizeof(*c->few));
    if (!c->is_of_others && few > 0) {
        memcpy(c->few, found->at, few * sizeof(*c->few));
        numbers_sort(c->few, few);
        c->few_count = few;
    }
    if (!c->is_of_others && few <= CLASSES_NARROW)
        return;
    c->has = gs_array_new(t->class_count, sizeof(*c->has));
    memcpy(c->has, is_in, t->class_count);
    for (uint32_t k = 0; c->is_of_others && k < t->class_count; k++) {
        if (!c->has[k])
            c->few[c->few_count++] = k;
    }
    assert(c->few_count == few);
}

static void get_to_know(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = &s->shapes->shape[shape];
    const struct topo_request *r = &s->work->shape[shape];
    const struct topo *t = s->topo;
    struct topo_class_walk w = topo_classes_walk(t, r);
    struct gs_numbers *found = &s->shapes->found;
    uint8_t *is_in = s->shapes->is_in;

    sv->is_known = true;
    sv->shape = shape;
    sv->listed = NONE;
    found->count = 0;
    for (uint32_t k; topo_classes_next(&w, &k);) {
        if (is_in[k] || topo_class_misfit(t, k, r) != TOPO_FITS)
            continue;
        is_in[k] = 1;
        (void)gs_numbers_add(found, k);
        sv->most += (uint64_t)s->shapes->nodes_of[k] * topo_class_fit(t, k, r);
    }
    suits_set(&sv->suits, t, found, is_in);
    for (uint32_t i = 0; i < found->count; i++)
        is_in[found->at[i]] = 0;
}

uint64_t gsched_shape_most_in(struct gsched *s, uint32_t shape, uint32_t level)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const struct topo *t = s->topo;
    uint64_t here = 0, most = 0;

    assert(level <= s->topo->tier_count + 1);
    if (level == 0)
        return sv->most;
    if (sv->most_in[level])
        return sv->most_in[level] - 1;
    for (uint32_t node = 0; node < t->node_count; node++) {
        if (node == 0 || level > t->tier_count
            || topo_domain_of(t, node, level)
                   != topo_domain_of(t, node - 1, level))
            here = 0;
        here += topo_class_fit(t, t->node_class[node], &s->work->shape[shape]);
        most = here > most ? here : most;
    }
    sv->most_in[level] = most + 1;
    return most;
}

struct shape_view *gsched_shape_known(struct gsched *s, uint32_t shape)
{
    struct gsched_shapes *h = s->shapes;

    assert(shape < s->work->shape_count);
    if (shape >= h->shape_count) {
        h->shape = gs_array_grow(h->shape, &h->shape_cap, shape + 1,
                                 sizeof(*h->shape));
        h->shape_count = shape + 1;
    }
    if (!h->shape[shape].is_known)
        get_to_know(s, shape);
    return &h->shape[shape];
}

struct shape_view *gsched_shape(struct gsched *s, uint32_t shape)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct shape_view *sv = gsched_shape_known(s, shape);

    if (sv->seen < g->count)
        catch_up(s, sv, &s->work->shape[shape], g);
    return sv;
}

/* --- open, close, forget -------------------------------------------------- */

static void remap(struct shape_view *sv, const uint32_t *map)
{
    uint32_t kept = 0, seen = 0;

    for (uint32_t i = 0; i < sv->count; i++) {
        struct candidate c = sv->candidate[i];

        c.group = map[c.group];
        if (c.group != NONE && c.score != REFUSED)
            sv->candidate[kept++] = c;
    }
    sv->count = kept;
    sv->has_heap = false;
    for (uint32_t g = sv->seen; g-- > 0 && seen == 0;)
        seen = map[g] == NONE ? 0 : map[g] + 1;
    sv->seen = seen;
}

void gsched_shapes_remap(struct gsched *s, const uint32_t *map)
{
    for (uint32_t i = 0; i < s->shapes->shape_count; i++) {
        if (s->shapes->shape[i].is_known)
            remap(&s->shapes->shape[i], map);
    }
}

void gsched_shapes_free(struct gsched *s)
{
    struct gsched_shapes *h = s->shapes;

    for (uint32_t i = 0; i < h->shape_count; i++) {
        gs_array_free(h->shape[i].candidate);
        gs_array_free(h->shape[i].heap);
        gs_array_free(h->shape[i].suits.has);
        gs_array_free(h->shape[i].suits.few);
        gs_array_free(h->shape[i].parked.at);
    }
    gs_array_free(h->shape);
    gs_array_free(h->score);
    gs_array_free(h->refusal);
    gs_array_free(h->hardware);
    gs_array_free(h->room);
    gs_array_free(h->found.at);
    gs_array_free(h->nodes.node);
    gs_array_free(h->nodes.score);
    for (uint32_t i = 0; i < 2; i++) {
        gs_array_free(h->domains[i].scores.node);
        gs_array_free(h->domains[i].scores.score);
        gs_array_free(h->domains[i].at);
    }
}

struct node_scores *gsched_node_scores(struct gsched *s)
{
    return &s->shapes->nodes;
}

struct ranked_domains *gsched_ranked_domains(struct gsched *s, bool of_group)
{
    return &s->shapes->domains[of_group];
}

void gsched_shapes_open(struct gsched *s)
{
    s->shapes = gs_arena_alloc(s->arena, 1, sizeof(*s->shapes));
    s->shapes->nodes_of = gs_arena_alloc(s->arena, s->topo->class_count,
                                         sizeof(*s->shapes->nodes_of));
    s->shapes->is_in = gs_arena_alloc(s->arena, s->topo->class_count, 1);
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        s->shapes->nodes_of[s->topo->node_class[n]]++;
}

struct shape_view *gsched_shape_seen(const struct gsched *s, uint32_t shape)
{
    assert(shape < s->shapes->shape_count);
    return &s->shapes->shape[shape];
}
