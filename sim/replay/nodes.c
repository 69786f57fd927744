/* sim/replay/nodes.c - node events of a scenario.
 *
 * sim_nodes_open pushes the first node events, sim_nodes_event processes one
 * when its event of kind EVENT_NODE is due, and sim_node_update passes the new
 * state of the node to the scheduler, the observers and the deadlock detector.
 * Outages of a node are counted, since they may overlap.  The end of an outage
 * that a repair has ended already is ignored: its serial number is below that
 * of the repair.
 */
#include "sim/replay/nodes.h"

#include <assert.h>

#include "base/array.h"

/* --- node events ---------------------------------------------------------- */

void sim_node_event_push(struct sim *s, int64_t at, enum node_event_kind kind,
                         uint32_t index, uint64_t serial)
{
    struct sim_nodes *w = s->nodes;
    uint32_t i = w->free_event;

    assert(w && kind < NODE_EVENT_KINDS && at >= s->now);
    if (at >= SIM_LAST)
        return;
    if (i != NONE) {
        w->free_event = w->event[i].next;
    } else {
        w->event = gs_array_grow(w->event, &w->event_cap, w->event_count + 1,
                                 sizeof(*w->event));
        i = w->event_count++;
    }
    w->event[i] = (struct node_event){ serial, kind, index, NONE };
    w->pending[kind]++;
    event_push(&s->queue, at, EVENT_NODE, i, 0);
}

static struct node_event node_event_take(struct sim_nodes *w, uint32_t i)
{
    const struct node_event a = w->event[i];

    assert(i < w->event_count && w->pending[a.kind] > 0);
    w->event[i].next = w->free_event;
    w->free_event = i;
    w->pending[a.kind]--;
    return a;
}

/* --- states --------------------------------------------------------------- */

static void tell(struct sim *s, uint32_t node, uint32_t device,
                 enum report_node_state state, bool is_scaled)
{
    const struct report_node n = { node, device, state, is_scaled };

    assert(node < s->topo->node_count);
    SIM_TELL(s, node, &n);
}

/* Remove the tasks on these devices (0: all) of the node from their jobs. */
static void lose(struct sim *s, uint32_t node, uint64_t devices)
{
    uint32_t scheduler = 0, at = GSCHED_FIRST;
    struct gsched_decision d;

    assert(node < s->topo->node_count);
    while (sim_next_on(s, node, &scheduler, &at, &d)) {
        if (!gsched_stands_on(&d.grant, node, devices))
            continue;
        sim_job_lost(s, d.job, node, devices);
        at = GSCHED_FIRST; /* the list has changed */
    }
}

static enum report_node_state state_of(const struct node_now *n)
{
    return n->is_absent || n->is_parked ? REPORT_NODE_ABSENT
           : n->failures                ? REPORT_NODE_FAILED
           : n->drains                  ? REPORT_NODE_DRAINED
                                        : REPORT_NODE_OPEN;
}

void sim_node_update(struct sim *s, uint32_t node, bool is_scaled)
{
    struct node_now *n = &s->nodes->node[node];
    const enum report_node_state state = state_of(n);

    assert(node < s->topo->node_count);
    if (state == n->state)
        return;
    n->state = (uint8_t)state;
    sim_node_cordon(s, node, state != REPORT_NODE_OPEN);
    if (state >= REPORT_NODE_FAILED)
        lose(s, node, 0);
    sim_scale_changed(s, node);
    deadlock_node(s->deadlock, node);
    tell(s, node, SIM_WHOLE, state, is_scaled);
    s->is_dirty = true;
}

static void gpu_update(struct sim *s, uint32_t node, uint32_t device)
{
    struct gpu_now *g = &s->nodes->gpu[s->first_device[node] + device];

    assert(device < s->topo->klass[s->topo->node_class[node]].gpus);
    if (g->is_failed == (g->failures > 0))
        return;
    g->is_failed = g->failures > 0;
    if (g->is_failed)
        lose(s, node, UINT64_C(1) << device);
    sim_gpu_fail(s, node, device, g->is_failed);
    sim_scale_changed(s, node);
    deadlock_node(s->deadlock, node);
    tell(s, node, device, g->is_failed ? REPORT_NODE_FAILED : REPORT_NODE_OPEN,
         false);
    s->is_dirty = true;
}

/* --- outages -------------------------------------------------------------- */

void sim_nodes_out(struct sim *s, const struct sim_target *t,
                   enum sim_what what, uint64_t serial, int by)
{
    struct sim_nodes *w = s->nodes;

    assert(by == 1 || by == -1);
    assert(what == SIM_FAIL || (what == SIM_DRAIN && t->device == SIM_WHOLE));
    assert(t->count > 0 && t->first + t->count <= s->topo->node_count);
    for (uint32_t n = t->first; n < t->first + t->count; n++) {
        struct gpu_now *g = t->device == SIM_WHOLE
                                ? NULL
                                : &w->gpu[s->first_device[n] + t->device];
        const uint64_t cleared = g ? g->cleared : w->node[n].cleared;
        uint32_t *outages = g                   ? &g->failures
                            : what == SIM_DRAIN ? &w->node[n].drains
                                                : &w->node[n].failures;

        if (by < 0 && serial < cleared)
            continue;
        assert(by > 0 || *outages > 0); /* each outage ends once */
        *outages += (uint32_t)by;
        if (g)
            gpu_update(s, n, t->device);
        else
            sim_node_update(s, n, false);
    }
}

static void gpu_repair(struct sim *s, uint32_t node, uint32_t device)
{
    struct gpu_now *g = &s->nodes->gpu[s->first_device[node] + device];

    g->cleared = s->nodes->serial;
    g->failures = g->lasting = 0;
    gpu_update(s, node, device);
}

static void repair(struct sim *s, const struct sim_target *t)
{
    struct sim_nodes *w = s->nodes;

    assert(t->first + t->count <= s->topo->node_count);
    for (uint32_t n = t->first; n < t->first + t->count; n++) {
        const uint32_t gpus = s->topo->klass[s->topo->node_class[n]].gpus;

        if (t->device != SIM_WHOLE) {
            gpu_repair(s, n, t->device);
            continue;
        }
        for (uint32_t i = 0; i < gpus; i++)
            gpu_repair(s, n, i);
        w->node[n].cleared = w->serial;
        w->node[n].drains = w->node[n].failures = w->node[n].lasting = 0;
        sim_node_update(s, n, false);
    }
}

/* Nodes arrive; `serial` other than 0: only those removed by that event. */
static void come(struct sim *s, const struct sim_target *t, uint64_t serial)
{
    for (uint32_t n = t->first; n < t->first + t->count; n++) {
        struct node_now *node = &s->nodes->node[n];

        if (serial && node->left != serial)
            continue;
        node->is_absent = false;
        sim_node_update(s, n, false);
    }
}

static void go(struct sim *s, const struct sim_target *t, uint64_t serial)
{
    for (uint32_t n = t->first; n < t->first + t->count; n++) {
        s->nodes->node[n].left = serial;
        s->nodes->node[n].is_absent = true;
        sim_node_update(s, n, false);
    }
}

/* --- recorded ------------------------------------------------------------- */

/* The notice of a removal: running jobs checkpoint, and nothing new is placed
 * on the nodes.
 */
static void warn(struct sim *s, uint32_t index)
{
    const struct sim_scenario_event *e = &s->nodes->scenario->event[index];
    const struct sim_target t = { e->first_node, e->node_count, SIM_WHOLE };
    struct gsched_decision d;

    assert(index < s->nodes->scenario->event_count);
    for (uint32_t n = t.first; n < t.first + t.count; n++) {
        uint32_t scheduler = 0, at = GSCHED_FIRST;

        while (sim_next_on(s, n, &scheduler, &at, &d))
            sim_job_warned(s, d.job);
    }
    sim_nodes_out(s, &t, SIM_DRAIN, 0, 1);
    sim_node_event_push(s, e->at, NODE_SCENARIO, index, s->nodes->serial);
}

/* Process event `index`; `warned` is the serial number of its notice, or 0. */
static void happen(struct sim *s, uint32_t index, uint64_t warned)
{
    const struct sim_scenario_event *e = &s->nodes->scenario->event[index];
    const struct sim_target t = { e->first_node, e->node_count, e->device };
    const uint64_t serial = s->nodes->serial;

    assert(index < s->nodes->scenario->event_count);
    switch (e->what) {
    case SIM_DRAIN:
    case SIM_FAIL:
        sim_nodes_out(s, &t, e->what, serial, 1);
        break;
    case SIM_REPAIR:
        repair(s, &t);
        break;
    case SIM_ADD:
        come(s, &t, 0);
        break;
    case SIM_REMOVE:
        go(s, &t, serial);
        if (warned)
            sim_nodes_out(s, &t, SIM_DRAIN, warned, -1);
        break;
    case SIM_WHATS:
        break;
    }
    if (e->span != SIM_FOREVER)
        sim_node_event_push(s, sim_later(s->now, e->span), NODE_OVER, index,
                            serial);
    for (uint32_t n = t.first; n < t.first + t.count; n++) {
        struct node_now *node = &s->nodes->node[n];

        if (e->span == SIM_FOREVER && e->device != SIM_WHOLE)
            s->nodes->gpu[s->first_device[n] + e->device].lasting +=
                e->what == SIM_FAIL;
        else if (e->span == SIM_FOREVER)
            node->lasting += e->what == SIM_DRAIN || e->what == SIM_FAIL;
        if (e->what == SIM_REMOVE)
            node->is_gone = e->span == SIM_FOREVER;
        deadlock_node(s->deadlock, n);
    }
}

static void over(struct sim *s, uint32_t index, uint64_t serial)
{
    const struct sim_scenario_event *e = &s->nodes->scenario->event[index];
    const struct sim_target t = { e->first_node, e->node_count, e->device };

    assert(e->span != SIM_FOREVER); /* it has an end */
    if (e->what == SIM_DRAIN || e->what == SIM_FAIL)
        sim_nodes_out(s, &t, e->what, serial, -1);
    else
        come(s, &t, serial);
}

/* --- the run -------------------------------------------------------------- */

void sim_nodes_event(struct sim *s, uint32_t index)
{
    const struct node_event a = node_event_take(s->nodes, index);

    assert(s->nodes);
    s->nodes->serial++;
    sim_scale_stale(s);
    switch (a.kind) {
    case NODE_INSTANT:
        s->is_dirty = true;
        break;
    case NODE_NOTICE:
        warn(s, a.index);
        break;
    case NODE_SCENARIO:
        happen(s, a.index, a.serial);
        break;
    case NODE_OVER:
        over(s, a.index, a.serial);
        break;
    case NODE_FAILS:
        sim_stream_fails(s, a.index);
        break;
    case NODE_REPAIRED:
        sim_stream_repaired(s, a.index, a.serial);
        break;
    case NODE_ARRIVES:
        sim_scale_arrived(s, a.index);
        break;
    case NODE_IDLE:
        sim_scale_idle(s, a.index, a.serial);
        break;
    }
}

/* Mark nodes as absent whose first event is their arrival. */
static void absent_find(struct sim *s)
{
    const struct sim_scenario *scenario = s->nodes->scenario;
    int64_t *first = gs_array_new(s->topo->node_count, sizeof(*first));

    for (uint32_t n = 0; n < s->topo->node_count; n++)
        first[n] = SIM_FOREVER;
    for (uint32_t i = 0; i < scenario->event_count; i++) {
        const struct sim_scenario_event *e = &scenario->event[i];

        if (e->what != SIM_ADD && e->what != SIM_REMOVE)
            continue;
        for (uint32_t n = e->first_node; n < e->first_node + e->node_count;
             n++) {
            if (e->at >= first[n])
                continue;
            first[n] = e->at;
            s->nodes->node[n].is_absent = e->what == SIM_ADD;
        }
    }
    gs_array_free(first);
}

static void events_open(struct sim *s)
{
    const struct sim_scenario *scenario = s->nodes->scenario;

    for (uint32_t i = 0; i < scenario->event_count; i++) {
        const struct sim_scenario_event *e = &scenario->event[i];

        if (e->notice)
            sim_node_event_push(s, e->notice < e->at ? e->at - e->notice : 0,
                                NODE_NOTICE, i, 0);
        else
            sim_node_event_push(s, e->at, NODE_SCENARIO, i, 0);
    }
}

void sim_nodes_open(struct sim *s)
{
    const struct sim_scenario *scenario = s->options->scenario;
    const uint32_t nodes = s->topo->node_count;
    struct sim_nodes *w;
    bool is_less = false;

    assert(!s->nodes);
    if (!scenario
        || scenario->event_count + scenario->failures_count
                   + scenario->scale_count
               == 0)
        return;
    w = s->nodes = gs_array_new(1, sizeof(*w));
    w->scenario = scenario;
    w->free_event = NONE;
    w->node = gs_array_new(nodes, sizeof(*w->node));
    w->gpu = gs_array_new(s->topo->gpu_count + 1, sizeof(*w->gpu));
    sim_nodes_follow(s);
    absent_find(s);
    sim_scale_open(s);
    for (uint32_t n = 0; n < nodes; n++) {
        sim_node_update(s, n, false);
        is_less |= w->node[n].state != REPORT_NODE_OPEN;
    }
    if (is_less)
        sim_node_event_push(s, s->now, NODE_INSTANT, 0, 0);
    events_open(s);
    sim_streams_open(s);
    for (uint32_t i = 0; i < scenario->failures_count; i++) {
        const int64_t repairs = scenario->failures[i].repair < SIM_LAST / 64
                                    ? 64 * scenario->failures[i].repair
                                    : SIM_LAST;

        if (repairs > s->ending.chance_least)
            s->ending.chance_least = repairs;
    }
}

void sim_nodes_free(struct sim *s)
{
    struct sim_nodes *w = s->nodes;

    if (!w)
        return;
    gs_array_free(w->node);
    gs_array_free(w->gpu);
    gs_array_free(w->event);
    gs_array_free(w->stream);
    gs_array_free(w->scale);
    gs_array_free(w);
}

/* True when such an event of the node, or of this device, is still to come. */
static bool is_to_come(const struct sim *s, uint32_t node, uint32_t device,
                       enum sim_what what)
{
    const struct sim_scenario *scenario = s->nodes->scenario;

    for (uint32_t i = 0; i < scenario->event_count; i++) {
        const struct sim_scenario_event *e = &scenario->event[i];

        if (e->what == what && e->at > s->now
            && (e->device == SIM_WHOLE || e->device == device)
            && node >= e->first_node && node - e->first_node < e->node_count)
            return true;
    }
    return false;
}

bool sim_outages_end(const struct sim *s, uint32_t node)
{
    const struct node_now *n = &s->nodes->node[node];

    if (n->lasting && !is_to_come(s, node, SIM_WHOLE, SIM_REPAIR))
        return false;
    return !n->is_absent || !n->is_gone
           || is_to_come(s, node, SIM_WHOLE, SIM_ADD);
}

bool sim_node_returns(const void *ctx, uint32_t node, uint32_t device)
{
    const struct sim *s = ctx;
    const struct node_now *n = s->nodes ? &s->nodes->node[node] : NULL;

    if (!n) /* only a module keeps it closed */
        return true;
    if (device != SIM_WHOLE)
        return s->nodes->gpu[s->first_device[node] + device].lasting == 0
               || is_to_come(s, node, device, SIM_REPAIR);
    return (!n->is_parked || n->is_expected) && sim_outages_end(s, node);
}

bool sim_nodes_recorded(const struct sim *s)
{
    return s->nodes
           && s->nodes->pending[NODE_NOTICE] + s->nodes->pending[NODE_SCENARIO]
                  + s->nodes->pending[NODE_OVER]
                  + s->nodes->pending[NODE_INSTANT];
}

/* True when the autoscaler will examine an idle node that accepts no tasks, and
 * may then add another instead.
 */
static bool has_idle(const struct sim_nodes *w, uint32_t nodes)
{
    for (uint32_t n = 0; n < nodes && w->pending[NODE_IDLE]; n++) {
        const struct node_now *node = &w->node[n];

        if (node->scale != NONE && node->tasks == 0 && !node->is_parked
            && !node->is_kept && !node->is_spare)
            return true;
    }
    return false;
}

bool sim_nodes_scaling(const struct sim *s)
{
    const struct sim_nodes *w = s->nodes;

    return w && (w->pending[NODE_ARRIVES] || has_idle(w, s->topo->node_count));
}

bool sim_nodes_chance(const struct sim *s)
{
    const struct sim_nodes *w = s->nodes;

    return w
           && (w->pending[NODE_REPAIRED]
               || (w->pending[NODE_FAILS]
                   && s->instant.partly + s->instant.running));
}
