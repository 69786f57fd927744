/* policies/modules/preemption.c - how the action preempt finds victims, and
 * what becomes of them.
 *
 * With `search: node` each task takes the node on which eviction costs least
 * (kube-scheduler, Volcano).  With `search: order` the candidates of the whole
 * cluster are in one order, and as many are taken as the job needs to fit
 * (Slurm's select/cons_tres): those of lowest priority first, of equals those
 * on the fewest nodes, or those that started last.  Then the search is repeated
 * `reorder` times: with the last victim first (`strict: yes`), or behind it the
 * others by the number of their nodes that the job would use.  Victims that
 * hold nothing on its nodes stay.
 *
 * With `search: trials` sets of victims grow until the job and most of them
 * have a place (KAI Scheduler): those that find another one move, the others
 * are evicted.  Action reclaim searches so, too.  With `onto: gpus`, while it
 * is for a job whose tasks all ask for GPUs, victims that ask for none move
 * only to nodes that have idle GPUs, or that victims leave.
 *
 * With `idle_first` a task of a trial goes to a node on which it fits without
 * what is evicted, if there is one (KAI Scheduler's nodeavailability).
 *
 * `delay` is the time after its eviction in which a job does not start.
 * `grace` is the time before its eviction in which a victim goes on, and may
 * end; the job that needs its room waits.  A QOS or partition may have a grace
 * time of its own.
 */
#include "policies/policy.h"

static const char *const searches[] = { "node", "order", "trials", NULL };
static const char *const firsts[] = { "least", "youngest", NULL };
static const char *const nodes[] = { "all", "gpus", NULL };

enum {
    SEARCH,
    FIRST,
    REORDER,
    STRICT,
    DELAY,
    GRACE,
    JOBS,
    TRIALS,
    ALIKE,
    ONTO,
    IDLE
};

static const struct gsp_param params[] = {
    { "search", GSP_CHOICE, "node", 0, 0,
      "node: where a task costs least; order: in one order; trials: in sets",
      searches },
    { "first", GSP_CHOICE, "least", 0, 0,
      "order: of lowest priority on fewest nodes, or youngest first", firsts },
    { "reorder", GSP_WHOLE, "2", 0, 1000,
      "order: times that the victims are sorted anew to find fewer", NULL },
    { "strict", GSP_YESNO, "no", 0, 0,
      "order: sorting anew moves the last victim to the front only", NULL },
    { "delay", GSP_TIME, "0s", 0, INT64_MAX,
      "time in which an evicted job does not start", NULL },
    { "grace", GSP_TIME, "0s", 0, INT64_MAX,
      "time in which a victim goes on before it is evicted", NULL },
    { "jobs", GSP_WHOLE, "0", 0, UINT32_MAX,
      "trials: jobs that are considered as victims for one job; 0: all", NULL },
    { "trials", GSP_WHOLE, "1000", 0, UINT32_MAX,
      "trials: most of them for one job; 0: any number", NULL },
    { "alike", GSP_YESNO, "no", 0, 0,
      "trials: jobs like one that failed in the action are tried, too", NULL },
    { "onto", GSP_CHOICE, "all", 0, 0,
      "trials: nodes for victims without GPUs, of a job that asks for GPUs",
      nodes },
    { "idle_first", GSP_YESNO, "no", 0, 0,
      "trials: tasks go first to nodes with room that no victim leaves", NULL },
};

static bool preemption_preemption(void *self, struct gsp_preemption *out)
{
    const struct gsp_self *p = self;

    out->search = (enum gsp_search)p->value[SEARCH].whole;
    out->youngest_first = p->value[FIRST].whole == 1;
    out->reorder = (uint32_t)p->value[REORDER].whole;
    out->strict = p->value[STRICT].whole != 0;
    out->delay = p->value[DELAY].whole;
    out->grace = p->value[GRACE].whole;
    out->jobs = (uint32_t)p->value[JOBS].whole;
    out->trials = (uint32_t)p->value[TRIALS].whole;
    out->tries_alike = p->value[ALIKE].whole != 0;
    out->idle_first = p->value[IDLE].whole != 0;
    out->to_gpus = p->value[ONTO].whole == 1;
    return true;
}

extern const struct gsp_module gsp_module_preemption;
const struct gsp_module gsp_module_preemption = {
    GSP_ABI,
    .name = "preemption",
    .summary = "how victims are found, and how long they stay away",
    GSP_PARAMS(params),
    .preemption = preemption_preemption,
};
