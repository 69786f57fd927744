/* traces/model/model_read.c - a model from YAML. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "traces/model/model_reading.h"
#include "traces/workload/workload.h"

#define HOUR (3600 * GS_SECOND)
#define GPUS_MAX 65536

/* --- weights --------------------------------------------------------------- */

static int weights(const struct gs_yctx *c, const struct gs_ynode *v,
                   double *out, struct gs_err *err)
{
    double sum = 0;
    uint32_t i = 0;
    int rc = 0;

    for (const struct gs_ynode *n = v->child; n; n = n->next, i++) {
        if (trace_model_number(c, n, 0, TRACE_MODEL_BIG, &out[i], err) < 0)
            rc = -1;
        else
            sum += out[i];
    }
    if (rc < 0)
        return -1;
    if (!(sum > 0))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%.40s' must have a weight above 0", v->key->text);
    return 0;
}

static int read_daily(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct trace_arrivals *a = dest;

    a->has_daily = true;
    return trace_model_list(c, v, 24, 24, "weights, of the hours from midnight",
                            err)
                   < 0
               ? -1
               : weights(c, v, a->daily, err);
}

static int read_weekly(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    struct trace_arrivals *a = dest;

    a->has_weekly = true;
    return trace_model_list(c, v, 7, 7, "weights, of the days from Monday", err)
                   < 0
               ? -1
               : weights(c, v, a->weekly, err);
}

static int read_days(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const struct trace_model_reading *r = c->user;
    struct trace_arrivals *a = dest;
    double *days;

    if (trace_model_list(c, v, 1, TRACE_MODEL_DAYS_MAX,
                         "weights, of the days from the "
                         "first",
                         err)
        < 0)
        return -1;
    days = gs_arena_alloc(r->arena, v->len, sizeof(*days));
    a->days = days;
    a->day_count = v->len;
    return weights(c, v, days, err);
}

/* --- arrivals -------------------------------------------------------------- */

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

static int read_shape(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    return trace_model_number(c, v, 0.1, 100, dest, err);
}

static int read_hourly(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    return trace_model_number(c, v, 1e-6, 1e9, dest, err);
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
        { "shape", read_shape, AT(shape), false },
        { "rate", read_hourly, AT(rate), true },
        { "start", read_start, AT(start), false },
        { "daily", read_daily, 0, false },
        { "weekly", read_weekly, 0, false },
        { "days", read_days, 0, false },
    };
#undef AT
    struct trace_arrivals *a = dest;

    if (gs_ynode_fields(c, v, "arrivals", field,
                        sizeof(field) / sizeof(field[0]), a, err)
        < 0)
        return -1;
    if ((a->process == TRACE_RENEWAL) == (a->shape > 0))
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   a->shape > 0 ? "only weibull arrivals have a 'shape'"
                                : "weibull arrivals need a 'shape'");
}

/* --- sizes and stretches --------------------------------------------------- */

/* Each item of a list by the table, into `out`, which has entries of `size`. */
static int read_items(const struct gs_yctx *c, const struct gs_ynode *list,
                      const char *what, const struct gs_yfield *field,
                      size_t count, void *out, size_t size, struct gs_err *err)
{
    char *at = out;
    int rc = 0;

    for (const struct gs_ynode *n = list->child; n; n = n->next, at += size) {
        if (gs_ynode_fields(c, n, what, field, count, at, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

static int read_weight(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    return trace_model_number(c, v, 1e-9, TRACE_MODEL_BIG, dest, err);
}

static int read_run(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    return trace_model_number(c, v, 1, 1e6, dest, err);
}

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
        { "weight", read_weight, AT(weight), true },
        { "run", read_run, AT(run), false },
        { "duration", trace_model_distribution, AT(duration), true },
    };
#undef AT
    const struct trace_model_reading *r = c->user;
    struct trace_model_stretch *s = dest;
    struct trace_model_size *size;

    if (trace_model_list(c, v, 1, TRACE_MODEL_SIZES_MAX, "sizes", err) < 0)
        return -1;
    size = gs_arena_alloc(r->arena, v->len, sizeof(*size));
    s->size = size;
    s->size_count = v->len;
    for (uint32_t i = 0; i < v->len; i++)
        size[i].run = 1;
    return read_items(c, v, "a size", field, sizeof(field) / sizeof(field[0]),
                      size, sizeof(*size), err);
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

static int read_one(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    const struct trace_model_reading *r = c->user;
    struct trace_model_stretch *s = gs_arena_alloc(r->arena, 1, sizeof(*s));
    struct trace_model *m = dest;

    m->stretch = s;
    m->stretch_count = 1;
    return read_sizes(c, v, s, err);
}

static int read_stretches(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    static const struct gs_yfield field[] = {
        { "for", read_length, offsetof(struct trace_model_stretch, length),
          true },
        { "sizes", read_sizes, 0, true },
    };
    const struct trace_model_reading *r = c->user;
    struct trace_model *m = dest;
    struct trace_model_stretch *s;
    int rc = 0;

    if (trace_model_list(c, v, 1, TRACE_MODEL_STRETCHES_MAX, "stretches", err)
        < 0)
        return -1;
    s = gs_arena_alloc(r->arena, v->len, sizeof(*s));
    if (m->stretch_count)
        rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                     "a model has 'sizes' or 'stretches', not both");
    m->stretch = s;
    m->stretch_count = v->len;
    if (read_items(c, v, "a stretch", field, 2, s, sizeof(*s), err) < 0)
        rc = -1;
    return rc;
}

/* --- queues ---------------------------------------------------------------- */

static int read_queue_name(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err)
{
    const struct trace_model_reading *r = c->user;

    if (gs_yread_text(c, v, dest, err) < 0)
        return -1;
    if (!trace_queue_name_ok(v->text))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'name' must be a path of at most 8 names, such as "
                       "a/b/c (got '%.60s')",
                       v->text);
    *(const char **)dest = gs_arena_strndup(r->arena, v->text, v->len);
    return 0;
}

static int read_queues(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    static const struct gs_yfield field[] = {
        { "name", read_queue_name, offsetof(struct trace_model_queue, name),
          true },
        { "weight", read_weight, offsetof(struct trace_model_queue, weight),
          true },
    };
    const struct trace_model_reading *r = c->user;
    struct trace_model *m = dest;
    struct trace_model_queue *q;

    if (trace_model_list(c, v, 1, TRACE_MODEL_QUEUES_MAX, "queues", err) < 0)
        return -1;
    q = gs_arena_alloc(r->arena, v->len, sizeof(*q));
    m->queue = q;
    m->queue_count = v->len;
    return read_items(c, v, "a queue", field, 2, q, sizeof(*q), err);
}

/* --- all of it ------------------------------------------------------------- */

static int read_correlation(const struct gs_yctx *c, const struct gs_ynode *v,
                            void *dest, struct gs_err *err)
{
    return trace_model_number(c, v, 0, 1, dest, err);
}

static int read_estimates(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    struct trace_model *m = dest;

    m->has_estimates = true;
    return trace_model_distribution(c, v, &m->estimates, err);
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
        { "sizes", read_one, 0, false },
        { "stretches", read_stretches, 0, false },
        { "correlation", read_correlation, AT(correlation), false },
        { "task_gpus", read_task_gpus, AT(task_gpus), false },
        { "estimates", read_estimates, 0, false },
        { "queues", read_queues, 0, false },
    };
#undef AT

    if (gs_ynode_fields(c, root, "a model", field,
                        sizeof(field) / sizeof(field[0]), m, err)
        < 0)
        return -1;
    if (m->stretch_count)
        return 0;
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, root),
                   "a model needs 'sizes' or 'stretches'");
}

const struct trace_model *trace_model_read(struct gs_input *in,
                                           struct gs_arena *arena,
                                           struct gs_err *err)
{
    struct gs_arena *scratch = gs_arena_create(1 << 14);
    struct trace_model *m = gs_arena_alloc(arena, 1, sizeof(*m));
    struct trace_model_reading r = { arena };
    const struct gs_yctx c = { gs_input_name(in), &r };
    const struct gs_ynode *root = gs_yaml_read(in, scratch, NULL, err);
    int rc;

    assert(in);
    m->task_gpus = 8;
    rc = root ? read_model(&c, root, m, err) : -1;
    gs_arena_destroy(scratch);
    return rc < 0 ? NULL : m;
}
