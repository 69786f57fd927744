/* tests/lib/database.h - a database in a folder of its own. */
#ifndef TEST_DATABASE_H
#define TEST_DATABASE_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/store/store.h"
#include "tests/lib/rig.h"

struct database {
    char path[64];
};

void database_init(struct database *d);

/* Aborts when something was left beside it. */
void database_fini(struct database *d);

/* All that a query gives, "a|b\nc|d\n", in a static buffer. */
const char *database_ask(const struct database *d, const char *sql);

/* Store the run of `r` as `name`. */
int database_put(struct report_store *s, struct rig *r, const char *name,
                 struct gs_err *err);

#endif /* TEST_DATABASE_H */
