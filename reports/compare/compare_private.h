/* reports/compare/compare_private.h - types and functions shared by the files
 * of compare.
 */
#ifndef REPORTS_COMPARE_COMPARE_PRIVATE_H
#define REPORTS_COMPARE_COMPARE_PRIVATE_H

#include "reports/compare/compare.h"
#include "reports/glossary/glossary.h"
#include "reports/table/cell_text.h"

#define COMPARE_RUNS_MAX REPORT_COMPARE_RUNS

/* All texts are clean (base/text.h). */
struct compare_cell {
    double value;
    bool is_there;
};

struct compare_row {
    const char *name, *scope, *label, *unit;
    const struct report_metric_info *info; /* NULL: not in the glossary */
    struct compare_cell *cell;             /* [COMPARE_RUNS_MAX] */
    struct compare_figure *figure;         /* [group]; NULL: not computed yet */
};

struct compare_run {
    const char *name, *path; /* of its database */
    const char *title;       /* the name, with the path where needed */
    const char *policy;
    uint64_t seed;
    const char *profile, *version;
    const char **deadlock; /* [deadlocks] each as a text */
    uint32_t deadlocks;
    const char **note; /* [notes] about its inputs, see runs.notes */
    uint32_t notes;
    const char *inputs; /* see report_inputs_text; equal for pairs */
};

/* The runs of one column. */
struct compare_group {
    const char *title;
    uint32_t runs, cap;
    uint32_t *run; /* indices of the runs; the first represents the group */
    /* One run, or runs with equal inputs and equal results. */
    bool is_certain;
    uint32_t input_class; /* the first group whose runs have the same inputs */
};

enum compare_test {
    COMPARE_NONE,   /* no test: a value is missing, or the variance is
                       unknown */
    COMPARE_EXACT,  /* the values are exact: no random variation */
    COMPARE_PAIRED, /* by trace and seed, report_p_paired */
    COMPARE_WELCH,  /* without pairs, report_welch_test */
};

/* The difference of a group to another. */
struct compare_against {
    enum compare_test test;
    bool is_there;       /* both groups have the metric */
    bool is_fair;        /* equal inputs: may be called better or worse */
    bool is_endless;     /* one of the two is endless, see struct
                            compare_figure */
    double from, to;     /* the means; with pairs the means of the paired
                            runs */
    double low, high, p; /* interval of to - from and p-value, if there is a
                            test */
    uint32_t pairs;
};

/* A row's entry for a group. */
struct compare_figure {
    uint32_t n; /* runs that have the metric; 0: there is none */
    double mean;
    bool has_interval; /* n is at least 2 */
    bool is_endless;   /* length of an endless deadlock, cut off at the end of
                        the run */
    double low, high;
    struct compare_against first; /* difference from the first group */
    char endless; /* for the length of deadlocks: the mark by the number of
                     endless ones, which takes precedence; else '\0' */
};

struct report_comparison {
    struct gs_arena *arena;
    struct compare_run run[COMPARE_RUNS_MAX];
    uint32_t runs;
    uint32_t was[COMPARE_RUNS_MAX]; /* original index of each run */
    struct compare_group *group;
    uint32_t groups;
    bool is_grouped; /* a group has several runs */
    struct compare_row *row;
    uint32_t rows, cap;
    const struct compare_row **selected; /* in order of display */
    uint32_t selected_count;
};

/* The unit of a mean; the mean of counts need not be a count. */
enum report_unit compare_unit(const struct report_metric_info *info,
                              double mean);

/* --- groups, compare_group.c ---------------------------------------------- */

/* The run of `g` with the inputs and the seed of `r`; COMPARE_RUNS_MAX: none.
 */
uint32_t compare_twin(const struct report_comparison *c,
                      const struct compare_group *g,
                      const struct compare_run *r);

/* --- their figures, compare_figures.c ------------------------------------- */

/* The entries of the row, one for each group. */
const struct compare_figure *compare_figures(const struct report_comparison *c,
                                             const struct compare_row *r);
struct compare_against compare_between(const struct report_comparison *c,
                                       const struct compare_row *r,
                                       uint32_t from, uint32_t to);
/* True when the group and the first group have a trace and seed in common. */
bool compare_has_pairs(const struct report_comparison *c, uint32_t group);
/* The set of inputs (reports/store/run_inputs.h) in which groups differ from
 * the first group; groups that have pairs with it are ignored.  0: none.
 */
unsigned compare_inputs_differ(const struct report_comparison *c);
/* True when the group may be called better or worse than the first. */
bool compare_is_fair(const struct report_comparison *c, uint32_t group);
/* True when the difference is fair and significant. */
bool compare_is_clear(const struct compare_against *a);

/* --- values as they are shown, compare_value.c ---------------------------- */

#define COMPARE_TEXT REPORT_VALUE_TEXT /* bytes of a value or a difference */

/* "2h14m", "12.50 %", "7"; in buf of COMPARE_TEXT bytes. */
const char *compare_value(const struct compare_row *r,
                          const struct compare_figure *f, char *buf);
/* Half the width of the interval, "+-20m" with the sign for it; "" without. */
const char *compare_spread(const struct compare_row *r,
                           const struct compare_figure *f, char *buf);
/* '+' better than the first group, '-' worse, '=' the same, '~' no significant
 * difference, ' ' no opinion.
 */
char compare_mark(const struct compare_row *r, const struct compare_figure *f);
/* Difference from the first group, "+12%" or "x31" or ""; for shares in points,
 * "+4.4pt"; in buf as above.
 */
const char *compare_difference(const struct compare_row *r,
                               const struct compare_figure *f, char *buf);
/* True when `glob` matches a name such as "wait.mean.8", or is
 * "wait.mean[size=8]".  `arena` is for temporary memory.
 */
bool compare_is_named(struct gs_arena *arena, const char *glob,
                      const char *name, const char *scope, const char *label);
/* "wait.mean [size 8]". */
const char *compare_row_name(const struct compare_row *r, char *buf,
                             size_t size);
/* The least bound of the row's runs, which no scheduler could better; false:
 * there is none, or it is 0, as for any other run.
 */
bool compare_bound(const struct report_comparison *c,
                   const struct compare_row *r, double *least);
/* The name and, where there is one, the bound: "wait.mean (bound 18m)". */
const char *compare_row_title(const struct report_comparison *c,
                              const struct compare_row *r, char *buf,
                              size_t size);

/* --- formats for programs, compare_export.c ------------------------------- */

/* Write a comma and a CSV field, empty without a value. */
void compare_csv_number(bool is_there, double v, FILE *out);
/* A JSON number; null without a value. */
struct json_t *compare_json_number(bool is_there, double v);
/* Print the JSON value and free it. */
void compare_json_print(struct json_t *all, FILE *out);
void compare_json(const struct report_comparison *c, FILE *out);
void compare_csv(const struct report_comparison *c, FILE *out);
void compare_markdown(const struct report_comparison *c, FILE *out);

#endif /* REPORTS_COMPARE_COMPARE_PRIVATE_H */
