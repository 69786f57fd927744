/* policies/profile/params.c - parses parameters of modules. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "base/yamlplain.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "topology/resources.h"

#define WEIGHT_MOST INT64_C(1000000000) /* where a parameter states none */

/* Context of the readers below. */
struct param_reading {
    const struct gsp_param *param;
    const struct topo_dims *dims;
    const struct gs_strtab *names;
    struct gs_arena *arena;
    bool may_lack;
};

static int read_whole(const struct gs_yctx *c, const struct gs_ynode *v,
                      union gsp_value *out, struct gs_err *err)
{
    const struct param_reading *r = c->user;
    int32_t n = 0;

    if (gs_yread_i32(c, v, &n, err) < 0)
        return -1;
    if (n < r->param->min || n > r->param->max)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a whole number from %lld to %lld "
                       "(got '%s')",
                       r->param->name, (long long)r->param->min,
                       (long long)r->param->max, v->text);
    out->whole = n;
    return 0;
}

static int read_time(const struct gs_yctx *c, const struct gs_ynode *v,
                     union gsp_value *out, struct gs_err *err)
{
    return gs_yread_duration(c, v, &out->whole, err);
}

static int read_yesno(const struct gs_yctx *c, const struct gs_ynode *v,
                      union gsp_value *out, struct gs_err *err)
{
    bool yes = false;

    if (gs_yread_bool(c, v, &yes, err) < 0)
        return -1;
    out->whole = yes;
    return 0;
}

static int read_text(const struct gs_yctx *c, const struct gs_ynode *v,
                     union gsp_value *out, struct gs_err *err)
{
    return gs_yread_text(c, v, &out->text, err);
}

static int unknown_choice(const struct gs_yctx *c, const struct gs_ynode *v,
                          size_t count, struct gs_err *err)
{
    const struct param_reading *r = c->user;
    const bool scalar = v->kind == GS_YSCALAR;
    const char *near = scalar ? gs_nearest(v->text, r->param->choices, count)
                              : NULL;
    char known[160];

    gs_names_join(known, sizeof(known), r->param->choices, count);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%s' must be one of: %s (got %s%s%s%s%s%s)", r->param->name,
                   known, scalar ? "'" : "a list or mapping",
                   scalar ? v->text : "", scalar ? "'" : "",
                   near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
}

static int read_choice(const struct gs_yctx *c, const struct gs_ynode *v,
                       union gsp_value *out, struct gs_err *err)
{
    const struct param_reading *r = c->user;
    size_t i = 0;

    for (; r->param->choices[i]; i++) {
        if (v->kind == GS_YSCALAR
            && strcmp(v->text, r->param->choices[i]) == 0) {
            out->whole = (int64_t)i;
            return 0;
        }
    }
    return unknown_choice(c, v, i, err);
}

static int unknown_dim(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct gs_err *err)
{
    const struct param_reading *r = c->user;
    const char *name[TOPO_DIMS_MAX];
    char known[160];

    for (uint32_t d = 0; d < r->dims->count; d++)
        name[d] = gs_strtab_str(r->names, r->dims->name[d]);
    gs_names_join(known, sizeof(known), name, r->dims->count);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                   "no resource is called '%s' (known: %s)", v->key->text,
                   known);
}

static int dim_find(const struct param_reading *r, const struct gs_ynode *key)
{
    const uint32_t name = gs_strtab_find(r->names, key->text, key->len);

    return name == GS_STRTAB_NONE ? -1 : topo_dims_find(r->dims, name);
}

static int read_weights(const struct gs_yctx *c, const struct gs_ynode *v,
                        union gsp_value *out, struct gs_err *err)
{
    const struct param_reading *r = c->user;
    const int64_t most = r->param->max ? r->param->max : WEIGHT_MOST;
    double *weight = gs_arena_alloc(r->arena, TOPO_DIMS_MAX, sizeof(*weight));
    int rc = 0;

    if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a mapping from resources to weights, "
                       "such as {gpu: 5, cpu: 1}",
                       r->param->name);
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        weight[d] = -1;
    for (const struct gs_ynode *n = v->child; n; n = n->next) {
        /* without resources only the weight is checked */
        const int d = r->dims ? dim_find(r, n->key) : 0;

        if (d < 0 && r->may_lack)
            continue;
        if (d < 0)
            rc = unknown_dim(c, n, err);
        else if (gs_yread_double(c, n, &weight[d], err) < 0)
            rc = -1;
        else if (weight[d] < 0 || weight[d] > (double)most)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                         "'%s' must be a weight from 0 to %lld (got '%s')",
                         n->key->text, (long long)most, n->text);
    }
    out->weights = weight;
    return rc;
}

static int read_real(const struct gs_yctx *c, const struct gs_ynode *v,
                     union gsp_value *out, struct gs_err *err)
{
    const struct gsp_param *p = ((const struct param_reading *)c->user)->param;

    if (gs_yread_double(c, v, &out->real, err) < 0)
        return -1;
    if (out->real < (double)p->min || out->real > (double)p->max)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a number from %" PRId64 " to %" PRId64
                       " (got '%s')",
                       p->name, p->min, p->max, v->text);
    return 0;
}

typedef int (*value_fn)(const struct gs_yctx *c, const struct gs_ynode *v,
                        union gsp_value *out, struct gs_err *err);

static const value_fn readers[] = {
    [GSP_WHOLE] = read_whole,     [GSP_TIME] = read_time,
    [GSP_YESNO] = read_yesno,     [GSP_TEXT] = read_text,
    [GSP_WEIGHTS] = read_weights, [GSP_REAL] = read_real,
    [GSP_CHOICE] = read_choice,
};

/* The default as a node with a key, so that messages can name it. */
static const struct gs_ynode *fallback(const struct gsp_param *p,
                                       struct gs_arena *arena,
                                       struct gs_err *err)
{
    const struct gs_ynode *map = gs_yaml_plain(
        p->name, gs_arena_printf(arena, "%s: %s", p->name, p->fallback), arena,
        err);

    return map ? map->child : NULL;
}

int gsched_use_values(const struct gsched_use *u, const char *source,
                      const struct topo_dims *dims,
                      const struct gs_strtab *names, struct gs_arena *arena,
                      union gsp_value *value, struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < u->module->param_count; i++) {
        struct param_reading r = { &u->module->param[i], dims, names, arena,
                                   u->may_lack };
        const struct gs_yctx c = { .source = source, .user = &r };
        const struct gs_ynode *v = u->value[i];

        if (!v)
            v = fallback(r.param, arena, err);
        if (!v || readers[r.param->type](&c, v, &value[i], err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* Checked as in a printed profile: in braces, among others. */
int gsched_param_check(const struct gsp_param *param, struct gs_arena *arena)
{
    struct param_reading r = { param, NULL, NULL, arena, false };
    const struct gs_yctx c = { .source = param->name, .user = &r };
    const struct gs_ynode *map = gs_yaml_plain(
        param->name,
        gs_arena_printf(arena, "{%s: %s}", param->name, param->fallback), arena,
        NULL);
    union gsp_value value;

    if (!map || map->kind != GS_YMAP || map->len != 1)
        return -1;
    if (param->type == GSP_WEIGHTS)
        return map->child->kind == GS_YMAP ? 0 : -1;
    return readers[param->type](&c, map->child, &value, NULL);
}
