/* policies/modules/quota.c - how the action admit gives quota to jobs.
 *
 * A job gets the quota of all its tasks before any node is chosen: `guarantee`
 * of its queue and, up to `borrow`, what the queues beside it lend.  The queues
 * state which jobs may be evicted for that (docs/traces.md); the parameters are
 * what Kueue's Configuration says for all of them: fairSharing,
 * waitForPodsReady, and quotaCheckStrategy.
 */
#include "policies/policy.h"

static const char *const strategies[] = { "final-initial", "final", "initial",
                                          NULL };

enum {
    SHARES,
    STRATEGIES,
    UNCOVERED,
    READY,
    ONE_BY_ONE,
    REQUEUE,
    PAUSE,
    PAUSE_MOST,
    ATTEMPTS,
    RECOVERY,
    WITH_ROOM,
    BETWEEN,
    OWN_FIRST,
    OWN_EVICTS,
    UNFIT
};

static const char *const uncovered[] = { "admit", "refuse", NULL };
static const char *const requeues[] = { "last", "submitted", NULL };
static const char *const betweens[] = { "priority", "time", NULL };
static const char *const unfits[] = { "reject", "wait", NULL };

static const struct gsp_param params[] = {
    { "shares", GSP_YESNO, "no", 0, 0,
      "order queues and find victims by their dominant shares", NULL },
    { "strategies", GSP_CHOICE, "final-initial", 0, 0,
      "shares: the victim's side keeps at least the preemptor's share (final), "
      "or has a larger one before (initial)",
      strategies },
    { "uncovered", GSP_CHOICE, "admit", 0, 0,
      "jobs that ask for a resource without quota in their queue", uncovered },
    { "ready", GSP_TIME, "0s", 0, INT64_MAX,
      "an admitted job that does not run after so long is put back; 0s: never",
      NULL },
    { "one_by_one", GSP_YESNO, "no", 0, 0,
      "no job is admitted while an admitted one does not run", NULL },
    { "requeue", GSP_CHOICE, "last", 0, 0,
      "a job that is put back waits since then, or since its submission",
      requeues },
    { "pause", GSP_TIME, "60s", 0, INT64_MAX,
      "pause of a job that is put back; each time doubles it", NULL },
    { "pause_most", GSP_TIME, "3600s", 0, INT64_MAX, "the longest pause",
      NULL },
    { "attempts", GSP_WHOLE, "0", 0, UINT32_MAX,
      "a job that is put back so often fails; 0: any number of times", NULL },
    { "recovery", GSP_TIME, "0s", 0, INT64_MAX,
      "as ready, of a job that lost its nodes; 0s: it keeps its quota", NULL },
    { "with_room", GSP_YESNO, "no", 0, 0,
      "a job is admitted only where its gang has room on nodes, and is placed "
      "at once; victims make room, too",
      NULL },
    { "between", GSP_CHOICE, "priority", 0, 0,
      "first jobs of several queues that borrow alike, or have equal shares: "
      "the one of higher priority, or the one that waits longest, is first",
      betweens },
    { "own_first", GSP_YESNO, "yes", 0, 0,
      "shares: a queue that borrows nothing of what its job asks for is first",
      NULL },
    { "own_evicts", GSP_YESNO, "yes", 0, 0,
      "shares: a job within the quota of its queue evicts jobs of queues that "
      "borrow, whatever their shares",
      NULL },
    { "unfit", GSP_CHOICE, "reject", 0, 0,
      "jobs that no node could ever run: they are rejected, or wait in their "
      "queue, or with their quota, as others do",
      unfits },
};

static bool quota_admit(void *self, struct gsp_admit *out)
{
    const struct gsp_self *q = self;

    out->shares = q->value[SHARES].whole != 0;
    out->final_first = q->value[STRATEGIES].whole != 2;
    out->then_initial = q->value[STRATEGIES].whole == 0;
    out->refuses_uncovered = q->value[UNCOVERED].whole == 1;
    out->ready = q->value[READY].whole;
    out->one_by_one = q->value[ONE_BY_ONE].whole != 0;
    out->requeues_last = q->value[REQUEUE].whole == 0;
    out->pause = q->value[PAUSE].whole;
    out->pause_most = q->value[PAUSE_MOST].whole;
    out->attempts = (uint32_t)q->value[ATTEMPTS].whole;
    out->recovery = q->value[RECOVERY].whole;
    out->with_room = q->value[WITH_ROOM].whole != 0;
    out->by_time = q->value[BETWEEN].whole == 1;
    out->shares_alone = q->value[OWN_FIRST].whole == 0;
    out->own_is_even = q->value[OWN_EVICTS].whole == 0;
    out->unfit_waits = q->value[UNFIT].whole == 1;
    return true;
}

#define TERM(name) (UINT64_C(1) << GSP_TERM_##name)

extern const struct gsp_module gsp_module_quota;
const struct gsp_module gsp_module_quota = {
    GSP_ABI,
    .name = "quota",
    .summary = "how action admit gives quota to jobs before they are placed",
    GSP_PARAMS(params),
    .reads = GSP_READS_PRIORITY | GSP_READS_QUEUE_WEIGHT | GSP_READS_QUEUE_STATE
             | GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_BORROW
             | GSP_READS_FLAVORS | GSP_READS_PREEMPTIBLE,
    .terms = TERM(EVICTS_OWN) | TERM(EVICTS_OTHERS) | TERM(EVICTS_BORROWING)
             | TERM(EVICTS_MOST) | TERM(NEXT_BORROWING) | TERM(NEXT_EVICTING)
             | TERM(FLAVOR_PREFERS) | TERM(HEAD_BLOCKS),
    .admit = quota_admit,
};
