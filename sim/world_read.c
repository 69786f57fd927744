/* sim/world_read.c - world files, see world.h. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "sim/replay.h"
#include "sim/world.h"
#include "topology/pattern.h"
#include "topology/topology.h"

#define NONE UINT32_MAX
#define EVENTS_MAX (1u << 22)
#define SHAPE_LEAST 0.1
#define SHAPE_MOST 10.0

struct reading {
    struct sim_world *world;
    struct gs_arena *arena;
    const struct topo *topo;
    uint32_t *node; /* [string id] a node's number; NONE */
    uint32_t names; /* string ids known then */
    struct gs_yctx ctx;
};

static uint32_t name_find(const struct reading *r, const char *text)
{
    return gs_strtab_find(r->topo->names, text, strlen(text));
}

/* --- events ------------------------------------------------------------------ */

/* As it is written. */
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
    for (int i = 0; v->kind == GS_YSCALAR && i < SIM_WHATS; i++) {
        if (strcmp(whats[i], v->text) == 0) {
            *(enum sim_what *)dest = (enum sim_what)i;
            return 0;
        }
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'what' must be one of: drain, fail, repair, add, remove "
                   "(got '%.40s')",
                   v->kind == GS_YSCALAR ? v->text : "a list or mapping");
}

static int read_span(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest > 0)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%s' must be a time above 0 (got '%.40s')", v->key->text,
                   v->text);
}

static int event_add(struct reading *r, const struct gs_ynode *n,
                     const struct entry *e, uint32_t first, uint32_t count,
                     struct gs_err *err)
{
    struct sim_world *w = r->world;

    if (w->event_count == EVENTS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&r->ctx, n),
                       "more than %u events", EVENTS_MAX);
    w->event = gs_array_grow(w->event, &w->event_cap, w->event_count + 1,
                             sizeof(*w->event));
    w->event[w->event_count++] = (struct sim_world_event){
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

/* The node called so; NONE. */
static uint32_t node_find(const struct reading *r, const char *name)
{
    const uint32_t id = name_find(r, name);

    return id < r->names ? r->node[id] : NONE;
}

static int nodes_add(struct reading *r, const struct entry *e,
                     struct gs_err *err)
{
    const struct gs_mark at = gs_ynode_mark(&r->ctx, e->node);
    const char *pattern = NULL;
    char name[TOPO_NAME_MAX];
    int64_t count;

    if (gs_yread_text(&r->ctx, e->node, &pattern, err) < 0)
        return -1;
    count = topo_pattern_count(pattern, at, err);
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

static int domains_add(struct reading *r, const struct entry *e,
                       struct gs_err *err)
{
    const struct topo *t = r->topo;
    const uint32_t tier = name_find(r, e->domain->key->text);
    const int level = topo_level_find(t, tier);
    const char *text = NULL;
    uint32_t name, found = 0;

    if (gs_yread_text(&r->ctx, e->domain, &text, err) < 0)
        return -1;
    name = name_find(r, text);
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

static int entry_check(const struct reading *r, const struct gs_ynode *n,
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

static int read_event(void *ctx, const struct gs_ynode *n, struct gs_err *err)
{
    struct reading *r = ctx;
    const struct topo *t = r->topo;
    struct gs_yfield f[6 + TOPO_TIERS_MAX] = {
        { "at", gs_yread_duration, offsetof(struct entry, at), true },
        { "node", gs_yread_node, offsetof(struct entry, node), false },
        { "gpu", gs_yread_u32, offsetof(struct entry, device), false },
        { "what", read_what, offsetof(struct entry, what), true },
        { "for", read_span, offsetof(struct entry, span), false },
        { "notice", read_span, offsetof(struct entry, notice), false },
    };
    struct entry e = { .device = SIM_WHOLE, .span = SIM_FOREVER };
    size_t count = 6;

    for (uint32_t i = 0; i < t->tier_count; i++)
        f[count++] = (struct gs_yfield){
            gs_strtab_str(t->names, t->tier[i].name), gs_yread_node,
            offsetof(struct entry, domain), false
        };
    if (gs_ynode_fields(&r->ctx, n, "event", f, count, &e, err) < 0
        || entry_check(r, n, &e, err) < 0)
        return -1;
    return e.node ? nodes_add(r, &e, err) : domains_add(r, &e, err);
}

/* --- failures ---------------------------------------------------------------- */

/* Unexpected interruptions of the training of Llama 3 405B, 54 days on 16,384
 * H100 of 8 a node (Grattafiori et al., "The Llama 3 Herd of Models", 2024,
 * table 5): 419, of which 148 by faulty GPUs and 72 by their HBM3.  Other
 * causes are counted for nodes here.
 */
#define LLAMA_DAYS 54
#define LLAMA_GPUS 16384
#define LLAMA_GPU_FAULTS (148 + 72)
#define LLAMA_OTHERS (419 - LLAMA_GPU_FAULTS)
/* Node failures in 1,000 node days on RSC-1 and RSC-2 (Kokolis et al.,
 * "Revisiting Reliability in Large-Scale Machine Learning Research Clusters",
 * 2024): 6.50 and 2.34.
 */
#define DAY (86400 * GS_SECOND)
/* Neither says how long repairs take: this is ours. */
#define REPAIR (4 * 3600 * GS_SECOND)

static const struct published {
    const char *name;
    int64_t node_mtbf, gpu_mtbf; /* gpu: 0, nodes alone */
} published[] = {
    { "published", DAY *LLAMA_DAYS *(LLAMA_GPUS / 8) / LLAMA_OTHERS,
      DAY *LLAMA_DAYS / LLAMA_GPU_FAULTS *LLAMA_GPUS },
    { "rsc-1", DAY * 1000 * 100 / 650, 0 },
    { "rsc-2", DAY * 1000 * 100 / 234, 0 },
};

static int read_failing(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    const struct reading *r = c->user;
    struct sim_failures *f = dest;
    const uint32_t name = v->kind == GS_YSCALAR ? name_find(r, v->text)
                                                : GS_STRTAB_NONE;
    const int level = name == GS_STRTAB_NONE ? -1
                                             : topo_level_find(r->topo, name);

    f->is_gpu = v->kind == GS_YSCALAR && strcmp(v->text, "gpu") == 0;
    if (f->is_gpu || (v->kind == GS_YSCALAR && strcmp(v->text, "node") == 0)) {
        f->level = r->topo->tier_count + 1;
        return 0;
    }
    if (level > 0) {
        f->level = (uint32_t)level;
        return 0;
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'what' must be node, gpu or a tier of the topology (got "
                   "'%.40s')",
                   v->kind == GS_YSCALAR ? v->text : "a list or mapping");
}

static int read_type(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const struct reading *r = c->user;
    const char *text = NULL;
    uint32_t name;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    name = name_find(r, text);
    for (uint32_t k = 0; k < r->topo->class_count; k++) {
        if (r->topo->klass[k].type == name) {
            *(uint32_t *)dest = name;
            return 0;
        }
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "the topology has no node type '%.100s'", text);
}

static int read_shape(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    double shape;

    if (gs_yread_double(c, v, &shape, err) < 0)
        return -1;
    if (!(shape >= SHAPE_LEAST && shape <= SHAPE_MOST))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a number from %.1f to %.0f (got '%.40s')",
                       v->key->text, SHAPE_LEAST, SHAPE_MOST, v->text);
    *(double *)dest = shape;
    return 0;
}

/* A mean of at least a second: draws are whole seconds. */
static int read_mean(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest >= GS_SECOND)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%s' must be a time of 1s or more (got '%.40s')",
                   v->key->text, v->text);
}

#define FAILS(member) offsetof(struct sim_failures, member)

static const struct gs_yfield failure_fields[] = {
    { "what", read_failing, 0, true },
    { "of", read_type, FAILS(type), false },
    { "mtbf", read_mean, FAILS(mtbf), true },
    { "shape", read_shape, FAILS(shape), false },
    { "repair", read_mean, FAILS(repair), false },
    { "repair_shape", read_shape, FAILS(repair_shape), false },
};

static struct sim_failures *failures_new(struct reading *r)
{
    struct sim_failures *f = &r->world->failures[r->world->failures_count++];

    *f = (struct sim_failures){ .repair = REPAIR,
                                .shape = 1,
                                .repair_shape = 1,
                                .level = r->topo->tier_count + 1 };
    return f;
}

static int failures_named(struct reading *r, const struct gs_ynode *v,
                          struct gs_err *err)
{
    const struct published *p = NULL;

    for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
        if (strcmp(published[i].name, v->text) == 0)
            p = &published[i];
    }
    if (!p)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, v),
                       "'failures' must be a list, or one of: published, "
                       "rsc-1, rsc-2 (got '%.40s')",
                       v->text);
    r->world->failures = gs_arena_alloc(r->arena, 2,
                                        sizeof(*r->world->failures));
    failures_new(r)->mtbf = p->node_mtbf;
    if (p->gpu_mtbf) {
        struct sim_failures *f = failures_new(r);

        f->mtbf = p->gpu_mtbf;
        f->is_gpu = true;
    }
    return 0;
}

static int failure_read(struct reading *r, const struct gs_ynode *n,
                        struct gs_err *err)
{
    struct sim_failures *f = failures_new(r);

    if (gs_ynode_fields(&r->ctx, n, "failures entry", failure_fields,
                        sizeof(failure_fields) / sizeof(failure_fields[0]), f,
                        err)
        < 0)
        return -1;
    if (f->type == 0 || f->level > r->topo->tier_count)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, n),
                   "'of' is for 'what: node' and 'what: gpu'");
}

/* --- lists ------------------------------------------------------------------- */

#define SCALE(member) offsetof(struct sim_scale, member)

static const struct gs_yfield scale_fields[] = {
    { "type", read_type, SCALE(type), true },
    { "min", gs_yread_u32, SCALE(min), false },
    { "max", gs_yread_count, SCALE(max), false },
    { "delay", gs_yread_duration, SCALE(delay), false },
    { "idle", read_span, SCALE(idle), false },
};

static int scale_read(struct reading *r, const struct gs_ynode *n,
                      struct gs_err *err)
{
    struct sim_world *w = r->world;
    struct sim_scale *k = &w->scale[w->scale_count];

    *k = (struct sim_scale){ .max = NONE,
                             .delay = 300 * GS_SECOND,
                             .idle = 600 * GS_SECOND };
    if (gs_ynode_fields(&r->ctx, n, "autoscale", scale_fields,
                        sizeof(scale_fields) / sizeof(scale_fields[0]), k, err)
        < 0)
        return -1;
    for (uint32_t i = 0; i < w->scale_count; i++) {
        if (w->scale[i].type == k->type)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, n),
                           "two autoscale entries for one node type");
    }
    if (k->min > k->max)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, n),
                       "'min' must not be above 'max' (got %u, %u)", k->min,
                       k->max);
    w->scale_count++;
    return 0;
}

/* Room for the items of a list, or a mapping by itself; NULL: too many. */
static void *items_room(struct reading *r, const struct gs_ynode *v,
                        size_t size, struct gs_err *err)
{
    const uint32_t count = v->kind == GS_YSEQ ? v->len : 1;

    if (count <= SIM_WORLD_LISTED_MAX)
        return gs_arena_alloc(r->arena, count + 1, size);
    gs_fail(err, GS_LIMIT, gs_ynode_mark(&r->ctx, v), "'%s' lists more than %u",
            v->key->text, SIM_WORLD_LISTED_MAX);
    return NULL;
}

static int items_read(struct reading *r, const struct gs_ynode *v,
                      int (*item)(struct reading *, const struct gs_ynode *,
                                  struct gs_err *),
                      struct gs_err *err)
{
    if (v->kind != GS_YSEQ)
        return item(r, v, err);
    for (v = v->child; v; v = v->next) {
        if (item(r, v, err) < 0)
            return -1;
    }
    return 0;
}

static int read_failures(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
    struct reading *r = c->user;

    (void)dest;
    if (v->kind == GS_YSCALAR)
        return failures_named(r, v, err);
    r->world->failures = items_room(r, v, sizeof(*r->world->failures), err);
    return r->world->failures ? items_read(r, v, failure_read, err) : -1;
}

static int read_scale(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct reading *r = c->user;

    (void)dest;
    r->world->scale = items_room(r, v, sizeof(*r->world->scale), err);
    return r->world->scale ? items_read(r, v, scale_read, err) : -1;
}

/* Streamed: looked at already. */
static int read_events(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    (void)dest;
    if (v->kind == GS_YSEQ)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'events' must be a list");
}

static const struct gs_yfield world_fields[] = {
    { "events", read_events, 0, false },
    { "failures", read_failures, 0, false },
    { "autoscale", read_scale, 0, false },
};

static void names_know(struct reading *r)
{
    const struct topo *t = r->topo;

    r->names = gs_strtab_count(t->names);
    r->node = gs_array_new(r->names + 1, sizeof(*r->node));
    for (uint32_t i = 0; i < r->names; i++)
        r->node[i] = NONE;
    for (uint32_t n = 0; n < t->node_count; n++)
        r->node[t->node_name[n]] = n;
}

struct sim_world *sim_world_read(struct gs_input *in, struct gs_arena *arena,
                                 const struct topo *t, struct gs_err *err)
{
    struct reading r = { .arena = arena, .topo = t };
    const struct gs_ystream stream = { "events", read_event, &r };
    const struct gs_ynode *root;
    int rc = -1;

    r.ctx = (struct gs_yctx){ gs_input_name(in), &r };
    r.world = gs_arena_alloc(arena, 1, sizeof(*r.world));
    r.world->topo = t;
    names_know(&r);
    root = gs_yaml_read(in, arena, &stream, err);
    if (root)
        rc = gs_ynode_fields(&r.ctx, root, "world file", world_fields,
                             sizeof(world_fields) / sizeof(world_fields[0]), &r,
                             err);
    gs_array_free(r.node);
    if (rc == 0)
        return r.world;
    sim_world_destroy(r.world);
    return NULL;
}

void sim_world_destroy(struct sim_world *w)
{
    if (w)
        gs_array_free(w->event);
}
