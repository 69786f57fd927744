/* policies/profile/stated.c - settings that a workload states, see reads.h. */
#include <string.h>

#include "policies/profile/job_stated.h"
#include "policies/profile/reads.h"
#include "traces/workload/accounts.h"
#include "traces/workload/budgets.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

#define JOBS_AT_ONCE 1024u

static const struct {
    const char *name;
    uint64_t input; /* enum gsp_input, GSP_READS_SLICES, GSCHED_READS_HOLD */
    bool may_equal; /* it has no effect when it is the same for all */
} settings[SETTINGS] = {
    [QUEUE_LIMIT] = { "limit", GSP_READS_QUEUE_LIMIT, false },
    [QUEUE_USER_LIMIT] = { "user_limit", GSP_READS_USER_LIMIT, false },
    [QUEUE_GUARANTEE] = { "guarantee", GSP_READS_QUEUE_GUARANTEE, false },
    [QUEUE_DESERVED] = { "deserved", GSP_READS_QUEUE_DESERVED, false },
    [QUEUE_WEIGHT] = { "weight", GSP_READS_QUEUE_WEIGHT, true },
    [QUEUE_PRIORITY] = { "priority", GSP_READS_QUEUE_PRIORITY, true },
    [QUEUE_STATE] = { "state", GSP_READS_QUEUE_STATE, false },
    [QUEUE_RECLAIMABLE] = { "reclaimable", GSP_READS_QUEUE_RECLAIMABLE, false },
    [QUEUE_BORROW] = { "borrow", GSP_READS_QUEUE_BORROW, false },
    [QUEUE_LEND] = { "lend", GSP_READS_QUEUE_BORROW, false },
    [QUEUE_OVER_QUOTA] = { "over_quota", GSP_READS_OVER_QUOTA, false },
    [QUEUE_FLAVORS] = { "flavors", GSP_READS_FLAVORS, false },
    [QUEUE_USER_LIMITS] = { "user_limits", GSP_READS_USER_LIMITS, false },
    [JOB_PRIORITY] = { "priority", GSP_READS_PRIORITY, true },
    [JOB_PREEMPTION] = { "preemption", GSP_READS_PREEMPTION, false },
    [JOB_PREEMPTIBLE] = { "preemptible", GSP_READS_PREEMPTIBLE, false },
    [JOB_TOPOLOGY] = { "topology", GSP_READS_WITHIN, false },
    [JOB_SLICES] = { "topology without a tier, or with slices",
                     GSP_READS_SLICES, false },
    [JOB_FLAVORS] = { "flavors", GSP_READS_FLAVORS, false },
    [JOB_AFFINITY] = { "affinity", GSP_READS_RULES, false },
    [JOB_ANTI_AFFINITY] = { "anti_affinity", GSP_READS_RULES, false },
    [JOB_SPREAD] = { "spread", GSP_READS_RULES, false },
    [JOB_PREFER] = { "prefer", GSP_READS_PREFER, false },
    [JOB_SOFT_AFFINITY] = { "weight of affinity", GSP_READS_SOFT_AFFINITY,
                            false },
    [JOB_SOFT_ANTI_AFFINITY] = { "weight of anti_affinity",
                                 GSP_READS_SOFT_AFFINITY, false },
    [JOB_SOFT_SPREAD] = { "preferred spread", GSP_READS_SOFT_SPREAD, false },
    [JOB_MAX_WAIT] = { "max_wait", GSP_READS_MAX_WAIT, false },
    [JOB_GANG_TIMEOUT] = { "gang_timeout", GSCHED_READS_HOLD, false },
    [JOB_NICE] = { "nice", GSP_READS_NICE, true },
    [JOB_MIN_RESOURCES] = { "min_resources", GSP_READS_ADMISSION, false },
    [JOB_TASK_AFFINITY] = { "task_affinity", GSP_READS_TASK_RULES, false },
    [JOB_ESTIMATE] = { "estimate", GSP_READS_ESTIMATE, false },
    [BUDGET] = { "jobs", GSP_READS_BUDGETS, false },
    [ACCOUNT] = { "shares", GSP_READS_ACCOUNTS, false },
    [QOS] = { "priority", GSP_READS_QOS, false },
    [PARTITION] = { "tier", GSP_READS_PARTITIONS, false },
    [ACCOUNT_LIMITS] = { "limits", GSP_READS_LIMITS, false },
    [QOS_LIMITS] = { "limits", GSP_READS_LIMITS, false },
    [QOS_USAGE_FACTOR] = { "usage_factor", GSP_READS_QOS | GSP_READS_LIMITS,
                           false },
    [QOS_GRACE] = { "grace", GSP_READS_PREEMPTION, false },
    [PARTITION_GRACE] = { "grace", GSP_READS_PREEMPTION, false },
    [POOL] = { "size", GSP_READS_POOLS, false },
};

_Static_assert(SETTINGS <= GSCHED_SETTINGS_MAX, "all of them are found");
_Static_assert(TRACE_QUEUE_TERMS < 32, "GSCHED_READS_TERM has a bit for each");

static const char *name_of(uint32_t what)
{
    return what >= QUEUE_TERM && what < JOB_PRIORITY
               ? trace_term_info[what - QUEUE_TERM].key
               : settings[what].name;
}

static uint64_t input_of(uint32_t what)
{
    return what >= QUEUE_TERM && what < JOB_PRIORITY
               ? GSCHED_READS_TERM(what - QUEUE_TERM)
               : settings[what].input;
}

uint32_t gsched_settings_known(void)
{
    return SETTINGS;
}

static bool any_above(const int64_t *amount, int64_t least)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        if (amount[d] > least)
            return true;
    }
    return false;
}

static bool any_all(const int64_t *amount)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        if (amount[d] == TRACE_ALL)
            return true;
    }
    return false;
}

static bool has_over_quota(const double *weight)
{
    bool any = false;

    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        any |= weight[d] >= 0;
    return any;
}

/* Is it of those that few queues state? */
static bool is_extra(uint32_t what)
{
    return what == QUEUE_BORROW || what == QUEUE_LEND
           || what == QUEUE_OVER_QUOTA || what == QUEUE_FLAVORS
           || what == QUEUE_USER_LIMITS
           || (what >= QUEUE_TERM && what < JOB_PRIORITY);
}

/* Does the queue state it? */
static bool extra_states(const struct trace_queue_extra *x, uint32_t what)
{
    switch (what) {
    case QUEUE_BORROW:
        return any_above(x->borrow, -1);
    case QUEUE_LEND:
        return any_above(x->lend, -1);
    case QUEUE_OVER_QUOTA:
        return has_over_quota(x->over_quota);
    case QUEUE_FLAVORS:
        return x->flavor_count > 0;
    case QUEUE_USER_LIMITS:
        return x->user_limits > 0;
    default:
        return x->term[what - QUEUE_TERM]
               != trace_term_info[what - QUEUE_TERM].fallback;
    }
}

static bool queue_states(const struct trace_workload *w, uint32_t queue,
                         uint32_t what)
{
    const struct trace_queue *q = &w->queue[queue];

    switch (what) {
    case QUEUE_LIMIT:
        return q->amounts && any_above(q->amounts->limit, -1);
    case QUEUE_USER_LIMIT:
        return q->amounts && any_above(q->amounts->user_limit, -1);
    case QUEUE_GUARANTEE:
        return q->amounts && any_above(q->amounts->guarantee, 0);
    case QUEUE_DESERVED:
        return q->amounts
               && (any_above(q->amounts->deserved, 0)
                   || any_all(q->amounts->deserved));
    case QUEUE_WEIGHT:
        return q->weight > 1 || q->weight < 1;
    case QUEUE_PRIORITY:
        return q->priority != 0;
    case QUEUE_STATE:
        return q->closed;
    case QUEUE_RECLAIMABLE:
        return q->keeps;
    default:
        return q->extra && extra_states(trace_queue_extra(w, q), what);
    }
}

/* False when no queue or job can state it, by what there is of the whole
 * workload.
 */
static bool may_state(const struct trace_workload *w, enum stated what)
{
    bool any = false;

    if (is_extra(what))
        return w->terms->queue_extra_count > 0;
    switch (what) {
    case JOB_AFFINITY:
    case JOB_ANTI_AFFINITY:
    case JOB_SPREAD:
    case JOB_SOFT_AFFINITY:
    case JOB_SOFT_ANTI_AFFINITY:
    case JOB_SOFT_SPREAD:
        return w->rule_count > 0;
    case JOB_FLAVORS:
        return w->held_count > 0;
    case JOB_PREFER:
        for (uint32_t i = 0; i < w->shape_count; i++)
            any |= w->shape[i].preference_count > 0;
        return any;
    case JOB_PREEMPTION:
        for (uint32_t i = 0; i < w->class_count; i++)
            any |= !w->klass[i].preempts;
        return any;
    default:
        return true;
    }
}

/* Queue 0 exists whether the trace names it or not. */
static uint32_t first_queue(const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].queue == 0)
            return 0;
    }
    return 1;
}

/* True when two have different weights or priorities. */
static bool differ(const struct trace_workload *w, enum stated what)
{
    const struct trace_queue *q = w->queue + first_queue(w);
    bool any = false;

    for (uint32_t i = 0; i < w->job_count && what == JOB_PRIORITY; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->group_count && !any; k++)
            any = w->klass[trace_group_class(
                               j, trace_group_at(w, j->first_group + k))]
                      .value
                  != w->klass[w->job[0].klass].value;
    }
    for (uint32_t i = 1; i < w->job_count && what == JOB_NICE; i++)
        any |= w->job[i].aside->nice != w->job[0].aside->nice;
    for (uint32_t i = first_queue(w) + 1;
         i < w->queue_count && what < JOB_PRIORITY; i++)
        any |= what == QUEUE_PRIORITY ? w->queue[i].priority != q->priority
                                      : w->queue[i].weight > q->weight
                                            || w->queue[i].weight < q->weight;
    return any;
}

/* The objects that may state it: their name, their number. */
static const char *objects_of(const struct trace_workload *w, enum stated what,
                              uint32_t *count)
{
    switch (what) {
    case BUDGET:
        *count = w->budgets->budget_count;
        return "budget";
    case ACCOUNT:
    case ACCOUNT_LIMITS:
        *count = w->accounts->account_count;
        return "account";
    case QOS:
    case QOS_LIMITS:
    case QOS_USAGE_FACTOR:
    case QOS_GRACE:
        *count = w->accounts->qos_count;
        return "QOS level";
    case PARTITION:
    case PARTITION_GRACE:
        *count = w->accounts->partition_count;
        return "partition";
    case POOL:
        *count = w->pools->pool_count;
        return "pool";
    default:
        *count = what >= JOB_PRIORITY ? w->job_count : w->queue_count;
        return what >= JOB_PRIORITY ? "job" : "queue";
    }
}

/* Record object `i` as the first one; preemption of a job is stated by its
 * class.
 */
static void first_note(const struct trace_workload *w, uint32_t i,
                       enum stated what, struct gsched_setting *s)
{
    switch (what) {
    case BUDGET:
        s->first = w->budgets->budget[i].name;
        s->line = w->budgets->budget[i].line;
        return;
    case ACCOUNT:
    case ACCOUNT_LIMITS:
        s->first = w->accounts->account[i].name;
        s->line = w->accounts->account[i].line;
        return;
    case QOS:
    case QOS_LIMITS:
    case QOS_USAGE_FACTOR:
    case QOS_GRACE:
        s->first = w->accounts->qos[i].name;
        s->line = w->accounts->qos[i].line;
        return;
    case PARTITION:
    case PARTITION_GRACE:
        s->first = w->accounts->partition[i].name;
        s->line = w->accounts->partition[i].line;
        return;
    case POOL:
        s->first = w->pools->pool[i].name;
        s->line = w->pools->pool[i].line;
        return;
    default:
        s->first = what >= JOB_PRIORITY ? w->job[i].name : w->queue[i].name;
        s->line = what < JOB_PRIORITY      ? w->queue[i].line
                  : what == JOB_PREEMPTION ? w->klass[w->job[i].klass].line
                                           : w->job[i].line;
    }
}

/* Does object `i` state it? */
static bool is_stated(const struct trace_workload *w, uint32_t i,
                      enum stated what)
{
    switch (what) {
    case BUDGET:
    case POOL:
        return true;
    case ACCOUNT:
        return w->accounts->account[i].shares != 1
               || w->accounts->account[i].usage > 0;
    case QOS:
        return w->accounts->qos[i].priority > 0;
    case ACCOUNT_LIMITS:
        return w->accounts->account[i].limits != 0;
    case QOS_LIMITS:
        return w->accounts->qos[i].limits != 0;
    case QOS_USAGE_FACTOR:
        return w->accounts->qos[i].usage_factor < 1
               || w->accounts->qos[i].usage_factor > 1;
    case QOS_GRACE:
        return w->accounts->qos[i].grace > 0;
    case PARTITION_GRACE:
        return w->accounts->partition[i].grace > 0;
    case PARTITION:
        return w->accounts->partition[i].tier != 1
               || w->accounts->partition[i].factor != 1;
    default:
        return what >= JOB_PRIORITY ? gsched_job_states(w, &w->job[i], what)
                                    : queue_states(w, i, what);
    }
}

static bool is_of_jobs(enum stated what)
{
    return what >= JOB_PRIORITY && what < BUDGET;
}

/* Count those of the objects from `first` to before `end` that state it. */
static void stated_count(const struct trace_workload *w, enum stated what,
                         uint32_t first, uint32_t end, struct gsched_setting *s)
{
    for (uint32_t k = first; k < end; k++) {
        if (is_stated(w, k, what) && s->count++ == 0)
            first_note(w, k, what, s);
    }
}

uint32_t gsched_settings(const struct trace_workload *w,
                         struct gsched_setting out[GSCHED_SETTINGS_MAX])
{
    struct gsched_setting found[SETTINGS];
    bool may_count[SETTINGS];
    uint32_t n = 0;

    for (enum stated what = 0; what < SETTINGS; what++) {
        uint32_t all;

        found[what] = (struct gsched_setting){
            .name = name_of(what),
            .of = objects_of(w, what, &all),
            .input = input_of(what),
        };
        may_count[what] = may_state(w, what)
                          && (!settings[what].may_equal || differ(w, what));
        if (may_count[what] && !is_of_jobs(what))
            stated_count(w, what, 0, all, &found[what]);
    }
    /* Jobs are read once for all settings, so a few at a time. */
    for (uint32_t first = 0; first < w->job_count; first += JOBS_AT_ONCE) {
        const uint32_t left = w->job_count - first;
        const uint32_t end = first
                             + (left < JOBS_AT_ONCE ? left : JOBS_AT_ONCE);

        for (enum stated what = 0; what < SETTINGS; what++) {
            if (may_count[what] && is_of_jobs(what))
                stated_count(w, what, first, end, &found[what]);
        }
    }
    for (enum stated what = 0; what < SETTINGS; what++) {
        if (found[what].count)
            out[n++] = found[what];
    }
    return n;
}

/* True when "a.b.word" or "a.b.word.c", up to `end`, has the part `word` after
 * its first dot.  Names of queues may contain dots.
 */
static bool has_part(const char *path, const char *end, const char *word)
{
    const size_t len = strlen(word);

    while ((path = memchr(path, '.', (size_t)(end - path)))) {
        path++;
        if ((size_t)(end - path) >= len && memcmp(path, word, len) == 0
            && (path + len == end || path[len] == '.'))
            return true;
    }
    return false;
}

uint64_t gsched_input_of_path(const char *path)
{
    const char *end = path + strcspn(path, "=");

    if (strncmp(path, "priority_classes.", 17) == 0)
        return has_part(path, end, "preemption") ? GSP_READS_PREEMPTION
                                                 : GSP_READS_PRIORITY;
    if (strncmp(path, "accounts.", 9) == 0)
        return has_part(path, end, "limits") ? GSP_READS_LIMITS
                                             : GSP_READS_ACCOUNTS;
    if ((strncmp(path, "qos.", 4) == 0 || strncmp(path, "partitions.", 11) == 0)
        && has_part(path, end, "grace"))
        return GSP_READS_PREEMPTION;
    if (strncmp(path, "qos.", 4) == 0)
        return has_part(path, end, "limits") ? GSP_READS_LIMITS : GSP_READS_QOS;
    if (strncmp(path, "partitions.", 11) == 0)
        return GSP_READS_PARTITIONS;
    if (strncmp(path, "pools.", 6) == 0)
        return GSP_READS_POOLS;
    if (strncmp(path, "queues.", 7) != 0)
        return 0;
    if (has_part(path, end, "preemptible"))
        return GSP_READS_PREEMPTIBLE;
    for (uint32_t i = 0; i < JOB_PRIORITY; i++) {
        if (has_part(path, end, name_of(i)))
            return input_of(i);
    }
    return 0;
}
