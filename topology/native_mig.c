/* topology/native_mig.c - `mig` of a node type. */
#include <stddef.h>

#include "base/strtab.h"
#include "topology/mig.h"
#include "topology/native_private.h"

struct option {
    bool repartition;
    int64_t delay;
};

static int option_read(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct option *o, bool *is_cut, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "repartition", gs_yread_bool, offsetof(struct option, repartition),
          false },
        { "delay", gs_yread_duration, offsetof(struct option, delay), false },
    };

    *is_cut = true;
    if (v->kind == GS_YMAP)
        return gs_ynode_fields(c, v, "mig", fields, 2, o, err);
    if (v->kind == GS_YSCALAR)
        return gs_yread_bool(c, v, is_cut, err);
    return gs_fail(
        err, GS_INPUT, gs_ynode_mark(c, v),
        "'mig' must be true, false or {repartition: ..., delay: ...} (got a "
        "list)");
}

int topo_read_mig(const struct gs_yctx *c, const struct gs_ynode *v,
                  struct topo_class *klass, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct option o = { .repartition = true };
    const char *model = gs_strtab_str(l->topo->names, klass->model);
    bool is_cut;

    if (option_read(c, v, &o, &is_cut, err) < 0)
        return -1;
    if (!is_cut)
        return 0;
    if (klass->gpus == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'mig' needs a node type with GPUs");
    if (klass->model_count)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'mig' needs GPUs of one model");
    if (klass->model == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'mig' needs a 'model', one of: %s", topo_mig_models());
    klass->mig = topo_mig_model_find(model);
    klass->mig_only = !o.repartition;
    klass->mig_delay = o.delay;
    if (!klass->mig)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "no MIG profiles are known of '%.40s' (known models "
                       "are: %s)",
                       model, topo_mig_models());
    return 0;
}
