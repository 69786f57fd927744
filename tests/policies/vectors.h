/* tests/policies/vectors.h - facts from the tests of live schedulers: inputs and
 * what is expected, in tests/data/vectors.
 */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "tests/policies/vectors_listed.h"
#include "tests/suite.h"

#define VECTORS "tests/data/vectors/volcano-kube.yaml"

/* One vector. */
struct vector {
    const char *id;
    const struct gs_ynode *in, *expected;
};

static inline struct vector vector_of(const struct gs_ynode *n)
{
    return (struct vector){ gs_ynode_find(n, "id")->text,
                            gs_ynode_find(n, "inputs"),
                            gs_ynode_find(n, "expected") };
}

static inline const struct gs_ynode *in(const struct vector *v, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    CU_ASSERT_PTR_NOT_NULL_FATAL(n);
    return n;
}

/* The list under `key` of a file. */
static inline const struct gs_ynode *vectors_read(const char *path,
                                                  const char *key,
                                                  struct gs_arena *arena)
{
    struct gs_err err = { 0 };
    struct gs_input *file = gs_input_open(path, &err);
    const struct gs_ynode *root;
    char text[512];

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    root = gs_yaml_read(file, arena, NULL, &err);
    gs_input_close(file);
    if (!root)
        printf("%s\n", gs_err_format(&err, 0, text, sizeof(text)));
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return gs_ynode_find(root, key);
}

static inline bool vector_is_listed(const char *id)
{
    for (size_t i = 0; i < N_ELEMENTS(listed); i++) {
        if (strcmp(listed[i].id, id) == 0)
            return true;
    }
    return false;
}

/* Is it run by tests/policies, from modules alone? */
static inline bool vector_is_modules(const char *group, const char *id)
{
    for (size_t i = 0; i < N_ELEMENTS(module_groups); i++) {
        if (strcmp(module_groups[i], group) == 0
            || strcmp(module_groups[i], id) == 0)
            return !vector_is_listed(id);
    }
    return false;
}

#endif /* TEST_VECTORS_H */
