/* sim/replay/autoscaler.c - a cluster autoscaler.
 *
 * After each cycle sim_nodes_scale() computes how many nodes pending jobs could
 * fill, less idle and arriving nodes, and adds that many in order of node
 * numbers. A node that was idle for long enough is removed (sim_scale_idle).
 */
#include "base/array.h"

#include <assert.h>

#include "sim/replay/nodes.h"
#include "sim/replay/warm.h"
#include "topology/cluster.h"

/* True when the autoscaler may add the node: now, or with `later` when all its
 * outages with a known end have ended.
 */
static bool may_bring(const struct sim *s, uint32_t node, bool later)
{
    const struct node_now *n = &s->nodes->node[node];
    const bool is_out = n->is_absent || n->failures || n->drains;

    assert(n->is_parked && !n->is_arriving);
    return later ? is_out && sim_outages_end(s, node) : !is_out;
}

static void expected_set(struct sim *s, uint32_t node, bool is_expected)
{
    if (s->nodes->node[node].is_expected == is_expected)
        return;
    s->nodes->node[node].is_expected = is_expected;
    deadlock_node(s->deadlock, node);
}

static void scale_expect(struct sim *s, uint32_t scale)
{
    struct sim_nodes *w = s->nodes;
    const uint32_t most = w->scenario->scale[scale].max;
    const uint32_t there = w->scale[scale].open + w->scale[scale].arriving;
    uint32_t now = 0, left = most > there ? most - there : 0;

    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const struct node_now *node = &w->node[n];

        if (node->scale == scale && node->is_parked && !node->is_arriving)
            now += may_bring(s, n, false);
    }
    now = now < left ? now : left;
    left -= now; /* left for nodes whose outages end first */
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const struct node_now *node = &w->node[n];
        bool is_expected = node->is_arriving;

        if (node->scale != scale)
            continue;
        if (node->is_parked && !is_expected) {
            if (now && may_bring(s, n, false)) {
                is_expected = true;
                now--;
            } else if (left && may_bring(s, n, true)) {
                is_expected = true;
                left--;
            }
        }
        expected_set(s, n, is_expected);
    }
    w->scale[scale].is_stale = false;
}

void sim_scale_expect(struct sim *s)
{
    struct sim_nodes *w = s->nodes;

    for (uint32_t i = 0; w && i < w->scenario->scale_count; i++) {
        if (w->scale[i].is_stale)
            scale_expect(s, i);
    }
}

void sim_scale_stale(struct sim *s)
{
    for (uint32_t i = 0; i < s->nodes->scenario->scale_count; i++)
        s->nodes->scale[i].is_stale = true;
}

static bool is_of(const struct sim *s, uint32_t node, uint32_t type)
{
    assert(node < s->topo->node_count);
    return s->topo->klass[s->topo->node_class[node]].type == type;
}

/* Nodes of the type that hold tasks at time 0, then others up to the minimum,
 * are there when time begins.
 */
static void scale_begin(struct sim *s, uint32_t scale, const bool *is_held)
{
    struct sim_nodes *w = s->nodes;
    const struct sim_scale *k = &w->scenario->scale[scale];
    uint32_t *open = &w->scale[scale].open;

    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        if (!is_of(s, n, k->type))
            continue;
        w->node[n].scale = scale;
        w->node[n].is_parked = !is_held || !is_held[n];
        *open += !w->node[n].is_parked;
    }
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        if (w->node[n].scale != scale)
            continue;
        if (w->node[n].is_parked && *open < k->min) {
            w->node[n].is_parked = false;
            (*open)++;
        }
        sim_scale_changed(s, n);
    }
}

void sim_scale_open(struct sim *s)
{
    struct sim_nodes *w = s->nodes;
    bool *is_held = sim_warm_nodes(s->topo, s->work);

    for (uint32_t n = 0; n < s->topo->node_count; n++)
        w->node[n].scale = NONE;
    w->scale = gs_array_new(w->scenario->scale_count + 1, sizeof(*w->scale));
    sim_scale_stale(s);
    for (uint32_t i = 0; i < w->scenario->scale_count; i++)
        scale_begin(s, i, is_held);
    gs_array_free(is_held);
}

void sim_scale_changed(struct sim *s, uint32_t node)
{
    struct node_now *n = &s->nodes->node[node];
    const bool was = n->is_spare;

    assert(node < s->topo->node_count);
    assert(!was || n->scale == NONE || s->nodes->scale[n->scale].spare > 0);
    if (n->scale == NONE)
        return;
    n->is_spare = n->tasks == 0 && n->state == REPORT_NODE_OPEN
                  && topo_cluster_failed(s->cluster, node) == 0;
    s->nodes->scale[n->scale].spare += (uint32_t)n->is_spare - was;
}

static void kept_set(struct sim *s, struct node_now *n, bool is_kept)
{
    s->nodes->scale[n->scale].kept += (uint32_t)is_kept - n->is_kept;
    n->is_kept = is_kept;
}

/* The node is idle from now on: check it again after the idle time. */
static void idle_begin(struct sim *s, uint32_t node)
{
    struct node_now *n = &s->nodes->node[node];

    sim_node_event_push(
        s, sim_later(s->now, s->nodes->scenario->scale[n->scale].idle),
        NODE_IDLE, node, ++n->idle);
}

void sim_nodes_tasks(struct sim *s, uint32_t node, uint32_t tasks, bool comes)
{
    struct node_now *n = s->nodes ? &s->nodes->node[node] : NULL;

    assert(tasks > 0);
    assert(!n || n->scale == NONE || comes || n->tasks >= tasks);
    if (!n || n->scale == NONE)
        return;
    n->idle += n->tasks == 0;
    n->tasks += comes ? tasks : (uint32_t)0 - tasks;
    if (n->tasks == 0 && !n->is_parked)
        idle_begin(s, node);
    kept_set(s, n, false);
    sim_scale_changed(s, node);
}

void sim_scale_idle(struct sim *s, uint32_t node, uint64_t since)
{
    struct node_now *n = &s->nodes->node[node];
    struct scale_now *now = &s->nodes->scale[n->scale];

    assert(n->scale != NONE);
    if (n->idle != since || n->is_parked)
        return;
    kept_set(s, n, now->open <= s->nodes->scenario->scale[n->scale].min);
    if (n->is_kept)
        return;
    n->is_parked = true;
    now->open--;
    now->first = node < now->first ? node : now->first;
    sim_node_update(s, node, true);
}

/* More nodes are present: nodes that were kept because of `min` may be removed
 * after the idle time.
 */
static void kept_look(struct sim *s, uint32_t scale)
{
    struct sim_nodes *w = s->nodes;

    for (uint32_t n = 0; w->scale[scale].kept && n < s->topo->node_count; n++) {
        if (w->node[n].scale == scale && w->node[n].is_kept) {
            kept_set(s, &w->node[n], false);
            idle_begin(s, n);
        }
    }
}

void sim_scale_arrived(struct sim *s, uint32_t node)
{
    struct node_now *n = &s->nodes->node[node];
    struct scale_now *now = &s->nodes->scale[n->scale];

    n->is_arriving = n->is_parked = false;
    now->arriving--;
    now->open++;
    sim_node_update(s, node, true);
    idle_begin(s, node);
    kept_look(s, n->scale);
}

static void scale_up(struct sim *s, uint32_t scale, uint32_t count)
{
    struct sim_nodes *w = s->nodes;
    uint32_t left = NONE; /* the first node that stays parked */

    for (uint32_t n = w->scale[scale].first; count && n < s->topo->node_count;
         n++) {
        struct node_now *node = &w->node[n];

        if (node->scale != scale || !node->is_parked || node->is_arriving)
            continue;
        if (node->is_absent || node->failures || node->drains) {
            left = left == NONE ? n : left;
            continue;
        }
        node->is_arriving = true;
        w->scale[scale].arriving++;
        sim_node_event_push(s,
                            sim_later(s->now, w->scenario->scale[scale].delay),
                            NODE_ARRIVES, n, 0);
        count--;
        w->scale[scale].first = n + 1;
    }
    if (left < w->scale[scale].first)
        w->scale[scale].first = left;
    w->scale[scale].is_stale = true;
}

void sim_nodes_scale(struct sim *s)
{
    struct sim_nodes *w = s->nodes;

    for (uint32_t i = 0; w && i < w->scenario->scale_count; i++) {
        const struct sim_scale *k = &w->scenario->scale[i];
        const uint32_t there = w->scale[i].open + w->scale[i].arriving;
        uint32_t wanted, has;

        if (there >= k->max || sim_waiting(s) == 0)
            continue;
        wanted = sim_nodes_wanted(s, k->type, k->max);
        has = w->scale[i].spare + w->scale[i].arriving;
        if (wanted > has)
            scale_up(s, i,
                     wanted - has < k->max - there ? wanted - has
                                                   : k->max - there);
    }
}
