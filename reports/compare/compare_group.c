/* reports/compare/compare_group.c - runs that differ only by chance as one column.
 *
 * Two groups are compared over the inputs and seeds that both have, each run of
 * the one with that of the other: what the seed or the trace does to both then
 * drops out of the difference (common random numbers).
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/compare/compare_private.h"
#include "reports/compare/statistics.h"
#include "reports/glossary/glossary.h"
#include "reports/store/run_inputs.h"

enum report_by report_by_find(const char *name)
{
    static const char *const names[REPORT_BYS] = {
        [REPORT_BY_SEED] = "seed",
        [REPORT_BY_POLICY] = "policy",
        [REPORT_BY_RUN] = "run",
    };
    int b = 0;

    assert(name);
    while (b < REPORT_BYS && strcmp(names[b], name) != 0)
        b++;
    return (enum report_by)b;
}

/* --- runs of one group ----------------------------------------------------------- */

/* Bytes of "x" in "x-s7" of seed 7, as gsim replay --seeds calls it, or "x/s7",
 * as a sweep does; 0: it is called otherwise.
 */
static size_t stem(const struct compare_run *r)
{
    const size_t len = strlen(r->name);
    char end[32];
    size_t n;

    for (const char *mark = "-/"; *mark; mark++) {
        n = (size_t)snprintf(end, sizeof(end), "%cs%" PRIu64, *mark, r->seed);
        if (len > n && strcmp(r->name + len - n, end) == 0)
            return len - n;
    }
    return 0;
}

static bool is_pair(const struct compare_run *a, const struct compare_run *b)
{
    return a->seed == b->seed && strcmp(a->inputs, b->inputs) == 0;
}

static bool is_of_group(enum report_by by, const struct compare_run *a,
                        const struct compare_run *b)
{
    const size_t n = stem(a);

    if (by == REPORT_BY_RUN || strcmp(a->profile, b->profile) != 0)
        return false;
    return by == REPORT_BY_POLICY
           || (n && n == stem(b) && memcmp(a->name, b->name, n) == 0
               && strcmp(a->path, b->path) == 0
               && strcmp(a->version, b->version) == 0
               && strcmp(a->inputs, b->inputs) == 0);
}

/* The member of `g` that is run `r` once more; COMPARE_RUNS_MAX: none is. */
static uint32_t twin(const struct report_comparison *c,
                     const struct compare_group *g, const struct compare_run *r)
{
    for (uint32_t k = 0; k < g->runs; k++) {
        if (is_pair(&c->run[g->run[k]], r))
            return g->run[k];
    }
    return COMPARE_RUNS_MAX;
}

static void group_start(struct report_comparison *c, uint32_t run)
{
    c->group[c->groups++] = (struct compare_group){
        .runs = 1,
        .run = gs_arena_memdup(c->arena, &run, sizeof(run)),
    };
}

static void group_extend(struct report_comparison *c, struct compare_group *g,
                         uint32_t run)
{
    uint32_t *grown = gs_arena_alloc(c->arena, g->runs + 1, sizeof(*grown));

    memcpy(grown, g->run, g->runs * sizeof(*grown));
    grown[g->runs++] = run;
    g->run = grown;
    c->is_grouped = true;
}

/* Put the run where it belongs; one that is there already, by seed, apart. */
static int run_put(struct report_comparison *c, enum report_by by, uint32_t run,
                   struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const struct compare_run *r = &c->run[run];

    for (uint32_t i = 0; i < c->groups; i++) {
        struct compare_group *g = &c->group[i];
        uint32_t same;

        if (!is_of_group(by, &c->run[g->run[0]], r))
            continue;
        same = twin(c, g, r);
        if (same == COMPARE_RUNS_MAX) {
            group_extend(c, g, run);
            return 0;
        }
        if (by == REPORT_BY_POLICY)
            return gs_fail(err, GS_USAGE, nowhere,
                           "runs '%.60s' and '%.60s' are of one policy, trace "
                           "and seed: choose by '--run', or '--by run'",
                           c->run[same].title, r->title);
    }
    group_start(c, run);
    return 0;
}

/* --- what they are called ---------------------------------------------------------- */

static const char *joined(struct report_comparison *c, const char *a,
                          const char *between, const char *b, const char *end)
{
    const size_t size = strlen(a) + strlen(between) + strlen(b) + strlen(end)
                        + 1;
    char *text = gs_arena_alloc(c->arena, size, 1);

    snprintf(text, size, "%s%s%s%s", a, between, b, end);
    return text;
}

/* "x" of "x-s7", with the path where the runs' titles need it. */
static const char *seed_title(struct report_comparison *c,
                              const struct compare_run *r)
{
    const char *name = gs_arena_strndup(c->arena, r->name, stem(r));

    return r->title == r->name ? name : joined(c, name, "@", r->path, "");
}

/* The policy, with a run of it where profiles of one name differ. */
static const char *policy_title(struct report_comparison *c, uint32_t group)
{
    const struct compare_run *r = &c->run[c->group[group].run[0]];

    for (uint32_t i = 0; i < c->groups; i++) {
        if (i != group
            && strcmp(c->run[c->group[i].run[0]].policy, r->policy) == 0)
            return joined(c, r->policy, " (", r->title, ")");
    }
    return r->policy;
}

static void titles_make(struct report_comparison *c, enum report_by by)
{
    for (uint32_t i = 0; i < c->groups; i++) {
        struct compare_group *g = &c->group[i];

        g->title = by == REPORT_BY_POLICY ? policy_title(c, i)
                   : g->runs > 1          ? seed_title(c, &c->run[g->run[0]])
                                          : c->run[g->run[0]].title;
    }
}

/* --- the order of runs --------------------------------------------------------------- */

/* Number the runs anew: the groups' first ones first. */
static void runs_order(struct report_comparison *c)
{
    struct compare_run *run = gs_arena_alloc(c->arena, c->runs, sizeof(*run));
    struct compare_cell *cell = gs_arena_alloc(c->arena, c->runs,
                                               sizeof(*cell));
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->groups; i++)
        c->was[n++] = c->group[i].run[0];
    for (uint32_t i = 0; i < c->groups; i++) {
        for (uint32_t k = 0; k < c->group[i].runs; k++) {
            if (k)
                c->was[n] = c->group[i].run[k];
            c->group[i].run[k] = k ? n++ : i;
        }
    }
    for (uint32_t i = 0; i < c->runs; i++)
        run[i] = c->run[c->was[i]];
    memcpy(c->run, run, c->runs * sizeof(*run));
    for (uint32_t k = 0; k < c->rows; k++) {
        for (uint32_t i = 0; i < c->runs; i++)
            cell[i] = c->row[k].cell[c->was[i]];
        memcpy(c->row[k].cell, cell, c->runs * sizeof(*cell));
    }
}

static bool is_certain(const struct report_comparison *c,
                       const struct compare_group *g)
{
    const uint32_t first = g->run[0];

    for (uint32_t k = 1; k < g->runs; k++) {
        const uint32_t run = g->run[k];

        if (strcmp(c->run[run].inputs, c->run[first].inputs) != 0)
            return false;
        for (uint32_t i = 0; i < c->rows; i++) {
            const struct compare_cell *a = &c->row[i].cell[first];
            const struct compare_cell *b = &c->row[i].cell[run];

            if (a->is_there != b->is_there || a->value != b->value)
                return false;
        }
    }
    return true;
}

/* Is every run's trace, topology ... one of the other group's, too? */
static bool has_inputs_of(const struct report_comparison *c,
                          const struct compare_group *a,
                          const struct compare_group *b)
{
    for (uint32_t i = 0; i < a->runs; i++) {
        const char *inputs = c->run[a->run[i]].inputs;
        bool is_there = false;

        for (uint32_t k = 0; k < b->runs && !is_there; k++)
            is_there = strcmp(c->run[b->run[k]].inputs, inputs) == 0;
        if (!is_there)
            return false;
    }
    return true;
}

static void classes_make(struct report_comparison *c)
{
    for (uint32_t g = 0; g < c->groups; g++) {
        struct compare_group *group = &c->group[g];
        uint32_t k = 0;

        while (k < g
               && (c->group[k].input_class != k
                   || !has_inputs_of(c, group, &c->group[k])
                   || !has_inputs_of(c, &c->group[k], group)))
            k++;
        group->input_class = k;
    }
}

int report_compare_group(struct report_comparison *c, enum report_by by,
                         struct gs_err *err)
{
    c->group = gs_arena_alloc(c->arena, c->runs, sizeof(*c->group));
    for (uint32_t i = 0; i < c->runs; i++) {
        if (run_put(c, by, i, err) < 0)
            return -1;
    }
    titles_make(c, by);
    for (uint32_t i = 0; i < c->groups; i++)
        c->group[i].is_certain = is_certain(c, &c->group[i]);
    if (c->is_grouped)
        runs_order(c);
    classes_make(c);
    return 0;
}

/* --- figures ------------------------------------------------------------------------- */

/* What the statistics can take. */
static bool are_sound(const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= REPORT_VALUE_MAX))
            return false;
    }
    return true;
}

/* The group's values of the metric; how many: none if no mean can be taken of
 * them.
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

/* The values of pairs; how many there are. */
static uint32_t pairs_of(const struct report_comparison *c,
                         const struct compare_row *r,
                         const struct compare_group *from,
                         const struct compare_group *to, double *x, double *y)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < to->runs; k++) {
        const uint32_t b = to->run[k], a = twin(c, from, &c->run[b]);

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
    a->is_fair = true; /* pairs are of the same inputs */
    a->from = report_mean(x, a->pairs);
    a->to = report_mean(y, a->pairs);
    a->low = interval.low;
    a->high = interval.high;
    a->p = report_p_paired(d, a->pairs);
}

/* Does the row count deadlocks' time, and had one of the group's no end? */
static bool is_endless(const struct report_comparison *c,
                       const struct compare_row *r, uint32_t group)
{
    double x[COMPARE_RUNS_MAX];

    if (!report_glossary_is_deadlock_length(r->name))
        return false;
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct compare_row *e = &c->row[i];
        uint32_t n;

        if (strcmp(e->name, "deadlock.endless") != 0
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
    /* what has no end is not less because a run ended early */
    a.is_endless = is_endless(c, r, from) || is_endless(c, r, to);
    a.is_fair = g->input_class == h->input_class
                && (!a.is_endless
                    || (is_endless(c, r, from) ? a.from > a.to
                                               : a.from < a.to));
    if (g->is_certain && h->is_certain && (g->runs == 1) == (h->runs == 1)) {
        a.test = COMPARE_EXACT;
        a.from = x[0]; /* may be anything, and is shown as it is */
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

bool compare_has_pairs(const struct report_comparison *c, uint32_t group)
{
    for (uint32_t k = 0; k < c->group[group].runs; k++) {
        if (twin(c, &c->group[0], &c->run[c->group[group].run[k]])
            != COMPARE_RUNS_MAX)
            return true;
    }
    return false;
}

/* How many runs have one of the other group to be paired with. */
static uint32_t pairs_count(const struct report_comparison *c, uint32_t a,
                            uint32_t b)
{
    const struct compare_group *g = &c->group[b];
    uint32_t n = 0;

    for (uint32_t k = 0; k < g->runs; k++)
        n += twin(c, &c->group[a], &c->run[g->run[k]]) != COMPARE_RUNS_MAX;
    return n;
}

bool compare_is_fair(const struct report_comparison *c, uint32_t group)
{
    return c->group[group].input_class == 0 || pairs_count(c, 0, group) >= 2;
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

/* Deadlocks without an end are worse than any length of others, of which the
 * window shows a part: their row decides first.
 */
static void endless_mark(const struct report_comparison *c,
                         struct compare_row *row)
{
    if (!report_glossary_is_deadlock_length(row->name))
        return;
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];

        if (strcmp(r->name, "deadlock.endless") != 0)
            continue;
        for (uint32_t g = 1; g < c->groups; g++)
            row->figure[g].endless = compare_mark(r, &compare_figures(c, r)[g]);
    }
}

const struct compare_figure *compare_figures(const struct report_comparison *c,
                                             const struct compare_row *r)
{
    struct compare_row *row = &c->row[r - c->row]; /* to remember them in */

    if (!row->figure) {
        row->figure = gs_arena_alloc(c->arena, c->groups, sizeof(*row->figure));
        for (uint32_t i = 0; i < c->groups; i++)
            row->figure[i] = figure_make(c, r, i);
        endless_mark(c, row);
    }
    return row->figure;
}
