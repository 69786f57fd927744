/* reports/page/page_private.h - types and functions shared by the parts of the
 * page.
 */
#ifndef REPORTS_PAGE_PAGE_PRIVATE_H
#define REPORTS_PAGE_PAGE_PRIVATE_H

#include <stdbool.h>

#include "reports/compare/axes.h"
#include "reports/compare/compare_private.h"
#include "reports/page/page.h"
#include "reports/store/store.h"

#define PAGE_DRAWN 8u     /* most runs in a picture: the number of colours */
#define PAGE_SHORT 28u    /* characters of a label in a picture */
#define PAGE_COLUMNS 6    /* of a picture's data */
#define PAGE_ROWS 2400u   /* of a run's data */
#define PAGE_PARTS 3      /* parts at the begin of a script */
#define PAGE_LABELS 24u   /* of a picture */
#define PAGE_NODES 120u   /* rows of a map */
#define PAGE_INSTANTS 300 /* columns of a map */
#define PAGE_CURVES 6u    /* metrics of a picture by axis */

struct report_diff;

/* A run of the page, in addition to its column of the comparison. */
struct page_run {
    struct report_store *store;
    struct report_stored_run stored;
    int64_t id;
    int64_t from_us, to_us; /* the window of its metrics; 0 <= from <= to */
    double gpus;
    const char *policy, *status, *version, *trace, *topology, *profile;
    const char *trace_hash, *topology_hash;
    int64_t seed;
    struct report_axes axes;
    bool is_flattered; /* first run of a group that left more jobs unfinished
                         than another group, so its means exclude more jobs */
};

struct report_page {
    struct gs_arena *arena;
    struct report_comparison *compare;
    /* [COMPARE_RUNS_MAX], in the order of the comparison: the first of each
     * group first
     */
    struct page_run *run;
    double end_s; /* the longest window of the drawn runs */
    bool has_gnuplot;
    struct page_axis *axis; /* all but policy, seed and run */
    uint32_t axes;
    const char *const *metric; /* patterns of metrics to show; 0: the default
                                  ones */
    size_t metrics;
    struct report_diff **parting; /* [PAGE_DRAWN] from the first run; NULL where
                                     jobs differ */
};

/* The number of runs that pictures show. */
uint32_t page_drawn(const struct report_page *p);
/* A label of a picture; the middle of a long text is left out. */
const char *page_short(const struct report_page *p, const char *s);

/* --- texts, page_html.c ------------------------------------------------- */

/* Write a text as HTML, for an element or an attribute in double quotes. */
void page_html(const char *s, FILE *out);
/* Write a format of HTML: %s is a text, which is escaped, %u a number. */
void page_print(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `len` bytes as part of a data: URI. */
void page_uri(const char *s, size_t len, FILE *out);

/* --- the first decision that differs, page_parting.c ---------------------- */

void page_parting_read(struct report_page *p);
bool page_parting_is_there(const struct report_page *p);
/* Its section; nothing when no runs can be compared. */
void page_parting(const struct report_page *p, FILE *out);

/* --- axes, page_axes.c ---------------------------------------------------- */

struct page_axis {
    const char *name;
    const char **value; /* [values] each once; numbers in rising order */
    double *number;     /* [values] if it is numeric; of durations seconds */
    uint32_t values;
    bool is_numeric;  /* at least two values, and all are numbers */
    bool is_duration; /* numeric, and all are durations */
};

/* Read p->axis.  Of axes that always change together only one is kept. */
void page_axes_read(struct report_page *p);
void page_axis_read(const struct report_page *p, const char *name,
                    struct page_axis *a);
/* The index of a value; a->values when the axis does not have it. */
uint32_t page_axis_find(const struct page_axis *a, const char *value);
/* "-" when the run has no such axis. */
const char *page_run_value(const struct report_page *p, uint32_t run,
                           const char *axis);
/* "several" when the group's runs differ in it. */
const char *page_group_value(const struct report_page *p, uint32_t group,
                             const struct page_axis *a);
/* The text of a value: of a path its last part. */
const char *page_axis_text(const char *axis, const char *value);

/* --- pictures, page_pictures.c -------------------------------------------- */

struct page_picture {
    const char *name; /* name of its file and its anchor */
    const char *title;
    const char *caption; /* explains the picture */
    const char *columns; /* header of its CSV */
    const char
        *sql; /* rows of run ?1 in its window, ?2 to ?3; ?4: causes; at most
                          * PAGE_COLUMNS numbers */
    const char *none;              /* text instead of the picture when there
                                      are no rows */
    const char *parts[PAGE_PARTS]; /* gnuplot parts before the script */
    const char *script; /* gnuplot, for the variables of page_script.c */
    const char *axis;   /* text of the vertical axis; NULL: the script's */
    int legend_columns, legend_rows; /* 0: by the names of the runs */
    bool has_labels;                 /* the first column is a text */
    bool has_names;                  /* its legend names runs */
    bool is_over_time; /* its first column is time, and the axis of time that
                          of over-time.gp or panels.gp */
    bool is_folded;    /* another picture shows the same shorter */
    int height, per_run, per_label; /* pixels */
};

#define PAGE_PICTURES 32u /* at most */

/* In order; NULL past the end. */
const struct page_picture *page_picture_at(size_t i);
/* The map, which is drawn for one run at a time from a struct page_map. */
extern const struct page_picture page_map_picture;

/* --- their data, page_data.c ---------------------------------------------- */

struct page_series {
    double (*row)[PAGE_COLUMNS]; /* of a label: its number, from 1 */
    uint32_t rows;
};

struct page_data {
    struct page_series run[PAGE_DRAWN];
    const char *label[PAGE_LABELS];
    uint32_t labels;
    int columns;
    double max[PAGE_COLUMNS];
};

/* Read the picture's rows of all runs that are drawn. */
int page_data_read(const struct report_page *p, const struct page_picture *pic,
                   struct page_data *d, struct gs_err *err);
bool page_data_is_empty(const struct page_data *d);
void page_data_csv(const struct report_page *p, const struct page_picture *pic,
                   const struct page_data *d, FILE *out);

/* --- the map of nodes over time, page_map.c ------------------------------- */

struct page_node {
    int64_t node;
    const char *name;
    int gpus;
    /* Bit i: device i is held; device i is held by a partially allocated job.
     */
    uint64_t held[PAGE_INSTANTS], hoarded[PAGE_INSTANTS];
};

/* Reason for the window of a map; the numbers are those of its query. */
enum page_window { PAGE_ALL, PAGE_FRAGMENTED, PAGE_WAITED, PAGE_HOARDED };

struct page_map {
    int64_t start;    /* us: where the run's window begins */
    int64_t from, to; /* us; drawn from `start` on */
    enum page_window why;
    uint32_t chosen_by; /* the run that this is true of */
    struct page_node *node;
    uint32_t nodes, of; /* nodes shown; nodes with GPUs */
    int gpus;           /* GPUs of the largest node */
};

int page_map_read(const struct report_page *p, uint32_t run, struct page_map *m,
                  struct gs_err *err);
/* The number of free devices of the node at that instant. */
int page_map_free(const struct page_node *n, int instant);
void page_map_csv(const struct page_map *m, FILE *out);

/* --- metrics against an axis, page_curves.c ------------------------------- */

struct page_curves {
    const struct page_axis *axis; /* a numeric one */
    const struct compare_row *metric[PAGE_CURVES];
    uint32_t metrics, more_metrics;  /* shown, and left out */
    const char *line[PAGE_DRAWN];    /* policies */
    uint32_t lines, more_lines;      /* shown, and left out */
    uint32_t combinations, left_out; /* combinations of the other axes:
                                        averaged; not present at all points */
    double *mean;                    /* see page_curve_point */
};

extern const struct page_picture page_curves_picture;

/* The axes with curves, in order; NULL past the end. */
const struct page_axis *page_curve_axis(const struct report_page *p,
                                        uint32_t i);
void page_curves_read(struct report_page *p, const struct page_axis *axis,
                      struct page_curves *c);
/* Mean of the metric at the value of the axis; NAN: no run has it. */
double page_curve_point(const struct page_curves *c, uint32_t metric,
                        uint32_t line, uint32_t value);
void page_curves_csv(const struct page_curves *c, FILE *out);

/* --- gnuplot, page_script.c ----------------------------------------------- */

/* One call of gnuplot: a picture of data, a map or curves. */
struct page_plot {
    const struct page_picture *picture;
    const struct page_data *data;
    const struct page_map *map;
    const struct page_curves *curves;
    uint32_t run; /* the run of a map; the index of the axis of curves */
};

/* Draw the picture with gnuplot and append it to `out`; see
 * report_gnuplot_draw.
 */
int page_gnuplot_draw(const struct report_page *p, const struct page_plot *plot,
                      enum report_picture_format format, FILE *out,
                      const char *what, struct gs_err *err);

/* Copy SVG of gnuplot into a page, without its head and tool tips; `prefix`
 * makes its ids unique, `label` describes it.
 */
void page_svg_copy(FILE *svg, const char *prefix, const char *label, FILE *out);

/* --- ranks, page_rank.c --------------------------------------------------- */

/* The row of a metric of the cluster; NULL when no run has it. */
const struct compare_row *page_row(const struct report_page *p,
                                   const char *name);
/* The mean of the group; 0 without the metric. */
double page_value(const struct report_page *p, const char *name,
                  uint32_t group);
const struct compare_figure *page_figure(const struct report_page *p,
                                         const struct compare_row *r,
                                         uint32_t group);
/* True when the difference of two groups is significant. */
bool page_is_clear(const struct report_page *p, const struct compare_row *r,
                   uint32_t a, uint32_t b);

/* Call it after all runs are added. */
void page_rank_prepare(struct report_page *p);
/* True when the group may be called better or worse by this metric. */
bool page_is_ranked(const struct report_page *p, const struct compare_row *r,
                    uint32_t group);

struct page_ranks {
    uint32_t best, next, worst; /* groups; next: the second best */
    uint32_t count;             /* groups that have the metric */
    uint32_t ties; /* groups not significantly worse than the best, including
                      it */
};

/* Rank the groups of one input class (struct compare_group) that may be ranked;
 * `r` may be NULL.
 */
struct page_ranks page_rank(const struct report_page *p,
                            const struct compare_row *r, uint32_t class);

/* --- parts of the page ---------------------------------------------------- */

/* One row a run, with the figures that decide and their bars. */
void page_board(const struct report_page *p, FILE *out);
/* Have the runs metrics gpu_time.*?  Their parts as a stacked bar a run. */
bool page_has_gpu_time(const struct report_page *p);
void page_gpu_time(const struct report_page *p, FILE *out);
void page_verdict(const struct report_page *p, FILE *out);
/* Caveats of the verdict: inputs that differ, which figures are means, problems
 * of runs.
 */
void page_caveats(const struct report_page *p, FILE *out);
const char *page_title(const struct report_page *p, uint32_t group);
void page_tables(struct report_page *p, FILE *out);
/* Begin a table and its header row; screen readers read "table of LABEL". */
void page_table_begin(const char *label, const char *class, const char *caption,
                      FILE *out);
/* Write the head of a column, of class "text" or "". */
void page_head_put(const char *text, const char *class, FILE *out);
/* A figure, and whether it is the best of its row. */
void page_value_put(const struct report_page *p, const struct compare_row *r,
                    uint32_t group, FILE *out);
/* The jobs that waited longest, of each drawn run. */
int page_longest(const struct report_page *p, FILE *out, struct gs_err *err);
void page_inputs(const struct report_page *p, FILE *out);
void page_glossary(FILE *out);
/* The section of metrics by axis, if there is a numeric axis. */
int page_curves_put(struct report_page *p, FILE *out, struct gs_err *err);
/* Write a picture (nothing without gnuplot); and its data as a link. */
int page_plot_put(const struct report_page *p, const struct page_plot *plot,
                  const char *label, FILE *out, struct gs_err *err);
int page_csv_put(const struct report_page *p, const struct page_plot *plot,
                 FILE *out, struct gs_err *err);
/* Write the pictures; without gnuplot only their data. */
int page_figures(struct report_page *p, FILE *out, struct gs_err *err);

#endif /* REPORTS_PAGE_PAGE_PRIVATE_H */
