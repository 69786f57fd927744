/* sim/study/whatif.c - replaying the points of a question, see whatif.h.
 *
 * Every point changes what was read in a process of its own, replays, and hands
 * back nothing but figures.
 */
#include "sim/study/whatif.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "reports/compare/statistics.h"
#include "reports/glossary/glossary.h"
#include "reports/store/figures.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/pool.h"
#include "sim/study/run.h"
#include "topology/resize.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* What a point hands back: these, and then for each trace ON_EXTRAS, a value
 * and the half of its interval for each key.
 */
enum { GPUS, NODES, COST, NO_NODES, DIGEST, EXTRAS };
enum { REJECTED, UNFINISHED, ON_EXTRAS };

static uint32_t on_size(const struct whatif *w)
{
    return ON_EXTRAS + 2 * w->keys;
}

static uint32_t answer_size(const struct whatif *w)
{
    return EXTRAS + w->traces * on_size(w);
}

/* --- prices --------------------------------------------------------------- */

bool whatif_is_any(const char *type)
{
    return strcmp(type, "*") == 0;
}

const struct whatif_price *whatif_price_find(const struct whatif *w,
                                             const char *type)
{
    const struct whatif_price *other = NULL;

    for (uint32_t i = 0; i < w->prices; i++) {
        if (strcmp(w->price[i].type, type) == 0)
            return &w->price[i];
        if (whatif_is_any(w->price[i].type))
            other = &w->price[i];
    }
    return other;
}

/* --- in the child --------------------------------------------------------- */

/* Is it what was read, which the other point is compared with? */
static bool is_unchanged(const struct whatif *w, const struct whatif_point *p)
{
    return w->axes == 0 && p->at[0] == 0;
}

/* All that is changed, one after the other, in the inputs' arena. */
static const char **changes_of(const struct whatif *w,
                               const struct whatif_point *p,
                               struct gs_arena *arena, uint32_t *count)
{
    const char **change = gs_arena_alloc(arena, w->sets + WHATIF_AXES,
                                         sizeof(*change));
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->sets && !is_unchanged(w, p); i++)
        change[n++] = w->set[i];
    for (uint32_t i = 0; i < w->axes; i++)
        change[n++] = study_axis_change(&w->axis[i], p->at[i], arena);
    *count = n;
    return change;
}

/* The policy that `change` says, "policy=easy"; NULL: it is another change. */
static const char *policy_said(const char *change)
{
    static const char path[] = "policy=";
    const size_t n = sizeof(path) - 1;

    return strncmp(change, path, n) == 0 ? change + n : NULL;
}

/* The policy, as the last of the changes has it. */
static const char *policy_of(const struct whatif *w,
                             const struct whatif_point *p,
                             const char *const *change, uint32_t count)
{
    const char *policy = w->policy[p->policy];

    for (uint32_t i = 0; i < count; i++) {
        if (policy_said(change[i]))
            policy = policy_said(change[i]);
    }
    return policy;
}

/* Does the change take the last nodes that there are? */
static bool takes_last(const struct inputs *in, const char *change)
{
    static const char path[] = "nodes.";
    const size_t n = sizeof(path) - 1;
    const char *equals = strchr(change, '=');
    uint32_t type, there;
    uint64_t count;
    bool takes;

    if (strncmp(change, path, n) != 0 || !equals)
        return false;
    type = gs_strtab_find(in->names, change + n, (size_t)(equals - change) - n);
    there = topo_type_count(in->topo, type);
    takes = equals[1] == '-'; /* so many of those there are */
    if (gs_quantity_parse_u64(equals + 1 + takes, strlen(equals + 1 + takes),
                              &count)
        < 0)
        return false;
    return there > 0 && there == in->topo->node_count
           && count == (takes ? there : 0);
}

/* Changes are of --set, but these are not. */
static void blame_vary(struct gs_err *err)
{
    for (unsigned i = 0; err && i < err->count; i++) {
        if (strcmp(err->problem[i].source, "--set") == 0)
            strcpy(err->problem[i].source, "--vary");
    }
}

/* `has_no_nodes`: it fails, since the changes leave none. */
static struct gsched_profile *point_change(const struct whatif *w,
                                           const struct whatif_point *p,
                                           struct inputs *in,
                                           bool *has_no_nodes,
                                           struct gs_err *err)
{
    uint32_t count;
    const char **change = changes_of(w, p, in->arena, &count);
    struct gsched_profile *profile = inputs_policy(
        in, policy_of(w, p, change, count), err);

    if (!profile)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        *has_no_nodes = !policy_said(change[i]) && takes_last(in, change[i]);
        if (*has_no_nodes)
            return NULL;
        if (!policy_said(change[i])
            && study_change_apply(in, profile, change[i], err) < 0) {
            if (i + w->axes >= count)
                blame_vary(err);
            return NULL;
        }
    }
    return gsched_profile_check(profile, err) < 0 ? NULL : profile;
}

static double cost_of(const struct whatif *w, const struct topo *t)
{
    double cost = 0;

    for (uint32_t i = 0; i < t->node_count; i++) {
        const struct topo_class *k = &t->klass[t->node_class[i]];

        const struct whatif_price *price = whatif_price_find(
            w, gs_strtab_str(t->names, k->type));

        cost += price ? k->gpus * price->gpu_hour : 0;
    }
    return cost;
}

/* The points of one call. */
struct batch {
    struct whatif *w;
    struct whatif_line *line;
    const uint32_t *at; /* values of the first axis */
};

static struct whatif_point *point_of(const struct batch *b, uint32_t i)
{
    return &b->w->point[b->line->point + b->at[i]];
}

static double figure_of(const struct report_figures *f, const char *key)
{
    const struct report_figure *found = report_figures_find(f, key);

    return found ? found->value : (double)NAN;
}

/* Has the run a deadlock that nothing known to come could end? */
static bool is_endless(const struct report_figures *f)
{
    return figure_of(f, "deadlock.endless") > 0;
}

/* The value that is held against the target: infinite of the length of
 * deadlocks when one is endless, wherever the window cuts it.
 */
static double value_of(const struct report_figures *f, const char *key)
{
    if (is_endless(f) && report_glossary_is_deadlock_length(key))
        return (double)INFINITY;
    return figure_of(f, key);
}

/* Of all rows, in bits that a double holds exactly. */
static double digest_of(const struct report_figures *f, double before)
{
    uint64_t h = UINT64_C(14695981039346656037) ^ (uint64_t)before;

    for (uint32_t i = 0; i < f->count; i++) {
        uint64_t bits;

        /* what a queue deserves follows from settings that no module may
         * read
         */
        if (strncmp(f->figure[i].key, "queue.", 6) == 0
            || strncmp(f->figure[i].key, "fair.", 5) == 0)
            continue;
        for (const char *c = f->figure[i].key; *c; c++)
            h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
        memcpy(&bits, &f->figure[i].value, sizeof(bits));
        h = (h ^ bits) * UINT64_C(1099511628211);
    }
    return (double)(h >> 12);
}

/* A point that can run nothing misses the target, whatever this is. */
static void no_nodes_answer(const struct whatif *w, double *v)
{
    v[GPUS] = v[NODES] = v[COST] = v[DIGEST] = 0;
    v[NO_NODES] = 1;
    v += EXTRAS;
    for (uint32_t t = 0; t < w->traces; t++, v += on_size(w)) {
        for (uint32_t k = 0; k < 2 * w->keys; k++)
            v[ON_EXTRAS + k] = (double)NAN;
        v[REJECTED] = w->in[t].work->job_count;
        v[UNFINISHED] = 0;
        if (w->target)
            v[ON_EXTRAS] = w->target->kind == REPORT_RULE_MAX
                               ? (double)INFINITY
                               : -(double)INFINITY;
    }
}

/* The replay of one seed: what it adds to `v` of its trace and to the digest,
 * and x[key * seeds].
 */
static int seed_replay(const struct whatif *w, struct inputs *in,
                       struct study_run *run, uint32_t seed, double *digest,
                       double *v, double *x, struct gs_err *err)
{
    struct study_outcome out;
    struct report_figures f;

    run->sim = (struct sim_options){ .seed = w->seed + seed,
                                     .speed = in->speed,
                                     .scenario = in->scenario,
                                     .until = SIM_FOREVER };
    if (study_run(in, run, NULL, &out, err) < 0)
        return -1;
    report_figures_take("", out.row, out.rows, in->arena, &f);
    *digest = digest_of(&f, *digest);
    v[REJECTED] += figure_of(&f, "jobs.rejected") / w->seeds;
    v[UNFINISHED] += figure_of(&f, "jobs.unfinished") / w->seeds;
    for (uint32_t k = 0; k < w->keys; k++)
        x[k * w->seeds + seed] = value_of(&f, w->key[k]);
    return 0;
}

/* A seed without the metric leaves the mean without a value, one without bound
 * makes it infinite.
 */
static bool are_sound(const double *x, uint32_t n, double *mean)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += fabs(x[i]) <= REPORT_VALUE_MAX || isinf(x[i]) ? x[i]
                                                             : (double)NAN;
    *mean = isinf(sum) ? sum : (double)NAN;
    return isfinite(sum);
}

static void values_answer(const struct whatif *w, const double *x, double *v)
{
    for (uint32_t k = 0; k < w->keys; k++, x += w->seeds) {
        struct report_interval i;

        v[ON_EXTRAS + k] = x[0];
        v[ON_EXTRAS + w->keys + k] = 0;
        if (w->seeds < 2)
            continue;
        if (!are_sound(x, w->seeds, &v[ON_EXTRAS + k]))
            continue;
        i = report_mean_interval(x, w->seeds);
        v[ON_EXTRAS + k] = report_mean(x, w->seeds);
        v[ON_EXTRAS + w->keys + k] = (i.high - i.low) / 2;
    }
}

/* `v` and `on`: of the point, and of the trace at it. */
static int trace_replay(const struct whatif *w, const struct whatif_point *p,
                        struct inputs *in, double *v, double *on,
                        struct gs_err *err)
{
    struct study_run run = { .window = w->window, .large = w->large };
    bool has_no_nodes = false;
    double *x = gs_arena_alloc(in->arena, (size_t)w->keys * w->seeds + 1,
                               sizeof(*x));

    run.profile = point_change(w, p, in, &has_no_nodes, err);
    if (has_no_nodes) {
        no_nodes_answer(w, v);
        return 0;
    }
    if (!run.profile || inputs_read_speed(in, w->speed, err) < 0
        || inputs_read_scenario(in, w->scenario, err) < 0)
        return -1;
    v[GPUS] = in->topo->gpu_count;
    v[NODES] = in->topo->node_count;
    v[COST] = cost_of(w, in->topo);
    on[REJECTED] = on[UNFINISHED] = 0;
    for (uint32_t s = 0; s < w->seeds; s++) {
        if (seed_replay(w, in, &run, s, &v[DIGEST], on, x, err) < 0)
            return -1;
    }
    values_answer(w, x, on);
    return 0;
}

static int point_replay(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    const struct batch *b = ctx;
    const struct whatif *w = b->w;
    double *v = answer;

    v[NO_NODES] = v[DIGEST] = 0;
    for (uint32_t t = 0; t < w->traces && v[NO_NODES] == 0; t++) {
        if (trace_replay(w, point_of(b, i), &w->in[t], v,
                         v + EXTRAS + t * on_size(w), err)
            < 0)
            return -1;
    }
    return 0;
}

/* --- in the caller's ------------------------------------------------------ */

/* Is the target's value `a` further from being met than `b`?  None is. */
static bool is_further(const struct whatif *w, double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    return w->target->kind == REPORT_RULE_MAX ? a > b : a < b;
}

/* Of all traces: the worst of the target's metric, means of the others. */
static void traces_sum_up(const struct whatif *w, struct whatif_point *p)
{
    double *value = gs_arena_alloc(w->arena, w->keys + 1, sizeof(*value));
    double *reach = gs_arena_alloc(w->arena, w->keys + 1, sizeof(*reach));

    p->value = p->on[0].value;
    p->reach = p->on[0].reach;
    p->rejected = p->unfinished = 0;
    for (uint32_t t = 0; t < w->traces; t++) {
        p->rejected += p->on[t].rejected;
        p->unfinished += p->on[t].unfinished;
        if (w->target
            && is_further(w, p->on[t].value[0], p->on[p->worst].value[0]))
            p->worst = t;
        for (uint32_t k = 0; k < w->keys; k++)
            value[k] += p->on[t].value[k] / w->traces;
    }
    if (w->traces == 1)
        return;
    if (w->target) {
        value[0] = p->on[p->worst].value[0];
        reach[0] = p->on[p->worst].reach[0];
    }
    p->value = value;
    p->reach = reach;
}

static const struct whatif_on_trace *traces_take(const struct whatif *w,
                                                 const double *v)
{
    struct whatif_on_trace *on = gs_arena_alloc(w->arena, w->traces,
                                                sizeof(*on));
    const size_t size = w->keys * sizeof(*v);

    for (uint32_t t = 0; t < w->traces; t++, v += on_size(w))
        on[t] = (struct whatif_on_trace){
            .rejected = v[REJECTED],
            .unfinished = v[UNFINISHED],
            .value = gs_arena_memdup(w->arena, v + ON_EXTRAS, size),
            .reach = gs_arena_memdup(w->arena, v + ON_EXTRAS + w->keys, size),
        };
    return on;
}

static int point_over(void *ctx, uint32_t i, const void *answer,
                      const struct gs_err *failure, struct gs_err *err)
{
    const struct batch *b = ctx;
    struct whatif_point *p = point_of(b, i);
    struct study_search *s = &b->line->search;
    const double *v = answer;

    (void)failure; /* a point that fails ends them all */
    (void)err;
    b->w->made++;
    p->gpus = v[GPUS];
    p->nodes = v[NODES];
    p->cost = v[COST];
    p->has_no_nodes = v[NO_NODES] > 0;
    p->digest = v[DIGEST];
    p->on = traces_take(b->w, v + EXTRAS);
    traces_sum_up(b->w, p);
    p->is_known = true;
    s->is_known[b->at[i]] = true;
    s->value[b->at[i]] = p->value[0];
    return 0;
}

/* --- along a line --------------------------------------------------------- */

struct line_replay {
    struct whatif *w;
    struct whatif_line *line;
    struct gs_err *err;
};

static void progress_tell(void *ctx)
{
    const struct batch *b = ctx;
    const struct whatif *w = b->w;

    if (w->progress)
        w->progress(w->progress_ctx, w->made,
                    b->line->search.looks_at_all ? w->points : 0);
}

static int line_replay(void *ctx, const uint32_t *at, uint32_t count)
{
    const struct line_replay *r = ctx;
    struct batch b = { r->w, r->line, at };
    struct study_pool pool = { .jobs = r->w->jobs,
                               .count = count,
                               .answer = answer_size(r->w) * sizeof(double),
                               .point = point_replay,
                               .over = point_over,
                               .tick = progress_tell,
                               .ctx = &b,
                               .needs_all = true };

    return study_pool_run(&pool, r->err);
}

static int line_run(struct whatif *w, struct whatif_line *l, struct gs_err *err)
{
    struct line_replay r = { w, l, err };
    struct study_search *s = &l->search;

    s->count = w->axis[0].count;
    s->is_known = gs_arena_alloc(w->arena, s->count, sizeof(*s->is_known));
    s->value = gs_arena_alloc(w->arena, s->count, sizeof(*s->value));
    s->looks_at_all = w->looks_at_all || !w->target || !w->axis[0].number;
    if (w->target) {
        s->at_most = w->target->kind == REPORT_RULE_MAX;
        s->limit = w->target->amount;
    }
    return study_search_run(s, line_replay, &r);
}

/* --- all ------------------------------------------------------------------ */

static const char *as_it_is[] = { "as it is", "changed" };

static int lay_out(struct whatif *w, struct gs_err *err)
{
    const uint32_t across = w->axes > 1 ? w->axis[1].count : 1;
    uint64_t points;

    if (w->axes == 0)
        w->axis[0] = (struct study_axis){ .path = "whatif",
                                          .value = as_it_is,
                                          .count = 2 };
    points = (uint64_t)w->policies * across * w->axis[0].count;

    if (points > WHATIF_POINTS_MAX)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = "--vary" },
                       "at most %u replays (these are %llu)", WHATIF_POINTS_MAX,
                       (unsigned long long)points);
    w->lines = w->policies * across;
    w->points = (uint32_t)points;
    w->line = gs_arena_alloc(w->arena, w->lines, sizeof(*w->line));
    w->point = gs_arena_alloc(w->arena, w->points, sizeof(*w->point));
    for (uint32_t i = 0; i < w->points; i++)
        w->point[i] = (struct whatif_point){
            .policy = i / w->axis[0].count / across,
            .at = { i % w->axis[0].count, i / w->axis[0].count % across },
        };
    for (uint32_t i = 0; i < w->lines; i++)
        w->line[i] = (struct whatif_line){ .policy = i / across,
                                           .second = i % across,
                                           .point = i * w->axis[0].count };
    return 0;
}

/* A policy that does not exist is told before anything is replayed. */
static int policies_check(const struct whatif *w, struct gs_err *err)
{
    for (uint32_t i = 0; i < w->policies; i++) {
        for (uint32_t t = 0; t < w->traces; t++) {
            if (!inputs_policy(&w->in[t], w->policy[i], err))
                return -1;
        }
    }
    return 0;
}

int whatif_run(struct whatif *w, struct gs_err *err)
{
    w->seeds = w->seeds ? w->seeds : 1;
    if (policies_check(w, err) < 0 || lay_out(w, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->lines; i++) {
        if (line_run(w, &w->line[i], err) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < w->points; i++) {
        if (w->point[i].is_known && !w->point[i].has_no_nodes)
            return 0;
    }
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = "--vary" },
                   "no value leaves any node in the topology");
}

/* --- asking --------------------------------------------------------------- */

bool whatif_meets(const struct whatif *w, double value)
{
    if (!w->target || isnan(value))
        return false;
    return w->target->kind == REPORT_RULE_MAX ? value <= w->target->amount
                                              : value >= w->target->amount;
}

bool whatif_is_met(const struct whatif *w, const struct whatif_point *p)
{
    return p->is_known && whatif_meets(w, p->value[0]);
}

/* Does the metric get worse along the line? */
static bool gets_worse(const struct study_search *s)
{
    const double rise = s->value[s->count - 1] - s->value[0];

    return s->at_most ? rise > 0 : rise < 0;
}

/* Where it is met from there on, or up to there; STUDY_NO_POINT: neither, or
 * the values have no order.
 */
static uint32_t edge_of(const struct whatif *w, const struct whatif_line *l)
{
    const struct study_search *s = &l->search;
    const uint32_t at = gets_worse(s) || s->first == STUDY_NO_POINT ? s->last
                                                                    : s->first;

    return at == STUDY_NO_POINT || !w->axis[0].number ? STUDY_NO_POINT
                                                      : l->point + at;
}

/* Jobs that never ran, or never ended: what they would have waited flatters. */
static double left_out(const struct whatif_point *p)
{
    return p->rejected + p->unfinished;
}

/* Is the answer `a` better than `b`?  Ties go to the earlier line. */
static bool is_better(const struct whatif *w, const struct whatif_line *l,
                      uint32_t a, uint32_t b)
{
    const struct whatif_point *p = &w->point[a], *q = &w->point[b];

    if (left_out(p) != left_out(q))
        return left_out(p) < left_out(q);
    if (w->prices && p->cost != q->cost)
        return p->cost < q->cost;
    if (p->gpus != q->gpus)
        return p->gpus < q->gpus;
    if (!w->axis[0].number)
        return l->search.at_most ? p->value[0] < q->value[0]
                                 : p->value[0] > q->value[0];
    return gets_worse(&l->search) ? p->at[0] > q->at[0] : p->at[0] < q->at[0];
}

/* Only what costs less, and not for want of jobs, is better than where the
 * target begins, or ceases, to be met.
 */
static bool is_cheaper(const struct whatif *w, uint32_t a, uint32_t b)
{
    const struct whatif_point *p = &w->point[a], *q = &w->point[b];

    return w->prices && p->cost < q->cost && left_out(p) <= left_out(q);
}

uint32_t whatif_answer_of(const struct whatif *w, const struct whatif_line *l)
{
    const uint32_t edge = w->target && w->axes ? edge_of(w, l) : STUDY_NO_POINT;
    uint32_t best = edge;

    if (!w->target)
        return STUDY_NO_POINT;
    if (w->axes == 0)
        return whatif_is_met(w, &w->point[l->point + 1]) ? l->point + 1
                                                         : STUDY_NO_POINT;
    for (uint32_t i = l->point; i < l->point + l->search.count; i++) {
        if (!whatif_is_met(w, &w->point[i]))
            continue;
        if (edge == STUDY_NO_POINT
                ? best == STUDY_NO_POINT || is_better(w, l, i, best)
                : is_cheaper(w, i, best))
            best = i;
    }
    return best;
}

uint32_t whatif_answer(const struct whatif *w)
{
    uint32_t best = STUDY_NO_POINT;

    for (uint32_t i = 0; i < w->lines; i++) {
        const uint32_t answer = whatif_answer_of(w, &w->line[i]);

        if (answer != STUDY_NO_POINT
            && (best == STUDY_NO_POINT
                || is_better(w, &w->line[i], answer, best)))
            best = answer;
    }
    return best;
}
