/* policies/placement/shapes.c - cached candidates of each shape.
 *
 * Modules are called once for each state of nodes, not for each node and not at
 * each decision: a placement creates at most two new states.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"

struct gsched_shapes {
    struct shape_view *shape;
    uint32_t shape_count, shape_cap;
    int64_t *score; /* scores of the states passed to modules */
    uint8_t *refusal, *hardware, *room;
    uint32_t score_cap, refusal_cap, hardware_cap, room_cap;
    uint32_t *nodes_of; /* [class] */
    struct node_scores nodes;
    struct ranked_domains domains;
};

/* --- asking the modules --------------------------------------------------- */

/* Call the modules for the states in `v`, the first of which is state `first` of
 * `refusal` and `score`, where results go.
 */
static void modules_ask(struct gsched *s, const struct gsp_view *v,
                        uint32_t first, const struct topo_request *r)
{
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;
    uint8_t *refusal = s->shapes->refusal + first;
    int64_t *score = s->shapes->score + first;

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

/* Keep those of the states [from, end) that modules accept, all of which have
 * suitable hardware and room.
 */
static void states_score(struct gsched *s, struct shape_view *sv,
                         const struct topo_request *r, uint32_t from,
                         uint32_t end)
{
    struct gsched_shapes *h = s->shapes;
    const struct gsp_view view = gsched_view(
        s, sv->seen + from, end - from, h->room + from, h->hardware + from);

    modules_ask(s, &view, from, r);
    for (uint32_t i = from; i < end; i++) {
        if (h->refusal[i] != GSP_ACCEPTED)
            continue;
        sv->candidate = gs_array_grow(sv->candidate, &sv->cap, sv->count + 1,
                                      sizeof(*sv->candidate));
        sv->candidate[sv->count++] = (struct candidate){ sv->seen + i, NONE,
                                                         h->score[i] };
    }
}

/* Score the states created since the last time, run by run of those that suit the
 * shape and have room: of many classes few may, and in a full cluster few have.
 */
static void catch_up(struct gsched *s, struct shape_view *sv,
                     const struct topo_request *r, const struct topo_groups *g)
{
    struct gsched_shapes *h = s->shapes;
    const uint32_t n = g->count - sv->seen;

    assert(sv->seen < g->count);
    h->score = gs_array_grow(h->score, &h->score_cap, n, sizeof(*h->score));
    h->refusal = gs_array_grow(h->refusal, &h->refusal_cap, n, 1);
    h->hardware = gs_array_grow(h->hardware, &h->hardware_cap, n, 1);
    h->room = gs_array_grow(h->room, &h->room_cap, n, 1);
    for (uint32_t i = 0, from = 0; i <= n; i++) {
        const bool right = i < n && topo_group_has_gpus(g, sv->seen + i, r)
                           && sv->fits_class[g->klass[sv->seen + i]]
                           && topo_group_has_room(s->cluster, sv->seen + i, r);

        if (right) {
            h->hardware[i] = GSP_ACCEPTED;
            h->room[i] = true;
            continue;
        }
        if (from < i)
            states_score(s, sv, r, from, i);
        from = i + 1;
    }
    sv->seen = g->count;
}

/* List the classes that fit, or those that do not. */
static void few_list(const struct topo *t, struct shape_view *sv)
{
    uint32_t few = 0;

    for (uint32_t k = 0; k < t->class_count; k++)
        few += sv->fits_class[k];
    sv->is_of_others = few > t->class_count / 2;
    few = sv->is_of_others ? t->class_count - few : few;
    sv->class_few = gs_array_new(few + 1, sizeof(*sv->class_few));
    for (uint32_t k = 0; k < t->class_count; k++) {
        if (sv->fits_class[k] == !sv->is_of_others)
            sv->class_few[sv->classes_few++] = k;
    }
    assert(sv->classes_few == few);
}

static void get_to_know(struct gsched *s, struct shape_view *sv,
                        const struct topo_request *r)
{
    const struct topo *t = s->topo;

    sv->listed = NONE;
    sv->fits_class = gs_array_new(t->class_count, sizeof(*sv->fits_class));
    for (uint32_t k = 0; k < t->class_count; k++)
        sv->fits_class[k] = topo_class_misfit(t, k, r) == TOPO_FITS;
    few_list(t, sv);
    for (uint32_t k = 0; k < t->class_count; k++) {
        if (sv->fits_class[k])
            sv->most += (uint64_t)s->shapes->nodes_of[k]
                        * topo_class_fit(t, k, r);
    }
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
    if (!h->shape[shape].fits_class)
        get_to_know(s, &h->shape[shape], &s->work->shape[shape]);
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
        if (c.group != NONE)
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
        if (s->shapes->shape[i].fits_class)
            remap(&s->shapes->shape[i], map);
    }
}

void gsched_shapes_free(struct gsched *s)
{
    struct gsched_shapes *h = s->shapes;

    for (uint32_t i = 0; i < h->shape_count; i++) {
        gs_array_free(h->shape[i].candidate);
        gs_array_free(h->shape[i].heap);
        gs_array_free(h->shape[i].fits_class);
        gs_array_free(h->shape[i].class_few);
        gs_array_free(h->shape[i].parked.at);
    }
    gs_array_free(h->shape);
    gs_array_free(h->score);
    gs_array_free(h->refusal);
    gs_array_free(h->hardware);
    gs_array_free(h->room);
    gs_array_free(h->nodes.node);
    gs_array_free(h->nodes.score);
    gs_array_free(h->domains.scores.node);
    gs_array_free(h->domains.scores.score);
    gs_array_free(h->domains.at);
}

struct node_scores *gsched_node_scores(struct gsched *s)
{
    return &s->shapes->nodes;
}

struct ranked_domains *gsched_ranked_domains(struct gsched *s)
{
    return &s->shapes->domains;
}

void gsched_shapes_open(struct gsched *s)
{
    s->shapes = gs_arena_alloc(s->arena, 1, sizeof(*s->shapes));
    s->shapes->nodes_of = gs_arena_alloc(s->arena, s->topo->class_count,
                                         sizeof(*s->shapes->nodes_of));
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        s->shapes->nodes_of[s->topo->node_class[n]]++;
}

struct shape_view *gsched_shape_seen(const struct gsched *s, uint32_t shape)
{
    assert(shape < s->shapes->shape_count);
    return &s->shapes->shape[shape];
}
