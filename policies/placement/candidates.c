/* policies/placement/candidates.c - the best node for a task.
 *
 * With few candidates all are compared; with many a heap is used, whose keys
 * may be out of date and are corrected when they come to the top.  Both give
 * the same result: the best score, then the lowest node.
 */
#include "policies/placement/candidates.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/placement.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "topology/cluster.h"

#define FEW 48u /* up to this number a scan is faster */

/* The index of the candidate for a group; the count when there is none. */
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

const struct candidate *gsched_candidate(struct gsched *s, uint32_t shape,
                                         uint32_t group)
{
    struct shape_view *sv = gsched_shape_seen(s, shape);
    const uint32_t i = candidate_of(sv, group);

    return i < sv->count && gsched_candidate_stands(s, sv, i)
               ? &sv->candidate[i]
               : NULL;
}

/* --- going over candidates ------------------------------------------------ */

/* Iterates over the candidates or over the groups with nodes, whichever are
 * fewer.  Candidates without nodes, or refused, are skipped.
 */
struct candidates_left {
    struct gsched *s;
    struct shape_view *sv;
    const struct topo_groups *g;
    bool is_by_group;
    uint32_t left;
};

static struct candidates_left candidates_of(struct gsched *s,
                                            struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const bool by_group = g->live_count * 4 < sv->count;

    return (struct candidates_left){ s, sv, g, by_group,
                                     by_group ? g->live_count : sv->count };
}

static const struct candidate *candidate_next(struct candidates_left *l)
{
    while (l->left-- > 0) {
        uint32_t i = l->left;

        if (l->is_by_group)
            i = candidate_of(l->sv, l->g->live[i]);
        if (i < l->sv->count && l->g->nodes[l->sv->candidate[i].group]
            && gsched_candidate_stands(l->s, l->sv, i))
            return &l->sv->candidate[i];
    }
    return NULL;
}

bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group)
{
    assert(group < topo_cluster_groups(s->cluster)->count);
    (void)gsched_shape(s, shape);
    return gsched_candidate(s, shape, group);
}

/* --- the heap ------------------------------------------------------------- */

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

static void heap_build(struct gsched *s, struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    sv->heap = gs_array_grow(sv->heap, &sv->heap_cap, sv->count,
                             sizeof(*sv->heap));
    sv->heap_count = 0;
    for (uint32_t i = 0; i < sv->count; i++) {
        struct candidate *c = &sv->candidate[i];

        c->queued = g->first[c->group];
        if (c->queued != NONE && gsched_candidate_stands(s, sv, i))
            sv->heap[sv->heap_count++] = (struct ranked_node){ c->score,
                                                               c->queued, i };
    }
    gs_heap_build(&by_rank, sv->heap, sv->heap_count);
    sv->news = g->news_count;
    sv->has_heap = true;
}

/* Push the candidates whose lowest node decreased since the last time. */
static void heap_follow(struct gsched *s, struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    assert(g->news_count >= sv->news);
    if (!sv->has_heap || g->news_count - sv->news > TOPO_NEWS
        || g->news_count - sv->news > sv->count / 8 /* a search each */
        || sv->heap_count > 2 * sv->count) {
        heap_build(s, sv);
        return;
    }
    for (; sv->news < g->news_count; sv->news++) {
        const uint32_t group = g->news[sv->news % TOPO_NEWS];
        const uint32_t i = candidate_of(sv, group);

        if (i < sv->count && g->first[group] < sv->candidate[i].queued
            && gsched_candidate_stands(s, sv, i))
            heap_push(sv, i, g->first[group]);
    }
}

/* The node on top of the heap after correcting its key; NONE. */
static uint32_t heap_best(struct gsched *s, struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    heap_follow(s, sv);
    while (sv->heap_count) {
        struct ranked_node *top = &sv->heap[0];
        struct candidate *c = &sv->candidate[top->candidate];
        const uint32_t first = g->first[c->group];

        if (top->node != c->queued) {
            heap_pop(sv); /* pushed again since, with a lower node */
            continue;
        }
        if (top->node == first)
            return first;
        c->queued = top->node = first;
        if (first == NONE)
            heap_pop(sv);
        else
            (void)gs_heap_sink(&by_rank, sv->heap, sv->heap_count, 0);
    }
    return NONE;
}

/* --- looking at all ------------------------------------------------------- */

/* The lowest node of a group in the scope; NONE. */
static uint32_t first_allowed(const struct gsched *s, uint32_t group,
                              const struct scope *w)
{
    uint32_t from = w->from;

    for (;;) {
        const uint32_t node = topo_group_first(s->cluster, group, from, w->end);
        uint32_t next;

        if (node == NONE || (!w->has_rules && !w->avoid))
            return node;
        if (s->quotas && gsched_quota_closes(s, w->job, w->group, node))
            return NONE; /* all nodes of the group are of its class */
        next = gsched_modules_allow_node(s, w, node);
        if (next == node)
            return node;
        if (next >= w->end)
            return NONE;
        from = next;
    }
}

/* The best candidate in the scope (NULL: anywhere) and its node; NULL and NONE
 * when there is none.
 */
static const struct candidate *scan(struct gsched *s, struct shape_view *sv,
                                    const struct scope *w, uint32_t *node)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct candidates_left l = candidates_of(s, sv);
    const struct candidate *best = NULL, *c;

    *node = NONE;
    while ((c = candidate_next(&l))) {
        uint32_t first;

        if (best && c->score < best->score)
            continue;
        first = w ? first_allowed(s, c->group, w) : g->first[c->group];
        if (first != NONE
            && (!best || c->score > best->score || first < *node)) {
            best = c;
            *node = first;
        }
    }
    return best;
}

uint32_t gsched_shape_holds(struct gsched *s, uint32_t shape, uint32_t n,
                            bool is_tightest, const struct scope *w)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct topo_request *r = &s->work->shape[shape];
    const int64_t *free = g->free[gsched_main_dim(s, r->amount)];
    struct candidates_left l = candidates_of(s, sv);
    const struct candidate *c, *of = NULL;
    uint32_t best = NONE;

    while ((c = candidate_next(&l))) {
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

/* The node that the module picks among all nodes with the best score. */
static uint32_t scan_pick(struct gsched *s, struct shape_view *sv)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    uint32_t node;
    const struct candidate *best = scan(s, sv, NULL, &node);
    uint64_t nodes = 0, k;

    if (!best)
        return NONE;
    for (uint32_t i = 0; i < sv->count; i++) {
        if (sv->candidate[i].score == best->score)
            nodes += g->nodes[sv->candidate[i].group];
    }
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

/* --- related by modules --------------------------------------------------- */

bool gsched_scope_is_regarded(const struct gsched *s, const struct scope *w)
{
    return gsched_modules_regard(s, w->job, w->group) != GSP_NO_REGARD;
}

void gsched_node_scores_put(struct node_scores *n, uint32_t node, int64_t score)
{
    assert(node != NONE);
    n->node = gs_array_grow(n->node, &n->node_cap, n->count + 1,
                            sizeof(*n->node));
    n->score = gs_array_grow(n->score, &n->score_cap, n->count + 1,
                             sizeof(*n->score));
    n->node[n->count] = node;
    n->score[n->count++] = score;
}

/* The nodes on which the task may be placed: of each candidate the lowest, or
 * all.
 */
static void nodes_collect(struct gsched *s, struct shape_view *sv,
                          const struct scope *scope, bool all,
                          struct node_scores *n)
{
    struct candidates_left l = candidates_of(s, sv);
    const struct candidate *c;

    n->count = 0;
    while ((c = candidate_next(&l))) {
        struct scope w = *scope;

        do {
            const uint32_t node = w.from < w.end
                                      ? first_allowed(s, c->group, &w)
                                      : NONE;

            if (node == NONE)
                break;
            gsched_node_scores_put(n, node, c->score);
            w.from = node + 1;
        } while (all);
    }
}

/* The one of them that the module picks among those with the best score. */
static uint32_t best_pick(const struct node_scores *n, uint32_t best,
                          const struct gsched_module *pick)
{
    uint64_t equal = 0, k;

    for (uint32_t i = 0; i < n->count; i++)
        equal += n->score[i] == n->score[best];
    k = pick->module->pick(pick->self, equal);
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->score[i] == n->score[best] && k-- == 0)
            return n->node[i];
    }
    return n->node[best];
}

static uint32_t scores_best(const struct node_scores *n,
                            const struct gsched_module *pick)
{
    uint32_t best = NONE;

    for (uint32_t i = 0; i < n->count; i++) {
        if (best == NONE || n->score[i] > n->score[best]
            || (n->score[i] == n->score[best] && n->node[i] < n->node[best]))
            best = i;
    }
    if (best == NONE)
        return NONE;
    return pick ? best_pick(n, best, pick) : n->node[best];
}

/* The best of them by what they are and by what modules make of all. */
static uint32_t scan_related(struct gsched *s, struct shape_view *sv,
                             const struct scope *w, enum gsp_regard regard,
                             bool sampled)
{
    struct node_scores *n = gsched_node_scores(s);

    if (sampled)
        gsched_sample_collect(s, sv->shape, w, n);
    else
        nodes_collect(s, sv, w, regard == GSP_BY_NODE, n);
    if (n->count > 1 && regard != GSP_NO_REGARD) /* alone it is the best */
        gsched_modules_prefer(s, w->job, w->group,
                              &(struct gsp_nodes){ n->count, n->node },
                              n->score);
    return scores_best(n, sampled ? s->modules->pick : NULL);
}

/* --- the best ------------------------------------------------------------- */

static bool shape_best(struct gsched *s, uint32_t shape, const struct scope *w,
                       struct node_fit *best)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const enum gsp_regard regard = gsched_modules_regard(s, w->job, w->group);
    const bool sampled = gsched_is_sampled(s, w);

    if (regard != GSP_NO_REGARD || sampled)
        best->node = scan_related(s, sv, w, regard, sampled);
    else if (w->from > 0 || w->end < s->topo->node_count || w->has_rules
             || w->avoid)
        (void)scan(s, sv, w, &best->node);
    else if (s->modules->pick)
        best->node = scan_pick(s, sv);
    else if (sv->count <= FEW || g->live_count <= FEW)
        (void)scan(s, sv, NULL, &best->node);
    else
        best->node = heap_best(s, sv);
    if (best->node == NONE)
        return false;
    best->fits = topo_group_fit(s->cluster,
                                topo_cluster_group_of(s->cluster, best->node),
                                &s->work->shape[shape]);
    return true;
}

bool gsched_shape_best(struct gsched *s, uint32_t shape, const struct scope *w,
                       struct node_fit *best)
{
    const bool found = shape_best(s, shape, w, best);
    struct node_fit other;
    struct scope without;

    if (!found || !s->late || !gsched_late_is(s, shape, best->node)
        || gsched_is_sampled(s, w)
        || gsched_modules_regard(s, w->job, w->group) != GSP_NO_REGARD)
        return found;
    without = gsched_late_scope(s, shape, w);
    if (shape_best(s, shape, &without, &other))
        *best = other;
    gsched_late_scope_end(s, w);
    return true;
}

bool gsched_shape_fits(struct gsched *s, uint32_t shape, const struct scope *w)
{
    struct node_fit best;

    if (s->modules->pick || gsched_is_sampled(s, w))
        return gsched_shape_best(s, shape, w, &best);
    (void)scan(s, gsched_shape(s, shape), w, &best.node);
    return best.node != NONE;
}

uint64_t gsched_shape_room(struct gsched *s, uint32_t shape, uint64_t enough)
{
    const struct topo_request *r = &s->work->shape[shape];
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    struct candidates_left l = candidates_of(s, gsched_shape(s, shape));
    const struct candidate *c;
    uint64_t room = 0;

    while (room < enough && (c = candidate_next(&l)))
        room += (uint64_t)g->nodes[c->group]
                * topo_group_fit(s->cluster, c->group, r);
    return room;
}

bool gsched_shape_has_room(struct gsched *s, uint32_t shape, uint64_t n)
{
    return gsched_shape_room(s, shape, n) >= n;
}
