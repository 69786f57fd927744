/* traces/services/scaling.c - how many replicas a service wants.
 *
 * A decision goes through these steps, each of which the defaults of an
 * autoscaler may switch off:
 *
 *   wanted   load / target, rounded up; what is there, within the tolerance
 *   factor   only part of the change
 *   windows  up by the least wanted in one time, down by the most in another
 *   limits   so many replicas, or so much of them, within a time
 *   bounds   min and max
 *   delay    only when it was wanted for so long
 *
 * Sources: Kubernetes, pkg/controller/podautoscaler/horizontal.go and
 * replica_calculator.go (autoscaling/v2, its defaults in
 * pkg/apis/autoscaling/v2/defaults.go); KEDA, the reference of ScaledObject and
 * pkg/scaling/executor/scale_scaledobjects.go; Ray,
 * python/ray/serve/autoscaling_policy.py and its AutoscalingConfig.
 */
#include "traces/services/scaling.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/duration.h"

#define MINUTE (60 * GS_SECOND)

/* The two ways of a HorizontalPodAutoscaler: within a tolerance of 10 %; up by
 * 100 % or 4 within 15 s, whichever is more; down by the most of five minutes.
 */
#define HPA_UP                                     \
    {                                              \
        .factor = 1, .tolerance = 0.1,             \
        .limit = { { 15 * GS_SECOND, 100, true },  \
                   { 15 * GS_SECOND, 4, false } }, \
        .limit_count = 2                           \
    }
#define HPA_DOWN                                                     \
    {                                                                \
        .window = 5 * MINUTE, .factor = 1, .tolerance = 0.1,         \
        .limit = { { 15 * GS_SECOND, 100, true } }, .limit_count = 1 \
    }

static const struct {
    const char *name;
    struct trace_scaling rules;
} known[] = {
    { "hpa",
      { .period = 15 * GS_SECOND,
        .cooldown = -1,
        .up = HPA_UP,
        .down = HPA_DOWN } },
    /* KEDA decides between 0 and 1, and lets an HPA decide above. */
    { "keda",
      { .period = 15 * GS_SECOND,
        .polling = 30 * GS_SECOND,
        .cooldown = 5 * MINUTE,
        .zero = TRACE_ZERO_WHEN_IDLE,
        .up = HPA_UP,
        .down = HPA_DOWN } },
    /* Ray Serve decides ten times a second; its delays are whole seconds. */
    { "ray",
      { .period = GS_SECOND,
        .average = 30 * GS_SECOND,
        .zero = TRACE_ZERO_BY_STEP,
        .polling = GS_SECOND,
        .cooldown = -1,
        .up = { .factor = 1, .delay = 30 * GS_SECOND },
        .down = { .factor = 1, .delay = 10 * MINUTE } } },
};

/* The least or the most of what was put within a time: a queue in which each
 * entry is better than all before it.
 */
struct window {
    struct past {
        int64_t at;
        int64_t value;
    } * past; /* a ring */
    uint32_t size, first, count;
    int64_t span;
    bool is_least;
};

/* Changes of one way, the latest last. */
struct changes {
    struct past *past; /* a ring */
    uint32_t size, first, count;
};

struct trace_scaler {
    const struct trace_scaling *rule;
    uint32_t replicas;
    struct window least, most;  /* of what was wanted */
    struct changes added, less; /* up and down */
    int64_t *load;              /* of the last ticks: a ring; NULL: none */
    uint32_t load_size, load_first, load_count;
    int64_t load_sum;
    int64_t polled, active; /* when it last was */
    int way;                /* the change that is delayed: 1, -1 or 0 */
    int64_t since;          /* it is wanted since then */
};

const char *trace_scaling_name(uint32_t i)
{
    return i < sizeof(known) / sizeof(known[0]) ? known[i].name : NULL;
}

const struct trace_scaling *trace_scaling_rules(uint32_t i)
{
    assert(trace_scaling_name(i));
    return &known[i].rules;
}

static uint32_t ticks(const struct trace_scaling *rule, int64_t span)
{
    assert(span >= 0 && span / rule->period <= TRACE_SCALING_TICKS_MAX);
    return (uint32_t)(span / rule->period) + 2;
}

static void window_init(struct window *w, const struct trace_scaling *rule,
                        int64_t span, bool is_least, struct gs_arena *arena)
{
    w->size = ticks(rule, span);
    w->past = gs_arena_alloc(arena, w->size, sizeof(*w->past));
    w->span = span;
    w->is_least = is_least;
}

static struct past *window_at(struct window *w, uint32_t i)
{
    return &w->past[(w->first + i) % w->size];
}

/* Put `value`; return the best of those less than the span ago. */
static int64_t window_put(struct window *w, int64_t now, int64_t value)
{
    while (w->count && now - window_at(w, 0)->at >= w->span) {
        w->first = (w->first + 1) % w->size;
        w->count--;
    }
    while (w->count
           && (w->is_least ? window_at(w, w->count - 1)->value >= value
                           : window_at(w, w->count - 1)->value <= value))
        w->count--;
    assert(w->count < w->size);
    *window_at(w, w->count++) = (struct past){ now, value };
    return window_at(w, 0)->value;
}

static void changes_init(struct changes *c, const struct trace_scaling *rule,
                         struct gs_arena *arena)
{
    const struct trace_scaling_way *way[] = { &rule->up, &rule->down };
    int64_t span = 0;

    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < way[w]->limit_count; i++) {
            const int64_t period = way[w]->limit[i].period;

            span = period > span ? period : span;
        }
    }
    c->size = ticks(rule, span);
    c->past = gs_arena_alloc(arena, c->size, sizeof(*c->past));
}

static void changes_put(struct changes *c, int64_t now, int64_t change)
{
    if (c->count == c->size) { /* older than any limit looks back */
        c->first = (c->first + 1) % c->size;
        c->count--;
    }
    c->past[(c->first + c->count++) % c->size] = (struct past){ now, change };
}

/* Changes less than `period` ago. */
static int64_t changes_since(const struct changes *c, int64_t now,
                             int64_t period)
{
    int64_t sum = 0;

    for (uint32_t i = c->count; i-- > 0;) {
        const struct past *p = &c->past[(c->first + i) % c->size];

        if (now - p->at >= period)
            break;
        sum += p->value;
    }
    return sum;
}

struct trace_scaler *trace_scaler_create(const struct trace_scaling *rule,
                                         struct gs_arena *arena)
{
    struct trace_scaler *s = gs_arena_alloc(arena, 1, sizeof(*s));

    assert(rule && rule->period > 0 && rule->target > 0);
    assert(rule->start <= rule->max && rule->min <= rule->max);
    assert(rule->max <= TRACE_SCALING_REPLICAS_MAX);
    *s = (struct trace_scaler){ .rule = rule, .replicas = rule->start };
    window_init(&s->least, rule, rule->up.window, true, arena);
    window_init(&s->most, rule, rule->down.window, false, arena);
    window_put(&s->least, 0, rule->start);
    window_put(&s->most, 0, rule->start);
    changes_init(&s->added, rule, arena);
    changes_init(&s->less, rule, arena);
    s->polled = -rule->polling;
    if (rule->average > rule->period) {
        s->load_size = (uint32_t)(rule->average / rule->period);
        assert(s->load_size <= TRACE_SCALING_TICKS_MAX);
        s->load = gs_arena_alloc(arena, s->load_size, sizeof(*s->load));
    }
    return s;
}

/* The mean of the last ticks. */
static int64_t averaged(struct trace_scaler *s, int64_t load)
{
    if (!s->load)
        return load;
    if (s->load_count == s->load_size)
        s->load_sum -= s->load[s->load_first];
    else
        s->load_count++;
    s->load[s->load_first] = load;
    s->load_first = (s->load_first + 1) % s->load_size;
    s->load_sum += load;
    return s->load_sum / s->load_count;
}

/* What the load asks for, from `s->replicas`, which are not 0. */
static int64_t wanted(const struct trace_scaler *s, int64_t load)
{
    const struct trace_scaling *r = s->rule;
    const int64_t now = s->replicas;
    const double ratio = (double)load / ((double)r->target * (double)now);
    const double factor = ratio > 1 ? r->up.factor : r->down.factor;
    const int64_t full = load / r->target + (load % r->target > 0);
    int64_t part;

    if (1 - r->down.tolerance <= ratio && ratio <= 1 + r->up.tolerance)
        return now;
    if (factor == 1)
        return full;
    part = (int64_t)ceil(
        (double)now
        + factor * ((double)load / (double)r->target - (double)now));
    return part == now && full < now ? now - 1 : part < 0 ? 0 : part;
}

/* As far as the limits of the way let `s->replicas` go. */
static int64_t limit_of(const struct trace_scaler *s,
                        const struct trace_scaling_way *way, int64_t now,
                        int sign)
{
    const int64_t has = s->replicas;
    int64_t best = 0;

    if (way->select == TRACE_SCALING_NEVER)
        return has;
    for (uint32_t i = 0; i < way->limit_count; i++) {
        const struct trace_scaling_limit *l = &way->limit[i];
        const int64_t began = has - changes_since(&s->added, now, l->period)
                              + changes_since(&s->less, now, l->period);
        const int64_t change = !l->is_percent ? l->amount
                               : sign > 0
                                   ? (began * l->amount + 99) / 100
                                   : began - began * (100 - l->amount) / 100;
        const int64_t end = began + sign * change;
        const bool is_more = sign > 0 ? end > best : end < best;

        if (i == 0 || is_more == (way->select == TRACE_SCALING_MOST))
            best = end;
    }
    return sign > 0 ? (best > has ? best : has) : (best < has ? best : has);
}

static int64_t limited(const struct trace_scaler *s, int64_t now, int64_t want)
{
    const struct trace_scaling *r = s->rule;
    const int64_t has = s->replicas;
    const struct trace_scaling_way *way = want > has ? &r->up : &r->down;
    const int64_t least = r->min                                      ? r->min
                          : r->zero == TRACE_ZERO_BY_STEP && has <= 1 ? 0
                                                                      : 1;
    int64_t end;

    if (want != has
        && (way->limit_count || way->select == TRACE_SCALING_NEVER)) {
        end = limit_of(s, way, now, want > has ? 1 : -1);
        want = want > has ? (end < want ? end : want)
                          : (end > want ? end : want);
    }
    want = want < r->max ? want : r->max;
    return want > least ? want : least;
}

/* True when a change was wanted for long enough. */
static bool is_due(struct trace_scaler *s, int64_t now, int64_t want)
{
    const struct trace_scaling *r = s->rule;
    const int way = (want > s->replicas) - (want < s->replicas);
    const int64_t delay = way > 0                         ? r->up.delay
                          : want == 0 && r->cooldown >= 0 ? r->cooldown
                                                          : r->down.delay;

    if (way != s->way)
        s->since = now;
    s->way = way;
    if (way == 0 || now - s->since < delay)
        return false;
    s->way = 0;
    return true;
}

/* Decide on 0: true when nothing else is to be decided now. */
static bool zero_step(struct trace_scaler *s, int64_t now, int64_t load)
{
    const struct trace_scaling *r = s->rule;
    const bool is_polled = now - s->polled >= r->polling;
    const bool is_active = load > r->activation;

    if (r->zero == TRACE_ZERO_NEVER)
        return false;
    if (is_polled) {
        s->polled = now;
        if (is_active)
            s->active = now;
    }
    if (s->replicas == 0) {
        if (is_polled && is_active) {
            const uint32_t first = (uint32_t)ceil(r->up.factor);

            s->replicas = first > r->min ? first : r->min;
            s->replicas = s->replicas < r->max ? s->replicas : r->max;
        }
        return true;
    }
    if (r->zero != TRACE_ZERO_WHEN_IDLE || !is_polled || is_active
        || now - s->active < r->cooldown)
        return false;
    s->replicas = 0;
    return true;
}

uint32_t trace_scaler_step(struct trace_scaler *s, int64_t now, int64_t load)
{
    int64_t want, least, most;

    assert(now >= 0 && load >= 0);
    load = averaged(s, load);
    if (zero_step(s, now, load))
        return s->replicas;
    want = wanted(s, load);
    least = window_put(&s->least, now, want);
    most = window_put(&s->most, now, want);
    want = s->replicas;
    want = want < least ? least : want;
    want = want > most ? most : want;
    want = limited(s, now, want);
    if (!is_due(s, now, want))
        return s->replicas;
    if (want > s->replicas)
        changes_put(&s->added, now, want - s->replicas);
    else
        changes_put(&s->less, now, s->replicas - want);
    s->replicas = (uint32_t)want;
    return s->replicas;
}
