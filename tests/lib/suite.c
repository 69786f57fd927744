/* tests/lib/suite.c - CUnit prints but does not set the exit status: this does.
 */
#include <CUnit/Basic.h>
#include <stdlib.h>

#include "tests/lib/suite.h"

int suite_run(const char *name, const struct suite_case *cases, size_t count)
{
    CU_pSuite suite;
    unsigned failures;

    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; suite && i < count; i++) {
        if (!CU_add_test(suite, cases[i].name, cases[i].run))
            suite = NULL;
    }
    if (!suite)
        return 1;
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}

uint64_t suite_rounds(uint64_t each)
{
    const char *text = getenv("SEEDS");
    const uint64_t times = text ? strtoull(text, NULL, 10) : 1;

    return each * (times ? times : 1);
}
