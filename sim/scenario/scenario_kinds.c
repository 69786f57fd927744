/* sim/scenario/scenario_kinds.c - random failures and autoscaling in scenario
 * files.
 */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/strtab.h"
#include "sim/scenario/scenario_private.h"
#include "topology/topology.h"

#define SHAPE_LEAST 0.1
#define SHAPE_MOST 10.0

/* --- failures ------------------------------------------------------------- */

/* Unexpected interruptions of the training of Llama 3 405B, 54 days on 16,384
 * H100 of 8 a node (Grattafiori et al., "The Llama 3 Herd of Models", 2024,
 * table 5): 419, of which 148 by faulty GPUs and 72 by their HBM3.  Other
 * causes count as failures of nodes.
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
/* Neither paper states repair times: this value is an assumption. */
#define REPAIR (4 * 3600 * GS_SECOND)

static const struct published {
    const char *name;
    int64_t node_mtbf, gpu_mtbf; /* gpu_mtbf 0: nodes only */
} published[] = {
    { "published", DAY *LLAMA_DAYS *(LLAMA_GPUS / 8) / LLAMA_OTHERS,
      DAY *LLAMA_DAYS / LLAMA_GPU_FAULTS *LLAMA_GPUS },
    { "rsc-1", DAY * 1000 * 100 / 650, 0 },
    { "rsc-2", DAY * 1000 * 100 / 234, 0 },
};

static int read_failing(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    const struct sim_reading *r = c->user;
    struct sim_failures *f = dest;
    const uint32_t name = v->kind == GS_YSCALAR ? sim_name_find(r, v->text)
                                                : GS_STRTAB_NONE;
    int level = name == GS_STRTAB_NONE ? -1 : topo_level_find(r->topo, name);

    if (!r->topo && v->kind == GS_YSCALAR)
        level = 1; /* name of a tier */
    f->is_gpu = v->kind == GS_YSCALAR && strcmp(v->text, "gpu") == 0;
    if (f->is_gpu || (v->kind == GS_YSCALAR && strcmp(v->text, "node") == 0)) {
        f->level = r->node_level;
        return 0;
    }
    if (level > 0) {
        f->level = (uint32_t)level;
        return 0;
    }
    return gs_yread_refuse(c, v, "node, gpu or a tier of the topology", err);
}

int sim_read_type(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    const struct sim_reading *r = c->user;
    const char *text = NULL;
    uint32_t name;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    if (!r->topo)
        return 0;
    name = sim_name_find(r, text);
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
        return gs_yread_refuse(c, v, "a number from 0.1 to 10", err);
    *(double *)dest = shape;
    return 0;
}

/* Read a mean of at least a second: draws are in whole seconds. */
static int read_mean(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    if (gs_yread_duration(c, v, dest, err) < 0)
        return -1;
    if (*(int64_t *)dest >= GS_SECOND)
        return 0;
    return gs_yread_refuse(c, v, "a time of 1s or more", err);
}

#define FAILS(member) offsetof(struct sim_failures, member)

static const struct gs_yfield failure_fields[] = {
    { "what", read_failing, 0, true },
    { "of", sim_read_type, FAILS(type), false },
    { "mtbf", read_mean, FAILS(mtbf), true },
    { "shape", read_shape, FAILS(shape), false },
    { "repair", read_mean, FAILS(repair), false },
    { "repair_shape", read_shape, FAILS(repair_shape), false },
};

static struct sim_failures *failures_new(struct sim_reading *r)
{
    struct sim_failures *f =
        &r->scenario->failures[r->scenario->failures_count++];

    *f = (struct sim_failures){
        .repair = REPAIR, .shape = 1, .repair_shape = 1, .level = r->node_level
    };
    return f;
}

static int failures_named(struct sim_reading *r, const struct gs_ynode *v,
                          struct gs_err *err)
{
    const struct published *p = NULL;

    for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
        if (strcmp(published[i].name, v->text) == 0)
            p = &published[i];
    }
    if (!p)
        return gs_yread_refuse(
            &r->ctx, v, "a list, or one of: published, rsc-1, rsc-2", err);
    r->scenario->failures = gs_arena_alloc(r->arena, 2,
                                           sizeof(*r->scenario->failures));
    failures_new(r)->mtbf = p->node_mtbf;
    if (p->gpu_mtbf) {
        struct sim_failures *f = failures_new(r);

        f->mtbf = p->gpu_mtbf;
        f->is_gpu = true;
    }
    return 0;
}

static int failure_read(struct sim_reading *r, const struct gs_ynode *n,
                        struct gs_err *err)
{
    struct sim_failures *f = failures_new(r);

    if (gs_ynode_fields(&r->ctx, n, "failures entry", failure_fields,
                        sizeof(failure_fields) / sizeof(failure_fields[0]), f,
                        err)
        < 0)
        return -1;
    if (!gs_ynode_find(n, "of") || f->level == r->node_level)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(&r->ctx, n),
                   "'of' is for 'what: node' and 'what: gpu'");
}

/* --- lists ---------------------------------------------------------------- */

#define SCALE(member) offsetof(struct sim_scale, member)

static const struct gs_yfield scale_fields[] = {
    { "type", sim_read_type, SCALE(type), true },
    { "min", gs_yread_u32, SCALE(min), false },
    { "max", gs_yread_count, SCALE(max), false },
    { "delay", gs_yread_duration, SCALE(delay), false },
    { "idle", sim_read_span, SCALE(idle), false },
};

static int scale_read(struct sim_reading *r, const struct gs_ynode *n,
                      struct gs_err *err)
{
    struct sim_scenario *w = r->scenario;
    struct sim_scale *k = &w->scale[w->scale_count];

    *k = (struct sim_scale){ .max = UINT32_MAX,
                             .delay = 300 * GS_SECOND,
                             .idle = 600 * GS_SECOND };
    if (gs_ynode_fields(&r->ctx, n, "autoscale", scale_fields,
                        sizeof(scale_fields) / sizeof(scale_fields[0]), k, err)
        < 0)
        return -1;
    for (uint32_t i = 0; i < w->scale_count; i++) {
        if (r->topo && w->scale[i].type == k->type)
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

/* Allocate the items; NULL: too many. */
static void *items_room(struct sim_reading *r, const struct gs_ynode *v,
                        size_t size, struct gs_err *err)
{
    const uint32_t count = v->kind == GS_YSEQ ? v->len : 1;

    if (count <= SIM_SCENARIO_LISTED_MAX)
        return gs_arena_alloc(r->arena, count + 1, size);
    gs_fail(err, GS_LIMIT, gs_ynode_mark(&r->ctx, v), "'%s' lists more than %u",
            v->key->text, SIM_SCENARIO_LISTED_MAX);
    return NULL;
}

/* Read the items of a list, or a single mapping. */
static int items_read(struct sim_reading *r, const struct gs_ynode *v,
                      int (*item)(struct sim_reading *, const struct gs_ynode *,
                                  struct gs_err *),
                      struct gs_err *err)
{
    int rc = 0;

    if (v->kind != GS_YSEQ)
        return item(r, v, err);
    for (v = v->child; v; v = v->next) {
        if (item(r, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

int sim_read_failures(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct sim_reading *r = c->user;

    (void)dest;
    if (v->kind == GS_YSCALAR)
        return failures_named(r, v, err);
    r->scenario->failures = items_room(r, v, sizeof(*r->scenario->failures),
                                       err);
    return r->scenario->failures ? items_read(r, v, failure_read, err) : -1;
}

int sim_read_scale(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    struct sim_reading *r = c->user;

    (void)dest;
    r->scenario->scale = items_room(r, v, sizeof(*r->scenario->scale), err);
    return r->scenario->scale ? items_read(r, v, scale_read, err) : -1;
}
