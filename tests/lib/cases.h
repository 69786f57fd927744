/* tests/lib/cases.h - tables of small replays: when and where each job runs,
 * and why it waits.
 */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define S INT64_C(1000000)
#define NEVER INT64_C(-1)
#define CASE_JOBS 4
#define ANY_CAUSE (-1)

struct case_job {
    const char *name;
    int64_t start; /* us; NEVER */
    enum report_state state;
    int cause;         /* enum report_cause; ANY_CAUSE */
    const char *nodes; /* "n1*4 n2*4": nodes of its tasks in order, groups
                          separated by '/'; NULL: not checked */
    uint32_t evictions;
};

struct case_world {
    const char *what, *topology, *trace; /* texts, or paths */
    const char *policy; /* a name, or a profile; "NAME; a.b=1; ...": with these
                           set */
    struct case_job job[CASE_JOBS];
};

/* Run the case and check its jobs; false when it does not run, which fails the
 * test.  The caller must finish the world in either case.
 */
bool case_run(struct world *w, const struct case_world *c);

void cases_run(const struct case_world *c, size_t count);

#endif /* TEST_CASES_H */
