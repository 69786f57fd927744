/* sim/study/whatif_plot.c - a picture of the target metric along the first
 * axis, one curve for each line.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/table/cell_text.h"
#include "sim/study/whatif.h"

#define WIDTH 900
#define HEIGHT 480
#define KEY_LINE 17  /* pixels */
#define KEY_ROW 100u /* characters of a row of the legend */
#define CURVES 8u    /* the number of colours */
#define NAME 24u     /* characters of the name of a curve */

/* The unit in which values are drawn. */
struct scale {
    double unit;
    const char *name;
    double floor; /* smaller values are drawn at this value */
};

/* The smallest and the largest finite value; the largest is at least 0. */
static void bounds(const struct whatif *w, double *least, double *most)
{
    *least = (double)INFINITY;
    *most = 0;
    for (uint32_t i = 0; i < w->points; i++) {
        const struct whatif_point *p = &w->point[i];

        if (!p->is_known || !isfinite(p->all.value[0]))
            continue;
        *least = fmin(*least, p->all.value[0]);
        *most = fmax(*most, p->all.value[0]);
    }
}

/* The position on the x axis; for a value that is not a number, its index. */
static double across(const struct whatif *w, uint32_t at)
{
    return w->axis[0].number ? w->axis[0].number[at] : at;
}

static uint32_t curves(const struct whatif *w)
{
    return w->lines < CURVES ? w->lines : CURVES;
}

static void point_write(const struct whatif *w, const struct whatif_point *p,
                        const struct scale *s, FILE *out)
{
    const double v = p->all.value[0] / s->unit;

    fprintf(out, "%.9g %.9g\n", across(w, p->at[0]),
            v > s->floor ? v : s->floor);
}

static void data_write(const struct whatif *w, const struct scale *s, FILE *out)
{
    for (uint32_t i = 0; i < curves(w); i++) {
        const struct whatif_line *l = &w->line[i];

        fprintf(out, "$d%u << EOD\nNaN NaN\n", i + 1);
        for (uint32_t at = 0; at < w->axis[0].count; at++) {
            const struct whatif_point *p = &w->point[l->point + at];

            if (p->is_known && isfinite(p->all.value[0]))
                point_write(w, p, s, out);
        }
        fputs("EOD\n", out);
    }
}

static const char *name_of(const struct whatif *w, const struct whatif_line *l)
{
    char name[512];

    if (w->axes == 1)
        snprintf(name, sizeof(name), "%s", w->policy[l->policy]);
    else if (w->policies == 1)
        snprintf(name, sizeof(name), "%.100s=%.100s", w->axis[1].path,
                 w->axis[1].value[l->second]);
    else
        snprintf(name, sizeof(name), "%.200s, %.100s=%.100s",
                 w->policy[l->policy], w->axis[1].path,
                 w->axis[1].value[l->second]);
    gs_text_clean(name);
    name[gs_text_bytes(name, NAME)] = '\0';
    return gs_arena_strndup(w->arena, name, strlen(name));
}

/* Number of columns of the legend above the picture, as many as the names
 * allow.
 */
static uint32_t key_columns(const struct whatif *w)
{
    size_t longest = 0;

    for (uint32_t i = 0; i < curves(w); i++) {
        const size_t n = gs_text_length(name_of(w, &w->line[i]));

        longest = n > longest ? n : longest;
    }
    return (uint32_t)(KEY_ROW / (longest + 6));
}

/* Write a tic for each value that is not a number. */
static void tics_write(const struct whatif *w, FILE *out)
{
    if (w->axis[0].number)
        return;
    fputs("set xtics ()\n", out);
    for (uint32_t at = 0; at < w->axis[0].count; at++) {
        fputs("set xtics add (", out);
        report_gnuplot_tic(w->axis[0].value[at], out);
        fprintf(out, " %u)\n", at);
    }
}

static void times_write(FILE *out)
{
    fputs("set logscale y\nset yrange [0.8:*]\n"
          "set ytics ('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600,"
          " '1 h' 3600, '10 h' 36000, '1 d' 86400, '10 d' 864000,"
          " '100 d' 8640000)\n",
          out);
}

static void label_write(const char *what, const char *text, const char *unit,
                        FILE *out)
{
    char label[256];

    snprintf(label, sizeof(label), "%.200s%s%s", text, *unit ? ", " : "", unit);
    gs_text_clean(label);
    fprintf(out, "set %s ", what);
    report_gnuplot_string(label, out);
    fputc('\n', out);
}

/* Times of very different length need a logarithmic axis, on which times below
 * a second are drawn at one second.
 */
static struct scale time_scale(const struct whatif *w)
{
    static const struct scale times[] = {
        { 86400, "days", 0 },
        { 3600, "hours", 0 },
        { 60, "minutes", 0 },
        { 1, "seconds", 0 },
    };
    double least, most;
    size_t i = 0;

    bounds(w, &least, &most);
    if (most > 50 * fmax(least, 1))
        return (struct scale){ 1, "logarithmic", 1 };
    while (times[i].unit > 1 && most < 2.5 * times[i].unit)
        i++;
    return times[i];
}

static struct scale scale_of(const struct whatif *w)
{
    const enum report_unit unit = whatif_unit(w, 0);

    if (unit == REPORT_SECONDS)
        return time_scale(w);
    if (unit == REPORT_SHARE)
        return (struct scale){ 0.01, "%", (double)-INFINITY };
    return (struct scale){ 1, report_unit_name(unit), (double)-INFINITY };
}

static void axes_write(const struct whatif *w, const struct scale *s, FILE *out)
{
    const double first = across(w, 0), last = across(w, w->axis[0].count - 1);
    const double low = first < last ? first : last;
    const double high = first < last ? last : first;
    const double margin = high > low ? (high - low) * 0.02 : 0.5;

    label_write("xlabel", w->axis[0].path, "", out);
    label_write("ylabel", w->key[0], s->name, out);
    fprintf(out, "set xrange [%.9g:%.9g]\n", low - margin, high + margin);
    if (s->floor > 0)
        times_write(out);
    else
        fputs("set yrange [0:*]\n", out);
    tics_write(w, out);
}

/* The answers of the lines that have one. */
static void answers_write(const struct whatif *w, const struct scale *s,
                          FILE *out)
{
    fputs("$answer << EOD\nNaN NaN\n", out);
    for (uint32_t i = 0; i < curves(w); i++) {
        const uint32_t answer = whatif_answer_of(w, &w->line[i]);

        if (answer != STUDY_NO_POINT)
            point_write(w, &w->point[answer], s, out);
    }
    fputs("EOD\n", out);
}

/* Write "158: 8m44s" at each answer, in the colour of its curve, one above the
 * other, since answers may coincide.
 */
static void figures_write(const struct whatif *w, const struct scale *s,
                          FILE *out)
{
    uint32_t told = 0;

    fputs("set style textbox opaque noborder fillcolor rgb 'white'"
          " margins 0.3, 0.1\n",
          out);
    for (uint32_t i = 0; i < curves(w); i++) {
        const uint32_t answer = whatif_answer_of(w, &w->line[i]);
        char text[256], value[REPORT_VALUE_TEXT];
        const struct whatif_point *p;
        double y;

        if (answer == STUDY_NO_POINT
            || !isfinite(w->point[answer].all.value[0]))
            continue;
        p = &w->point[answer];
        y = fmax(p->all.value[0] / s->unit, s->floor);
        report_format_value(w->target->info->unit, p->all.value[0], value);
        snprintf(text, sizeof(text), "%.100s: %s", w->axis[0].value[p->at[0]],
                 value);
        gs_text_clean(text);
        fputs("set label ", out);
        report_gnuplot_string(text, out);
        fprintf(out,
                " at %.9g, %.9g left offset 1.2, %.1f front"
                " boxed tc rgb colour[%u]\n",
                across(w, p->at[0]), y, 1.0 + 1.1 * told++, i + 1);
    }
}

static void target_write(const struct whatif *w, const struct scale *s,
                         FILE *out)
{
    char text[REPORT_VALUE_TEXT + 16], value[REPORT_VALUE_TEXT];

    if (!w->target)
        return;
    report_format_value(w->target->info->unit, w->target->amount, value);
    snprintf(text, sizeof(text), "target %s", value);
    fputs("set label ", out);
    report_gnuplot_string(text, out);
    fprintf(out, " at graph 0.01, first %.9g left offset 0, 0.6 front\n",
            fmax(w->target->amount / s->unit, s->floor));
    figures_write(w, s, out);
}

static void target_plot(const struct whatif *w, const struct scale *s,
                        FILE *out)
{
    if (!w->target)
        return;
    fprintf(out,
            "%.9g with lines lc rgb grey dt 2 lw 2 notitle, "
            "$answer using 1:2 with points pt 6 ps 2 lw 2 lc rgb grey"
            " notitle, ",
            w->target->amount / s->unit);
}

void whatif_script(const struct whatif *w, enum report_picture_format format,
                   FILE *out)
{
    const struct scale s = scale_of(w);
    const uint32_t columns = key_columns(w);
    const int rows = (int)((curves(w) + columns - 1) / columns);
    const int height = HEIGHT + KEY_LINE * rows;

    report_gnuplot_terminal(format, WIDTH, height, out);
    report_gnuplot_settings(out);
    /* a white background: the page may be dark */
    fputs("set object 1 rectangle from screen 0, screen 0 to screen 1, screen 1"
          " behind fc rgb 'white' fs solid noborder\n",
          out);
    fprintf(out,
            "set key at screen 0.06, screen %.4f left top Left reverse"
            " horizontal maxcols %u spacing 0.9\n",
            1 - 6.0 / height, columns);
    fprintf(out, "set tmargin at screen %.4f\n",
            1 - (18.0 + KEY_LINE * rows) / height);
    axes_write(w, &s, out);
    data_write(w, &s, out);
    answers_write(w, &s, out);
    target_write(w, &s, out);
    fputs("plot ", out);
    target_plot(w, &s, out);
    for (uint32_t i = 0; i < curves(w); i++) {
        fprintf(out,
                "$d%u using 1:2 with linespoints pt 7 ps 0.6 lw 2"
                " lc rgb colour[%u] dt dash[%u] title ",
                i + 1, i + 1, i + 1);
        report_gnuplot_string(name_of(w, &w->line[i]), out);
        fputs(i + 1 < curves(w) ? ", " : "\n", out);
    }
}
