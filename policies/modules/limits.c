/* policies/modules/limits.c - limits of QOS and accounts on what their jobs
 * hold at once, and tokens of pools: `limits` and `pools` in the trace.
 *
 * A job that a limit keeps is passed over; jobs behind it may start.  Its wait
 * has the cause quota, refused by the name of the limit in Slurm.  Of several
 * limits on the same, that of the QOS holds, not those of accounts.  What
 * limits in minutes count as used is halved in each `half_life`.
 */
#include "policies/modules/exact_math.h"
#include "policies/policy.h"

#define ALL (UINT64_C(1) << 32)

static bool limits_allocatable(void *self, const struct gsp_job *j,
                               const int64_t *asked)
{
    const struct gsp_self *m = self;

    return !m->host->job_limit(j, asked);
}

enum { ACCOUNTS, HALF_LIFE, PERIOD };

static const struct gsp_param params[] = {
    { "accounts", GSP_YESNO, "yes", 0, 1,
      "limits of QOS and accounts hold; with no only pools", NULL },
    { "half_life", GSP_TIME, "0s", 0, INT64_MAX,
      "after which half of the usage below `minutes` and `group_wall` counts; "
      "0s: all of it",
      NULL },
    { "period", GSP_TIME, "5m", INT64_C(1000000), INT64_MAX,
      "time between two computations of that", NULL },
};

static uint32_t limits_unread(const union gsp_value *value)
{
    return value[ACCOUNTS].whole ? 0 : GSP_READS_LIMITS;
}

static bool limits_usage_decay(void *self, struct gsp_decay *out)
{
    const struct gsp_self *m = self;
    const int64_t half_life = m->value[HALF_LIFE].whole;

    if (half_life == 0)
        return false;
    out->period = m->value[PERIOD].whole;
    out->keeps = (uint64_t)(exact_exp2(-(double)out->period / (double)half_life)
                            * (double)ALL);
    return true;
}

extern const struct gsp_module gsp_module_limits;
const struct gsp_module gsp_module_limits = {
    GSP_ABI,
    .name = "limits",
    .summary = "no more than the limits of QOS, accounts and pools allow",
    GSP_PARAMS(params),
    .promises = GSP_ANY_QUEUE,
    .reads = GSP_READS_LIMITS | GSP_READS_POOLS,
    .unread = limits_unread,
    .allocatable = limits_allocatable,
    .usage_decay = limits_usage_decay,
};
