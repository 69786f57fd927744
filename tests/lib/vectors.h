/* tests/lib/vectors.h - inputs and expected results from the tests of other
 * schedulers, as data.
 *
 * A suite has a table of groups, each with the function that runs a vector of
 * it.  Every vector is a case of its own: its id is printed with "pass", "FAIL"
 * or the reason why it is not run.  VECTORS=FILE of the
 * environment names another file of the same shape.
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
    const char *id, *group;
    const struct gs_ynode *in, *expected;
};

/* Vectors of the group `group`, or with that id; where it ends in '-', those
 * whose ids begin with it.  The first entry that matches holds.
 */
struct vector_group {
    const char *group;
    void (*run)(const struct vector *v); /* NULL: another suite runs them */
};

/* A vector that is not run, and why. */
struct vector_listed {
    const char *id, *why;
};

struct vector_suite {
    const char *name, *file; /* of the suite; of the project's vectors */
    const struct vector_group *group;
    size_t groups;
    const struct vector_listed *listed; /* each is in the file, once */
    size_t listed_count;
};

/* Run all vectors that the groups match: 0 when all passed, the exit status of
 * main.  A listed one is not run.
 */
int vectors_main(const struct vector_suite *suite);

/* Of the project's own vectors: they fail when nothing states how to run them;
 * those of VECTORS=FILE are told.
 */
bool vectors_are_own(void);

/* Tell why the vector cannot be run; a failure for the project's own. */
void vector_not_run(const struct vector *v, const char *why);

/* Fail for a vector, and say which. */
void vector_fails(const struct vector *v, const char *what, const char *detail);

/* The input `key`, which must be there. */
const struct gs_ynode *vector_in(const struct vector *v, const char *key);

/* The list under `key` of a file. */
const struct gs_ynode *vectors_read(const char *path, const char *key,
                                    struct gs_arena *arena);

#endif /* TEST_VECTORS_H */
