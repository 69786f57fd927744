/* topology/models.c - nodes with GPUs of several models, see struct topo_model.
 *
 * The devices of a node decide what is free of each model.  Dimensions tell it
 * to all that compares amounts: limits, plans, preemption, fragmentation.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/cluster_private.h"
#include "topology/topology.h"

/* --- dimensions ----------------------------------------------------------- */

#define MODEL_DIM "gpu:"

bool topo_dim_is_model(const char *name)
{
    assert(name);
    return strncmp(name, MODEL_DIM, strlen(MODEL_DIM)) == 0;
}

bool topo_dim_is_misnamed(const char *name)
{
    assert(name);
    return strcmp(name, "gpus") == 0;
}

/* The dimensions of models, as bits. */
static uint32_t model_dims(const struct topo *t)
{
    uint32_t set = 0;

    for (uint32_t d = TOPO_DIMS_FIXED; d < t->dims->count; d++) {
        if (topo_dim_is_model(gs_strtab_str(t->names, t->dims->name[d])))
            set |= 1u << d;
    }
    return set;
}

bool topo_models_are_new(const struct topo *t)
{
    assert(t && !t->build);
    return model_dims(t) != t->model_dims;
}

/* The dimension of a model; 0: it has none. */
static uint32_t model_dim(const struct topo *t, uint32_t model, bool add)
{
    char *name = gs_text_make(MODEL_DIM "%s", gs_strtab_str(t->names, model));
    const uint32_t id = add ? gs_strtab_put(t->names, name, strlen(name))
                            : gs_strtab_find(t->names, name, strlen(name));
    int dim = id == GS_STRTAB_NONE ? -1
              : add                ? topo_dims_put(t->dims, id)
                                   : topo_dims_find(t->dims, id);

    gs_array_free(name);
    return dim < 0 ? 0 : (uint32_t)dim;
}

/* A class with GPUs of a model that is one of several elsewhere. */
static void model_list(struct topo *t, struct topo_class *k, uint32_t dim)
{
    struct topo_model *m = gs_arena_alloc(t->arena, 1, sizeof(*m));

    *m = (struct topo_model){ k->model, k->gpus, dim };
    k->models = m;
    k->model_count = 1;
}

int topo_models_finish(struct topo *t, struct gs_err *err)
{
    for (uint32_t i = 0; i < t->class_count; i++) {
        struct topo_class *k = &t->klass[i];
        struct topo_model *m = gs_arena_memdup(t->arena, k->models,
                                               k->model_count * sizeof(*m));

        for (uint32_t n = 0; n < k->model_count; n++) {
            m[n].dim = model_dim(t, m[n].name, true);
            if (m[n].dim == 0)
                return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                               "no resource is left for GPU model '%s' (a "
                               "cluster has at most %d, each model of a node "
                               "with several is one)",
                               gs_strtab_str(t->names, m[n].name),
                               TOPO_DIMS_MAX);
            k->capacity[m[n].dim] = (int64_t)m[n].gpus * TOPO_SHARE_ONE;
        }
        k->models = m;
    }
    t->model_dims = model_dims(t);
    for (uint32_t i = 0; t->model_dims && i < t->class_count; i++) {
        struct topo_class *k = &t->klass[i];
        const uint32_t dim = k->model_count == 0 && k->model
                                 ? model_dim(t, k->model, false)
                                 : 0;

        if (dim) {
            model_list(t, k, dim);
            k->capacity[dim] = (int64_t)k->gpus * TOPO_SHARE_ONE;
        }
    }
    return 0;
}

/* --- requests ------------------------------------------------------------- */

bool topo_request_takes(const struct topo_request *r, uint32_t model)
{
    for (uint32_t i = 0; i < r->model_count; i++) {
        if (r->model[i] == model)
            return true;
    }
    return r->model_count == 0;
}

void topo_models_ask(const struct topo *t, struct topo_request *r)
{
    if (t->model_dims == 0 || r->gpus == 0 || r->model_count != 1)
        return;
    for (uint32_t i = 0; i < t->class_count; i++) {
        const struct topo_class *k = &t->klass[i];

        for (uint32_t m = 0; m < k->model_count; m++) {
            if (k->models[m].name == r->model[0]) {
                r->model_dim = k->models[m].dim;
                r->amount[r->model_dim] = r->amount[TOPO_GPU];
                return;
            }
        }
    }
}

/* The lowest n bits. */
static uint64_t low_bits(uint32_t n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}

uint64_t topo_class_devices(const struct topo_class *k,
                            const struct topo_request *r)
{
    uint64_t devices = 0;
    uint32_t first = 0;

    assert(k && r);
    if (k->model_count == 0 || r->model_count == 0)
        return low_bits(k->gpus);
    for (uint32_t i = 0; i < k->model_count; i++) {
        if (topo_request_takes(r, k->models[i].name))
            devices |= low_bits(k->models[i].gpus) << first;
        first += k->models[i].gpus;
    }
    return topo_request_is_part(r) && devices != low_bits(k->gpus) ? 0
                                                                   : devices;
}

/* --- what is free --------------------------------------------------------- */

void topo_models_set(const struct topo_cluster *c, uint32_t node, int64_t *free,
                     int64_t *sum)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[node]];
    uint64_t devices = c->gpus_free[node];

    for (uint32_t i = 0; i < k->model_count; i++) {
        const struct topo_model *m = &k->models[i];
        const int64_t is = (int64_t)TOPO_SHARE_ONE
                           * __builtin_popcountll(devices & low_bits(m->gpus));

        devices = m->gpus < TOPO_DEVICES_MAX ? devices >> m->gpus : 0;
        if (sum)
            sum[m->dim] += is - free[m->dim];
        free[m->dim] = is;
    }
}

void topo_grant_add(const struct topo *t, const struct topo_request *r,
                    const struct topo_grant *g, int sign, int64_t *sum)
{
    const struct topo_class *k = &t->klass[t->node_class[g->node]];
    uint64_t devices = g->devices;

    assert(g->node < t->node_count && (sign == 1 || sign == -1));
    for (uint32_t d = 0; d < t->dims->count; d++)
        sum[d] += sign * r->amount[d] * g->tasks;
    for (uint32_t i = 0; i < k->model_count && r->gpus; i++) {
        const struct topo_model *m = &k->models[i];

        sum[m->dim] +=
            sign
            * (TOPO_SHARE_ONE
                   * (int64_t)__builtin_popcountll(devices & low_bits(m->gpus))
               - r->amount[m->dim] * g->tasks);
        devices = m->gpus < TOPO_DEVICES_MAX ? devices >> m->gpus : 0;
    }
}

void topo_models_take(const struct topo_class *k, const struct topo_request *r,
                      uint32_t devices, int64_t *free)
{
    int64_t left = (int64_t)devices * TOPO_SHARE_ONE;

    assert(k && r && free);
    for (uint32_t i = 0; i < k->model_count; i++) {
        int64_t *has = &free[k->models[i].dim];
        const int64_t n = left < *has ? left : *has;

        if (topo_request_takes(r, k->models[i].name)) {
            *has -= n;
            left -= n;
        }
    }
}
