/* sim/cli/stored_run.h - the run of a database that a command names. */
#ifndef CLI_STORED_RUN_H
#define CLI_STORED_RUN_H

struct gs_arena;
struct gs_err;
struct report_store;
struct report_stored_run;

/* The run called `name`, with NULL the only one, in `arena`. */
int cmd_run_find(struct report_store *s, const char *name,
                 struct gs_arena *arena, struct report_stored_run *out,
                 struct gs_err *err);

#endif /* CLI_STORED_RUN_H */
