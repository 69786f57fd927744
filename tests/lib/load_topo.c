#include "tests/lib/load_topo.h"

void load_topo_init(struct load_topo *l)
{
    *l = (struct load_topo){ .arena = gs_arena_create(4096),
                             .names = gs_strtab_create() };
    topo_dims_init(&l->dims, l->names);
}

void load_topo_fini(struct load_topo *l)
{
    gs_strtab_destroy(l->names);
    gs_arena_destroy(l->arena);
}

uint32_t load_topo_id(const struct load_topo *l, const char *s)
{
    return gs_strtab_put(l->names, s, strlen(s));
}

void load_topo_text(struct load_topo *l, const char *name, const char *text)
{
    struct gs_input *in = gs_input_open_memory(name, text, strlen(text));

    load_topo_init(l);
    l->t = topo_read(in, l->arena, l->names, &l->dims, &l->err);
    gs_input_close(in);
}

void load_topo_file(struct load_topo *l, const char *path)
{
    struct gs_input *in;

    load_topo_init(l);
    in = gs_input_open(path, &l->err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    l->t = topo_read(in, l->arena, l->names, &l->dims, &l->err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l->t);
    gs_input_close(in);
}

/* --- what was read, as a text --------------------------------------------- */

const char *load_topo_str(const struct topo *t, uint32_t id)
{
    return gs_strtab_str(t->names, id);
}

static void dump_tier(const struct topo *t, const struct topo_tier *tier,
                      FILE *out)
{
    static const char *const fabrics[] = { "nvlink", "pcie", "rdma", "tcp" };

    fprintf(out, "tier %s %s", load_topo_str(t, tier->name),
            fabrics[tier->fabric]);
    fprintf(out, " %" PRId64 " B/s %" PRId64 " us\n", tier->bandwidth,
            tier->latency);
}

static void dump_class(const struct topo *t, const struct topo_class *k,
                       FILE *out)
{
    static const char *const effects[] = { "NoSchedule", "NoExecute" };

    fprintf(out, "class %s: %u x '%s'", load_topo_str(t, k->type), k->gpus,
            load_topo_str(t, k->model));
    if (k->gpu_memory)
        fprintf(out, " of %" PRId64 " B", k->gpu_memory);
    if (k->numa)
        fprintf(out, ", %u sides", k->numa);
    for (uint32_t d = 0; d < t->dims->count; d++) {
        if (k->capacity[d]
            && (d != TOPO_PODS || k->capacity[d] != TOPO_PODS_UNLIMITED))
            fprintf(out, ", %s %" PRId64, load_topo_str(t, t->dims->name[d]),
                    k->capacity[d]);
    }
    for (uint32_t i = 0; i < k->label_count; i++)
        fprintf(out, ", %s=%s", load_topo_str(t, k->label[i].key),
                load_topo_str(t, k->label[i].value));
    for (uint32_t i = 0; i < k->taint_count; i++)
        fprintf(out, ", !%s=%s:%s", load_topo_str(t, k->taint[i].key),
                load_topo_str(t, k->taint[i].value),
                effects[k->taint[i].effect]);
    fputc('\n', out);
}

/* Classes by their nodes, nodes by their place: "r1/a is gpu8". */
static void dump_node(const struct topo *t, uint32_t node, FILE *out)
{
    for (uint32_t l = 1; l <= t->tier_count; l++)
        fprintf(out, "%s/",
                load_topo_str(t, t->domain[topo_domain_of(t, node, l)].name));
    fprintf(out, "%s is %s\n", load_topo_str(t, t->node_name[node]),
            load_topo_str(t, t->klass[t->node_class[node]].type));
}

/* A finished topology in full; freed by the caller. */
static char *load_dump(const struct topo *t)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "%s: %u nodes, %u GPUs, %u domains\n",
            load_topo_str(t, t->cluster), t->node_count, t->gpu_count,
            t->domain_count);
    for (uint32_t l = 0; l < t->tier_count; l++)
        dump_tier(t, &t->tier[l], out);
    if (t->node_tier.bandwidth || t->node_tier.latency)
        dump_tier(t, &t->node_tier, out);
    for (uint32_t k = 0; k < t->class_count; k++)
        dump_class(t, &t->klass[k], out);
    for (uint32_t n = 0; n < t->node_count; n++)
        dump_node(t, n, out);
    fclose(out);
    return text;
}

/* --- cases ---------------------------------------------------------------- */

void load_topo_same(const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        printf("\n got %s\nwant %s\n", got, want);
    CU_ASSERT_STRING_EQUAL(got, want);
}

void load_topo_check(const char *name, const struct load_topo_case *c)
{
    struct load_topo l;
    char buf[512];

    load_topo_text(&l, name, c->text);
    if (l.t && c->dump) {
        char *dump = load_dump(l.t);

        CU_ASSERT_EQUAL(l.err.count, 0);
        load_topo_same(dump, c->dump);
        free(dump);
    } else {
        gs_err_format(&l.err, 0, buf, sizeof(buf));
        load_topo_same(l.t ? "it was read" : buf,
                       c->error ? c->error : "no error");
    }
    load_topo_fini(&l);
}
