/* policies/placement/candidates.c - which nodes suit a kind of task, and the best of them.
 *
 * Modules are asked once for each state that a node can be in, not for each
 * node and not at each decision: a placement makes at most two states new.
 * With few candidates the best is found by looking at all; with many, by a
 * heap whose keys may be out of date, and are put right when they come to the
 * top.  Both give the same answer: the best score, then the lowest node.
 */
#include "policies/placement/candidates.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/topology_fit.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

#define FEW 48u /* candidates that are quicker looked at */

/* What is known of each shape; scratch for batches of states. */
struct gsched_shapes {
    struct shape_view *shape;
    uint32_t shape_count, shape_cap;
    int64_t *score; /* scratch for batches of states */
    uint8_t *refusal, *hardware, *room;
    uint32_t batch_cap, room_cap, refusal_cap, hardware_cap;
};

/* --- asking the modules ---------------------------------------------------- */

static void scratch_grow(struct gsched *s, uint32_t n)
{
    s->shapes->score = gs_array_grow(s->shapes->score, &s->shapes->batch_cap, n,
                                     sizeof(*s->shapes->score));
    s->shapes->room = gs_array_grow(s->shapes->room, &s->shapes->room_cap, n,
                                    sizeof(*s->shapes->room));
    s->shapes->refusal = gs_array_grow(s->shapes->refusal,
                                       &s->shapes->refusal_cap, n,
                                       sizeof(*s->shapes->refusal));
    s->shapes->hardware = gs_array_grow(s->shapes->hardware,
                                        &s->shapes->hardware_cap, n,
                                        sizeof(*s->shapes->hardware));
}

/* So that no later module's addition overflows. */
static void scores_limit(int64_t *score, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (score[i] > GSP_SCORE_MOST)
            score[i] = GSP_SCORE_MOST;
        else if (score[i] < -GSP_SCORE_MOST)
            score[i] = -GSP_SCORE_MOST;
    }
}

/* Ask about the states in `v`; answers in s->shapes->refusal, s->shapes->score. */
static void modules_ask(struct gsched *s, const struct gsp_view *v,
                        const struct topo_request *r)
{
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;

    assert(v->count <= s->shapes->batch_cap
           && v->first + v->count <= v->groups->count);
    memset(s->shapes->refusal, GSP_ACCEPTED,
           v->count * sizeof(*s->shapes->refusal));
    memset(s->shapes->score, 0, v->count * sizeof(*s->shapes->score));
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsp_module *m = s->modules->module[i].module;

        if (m->filter)
            m->filter(s->modules->module[i].self, v, task, s->shapes->refusal);
        if (!m->score)
            continue;
        m->score(s->modules->module[i].self, v, task, s->shapes->score);
        scores_limit(s->shapes->score, v->count);
    }
}

/* Look at the states made since the last time. */
static void catch_up(struct gsched *s, struct shape_view *sv,
                     const struct topo_request *r, const struct topo_groups *g)
{
    const uint32_t n = g->count - sv->seen;
    struct gsp_view view = {
        .cluster = s->cluster, .groups = g, .first = sv->seen, .count = n
    };

    assert(sv->seen < g->count);
    scratch_grow(s, n);
    for (uint32_t i = 0; i < n; i++) {
        const bool right = sv->fits_class[g->klass[sv->seen + i]];

        s->shapes->hardware[i] = right ? GSP_ACCEPTED : GSP_WRONG_NODE;
        s->shapes->room[i] =
            right && topo_group_has_room(s->cluster, sv->seen + i, r);
    }
    view.room = s->shapes->room;
    view.hardware = s->shapes->hardware;
    modules_ask(s, &view, r);
    for (uint32_t i = 0; i < n; i++) {
        if (s->shapes->refusal[i] != GSP_ACCEPTED || !s->shapes->room[i])
            continue;
        sv->candidate = gs_array_grow(sv->candidate, &sv->cap, sv->count + 1,
                                      sizeof(*sv->candidate));
        sv->candidate[sv->count++] = (struct candidate){ sv->seen + i, NONE,
                                                         s->shapes->score[i] };
    }
    sv->seen = g->count;
}

static void get_to_know(struct gsched *s, struct shape_view *sv,
                        const struct topo_request *r)
{
    const struct topo *t = s->topo;

    sv->known = true;
    sv->listed = NONE;
    sv->fits_class = gs_array_new(t->class_count, sizeof(*sv->fits_class));
    for (uint32_t k = 0; k < t->class_count; k++)
        sv->fits_class[k] = topo_class_misfit(t, k, r) == TOPO_FITS;
    for (uint32_t node = 0; node < t->node_count; node++)
        sv->most += topo_class_fit(t, t->node_class[node], r);
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

struct shape_view *gsched_shape(struct gsched *s, uint32_t shape)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct shape_view *sv;

    assert(shape < s->work->shape_count);
    if (shape >= s->shapes->shape_count) {
        s->shapes->shape = gs_array_grow(s->shapes->shape,
                                         &s->shapes->shape_cap, shape + 1,
                                         sizeof(*s->shapes->shape));
        s->shapes->shape_count = shape + 1;
    }
    sv = &s->shapes->shape[shape];
    if (!sv->known)
        get_to_know(s, sv, &s->work->shape[shape]);
    if (sv->seen < g->count)
        catch_up(s, sv, &s->work->shape[shape], g);
    return sv;
}

/* The candidate for a group; the count when it is none. */
static uint32_t candidate_of(const struct shape_view *sv, uint32_t group)
{
    uint32_t low = 0, high = sv->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (sv->candidate[mid].group < group)
            low = mid + 1;
        else
            high = mid;
    }
    return low < sv->count && sv->candidate[low].group == group ? low
                                                                : sv->count;
}

/* --- looking over candidates ------------------------------------------------ */

/* Either the candidates one by one, or the groups that have nodes: what is
 * less.  Candidates without nodes are passed over.
 */
struct look {
    const struct shape_view *sv;
    const struct topo_groups *g;
    bool is_by_group;
    uint32_t left;
};

static struct look look(const struct shape_view *sv,
                        const struct topo_groups *g)
{
    const bool by_group = g->live_count * 4 < sv->count;

    return (struct look){ sv, g, by_group,
                          by_group ? g->live_count : sv->count };
}

static const struct candidate *look_next(struct look *l)
{
    while (l->left-- > 0) {
        uint32_t i = l->left;

        if (l->is_by_group)
            i = candidate_of(l->sv, l->g->live[i]);
        if (i < l->sv->count && l->g->nodes[l->sv->candidate[i].group])
            return &l->sv->candidate[i];
    }
    return NULL;
}

bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group)
{
    const struct shape_view *sv = gsched_shape(s, shape);

    assert(group < topo_cluster_groups(s->cluster)->count);
    return candidate_of(sv, group) < sv->count;
}

/* --- the heap ---------------------------------------------------------------- */

static bool ranked_before(const void *heap, uint32_t a, uint32_t b)
{
    const struct ranked_node *n = heap;

    return n[a].score != n[b].score ? n[a].score > n[b].score
                                    : n[a].node < n[b].node;
}

static void ranked_swap(void *heap, uint32_t a, uint32_t b)
{
    struct ranked_node *n = heap;
    const struct ranked_node it = n[a];

    n[a] = n[b];
    n[b] = it;
}

static const struct gs_heap by_rank = { ranked_before, ranked_swap };

static void heap_push(struct shape_view *sv, uint32_t candidate, uint32_t node)
{
    assert(candidate < sv->count && node != NONE);
    sv->heap = gs_array_grow(sv->heap, &sv->heap_cap, sv->heap_count + 1,
                             sizeof(*sv->heap));
    sv->heap[sv->heap_count] =
        (struct ranked_node){ sv->candidate[candidate].score, node, candidate };
    (void)gs_heap_rise(&by_rank, sv->heap, sv->heap_count++);
    sv->candidate[candidate].queued = node;
}

static void heap_pop(struct shape_view *sv)
{
    assert(sv->heap_count > 0);
    sv->heap[0] = sv->heap[--sv->heap_count];
    (void)gs_heap_sink(&by_rank, sv->heap, sv->heap_count, 0);
}

static void heap_build(struct shape_view *sv, const struct topo_groups *g)
{
    sv->heap = gs_array_grow(sv->heap, &sv->heap_cap, sv->count,
                             sizeof(*sv->heap));
    sv->heap_count = 0;
    for (uint32_t i = 0; i < sv->count; i++) {
        struct candidate *c = &sv->candidate[i];

        c->queued = g->first[c->group];
        if (c->queued != NONE)
            sv->heap[sv->heap_count++] = (struct ranked_node){ c->score,
                                                               c->queued, i };
    }
    gs_heap_build(&by_rank, sv->heap, sv->heap_count);
    sv->news = g->news_count;
    sv->has_heap = true;
}

/* Queue the candidates whose lowest node went down since the last time. */
static void heap_follow(struct shape_view *sv, const struct topo_groups *g)
{
    assert(g->news_count >= sv->news);
    if (!sv->has_heap || g->news_count - sv->news > TOPO_NEWS
        || g->news_count - sv->news > sv->count
        || sv->heap_count > 2 * sv->count) {
        heap_build(sv, g);
        return;
    }
    for (; sv->news < g->news_count; sv->news++) {
        const uint32_t group = g->news[sv->news % TOPO_NEWS];
        const uint32_t i = candidate_of(sv, group);

        if (i < sv->count && g->first[group] < sv->candidate[i].queued)
            heap_push(sv, i, g->first[group]);
    }
}

/* The best candidate, on top of the heap with its key put right. */
static const struct candidate *heap_best(struct shape_view *sv,
                                         const struct topo_groups *g)
{
    heap_follow(sv, g);
    while (sv->heap_count) {
        struct ranked_node *top = &sv->heap[0];
        struct candidate *c = &sv->candidate[top->candidate];
        const uint32_t first = g->first[c->group];

        if (top->node != c->queued) {
            heap_pop(sv); /* queued again since, with a lower node */
            continue;
        }
        if (top->node == first)
            return c;
        c->queued = top->node = first;
        if (first == NONE)
            heap_pop(sv);
        else
            (void)gs_heap_sink(&by_rank, sv->heap, sv->heap_count, 0);
    }
    return NULL;
}

/* --- looking at all ------------------------------------------------------------ */

static const struct candidate *scan_best(const struct shape_view *sv,
                                         const struct topo_groups *g)
{
    const struct candidate *best = NULL, *c;

    for (struct look l = look(sv, g); (c = look_next(&l));) {
        if (best
            && (c->score < best->score
                || (c->score == best->score
                    && g->first[c->group] > g->first[best->group])))
            continue;
        best = c;
    }
    return best;
}

/* The lowest node of a group where the task may stand. */
static uint32_t first_allowed(const struct gsched *s, uint32_t group,
                              const struct scope *w)
{
    uint32_t from = w->from;

    for (;;) {
        const uint32_t node = topo_group_first(s->cluster, group, from, w->end);
        uint32_t next;

        if (node == NONE || (!w->has_rules && !w->avoid))
            return node;
        next = gsched_modules_allow_node(s, w, node);
        if (next == node)
            return node;
        if (next >= w->end)
            return NONE;
        from = next;
    }
}

/* The best node where the task may stand. */
static uint32_t scan_within(struct gsched *s, const struct shape_view *sv,
                            const struct scope *w)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct candidate *c;
    uint32_t best = NONE;
    int64_t score = 0;

    for (struct look l = look(sv, g); (c = look_next(&l));) {
        uint32_t node;

        if (best != NONE && c->score < score)
            continue;
        node = first_allowed(s, c->group, w);
        if (node != NONE && (best == NONE || c->score > score || node < best)) {
            best = node;
            score = c->score;
        }
    }
    return best;
}

uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct scope *w)
{
    const struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct topo_request *r = &s->work->shape[shape];
    const int64_t *free = g->free[gsched_main_dim(s, r->amount)];
    const struct candidate *c, *of = NULL;
    uint32_t best = NONE;

    for (struct look l = look(sv, g); (c = look_next(&l));) {
        int64_t better = 0;
        uint32_t node;

        if (topo_group_fit(s->cluster, c->group, r) < n)
            continue;
        if (of && is_tightest) {
            better = free[of->group] - free[c->group];
            if (better == 0)
                better = c->score - of->score;
        }
        if (better < 0)
            continue;
        node = first_allowed(s, c->group, w);
        if (node != NONE && (!of || better > 0 || node < best)) {
            best = node;
            of = c;
        }
    }
    return best;
}

/* Of all nodes with the best score, the one that the module picks. */
static uint32_t scan_pick(struct gsched *s, const struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct candidate *best = scan_best(sv, g);
    uint64_t nodes = 0, k;

    for (uint32_t i = 0; best && i < sv->count; i++) {
        if (sv->candidate[i].score == best->score)
            nodes += g->nodes[sv->candidate[i].group];
    }
    if (!best)
        return NONE;
    k = s->modules->pick->module->pick(s->modules->pick->self, nodes);
    for (uint32_t i = 0; i < sv->count; i++) {
        const struct candidate *c = &sv->candidate[i];

        if (c->score != best->score)
            continue;
        if (k < g->nodes[c->group])
            return topo_group_select(s->cluster, c->group, (uint32_t)k);
        k -= g->nodes[c->group];
    }
    return NONE;
}

/* --- the best ------------------------------------------------------------------ */

bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct scope *w,
                       struct fit *best)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    if (w->from > 0 || w->end < s->topo->node_count || w->has_rules
        || w->avoid) {
        best->node = scan_within(s, sv, w);
    } else if (s->modules->pick) {
        best->node = scan_pick(s, sv);
    } else {
        const struct candidate *c = sv->count <= FEW || g->live_count <= FEW
                                        ? scan_best(sv, g)
                                        : heap_best(sv, g);

        best->node = c ? g->first[c->group] : NONE;
    }
    if (best->node == NONE)
        return false;
    best->fits = topo_group_fit(s->cluster,
                                topo_cluster_group_of(s->cluster, best->node),
                                &s->work->shape[shape]);
    return true;
}

static uint64_t room_up_to(struct gsched *s, uint32_t shape, uint64_t enough)
{
    const struct topo_request *r = &s->work->shape[shape];
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct look l = look(gsched_shape(s, shape), g);
    const struct candidate *c;
    uint64_t room = 0;

    while (room < enough && (c = look_next(&l)))
        room += (uint64_t)g->nodes[c->group]
                * topo_group_fit(s->cluster, c->group, r);
    return room;
}

bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n)
{
    return room_up_to(s, shape, n) >= n;
}

uint64_t gsched_shape_room(struct gsched *s, uint32_t shape)
{
    return room_up_to(s, shape, UINT64_MAX);
}

/* --- forgetting ---------------------------------------------------------------- */

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
        if (s->shapes->shape[i].known)
            remap(&s->shapes->shape[i], map);
    }
}

void gsched_shapes_free(struct gsched *s)
{
    for (uint32_t i = 0; i < s->shapes->shape_count; i++) {
        gs_array_free(s->shapes->shape[i].candidate);
        gs_array_free(s->shapes->shape[i].heap);
        gs_array_free(s->shapes->shape[i].fits_class);
        gs_array_free(s->shapes->shape[i].parked);
    }
    gs_array_free(s->shapes->shape);
    gs_array_free(s->shapes->score);
    gs_array_free(s->shapes->room);
    gs_array_free(s->shapes->refusal);
    gs_array_free(s->shapes->hardware);
}

void gsched_shapes_open(struct gsched *s)
{
    s->shapes = gs_arena_alloc(s->arena, 1, sizeof(*s->shapes));
}

struct shape_view *gsched_shape_seen(const struct gsched *s, uint32_t shape)
{
    assert(shape < s->shapes->shape_count);
    return &s->shapes->shape[shape];
}
