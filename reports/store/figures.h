/* reports/store/figures.h - the metrics of runs by their keys, from a database or
 * from a baseline, which is a small JSON file:
 *
 *     {"baseline": 1, "runs": {"binpack": {"wait.p95": 60.0,
 *                                          "wait.mean[queue=a]": 12.5}},
 *      "inputs": {"binpack": "09837c2705a39a36 df8458a5deaca5e5 {}"}}
 */
#ifndef REPORTS_STORE_FIGURES_H
#define REPORTS_STORE_FIGURES_H

#include <stddef.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct report_metric;

#define REPORT_BASELINE_VERSION 1

/* Texts are fit to be shown. */
struct report_figure {
    const char *key; /* "wait.mean", "wait.mean[queue=a]" */
    double value;
};

struct report_figures {
    const char *run;
    const char *inputs;           /* what was replayed; NULL: not known */
    struct report_figure *figure; /* by key */
    uint32_t count;
};

struct report_figure_set {
    const char *source; /* a path */
    struct report_figures *run;
    uint32_t runs;
};

/* "wait.mean", "wait.mean[queue=a]": fit to be shown, in `arena`. */
const char *report_figure_key(struct gs_arena *arena, const char *name,
                              const char *scope, const char *label);

/* Read `path`, told by its content; with `name` that run alone.  GS_USAGE when
 * there is none of this name.  In `arena`.
 */
int report_figures_read(const char *path, const char *name,
                        struct gs_arena *arena, struct report_figure_set *out,
                        struct gs_err *err);

/* A baseline of `size` bytes; `source` is for messages. */
int report_figures_parse(const char *source, const char *text, size_t size,
                         struct gs_arena *arena, struct report_figure_set *out,
                         struct gs_err *err);

/* The figures of a run that was never stored. */
void report_figures_take(const char *run, const struct report_metric *metric,
                         uint32_t count, struct gs_arena *arena,
                         struct report_figures *out);

/* Put them in the order that report_figures_find relies on. */
void report_figures_sort(struct report_figures *f);

/* NULL when it is not there. */
const struct report_figure *report_figures_find(const struct report_figures *f,
                                                const char *key);
const struct report_figures *report_figure_set_find(
    const struct report_figure_set *s, const char *run);

/* Make `path` a baseline of them, keys in order, as a whole or not at all.  A
 * database that stands there is not touched (GS_USAGE).
 */
int report_figures_save(const struct report_figure_set *s, const char *path,
                        struct gs_err *err);

#endif /* REPORTS_STORE_FIGURES_H */
