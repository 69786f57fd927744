/* traces/formats/native_scaling.c - services whose replicas follow a recorded
 * series by the rules of an autoscaler.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/strtab.h"
#include "traces/formats/native_load.h"
#include "traces/formats/reading.h"
#include "traces/services/scaling.h"
#include "traces/services/series.h"

#define STEPS_MAX INT64_C(100000000) /* decisions on one service */

struct trace_following {
    const char *series, *column;
    const struct gs_ynode *labels, *rules;
    struct trace_series_pick pick;
    struct trace_scaling rule;
};

static int read_load(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    double load;

    if (gs_yread_double(c, v, &load, err) < 0)
        return -1;
    if (!(load >= 0 && load <= (double)TRACE_SERIES_MOST))
        return gs_yread_refuse(c, v, "a load of 0 to 1000000000", err);
    *(int64_t *)dest = llround(load * (double)TRACE_SERIES_UNIT);
    return 0;
}

static int read_part(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    if (gs_yread_double(c, v, dest, err) < 0)
        return -1;
    if (!(*(double *)dest > 0 && *(double *)dest <= 1000))
        return gs_yread_refuse(c, v, "a number above 0, at most 1000", err);
    return 0;
}

static int read_tolerance(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    if (gs_yread_double(c, v, dest, err) < 0)
        return -1;
    if (!(*(double *)dest >= 0 && *(double *)dest <= 1))
        return gs_yread_refuse(c, v, "a share from 0 to 1", err);
    return 0;
}

static int read_select(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    static const char *const words[] = { "most", "least", "never" };
    const int i = gs_yread_word(c, v, words, 3, err);

    if (i >= 0)
        *(enum trace_scaling_select *)dest = (enum trace_scaling_select)i;
    return i < 0 ? -1 : 0;
}

struct limit_in {
    int64_t within;
    uint32_t percent, replicas;
};

static int limit_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_scaling_limit *out, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "percent", gs_yread_count, offsetof(struct limit_in, percent),
          false },
        { "replicas", gs_yread_count, offsetof(struct limit_in, replicas),
          false },
        { "within", gs_yread_duration, offsetof(struct limit_in, within),
          true },
    };
    struct limit_in in = { 0 };

    if (gs_ynode_fields(c, v, "limit", fields, 3, &in, err) < 0)
        return -1;
    if (!in.percent == !in.replicas)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "a limit has either 'percent' or 'replicas'");
    *out = (struct trace_scaling_limit){
        .period = in.within,
        .amount = in.percent ? in.percent : in.replicas,
        .is_percent = in.percent > 0,
    };
    return 0;
}

static int read_limits(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    struct trace_scaling_way *way =
        (void *)((char *)dest - offsetof(struct trace_scaling_way, limit));

    if (v->kind != GS_YSEQ || v->len > TRACE_SCALING_LIMITS_MAX)
        return gs_yread_refuse(c, v, "a list of at most 8 limits", err);
    way->limit_count = 0;
    for (const struct gs_ynode *i = v->child; i; i = i->next) {
        if (limit_read(c, i, &way->limit[way->limit_count++], err) < 0)
            return -1;
    }
    return 0;
}

#define WAY(member) offsetof(struct trace_scaling_way, member)

static int read_way(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "window", gs_yread_duration, WAY(window), false },
        { "delay", gs_yread_duration, WAY(delay), false },
        { "factor", read_part, WAY(factor), false },
        { "tolerance", read_tolerance, WAY(tolerance), false },
        { "limits", read_limits, WAY(limit), false },
        { "select", read_select, WAY(select), false },
    };

    return gs_ynode_fields(c, v, "way", fields,
                           sizeof(fields) / sizeof(fields[0]), dest, err);
}

static int rules_find(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct trace_scaling *out, struct gs_err *err)
{
    const char *word[8];
    uint32_t count = 0;
    int i = 0;

    while (trace_scaling_name(count)) {
        word[count] = trace_scaling_name(count);
        count++;
    }
    if (v)
        i = gs_yread_word(c, v, word, count, err);
    if (i < 0)
        return -1;
    *out = *trace_scaling_rules((uint32_t)i);
    return 0;
}

static int labels_read(const struct gs_yctx *c, struct trace_following *f,
                       struct gs_arena *arena, struct gs_err *err)
{
    const char **label, **is;

    if (!f->labels)
        return 0;
    if (f->labels->kind != GS_YMAP)
        return gs_yread_refuse(c, f->labels, "labels, {name: value}", err);
    label = gs_arena_alloc(arena, f->labels->len + 1, sizeof(*label));
    is = gs_arena_alloc(arena, f->labels->len + 1, sizeof(*is));
    for (const struct gs_ynode *v = f->labels->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR)
            return gs_yread_refuse(c, v, "a text", err);
        label[f->pick.label_count] = gs_arena_strndup(arena, v->key->text,
                                                      v->key->len);
        is[f->pick.label_count++] = gs_arena_strndup(arena, v->text, v->len);
    }
    f->pick.label = label;
    f->pick.is = is;
    return 0;
}

static int span_check(const struct trace_scaling *r, int64_t span,
                      const char *what, struct gs_mark at, struct gs_err *err)
{
    if (span / r->period <= TRACE_SCALING_TICKS_MAX)
        return 0;
    return gs_fail(err, GS_INPUT, at, "%s has more than %d times 'period'",
                   what, TRACE_SCALING_TICKS_MAX);
}

static int way_check(const struct trace_scaling *r,
                     const struct trace_scaling_way *way, struct gs_mark at,
                     struct gs_err *err)
{
    for (uint32_t i = 0; i < way->limit_count; i++) {
        const struct trace_scaling_limit *l = &way->limit[i];

        if (l->is_percent && l->amount > (way == &r->down ? 100 : 1000000))
            return gs_fail(err, GS_INPUT, at, "'percent' must be at most %s",
                           way == &r->down ? "100" : "1000000");
        if (span_check(r, l->period, "'within'", at, err) < 0)
            return -1;
    }
    return span_check(r, way->window, "'window'", at, err);
}

static int rule_check(const struct gs_yctx *c, const struct gs_ynode *v,
                      const struct trace_scaling *r, struct gs_err *err)
{
    static const char *const idle[] = { "activation", "polling", "cooldown" };
    const struct gs_mark at = gs_ynode_mark(c, v);

    if (r->min > r->max || r->max > TRACE_SCALING_REPLICAS_MAX)
        return gs_fail(err, GS_INPUT, at,
                       "'min' must not be above 'max', nor that above %u",
                       TRACE_SCALING_REPLICAS_MAX);
    if (r->start > r->max || (r->start < r->min && r->start))
        return gs_fail(err, GS_INPUT, at,
                       "'start' must be 'min' to 'max' (got %u)", r->start);
    if (r->target <= 0 || r->period <= 0)
        return gs_fail(err, GS_INPUT, at,
                       "'target' and 'period' must be above 0");
    if (r->zero == TRACE_ZERO_NEVER && (!r->min || !r->start))
        return gs_fail(err, GS_INPUT, at,
                       "'min' must be at least 1 under these 'rules', which "
                       "never go to 0");
    for (size_t i = 0; r->zero == TRACE_ZERO_NEVER && i < 3; i++) {
        const struct gs_ynode *key = gs_ynode_find(v, idle[i]);

        if (key)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, key->key),
                           "'%s' has no effect under these 'rules', which "
                           "never go to 0",
                           idle[i]);
    }
    if (span_check(r, r->average, "'average'", at, err) < 0
        || way_check(r, &r->up, at, err) < 0)
        return -1;
    return way_check(r, &r->down, at, err);
}

#define FOLLOWS(member) offsetof(struct trace_following, member)

int trace_read_following(const struct gs_yctx *c, const struct gs_ynode *v,
                         struct trace_load *load, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "series", gs_yread_text, FOLLOWS(series), true },
        { "column", gs_yread_text, FOLLOWS(column), false },
        { "labels", gs_yread_node, FOLLOWS(labels), false },
        { "rules", gs_yread_node, FOLLOWS(rules), false },
        { "target", read_load, FOLLOWS(rule.target), true },
        { "min", gs_yread_u32, FOLLOWS(rule.min), false },
        { "max", gs_yread_count, FOLLOWS(rule.max), true },
        { "start", gs_yread_u32, FOLLOWS(rule.start), false },
        { "period", gs_yread_duration, FOLLOWS(rule.period), false },
        { "average", gs_yread_duration, FOLLOWS(rule.average), false },
        { "activation", read_load, FOLLOWS(rule.activation), false },
        { "polling", gs_yread_duration, FOLLOWS(rule.polling), false },
        { "cooldown", gs_yread_duration, FOLLOWS(rule.cooldown), false },
        { "up", read_way, FOLLOWS(rule.up), false },
        { "down", read_way, FOLLOWS(rule.down), false },
    };
    struct gs_arena *arena = ((struct trace_workload *)c->user)->arena;
    struct trace_following *f = gs_arena_alloc(arena, 1, sizeof(*f));

    *f = (struct trace_following){ 0 };
    if (rules_find(c, gs_ynode_find(v, "rules"), &f->rule, err) < 0)
        return -1;
    f->rule.min = f->rule.zero == TRACE_ZERO_NEVER ? 1 : 0;
    f->rule.start = UINT32_MAX;
    if (gs_ynode_fields(c, v, "load", fields,
                        sizeof(fields) / sizeof(fields[0]), f, err)
            < 0
        || labels_read(c, f, arena, err) < 0)
        return -1;
    if (f->rule.start == UINT32_MAX)
        f->rule.start = f->rule.min;
    if (rule_check(c, v, &f->rule, err) < 0)
        return -1;
    /* the document is gone when the replicas are added */
    f->series = gs_arena_strndup(arena, f->series, strlen(f->series));
    if (f->column)
        f->pick.column = gs_arena_strndup(arena, f->column, strlen(f->column));
    load->high = f->rule.max;
    load->following = f;
    return 0;
}

static int series_read(struct trace_native *l, const struct trace_following *f,
                       struct trace_series *out, struct gs_err *err)
{
    struct gs_arena *arena = l->r->w->arena;
    struct gs_input *in = gs_input_open(
        gs_input_beside(arena, gs_input_name(l->r->in), f->series), err);
    int rc;

    if (!in)
        return -1;
    rc = trace_series_read(in, &f->pick, arena, out, err);
    l->r->facts->beside_hash = gs_hash_mix(l->r->facts->beside_hash,
                                           gs_input_hash(in));
    gs_input_close(in);
    return rc;
}

/* One time for which a replica was wanted. */
struct span {
    int64_t from, to; /* us since the service began */
    uint32_t replica, times;
};

struct spans {
    struct span *span; /* in order of `from`, then of replicas */
    uint32_t count, cap;
    uint32_t *last;  /* [replica] its latest span */
    uint32_t wanted; /* replicas now */
    struct gs_arena *arena;
};

/* `wanted` replicas from `now` on. */
static void spans_set(struct spans *s, int64_t now, uint32_t wanted)
{
    while (s->wanted > wanted)
        s->span[s->last[--s->wanted]].to = now;
    for (; s->wanted < wanted; s->wanted++) {
        const uint32_t k = s->wanted, last = s->last[k];
        const uint32_t times = last < s->count && s->span[last].replica == k
                                   ? s->span[last].times + 1
                                   : 1;

        s->span = gs_arena_grow(s->arena, s->span, &s->cap, s->count,
                                sizeof(*s->span));
        s->last[k] = s->count;
        s->span[s->count++] =
            (struct span){ .from = now, .replica = k, .times = times };
    }
}

static int spans_add(const struct spans *s, struct trace_native *l,
                     const struct trace_job *service, struct gs_mark at,
                     struct gs_err *err)
{
    const char *own = gs_strtab_str(l->r->w->names, service->name);
    char name[400];

    for (uint32_t i = 0; i < s->count; i++) {
        const struct span *one = &s->span[i];

        snprintf(name, sizeof(name), "%.300s-%u.%u", own, one->replica + 1,
                 one->times);
        if (trace_replica_add(l, service, name, service->submit + one->from,
                              service->submit + one->to, at, err)
            < 0)
            return -1;
    }
    return 0;
}

int trace_following_add(struct trace_native *l, const struct trace_job *service,
                        const struct trace_following *f, struct gs_mark at,
                        struct gs_err *err)
{
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct spans spans = { .arena = arena };
    struct trace_scaler *scaler = trace_scaler_create(&f->rule, arena);
    struct trace_series series;
    int rc = series_read(l, f, &series, err);

    if (rc == 0 && service->duration / f->rule.period > STEPS_MAX)
        rc = gs_fail(err, GS_INPUT, at,
                     "'duration' has more than %lld times 'period'",
                     (long long)STEPS_MAX);
    spans.last = gs_arena_alloc(arena, f->rule.max, sizeof(*spans.last));
    spans_set(&spans, 0, f->rule.start);
    for (int64_t now = 0; rc == 0 && now < service->duration;
         now += f->rule.period) {
        const int64_t load = trace_series_at(&series, now);

        spans_set(&spans, now, trace_scaler_step(scaler, now, load));
        if (spans.count > TRACE_LOAD_JOBS_MAX)
            rc = gs_fail(err, GS_INPUT, at,
                         "'load' makes more than %u replicas in its time",
                         TRACE_LOAD_JOBS_MAX);
    }
    spans_set(&spans, service->duration, 0);
    if (rc == 0)
        rc = spans_add(&spans, l, service, at, err);
    gs_arena_destroy(arena);
    return rc;
}
