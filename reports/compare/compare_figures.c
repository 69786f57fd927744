/* reports/compare/compare_figures.c - means of groups, and their differences.
 *
 * Two groups are compared over the inputs and seeds that both have, by pairs of
 * runs: the effect of seed and trace is equal in both and cancels in the
 * difference (common random numbers).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "reports/compare/compare_private.h"
#include "reports/compare/statistics.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/run_inputs.h"

/* True when all values are in the range of the statistics. */
static bool are_sound(const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= REPORT_VALUE_MAX))
            return false;
    }
    return true;
}

/* Collect the group's values of the metric.  Returns their number; 0 when they
 * have no mean.
 */
static uint32_t values_of(const struct compare_group *g,
                          const struct compare_row *r, double *x)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < g->runs; k++) {
        if (r->cell[g->run[k]].is_there)
            x[n++] = r->cell[g->run[k]].value;
    }
    return n == 1 || are_sound(x, n) ? n : 0;
}

/* Collect the values of pairs.  Returns their number. */
static uint32_t pairs_of(const struct report_comparison *c,
                         const struct compare_row *r,
                         const struct compare_group *from,
                         const struct compare_group *to, double *x, double *y)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < to->runs; k++) {
        const uint32_t b = to->run[k], a = compare_twin(c, from, &c->run[b]);

        if (a == COMPARE_RUNS_MAX || !r->cell[a].is_there
            || !r->cell[b].is_there)
            continue;
        x[n] = r->cell[a].value;
        y[n++] = r->cell[b].value;
    }
    return n;
}

static void test_paired(struct compare_against *a, const double *x,
                        const double *y)
{
    struct report_interval interval;
    double d[COMPARE_RUNS_MAX];

    for (uint32_t i = 0; i < a->pairs; i++)
        d[i] = y[i] - x[i];
    interval = report_mean_interval(d, a->pairs);
    a->test = COMPARE_PAIRED;
    a->is_fair = true; /* pairs have equal inputs */
    a->from = report_mean(x, a->pairs);
    a->to = report_mean(y, a->pairs);
    a->low = interval.low;
    a->high = interval.high;
    a->p = report_p_paired(d, a->pairs);
}

/* True when the row is the length of deadlocks and one of the group is endless.
 */
static bool is_endless(const struct report_comparison *c,
                       const struct compare_row *r, uint32_t group)
{
    double x[COMPARE_RUNS_MAX];

    if (!report_glossary_is_deadlock_length(r->name))
        return false;
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct compare_row *e = &c->row[i];
        uint32_t n;

        if (strcmp(e->name, METRIC_DEADLOCK_ENDLESS) != 0
            || strcmp(e->scope, r->scope) != 0
            || strcmp(e->label, r->label) != 0)
            continue;
        n = values_of(&c->group[group], e, x);
        for (uint32_t k = 0; k < n; k++) {
            if (x[k] > 0)
                return true;
        }
    }
    return false;
}

struct compare_against compare_between(const struct report_comparison *c,
                                       const struct compare_row *r,
                                       uint32_t from, uint32_t to)
{
    const struct compare_group *g = &c->group[from], *h = &c->group[to];
    struct compare_against a = { .test = COMPARE_NONE };
    double x[COMPARE_RUNS_MAX], y[COMPARE_RUNS_MAX];
    uint32_t n = values_of(g, r, x), m = values_of(h, r, y);
    struct report_welch welch;

    if (n == 0 || m == 0)
        return a;
    a.is_there = true;
    a.from = report_mean(x, n);
    a.to = report_mean(y, m);
    /* an early end of a run does not shorten an endless deadlock */
    a.is_endless = is_endless(c, r, from) || is_endless(c, r, to);
    a.is_fair = g->input_class == h->input_class
                && (!a.is_endless
                    || (is_endless(c, r, from) ? a.from > a.to
                                               : a.from < a.to));
    if (g->is_certain && h->is_certain && (g->runs == 1) == (h->runs == 1)) {
        a.test = COMPARE_EXACT;
        a.from = x[0]; /* shown without a test */
        a.to = y[0];
        return a;
    }
    if (n < 2 || m < 2)
        return a;
    a.pairs = pairs_of(c, r, g, h, x, y);
    if (a.pairs >= 2) {
        test_paired(&a, x, y);
        return a;
    }
    n = values_of(g, r, x);
    m = values_of(h, r, y);
    welch = report_welch_test(x, n, y, m);
    a.test = COMPARE_WELCH;
    a.pairs = 0;
    a.low = welch.interval.low;
    a.high = welch.interval.high;
    a.p = welch.p;
    return a;
}

/* The number of runs of the group with a pair in the first group. */
static uint32_t pairs_count(const struct report_comparison *c, uint32_t group)
{
    const struct compare_group *g = &c->group[group];
    uint32_t n = 0;

    for (uint32_t k = 0; k < g->runs; k++)
        n += compare_twin(c, &c->group[0], &c->run[g->run[k]])
             != COMPARE_RUNS_MAX;
    return n;
}

bool compare_has_pairs(const struct report_comparison *c, uint32_t group)
{
    return pairs_count(c, group) > 0;
}

bool compare_is_fair(const struct report_comparison *c, uint32_t group)
{
    return c->group[group].input_class == 0 || pairs_count(c, group) >= 2;
}

unsigned compare_inputs_differ(const struct report_comparison *c)
{
    unsigned found = 0;

    for (uint32_t g = 1; g < c->groups; g++) {
        const struct compare_group *a = &c->group[0], *b = &c->group[g];

        for (uint32_t k = 0; k < a->runs + b->runs && !compare_is_fair(c, g);
             k++)
            found |= report_inputs_differ(
                c->run[k < a->runs ? a->run[k] : b->run[k - a->runs]].inputs,
                c->run[k < a->runs ? b->run[0] : a->run[0]].inputs);
    }
    return found;
}

bool compare_is_clear(const struct compare_against *a)
{
    if (!a->is_fair)
        return false;
    switch (a->test) {
    case COMPARE_NONE:
        return false;
    case COMPARE_EXACT:
        return a->from != a->to;
    case COMPARE_PAIRED:
    case COMPARE_WELCH:
        break;
    }
    return a->p < REPORT_LEVEL && (a->low > 0 || a->high < 0);
}

static struct compare_figure figure_make(const struct report_comparison *c,
                                         const struct compare_row *r,
                                         uint32_t group)
{
    struct compare_figure f = { 0 };
    double x[COMPARE_RUNS_MAX];

    f.n = values_of(&c->group[group], r, x);
    if (f.n)
        f.mean = f.n == 1 ? x[0] : report_mean(x, f.n);
    if (f.n > 1) {
        const struct report_interval i = report_mean_interval(x, f.n);

        f.has_interval = true;
        f.low = i.low;
        f.high = i.high;
    }
    f.is_endless = is_endless(c, r, group);
    if (group)
        f.first = compare_between(c, r, 0, group);
    return f;
}

/* An endless deadlock is worse than any finite one: the number of endless ones
 * is compared first.
 */
static void endless_mark(const struct report_comparison *c,
                         struct compare_row *row)
{
    if (!report_glossary_is_deadlock_length(row->name))
        return;
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];

        if (strcmp(r->name, METRIC_DEADLOCK_ENDLESS) != 0)
            continue;
        for (uint32_t g = 1; g < c->groups; g++)
            row->figure[g].endless = compare_mark(r, &compare_figures(c, r)[g]);
    }
}

const struct compare_figure *compare_figures(const struct report_comparison *c,
                                             const struct compare_row *r)
{
    struct compare_row *row = &c->row[r - c->row]; /* the figures are cached
                                                      in the row */

    if (!row->figure) {
        row->figure = gs_arena_alloc(c->arena, c->groups, sizeof(*row->figure));
        for (uint32_t i = 0; i < c->groups; i++)
            row->figure[i] = figure_make(c, r, i);
        endless_mark(c, row);
    }
    return row->figure;
}
