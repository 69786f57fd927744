/* policies/profile/params_use.c - the modules of a profile, built in or in
 * shared objects.
 */
#include "policies/profile/params_use.h"

#include <string.h>

#include "base/text.h"
#include "base/yamldoc.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/plugin.h"
#include "policies/profile/registry.h"

static int unknown_module(const struct gs_yctx *c, const struct gs_ynode *at,
                          const char *name, struct gs_err *err)
{
    const char *known[64];
    const char *near;
    size_t n = 0;

    for (; n < 64 && gsched_module_at(n); n++)
        known[n] = gsched_module_at(n)->name;
    near = gs_nearest(name, known, n);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, at),
                   near ? "no module is called '%s' (did you mean '%s'?)"
                        : "no module is called '%s' (see 'gsim policies')",
                   name, near);
}

static int read_params(const struct gs_yctx *c, const struct gs_ynode *map,
                       struct gsched_use *u, struct gs_err *err)
{
    const struct gsp_module *m = u->module;
    const struct gs_ynode *node[GSCHED_PARAMS_MAX + 1] = { 0 };
    const struct gs_ynode *const *only = &node[m->param_count];
    struct gs_yfield field[GSCHED_PARAMS_MAX + 1];
    int rc;

    for (uint32_t i = 0; i < m->param_count; i++)
        field[i] = (struct gs_yfield){ m->param[i].name, gs_yread_node,
                                       i * sizeof(node[0]), false };
    field[m->param_count] = (struct gs_yfield){
        "only", gs_yread_node, m->param_count * sizeof(node[0]), false
    };
    rc = gs_ynode_fields(c, map, m->name, field, m->param_count + 1, node, err);
    if (*only && gsched_points_read(c, *only, m, &u->only, err) < 0)
        rc = -1;
    for (uint32_t i = 0; i < m->param_count; i++)
        u->value[i] = node[i] ? node[i] : u->value[i];
    return rc;
}

struct gsched_use *gsched_use_find(struct gsched_profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (strcmp(p->use[i].module->name, name) == 0)
            return &p->use[i];
    }
    return NULL;
}

/* Open the module of the shared object at `path`, named at `at`. */
static const struct gsp_module *plugin_open(const struct gs_yctx *c,
                                            struct gsched_profile *p,
                                            const char *path,
                                            const struct gs_ynode *at,
                                            struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const bool in_file = p->folder && c->source == p->source;
    const bool in_list = !p->folder && c->source == p->source;

    return gsched_plugin_open(&p->plugins, in_file ? p->folder : "", path,
                              in_list ? nowhere : gs_ynode_mark(c, at),
                              p->arena, err);
}

static int use_refuse(const struct gs_yctx *c, const struct gsched_profile *p,
                      const struct gsched_use *twin, const char *name,
                      const struct gs_ynode *at, struct gs_err *err)
{
    const struct gs_mark mark = gs_ynode_mark(c, at);

    if (!twin)
        return gs_fail(err, GS_INPUT, mark, "too many modules at '%s'", name);
    if (!twin->path && !gsched_plugin_is_path(name, strlen(name)))
        return gs_fail(err, GS_INPUT, mark, "module '%s' is listed twice",
                       name);
    return gs_fail(err, GS_INPUT, p->folder ? mark : (struct gs_mark){ 0 },
                   "module '%s' is listed twice: as '%s' and as '%s'",
                   twin->module->name,
                   twin->path ? twin->path : twin->module->name, name);
}

struct gsched_use *gsched_use_add(const struct gs_yctx *c,
                                  struct gsched_profile *p, const char *name,
                                  const struct gs_ynode *at, uint32_t tier,
                                  struct gs_err *err)
{
    const bool is_path = gsched_plugin_is_path(name, strlen(name));
    const struct gsp_module *m = is_path ? plugin_open(c, p, name, at, err)
                                         : gsched_module_find(name);
    struct gsched_use *u, *twin;

    if (!m) {
        if (!is_path)
            unknown_module(c, at, name, err);
        return NULL;
    }
    twin = gsched_use_find(p, m->name);
    if (twin || p->use_count == GSCHED_MODULES_MAX) {
        use_refuse(c, p, twin, name, at, err);
        return NULL;
    }
    u = &p->use[p->use_count++];
    *u = (struct gsched_use){ .module = m,
                              .path = is_path ? name : NULL,
                              .tier = tier,
                              .at = gs_ynode_mark(c, at) };
    return u;
}

static int read_module(const struct gs_yctx *c, const struct gs_ynode *n,
                       struct gsched_profile *p, uint32_t tier,
                       struct gs_err *err)
{
    const struct gs_ynode *name = n;
    struct gsched_use *u;

    if (n->kind == GS_YMAP && n->len == 1)
        name = n->child->key;
    else if (n->kind != GS_YSCALAR)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "a module must be NAME or NAME: {PARAMETER: VALUE}");
    u = gsched_use_add(c, p, name->text, name, tier, err);
    if (!u)
        return -1;
    if (n->kind == GS_YSCALAR || gs_ynode_is_null(n->child))
        return 0;
    return read_params(c, n->child, u, err);
}

int gsched_uses_read(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    struct gsched_profile *p = dest;
    uint32_t tier = 0;
    int rc = 0;

    if (v->kind != GS_YSEQ || !v->child)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'modules' must be a list of modules, or of lists");
    for (const struct gs_ynode *n = v->child; n; n = n->next) {
        if (rc < 0 && !gs_err_wants_more(err))
            break;
        if (n->kind != GS_YSEQ) {
            if (read_module(c, n, p, tier, err) < 0)
                rc = -1;
            continue;
        }
        if (!n->child)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                         "a tier of 'modules' must hold a module");
        for (const struct gs_ynode *m = n->child; m; m = m->next) {
            if (read_module(c, m, p, tier, err) < 0)
                rc = -1;
        }
        tier++;
    }
    return rc;
}
