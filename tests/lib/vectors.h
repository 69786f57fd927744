/* tests/lib/vectors.h - inputs and expected results from the tests of other
 * schedulers, in tests/data/vectors.
 */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "tests/lib/suite.h"

#define VECTORS "tests/data/vectors/volcano-kube.yaml"

/* One vector. */
struct vector {
    const char *id;
    const struct gs_ynode *in, *expected;
};

struct vector vector_of(const struct gs_ynode *n);

/* Fail for a vector, and say which. */
void vector_fails(const struct vector *v, const char *what, const char *detail);

/* The input `key`, which must be there. */
const struct gs_ynode *vector_in(const struct vector *v, const char *key);

/* The list under `key` of a file. */
const struct gs_ynode *vectors_read(const char *path, const char *key,
                                    struct gs_arena *arena);

/* True when the vector is listed as not run. */
bool vector_is_listed(const char *id);

/* The number of vectors that are listed as not run. */
size_t vectors_listed(void);

/* True when tests/policies run it with single modules. */
bool vector_is_modules(const char *group, const char *id);

#endif /* TEST_VECTORS_H */
