/* tests/traces/load.h - traces from texts, and back, for table-driven tests. */
#ifndef TEST_TRACES_LOAD_H
#define TEST_TRACES_LOAD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "tests/suite.h"
#include "traces/formats/reader.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

struct load {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct trace_workload *w;
    struct trace_facts facts;
    struct gs_err err;
};

static inline void load_init(struct load *l)
{
    *l = (struct load){ .arena = gs_arena_create(4096),
                        .names = gs_strtab_create() };
    topo_dims_init(&l->dims, l->names);
    l->w = trace_workload_create(l->arena, l->names, &l->dims);
}

static inline void load_fini(struct load *l)
{
    trace_workload_destroy(l->w);
    gs_strtab_destroy(l->names);
    gs_arena_destroy(l->arena);
}

/* load_init and read `size` bytes; what trace_read returned. */
static inline int load_bytes(struct load *l, const char *name, const char *text,
                             size_t size, const struct trace_options *o)
{
    struct gs_input *in = gs_input_open_memory(name, text, size);
    const struct trace_options none = { .format = TRACE_AUTO };
    int rc;

    load_init(l);
    rc = trace_read(in, o ? o : &none, l->w, &l->facts, &l->err);
    gs_input_close(in);
    return rc;
}

/* The workload as native YAML; freed by the caller. */
static inline char *load_yaml(const struct load *l)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    CU_ASSERT_EQUAL(trace_write_yaml(out, l->w, &l->facts, NULL, NULL), 0);
    fclose(out);
    return text;
}

struct load_case {
    const char *text;
    const char *yaml;  /* as written back; NULL when it must fail */
    const char *error; /* when it must */
};

static inline void load_check(const char *name, const struct load_case *c,
                              const struct trace_options *o)
{
    struct load l;
    char buf[512];
    const int rc = load_bytes(&l, name, c->text, strlen(c->text), o);

    if (c->error) {
        CU_ASSERT_EQUAL(rc, -1);
        gs_err_format(&l.err, 0, buf, sizeof(buf));
        if (strcmp(buf, c->error) != 0)
            printf("\n got %s\nwant %s\n", buf, c->error);
        CU_ASSERT_STRING_EQUAL(buf, c->error);
    } else if (rc == 0) {
        char *yaml = load_yaml(&l);

        if (strcmp(yaml, c->yaml) != 0)
            printf("\n got %s\nwant %s\n", yaml, c->yaml);
        CU_ASSERT_STRING_EQUAL(yaml, c->yaml);
        free(yaml);
    } else {
        printf("\n%s: %s\n", c->text,
               gs_err_format(&l.err, 0, buf, sizeof(buf)));
        CU_FAIL("must load");
    }
    load_fini(&l);
}

#endif /* TEST_TRACES_LOAD_H */
