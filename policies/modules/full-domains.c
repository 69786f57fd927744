/* policies/modules/full-domains.c - of the domains that can hold a job, those
 * in the fullest domains first.
 *
 * Domains are ordered as a tree is walked: at each tier, from the outermost in,
 * the one of which the job asks for the largest part of what is free comes
 * first (KAI Scheduler's plugin topology).  Without it the fullest domain is
 * used wherever it lies.
 *
 * A job that prefers a tier, and does not fit in one domain of it, fills the
 * emptiest domain first: nodes get points by the place of their domain in that
 * order, as it was before the first of its tasks.
 */
#include <string.h>

#include "policies/policy.h"

#define DIMS 16

struct full {
    const struct gsp_host *host;
    void *ctx;
    uint32_t dims, room;
    double asked[DIMS];
    uint32_t *at, *other; /* [room] */
    double *part;         /* [room][levels] asked for, of what is free */
    uint32_t levels;
    /* the order of domains for the tasks of one job */
    uint32_t job, kind, stamp; /* kind: with a topology of its own; GSP_NONE */
    uint64_t attempt;          /* in which they are placed */
    int64_t free[DIMS];        /* in the cluster, at the last task */
    uint32_t *mark;            /* [domain] stamp at which it was ordered */
    int64_t *points;           /* [domain] of its nodes, since */
    uint32_t *one;             /* [room] a node of each domain */
};

static int full_open(const struct gsp_host *host, void *ctx,
                     const union gsp_value *value, void **self)
{
    struct full *f = host->keep(ctx, sizeof(*f));

    (void)value;
    f->host = host;
    f->ctx = ctx;
    f->dims = host->dims(ctx) < DIMS ? host->dims(ctx) : DIMS;
    f->levels = host->levels(ctx);
    f->room = host->domains(ctx, f->levels - 1);
    f->at = host->keep(ctx, (f->room + 1) * sizeof(*f->at));
    f->other = host->keep(ctx, (f->room + 1) * sizeof(*f->other));
    f->part = host->keep(ctx,
                         ((size_t)f->room * f->levels + 1) * sizeof(*f->part));
    f->job = GSP_NONE;
    f->mark = host->keep(ctx, (f->room + 1) * sizeof(*f->mark));
    f->points = host->keep(ctx, (f->room + 1) * sizeof(*f->points));
    f->one = host->keep(ctx, (f->room + 1) * sizeof(*f->one));
    *self = f;
    return 0;
}

/* The largest part of what is free in a domain that the job asks for. */
static double part_of(const struct full *f, uint32_t node, uint32_t level)
{
    double most = 0;

    for (uint32_t d = 0; d < f->dims; d++) {
        const double free = (double)f->host->domain_free(f->ctx, node, level,
                                                         d);
        const double part = f->asked[d] <= 0 ? 0
                            : free > 0       ? f->asked[d] / free
                                             : 1e300;

        most = part > most ? part : most;
    }
    return most;
}

/* < 0: the domain of node `a` comes first. */
static int compare(const struct full *f, const struct gsp_nodes *n,
                   uint32_t level, uint32_t a, uint32_t b)
{
    for (uint32_t l = 1; l <= level; l++) {
        const double x = f->part[(size_t)a * f->levels + l];
        const double y = f->part[(size_t)b * f->levels + l];
        const uint32_t p = f->host->domain_of(f->ctx, n->node[a], l);
        const uint32_t q = f->host->domain_of(f->ctx, n->node[b], l);

        if (p != q)
            return x != y ? (x > y ? -1 : 1) : p < q ? -1 : 1;
    }
    return 0;
}

static void sort(struct full *f, const struct gsp_nodes *n, uint32_t level)
{
    for (uint32_t i = 0; i < n->count; i++)
        f->at[i] = i;
    for (uint32_t width = 1; width < n->count; width *= 2) {
        for (uint32_t low = 0; low < n->count; low += 2 * width) {
            const uint32_t mid = low + width < n->count ? low + width
                                                        : n->count;
            const uint32_t end = mid + width < n->count ? mid + width
                                                        : n->count;

            for (uint32_t i = low, a = low, b = mid; i < end; i++)
                f->other[i] = b == end
                                      || (a < mid
                                          && compare(f, n, level, f->at[a],
                                                     f->at[b])
                                                 <= 0)
                                  ? f->at[a++]
                                  : f->at[b++];
        }
        memcpy(f->at, f->other, n->count * sizeof(*f->at));
    }
}

/* Order the domains at `level` that hold the nodes, the fullest first: f->at.
 */
static void domains_order(struct full *f, const struct gsp_job *j,
                          uint32_t level, const struct gsp_nodes *n)
{
    const int64_t *asked = f->host->domain_minimum(j);

    for (uint32_t d = 0; d < f->dims; d++)
        f->asked[d] = (double)asked[d];
    for (uint32_t i = 0; i < n->count; i++) {
        for (uint32_t l = 1; l <= level; l++)
            f->part[(size_t)i * f->levels + l] = part_of(f, n->node[i], l);
    }
    sort(f, n, level);
}

static void full_prefer_domain(void *self, const struct gsp_job *j,
                               uint32_t level, const struct gsp_nodes *n,
                               int64_t *score)
{
    struct full *f = self;

    if (n->count > f->room || level == 0 || level >= f->levels)
        return;
    domains_order(f, j, level, n);
    for (uint32_t i = 0; i < n->count; i++)
        score[f->at[i]] += (int64_t)(n->count - i) * GSP_POINT;
}

/* --- nodes ---------------------------------------------------------------- */

/* The tier that the job prefers, or the kind of tasks; GSP_NONE. */
static uint32_t preferred(const struct full *f, const struct gsp_job *j)
{
    const uint32_t level = f->host->job_prefers_tier(j);

    return level == 0 || level >= f->levels ? GSP_NONE : level;
}

static enum gsp_regard full_regards(void *self, const struct gsp_job *j,
                                    uint32_t group)
{
    (void)group;
    return preferred(self, j) == GSP_NONE ? GSP_NO_REGARD : GSP_BY_NODE;
}

/* Are all tasks before this one still placed as they were, of the job or of the
 * kind of tasks that has a topology of its own?
 */
static bool goes_on(struct full *f, const struct gsp_job *j, uint32_t node)
{
    const uint32_t job = f->host->job_id(j), kind = f->host->domain_kind(j);
    const uint64_t attempt = f->host->attempts(f->ctx);
    bool is_less = job == f->job && kind == f->kind && attempt == f->attempt;

    for (uint32_t d = 0; d < f->dims; d++) {
        const int64_t free = f->host->domain_free(f->ctx, node, 0, d);

        is_less = is_less && free <= f->free[d];
        f->free[d] = free;
    }
    f->job = job;
    f->kind = kind;
    f->attempt = attempt;
    return is_less;
}

/* The `i`-th of `count` domains gets floor(10 (i + 1) / count) x 10000. */
static void domains_score(struct full *f, const struct gsp_job *j,
                          uint32_t level, const struct gsp_nodes *n)
{
    struct gsp_nodes one = { 0, f->one };

    f->stamp++;
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t d = f->host->domain_of(f->ctx, n->node[i], level);

        if (f->mark[d] == f->stamp)
            continue;
        f->mark[d] = f->stamp;
        f->one[one.count++] = n->node[i];
    }
    domains_order(f, j, level, &one);
    for (uint32_t i = 0; i < one.count; i++) {
        const uint32_t d = f->host->domain_of(f->ctx, f->one[f->at[i]], level);

        f->points[d] = 10 * (int64_t)(i + 1) / one.count * 10000;
    }
}

static void full_prefer(void *self, const struct gsp_job *j, uint32_t group,
                        const struct gsp_nodes *n, int64_t *score)
{
    struct full *f = self;
    const uint32_t level = preferred(f, j);
    bool is_known = goes_on(f, j, n->node[0]);

    (void)group;
    if (n->count > f->room || level == GSP_NONE)
        return;
    for (uint32_t i = 0; i < n->count && is_known; i++)
        is_known = f->mark[f->host->domain_of(f->ctx, n->node[i], level)]
                   == f->stamp;
    if (!is_known)
        domains_score(f, j, level, n);
    for (uint32_t i = 0; i < n->count; i++)
        score[i] += f->points[f->host->domain_of(f->ctx, n->node[i], level)]
                    * GSP_POINT;
}

extern const struct gsp_module gsp_module_full_domains;
const struct gsp_module gsp_module_full_domains = {
    GSP_ABI,
    .name = "full-domains",
    .summary =
        "domains within the fullest domains first, from the outermost in",
    .open = full_open,
    .reads = GSP_READS_WITHIN,
    .prefer_domain = full_prefer_domain,
    .regards = full_regards,
    .prefer = full_prefer,
};
