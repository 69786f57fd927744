/* sim/study/whatif_point.c - one point of a question: its changes, its replays
 * in a process of its own, and the figures that the process returns.
 */
#include "reports/glossary/metric_names.h"
#include "sim/study/whatif_private.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "reports/compare/statistics.h"
#include "reports/store/figures.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/run.h"
#include "topology/resize.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* Layout of the answer of a point: EXTRAS doubles, then for each trace
 * ON_EXTRAS, the value of each key, and half the interval of each value.
 */
enum { GPUS, NODES, COST, NO_NODES, DIGEST, EXTRAS };
enum { REJECTED, UNFINISHED, ON_EXTRAS };

static uint32_t on_size(const struct whatif *w)
{
    return ON_EXTRAS + 2 * w->keys;
}

size_t whatif_answer_size(const struct whatif *w)
{
    return (EXTRAS + w->traces * on_size(w)) * sizeof(double);
}

static struct whatif_point *point_of(const struct whatif_batch *b, uint32_t i)
{
    return &b->w->point[b->line->point + b->at[i]];
}

/* --- what is changed ------------------------------------------------------ */

/* True for the point without changes, with which the other is compared. */
static bool is_unchanged(const struct whatif *w, const struct whatif_point *p)
{
    return w->axes == 0 && p->at[0] == 0;
}

/* The changes of the point in order, in the inputs' arena. */
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

/* True when the change would remove the last nodes. */
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
    takes = equals[1] == '-'; /* the number to remove */
    if (gs_quantity_parse_u64(equals + 1 + takes, strlen(equals + 1 + takes),
                              &count)
        < 0)
        return false;
    return there > 0 && there == in->topo->node_count
           && count == (takes ? there : 0);
}

/* Messages of changes name --set; name --vary instead. */
static void blame_vary(struct gs_err *err)
{
    for (unsigned i = 0; err && i < err->count; i++) {
        if (strcmp(err->problem[i].source, "--set") == 0)
            strcpy(err->problem[i].source, "--vary");
    }
}

/* The changed policy; NULL on failure, with *has_no_nodes when the changes
 * leave no node.
 */
static struct gsched_profile *point_change(const struct whatif *w,
                                           const struct whatif_point *p,
                                           struct inputs *in,
                                           bool *has_no_nodes,
                                           struct gs_err *err)
{
    uint32_t count;
    const char **change = changes_of(w, p, in->arena, &count);
    struct gsched_profile *profile = inputs_policy(
        in, study_policy_set(w->policy[p->policy], change, count), err);

    if (!profile)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        *has_no_nodes = !study_change_names_policy(change[i])
                        && takes_last(in, change[i]);
        if (*has_no_nodes)
            return NULL;
        if (!study_change_names_policy(change[i])
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

/* --- in the process of a point -------------------------------------------- */

static double figure_of(const struct report_figures *f, const char *key)
{
    const struct report_figure *found = report_figures_find(f, key);

    return found ? found->value : (double)NAN;
}

/* The value for the target: the length of deadlocks is infinite when one is
 * endless, wherever the window ends.
 */
static double value_of(const struct report_figures *f, const char *key)
{
    if (figure_of(f, METRIC_DEADLOCK_ENDLESS) > 0
        && report_glossary_is_deadlock_length(key))
        return (double)INFINITY;
    return figure_of(f, key);
}

/* A hash of all rows, short enough for a double to hold it exactly. */
static double digest_of(const struct report_figures *f, double before)
{
    uint64_t h = UINT64_C(14695981039346656037) ^ (uint64_t)before;

    for (uint32_t i = 0; i < f->count; i++) {
        uint64_t bits;

        /* they depend on settings that no module may read */
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

/* The answer of a point without nodes: it misses any target. */
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

/* Replay one seed: adds to the figures `v` of its trace and to the digest, and
 * sets x[key * seeds + seed].
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
    v[REJECTED] += figure_of(&f, METRIC_JOBS_REJECTED) / w->seeds;
    v[UNFINISHED] += figure_of(&f, METRIC_JOBS_UNFINISHED) / w->seeds;
    for (uint32_t k = 0; k < w->keys; k++)
        x[k * w->seeds + seed] = value_of(&f, w->key[k]);
    return 0;
}

/* True when all values are finite.  Otherwise *mean is NAN when a seed lacks
 * the metric, and infinite when a value is.
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

/* Replay one trace: `v` is the answer of the point, `on` the trace's part of
 * it.
 */
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

int whatif_point_replay(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    const struct whatif_batch *b = ctx;
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

/* --- in the process of the caller ----------------------------------------- */

/* True when value `a` is further from the target than `b`.  A missing value is
 * furthest.
 */
static bool is_further(const struct whatif *w, double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && !isnan(b);
    return w->target->kind == REPORT_RULE_MAX ? a > b : a < b;
}

/* Set the figures of all traces. */
static void traces_sum_up(const struct whatif *w, struct whatif_point *p)
{
    double *value = gs_arena_alloc(w->arena, w->keys + 1, sizeof(*value));
    double *reach = gs_arena_alloc(w->arena, w->keys + 1, sizeof(*reach));

    for (uint32_t t = 0; t < w->traces; t++) {
        const struct whatif_figures *f = &p->on[t];

        p->all.rejected += f->rejected;
        p->all.unfinished += f->unfinished;
        if (w->target && is_further(w, f->value[0], p->on[p->worst].value[0]))
            p->worst = t;
        for (uint32_t k = 0; k < w->keys; k++)
            value[k] += f->value[k] / w->traces;
    }
    if (w->target) {
        value[0] = p->on[p->worst].value[0];
        reach[0] = p->on[p->worst].reach[0];
    }
    p->all.value = w->traces == 1 ? p->on[0].value : value;
    p->all.reach = w->traces == 1 ? p->on[0].reach : reach;
}

static const struct whatif_figures *traces_take(const struct whatif *w,
                                                const double *v)
{
    struct whatif_figures *on = gs_arena_alloc(w->arena, w->traces,
                                               sizeof(*on));
    const size_t size = w->keys * sizeof(*v);

    for (uint32_t t = 0; t < w->traces; t++, v += on_size(w))
        on[t] = (struct whatif_figures){
            .rejected = v[REJECTED],
            .unfinished = v[UNFINISHED],
            .value = gs_arena_memdup(w->arena, v + ON_EXTRAS, size),
            .reach = gs_arena_memdup(w->arena, v + ON_EXTRAS + w->keys, size),
        };
    return on;
}

int whatif_point_over(void *ctx, uint32_t i, const void *answer,
                      const struct gs_err *failure, struct gs_err *err)
{
    const struct whatif_batch *b = ctx;
    struct whatif_point *p = point_of(b, i);
    struct study_search *s = &b->line->search;
    const double *v = answer;

    (void)failure; /* a failed point ends all */
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
    s->value[b->at[i]] = p->all.value[0];
    return 0;
}
