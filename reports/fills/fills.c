/* reports/fills/fills.c - prints allocation experiments side by side. */
#include "reports/fills/fills.h"

#include <jansson.h>
#include <math.h>

#include "base/csv_write.h"
#include "reports/table/cell_text.h"

#define NAME_WIDTH 18u

/* --- figures -------------------------------------------------------------- */

static double fragmented(const struct report_fills *f,
                         const struct report_fill_point *p)
{
    const int64_t free = f->gpu_milli - p->allocated;

    return free ? 100.0 * p->fragmented / (double)free : 0.0;
}

static double allocated(const struct report_fills *f,
                        const struct report_fill_point *p)
{
    return 100.0 * (double)p->allocated / (double)f->gpu_milli;
}

/* Sample standard deviation from the sum of squared distances from the mean. */
static double spread(double squares, double n)
{
    return n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
}

struct report_fill_figures report_fill_figures(const struct report_fills *f,
                                               uint32_t list, uint32_t policy,
                                               uint32_t percent)
{
    struct report_fill_figures r = { 0 };
    const double n = f->seeds;

    for (uint32_t s = 0; s < f->seeds; s++) {
        const struct report_fill_point *p = &report_fill_run(f, list, policy,
                                                             s)[percent - 1];

        r.allocated += allocated(f, p) / n;
        r.fragmented += fragmented(f, p) / n;
    }
    for (uint32_t s = 0; s < f->seeds; s++) {
        const struct report_fill_point *p = &report_fill_run(f, list, policy,
                                                             s)[percent - 1];
        const double a = allocated(f, p) - r.allocated;
        const double b = fragmented(f, p) - r.fragmented;

        r.allocated_sd += a * a;
        r.fragmented_sd += b * b;
    }
    r.allocated_sd = spread(r.allocated_sd, n);
    r.fragmented_sd = spread(r.fragmented_sd, n);
    return r;
}

/* --- for the terminal ----------------------------------------------------- */

/* The percents that the table shows. */
struct columns {
    uint32_t allocated[2], fragmented[3];
    uint32_t allocated_count, fragmented_count;
};

static struct columns columns_choose(const struct report_fills *f)
{
    static const uint32_t stages[] = { 50, 70, 90 };
    struct columns c = { 0 };

    if (f->points > 100)
        c.allocated[c.allocated_count++] = 100;
    c.allocated[c.allocated_count++] = f->points;
    for (uint32_t i = 0; i < 3; i++) {
        if (stages[i] <= f->points)
            c.fragmented[c.fragmented_count++] = stages[i];
    }
    return c;
}

static void heading_print(const struct report_fills *f, uint32_t list,
                          const struct columns *c, FILE *out)
{
    const struct report_fill_list *l = &f->list[list];

    fprintf(out,
            "%s: %u tasks on %u nodes, %lld GPUs, load %g, %u seed%s\n"
            "%*s%*s",
            l->name, l->tasks, f->nodes, (long long)(f->gpu_milli / 1000),
            f->load / 1000.0, f->seeds, f->seeds == 1 ? "" : "s",
            (int)NAME_WIDTH, "", (int)(c->allocated_count * 15), "allocated %");
    if (c->fragmented_count)
        fprintf(out, "%*s", (int)(c->fragmented_count * 9), "fragmented %");
    fputc('\n', out);
    report_format_text("policy", NAME_WIDTH, true, out);
    for (uint32_t i = 0; i < c->allocated_count; i++)
        fprintf(out, "%11s%4u", "at", c->allocated[i]);
    for (uint32_t i = 0; i < c->fragmented_count; i++)
        fprintf(out, "%6s%3u", "at", c->fragmented[i]);
    fputc('\n', out);
}

/* "95.36 +-0.08" */
static void spread_print(double mean, double sd, FILE *out)
{
    char text[32];

    if (isnan(sd))
        snprintf(text, sizeof(text), "%.2f       ", mean);
    else
        snprintf(text, sizeof(text), "%.2f +-%.2f", mean, sd);
    fprintf(out, "%15s", text);
}

/* Rows of a policy: measured, published, and the difference in points. */
enum row { OURS, PUBLISHED, DIFFERENCE, ROWS };

static void row_print(const struct report_fills *f,
                      const struct report_reference *r, uint32_t list,
                      uint32_t policy, enum row row, const struct columns *c,
                      FILE *out)
{
    const char *by = f->policy[policy].name;
    const char *const title[ROWS] = { by, "  published", "  difference" };

    report_format_text(title[row], NAME_WIDTH, true, out);
    for (uint32_t i = 0; i < c->allocated_count + c->fragmented_count; i++) {
        const bool is_first = i < c->allocated_count;
        const uint32_t percent = is_first
                                     ? c->allocated[i]
                                     : c->fragmented[i - c->allocated_count];
        const struct report_fill_figures own = report_fill_figures(
            f, list, policy, percent);
        const struct report_fill_figures *g =
            row == OURS
                ? &own
                : report_reference_find(r, f->list[list].name, by, percent);

        if (!g)
            fputs(is_first ? "       -       " : "        -", out);
        else if (row == DIFFERENCE && is_first)
            fprintf(out, "%+8.2f%7s", own.allocated - g->allocated, "");
        else if (row == DIFFERENCE)
            fprintf(out, "%+9.2f", own.fragmented - g->fragmented);
        else if (is_first)
            spread_print(g->allocated, g->allocated_sd, out);
        else
            fprintf(out, "%9.2f", g->fragmented);
    }
    fputc('\n', out);
}

static void table_print(const struct report_fills *f,
                        const struct report_reference *r, FILE *out)
{
    const struct columns c = columns_choose(f);

    for (uint32_t l = 0; l < f->lists; l++) {
        if (l)
            fputc('\n', out);
        heading_print(f, l, &c, out);
        for (uint32_t p = 0; p < f->policies; p++) {
            for (int row = OURS; row < (r ? ROWS : PUBLISHED); row++)
                row_print(f, r, l, p, (enum row)row, &c, out);
        }
    }
}

/* --- for programs --------------------------------------------------------- */

static void csv_number(double d, FILE *out)
{
    fputc(',', out);
    if (!isnan(d))
        fprintf(out, "%.17g", d);
}

static void csv_figures(const struct report_fill_figures *g, FILE *out)
{
    csv_number(g->allocated, out);
    csv_number(g->allocated_sd, out);
    csv_number(g->fragmented, out);
    csv_number(g->fragmented_sd, out);
}

static void csv_print(const struct report_fills *f,
                      const struct report_reference *r, FILE *out)
{
    const uint32_t rows = f->lists * f->policies;

    fputs("list,policy,percent,seeds,allocated,allocated_sd,fragmented,"
          "fragmented_sd",
          out);
    fputs(r ? ",published_allocated,published_allocated_sd,"
              "published_fragmented,published_fragmented_sd\n"
            : "\n",
          out);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t list = i / f->policies, policy = i % f->policies;
        const char *of = f->list[list].name, *by = f->policy[policy].name;

        for (uint32_t percent = 1; percent <= f->points; percent++) {
            const struct report_fill_figures g = report_fill_figures(
                f, list, policy, percent);
            const struct report_fill_figures *published;

            gs_csv_put_cell(of, out);
            fputc(',', out);
            gs_csv_put_cell(by, out);
            fprintf(out, ",%u,%u", percent, f->seeds);
            csv_figures(&g, out);
            published = report_reference_find(r, of, by, percent);
            if (published)
                csv_figures(published, out);
            else if (r)
                fputs(",,,,", out);
            fputc('\n', out);
        }
    }
}

static json_t *json_number(double d)
{
    return isnan(d) ? json_null() : json_real(d);
}

static json_t *json_figures(const struct report_fill_figures *g)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "allocated",
                     json_number(g->allocated), "allocated_sd",
                     json_number(g->allocated_sd), "fragmented",
                     json_number(g->fragmented), "fragmented_sd",
                     json_number(g->fragmented_sd));
}

static json_t *json_policy(const struct report_fills *f,
                           const struct report_reference *r, uint32_t list,
                           uint32_t policy)
{
    json_t *points = json_array();

    for (uint32_t percent = 1; percent <= f->points; percent++) {
        const struct report_fill_figures g = report_fill_figures(
            f, list, policy, percent);
        const struct report_fill_figures *published = report_reference_find(
            r, f->list[list].name, f->policy[policy].name, percent);
        json_t *point = json_figures(&g);

        json_object_set_new(point, "percent", json_integer(percent));
        if (published)
            json_object_set_new(point, "published", json_figures(published));
        json_array_append_new(points, point);
    }
    return json_pack("{s:s, s:o}", "policy", f->policy[policy].name, "points",
                     points);
}

static void json_print(const struct report_fills *f,
                       const struct report_reference *r, FILE *out)
{
    json_t *lists = json_array(), *all;

    for (uint32_t l = 0; l < f->lists; l++) {
        json_t *policies = json_array();

        for (uint32_t p = 0; p < f->policies; p++)
            json_array_append_new(policies, json_policy(f, r, l, p));
        json_array_append_new(lists, json_pack("{s:s, s:I, s:o}", "list",
                                               f->list[l].name, "tasks",
                                               (json_int_t)f->list[l].tasks,
                                               "policies", policies));
    }
    all = json_pack("{s:I, s:I, s:f, s:I, s:I, s:o}", "nodes",
                    (json_int_t)f->nodes, "gpu_milli", (json_int_t)f->gpu_milli,
                    "load", f->load / 1000.0, "first_seed",
                    (json_int_t)f->first_seed, "seeds", (json_int_t)f->seeds,
                    "lists", lists);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}

void report_fills_print(const struct report_fills *f,
                        const struct report_reference *r,
                        enum report_format format, FILE *out)
{
    switch (format) {
    case REPORT_JSON:
        json_print(f, r, out);
        break;
    case REPORT_CSV:
        csv_print(f, r, out);
        break;
    case REPORT_TABLE:
    case REPORT_MARKDOWN:
    case REPORT_FORMATS:
        table_print(f, r, out);
        break;
    }
}
