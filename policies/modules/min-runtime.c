/* policies/modules/min-runtime.c - protects jobs that started recently.
 *
 * A job that has run for less than `time` is not evicted (Volcano's plugin
 * cdp); queues may state other times for `preempt` and for `reclaim` (KAI
 * Scheduler's plugin minruntime).  For preempt that of the victim's queue
 * counts, else that of the next queue above which states one.  For reclaim with
 * `resolve: queue` the same; with `lca` the search begins at the child, towards
 * the victim, of the lowest queue that has both jobs below it, and without such
 * a queue only the top queue of the victim is asked.
 */
#include "policies/policy.h"

enum { TIME, PREEMPT, RECLAIM, RESOLVE, SURPLUS };
enum { LCA, QUEUE };

static const char *const resolves[] = { "lca", "queue", NULL };

static const struct gsp_param params[] = {
    { "time", GSP_TIME, "0s", 0, INT64_MAX,
      "what has run for less is not evicted; 0s: no opinion", NULL },
    { "preempt", GSP_TIME, "0s", 0, INT64_MAX,
      "the same for action preempt, if that is longer", NULL },
    { "reclaim", GSP_TIME, "0s", 0, INT64_MAX,
      "the same for action reclaim, if that is longer", NULL },
    { "resolve", GSP_CHOICE, "lca", 0, 0,
      "reclaim: the queues asked, from below the common one or the job's",
      resolves },
    { "surplus", GSP_YESNO, "yes", 0, 1, "tasks above gangs are protected, too",
      NULL },
};

struct min_runtime {
    const struct gsp_host *host;
    void *ctx;
    gsp_time time[2]; /* of queues that state none, for preempt and reclaim */
    gsp_time longest;
    bool by_queue, has_surplus;
    bool has_terms; /* a queue states a time */
};

static gsp_time longer(gsp_time a, gsp_time b)
{
    return a > b ? a : b;
}

static int min_runtime_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct min_runtime *m = host->keep(ctx, sizeof(*m));

    m->host = host;
    m->ctx = ctx;
    m->time[0] = longer(value[TIME].whole, value[PREEMPT].whole);
    m->time[1] = longer(value[TIME].whole, value[RECLAIM].whole);
    m->by_queue = value[RESOLVE].whole == QUEUE;
    m->has_surplus = value[SURPLUS].whole != 0;
    m->longest = longer(m->time[0], m->time[1]);
    for (uint32_t q = 0; q < host->queues(ctx); q++) {
        const gsp_time preempt = host->queue_term(ctx, q,
                                                  GSP_TERM_PREEMPT_MIN_RUNTIME);
        const gsp_time reclaim = host->queue_term(ctx, q,
                                                  GSP_TERM_RECLAIM_MIN_RUNTIME);

        m->longest = longer(m->longest, longer(preempt, reclaim));
        m->has_terms |= preempt >= 0 || reclaim >= 0;
    }
    *self = m;
    return 0;
}

static uint32_t parent_of(const struct min_runtime *m, uint32_t queue)
{
    return m->host->queue_parent(m->ctx, queue);
}

static uint32_t depth_of(const struct min_runtime *m, uint32_t queue)
{
    uint32_t depth = 0;

    for (; queue != GSP_NONE; queue = parent_of(m, queue))
        depth++;
    return depth;
}

/* The first queue asked for a victim of queue `from` and a job of queue `by`;
 * *is_top: the only one.
 */
static uint32_t first_asked(const struct min_runtime *m, uint32_t by,
                            uint32_t from, bool *is_top)
{
    uint32_t up = depth_of(m, by), down = depth_of(m, from);
    uint32_t below = from;

    *is_top = false;
    for (; up > down; up--)
        by = parent_of(m, by);
    for (; down > up; down--) {
        below = from;
        from = parent_of(m, from);
    }
    if (by == from)
        return below;
    while (by != from) {
        below = from;
        by = parent_of(m, by);
        from = parent_of(m, from);
    }
    *is_top = from == GSP_NONE;
    return below;
}

static gsp_time time_of(const struct min_runtime *m, enum gsp_why why,
                        uint32_t by, uint32_t from)
{
    const enum gsp_queue_term term = why == GSP_PREEMPT
                                         ? GSP_TERM_PREEMPT_MIN_RUNTIME
                                         : GSP_TERM_RECLAIM_MIN_RUNTIME;
    bool is_top = false;

    if (!m->has_terms)
        return m->time[why == GSP_RECLAIM];
    if (why == GSP_RECLAIM && !m->by_queue)
        from = first_asked(m, by, from, &is_top);
    for (; from != GSP_NONE; from = is_top ? GSP_NONE : parent_of(m, from)) {
        const gsp_time stated = m->host->queue_term(m->ctx, from, term);

        if (stated >= 0)
            return stated;
    }
    return m->time[why == GSP_RECLAIM];
}

static gsp_time min_runtime_spare_time_of(void *self, enum gsp_why why,
                                          const struct gsp_job *j,
                                          const struct gsp_job *victim)
{
    const struct min_runtime *m = self;

    return time_of(m, why, m->host->job_queue(j), m->host->job_queue(victim));
}

static bool min_runtime_victims(void *self, enum gsp_why why,
                                const struct gsp_job *j,
                                const struct gsp_victims *v, uint8_t *spared)
{
    const struct min_runtime *m = self;
    const gsp_time now = m->host->now(m->ctx);
    const uint32_t by = m->host->job_queue(j);

    if (m->longest <= 0)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct gsp_job *of = v->at[i].job;
        const gsp_time since = m->host->job_started(of);
        const gsp_time time = time_of(m, why, by, m->host->job_queue(of));

        if (time <= 0
            || (!m->has_surplus && !v->at[i].is_whole
                && m->host->job_placed(of) > m->host->job_gang(of)))
            continue;
        if (since == GSP_NEVER || now - since < time)
            spared[i] = 1;
    }
    return true;
}

static gsp_time min_runtime_spare_time(void *self)
{
    const struct min_runtime *m = self;

    return m->longest;
}

extern const struct gsp_module gsp_module_min_runtime;
const struct gsp_module gsp_module_min_runtime = {
    GSP_ABI,
    .name = "min-runtime",
    .summary = "jobs are not evicted before they have run for some time",
    GSP_PARAMS(params),
    .promises = GSP_VICTIMS_ARE_SPARED,
    .terms = UINT64_C(1) << GSP_TERM_PREEMPT_MIN_RUNTIME
             | UINT64_C(1) << GSP_TERM_RECLAIM_MIN_RUNTIME,
    .open = min_runtime_open,
    .victims = min_runtime_victims,
    .gang_victims = min_runtime_victims,
    .spare_time = min_runtime_spare_time,
    .spare_time_of = min_runtime_spare_time_of,
};
