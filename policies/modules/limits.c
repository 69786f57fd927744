/* policies/modules/limits.c - limits of QOS and accounts on what their jobs hold
 * at once, and tokens of pools: `limits` and `pools` in the trace.
 *
 * A job that a limit keeps is passed over; jobs behind it may start.  Its wait
 * has the cause quota, refused by the name of the limit in Slurm.  Of several
 * limits on the same, that of the QOS holds, not those of accounts.
 */
#include "policies/policy.h"

static bool limits_allocatable(void *self, const struct gsp_job *j,
                               const int64_t *asked)
{
    const struct gsp_self *m = self;

    return !m->host->job_limit(j, asked);
}

enum { ACCOUNTS };

static const struct gsp_param params[] = {
    { "accounts", GSP_YESNO, "yes", 0, 1,
      "limits of QOS and accounts hold; with no only pools", NULL },
};

static uint32_t limits_unread(const union gsp_value *value)
{
    return value[ACCOUNTS].whole ? 0 : GSP_READS_LIMITS;
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
};
