/* reports/compare/pivot.c - runs sorted into cells, see pivot.h. */
#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/text.h"
#include "reports/compare/axes.h"
#include "reports/compare/pivot_private.h"
#include "reports/compare/statistics.h"
#include "reports/store/choose.h"
#include "reports/store/store_private.h"

struct marked_run {
    const struct report_choice *choice;
    struct report_axes axes;
    uint32_t row, col;
};

struct sorter {
    struct report_pivot *p;
    struct marked_run *run;
    uint32_t runs;
    struct gs_err *err;
};

static const struct gs_mark nowhere = { 0 };

static const char *clean(struct gs_arena *arena, const char *s)
{
    char *copy = gs_arena_strndup(arena, s, strlen(s));

    gs_text_clean(copy);
    return copy;
}

/* --- checks ------------------------------------------------------------------- */

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
    uint32_t n = 0;
    size_t len = 0;

    for (uint32_t i = 0; i < s->runs; i++) {
        for (uint32_t k = 0; k < s->run[i].axes.count; k++) {
            const char *axis = s->run[i].axes.at[k].axis;
            uint32_t j = 0;

            while (j < n && strcmp(known[j], axis) != 0)
                j++;
            if (j == n && n < 32)
                known[n++] = axis;
        }
    }
    buf[0] = '\0';
    for (uint32_t i = 0; i < n && len + strlen(known[i]) + 8 < size; i++)
        len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
                                known[i]);
    return buf;
}

static int axes_check(const struct sorter *s)
{
    const struct report_pivot_axes *a = &s->p->axes;
    char known[200];

    for (size_t i = 0; i < a->row_count + a->col_count; i++) {
        const char *axis = i < a->row_count ? a->rows[i]
                                            : a->cols[i - a->row_count];

        if (!has_axis(s, axis))
            return gs_fail(s->err, GS_USAGE, nowhere,
                           "the runs have no axis '%.60s' (there are: %s)",
                           axis, axes_text(s, known, sizeof(known)));
        for (size_t k = 0; k < i; k++) {
            if (strcmp(axis, k < a->row_count ? a->rows[k]
                                              : a->cols[k - a->row_count])
                == 0)
                return gs_fail(s->err, GS_USAGE, nowhere,
                               "axis '%.60s' is given twice", axis);
        }
    }
    return 0;
}

static bool is_where(const struct marked_run *r, const char *where)
{
    for (uint32_t i = 0; i < r->axes.count; i++) {
        const size_t n = strlen(r->axes.at[i].axis);

        /* the axis may hold a '=' itself */
        if (strncmp(where, r->axes.at[i].axis, n) == 0 && where[n] == '=')
            return strcmp(where + n + 1, r->axes.at[i].value) == 0;
    }
    return false;
}

/* What a condition could say: the values of its axis, or the axes. */
static const char *values_text(const struct sorter *s, const char *where,
                               char *buf, size_t size)
{
    const char *name[64];
    char list[160];
    size_t n = 0;

    for (uint32_t k = 0; k < s->runs && n < 64; k++) {
        for (uint32_t i = 0; i < s->run[k].axes.count; i++) {
            const char *axis = s->run[k].axes.at[i].axis;
            const char *value = s->run[k].axes.at[i].value;
            const size_t len = strlen(axis);
            size_t same = 0;

            if (strncmp(where, axis, len) != 0 || where[len] != '=')
                continue;
            while (same < n && strcmp(name[same], value) != 0)
                same++;
            if (same == n)
                name[n++] = value;
            break;
        }
    }
    if (n)
        snprintf(buf, size, "there are: %s",
                 gs_names_join(list, sizeof(list), name, n));
    else
        snprintf(buf, size, "AXIS=VALUE; axes are: %s",
                 axes_text(s, list, sizeof(list)));
    return buf;
}

/* Keep the runs that all conditions hold of. */
static int where_apply(struct sorter *s)
{
    const struct report_pivot_axes *a = &s->p->axes;

    for (size_t i = 0; i < a->where_count; i++) {
        uint32_t kept = 0;

        for (uint32_t k = 0; k < s->runs; k++) {
            if (is_where(&s->run[k], a->where[i]))
                s->run[kept++] = s->run[k];
        }
        if (kept == 0) {
            char known[200];

            return gs_fail(s->err, GS_USAGE, nowhere,
                           "no run is where '%.80s' (%s)", a->where[i],
                           values_text(s, a->where[i], known, sizeof(known)));
        }
        s->runs = kept;
    }
    return 0;
}

/* --- cells -------------------------------------------------------------------- */

static const char *value_or(const struct marked_run *r, const char *axis)
{
    const char *value = report_axes_value(&r->axes, axis);

    return value ? value : "-";
}

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

/* Numbers by size, before other values, which stay as they came. */
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

/* Sort the keys, stable; place[old] is the new number. */
static void keys_sort(struct pivot_key *key, uint32_t count, size_t axes,
                      uint32_t *place, struct gs_arena *arena)
{
    uint32_t *order = gs_arena_alloc(arena, count + 1, sizeof(*order));
    struct pivot_key *was = gs_arena_alloc(arena, count + 1, sizeof(*was));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i;

        for (; k > 0 && is_after(&key[order[k - 1]], &key[i], axes); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    memcpy(was, key, count * sizeof(*was));
    for (uint32_t i = 0; i < count; i++) {
        key[i] = was[order[i]];
        place[order[i]] = i;
    }
}

static void cells_lay_out(struct sorter *s)
{
    struct report_pivot *p = s->p;
    const struct report_pivot_axes *a = &p->axes;
    uint32_t *row_place, *col_place;

    p->row = gs_arena_alloc(p->arena, s->runs + 1, sizeof(*p->row));
    p->col = gs_arena_alloc(p->arena, s->runs + 1, sizeof(*p->col));
    for (uint32_t i = 0; i < s->runs; i++) {
        struct marked_run *r = &s->run[i];

        r->row = key_find(p->row, &p->rows, r, a->rows, a->row_count, p->arena);
        r->col = key_find(p->col, &p->cols, r, a->cols, a->col_count, p->arena);
    }
    row_place = gs_arena_alloc(p->arena, p->rows + 1, sizeof(*row_place));
    col_place = gs_arena_alloc(p->arena, p->cols + 1, sizeof(*col_place));
    keys_sort(p->row, p->rows, a->row_count, row_place, p->arena);
    keys_sort(p->col, p->cols, a->col_count, col_place, p->arena);
    for (uint32_t i = 0; i < s->runs; i++) {
        s->run[i].row = row_place[s->run[i].row];
        s->run[i].col = col_place[s->run[i].col];
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

/* Runs of one cell are the same but for seed and name. */
static int cells_check(const struct sorter *s)
{
    const struct report_pivot *p = s->p;
    const struct marked_run **first = gs_arena_alloc(
        p->arena, (size_t)p->rows * p->cols + 1, sizeof(*first));

    for (uint32_t i = 0; i < s->runs; i++) {
        const struct marked_run *r = &s->run[i];
        const struct marked_run **f = &first[r->row * p->cols + r->col];

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

/* --- metrics ------------------------------------------------------------------ */

static bool matches(struct report_pivot *p, const char *glob,
                    const struct report_stored_metric *m)
{
    const size_t size = strlen(m->name) + strlen(m->label) + 2;
    char *full = gs_arena_alloc(p->arena, size, 1);

    snprintf(full, size, "%s%s%s", m->name, m->label[0] ? "." : "", m->label);
    return fnmatch(glob, full, 0) == 0;
}

static void metric_add(struct report_pivot *p,
                       const struct report_stored_metric *m)
{
    struct pivot_metric *grown;

    for (uint32_t i = 0; i < p->metrics; i++) {
        if (strcmp(p->metric[i].name, m->name) == 0
            && strcmp(p->metric[i].scope, m->scope) == 0
            && strcmp(p->metric[i].label, m->label) == 0)
            return;
    }
    grown = gs_arena_alloc(p->arena, p->metrics + 1, sizeof(*grown));
    if (p->metrics)
        memcpy(grown, p->metric, p->metrics * sizeof(*grown));
    p->metric = grown;
    grown[p->metrics++] = (struct pivot_metric){
        .name = clean(p->arena, m->name),
        .scope = clean(p->arena, m->scope),
        .label = clean(p->arena, m->label),
        .info = report_glossary_find(m->name),
        .cell = gs_arena_alloc(p->arena, (size_t)p->rows * p->cols + 1,
                               sizeof(*grown->cell)),
    };
}

/* The metrics that the pattern matches in the first run that has any. */
static int glob_find(struct sorter *s, const char *glob)
{
    for (uint32_t i = 0; i < s->runs; i++) {
        const struct report_choice *from = s->run[i].choice;
        struct report_stored_metric *m;
        uint32_t count, found = 0;

        if (report_store_metrics(from->store, from->run.id, s->p->arena, &m,
                                 &count, s->err)
            < 0)
            return -1;
        for (uint32_t k = 0; k < count; k++) {
            if (matches(s->p, glob, &m[k])) {
                metric_add(s->p, &m[k]);
                found++;
            }
        }
        if (found)
            return 0;
    }
    return gs_fail(s->err, GS_USAGE, nowhere,
                   "no metric matches '%.60s' (see 'gsim compare --explain')",
                   glob);
}

/* 1: the run has it, 0: not, -1 on failure. */
static int value_read(struct sorter *s, const struct marked_run *r,
                      const struct pivot_metric *m, double *value)
{
    struct report_store *from = r->choice->store;
    sqlite3_stmt *st = NULL;
    int rc = 0;

    if (sqlite3_prepare_v2(from->db,
                           "SELECT value FROM metrics WHERE run_id = ?1 AND"
                           " name = ?2 AND scope = ?3 AND label = ?4",
                           -1, &st, NULL)
        != SQLITE_OK)
        return store_fail(from, "cannot read the metrics", s->err);
    sqlite3_bind_int64(st, 1, r->choice->run.id);
    sqlite3_bind_text(st, 2, m->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 3, m->scope, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 4, m->label, -1, SQLITE_STATIC);
    if (sqlite3_step(st) == SQLITE_ROW) {
        *value = sqlite3_column_double(st, 0);
        rc = 1;
    }
    return sqlite3_finalize(st) == SQLITE_OK
               ? rc
               : store_fail(from, "cannot read the metrics", s->err);
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

/* The runs of a cell follow each other in `order`. */
static int run_compare(const void *pa, const void *pb)
{
    const struct marked_run *a = pa, *b = pb;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->col != b->col)
        return a->col < b->col ? -1 : 1;
    return (a->choice > b->choice) - (a->choice < b->choice);
}

static int metric_fill(struct sorter *s, struct pivot_metric *m)
{
    double *x = gs_array_new(s->runs + 1, sizeof(*x));
    uint32_t n = 0;
    int rc = 0;

    for (uint32_t i = 0; rc >= 0 && i < s->runs; i++) {
        const struct marked_run *r = &s->run[i];
        const bool is_last = i + 1 == s->runs || s->run[i + 1].row != r->row
                             || s->run[i + 1].col != r->col;

        rc = value_read(s, r, m, &x[n]);
        if (rc > 0 && x[n] >= -REPORT_VALUE_MAX && x[n] <= REPORT_VALUE_MAX)
            n++;
        if (!is_last)
            continue;
        cell_fill(&m->cell[r->row * s->p->cols + r->col], x, n);
        n = 0;
    }
    gs_array_free(x);
    return rc < 0 ? -1 : 0;
}

/* --- all ---------------------------------------------------------------------- */

static int runs_place(struct sorter *s, const struct report_choice *choice,
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
    static const char *const usual[] = { "wait.mean" };

    for (size_t i = 0; i < (globs ? globs : 1); i++) {
        if (glob_find(s, globs ? glob[i] : usual[0]) < 0)
            return -1;
    }
    qsort(s->run, s->runs, sizeof(*s->run), run_compare);
    for (uint32_t i = 0; i < s->p->metrics; i++) {
        if (metric_fill(s, &s->p->metric[i]) < 0)
            return -1;
    }
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
    p->axes = *axes;
    if (report_choose(store, stores, name, names, arena, &choice, &count, err)
            < 0
        || runs_place(&s, choice, count) < 0 || where_apply(&s) < 0
        || axes_check(&s) < 0)
        return NULL;
    cells_lay_out(&s);
    return cells_check(&s) < 0 || metrics_read(&s, glob, globs) < 0 ? NULL : p;
}
