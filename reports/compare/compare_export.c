/* reports/compare/compare_export.c - a comparison as JSON, CSV and Markdown. */
#include <jansson.h>
#include <math.h>

#include "base/csv_write.h"
#include "reports/compare/compare_private.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"

/* The text of a mark; NULL: none. */
static const char *mark_word(char mark)
{
    switch (mark) {
    case '+':
        return "better";
    case '-':
        return "worse";
    case '=':
        return "same";
    case '~':
        return "no significant difference";
    default:
        return NULL;
    }
}

static bool has_test(const struct compare_against *a)
{
    return a->test == COMPARE_PAIRED || a->test == COMPARE_WELCH;
}

/* --- JSON ----------------------------------------------------------------- */

json_t *compare_json_number(bool is_there, double v)
{
    return is_there && isfinite(v) ? json_real(v) : json_null();
}

void compare_json_print(json_t *all, FILE *out)
{
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}

static json_t *against_json(const struct compare_row *r,
                            const struct compare_figure *f)
{
    static const char *const test[] = { [COMPARE_NONE] = NULL,
                                        [COMPARE_EXACT] = "exact",
                                        [COMPARE_PAIRED] = "paired t",
                                        [COMPARE_WELCH] = "Welch t" };
    const struct compare_against *a = &f->first;

    return json_pack("{s:o, s:o, s:o, s:o, s:s?, s:I, s:s?}", "mean",
                     compare_json_number(a->is_there, a->to - a->from),
                     "ci_low", compare_json_number(has_test(a), a->low),
                     "ci_high", compare_json_number(has_test(a), a->high), "p",
                     compare_json_number(has_test(a), a->p), "test",
                     test[a->test], "pairs", (json_int_t)a->pairs, "verdict",
                     mark_word(compare_mark(r, f)));
}

static json_t *figures_json(const struct report_comparison *c,
                            const struct compare_row *r)
{
    const struct compare_figure *f = compare_figures(c, r);
    json_t *all = json_array();

    for (uint32_t g = 0; g < c->groups; g++)
        json_array_append_new(
            all,
            json_pack(
                "{s:I, s:o, s:o, s:o, s:o}", "n", (json_int_t)f[g].n, "mean",
                compare_json_number(f[g].n > 0, f[g].mean), "ci_low",
                compare_json_number(f[g].has_interval, f[g].low), "ci_high",
                compare_json_number(f[g].has_interval, f[g].high), "difference",
                g ? against_json(r, &f[g]) : json_null()));
    return all;
}

static json_t *groups_json(const struct report_comparison *c)
{
    json_t *all = json_array();

    for (uint32_t g = 0; g < c->groups; g++) {
        json_t *runs = json_array();

        for (uint32_t k = 0; k < c->group[g].runs; k++)
            json_array_append_new(
                runs, json_string(c->run[c->group[g].run[k]].title));
        json_array_append_new(all, json_pack("{s:s, s:o}", "name",
                                             c->group[g].title, "runs", runs));
    }
    return all;
}

static json_t *row_json(const struct report_comparison *c,
                        const struct compare_row *r)
{
    static const char *const better[] = { [REPORT_NEITHER] = NULL,
                                          [REPORT_LOWER] = "lower",
                                          [REPORT_HIGHER] = "higher" };
    json_t *values = json_array(), *all;
    double bound;

    for (uint32_t run = 0; run < c->runs; run++) {
        const struct compare_cell *cell = &r->cell[run];

        json_array_append_new(values,
                              compare_json_number(cell->is_there, cell->value));
    }
    all = json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o}", "name", r->name, "scope",
                    r->scope, "label", r->label, "unit", r->unit, "better",
                    r->info ? better[r->info->better] : NULL, "values", values);
    if (compare_bound(c, r, &bound))
        json_object_set_new(all, "bound", json_real(bound));
    if (c->is_grouped)
        json_object_set_new(all, "groups", figures_json(c, r));
    return all;
}

void compare_json(const struct report_comparison *c, FILE *out)
{
    json_t *runs = json_array(), *metrics = json_array(), *all;
    char words[128];

    for (uint32_t run = 0; run < c->runs; run++)
        json_array_append_new(runs, json_string(c->run[run].title));
    for (uint32_t i = 0; i < c->selected_count; i++)
        json_array_append_new(metrics, row_json(c, c->selected[i]));
    all = json_pack("{s:o, s:o}", "runs", runs, "metrics", metrics);
    if (compare_inputs_differ(c))
        json_object_set_new(
            all, "inputs_differ",
            json_string(report_inputs_names(compare_inputs_differ(c), words,
                                            sizeof(words))));
    if (c->is_grouped)
        json_object_set_new(all, "groups", groups_json(c));
    compare_json_print(all, out);
}

/* --- CSV ------------------------------------------------------------------ */

static void texts_csv(const struct compare_row *r, FILE *out)
{
    const char *const text[] = { r->name, r->scope, r->label, r->unit };

    for (int k = 0; k < 4; k++) {
        if (k)
            fputc(',', out);
        gs_csv_put_cell(text[k], out);
    }
}

void compare_csv_number(bool is_there, double v, FILE *out)
{
    fputc(',', out);
    if (is_there)
        fprintf(out, "%.17g", v);
}

/* A line for each metric and group. */
static void groups_csv(const struct report_comparison *c, FILE *out)
{
    fputs("name,scope,label,unit,group,n,mean,ci_low,ci_high,difference,"
          "difference_ci_low,difference_ci_high,pairs,p,verdict\n",
          out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];
        const struct compare_figure *f = compare_figures(c, r);

        for (uint32_t g = 0; g < c->groups; g++, f++) {
            const struct compare_against *a = &f->first;
            const char *word = mark_word(compare_mark(r, f));

            texts_csv(r, out);
            fputc(',', out);
            gs_csv_put_cell(c->group[g].title, out);
            fprintf(out, ",%u", (unsigned)f->n);
            compare_csv_number(f->n, f->mean, out);
            compare_csv_number(f->has_interval, f->low, out);
            compare_csv_number(f->has_interval, f->high, out);
            compare_csv_number(a->is_there, a->to - a->from, out);
            compare_csv_number(has_test(a), a->low, out);
            compare_csv_number(has_test(a), a->high, out);
            compare_csv_number(has_test(a), a->pairs, out);
            compare_csv_number(has_test(a), a->p, out);
            fprintf(out, ",%s\n", word ? word : "");
        }
    }
}

void compare_csv(const struct report_comparison *c, FILE *out)
{
    if (c->is_grouped) {
        groups_csv(c, out);
        return;
    }
    fputs("name,scope,label,unit", out);
    for (uint32_t run = 0; run < c->runs; run++) {
        fputc(',', out);
        gs_csv_put_cell(c->run[run].title, out);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];

        texts_csv(r, out);
        for (uint32_t run = 0; run < c->runs; run++)
            compare_csv_number(r->cell[run].is_there, r->cell[run].value, out);
        fputc('\n', out);
    }
}

/* --- Markdown ------------------------------------------------------------- */

static void markdown_cell(const struct compare_row *r,
                          const struct compare_figure *f, FILE *out)
{
    char buf[COMPARE_TEXT];
    const char mark = compare_mark(r, f);

    if (f->n) {
        fprintf(out, " %s", compare_value(r, f, buf));
        if (compare_spread(r, f, buf)[0])
            fprintf(out, " %s", buf);
        if (compare_difference(r, f, buf)[0])
            fprintf(out, " %s", buf);
        if (mark != ' ') /* two tildes would strike out the text between */
            fprintf(out, " %s%c", mark == '~' ? "\\" : "", mark);
    }
    fputs(" |", out);
}

void compare_markdown(const struct report_comparison *c, FILE *out)
{
    char name[512], words[128];

    if (compare_inputs_differ(c))
        fprintf(out,
                "Some runs differ from the first in %s: these are neither "
                "better nor worse.\n\n",
                report_inputs_names(compare_inputs_differ(c), words,
                                    sizeof(words)));
    fputs("| metric |", out);
    for (uint32_t g = 0; g < c->groups; g++) {
        fputc(' ', out);
        report_format_markdown(c->group[g].title, out);
        fputs(" |", out);
    }
    fputs("\n| --- |", out);
    for (uint32_t g = 0; g < c->groups; g++)
        fputs(" ---: |", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];

        fputs("| ", out);
        report_format_markdown(compare_row_title(c, r, name, sizeof(name)),
                               out);
        fputs(" |", out);
        for (uint32_t g = 0; g < c->groups; g++)
            markdown_cell(r, &compare_figures(c, r)[g], out);
        fputc('\n', out);
    }
}
