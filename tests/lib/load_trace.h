/* tests/lib/load_trace.h - traces from texts, and back, for table-driven tests.
 */
#ifndef TEST_TRACES_LOAD_H
#define TEST_TRACES_LOAD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "tests/lib/suite.h"
#include "traces/formats/reader.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

struct load_trace {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct trace_workload *w;
    struct trace_facts facts;
    struct gs_err err;
};

void load_trace_init(struct load_trace *l);

void load_trace_fini(struct load_trace *l);

/* load_trace_init and read `size` bytes; what trace_read returned. */
int load_trace_bytes(struct load_trace *l, const char *name, const char *text,
                     size_t size, const struct trace_options *o);

/* The workload as native YAML; freed by the caller. */
char *load_trace_yaml(const struct load_trace *l);

struct load_trace_case {
    const char *text;
    const char *yaml;  /* as written back; NULL when it must fail */
    const char *error; /* when it must */
};

void load_trace_check(const char *name, const struct load_trace_case *c,
                      const struct trace_options *o);

#endif /* TEST_TRACES_LOAD_H */
