/* reports/page/page_private.h - what the parts of the page share. */
#ifndef REPORTS_PAGE_PAGE_PRIVATE_H
#define REPORTS_PAGE_PAGE_PRIVATE_H

#include <stdbool.h>

#include "reports/compare/axes.h"
#include "reports/compare/compare_private.h"
#include "reports/page/page.h"

#define PAGE_DRAWN 8u   /* runs that pictures show: so many colours there are */
#define PAGE_SHORT 28u  /* characters of a label in a picture */
#define PAGE_COLUMNS 6  /* of a picture's data */
#define PAGE_ROWS 2400u /* of a run's data */
#define PAGE_PARTS 3    /* that a script begins with */
#define PAGE_LABELS 24u /* of a picture */
#define PAGE_NODES 120u /* rows of a map */
#define PAGE_INSTANTS 300 /* columns of a map */
#define PAGE_CURVES 6u    /* metrics of a picture by axis */

/* A run as the page needs it, beside its column of the comparison. */
struct page_run {
    struct report_store *store;
    int64_t id;
    int64_t from_us, to_us; /* the window of its metrics; 0 <= from <= to */
    double gpus;
    const char *policy, *status, *version, *trace, *topology;
    const char *trace_hash, *topology_hash;
    int64_t seed;
    struct report_axes axes;
    bool
        is_flattered; /* first run of a group: it left more jobs unfinished than
                          another group, and its means leave these out */
};

struct report_page {
    struct gs_arena *arena;
    struct report_comparison *compare;
    /* [COMPARE_RUNS_MAX], as in the comparison: the first of each group
     * first
     */
    struct page_run *run;
    double end_s; /* the longest window of those drawn */
    bool has_gnuplot;
    struct page_axis *axis; /* all but policy, seed and run */
    uint32_t axes;
    const char *const *metric; /* patterns of metrics to show; 0: the usual */
    size_t metrics;
};

/* The number of runs that pictures show. */
uint32_t page_drawn(const struct report_page *p);
/* A text that labels a picture; of a long one the middle is left out. */
const char *page_short(const struct report_page *p, const char *s);

/* --- texts, page_html.c ------------------------------------------------- */

/* As HTML, within an element or an attribute in double quotes. */
void page_html(const char *s, FILE *out);
/* Write a format of HTML: %s is a text, which is escaped, %u a number. */
void page_print(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `len` bytes as part of a data: URI. */
void page_uri(const char *s, size_t len, FILE *out);

/* --- axes, page_axes.c ---------------------------------------------------- */

struct page_axis {
    const char *name;
    const char **value; /* [values] each once; numbers in rising order */
    double *number;     /* [values] if it is numeric; of durations seconds */
    uint32_t values;
    bool is_numeric;  /* at least two values, and all are numbers */
    bool is_duration; /* numeric, and all are durations */
};

/* Read p->axis.  Of axes that always change together one stays. */
void page_axes_read(struct report_page *p);
void page_axis_read(const struct report_page *p, const char *name,
                    struct page_axis *a);
/* The number of a value; a->values when it has none such. */
uint32_t page_axis_find(const struct page_axis *a, const char *value);
/* "-" when the run has no such axis. */
const char *page_run_value(const struct report_page *p, uint32_t run,
                           const char *axis);
/* "several" when the group's runs differ in it. */
const char *page_group_value(const struct report_page *p, uint32_t group,
                             const struct page_axis *a);
/* A value as it is shown: of a path the last part. */
const char *page_axis_text(const char *axis, const char *value);

/* --- pictures, page_pictures.c -------------------------------------------- */

struct page_picture {
    const char *name; /* of its file and its anchor */
    const char *title;
    const char *caption; /* explains the picture */
    const char *columns; /* header of its CSV */
    const char
        *sql; /* rows of run ?1 in its window, ?2 to ?3; ?4: causes; at most
                          * PAGE_COLUMNS numbers */
    const char *none;              /* stands for the picture without rows */
    const char *parts[PAGE_PARTS]; /* gnuplot before the script */
    const char *script; /* gnuplot, for the variables of page_script.c */
    int legend_columns, legend_rows; /* 0: as the names of runs need */
    bool has_labels;                 /* the first column is a text */
    bool has_names;                  /* its legend is of runs */
    int height, per_run, per_label;  /* pixels */
};

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
    /* Bit i: device i is held; is held by a job that does not run yet. */
    uint64_t held[PAGE_INSTANTS], hoarded[PAGE_INSTANTS];
};

/* Why a map shows this window; the numbers are those of its query. */
enum page_window { PAGE_ALL, PAGE_FRAGMENTED, PAGE_WAITED, PAGE_HOARDED };

struct page_map {
    int64_t start;    /* us: where the run's window begins */
    int64_t from, to; /* us; drawn from `start` on */
    enum page_window why;
    struct page_node *node;
    uint32_t nodes, of; /* shown, of so many with GPUs */
    int gpus;           /* of the largest */
};

int page_map_read(const struct report_page *p, uint32_t run, struct page_map *m,
                  struct gs_err *err);
/* Devices of the node that are free then. */
int page_map_free(const struct page_node *n, int instant);
void page_map_csv(const struct page_map *m, FILE *out);

/* --- metrics against an axis, page_curves.c ------------------------------- */

struct page_curves {
    const struct page_axis *axis; /* a numeric one */
    const struct compare_row *metric[PAGE_CURVES];
    uint32_t metrics, more_metrics;  /* shown, and left out */
    const char *line[PAGE_DRAWN];    /* policies */
    uint32_t lines, more_lines;      /* shown, and left out */
    uint32_t combinations, left_out; /* of the other axes: averaged over, or not
                                        had by all points */
    double *mean;                    /* see page_curve_point */
};

extern const struct page_picture page_curves_picture;

/* The axes with curves, in order; NULL past the end. */
const struct page_axis *page_curve_axis(const struct report_page *p,
                                        uint32_t i);
void page_curves_read(struct report_page *p, const struct page_axis *axis,
                      struct page_curves *c);
/* The metric's mean at the axis' value; NAN: no run has it. */
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
    uint32_t run; /* of a map; of curves the number of their axis */
};

/* Let gnuplot append it to `out`; as report_gnuplot_draw. */
int page_gnuplot_draw(const struct report_page *p, const struct page_plot *plot,
                      enum report_picture_format format, FILE *out,
                      const char *what, struct gs_err *err);

/* Copy gnuplot's SVG into a page: without its head and tool tips, its ids made
 * unique by `prefix`, described by `label`.
 */
void page_svg_copy(FILE *svg, const char *prefix, const char *label, FILE *out);

/* --- ranks, page_rank.c --------------------------------------------------- */

/* The row of a metric of the cluster; NULL when no run has it. */
const struct compare_row *page_row(const struct report_page *p,
                                   const char *name);
/* A group's mean of it; 0 when it has none. */
double page_value(const struct report_page *p, const char *name,
                  uint32_t group);
const struct compare_figure *page_figure(const struct report_page *p,
                                         const struct compare_row *r,
                                         uint32_t group);
/* Is the difference of two groups more than chance? */
bool page_is_clear(const struct report_page *p, const struct compare_row *r,
                   uint32_t a, uint32_t b);

/* To be called once all runs are there. */
void page_rank_prepare(struct report_page *p);
/* May the group be called better or worse by this metric? */
bool page_is_ranked(const struct report_page *p, const struct compare_row *r,
                    uint32_t group);

struct page_ranks {
    uint32_t best, next, worst; /* groups; next: the best but for `best` */
    uint32_t count;             /* that have the metric */
    uint32_t ties; /* not clearly worse than the best, itself too */
};

/* Rank the groups of one input class (struct compare_group) that may be ranked;
 * `r` may be NULL.
 */
struct page_ranks page_rank(const struct report_page *p,
                            const struct compare_row *r, uint32_t class);

/* --- parts of the page ---------------------------------------------------- */

void page_verdict(const struct report_page *p, FILE *out);
/* Its part: inputs that differ, what is a mean, trouble that runs met. */
void page_caveats(const struct report_page *p, FILE *out);
const char *page_title(const struct report_page *p, uint32_t group);
void page_tables(struct report_page *p, FILE *out);
/* Begin a table and the row of its heads: "table of LABEL" is read aloud. */
void page_table_begin(const char *label, const char *class, const char *caption,
                      FILE *out);
/* The head of a column, of class "text" or "". */
void page_head_put(const char *text, const char *class, FILE *out);
void page_glossary(FILE *out);
/* The section of metrics by axis, if there is a numeric axis. */
int page_curves_put(struct report_page *p, FILE *out, struct gs_err *err);
/* A picture, nothing without gnuplot; and its data as a link. */
int page_plot_put(const struct report_page *p, const struct page_plot *plot,
                  const char *label, FILE *out, struct gs_err *err);
int page_csv_put(const struct report_page *p, const struct page_plot *plot,
                 FILE *out, struct gs_err *err);
/* The pictures, or their data alone without gnuplot. */
int page_figures(struct report_page *p, FILE *out, struct gs_err *err);

#endif /* REPORTS_PAGE_PAGE_PRIVATE_H */
