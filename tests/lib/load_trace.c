#include "tests/lib/load_trace.h"

void load_trace_init(struct load_trace *l)
{
    *l = (struct load_trace){ .arena = gs_arena_create(4096),
                              .names = gs_strtab_create() };
    topo_dims_init(&l->dims, l->names);
    l->w = trace_workload_create(l->arena, l->names, &l->dims);
}

void load_trace_fini(struct load_trace *l)
{
    trace_workload_destroy(l->w);
    gs_strtab_destroy(l->names);
    gs_arena_destroy(l->arena);
}

int load_trace_bytes(struct load_trace *l, const char *name, const char *text,
                     size_t size, const struct trace_options *o)
{
    struct gs_input *in = gs_input_open_memory(name, text, size);
    const struct trace_options none = { .format = TRACE_AUTO };
    int rc;

    load_trace_init(l);
    rc = trace_read(in, o ? o : &none, l->w, &l->facts, &l->err);
    gs_input_close(in);
    return rc;
}

char *load_trace_yaml(const struct load_trace *l)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    CU_ASSERT_EQUAL(trace_write_yaml(out, l->w, &l->facts, NULL, NULL), 0);
    fclose(out);
    return text;
}

void load_trace_check(const char *name, const struct load_trace_case *c,
                      const struct trace_options *o)
{
    struct load_trace l;
    char buf[512];
    const int rc = load_trace_bytes(&l, name, c->text, strlen(c->text), o);

    if (c->error) {
        CU_ASSERT_EQUAL(rc, -1);
        gs_err_format(&l.err, 0, buf, sizeof(buf));
        if (strcmp(buf, c->error) != 0)
            printf("\n got %s\nwant %s\n", buf, c->error);
        CU_ASSERT_STRING_EQUAL(buf, c->error);
    } else if (rc == 0) {
        char *yaml = load_trace_yaml(&l);

        if (strcmp(yaml, c->yaml) != 0)
            printf("\n got %s\nwant %s\n", yaml, c->yaml);
        CU_ASSERT_STRING_EQUAL(yaml, c->yaml);
        free(yaml);
    } else {
        printf("\n%s: %s\n", c->text,
               gs_err_format(&l.err, 0, buf, sizeof(buf)));
        CU_FAIL("must load");
    }
    load_trace_fini(&l);
}
