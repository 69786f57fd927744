/* traces/model/model_read.c - a model from YAML.
 *
 * Ranges of numbers and lengths of lists are in two tables by key.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "traces/model/model.h"
#include "traces/workload/workload.h"

#define HOUR (3600 * GS_SECOND)
#define GPUS_MAX 65536
#define BIG 1e12
#define SMALL 1e-9

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

/* --- numbers and lists ---------------------------------------------------- */

static const struct {
    const char *key;
    double lo, hi;
} ranges[] = {
    { "rate", 1e-6, 1e9 }, { "shape", 0.1, 100 },   { "weight", SMALL, BIG },
    { "run", 1, 1e6 },     { "correlation", 0, 1 }, { "min", SMALL, BIG },
    { "max", SMALL, BIG },
};

static const struct {
    const char *key;
    uint32_t least, most;
    const char *of;
} lists[] = {
    { "daily", 24, 24, "weights, of the hours from midnight" },
    { "weekly", 7, 7, "weights, of the days from Monday" },
    { "days", 1, TRACE_MODEL_DAYS_MAX, "weights, of the days from the first" },
    { "sizes", 1, TRACE_MODEL_SIZES_MAX, "sizes" },
    { "stretches", 1, TRACE_MODEL_STRETCHES_MAX, "stretches" },
    { "queues", 1, TRACE_MODEL_QUEUES_MAX, "queues" },
    { "quantiles", 1, TRACE_KNOTS_MAX, "pairs [probability, value]" },
};

static const char *key_of(const struct gs_ynode *v)
{
    return v->key ? v->key->text : "value";
}

static int number_read(const struct gs_yctx *c, const struct gs_ynode *v,
                       double lo, double hi, double *out, struct gs_err *err)
{
    const char *quote = v->kind == GS_YSCALAR ? "'" : "";
    double x;

    if (v->kind == GS_YSCALAR
        && gs_quantity_parse_double(v->text, v->len, &x) == 0 && x >= lo
        && x <= hi) {
        *out = x;
        return 0;
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%.40s' must be a number of %g to %g (got %s%.40s%s)",
                   key_of(v), lo, hi, quote,
                   v->kind == GS_YSCALAR ? v->text
                   : v->kind == GS_YMAP  ? "a mapping"
                                         : "a list",
                   quote);
}

/* Read a number in the range of its key. */
static int read_number(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    size_t i = 0;

    while (strcmp(ranges[i].key, v->key->text) != 0)
        i++;
    return number_read(c, v, ranges[i].lo, ranges[i].hi, dest, err);
}

/* Check the length of a list against the range of its key. */
static int list_check(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct gs_err *err)
{
    size_t i = 0;

    while (strcmp(lists[i].key, v->key->text) != 0)
        i++;
    if (v->kind != GS_YSEQ)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a list of %s", lists[i].key, lists[i].of);
    if (v->len < lists[i].least || v->len > lists[i].most)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a list of %u to %u %s (got %u)",
                       lists[i].key, lists[i].least, lists[i].most, lists[i].of,
                       v->len);
    return 0;
}

/* Read each item of a list by the table into an array with entries of `size`
 * bytes, stored in `out`.
 */
static int items_read(const struct gs_yctx *c, const struct gs_ynode *list,
                      const char *what, const struct gs_yfield *field,
                      size_t fields, size_t size, void *out, struct gs_err *err)
{
    char *at;
    int rc = 0;

    if (list_check(c, list, err) < 0)
        return -1;
    at = gs_arena_alloc(c->user, list->len, size);
    memcpy(out, &at, sizeof(at));
    for (const struct gs_ynode *n = list->child; n; n = n->next, at += size) {
        if (gs_ynode_fields(c, n, what, field, fields, at, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

/* --- distributions -------------------------------------------------------- */

static int knots_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_distribution *d, struct gs_err *err)
{
    struct trace_knot *k;
    uint32_t i = 0;
    int rc = 0;

    if (list_check(c, v, err) < 0)
        return -1;
    k = gs_arena_alloc(c->user, v->len, sizeof(*k));
    for (const struct gs_ynode *n = v->child; n; n = n->next, i++) {
        if (n->kind != GS_YSEQ || n->len != 2) {
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                         "a point of 'quantiles' must be a pair "
                         "[probability, value], such as [0.5, 3600]");
            continue;
        }
        if (number_read(c, n->child, 0, 1, &k[i].p, err) < 0)
            rc = -1;
        if (number_read(c, n->child->next, SMALL, BIG, &k[i].x, err) < 0)
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

static int params_read(const struct gs_yctx *c, const struct gs_ynode *v,
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
        else if (number_read(c, n, s->param[i].lo, s->param[i].hi, &d->param[i],
                             err)
                 < 0)
            rc = -1;
    }
    return rc;
}

static int part_read(const struct gs_yctx *c, const struct gs_ynode *v,
                     struct trace_distribution *d, bool *found,
                     struct gs_err *err)
{
    const char *key = v->key->text;

    if (strcmp(key, "min") == 0)
        return read_number(c, v, &d->min, err);
    if (strcmp(key, "max") == 0)
        return read_number(c, v, &d->max, err);
    for (int k = 0; k < TRACE_DISTRIBUTIONS; k++) {
        const enum trace_distribution_kind kind =
            (enum trace_distribution_kind)k;

        if (strcmp(key, trace_distribution_spec(kind)->name) != 0)
            continue;
        if (*found)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                           "a distribution must be one kind only");
        *found = true;
        return kind == TRACE_QUANTILES ? knots_read(c, v, d, err)
                                       : params_read(c, v, kind, d, err);
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                   "a distribution must be lognormal, weibull, pareto, mixture "
                   "or quantiles, with min and max (got '%.40s')",
                   key);
}

static int read_distribution(const struct gs_yctx *c, const struct gs_ynode *v,
                             void *dest, struct gs_err *err)
{
    struct trace_distribution *d = dest;
    bool found = false;
    int rc = 0;

    for (const struct gs_ynode *n = v->kind == GS_YMAP ? v->child : NULL; n;
         n = n->next) {
        if (part_read(c, n, d, &found, err) < 0)
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

/* --- arrivals ------------------------------------------------------------- */

static int read_weights(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    struct trace_weights *w = dest;
    double sum = 0, *at;
    uint32_t i = 0;

    if (list_check(c, v, err) < 0)
        return -1;
    at = gs_arena_alloc(c->user, v->len, sizeof(*at));
    *w = (struct trace_weights){ at, v->len };
    for (const struct gs_ynode *n = v->child; n; n = n->next, i++) {
        if (number_read(c, n, 0, BIG, &at[i], err) < 0)
            w->count = 0;
        sum += at[i];
    }
    if (w->count == 0)
        return -1;
    if (!(sum > 0))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%.40s' must have a weight above 0", v->key->text);
    return 0;
}

static int read_process(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    const bool scalar = v->kind == GS_YSCALAR;

    if (!scalar
        || (strcmp(v->text, "poisson") != 0 && strcmp(v->text, "weibull") != 0))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'process' must be poisson or weibull (got '%.40s')",
                       scalar ? v->text : "no word");
    *(enum trace_process *)dest = v->text[0] == 'p' ? TRACE_POISSON
                                                    : TRACE_RENEWAL;
    return 0;
}

static int read_start(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    int64_t us;

    if (gs_yread_duration(c, v, &us, err) < 0)
        return -1;
    if (us >= 7 * 24 * HOUR)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'start' must be the time since Monday's midnight, "
                       "below 7d (got '%.40s')",
                       v->text);
    *(int64_t *)dest = us;
    return 0;
}

static int read_arrivals(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
#define AT(field) offsetof(struct trace_arrivals, field)
    static const struct gs_yfield field[] = {
        { "process", read_process, AT(process), false },
        { "shape", read_number, AT(shape), false },
        { "rate", read_number, AT(rate), true },
        { "start", read_start, AT(start), false },
        { "daily", read_weights, AT(daily), false },
        { "weekly", read_weights, AT(weekly), false },
        { "days", read_weights, AT(days), false },
    };
#undef AT
    struct trace_arrivals *a = dest;

    if (gs_ynode_fields(c, v, "arrivals", field, COUNT(field), a, err) < 0)
        return -1;
    if ((a->process == TRACE_RENEWAL) == (a->shape > 0))
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   a->shape > 0 ? "only weibull arrivals have a 'shape'"
                                : "weibull arrivals need a 'shape'");
}

/* --- sizes and stretches -------------------------------------------------- */

static int read_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    int64_t milli;

    if (v->kind != GS_YSCALAR
        || gs_quantity_parse_milli(v->text, v->len, &milli) < 0 || milli < 1
        || milli > GPUS_MAX * (int64_t)TOPO_SHARE_ONE
        || (milli > TOPO_SHARE_ONE && milli % TOPO_SHARE_ONE))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'gpus' must be 1 to %d, or a share such as 0.5 (got "
                       "'%.40s')",
                       GPUS_MAX, v->kind == GS_YSCALAR ? v->text : "no number");
    *(int64_t *)dest = milli;
    return 0;
}

static int read_sizes(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
#define AT(field) offsetof(struct trace_model_size, field)
    static const struct gs_yfield field[] = {
        { "gpus", read_gpus, AT(gpu_milli), true },
        { "weight", read_number, AT(weight), true },
        { "run", read_number, AT(run), false },
        { "duration", read_distribution, AT(duration), true },
    };
#undef AT
    struct trace_model_stretch *s = dest;

    s->size_count = v->len;
    return items_read(c, v, "a size", field, COUNT(field), sizeof(*s->size),
                      &s->size, err);
}

static int read_length(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    int64_t us;

    if (gs_yread_duration(c, v, &us, err) < 0)
        return -1;
    if (us < HOUR || us > TRACE_MODEL_SPAN_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be 1h to 3660d (got '%.40s')", v->key->text,
                       v->text);
    *(int64_t *)dest = us;
    return 0;
}

/* Read the mixes of "stretches", or the single one of "sizes". */
static int read_mixes(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    static const struct gs_yfield field[] = {
        { "for", read_length, offsetof(struct trace_model_stretch, length),
          true },
        { "sizes", read_sizes, 0, true },
    };
    const bool has_several = strcmp(v->key->text, "stretches") == 0;
    struct trace_model *m = dest;
    struct trace_model_stretch *s;

    if (m->stretch_count)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                       "a model has 'sizes' or 'stretches', not both");
    m->stretch_count = has_several ? v->len : 1;
    if (has_several)
        return items_read(c, v, "a stretch", field, COUNT(field), sizeof(*s),
                          &m->stretch, err);
    m->stretch = s = gs_arena_alloc(c->user, 1, sizeof(*s));
    return read_sizes(c, v, s, err);
}

/* --- queues --------------------------------------------------------------- */

static int read_queue_name(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err)
{
    if (gs_yread_text(c, v, dest, err) < 0)
        return -1;
    if (!trace_queue_name_ok(v->text))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'name' must be a path of at most 8 names, such as "
                       "a/b/c (got '%.60s')",
                       v->text);
    *(const char **)dest = gs_arena_strndup(c->user, v->text, v->len);
    return 0;
}

static int read_queues(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    static const struct gs_yfield field[] = {
        { "name", read_queue_name, offsetof(struct trace_model_queue, name),
          true },
        { "weight", read_number, offsetof(struct trace_model_queue, weight),
          true },
    };
    struct trace_model *m = dest;

    m->queue_count = v->len;
    return items_read(c, v, "a queue", field, COUNT(field), sizeof(*m->queue),
                      &m->queue, err);
}

/* --- all of it ------------------------------------------------------------ */

static int read_estimates(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    struct trace_model *m = dest;

    m->has_estimates = true;
    return read_distribution(c, v, &m->estimates, err);
}

static int read_task_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    uint32_t n;

    if (gs_yread_count(c, v, &n, err) < 0)
        return -1;
    if (n > TOPO_DEVICES_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'task_gpus' must be 1 to %d (got %u)", TOPO_DEVICES_MAX,
                       n);
    *(uint32_t *)dest = n;
    return 0;
}

static int read_model(const struct gs_yctx *c, const struct gs_ynode *root,
                      struct trace_model *m, struct gs_err *err)
{
#define AT(field) offsetof(struct trace_model, field)
    static const struct gs_yfield field[] = {
        { "span", read_length, AT(span), true },
        { "arrivals", read_arrivals, AT(arrivals), true },
        { "sizes", read_mixes, 0, false },
        { "stretches", read_mixes, 0, false },
        { "correlation", read_number, AT(correlation), false },
        { "task_gpus", read_task_gpus, AT(task_gpus), false },
        { "estimates", read_estimates, 0, false },
        { "queues", read_queues, 0, false },
    };
#undef AT

    if (gs_ynode_fields(c, root, "a model", field, COUNT(field), m, err) < 0)
        return -1;
    return m->stretch_count ? 0
                            : gs_fail(err, GS_INPUT, gs_ynode_mark(c, root),
                                      "a model needs 'sizes' or 'stretches'");
}

const struct trace_model *trace_model_read(struct gs_input *in,
                                           struct gs_arena *arena,
                                           struct gs_err *err)
{
    struct gs_arena *scratch = gs_arena_create(1 << 14);
    struct trace_model *m = gs_arena_alloc(arena, 1, sizeof(*m));
    const struct gs_yctx c = { gs_input_name(in), arena };
    const struct gs_ynode *root = gs_yaml_read(in, scratch, NULL, err);
    int rc;

    assert(in);
    m->task_gpus = 8;
    rc = root ? read_model(&c, root, m, err) : -1;
    gs_arena_destroy(scratch);
    return rc < 0 ? NULL : m;
}
