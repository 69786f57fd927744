#include "tests/lib/fake_nodes.h"

int fake_values(const struct fake_use *u, struct gs_arena *arena,
                union gsp_value *value, const struct gsp_module **m,
                struct gs_err *err)
{
    struct gs_strtab *names = gs_strtab_create();
    struct gsched_profile *p = gsched_profile_named(u->name, arena, err);
    struct topo_dims dims;
    int status = p ? 0 : -1;
    uint32_t at = 0;

    topo_dims_init(&dims, names);
    for (uint32_t d = TOPO_DIMS_FIXED; d < FAKE_DIMS; d++)
        (void)topo_dims_put(&dims, gs_strtab_put(names, fake_dim_names[d],
                                                 strlen(fake_dim_names[d])));
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

void fake_scores(const struct fake_use *u, const struct gsp_states *v,
                 const struct gsp_task *t, double *points)
{
    union gsp_value value[GSCHED_PARAMS_MAX];
    int64_t score[FAKE_NODES] = { 0 };
    const struct gsp_module *m = NULL;
    struct gs_err err = { 0 };
    static const uint32_t klass[FAKE_NODES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const struct gsp_view view = {
        .states = v->count, .klass = klass, .gpus_free = v->gpus_free, .of = v
    };
    struct fake f;

    fake_start(&f);
    f.tree.node = v;
    CU_ASSERT_EQUAL_FATAL(fake_values(u, f.arena, value, &m, &err), 0);
    m->score(fake_module(&f, m, value), &view, t, score);
    for (uint32_t i = 0; i < v->count; i++)
        points[i] = (double)score[i] / (double)GSP_POINT;
    fake_end(&f);
}

/* --- from YAML ------------------------------------------------------------ */

double fake_number(const struct gs_ynode *n)
{
    double v = 0;

    CU_ASSERT_EQUAL_FATAL(gs_quantity_parse_double(n->text, n->len, &v), 0);
    return v;
}

uint32_t fake_dim_of(const char *name)
{
    uint32_t d = 0;

    /* some say "mem" and "ext" */
    while (d < FAKE_DIMS && strncmp(fake_dim_names[d], name, strlen(name)) != 0)
        d++;
    CU_ASSERT_FATAL(d < FAKE_DIMS);
    return d;
}

static int64_t amount_of(uint32_t d, const char *text, size_t len)
{
    int64_t v = 0;

    CU_ASSERT_EQUAL_FATAL(d == GSP_MEMORY
                              ? gs_quantity_parse_bytes(text, len, &v)
                              : gs_quantity_parse_milli(text, len, &v),
                          0);
    return d == GSP_PODS ? v / 1000 : v;
}

/* Amounts in words: "CPU/MEMORY", "2 pods without requests", and what asks for
 * nothing.
 */
static void words_add(const char *text, int64_t *out)
{
    static const char *const nothing[] = { "none", "1 container, no requests" };
    const char *slash = strchr(text, '/');
    unsigned pods;

    for (size_t i = 0; i < N_ELEMENTS(nothing); i++) {
        if (strcmp(text, nothing[i]) == 0)
            return;
    }
    if (slash) {
        out[GSP_CPU] += amount_of(GSP_CPU, text, (size_t)(slash - text));
        out[GSP_MEMORY] += amount_of(GSP_MEMORY, slash + 1, strlen(slash + 1));
        return;
    }
    CU_ASSERT_EQUAL_FATAL(sscanf(text, "%u pods without requests", &pods), 1);
    out[GSP_PODS] += pods;
}

void fake_amounts_add(const struct gs_ynode *map, int64_t *out)
{
    if (map && map->kind == GS_YSCALAR) {
        words_add(map->text, out);
        return;
    }
    for (const struct gs_ynode *n = map ? map->child : NULL; n; n = n->next) {
        const uint32_t d = fake_dim_of(n->key->text);

        out[d] += amount_of(d, n->text, n->len);
    }
}

void fake_node_add(struct gsp_states *v, const struct gs_ynode *capacity,
                   const struct gs_ynode *used)
{
    int64_t has[FAKE_DIMS] = { 0 }, taken[FAKE_DIMS] = { 0 };

    CU_ASSERT_FATAL(v->count < FAKE_NODES);
    fake_amounts_add(capacity, has);
    fake_amounts_add(used, taken);
    for (uint32_t d = 0; d < FAKE_DIMS; d++) {
        v->capacity[d][v->count] = has[d];
        v->free[d][v->count] = has[d] - taken[d];
    }
    v->count++;
}

void fake_resources(const struct gs_ynode *map, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "resources={");

    for (const struct gs_ynode *k = map ? map->child : NULL; k; k = k->next)
        n += (size_t)snprintf(
            out + n, size - n, "%s%s: %s", k == map->child ? "" : ", ",
            fake_dim_names[fake_dim_of(k->key ? k->key->text : k->text)],
            k->key ? k->text : "1");
    CU_ASSERT_FATAL(n + 32 < size);
    (void)strcat(out, map ? "}" : "cpu: 1, memory: 1}");
}
