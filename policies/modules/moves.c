/* policies/modules/moves.c - how action consolidate moves jobs, and what that
 * may cost.
 *
 * A move costs what the job loses: its work since the last checkpoint, and
 * `restart`, on all that it holds of the resource that counts (GPUs, of jobs
 * without GPUs the one of which they ask most).  `price` is the most that all
 * moves for one job may cost for each unit of it that the job asks for: with
 * 10m, a job of 8 GPUs may cost 80 GPU minutes.
 *
 * The jobs are placed by the modules of the profile.  Some of these, such as
 * those that spread, like best the node that a job just left; with `keep_off`
 * it is then tried again without the nodes on which room is made.  KAI
 * Scheduler does not.  With `tasks: turn` a job gets one turn in a trial, its
 * gang or one task above it: no two tasks above a gang move for one other job.
 *
 * While fewer than `nodes` nodes are empty, once in `period` the node whose
 * jobs lose least is emptied, for at most the price of all that the node has.
 */
#include "policies/policy.h"

enum { PRICE, RESTART, FOR, JOBS, TRIALS, NODES, PERIOD, KEEP_OFF, TASKS };

static const char *const whom[] = { "all", "preemptible", NULL };
static const char *const tasks[] = { "all", "turn", NULL };

static const struct gsp_param params[] = {
    { "price", GSP_TIME, "10m", 0, INT64_MAX,
      "most that moves may cost for each GPU that the job asks for", NULL },
    { "restart", GSP_TIME, "0s", 0, INT64_MAX,
      "what a moved job loses beside its work since the last checkpoint",
      NULL },
    { "for", GSP_CHOICE, "all", 0, 0,
      "jobs for which others move: all, or only those that may be evicted",
      whom },
    { "jobs", GSP_WHOLE, "16", 0, UINT32_MAX,
      "jobs that are considered for moves for one job; 0: all", NULL },
    { "trials", GSP_WHOLE, "1000", 0, UINT32_MAX,
      "trials for one job; 0: any number", NULL },
    { "nodes", GSP_WHOLE, "0", 0, UINT32_MAX, "nodes that are to be empty",
      NULL },
    { "period", GSP_TIME, "10m", 1, INT64_MAX,
      "time between two moves for that", NULL },
    { "keep_off", GSP_YESNO, "yes", 0, 0,
      "try other nodes where jobs would go back to theirs", NULL },
    { "tasks", GSP_CHOICE, "all", 0, 0,
      "of one job: any number, or only its gang or one task above it", tasks },
};

static bool moves_consolidation(void *self, struct gsp_consolidation *out)
{
    const struct gsp_self *m = self;

    out->price = m->value[PRICE].whole;
    out->restart = m->value[RESTART].whole;
    out->for_preemptible = m->value[FOR].whole == 1;
    out->jobs = (uint32_t)m->value[JOBS].whole;
    out->trials = (uint32_t)m->value[TRIALS].whole;
    out->nodes = (uint32_t)m->value[NODES].whole;
    out->period = m->value[PERIOD].whole;
    out->keeps_off = m->value[KEEP_OFF].whole;
    out->by_turn = m->value[TASKS].whole == 1;
    return true;
}

extern const struct gsp_module gsp_module_moves;
const struct gsp_module gsp_module_moves = {
    GSP_ABI,
    .name = "moves",
    .summary = "how action consolidate moves jobs, and what that may cost",
    GSP_PARAMS(params),
    .consolidation = moves_consolidation,
};
