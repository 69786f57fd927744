/* sim/study/whatif.h - replays of traces under changes along one or two axes:
 * which value meets a target on each trace, and at what cost.
 */
#ifndef STUDY_WHATIF_H
#define STUDY_WHATIF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/gate/gate_rules.h"
#include "reports/glossary/glossary.h"
#include "reports/measure/window.h"
#include "reports/page/gnuplot.h"
#include "sim/study/search.h"
#include "sim/study/vary.h"

struct gs_arena;
struct gs_err;
struct inputs;

#define WHATIF_AXES 2u
#define WHATIF_POINTS_MAX 100000u

/* Price of a GPU of a node type for an hour, in any currency. */
struct whatif_price {
    const char *type; /* "*": of any other type */
    double gpu_hour;
};

/* Figures of replays. */
struct whatif_figures {
    double rejected;     /* rejected jobs */
    double unfinished;   /* jobs not ended at the end of the run */
    const double *value; /* [key]; NAN: the run has no such metric; INFINITY:
                            the length of deadlocks when one is endless */
    const double *reach; /* [key] half the width of the 95 % interval of the
                            mean over seeds */
};

/* A point: one replay of each trace, as far as done. */
struct whatif_point {
    uint32_t policy;
    uint32_t at[WHATIF_AXES]; /* values of the axes */
    bool is_known;
    bool has_no_nodes;  /* not replayed: it misses every target */
    double gpus, nodes; /* of the cluster */
    double cost;        /* of the cluster for an hour */
    double digest;      /* hash of all metrics: equal when these are */
    /* Over all traces: sums of jobs; the target metric on the trace that is
     * furthest from the target; means of the other metrics.
     */
    struct whatif_figures all;
    uint32_t worst;                  /* the trace of all.value[0] */
    const struct whatif_figures *on; /* [trace] */
};

/* A policy with a value of the second axis, searched along the first. */
struct whatif_line {
    uint32_t policy;
    uint32_t second; /* value of the second axis */
    uint32_t point;  /* its first point, of axis[0].count */
    struct study_search search;
};

struct whatif {
    struct gs_arena *arena;
    struct inputs *in; /* [trace] trace and topology, unchanged; the topology
                          is the same of all */
    uint32_t traces;
    const char *const *policy; /* as the user named them; checked before */
    uint32_t policies;
    const char *const *set; /* changes of all points, for policies too */
    uint32_t sets;
    struct study_axis axis[WHATIF_AXES];
    uint32_t axes;          /* 1 or 2 */
    const char *const *key; /* metrics to show; the target is key[0] */
    uint32_t keys;
    const struct report_rule *target; /* NULL: none, all points are replayed */
    const struct whatif_price *price;
    uint32_t prices;
    bool looks_at_all;            /* does not search */
    const char *speed, *scenario; /* as for replay, read after the changes;
                                     NULL */
    uint64_t seed;
    uint32_t seeds; /* number of seeds from `seed` on; values are their means */
    struct report_window_request window;
    uint32_t large;
    uint32_t jobs; /* processes at a time */
    /* Called after replays; `all` is their total number, 0 while a search
     * decides it.  NULL: never.
     */
    void (*progress)(void *ctx, uint32_t made, uint32_t all);
    void *progress_ctx;

    /* the outcome */
    struct whatif_point *point;
    uint32_t points;
    uint32_t made; /* replayed points */
    struct whatif_line *line;
    uint32_t lines;
};

/* The price of a GPU of the type; NULL: none. */
const struct whatif_price *whatif_price_find(const struct whatif *w,
                                             const char *type);
bool whatif_is_any(const char *type);

/* Replay the points that the answer needs. */
int whatif_run(struct whatif *w, struct gs_err *err);

/* True when a value of key[0] meets the target.  False without a target, and
 * for NAN.
 */
bool whatif_meets(const struct whatif *w, double value);
/* True when the point meets the target on each trace. */
bool whatif_is_met(const struct whatif *w, const struct whatif_point *p);
/* The answer of a line: the point, or STUDY_NO_POINT if none meets the target;
 * of all lines the cheapest, or smallest, such point.
 */
uint32_t whatif_answer_of(const struct whatif *w, const struct whatif_line *l);
uint32_t whatif_answer(const struct whatif *w);

/* --- showing -------------------------------------------------------------- */

/* whatif_words.c: print the answer as sentences; nothing without a target. */
void whatif_words(const struct whatif *w, FILE *out);
/* whatif_table.c: print the replayed points.  Without axes the rows are metrics
 * with the columns unchanged, changed, difference.  Ends with a line for each
 * axis whose values all gave the same metrics.
 */
void whatif_table(const struct whatif *w, FILE *out);
/* whatif_export.c: the same as CSV and JSON. */
void whatif_csv(const struct whatif *w, FILE *out);
void whatif_json(const struct whatif *w, FILE *out);
/* whatif_plot.c: the input of gnuplot for a picture of the metric key[0]. */
void whatif_script(const struct whatif *w, enum report_picture_format format,
                   FILE *out);

/* Shared by these: the unit of a metric; its value as text, "12m30s ±1m", "-"
 * when missing; the name of a trace.
 */
enum report_unit whatif_unit(const struct whatif *w, uint32_t key);
const char *whatif_text(const struct whatif *w, const struct whatif_point *p,
                        const struct whatif_figures *f, uint32_t key);
const char *whatif_trace_name(const struct whatif *w, uint32_t trace);

#endif /* STUDY_WHATIF_H */
