/* traces/services/scaling.h - how many replicas a service wants, by the rules
 * of an autoscaler.
 *
 * What is there is known at once: a rule sees the load of this moment, and the
 * replicas that it asked for count as there, placed or not.
 */
#ifndef TRACES_SERVICES_SCALING_H
#define TRACES_SERVICES_SCALING_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;

#define TRACE_SCALING_LIMITS_MAX 8
#define TRACE_SCALING_TICKS_MAX 100000 /* periods in a window or an average */
#define TRACE_SCALING_REPLICAS_MAX 100000u

/* So many replicas, or so much of them, within a time. */
struct trace_scaling_limit {
    int64_t period;  /* us */
    uint32_t amount; /* replicas, or percent */
    bool is_percent;
};

/* Which of several limits counts. */
enum trace_scaling_select {
    TRACE_SCALING_MOST, /* the one that allows most */
    TRACE_SCALING_LEAST,
    TRACE_SCALING_NEVER /* no change this way */
};

/* One way, up or down. */
struct trace_scaling_way {
    int64_t window;   /* us: up, the least that was wanted in it counts; down,
                         the most */
    int64_t delay;    /* us for which a change must have been wanted */
    double factor;    /* part of the wanted change that is made, above 0 */
    double tolerance; /* share of the target within which nothing changes */
    struct trace_scaling_limit limit[TRACE_SCALING_LIMITS_MAX];
    uint32_t limit_count; /* 0: no limit */
    enum trace_scaling_select select;
};

enum trace_scaling_zero {
    TRACE_ZERO_NEVER,
    TRACE_ZERO_WHEN_IDLE, /* `cooldown` after the load was last above
                             `activation` */
    TRACE_ZERO_BY_STEP    /* from 1, as any other change */
};

struct trace_scaling {
    uint32_t min, max, start;
    int64_t period;     /* us between decisions */
    int64_t average;    /* us over which the load is averaged; 0: none */
    int64_t target;     /* load of a replica, millionths, above 0 */
    int64_t activation; /* load above which it is not idle, millionths */
    int64_t polling;    /* us between decisions on 0 */
    int64_t cooldown;   /* us; -1: as down.delay */
    enum trace_scaling_zero zero;
    struct trace_scaling_way up, down;
};

/* The rules of an autoscaler by its name: defaults of a struct trace_scaling
 * without min, max, start and target.  NULL after the last.
 */
const char *trace_scaling_name(uint32_t i);
const struct trace_scaling *trace_scaling_rules(uint32_t i);

struct trace_scaler; /* opaque */

/* Begins with `rule->start` replicas at time 0.  `rule` must outlive it; all
 * windows, averages and limits span at most TRACE_SCALING_TICKS_MAX periods.
 */
struct trace_scaler *trace_scaler_create(const struct trace_scaling *rule,
                                         struct gs_arena *arena);

/* The replicas wanted from `now` on, when the service's load is `load`
 * millionths.  Call it at 0, `period`, 2 `period` ...
 */
uint32_t trace_scaler_step(struct trace_scaler *s, int64_t now, int64_t load);

#endif /* TRACES_SERVICES_SCALING_H */
