/* tests/suite.h - a CUnit suite from a table of cases. */
#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include <CUnit/CUnit.h>
#include <stddef.h>

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

struct suite_case {
    const char *name;
    void (*run)(void);
};

/* Run the cases; what main returns: 0 when all passed. */
int suite_run(const char *name, const struct suite_case *cases, size_t count);

#endif /* TEST_SUITE_H */
