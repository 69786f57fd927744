/* reports/store/figures.h - the metrics of runs by their keys, from a database
 * or from a baseline, which is a small JSON file:
 *
 *     {"baseline": 1, "runs": {"binpack": {"wait.p95": 60.0,
 *                                          "wait.mean[queue=a]": 12.5}},
 *      "inputs": {"binpack": "09837c2705a39a36 df8458a5deaca5e5 {}"},
 *      "decisions": {"binpack": "2:1:kU_x"}}
 */
#ifndef REPORTS_STORE_FIGURES_H
#define REPORTS_STORE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct report_decisions;
struct report_metric;

#define REPORT_BASELINE_VERSION 1

/* Texts are clean (base/text.h). */
struct report_figure {
    const char *key; /* "wait.mean", "wait.mean[queue=a]" */
    double value;
};

struct report_figures {
    const char *run;
    const char *inputs;    /* see run_inputs.h; NULL: unknown */
    const char *decisions; /* digest, see decisions.h; NULL: unknown */
    const struct report_decisions *decided; /* of a run that is not stored */
    struct report_figure *figure;           /* sorted by key */
    uint32_t count;
};

struct report_figure_set {
    const char *source; /* a path */
    struct report_figures *run;
    uint32_t runs;
};

/* The key of a metric, "wait.mean" or "wait.mean[queue=a]": a clean text in
 * `arena`.
 */
const char *report_figure_key(struct gs_arena *arena, const char *name,
                              const char *scope, const char *label);

/* Read `path`, a database or a baseline recognised by content; with `name` only
 * that run, GS_USAGE when there is none.  In `arena`.
 */
int report_figures_read(const char *path, const char *name,
                        struct gs_arena *arena, struct report_figure_set *out,
                        struct gs_err *err);

/* True when the file at `path`, which is opened and read, is a database. */
bool report_is_database(const char *path);

/* Parse a baseline of `size` bytes; `source` is for messages. */
int report_figures_parse(const char *source, const char *text, size_t size,
                         struct gs_arena *arena, struct report_figure_set *out,
                         struct gs_err *err);

/* Make the figures of a run that was not stored. */
void report_figures_take(const char *run, const struct report_metric *metric,
                         uint32_t count, struct gs_arena *arena,
                         struct report_figures *out);

/* Sort the figures by key, as report_figures_find needs. */
void report_figures_sort(struct report_figures *f);

/* NULL when there is none. */
const struct report_figure *report_figures_find(const struct report_figures *f,
                                                const char *key);
const struct report_figures *report_figure_set_find(
    const struct report_figure_set *s, const char *run);

/* Write the figures to `path` as a baseline, keys in order, completely or not
 * at all.  An existing database is not overwritten (GS_USAGE).
 */
int report_figures_save(const struct report_figure_set *s, const char *path,
                        struct gs_err *err);

#endif /* REPORTS_STORE_FIGURES_H */
