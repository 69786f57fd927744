/* tests/lib/load_topo.h - reads topologies from texts and prints them, for
 * table-driven tests.
 */
#ifndef TEST_TOPOLOGY_LOAD_H
#define TEST_TOPOLOGY_LOAD_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "tests/lib/suite.h"
#include "topology/read.h"
#include "topology/topology.h"

struct load_topo {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    const struct topo *t; /* NULL when it could not be read */
    struct gs_err err;
};

void load_topo_init(struct load_topo *l);

void load_topo_fini(struct load_topo *l);

uint32_t load_topo_id(const struct load_topo *l, const char *s);

/* load_topo_init and read the text. */
void load_topo_text(struct load_topo *l, const char *name, const char *text);

/* load_topo_init and read the file, which must be good. */
void load_topo_file(struct load_topo *l, const char *path);

const char *load_topo_str(const struct topo *t, uint32_t id);

struct load_topo_case {
    const char *text;
    const char *dump;  /* NULL when it must fail */
    const char *error; /* when it must */
};

void load_topo_same(const char *got, const char *want);

void load_topo_check(const char *name, const struct load_topo_case *c);

#endif /* TEST_TOPOLOGY_LOAD_H */
