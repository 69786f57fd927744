/* traces/model/model_reading.c - numbers, lists and distributions of a model file. */
#include "traces/model/model_reading.h"

#include <string.h>

#include "base/arena.h"
#include "base/quantity.h"

static const char *key_of(const struct gs_ynode *v)
{
    return v->key ? v->key->text : "value";
}

int trace_model_number(const struct gs_yctx *c, const struct gs_ynode *v,
                       double lo, double hi, double *out, struct gs_err *err)
{
    double x;

    if (v->kind == GS_YSCALAR
        && gs_quantity_parse_double(v->text, v->len, &x) == 0 && x >= lo
        && x <= hi) {
        *out = x;
        return 0;
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%.40s' must be a number of %g to %g (got %s%.40s%s)",
                   key_of(v), lo, hi, v->kind == GS_YSCALAR ? "'" : "",
                   v->kind == GS_YSCALAR ? v->text
                   : v->kind == GS_YMAP  ? "a mapping"
                                         : "a list",
                   v->kind == GS_YSCALAR ? "'" : "");
}

int trace_model_list(const struct gs_yctx *c, const struct gs_ynode *v,
                     uint32_t least, uint32_t most, const char *of,
                     struct gs_err *err)
{
    if (v->kind == GS_YSEQ && v->len >= least && v->len <= most)
        return 0;
    if (v->kind != GS_YSEQ)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%.40s' must be a list of %s", key_of(v), of);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%.40s' must be a list of %u to %u %s (got %u)", key_of(v),
                   least, most, of, v->len);
}

/* --- distributions --------------------------------------------------------- */

static int read_knots(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_distribution *d, struct gs_err *err)
{
    const struct trace_model_reading *r = c->user;
    struct trace_knot *k;
    uint32_t i = 0;
    int rc = 0;

    if (trace_model_list(c, v, 1, TRACE_KNOTS_MAX, "pairs [probability, value]",
                         err)
        < 0)
        return -1;
    k = gs_arena_alloc(r->arena, v->len, sizeof(*k));
    for (const struct gs_ynode *n = v->child; n; n = n->next, i++) {
        if (n->kind != GS_YSEQ || n->len != 2) {
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                         "a point of 'quantiles' must be a pair "
                         "[probability, value], such as [0.5, 3600]");
            continue;
        }
        if (trace_model_number(c, n->child, 0, 1, &k[i].p, err) < 0)
            rc = -1;
        if (trace_model_number(c, n->child->next, 1e-9, TRACE_MODEL_BIG,
                               &k[i].x, err)
            < 0)
            rc = -1;
        if (i && rc == 0 && (k[i].p <= k[i - 1].p || k[i].x < k[i - 1].x))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                           "the points of 'quantiles' must rise");
    }
    d->kind = TRACE_QUANTILES;
    d->knot = k;
    d->knot_count = v->len;
    return rc;
}

static int read_params(const struct gs_yctx *c, const struct gs_ynode *v,
                       enum trace_distribution_kind kind,
                       struct trace_distribution *d, struct gs_err *err)
{
    const struct trace_distribution_spec *s = trace_distribution_spec(kind);
    int rc = 0;

    d->kind = kind;
    if (v->kind != GS_YMAP || v->len != s->count)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a mapping with its %u parameters", s->name,
                       s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct gs_ynode *n = gs_ynode_find(v, s->param[i].name);

        if (!n)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v), "'%s' needs '%s'",
                         s->name, s->param[i].name);
        else if (trace_model_number(c, n, s->param[i].lo, s->param[i].hi,
                                    &d->param[i], err)
                 < 0)
            rc = -1;
    }
    return rc;
}

static int read_part(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_distribution *d, bool *found,
                     struct gs_err *err)
{
    const char *key = v->key->text;

    if (strcmp(key, "min") == 0)
        return trace_model_number(c, v, 1e-9, TRACE_MODEL_BIG, &d->min, err);
    if (strcmp(key, "max") == 0)
        return trace_model_number(c, v, 1e-9, TRACE_MODEL_BIG, &d->max, err);
    for (int k = 0; k < TRACE_DISTRIBUTIONS; k++) {
        const enum trace_distribution_kind kind =
            (enum trace_distribution_kind)k;

        if (strcmp(key, trace_distribution_spec(kind)->name) != 0)
            continue;
        if (*found)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                           "a distribution must be one kind only");
        *found = true;
        return kind == TRACE_QUANTILES ? read_knots(c, v, d, err)
                                       : read_params(c, v, kind, d, err);
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                   "a distribution must be lognormal, weibull, pareto, mixture "
                   "or quantiles, with min and max (got '%.40s')",
                   key);
}

int trace_model_distribution(const struct gs_yctx *c, const struct gs_ynode *v,
                             void *dest, struct gs_err *err)
{
    struct trace_distribution *d = dest;
    bool found = false;
    int rc = 0;

    for (const struct gs_ynode *n = v->kind == GS_YMAP ? v->child : NULL; n;
         n = n->next) {
        if (read_part(c, n, d, &found, err) < 0)
            rc = -1;
    }
    if (rc < 0)
        return -1;
    if (!found)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%.40s' must be a distribution, such as {lognormal: "
                       "{mu: 7.1, sigma: 2}}",
                       key_of(v));
    if (d->min > 0 && d->max > 0 && d->min > d->max)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'min' must be at most 'max'");
    return 0;
}
