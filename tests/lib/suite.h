/* tests/lib/suite.h - a CUnit suite from a table of cases. */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <CUnit/CUnit.h>
#include <stddef.h>
#include <stdint.h>

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

struct suite_case {
    const char *name;
    void (*run)(void);
};

/* Run the cases.  0 when all passed, else 1: the exit status of main. */
int suite_run(const char *name, const struct suite_case *cases, size_t count);

/* The rounds of a random test: `each` in `make test`, times SEEDS of the
 * environment in `make check-long`.
 */
uint64_t suite_rounds(uint64_t each);

#endif /* TEST_SUITE_H */
