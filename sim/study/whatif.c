/* sim/study/whatif.c - the lines of a question and its answer, see whatif.h. */
#include "sim/study/whatif.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/pool.h"
#include "sim/study/whatif_private.h"

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

/* --- along a line --------------------------------------------------------- */

static void progress_tell(void *ctx)
{
    const struct whatif_batch *b = ctx;
    const struct whatif *w = b->w;

    if (w->progress)
        w->progress(w->progress_ctx, w->made,
                    b->line->search.looks_at_all ? w->points : 0);
}

static int points_replay(void *ctx, const uint32_t *at, uint32_t count)
{
    struct whatif_batch *b = ctx;
    struct study_pool pool = { .jobs = b->w->jobs,
                               .count = count,
                               .answer = whatif_answer_size(b->w),
                               .point = whatif_point_replay,
                               .over = whatif_point_over,
                               .tick = progress_tell,
                               .ctx = b,
                               .needs_all = true };

    b->at = at;
    return study_pool_run(&pool, b->err);
}

static int line_run(struct whatif *w, struct whatif_line *l, struct gs_err *err)
{
    struct whatif_batch b = { .w = w, .line = l, .err = err };
    struct study_search *s = &l->search;

    s->count = w->axis[0].count;
    s->is_known = gs_arena_alloc(w->arena, s->count, sizeof(*s->is_known));
    s->value = gs_arena_alloc(w->arena, s->count, sizeof(*s->value));
    s->looks_at_all = w->looks_at_all || !w->target || !w->axis[0].number;
    if (w->target) {
        s->at_most = w->target->kind == REPORT_RULE_MAX;
        s->limit = w->target->amount;
    }
    return study_search_run(s, points_replay, &b);
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

/* Check all policies before the first replay. */
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
    return p->is_known && whatif_meets(w, p->all.value[0]);
}

/* True when the metric gets worse along the line. */
static bool gets_worse(const struct study_search *s)
{
    const double rise = s->value[s->count - 1] - s->value[0];

    return s->at_most ? rise > 0 : rise < 0;
}

/* The first or last point of the range that meets the target; STUDY_NO_POINT:
 * none, or the values have no order.
 */
static uint32_t edge_of(const struct whatif *w, const struct whatif_line *l)
{
    const struct study_search *s = &l->search;
    const uint32_t at = gets_worse(s) || s->first == STUDY_NO_POINT ? s->last
                                                                    : s->first;

    return at == STUDY_NO_POINT || !w->axis[0].number ? STUDY_NO_POINT
                                                      : l->point + at;
}

/* Rejected and unfinished jobs, whose waits are missing from the metrics. */
static double left_out(const struct whatif_point *p)
{
    return p->all.rejected + p->all.unfinished;
}

/* True when answer `a` is better than `b`.  Ties go to the earlier line. */
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
        return l->search.at_most ? p->all.value[0] < q->all.value[0]
                                 : p->all.value[0] > q->all.value[0];
    return gets_worse(&l->search) ? p->at[0] > q->at[0] : p->at[0] < q->at[0];
}

/* True when the point costs less and does not leave out more jobs.  Only such a
 * point is better than the edge of the target.
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
