/* policies/modules/task-affinity.c - places kinds of tasks of one job together,
 * or apart, as the job's `task_affinity` says.
 *
 * Volcano's plugin task-topology.  The tasks of a job that have rules are put
 * in buckets first.  The tasks that stand on one node are a bucket.  Then the
 * other tasks are taken in the order that the job states, and kinds that it
 * does not list by their rules: those that are apart among themselves, with
 * others, with themselves, apart from others.  Each task joins the bucket with
 * the most tasks that it should be with, less those that it should be apart
 * from; of equals the one that asks for least.  If that number is below 0 it
 * begins a bucket.  Tasks are placed bucket by bucket, the one with the most
 * waiting tasks first.  The score of a node is
 *   tasks of the bucket there, less tasks there that this one should be apart
 *   from + waiting tasks of the bucket, as far as all of them fit on the node
 * times weight x 100 / the tasks of the largest bucket.
 *
 * The buckets of one job are kept, until a task of it is released or another
 * job is asked about.
 */
#include <assert.h>
#include <string.h>

#include "policies/modules/tallies.h"
#include "policies/policy.h"

#define KINDS 64u     /* groups of a job with rules */
#define BUCKETS 1024u /* of a job, and tasks in them; others have no points */
#define DIMS 16u
#define MI 1048576.0

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

struct bucket {
    uint32_t node;  /* of the tasks that stood when it was made; GSP_NONE */
    uint32_t waits; /* its tasks that are not placed */
    uint32_t bound; /* and that are */
    uint16_t waiting[KINDS], tasks[KINDS]; /* by group; tasks: both */
    double asks; /* what the waiting tasks ask for, see size_of() */
};

struct affinity {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    uint32_t dims, node_level;
    uint32_t job, life; /* whose buckets these are; GSP_NONE: none */
    uint32_t groups;
    uint32_t order[KINDS]; /* groups with rules, the first ones first */
    uint32_t ordered;
    struct bucket *bucket; /* NULL: no job had rules yet */
    uint32_t buckets, largest;
    struct tallies stands; /* tasks on nodes, by bucket, then by group */
};

static int affinity_open(const struct gsp_host *host, void *ctx,
                         const union gsp_value *value, void **self)
{
    struct affinity *a = host->keep(ctx, sizeof(*a));

    a->host = host;
    a->ctx = ctx;
    a->weight = value[0].whole;
    a->dims = host->dims(ctx);
    a->node_level = host->levels(ctx) - 1;
    a->job = GSP_NONE;
    assert(a->dims <= DIMS);
    *self = a;
    return 0;
}

/* --- what is asked for ---------------------------------------------------- */

/* How much a task asks for: a CPU, a device and a GiB of memory count alike. */
static double size_of(const struct affinity *a, const struct gsp_job *j,
                      uint32_t group)
{
    const struct gsp_task *t = a->host->job_task(j, group);
    double sum = (double)a->host->amount(t, GSP_CPU)
                 + (double)a->host->amount(t, GSP_MEMORY) / MI
                 + (double)a->host->amount(t, GSP_GPU);

    for (uint32_t d = 0; d < a->dims; d++) {
        if (d != GSP_CPU && d != GSP_MEMORY && d != GSP_GPU && d != GSP_PODS)
            sum += 1000.0 * (double)a->host->amount(t, d);
    }
    return sum;
}

/* --- buckets -------------------------------------------------------------- */

static bool has_rules(const struct gsp_task_rules *r, uint32_t group)
{
    return r->together && group < r->groups
           && (r->together[group] | r->apart[group]);
}

/* The rank of a kind of tasks by its rules. */
static int rank_of(const struct gsp_task_rules *r, uint32_t g)
{
    const uint64_t self = UINT64_C(1) << g;

    return r->apart[g] & self       ? 4
           : r->together[g] & ~self ? 3
           : r->together[g] & self  ? 2
                                    : 1;
}

/* True when tasks of group `g` are placed before those of group `h`. */
static bool is_before(const struct gsp_task_rules *r, uint32_t g, uint32_t h)
{
    if (r->order[g] != r->order[h])
        return r->order[g] && (!r->order[h] || r->order[g] < r->order[h]);
    return rank_of(r, g) > rank_of(r, h);
}

static void groups_sort(struct affinity *a, const struct gsp_task_rules *r)
{
    a->ordered = 0;
    for (uint32_t g = 0; g < r->groups; g++) {
        uint32_t k = a->ordered;

        if (!has_rules(r, g))
            continue;
        for (; k > 0 && is_before(r, g, a->order[k - 1]); k--)
            a->order[k] = a->order[k - 1];
        a->order[k] = g;
        a->ordered++;
    }
}

/* Tasks of the bucket that a task of group `g` should be with, less those that
 * it should be apart from.
 */
static int64_t sympathy(const struct bucket *b, const struct gsp_task_rules *r,
                        uint32_t g)
{
    int64_t sum = 0;

    for (uint32_t h = 0; h < r->groups; h++) {
        sum += r->together[g] >> h & 1 ? b->tasks[h] : 0;
        sum -= r->apart[g] >> h & 1 ? b->tasks[h] : 0;
    }
    return sum;
}

static struct bucket *bucket_new(struct affinity *a, uint32_t node)
{
    struct bucket *b = &a->bucket[a->buckets++];

    assert(a->buckets <= BUCKETS);
    *b = (struct bucket){ .node = node };
    return b;
}

static void bucket_grew(struct affinity *a, const struct bucket *b)
{
    if (b->waits + b->bound > a->largest)
        a->largest = b->waits + b->bound;
}

/* Count a task of the bucket on the node. */
static void stands_add(struct affinity *a, const struct bucket *b,
                       uint32_t group, uint32_t node, uint32_t tasks)
{
    const uint32_t place = tallies_place(&a->stands, a->node_level, node);

    tallies_add(&a->stands, (uint64_t)(b - a->bucket), place, tasks, 0);
    tallies_add(&a->stands, BUCKETS + group, place, tasks, 0);
}

/* Put the tasks that stand on a node in a bucket of it.  Returns how many. */
static uint32_t standing_add(struct affinity *a, const struct gsp_placed *p)
{
    struct bucket *b = NULL;

    for (uint32_t i = 0; i < a->buckets && !b; i++)
        b = a->bucket[i].node == p->node ? &a->bucket[i] : NULL;
    if (!b)
        b = bucket_new(a, p->node);
    b->tasks[p->group] = (uint16_t)(b->tasks[p->group] + p->tasks);
    b->bound += p->tasks;
    stands_add(a, b, p->group, p->node, p->tasks);
    bucket_grew(a, b);
    return p->tasks;
}

/* Put a waiting task in the bucket that suits it best. */
static void waiting_add(struct affinity *a, const struct gsp_task_rules *r,
                        uint32_t group, double size)
{
    struct bucket *best = NULL;
    int64_t most = INT64_MIN;

    for (uint32_t i = 0; i < a->buckets; i++) {
        struct bucket *b = &a->bucket[i];
        const int64_t n = sympathy(b, r, group);

        if (n > most || (n == most && b->asks < best->asks)) {
            most = n;
            best = b;
        }
    }
    if (!best || most < 0)
        best = bucket_new(a, GSP_NONE);
    best->waiting[group]++;
    best->tasks[group]++;
    best->waits++;
    best->asks += size;
    bucket_grew(a, best);
}

static void buckets_make(struct affinity *a, const struct gsp_job *j,
                         const struct gsp_task_rules *r)
{
    uint32_t stands[KINDS] = { 0 }, all = 0, at = GSP_NONE;
    struct gsp_placed p;

    a->buckets = a->largest = 0;
    memset(a->stands.at, 0, a->stands.slots * sizeof(*a->stands.at));
    a->stands.used = 0;
    groups_sort(a, r);
    while (a->host->job_stands(j, &at, &p)) {
        stands[p.group] += p.tasks;
        if (has_rules(r, p.group) && all + p.tasks <= BUCKETS)
            all += standing_add(a, &p);
    }
    for (uint32_t k = 0; k < a->ordered; k++) {
        const uint32_t g = a->order[k], n = a->host->group_tasks(j, g);
        const double size = size_of(a, j, g);

        for (uint32_t t = stands[g]; t < n && all < BUCKETS; t++, all++)
            waiting_add(a, r, g, size);
    }
}

/* Have the buckets of the job; false: it states no rules. */
static bool buckets_have(struct affinity *a, const struct gsp_job *j,
                         const struct gsp_task_rules *r)
{
    const uint32_t job = a->host->job_id(j), life = a->host->job_life(j);

    if (!r->together || r->groups > KINDS)
        return false;
    if (a->job == job && a->life == life)
        return true;
    if (!a->bucket) {
        a->bucket = a->host->keep(a->ctx, BUCKETS * sizeof(*a->bucket));
        tallies_open(&a->stands, a->host, a->ctx);
    }
    a->job = job;
    a->life = life;
    a->groups = r->groups;
    buckets_make(a, j, r);
    return true;
}

/* The bucket whose task of the group is placed next; NULL: none has one. */
static struct bucket *bucket_of(const struct affinity *a, uint32_t group)
{
    struct bucket *best = NULL;

    for (uint32_t i = 0; i < a->buckets; i++) {
        struct bucket *b = &a->bucket[i];

        if (b->waiting[group] && (!best || b->waits > best->waits))
            best = b;
    }
    return best;
}

/* --- following ------------------------------------------------------------ */

static void affinity_on_place(void *self, const struct gsp_job *j,
                              uint32_t group, uint32_t node, uint32_t tasks)
{
    struct affinity *a = self;

    if (a->job != a->host->job_id(j) || group >= a->groups)
        return;
    for (uint32_t t = 0; t < tasks; t++) {
        struct bucket *b = bucket_of(a, group);

        if (!b)
            return;
        b->waiting[group]--;
        b->waits--;
        b->bound++;
        b->asks -= size_of(a, j, group);
        stands_add(a, b, group, node, 1);
    }
}

static void affinity_on_release(void *self, const struct gsp_job *j,
                                uint32_t group, uint32_t node, uint32_t tasks)
{
    struct affinity *a = self;

    (void)group;
    (void)node;
    (void)tasks;
    if (a->job == a->host->job_id(j))
        a->job = GSP_NONE;
}

/* --- order ---------------------------------------------------------------- */

static uint32_t affinity_next_group(void *self, const struct gsp_job *j,
                                    const uint32_t *left)
{
    struct affinity *a = self;
    const struct gsp_task_rules r = a->host->job_task_rules(j);
    const struct bucket *best = NULL;
    uint32_t group = GSP_NONE;

    if (!buckets_have(a, j, &r))
        return GSP_NONE;
    for (uint32_t k = 0; k < a->ordered; k++) {
        const uint32_t g = a->order[k];
        const struct bucket *b = left[g] ? bucket_of(a, g) : NULL;

        if (b
            && (!best || b->waits > best->waits
                || (b->waits == best->waits && b < best))) {
            best = b;
            group = g;
        }
    }
    return group;
}

/* --- scoring -------------------------------------------------------------- */

static enum gsp_regard affinity_regards(void *self, const struct gsp_job *j,
                                        uint32_t group)
{
    const struct affinity *a = self;
    const struct gsp_task_rules r = a->host->job_task_rules(j);

    return a->weight && r.groups <= KINDS && has_rules(&r, group)
               ? GSP_BY_NODE
               : GSP_NO_REGARD;
}

static int64_t stands_at(const struct affinity *a, uint64_t id, uint32_t node)
{
    return tallies_at(&a->stands, id, a->node_level, node)->having;
}

/* How many of `tasks` tasks have to go so that `asks` is at most what is free.
 */
static uint32_t excess_of(const struct affinity *a, const struct gsp_task *t,
                          uint32_t tasks, const int64_t *asks,
                          const int64_t *free)
{
    uint32_t most = 0;

    for (uint32_t d = 0; d < a->dims; d++) {
        const int64_t amount = a->host->amount(t, d);
        const int64_t over = asks[d] - free[d];
        const int64_t n = over <= 0     ? 0
                          : amount <= 0 ? tasks
                                        : (over + amount - 1) / amount;

        most = n > most ? (n < tasks ? (uint32_t)n : tasks) : most;
    }
    return most;
}

/* Number of waiting tasks of the bucket, which ask for `need`, that fit on the
 * node beside the one of group `g`: the last ones in order are left out.
 */
static int64_t waits_fitting(const struct affinity *a, const struct gsp_job *j,
                             const struct bucket *b, uint32_t g,
                             const int64_t *need, uint32_t node)
{
    int64_t free[DIMS], asks[DIMS], waits = b->waits;

    for (uint32_t d = 0; d < a->dims; d++) {
        free[d] = a->host->domain_free(a->ctx, node, a->node_level, d);
        asks[d] = need[d];
    }
    for (uint32_t k = a->ordered; k-- > 0;) {
        const uint32_t h = a->order[k];
        const uint32_t tasks = b->waiting[h] - (h == g ? 1u : 0u);
        const struct gsp_task *t = a->host->job_task(j, h);
        const uint32_t less = tasks ? excess_of(a, t, tasks, asks, free) : 0;

        waits -= less;
        for (uint32_t d = 0; d < a->dims; d++)
            asks[d] -= a->host->amount(t, d) * less;
    }
    return waits;
}

/* Tasks on the node that one of group `g` should be apart from. */
static int64_t apart_at(const struct affinity *a,
                        const struct gsp_task_rules *r, uint32_t g,
                        uint32_t node)
{
    int64_t sum = 0;

    for (uint32_t h = 0; h < r->groups && r->apart[g]; h++)
        sum += r->apart[g] >> h & 1 ? stands_at(a, BUCKETS + h, node) : 0;
    return sum;
}

static void affinity_prefer(void *self, const struct gsp_job *j, uint32_t group,
                            const struct gsp_nodes *n, int64_t *score)
{
    struct affinity *a = self;
    const struct gsp_task_rules r = a->host->job_task_rules(j);
    const struct bucket *b;
    int64_t need[DIMS] = { 0 };

    if (!buckets_have(a, j, &r))
        return;
    b = bucket_of(a, group);
    if (!b)
        return;
    for (uint32_t k = 0; k < a->ordered; k++) {
        const struct gsp_task *t = a->host->job_task(j, a->order[k]);

        for (uint32_t d = 0; d < a->dims; d++)
            need[d] += a->host->amount(t, d) * b->waiting[a->order[k]];
    }
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t node = n->node[i];
        const int64_t points = stands_at(a, (uint64_t)(b - a->bucket), node)
                               - apart_at(a, &r, group, node)
                               + waits_fitting(a, j, b, group, need, node);

        score[i] += points * a->weight * 100 * GSP_POINT / (int64_t)a->largest;
    }
}

extern const struct gsp_module gsp_module_task_affinity;
const struct gsp_module gsp_module_task_affinity = {
    GSP_ABI,
    .name = "task-affinity",
    .summary = "kinds of tasks of a job together, or apart, on nodes (Volcano)",
    GSP_PARAMS(params),
    .reads = GSP_READS_TASK_RULES,
    .open = affinity_open,
    .on_place = affinity_on_place,
    .on_release = affinity_on_release,
    .regards = affinity_regards,
    .prefer = affinity_prefer,
    .next_group = affinity_next_group,
};
