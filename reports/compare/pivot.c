/* reports/compare/pivot.c - sorts runs into cells, see pivot.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/text.h"
#include "reports/compare/axes.h"
#include "reports/compare/compare_private.h"
#include "reports/compare/pivot_private.h"
#include "reports/compare/statistics.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/choose.h"
#include "reports/store/store.h"

struct marked_run {
    const struct report_choice *choice;
    struct report_axes axes;
    struct report_stored_metric *metric;
    uint32_t metrics;
    uint32_t row, col, cell; /* of all */
};

struct sorter {
    struct report_pivot *p;
    struct marked_run *run;
    uint32_t runs;
    struct gs_err *err;
};

static const struct gs_mark nowhere = { 0 };

/* --- checks --------------------------------------------------------------- */

static bool has_axis(const struct sorter *s, const char *axis)
{
    for (uint32_t i = 0; i < s->runs; i++) {
        if (report_axes_value(&s->run[i].axes, axis))
            return true;
    }
    return false;
}

/* "policy, load, ..." of the axes that the runs have. */
static const char *axes_text(const struct sorter *s, char *buf, size_t size)
{
    const char *known[32];
    size_t n = 0;

    for (uint32_t i = 0; i < s->runs; i++) {
        for (uint32_t k = 0; k < s->run[i].axes.count; k++) {
            const char *axis = s->run[i].axes.at[k].axis;

            if (n < 32 && gs_text_find(axis, known, n) == n)
                known[n++] = axis;
        }
    }
    return gs_names_join(buf, size, known, n);
}

static int axes_check(const struct sorter *s)
{
    const struct report_pivot *p = s->p;
    char known[200];

    for (size_t i = 0; i < p->axes; i++) {
        if (!has_axis(s, p->axis[i]))
            return gs_fail(s->err, GS_USAGE, nowhere,
                           "the runs have no axis '%.60s' (there are: %s)",
                           p->axis[i], axes_text(s, known, sizeof(known)));
        if (gs_text_find(p->axis[i], p->axis, i) < i)
            return gs_fail(s->err, GS_USAGE, nowhere,
                           "axis '%.60s' is given twice", p->axis[i]);
    }
    return 0;
}

/* The axis of the run that "AXIS=VALUE" names; the axis may contain '='. */
static const struct report_axis_value *where_axis(const struct marked_run *r,
                                                  const char *where)
{
    for (uint32_t i = 0; i < r->axes.count; i++) {
        const size_t n = strlen(r->axes.at[i].axis);

        if (strncmp(where, r->axes.at[i].axis, n) == 0 && where[n] == '=')
            return &r->axes.at[i];
    }
    return NULL;
}

static bool is_where(const struct marked_run *r, const char *where)
{
    const struct report_axis_value *at = where_axis(r, where);

    return at && strcmp(where + strlen(at->axis) + 1, at->value) == 0;
}

/* The values that a condition may have, or the axes when its axis is unknown.
 */
static const char *values_text(const struct sorter *s, const char *where,
                               char *buf, size_t size)
{
    const char *name[64];
    char list[160];
    size_t n = 0;

    for (uint32_t k = 0; k < s->runs && n < 64; k++) {
        const struct report_axis_value *at = where_axis(&s->run[k], where);

        if (at && gs_text_find(at->value, name, n) == n)
            name[n++] = at->value;
    }
    if (n)
        snprintf(buf, size, "there are: %s",
                 gs_names_join(list, sizeof(list), name, n));
    else
        snprintf(buf, size, "AXIS=VALUE; axes are: %s",
                 axes_text(s, list, sizeof(list)));
    return buf;
}

/* Keep the runs for which all conditions hold. */
static int where_apply(struct sorter *s, const char *const *where, size_t count)
{
    char known[200];

    for (size_t i = 0; i < count; i++) {
        uint32_t kept = 0;

        for (uint32_t k = 0; k < s->runs; k++) {
            if (is_where(&s->run[k], where[i]))
                s->run[kept++] = s->run[k];
        }
        if (kept == 0)
            return gs_fail(s->err, GS_USAGE, nowhere,
                           "no run is where '%.80s' (%s)", where[i],
                           values_text(s, where[i], known, sizeof(known)));
        s->runs = kept;
    }
    return 0;
}

/* --- cells ---------------------------------------------------------------- */

static const char *value_or(const struct marked_run *r, const char *axis)
{
    const char *value = report_axes_value(&r->axes, axis);

    return value ? value : "-";
}

/* The key with the run's values of `axes` axes; a new one goes to the end. */
static uint32_t key_find(struct pivot_key *key, uint32_t *count,
                         const struct marked_run *r, const char *const *axis,
                         size_t axes, struct gs_arena *arena)
{
    uint32_t i = 0;

    for (; i < *count; i++) {
        size_t a = 0;

        while (a < axes && strcmp(key[i].value[a], value_or(r, axis[a])) == 0)
            a++;
        if (a == axes)
            return i;
    }
    key[i].value = gs_arena_alloc(arena, axes + 1, sizeof(*key[i].value));
    for (size_t a = 0; a < axes; a++)
        key[i].value[a] = value_or(r, axis[a]);
    (*count)++;
    return i;
}

static bool number_of(const char *text, double *number)
{
    return gs_quantity_parse_double(text, strlen(text), number) == 0;
}

/* Order numbers by size, then other values in the order of the runs. */
static bool is_after(const struct pivot_key *a, const struct pivot_key *b,
                     size_t axes)
{
    for (size_t i = 0; i < axes; i++) {
        double x, y;
        const bool has_x = number_of(a->value[i], &x);
        const bool has_y = number_of(b->value[i], &y);

        if (strcmp(a->value[i], b->value[i]) == 0)
            continue;
        if (has_x != has_y)
            return has_y;
        return has_x && x > y;
    }
    return false;
}

/* Sort the keys stably.  Returns the new index of each old one. */
static const uint32_t *keys_sort(struct pivot_key *key, uint32_t count,
                                 size_t axes, struct gs_arena *arena)
{
    uint32_t *order = gs_arena_alloc(arena, count + 1, sizeof(*order));
    uint32_t *place = gs_arena_alloc(arena, count + 1, sizeof(*place));
    const struct pivot_key *was = gs_arena_memdup(arena, key,
                                                  count * sizeof(*key));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i;

        for (; k > 0 && is_after(&key[order[k - 1]], &key[i], axes); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        key[i] = was[order[i]];
        place[order[i]] = i;
    }
    return place;
}

static void cells_lay_out(struct sorter *s)
{
    struct report_pivot *p = s->p;
    const size_t cols = p->axes - p->left;
    const uint32_t *row_place, *col_place;

    p->row = gs_arena_alloc(p->arena, s->runs + 1, sizeof(*p->row));
    p->col = gs_arena_alloc(p->arena, s->runs + 1, sizeof(*p->col));
    for (uint32_t i = 0; i < s->runs; i++) {
        struct marked_run *r = &s->run[i];

        r->row = key_find(p->row, &p->rows, r, p->axis, p->left, p->arena);
        r->col = key_find(p->col, &p->cols, r, p->axis + p->left, cols,
                          p->arena);
    }
    row_place = keys_sort(p->row, p->rows, p->left, p->arena);
    col_place = keys_sort(p->col, p->cols, cols, p->arena);
    for (uint32_t i = 0; i < s->runs; i++) {
        s->run[i].row = row_place[s->run[i].row];
        s->run[i].col = col_place[s->run[i].col];
        s->run[i].cell = s->run[i].row * p->cols + s->run[i].col;
    }
}

static int differ(const struct sorter *s, const struct marked_run *a,
                  const struct marked_run *b, const char *axis)
{
    return gs_fail(s->err, GS_USAGE, nowhere,
                   "the runs of one cell differ in '%.60s' (%.60s, %.60s): "
                   "give it as an axis, or choose by '--where %.60s=...'",
                   axis, value_or(a, axis), value_or(b, axis), axis);
}

/* Check that runs of one cell differ only in seed and name. */
static int cells_check(const struct sorter *s)
{
    const struct report_pivot *p = s->p;
    const struct marked_run **first = gs_arena_alloc(
        p->arena, (size_t)p->rows * p->cols + 1, sizeof(*first));

    for (uint32_t i = 0; i < s->runs; i++) {
        const struct marked_run *r = &s->run[i];
        const struct marked_run **f = &first[r->cell];

        for (uint32_t k = 0; *f && k < (*f)->axes.count + r->axes.count; k++) {
            const char *axis = k < r->axes.count
                                   ? r->axes.at[k].axis
                                   : (*f)->axes.at[k - r->axes.count].axis;

            if (strcmp(axis, "seed") != 0 && strcmp(axis, "run") != 0
                && strcmp(value_or(*f, axis), value_or(r, axis)) != 0)
                return differ(s, *f, r, axis);
        }
        if (!*f)
            *f = r;
    }
    return 0;
}

/* --- metrics -------------------------------------------------------------- */

static bool is_metric(const struct pivot_metric *a,
                      const struct report_stored_metric *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->scope, b->scope) == 0
           && strcmp(a->label, b->label) == 0;
}

static void metric_add(struct report_pivot *p,
                       const struct report_stored_metric *m)
{
    for (uint32_t i = 0; i < p->metrics; i++) {
        if (is_metric(&p->metric[i], m))
            return;
    }
    p->metric = gs_arena_grow(p->arena, p->metric, &p->metric_cap, p->metrics,
                              sizeof(*p->metric));
    p->metric[p->metrics++] = (struct pivot_metric){
        .name = m->name,
        .scope = m->scope,
        .label = m->label,
        .info = report_glossary_find(m->name),
        .cell = gs_arena_alloc(p->arena, (size_t)p->rows * p->cols + 1,
                               sizeof(*p->metric->cell)),
    };
}

/* Add the metrics that match the pattern, from the first run that has any. */
static int glob_find(struct sorter *s, const char *glob)
{
    bool found = false;

    for (uint32_t i = 0; i < s->runs && !found; i++) {
        for (uint32_t k = 0; k < s->run[i].metrics; k++) {
            const struct report_stored_metric *m = &s->run[i].metric[k];

            if (!compare_is_named(s->p->arena, glob, m->name, m->scope,
                                  m->label))
                continue;
            metric_add(s->p, m);
            found = true;
        }
    }
    return found ? 0
                 : gs_fail(s->err, GS_USAGE, nowhere,
                           "no metric matches '%.60s' (see 'gsim compare "
                           "--explain')",
                           glob);
}

/* Find a value in the range of the statistics.  It is near `hint` when all
 * metrics are selected.
 */
static bool value_find(const struct marked_run *r, const struct pivot_metric *m,
                       uint32_t hint, double *value)
{
    for (uint32_t i = 0; i < r->metrics; i++) {
        const struct report_stored_metric *at =
            &r->metric[(hint + i) % r->metrics];

        if (!is_metric(m, at))
            continue;
        *value = at->value;
        return *value >= -REPORT_VALUE_MAX && *value <= REPORT_VALUE_MAX;
    }
    return false;
}

static void cell_fill(struct pivot_cell *cell, const double *x, uint32_t n)
{
    cell->n = n;
    if (n == 0)
        return;
    cell->mean = cell->low = cell->high = x[0];
    if (n > 1) {
        const struct report_interval i = report_mean_interval(x, n);

        cell->mean = report_mean(x, n);
        cell->low = i.low;
        cell->high = i.high;
    }
}

/* Order runs by cell, then in the order in which they were chosen. */
static int run_compare(const void *pa, const void *pb)
{
    const struct marked_run *a = pa, *b = pb;

    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return (a->choice > b->choice) - (a->choice < b->choice);
}

static void metric_fill(const struct sorter *s, uint32_t number)
{
    struct pivot_metric *m = &s->p->metric[number];
    double *x = gs_array_new(s->runs + 1, sizeof(*x));

    for (uint32_t i = 0; i < s->runs;) {
        const uint32_t cell = s->run[i].cell;
        uint32_t n = 0;

        for (; i < s->runs && s->run[i].cell == cell; i++)
            n += value_find(&s->run[i], m, number, &x[n]);
        cell_fill(&m->cell[cell], x, n);
    }
    gs_array_free(x);
}

/* --- all ------------------------------------------------------------------ */

static int runs_read(struct sorter *s, const struct report_choice *choice,
                     uint32_t count)
{
    s->run = gs_arena_alloc(s->p->arena, count + 1, sizeof(*s->run));
    s->runs = count;
    if (count == 0)
        return gs_fail(s->err, GS_USAGE, nowhere, "the database holds no runs");
    for (uint32_t i = 0; i < count; i++) {
        s->run[i].choice = &choice[i];
        if (report_axes_read(&s->run[i].axes, choice[i].store, &choice[i].run,
                             s->p->arena, s->err)
            < 0)
            return -1;
    }
    return 0;
}

static int metrics_read(struct sorter *s, const char *const *glob, size_t globs)
{
    static const char *const usual[] = { METRIC_WAIT "mean" };

    for (uint32_t i = 0; i < s->runs; i++) {
        struct marked_run *r = &s->run[i];

        if (report_store_metrics(r->choice->store, r->choice->run.id,
                                 s->p->arena, &r->metric, &r->metrics, s->err)
            < 0)
            return -1;
    }
    for (size_t i = 0; i < (globs ? globs : 1); i++) {
        if (glob_find(s, globs ? glob[i] : usual[0]) < 0)
            return -1;
    }
    qsort(s->run, s->runs, sizeof(*s->run), run_compare);
    for (uint32_t i = 0; i < s->p->metrics; i++)
        metric_fill(s, i);
    return 0;
}

struct report_pivot *report_pivot_create(
    struct report_store *const *store, size_t stores, const char *const *name,
    size_t names, const struct report_pivot_axes *axes, const char *const *glob,
    size_t globs, struct gs_arena *arena, struct gs_err *err)
{
    struct report_pivot *p = gs_arena_alloc(arena, 1, sizeof(*p));
    struct sorter s = { .p = p, .err = err };
    struct report_choice *choice;
    uint32_t count;

    assert(axes->row_count > 0);
    p->arena = arena;
    p->left = (uint32_t)axes->row_count;
    p->axes = p->left + (uint32_t)axes->col_count;
    p->axis = gs_arena_alloc(arena, p->axes, sizeof(*p->axis));
    memcpy(p->axis, axes->rows, axes->row_count * sizeof(*p->axis));
    if (axes->col_count)
        memcpy(p->axis + p->left, axes->cols,
               axes->col_count * sizeof(*p->axis));
    if (report_choose(store, stores, name, names, arena, &choice, &count, err)
            < 0
        || runs_read(&s, choice, count) < 0
        || where_apply(&s, axes->where, axes->where_count) < 0
        || axes_check(&s) < 0)
        return NULL;
    cells_lay_out(&s);
    return cells_check(&s) < 0 || metrics_read(&s, glob, globs) < 0 ? NULL : p;
}
