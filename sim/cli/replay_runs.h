/* sim/cli/replay_runs.h - the runs of gsim replay: made, stored and told in
 * their order, several at once.
 */
#ifndef CLI_REPLAY_RUNS_H
#define CLI_REPLAY_RUNS_H

#include <stdbool.h>
#include <stdint.h>

struct gs_err;
struct inputs;
struct report_store;
struct study_run;

struct replay_runs {
    struct inputs *in;
    struct study_run *run; /* [count] */
    uint32_t count;
    uint32_t jobs; /* runs made at once */
    /* Takes the runs, with one job; with several each run opens `db`, and no
     * database may be open.
     */
    struct report_store *store;
    const char *db;
    bool is_quiet;    /* no progress, no notices */
    bool tells_stats; /* --stats */
    int signal;       /* out: the signal that ended them, or 0 */
};

/* Make and store all runs.  -1 on the failure of the first one that failed;
 * then those before it are stored.
 */
int replay_runs_make(struct replay_runs *r, struct gs_err *err);

#endif /* CLI_REPLAY_RUNS_H */
