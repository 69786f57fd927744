#include "tests/lib/fake_host.h"

#include "traces/workload/queue_terms.h"
#include <assert.h>

const char *const fake_dim_names[FAKE_DIMS] = {
    "cpu", "memory", "rdma", "pods", "gpu", "extra", "foo", "bar",
};

static void *fake_keep(void *ctx, size_t size)
{
    return gs_arena_alloc(((struct fake *)ctx)->arena, 1, size);
}

static uint32_t fake_dims(void *ctx)
{
    (void)ctx;
    return FAKE_DIMS;
}

static int64_t fake_dim_total(void *ctx, uint32_t dim)
{
    return ((const struct fake *)ctx)->total[dim];
}

static gsp_time fake_job_since(const struct gsp_job *j)
{
    return j->since;
}

static int32_t fake_job_priority(const struct gsp_job *j)
{
    return j->priority;
}

static uint32_t fake_job_queue(const struct gsp_job *j)
{
    return j->queue;
}

static uint32_t fake_job_gang(const struct gsp_job *j)
{
    return j->gang;
}

static uint32_t fake_job_placed(const struct gsp_job *j)
{
    return j->placed;
}

static uint32_t fake_job_id(const struct gsp_job *j)
{
    return j->id;
}

static gsp_time fake_job_started(const struct gsp_job *j)
{
    return j->started;
}

static bool fake_job_preempts(const struct gsp_job *j)
{
    return !j->never;
}

static bool fake_job_evicts(const struct gsp_job *j,
                            const struct gsp_job *victim)
{
    return !j->never && victim->priority < j->priority;
}

static const int64_t *fake_job_used(const struct gsp_job *j)
{
    return j->used;
}

static uint64_t fake_attempts(void *ctx)
{
    (void)ctx;
    return 1;
}

static const int64_t *fake_job_minimum(const struct gsp_job *j)
{
    return j->minimum;
}

static const int64_t *fake_user_used(const struct gsp_job *j)
{
    return j->user_used;
}

static gsp_time fake_now(void *ctx)
{
    return ((const struct fake *)ctx)->now;
}

uint32_t fake_queues(void *ctx)
{
    return ((const struct fake *)ctx)->queues;
}

static const struct fake_queue *fake_queue_at(void *ctx, uint32_t q)
{
    return &((const struct fake *)ctx)->queue[q];
}

static uint32_t fake_queue_parent(void *ctx, uint32_t q)
{
    return fake_queue_at(ctx, q)->parent;
}

static double fake_queue_weight(void *ctx, uint32_t q)
{
    return fake_queue_at(ctx, q)->weight;
}

static int32_t fake_queue_priority(void *ctx, uint32_t q)
{
    return fake_queue_at(ctx, q)->priority;
}

static bool fake_queue_is_open(void *ctx, uint32_t q)
{
    return !fake_queue_at(ctx, q)->closed;
}

static bool fake_queue_reclaimable(void *ctx, uint32_t q)
{
    return !fake_queue_at(ctx, q)->keeps;
}

static const int64_t *fake_queue_amount(void *ctx, uint32_t q,
                                        enum gsp_amount which)
{
    const struct fake_queue *of = fake_queue_at(ctx, q);
    const int64_t *const amount[GSP_AMOUNTS] = {
        [GSP_GUARANTEE] = of->guarantee, [GSP_DESERVED] = of->deserved,
        [GSP_LIMIT] = of->limit,         [GSP_USER_LIMIT] = of->user_limit,
        [GSP_USED] = of->used,           [GSP_ASKED] = of->asked,
        [GSP_ENTERED] = of->entered,     [GSP_ELASTIC] = of->elastic,
        [GSP_KEPT] = of->kept,
    };

    return amount[which];
}

static const int64_t *fake_queue_change(void *ctx, uint32_t q)
{
    const struct fake_queue *of = fake_queue_at(ctx, q);

    return of->has_change ? of->change : NULL;
}

static int64_t fake_queue_term(void *ctx, uint32_t q, enum gsp_queue_term term)
{
    const int64_t stated = fake_queue_at(ctx, q)->term[term];

    return stated ? stated : trace_term_info[term].fallback;
}

static double fake_queue_over_quota(void *ctx, uint32_t q, uint32_t dim)
{
    (void)dim;
    return fake_queue_at(ctx, q)->weight;
}

static bool fake_job_stays(const struct gsp_job *j)
{
    return j->stays;
}

static uint64_t fake_ledger(void *ctx)
{
    return ((const struct fake *)ctx)->ledger;
}

/* All queues may have changed. */
static uint32_t fake_queue_changed(void *ctx, uint64_t since, uint32_t after)
{
    const struct fake *f = ctx;
    const uint32_t next = after == GSP_NONE ? 0 : after + 1;

    return f->ledger > since && next < f->queues ? next : GSP_NONE;
}

static void fake_queue_tell(void *ctx, uint32_t queue)
{
    (void)ctx;
    (void)queue;
    assert(queue == GSP_NONE || queue < ((const struct fake *)ctx)->queues);
}

const struct gsp_victims *fake_shown(struct fake_victims *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        v->at[i] = (struct gsp_victim){ v->one[i].job, v->one[i].amount,
                                        v->one[i].whole };
    v->shown = (struct gsp_victims){ v->count, v->at };
    return &v->shown;
}

static const int64_t *fake_free(const struct gsp_view *v, uint32_t d)
{
    return v->of->free[d];
}

static const int64_t *fake_capacity(const struct gsp_view *v, uint32_t d)
{
    return v->of->capacity[d];
}

static int64_t fake_amount(const struct gsp_task *t, uint32_t d)
{
    return t->amount[d];
}

static int fake_fail(void *ctx, const char *why, const char *detail)
{
    (void)ctx;
    (void)why;
    (void)detail;
    return -1;
}

/* --- devices -------------------------------------------------------------- */

static uint32_t fake_share(const struct gsp_task *t)
{
    return t->share;
}

static int64_t fake_share_exact(const struct gsp_task *t)
{
    return t->share_exact;
}

static uint32_t fake_parts(const struct gsp_view *v, uint32_t i,
                           const uint16_t **left)
{
    *left = &v->of->part[i];
    return v->of->part[i] > 0;
}

/* --- tiers ---------------------------------------------------------------- */

static const struct fake_tree *fake_tree_of(void *ctx)
{
    return &((const struct fake *)ctx)->tree;
}

static uint32_t fake_levels(void *ctx)
{
    return fake_tree_of(ctx)->levels;
}

static uint32_t fake_domain_of(void *ctx, uint32_t node, uint32_t level)
{
    const struct fake_tree *t = fake_tree_of(ctx);

    return level + 1 < t->levels ? t->domain_of[level][node] : node;
}

static uint32_t fake_domains(void *ctx, uint32_t level)
{
    uint32_t most = 0;

    for (uint32_t n = 0; n < fake_tree_of(ctx)->node->count; n++) {
        const uint32_t d = fake_domain_of(ctx, n, level);

        most = d > most ? d : most;
    }
    return most + 1;
}

static int64_t fake_domain_free(void *ctx, uint32_t node, uint32_t level,
                                uint32_t dim)
{
    const struct gsp_states *s = fake_tree_of(ctx)->node;
    int64_t free = 0;

    for (uint32_t n = 0; n < s->count; n++) {
        if (fake_domain_of(ctx, n, level) == fake_domain_of(ctx, node, level))
            free += s->free[dim][n];
    }
    return free;
}

static int32_t fake_class_load(void *ctx, uint32_t klass, uint32_t dim)
{
    return fake_tree_of(ctx)->node->load[dim][klass] - 1;
}

static const int64_t *fake_node_capacity(void *ctx, uint32_t node)
{
    struct fake *f = ctx;

    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        f->capacity[d] = f->tree.node->capacity[d][node];
    return f->capacity;
}

static uint32_t fake_job_within(const struct gsp_job *j, bool *required)
{
    *required = j->within > 0;
    return j->within ? j->within : GSP_NONE;
}

/* Of a job that states a tier it is required. */
static uint32_t fake_job_prefers_tier(const struct gsp_job *j)
{
    (void)j;
    return GSP_NONE;
}

static uint32_t fake_domain_kind(const struct gsp_job *j)
{
    (void)j;
    return GSP_NONE;
}

static uint32_t fake_job_tasks(const struct gsp_job *j)
{
    return j->tasks;
}

static const struct gsp_task *fake_job_task(const struct gsp_job *j,
                                            uint32_t group)
{
    (void)group;
    return j->task;
}

static int64_t fake_epoch(void *ctx)
{
    return ((const struct fake *)ctx)->epoch;
}

/* No users and groups are limited. */
static const char *fake_job_limit(const struct gsp_job *j, const int64_t *asked)
{
    (void)j;
    (void)asked;
    return NULL;
}

static int32_t fake_queue_waiting_priority(void *ctx, uint32_t q)
{
    return fake_queue_at(ctx, q)->waiting_priority;
}

const struct gsp_host fake_host = {
    .size = sizeof(struct gsp_host),
    .keep = fake_keep,
    .dims = fake_dims,
    .dim_total = fake_dim_total,
    .job_since = fake_job_since,
    .job_priority = fake_job_priority,
    .job_queue = fake_job_queue,
    .job_gang = fake_job_gang,
    .job_placed = fake_job_placed,
    .job_id = fake_job_id,
    .job_started = fake_job_started,
    .job_ready = fake_job_since,
    .job_preempts = fake_job_preempts,
    .job_evicts = fake_job_evicts,
    .task_priority = fake_job_priority,
    .job_used = fake_job_used,
    .job_minimum = fake_job_minimum,
    .job_admission = fake_job_minimum,
    .now = fake_now,
    .epoch = fake_epoch,
    .queues = fake_queues,
    .queue_parent = fake_queue_parent,
    .queue_weight = fake_queue_weight,
    .queue_priority = fake_queue_priority,
    .queue_is_open = fake_queue_is_open,
    .queue_reclaimable = fake_queue_reclaimable,
    .queue_amount = fake_queue_amount,
    .user_used = fake_user_used,
    .ledger = fake_ledger,
    .queue_changed = fake_queue_changed,
    .refused_by = fake_queue_tell,
    .queue_eases = fake_queue_tell,
    .queue_moves = fake_queue_tell,
    .free = fake_free,
    .capacity = fake_capacity,
    .amount = fake_amount,
    .fail = fake_fail,
    .share = fake_share,
    .share_exact = fake_share_exact,
    .parts = fake_parts,
    .class_load = fake_class_load,
    .levels = fake_levels,
    .domains = fake_domains,
    .domain_of = fake_domain_of,
    .domain_free = fake_domain_free,
    .node_capacity = fake_node_capacity,
    .job_within = fake_job_within,
    .job_prefers_tier = fake_job_prefers_tier,
    .domain_kind = fake_domain_kind,
    .domain_minimum = fake_job_minimum,
    .attempts = fake_attempts,
    .job_tasks = fake_job_tasks,
    .job_task = fake_job_task,
    .queue_change = fake_queue_change,
    .queue_term = fake_queue_term,
    .queue_over_quota = fake_queue_over_quota,
    .job_stays = fake_job_stays,
    .job_limit = fake_job_limit,
    .queue_waiting_priority = fake_queue_waiting_priority,
    .waiting_changes = fake_ledger,
    .waiting_changed = fake_queue_changed,
};

/* --- what tests write ----------------------------------------------------- */

void fake_start(struct fake *f)
{
    memset(f, 0, sizeof(*f));
    f->arena = gs_arena_create(1 << 14);
}

void fake_end(struct fake *f)
{
    gs_arena_destroy(f->arena);
}

void fake_put(int64_t *amount, const int64_t *three)
{
    amount[GSP_CPU] = three[0];
    amount[GSP_MEMORY] = three[1];
    amount[GSP_GPU] = three[2];
}

uint32_t fake_add(struct fake *f, uint32_t parent, double weight)
{
    struct fake_queue *q = &f->queue[f->queues];

    memset(q, 0, sizeof(*q));
    q->parent = parent;
    q->weight = weight;
    memset(q->limit, 0xff, sizeof(q->limit)); /* -1 */
    memset(q->user_limit, 0xff, sizeof(q->user_limit));
    for (int t = 0; t < GSP_QUEUE_TERMS; t++)
        q->term[t] = trace_term_info[t].fallback;
    return f->queues++;
}

void fake_book(struct fake *f, uint32_t queue, size_t table, uint32_t dim,
               int64_t amount)
{
    for (; queue != GSP_NONE; queue = f->queue[queue].parent) {
        int64_t *row = (int64_t *)(void *)((char *)&f->queue[queue] + table);

        row[dim] += amount;
    }
    f->ledger++;
}

void *fake_module(struct fake *f, const struct gsp_module *m,
                  const union gsp_value *value)
{
    struct gsp_self *plain = fake_keep(f, sizeof(*plain));
    void *self = plain;

    *plain = (struct gsp_self){ &fake_host, f, value };
    CU_ASSERT_FATAL(!m->open || m->open(&fake_host, f, value, &self) == 0);
    return self;
}
