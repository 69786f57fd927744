/* sim/cli/stored_run.c - a run of a database, see stored_run.h. */
#include "sim/cli/stored_run.h"

#include <string.h>

#include "base/err.h"
#include "reports/store/store.h"

int cmd_run_find(struct report_store *s, const char *name,
                 struct gs_arena *arena, struct report_stored_run *out,
                 struct gs_err *err)
{
    const struct gs_mark at = { .source = report_store_path(s) };
    struct report_stored_run *run;
    char names[120];
    uint32_t runs;

    if (report_store_runs(s, arena, &run, &runs, err) < 0)
        return -1;
    for (uint32_t i = 0; i < runs; i++) {
        if (name ? strcmp(run[i].name, name) == 0 : runs == 1) {
            *out = run[i];
            return 0;
        }
    }
    return gs_fail(err, GS_USAGE, at, "name a run with --run (there are: %s)",
                   report_store_names(s, names, sizeof(names)));
}
