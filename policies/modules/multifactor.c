/* policies/modules/multifactor.c - jobs by a number: a weighted sum of factors.
 *
 * Jobs of a partition with a higher tier go first, then those with a higher
 * number.  The number of a job is computed when it is submitted, and again at
 * the end of each period; in between it stands.  With the weight of a factor 0
 * the factor does not count.
 */
#include <assert.h>

#include "policies/modules/job_priority.h"
#include "policies/policy.h"

#define SECOND INT64_C(1000000)

enum {
    AGE,
    MAX_AGE,
    FAIRSHARE,
    JOB_SIZE,
    FAVOR,
    PER_MINUTE,
    PARTITION,
    QOS,
    TRES,
    PERIOD,
    PHASE
};
enum { LARGE, SMALL };
enum { FACTORS = 5 }; /* without those of resources */

static const char *const favors[] = { "large", "small", NULL };

#define WEIGHT(name, summary)                                     \
    {                                                             \
        name, GSP_WHOLE, "0", 0, JOB_PRIORITY_MOST, summary, NULL \
    }

static const struct gsp_param params[] = {
    WEIGHT("age", "weight of the time that a job has waited, of max_age"),
    { "max_age", GSP_TIME, "7d", 1, INT64_MAX,
      "time after which a job does not age any more", NULL },
    WEIGHT("fairshare", "weight of the factor of module fairshare"),
    WEIGHT("job_size", "weight of the part of the cluster that a job asks for"),
    { "favor", GSP_CHOICE, "large", 0, 0, "large or small jobs", favors },
    { "per_minute", GSP_YESNO, "no", 0, 1,
      "the size of a job is divided by its estimate in minutes", NULL },
    WEIGHT("partition", "weight of the factor of the job's partition"),
    WEIGHT("qos", "weight of the priority of the job's QOS, of the highest"),
    { "tres", GSP_WEIGHTS, "{}", 0, 0,
      "weight of the parts of each resource that a job asks for", NULL },
    { "period", GSP_TIME, "5m", SECOND, INT64_MAX,
      "time between two computations", NULL },
    { "phase", GSP_TIME, "0s", 0, INT64_MAX, "a time of one of them", NULL },
};

/* The number of a job, by job_id(). */
struct number {
    uint64_t period; /* in which it was computed, and 1; 0: never */
    uint32_t life;   /* of the job */
    uint32_t priority;
};

struct multifactor {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value;
    uint32_t dims;
    double nodes;          /* of the cluster */
    double most_factor;    /* of all partitions */
    double most_priority;  /* of all QOS levels */
    gsp_time at;           /* begin of the period */
    gsp_time youngest;     /* the latest since when a job waits */
    uint64_t period;       /* its number, and 1 */
    struct job_term *term; /* of one job */
    struct number *number; /* [job_id] */
    uint32_t numbers;
};

static double most_of(void *ctx, uint32_t count,
                      uint32_t (*of)(void *, uint32_t))
{
    double most = 0;

    for (uint32_t i = 0; i < count; i++)
        most = of(ctx, i) > most ? of(ctx, i) : most;
    return most;
}

static int multifactor_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct multifactor *m = host->keep(ctx, sizeof(*m));

    if (value[FAIRSHARE].whole > 0 && !host->has_fair_share(ctx))
        return host->fail(ctx, "'fairshare' needs module", "fairshare");
    m->host = host;
    m->ctx = ctx;
    m->value = value;
    m->dims = host->dims(ctx);
    m->nodes = host->domains(ctx, host->levels(ctx) - 1);
    m->most_factor = most_of(ctx, host->partitions(ctx),
                             host->partition_factor);
    m->most_priority = most_of(ctx, host->qos_levels(ctx), host->qos_priority);
    m->term = host->keep(ctx, (FACTORS + m->dims) * sizeof(*m->term));
    m->period = 1;
    m->at = value[PHASE].whole % value[PERIOD].whole;
    m->at -= m->at > 0 ? value[PERIOD].whole : 0;
    *self = m;
    return 0;
}

/* --- factors -------------------------------------------------------------- */

static double age_factor(struct multifactor *m, const struct gsp_job *j)
{
    const gsp_time since = m->host->job_ready(j);

    m->youngest = since > m->youngest ? since : m->youngest;
    return since < m->at ? job_factor_limited((double)(m->at - since)
                                              / (double)m->value[MAX_AGE].whole)
                         : 0;
}

static double share_factor(struct multifactor *m, const struct gsp_job *j)
{
    return m->host->fair_share(j);
}

static double size_factor(struct multifactor *m, const struct gsp_job *j)
{
    const struct job_size s = {
        .nodes = m->host->job_gang(j),
        .cpus = (double)m->host->job_minimum(j)[GSP_CPU],
        .cluster_nodes = m->nodes,
        .cluster_cpus = (double)m->host->dim_total(m->ctx, GSP_CPU),
        .minutes = m->value[PER_MINUTE].whole ? (double)m->host->job_estimate(j)
                                                    / (60 * (double)SECOND)
                                              : 0,
        .favors_small = m->value[FAVOR].whole == SMALL,
        .per_minute = m->value[PER_MINUTE].whole != 0,
    };

    return job_size_factor(&s);
}

static double partition_factor(struct multifactor *m, const struct gsp_job *j)
{
    const uint32_t partition = m->host->job_partition(j);

    return partition != GSP_NONE && m->most_factor > 0
               ? m->host->partition_factor(m->ctx, partition) / m->most_factor
               : 0;
}

static double qos_factor(struct multifactor *m, const struct gsp_job *j)
{
    const uint32_t qos = m->host->job_qos(j);

    return qos != GSP_NONE && m->most_priority > 0
               ? m->host->qos_priority(m->ctx, qos) / m->most_priority
               : 0;
}

/* The parts of all resources, each with its weight; their number. */
static uint32_t tres_terms(const struct multifactor *m, const struct gsp_job *j,
                           struct job_term *term)
{
    const double *weight = m->value[TRES].weights;
    const int64_t *asked = m->host->job_minimum(j);
    uint32_t n = 0;

    for (uint32_t d = 0; d < m->dims; d++) {
        const int64_t total = m->host->dim_total(m->ctx, d);

        if (weight[d] > 0 && asked[d] > 0 && total > 0)
            term[n++] = (struct job_term){ weight[d],
                                           (double)asked[d] / (double)total };
    }
    return n;
}

static uint32_t compute(struct multifactor *m, const struct gsp_job *j)
{
    static const struct {
        uint32_t weight; /* parameter */
        double (*factor)(struct multifactor *, const struct gsp_job *);
    } factors[] = {
        { AGE, age_factor },       { FAIRSHARE, share_factor },
        { JOB_SIZE, size_factor }, { PARTITION, partition_factor },
        { QOS, qos_factor },
    };
    uint32_t n = 0;

    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        const int64_t weight = m->value[factors[i].weight].whole;

        if (weight > 0)
            m->term[n++] = (struct job_term){ (double)weight,
                                              factors[i].factor(m, j) };
    }
    n += tres_terms(m, j, m->term + n);
    return job_priority_number(m->term, n, m->host->job_nice(j));
}

/* --- order ---------------------------------------------------------------- */

static void numbers_grow(struct multifactor *m, uint32_t id)
{
    uint32_t count = m->numbers ? m->numbers : 64;
    struct number *grown;

    while (count <= id)
        count = count > UINT32_MAX / 2 ? UINT32_MAX : count * 2;
    grown = m->host->keep(m->ctx, count * sizeof(*grown));
    for (uint32_t i = 0; i < m->numbers; i++)
        grown[i] = m->number[i];
    m->number = grown;
    m->numbers = count;
}

static uint32_t number_of(struct multifactor *m, const struct gsp_job *j)
{
    const uint32_t id = m->host->job_id(j), life = m->host->job_life(j);
    struct number *n;

    if (id >= m->numbers)
        numbers_grow(m, id);
    n = &m->number[id];
    if (n->period != m->period || n->life != life)
        *n = (struct number){ m->period, life, compute(m, j) };
    return n->priority;
}

static uint32_t tier_of(const struct multifactor *m, const struct gsp_job *j)
{
    const uint32_t partition = m->host->job_partition(j);

    return partition == GSP_NONE ? 0
                                 : m->host->partition_tier(m->ctx, partition);
}

static int multifactor_job_order(void *self, const struct gsp_job *a,
                                 const struct gsp_job *b)
{
    struct multifactor *m = self;
    uint32_t x = tier_of(m, a), y = tier_of(m, b);

    if (x == y) {
        x = number_of(m, a);
        y = number_of(m, b);
    }
    return (x < y) - (x > y);
}

static int64_t multifactor_number(void *self, const struct gsp_job *j)
{
    return number_of(self, j);
}

static bool multifactor_reorder(void *self)
{
    struct multifactor *m = self;
    const gsp_time length = m->value[PERIOD].whole;
    const gsp_time now = m->host->now(m->ctx);

    if (now - m->at < length)
        return false;
    m->at += (now - m->at) / length * length;
    m->period++;
    return true;
}

static gsp_time multifactor_reorders_at(void *self)
{
    const struct multifactor *m = self;

    /* fair share is module fairshare's to tell */
    return m->value[AGE].whole > 0
                   && m->at - m->youngest < m->value[MAX_AGE].whole
               ? m->at + m->value[PERIOD].whole
               : GSP_NEVER;
}

static uint32_t multifactor_unread(const union gsp_value *value)
{
    return (value[PER_MINUTE].whole ? 0 : GSP_READS_ESTIMATE)
           | (value[QOS].whole ? 0 : GSP_READS_QOS);
}

extern const struct gsp_module gsp_module_multifactor;
const struct gsp_module gsp_module_multifactor = {
    GSP_ABI,
    .name = "multifactor",
    .summary = "jobs by a weighted sum of age, fair share, size, QOS ...",
    GSP_PARAMS(params),
    .reads = GSP_READS_QOS | GSP_READS_PARTITIONS | GSP_READS_NICE
             | GSP_READS_ESTIMATE,
    .open = multifactor_open,
    .unread = multifactor_unread,
    .job_order = multifactor_job_order,
    .number = multifactor_number,
    .reorder = multifactor_reorder,
    .reorders_at = multifactor_reorders_at,
};
