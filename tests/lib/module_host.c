#include "tests/lib/module_host.h"

const char *const host_dim_names[HOST_DIMS] = {
    "cpu", "memory", "rdma", "pods", "gpu", "extra", "foo", "bar",
};

static void *host_keep(void *ctx, size_t size)
{
    return gs_arena_alloc(ctx, 1, size);
}

static uint32_t host_dims(void *ctx)
{
    (void)ctx;
    return HOST_DIMS;
}

static const char *host_dim_name(void *ctx, uint32_t d)
{
    (void)ctx;
    return host_dim_names[d];
}

static uint32_t host_states(const struct gsp_view *v)
{
    return v->count;
}

static const int64_t *host_free(const struct gsp_view *v, uint32_t d)
{
    return v->free[d];
}

static const int64_t *host_capacity(const struct gsp_view *v, uint32_t d)
{
    return v->capacity[d];
}

static const uint32_t *host_gpus_free(const struct gsp_view *v)
{
    return v->gpus_free;
}

static int64_t host_amount(const struct gsp_task *t, uint32_t d)
{
    return t->amount[d];
}

static int host_fail(void *ctx, const char *why, const char *detail)
{
    (void)ctx;
    (void)why;
    (void)detail;
    return -1;
}

const struct gsp_host module_host = {
    .size = sizeof(module_host),
    .keep = host_keep,
    .dims = host_dims,
    .dim_name = host_dim_name,
    .states = host_states,
    .free = host_free,
    .capacity = host_capacity,
    .gpus_free = host_gpus_free,
    .amount = host_amount,
    .fail = host_fail,
};

int module_values(const struct module_use *u, struct gs_arena *arena,
                  union gsp_value *value, const struct gsp_module **m,
                  struct gs_err *err)
{
    struct gs_strtab *names = gs_strtab_create();
    struct gsched_profile *p = gsched_profile_named(u->name, arena, err);
    struct topo_dims dims;
    int status = p ? 0 : -1;
    uint32_t at = 0;

    topo_dims_init(&dims, names);
    for (uint32_t d = TOPO_DIMS_FIXED; d < HOST_DIMS; d++)
        (void)topo_dims_put(&dims, gs_strtab_put(names, host_dim_names[d],
                                                 strlen(host_dim_names[d])));
    for (size_t i = 0; status == 0 && u->set[i]; i++) {
        char text[256];

        (void)snprintf(text, sizeof(text), "%s.%s", u->name, u->set[i]);
        status = gsched_profile_set(p, text, arena, err);
    }
    while (status == 0 && strcmp(p->use[at].module->name, u->name) != 0)
        at++; /* a preset may have the module's name */
    if (status == 0)
        status = gsched_use_values(&p->use[at], "test", &dims, names, arena,
                                   value, err);
    if (status == 0)
        *m = p->use[at].module;
    gs_strtab_destroy(names);
    return status;
}

void module_scores(const struct module_use *u, const struct gsp_view *v,
                   const struct gsp_task *t, double *points)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    union gsp_value value[GSCHED_PARAMS_MAX];
    int64_t score[HOST_NODES] = { 0 };
    const struct gsp_module *m = NULL;
    struct gs_err err = { 0 };
    void *self = NULL;

    CU_ASSERT_EQUAL_FATAL(module_values(u, arena, value, &m, &err), 0);
    CU_ASSERT_EQUAL_FATAL(m->open(&module_host, arena, value, &self), 0);
    m->score(self, v, t, score);
    for (uint32_t i = 0; i < v->count; i++)
        points[i] = (double)score[i] / (double)GSP_POINT;
    gs_arena_destroy(arena);
}

/* --- from YAML ---------------------------------------------------------------- */

double host_number(const struct gs_ynode *n)
{
    double v = 0;

    CU_ASSERT_EQUAL_FATAL(gs_quantity_parse_double(n->text, n->len, &v), 0);
    return v;
}

uint32_t host_dim_of(const char *name)
{
    uint32_t d = 0;

    /* some say "mem" and "ext" */
    while (d < HOST_DIMS && strncmp(host_dim_names[d], name, strlen(name)) != 0)
        d++;
    CU_ASSERT_FATAL(d < HOST_DIMS);
    return d;
}

void host_amounts_add(const struct gs_ynode *map, int64_t *out)
{
    for (const struct gs_ynode *n = map ? map->child : NULL; n; n = n->next) {
        const uint32_t d = host_dim_of(n->key->text);
        int64_t v = 0;

        CU_ASSERT_EQUAL_FATAL(
            d == GSP_MEMORY ? gs_quantity_parse_bytes(n->text, n->len, &v)
                            : gs_quantity_parse_milli(n->text, n->len, &v),
            0);
        out[d] += d == GSP_PODS ? v / 1000 : v;
    }
}

void host_node_add(struct gsp_view *v, const struct gs_ynode *capacity,
                   const struct gs_ynode *used)
{
    int64_t has[HOST_DIMS] = { 0 }, taken[HOST_DIMS] = { 0 };

    CU_ASSERT_FATAL(v->count < HOST_NODES);
    host_amounts_add(capacity, has);
    host_amounts_add(used, taken);
    for (uint32_t d = 0; d < HOST_DIMS; d++) {
        v->capacity[d][v->count] = has[d];
        v->free[d][v->count] = has[d] - taken[d];
    }
    v->count++;
}

void host_resources(const struct gs_ynode *map, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "resources={");

    for (const struct gs_ynode *k = map ? map->child : NULL; k; k = k->next)
        n += (size_t)snprintf(
            out + n, size - n, "%s%s: %s", k == map->child ? "" : ", ",
            host_dim_names[host_dim_of(k->key ? k->key->text : k->text)],
            k->key ? k->text : "1");
    CU_ASSERT_FATAL(n + 32 < size);
    (void)strcat(out, map ? "}" : "cpu: 1, memory: 1}");
}
