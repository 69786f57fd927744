/* reports/store/choose.h - runs of one or several databases, by name. */
#ifndef REPORTS_STORE_CHOOSE_H
#define REPORTS_STORE_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

#include "reports/store/store.h"

struct report_choice {
    struct report_store *store;
    struct report_stored_run run;
};

/* Find the runs of the `names` names in `name` (0: all runs, store by store),
 * in the order of the names, in `arena`.  A name means the runs of this name in
 * all stores; "DB:NAME" means the run of one store, where DB is its path or the
 * last part of it.  -1 (GS_USAGE) when no store has the name, or when it is
 * ambiguous.
 */
int report_choose(struct report_store *const *store, size_t stores,
                  const char *const *name, size_t names, struct gs_arena *arena,
                  struct report_choice **choice, uint32_t *count,
                  struct gs_err *err);

#endif /* REPORTS_STORE_CHOOSE_H */
