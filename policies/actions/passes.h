/* policies/actions/passes.h - when the passes of Slurm's two schedulers are
 * due.
 *
 * A pass is due only when something changed that could let a job start: jobs
 * came, capacity was freed, or the order changed.  Passes at intervals are due
 * on a clock with a tick at its phase, so that they do not depend on what
 * happened before.
 */
#ifndef POLICIES_ACTIONS_PASSES_H
#define POLICIES_ACTIONS_PASSES_H

#include "policies/actions/pass_limits.h"
#include "policies/pending/in_order.h"
#include "policies/state/state.h"

/* Counts of what changed. */
struct pass_changes {
    uint64_t pushes;   /* gangs queued */
    uint64_t releases; /* with nodes and GPUs that came back */
    uint64_t orders;   /* the order of jobs, or a limit, changed with time */
};

struct gsched_passes {
    struct pass_changes main_saw, backfill_saw;
    int64_t main_full;   /* last pass over all jobs */
    int64_t main_timed;  /* last pass not because of an end */
    int64_t backfill_at; /* last pass of backfill */
    bool has_main;       /* the profile has main passes */
    bool is_cut;         /* jobs were not looked at in the last main pass */
    uint8_t *avoid;      /* [node] 1: closed, or not for this job */
    uint8_t *is_closed;  /* [partition] in this pass */
    uint32_t closed_cap;
    struct job_list list; /* of at most `listed` jobs; `next` is the next */
    uint32_t list_first;  /* jobs that are listed at first, less 1 */
    uint32_t listed, next;
    uint32_t *looked; /* [job] the last pass that looked at it */
    uint32_t looked_cap;
    struct pass_limits limits;
};

struct gsched_passes *gsched_passes_of(struct gsched *s);
void gsched_passes_free(struct gsched *s);
/* The first tick after `after` of a clock with a tick at `phase`. */
int64_t gsched_tick_after(int64_t phase, int64_t interval, int64_t after);
/* True when a main pass is due now; *full: over all jobs. */
bool gsched_main_is_due(struct gsched *s, bool *full);
void gsched_main_pass(struct gsched *s, bool full);
/* The time of the next pass of either kind; GSCHED_NEVER. */
int64_t gsched_passes_next(const struct gsched *s);
/* True when a pass of windowed backfill is due now; it is done. */
bool gsched_windowed_is_due(struct gsched *s);
void gsched_windowed_seen(struct gsched *s);

/* Go over the pending gangs in order: begin a pass that may look at about so
 * many jobs; the next job that was not looked at in it, or NONE.  Jobs may
 * start in between.
 */
void gsched_pass_begin(struct gsched *s, uint32_t jobs);
uint32_t gsched_pass_next(struct gsched *s);

#endif /* POLICIES_ACTIONS_PASSES_H */
