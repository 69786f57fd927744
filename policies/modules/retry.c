/* policies/modules/retry.c - what follows an attempt to place what does not
 * fit.
 *
 * As the backoff queue of kube-scheduler: an attempt that fails is followed by
 * a pause, `first` long after the first one and doubled by each, up to `most`.
 * What is freed meanwhile lets the job be tried when its pause is over; others
 * may have taken it by then.  For a gang the pause is at least `gang` long
 * (podGroupBackoffSeconds of Coscheduling).
 *
 * With `unit: pod` and `part: 90` nothing of a gang of which less than 90 %
 * fits is placed, since that plugin rejects the pods that it placed when it
 * finds one that does not fit (podGroupRejectPercentage 10).
 */
#include "policies/policy.h"

enum { FIRST, MOST, GANG, PART };

static const struct gsp_param params[] = {
    { "first", GSP_TIME, "1s", 0, INT64_MAX,
      "pause after the first attempt that fails; each doubles it", NULL },
    { "most", GSP_TIME, "10s", 0, INT64_MAX,
      "the longest pause, or first, if that is longer", NULL },
    { "gang", GSP_TIME, "0s", 0, INT64_MAX, "the shortest pause of a gang",
      NULL },
    { "part", GSP_WHOLE, "0", 0, 100,
      "unit pod: percentage of a gang that must fit at once; 0: task by task",
      NULL },
};

static bool retry_retry(void *self, struct gsp_retry *out)
{
    const struct gsp_self *r = self;

    out->first = r->value[FIRST].whole;
    out->most = r->value[MOST].whole;
    out->gang = r->value[GANG].whole;
    out->part = (uint32_t)r->value[PART].whole;
    return true;
}

extern const struct gsp_module gsp_module_retry;
const struct gsp_module gsp_module_retry = {
    GSP_ABI,
    .name = "retry",
    .summary = "a job that did not fit is tried again after a pause only",
    GSP_PARAMS(params),
    .retry = retry_retry,
};
