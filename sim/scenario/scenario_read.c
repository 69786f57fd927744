/* sim/scenario/scenario_read.c - scenario files, see scenario.h. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "sim/scenario/scenario_private.h"
#include "topology/pattern.h"
#include "topology/topology.h"

#define NONE UINT32_MAX
#define EVENTS_MAX (1u << 22)

uint32_t sim_name_find(const struct sim_reading *r, const char *text)
{
    assert(r && text);
    return r->topo ? gs_strtab_find(r->topo->names, text, strlen(text))
                   : GS_STRTAB_NONE;
}

/* --- events --------------------------------------------------------------- */

/* An event as the file states it. */
struct entry {
    const struct gs_ynode *node, *domain;
    uint32_t device;
    enum sim_what what;
    int64_t at, span, notice;
};

static const char *const whats[SIM_WHATS] = {
    [SIM_DRAIN] = "drain", [SIM_FAIL] = "fail",     [SIM_REPAIR] = "repair",
    [SIM_ADD] = "add",     [SIM_REMOVE] = "remove",
};

static int read_what(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const int i = gs_yread_word(c, v, whats, SIM_WHATS, err);

    *(enum sim_what *)dest = i < 0 ? SIM_DRAIN : (enum sim_what)i;
    return i < 0 ? -1 : 0;
}

int sim_read_span(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest > 0)
        return 0;
    return gs_yread_refuse(c, v, "a time above 0", err);
}

static int event_add(struct sim_reading *r, const struct gs_ynode *n,
                     const struct entry *e, uint32_t first, uint32_t count,
                     struct gs_err *err)
{
    struct sim_scenario *w = r->scenario;

    if (w->event_count == EVENTS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&r->ctx, n),
                       "more than %u events", EVENTS_MAX);
    w->event = gs_array_grow(w->event, &w->event_cap, w->event_count + 1,
                             sizeof(*w->event));
    w->event[w->event_count++] = (struct sim_scenario_event){
        .at = e->at,
        .span = e->span,
        .notice = e->notice,
        .first_node = first,
        .node_count = count,
        .device = e->device,
        .what = e->what,
    };
    return 0;
}

/* The node of this name; NONE. */
static uint32_t node_find(const struct sim_reading *r, const char *name)
{
    const uint32_t id = sim_name_find(r, name);

    return id < r->names ? r->node[id] : NONE;
}

static int nodes_add(struct sim_reading *r, const struct entry *e,
                     struct gs_err *err)
{
    const struct gs_mark at = gs_ynode_mark(&r->ctx, e->node);
    const char *pattern = NULL;
    char name[TOPO_NAME_MAX];
    int64_t count;

    if (gs_yread_text(&r->ctx, e->node, &pattern, err) < 0)
        return -1;
    count = topo_pattern_count(pattern, at, err);
    if (!r->topo)
        return count < 0 ? -1 : 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t node, gpus;

        topo_pattern_name(pattern, (uint32_t)i, name);
        node = node_find(r, name);
        if (node == NONE)
            return gs_fail(err, GS_INPUT, at,
                           "the topology has no node '%.100s'", name);
        gpus = r->topo->klass[r->topo->node_class[node]].gpus;
        if (e->device != SIM_WHOLE && e->device >= gpus)
            return gs_fail(err, GS_INPUT, at,
                           "node '%.100s' has %u GPUs, numbered from 0 (got "
                           "%u)",
                           name, gpus, e->device);
        if (event_add(r, e->node, e, node, 1, err) < 0)
            return -1;
    }
    return count < 0 ? -1 : 0;
}

static int domains_add(struct sim_reading *r, const struct entry *e,
                       struct gs_err *err)
{
    const struct topo *t = r->topo;
    const char *text = NULL;
    uint32_t name, found = 0;
    int level;

    if (gs_yread_text(&r->ctx, e->domain, &text, err) < 0)
        return -1;
    if (!t)
        return 0;
    level = topo_level_find(t, sim_name_find(r, e->domain->key->text));
    name = sim_name_find(r, text);
    for (uint32_t d = 0; name != GS_STRTAB_NONE && d < t->domain_count; d++) {
        if ((int)t->domain[d].level != level || t->domain[d].name != name)
            continue;
        found++;
        if (event_add(r, e->domain, e, t->domain[d].first_node,
                      t->domain[d].node_count, err)
            < 0)
            return -1;
    }
    if (found)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, e->domain),
                   "the topology has no %s '%.100s'", e->domain->key->text,
                   text);
}

static int entry_check(const struct sim_reading *r, const struct gs_ynode *n,
                       const struct entry *e, struct gs_err *err)
{
    const struct gs_mark at = gs_ynode_mark(&r->ctx, n);
    const bool is_gpu = e->device != SIM_WHOLE;

    if (!e->node == !e->domain)
        return gs_fail(err, GS_INPUT, at,
                       "an event must name one of: a node, a domain of a tier "
                       "(such as 'rack: r1')");
    if (is_gpu && (e->domain || (e->what != SIM_FAIL && e->what != SIM_REPAIR)))
        return gs_fail(err, GS_INPUT, at,
                       "'gpu' is for 'what: fail' and 'what: repair' of a "
                       "node");
    if (e->notice && e->what != SIM_REMOVE)
        return gs_fail(err, GS_INPUT, at, "'notice' is for 'what: remove'");
    if (e->span != SIM_FOREVER && (e->what == SIM_REPAIR || e->what == SIM_ADD))
        return gs_fail(err, GS_INPUT, at,
                       "'for' is for 'what: drain', 'fail' and 'remove'");
    return 0;
}

/* The first key of the event that is unknown and not close to a known one;
 * NULL. Without a topology it is treated as a tier.
 */
static const char *tier_guess(const struct gs_ynode *n,
                              const struct gs_yfield *f, size_t count)
{
    const char *known[6];

    for (size_t i = 0; i < count; i++)
        known[i] = f[i].name;
    if (n->kind != GS_YMAP || gs_ynode_find(n, "node"))
        return NULL;
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        size_t i = 0;

        while (i < count && strcmp(known[i], v->key->text) != 0)
            i++;
        if (i == count && !gs_nearest(v->key->text, known, count))
            return v->key->text;
    }
    return NULL;
}

static int event_read(struct sim_reading *r, const struct gs_ynode *n,
                      struct gs_err *err)
{
    const struct topo *t = r->topo;
    struct gs_yfield f[6 + TOPO_TIERS_MAX] = {
        { "at", gs_yread_duration, offsetof(struct entry, at), true },
        { "node", gs_yread_node, offsetof(struct entry, node), false },
        { "gpu", gs_yread_u32, offsetof(struct entry, device), false },
        { "what", read_what, offsetof(struct entry, what), true },
        { "for", sim_read_span, offsetof(struct entry, span), false },
        { "notice", sim_read_span, offsetof(struct entry, notice), false },
    };
    struct entry e = { .device = SIM_WHOLE, .span = SIM_FOREVER };
    const char *tier;
    size_t count = 6;
    int rc;

    for (uint32_t i = 0; t && i < t->tier_count; i++)
        f[count++] = (struct gs_yfield){
            gs_strtab_str(t->names, t->tier[i].name), gs_yread_node,
            offsetof(struct entry, domain), false
        };
    if (!t && (tier = tier_guess(n, f, count)))
        f[count++] = (struct gs_yfield){ tier, gs_yread_node,
                                         offsetof(struct entry, domain),
                                         false };
    rc = gs_ynode_fields(&r->ctx, n, "event", f, count, &e, err);
    if (rc == 0)
        rc = entry_check(r, n, &e, err);
    if (e.node && nodes_add(r, &e, err) < 0)
        rc = -1;
    if (e.domain && domains_add(r, &e, err) < 0)
        rc = -1;
    return rc;
}

static int take_event(void *ctx, const struct gs_ynode *n, struct gs_err *err)
{
    struct sim_reading *r = ctx;

    if (event_read(r, n, &r->problems) == 0 || gs_err_wants_more(&r->problems))
        return 0;
    gs_err_append(err, &r->problems);
    r->problems.count = 0;
    return -1;
}

/* --- the file ------------------------------------------------------------- */

/* The items were streamed to take_event before. */
static int read_events(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    (void)dest;
    if (v->kind == GS_YSEQ)
        return 0;
    return gs_yread_refuse(c, v, "a list", err);
}

static int read_checkpoint(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err)
{
    const struct sim_reading *r = c->user;

    (void)dest;
    return sim_read_span(c, v, &r->scenario->checkpoint, err);
}

static const struct gs_yfield scenario_fields[] = {
    { "events", read_events, 0, false },
    { "failures", sim_read_failures, 0, false },
    { "autoscale", sim_read_scale, 0, false },
    { "start", sim_read_start, 0, false },
    { "checkpoint", read_checkpoint, 0, false },
};

static void names_know(struct sim_reading *r)
{
    const struct topo *t = r->topo;

    if (!t)
        return;
    r->names = gs_strtab_count(t->names);
    r->node = gs_array_new(r->names + 1, sizeof(*r->node));
    for (uint32_t i = 0; i < r->names; i++)
        r->node[i] = NONE;
    for (uint32_t n = 0; n < t->node_count; n++)
        r->node[t->node_name[n]] = n;
}

struct sim_scenario *sim_scenario_read(struct gs_input *in,
                                       struct gs_arena *arena,
                                       const struct topo *t, struct gs_err *err)
{
    struct sim_reading r = { .arena = arena,
                             .topo = t,
                             .node_level = t ? t->tier_count + 1
                                             : TOPO_TIERS_MAX + 1 };
    const struct gs_ystream stream = { "events", take_event, &r };
    const struct gs_ynode *root;
    int rc = -1;

    assert(in && arena);
    r.ctx = (struct gs_yctx){ gs_input_name(in), &r };
    r.scenario = gs_arena_alloc(arena, 1, sizeof(*r.scenario));
    r.scenario->topo = t;
    names_know(&r);
    if (gs_err_wants_more(err))
        r.problems.limit = err->limit - err->count;
    root = gs_yaml_read(in, arena, &stream, err);
    gs_err_append(err, &r.problems);
    if (root && (!r.problems.count || gs_err_wants_more(err)))
        rc = gs_ynode_fields(
            &r.ctx, root, "scenario file", scenario_fields,
            sizeof(scenario_fields) / sizeof(scenario_fields[0]), &r, err);
    gs_array_free(r.node);
    if (rc == 0 && !r.problems.count)
        return r.scenario;
    sim_scenario_destroy(r.scenario);
    return NULL;
}

void sim_scenario_destroy(struct sim_scenario *w)
{
    if (w)
        gs_array_free(w->event);
}
