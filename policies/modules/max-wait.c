/* policies/modules/max-wait.c - jobs should not wait longer than they state.
 *
 * Jobs are ordered by the end of their longest wait: `max_wait` of the trace,
 * else `time`; those without one are last.  A job whose wait is over is
 * admitted (action enqueue) unless a module of the same tier or of one before
 * refuses it, as with the plugin sla of Volcano.
 */
#include "policies/policy.h"

enum { TIME };

static const struct gsp_param params[] = {
    { "time", GSP_TIME, "0s", 0, INT64_MAX,
      "longest wait of jobs that state none; 0s: none", NULL },
};

/* When the wait of the job is over; GSP_NEVER: never. */
static gsp_time ends(const struct gsp_self *m, const struct gsp_job *j)
{
    const gsp_time said = m->host->job_max_wait(j);
    const gsp_time wait = said ? said : m->value[TIME].whole;
    const gsp_time since = m->host->job_since(j);

    return wait == 0 || since > GSP_NEVER - wait ? GSP_NEVER : since + wait;
}

static int max_wait_job_order(void *self, const struct gsp_job *a,
                              const struct gsp_job *b)
{
    const gsp_time x = ends(self, a), y = ends(self, b);

    return (x > y) - (x < y);
}

static gsp_time max_wait_admits_at(void *self, const struct gsp_job *j)
{
    return ends(self, j);
}

extern const struct gsp_module gsp_module_max_wait;
const struct gsp_module gsp_module_max_wait = {
    GSP_ABI,
    .name = "max-wait",
    .summary =
        "the job first that may wait least, and admitted when it is over",
    GSP_PARAMS(params),
    .reads = GSP_READS_MAX_WAIT,
    .job_order = max_wait_job_order,
    .admits_at = max_wait_admits_at,
};
