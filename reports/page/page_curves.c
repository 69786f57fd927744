/* reports/page/page_curves.c - metrics against the axes of a sweep: for each
 * axis with numbers a picture, in it a panel for each metric and a line for
 * each policy.
 *
 * A point is the mean over the other axes and over seeds.  All points of a
 * picture are means over the same combinations of the other axes: one that a
 * policy or a value lacks is left out of all.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_write.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"
#include "share/share.h"

const struct page_picture page_curves_picture = {
    .name = "curves",
    .title = "Metrics by axis",
    .script = share_gnuplot_curves_gp,
    .height = 12,
};

/* --- metrics -------------------------------------------------------------- */

static bool is_chosen(const struct report_comparison *c, const char *name)
{
    for (uint32_t i = 0; i < c->selected_count; i++) {
        if (strcmp(c->selected[i]->name, name) == 0
            && c->selected[i]->label[0] == '\0')
            return true;
    }
    return false;
}

/* Choose the metrics to draw; a metric of queues is left out when that of the
 * cluster is chosen.
 */
static void metrics_choose(struct report_page *p, struct page_curves *c)
{
    static const char *const usual[] = { METRIC_WAIT "mean",
                                         METRIC_GPU_ALLOCATED };
    const struct report_comparison *all = p->compare;

    if (p->metrics)
        (void)report_compare_select_all(p->compare, p->metric, p->metrics);
    for (uint32_t i = 0; p->metrics && i < all->selected_count; i++) {
        if (all->selected[i]->label[0]
            && is_chosen(all, all->selected[i]->name))
            continue;
        if (c->metrics < PAGE_CURVES)
            c->metric[c->metrics++] = all->selected[i];
        else
            c->more_metrics++;
    }
    for (size_t i = 0; !p->metrics && i < 2; i++) {
        const struct compare_row *r = page_row(p, usual[i]);

        if (r)
            c->metric[c->metrics++] = r;
    }
}

/* --- the runs of a point -------------------------------------------------- */

static uint32_t line_of(const struct page_curves *c, const char *policy)
{
    return (uint32_t)gs_text_find(policy, c->line, c->lines);
}

static void lines_find(const struct report_page *p, struct page_curves *c)
{
    const char *more[COMPARE_RUNS_MAX];

    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const char *policy = page_run_value(p, run, "policy");

        if (line_of(c, policy) < c->lines)
            continue;
        if (c->lines < PAGE_DRAWN)
            c->line[c->lines++] = policy;
        else if (gs_text_find(policy, more, c->more_lines) == c->more_lines)
            more[c->more_lines++] = policy;
    }
}

/* True when the runs have equal values on all axes but this one. */
static bool is_combination(const struct report_page *p,
                           const struct page_axis *axis, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < p->axes; i++) {
        const char *name = p->axis[i].name;

        if (strcmp(name, axis->name) != 0
            && strcmp(page_run_value(p, a, name), page_run_value(p, b, name))
                   != 0)
            return false;
    }
    return true;
}

/* The point of a run in the picture. */
struct place {
    uint32_t line, value;
    uint32_t combination; /* combination of the other axes: the first run
                             that has it */
};

static struct place *places_find(const struct report_page *p,
                                 const struct page_curves *c)
{
    const uint32_t runs = p->compare->runs;
    struct place *place = gs_arena_alloc(p->arena, runs, sizeof(*place));

    for (uint32_t run = 0; run < runs; run++) {
        struct place *to = &place[run];

        to->line = line_of(c, page_run_value(p, run, "policy"));
        to->value = page_axis_find(c->axis,
                                   page_run_value(p, run, c->axis->name));
        while (to->combination < run
               && (place[to->combination].combination != to->combination
                   || !is_combination(p, c->axis, to->combination, run)))
            to->combination++;
    }
    return place;
}

/* True when each point with a run has a run of this combination. */
static bool is_common(const struct report_page *p, const struct page_curves *c,
                      const struct place *place, uint32_t combination)
{
    const uint32_t points = c->lines * c->axis->values;
    bool *has = gs_arena_alloc(p->arena, points + 1, sizeof(*has));
    bool *needs = gs_arena_alloc(p->arena, points + 1, sizeof(*needs));

    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct place *at = &place[run];

        if (at->line == c->lines)
            continue;
        needs[at->line * c->axis->values + at->value] = true;
        has[at->line * c->axis->values + at->value] |= at->combination
                                                       == combination;
    }
    for (uint32_t i = 0; i < points; i++) {
        if (needs[i] && !has[i])
            return false;
    }
    return true;
}

/* --- points --------------------------------------------------------------- */

/* The mean of a combination's runs; NAN when none has the metric. */
static double combination_mean(const struct report_page *p,
                               const struct compare_row *r,
                               const struct place *place,
                               const struct place *want)
{
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct place *at = &place[run];

        if (at->line != want->line || at->value != want->value
            || at->combination != want->combination || !r->cell[run].is_there)
            continue;
        sum += r->cell[run].value;
        n++;
    }
    return n ? sum / n : (double)NAN;
}

static void points_fill(const struct report_page *p, struct page_curves *c,
                        const struct place *place, const bool *common)
{
    const uint32_t values = c->axis->values;

    c->mean = gs_arena_alloc(
        p->arena, (size_t)c->metrics * c->lines * values + 1, sizeof(double));
    for (uint32_t m = 0; m < c->metrics; m++) {
        for (uint32_t i = 0; i < c->lines * values; i++) {
            struct place want = { i / values, i % values, 0 };
            double sum = 0;

            for (; want.combination < p->compare->runs; want.combination++) {
                if (common[want.combination])
                    sum += combination_mean(p, c->metric[m], place, &want);
            }
            c->mean[m * c->lines * values + i] = c->combinations
                                                     ? sum / c->combinations
                                                     : (double)NAN;
        }
    }
}

double page_curve_point(const struct page_curves *c, uint32_t metric,
                        uint32_t line, uint32_t value)
{
    assert(metric < c->metrics && line < c->lines && value < c->axis->values);
    return c->mean[(metric * c->lines + line) * c->axis->values + value];
}

void page_curves_read(struct report_page *p, const struct page_axis *axis,
                      struct page_curves *c)
{
    bool common[COMPARE_RUNS_MAX] = { false };
    const struct place *place;

    *c = (struct page_curves){ .axis = axis };
    metrics_choose(p, c);
    lines_find(p, c);
    place = places_find(p, c);
    for (uint32_t run = 0; run < p->compare->runs; run++) {
        if (place[run].combination != run)
            continue;
        common[run] = is_common(p, c, place, run);
        c->combinations += common[run];
        c->left_out += !common[run];
    }
    points_fill(p, c, place, common);
}

/* --- texts ---------------------------------------------------------------- */

const char *page_axis_text(const char *axis, const char *value)
{
    const bool is_path = strcmp(axis, "trace") == 0
                         || strcmp(axis, "topology") == 0;
    const char *slash = is_path ? strrchr(value, '/') : NULL;

    return slash ? slash + 1 : value;
}

/* "Fixed at load 0.8, trace a.csv.": the axes that have one value. */
static void fixed_put(const struct report_page *p, FILE *out)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->axes; i++) {
        const struct page_axis *a = &p->axis[i];
        const char *text = page_axis_text(a->name, a->value[0]);

        if (a->values == 1 && text[0])
            page_print(out, "%s%s %s", n++ ? ", " : " Fixed at ", a->name,
                       text);
    }
    fputs(n ? "." : "", out);
}

/* "Averaged over load (0.8, 0.9), 3 seeds." */
static void averaged_put(const struct report_page *p,
                         const struct page_curves *c, FILE *out)
{
    struct page_axis seed;
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->axes; i++) {
        const struct page_axis *a = &p->axis[i];

        if (a->values < 2 || strcmp(a->name, c->axis->name) == 0)
            continue;
        page_print(out, "%s%s (", n++ ? ", " : " Averaged over ", a->name);
        for (uint32_t k = 0; k < a->values && k < 8; k++)
            page_print(out, "%s%s", k ? ", " : "",
                       page_axis_text(a->name, a->value[k]));
        fputs(a->values > 8 ? " ...)" : ")", out);
    }
    page_axis_read(p, "seed", &seed);
    if (seed.values > 1)
        page_print(out, "%s%u seeds", n++ ? ", " : " Averaged over ",
                   seed.values);
    fputs(n ? "." : "", out);
    if (c->left_out)
        page_print(out,
                   " %u of %u combinations of these are left out, since not "
                   "every policy and value has them.",
                   c->left_out, c->left_out + c->combinations);
}

static void caption_put(const struct report_page *p,
                        const struct page_curves *c, FILE *out)
{
    fputs("A line for each policy.", out);
    averaged_put(p, c, out);
    fixed_put(p, out);
    if (c->more_lines)
        page_print(out, " %u more policies are left out.", c->more_lines);
    if (c->more_metrics)
        page_print(out, " %u more metrics are left out.", c->more_metrics);
}

static void cell_put(const struct compare_row *r, double value, FILE *out)
{
    char text[COMPARE_TEXT];
    const struct compare_figure f = { .n = 1, .mean = value };

    if (isfinite(value))
        fprintf(out, "<td>%s</td>", compare_value(r, &f, text));
    else
        fputs("<td>-</td>", out);
}

static void table_put(const struct page_curves *c, uint32_t metric, FILE *out)
{
    char name[512];

    page_table_begin("points", "",
                     compare_row_name(c->metric[metric], name, sizeof(name)),
                     out);
    page_head_put(c->axis->name, "", out);
    for (uint32_t l = 0; l < c->lines; l++)
        page_head_put(c->line[l], "", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t v = 0; v < c->axis->values; v++) {
        page_print(out, "<tr><th scope=\"row\">%s</th>", c->axis->value[v]);
        for (uint32_t l = 0; l < c->lines; l++)
            cell_put(c->metric[metric], page_curve_point(c, metric, l, v), out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

void page_curves_csv(const struct page_curves *c, FILE *out)
{
    char name[512];

    gs_csv_put_cell(c->axis->name, out);
    fputs(",policy,metric,mean\n", out);
    for (uint32_t m = 0; m < c->metrics; m++) {
        compare_row_name(c->metric[m], name, sizeof(name));
        for (uint32_t l = 0; l < c->lines; l++) {
            for (uint32_t v = 0; v < c->axis->values; v++) {
                const double mean = page_curve_point(c, m, l, v);

                gs_csv_put_cell(c->axis->value[v], out);
                fputc(',', out);
                gs_csv_put_cell(c->line[l], out);
                fputc(',', out);
                gs_csv_put_cell(name, out);
                fputc(',', out);
                if (isfinite(mean))
                    fprintf(out, "%.7g", mean);
                fputc('\n', out);
            }
        }
    }
}

/* --- on the page ---------------------------------------------------------- */

static int axis_put(struct report_page *p, uint32_t number,
                    const struct page_axis *axis, FILE *out, struct gs_err *err)
{
    struct page_curves c;
    const struct page_plot plot = { .picture = &page_curves_picture,
                                    .curves = &c,
                                    .run = number };
    const char *label = gs_arena_printf(p->arena, "Curves of metrics by %s.",
                                        axis->name);

    page_curves_read(p, axis, &c);
    page_print(out, "<h3>By %s</h3>\n", axis->name);
    if (c.combinations == 0 || c.metrics == 0) {
        fputs("<p>The policies have no runs in common that differ in this "
              "alone.</p>\n",
              out);
        return 0;
    }
    fputs("<figure>\n", out);
    if (page_plot_put(p, &plot, label, out, err) < 0)
        return -1;
    fputs("<figcaption>", out);
    caption_put(p, &c, out);
    if (page_csv_put(p, &plot, out, err) < 0)
        return -1;
    fputs("</figcaption>\n</figure>\n<details><summary>As tables</summary>\n",
          out);
    for (uint32_t m = 0; m < c.metrics; m++)
        table_put(&c, m, out);
    fputs("</details>\n", out);
    return 0;
}

const struct page_axis *page_curve_axis(const struct report_page *p, uint32_t i)
{
    for (uint32_t k = 0; k < p->axes; k++) {
        if (p->axis[k].is_numeric && i-- == 0)
            return &p->axis[k];
    }
    return NULL;
}

int page_curves_put(struct report_page *p, FILE *out, struct gs_err *err)
{
    const struct page_axis *axis;

    if (!page_curve_axis(p, 0))
        return 0;
    fputs("<section id=\"curves\">\n<h2>Metrics by axis</h2>\n", out);
    for (uint32_t i = 0; (axis = page_curve_axis(p, i)); i++) {
        if (axis_put(p, i, axis, out, err) < 0)
            return -1;
    }
    fputs("</section>\n", out);
    return 0;
}
