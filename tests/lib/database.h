/* tests/lib/database.h - a database in a folder of its own. */
#ifndef TEST_DATABASE_H
#define TEST_DATABASE_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/compare/compare.h"
#include "reports/store/store.h"
#include "tests/lib/rig.h"

/* The columns of a row of `metrics` that every metric has. */
#define METRIC_COLUMNS "(run_id, name, scope, label, unit, value)"

struct database {
    char path[64];
};

void database_init(struct database *d);

/* Remove the folder; aborts when it has other files. */
void database_fini(struct database *d);

/* The result of a query, "a|b\nc|d\n", in a static buffer. */
const char *database_ask(const struct database *d, const char *sql);

/* Make it one of schema version 8, in which `jobs` is a table whose rows can be
 * changed.
 */
void database_make_old(const struct database *d);

/* Store the run of `r` as `name`. */
int database_put(struct report_store *s, struct rig *r, const char *name,
                 struct gs_err *err);

/* Open it, store the run of rig.h under each name (NULL ends them), close it.
 */
void database_put_all(const struct database *d, const char *const *name);

/* A run that is a copy of the first except for these values; its policy is the
 * first letter of the profile.
 */
struct database_run {
    const char *name, *profile, *trace;
    int seed;
    const char *options; /* NULL: "{}" */
};

/* Policies a and b, five seeds each. */
extern const struct database_run database_ten[];

/* Add these runs (a NULL name ends them), numbered from 2. */
void database_put_runs(const struct database *d,
                       const struct database_run *run);

/* Store a metric of the cluster: a value for each run, from number 2 on. */
void database_put_metric(const struct database *d, const char *name,
                         const double *value, int count);

/* All its runs side by side. */
struct report_comparison *database_compared(const struct database *d,
                                            struct gs_arena *arena);

#endif /* TEST_DATABASE_H */
