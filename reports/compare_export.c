/* reports/compare_export.c - a comparison for programs and pages. */
#include <jansson.h>
#include <math.h>

#include "reports/cells.h"
#include "reports/compare_private.h"

/* --- JSON -------------------------------------------------------------------- */

static json_t *row_json(const struct report_comparison *c,
                        const struct compare_row *r)
{
    static const char *const better[] = { [REPORT_NEITHER] = NULL,
                                          [REPORT_LOWER] = "lower",
                                          [REPORT_HIGHER] = "higher" };
    json_t *values = json_array();

    for (uint32_t run = 0; run < c->runs; run++) {
        const struct compare_cell *cell = &r->cell[run];

        json_array_append_new(values, cell->is_there && isfinite(cell->value)
                                          ? json_real(cell->value)
                                          : json_null());
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o}", "name", r->name,
                     "scope", r->scope, "label", r->label, "unit", r->unit,
                     "better", r->info ? better[r->info->better] : NULL,
                     "values", values);
}

void compare_json(const struct report_comparison *c, FILE *out)
{
    json_t *runs = json_array(), *metrics = json_array(), *all;

    for (uint32_t run = 0; run < c->runs; run++)
        json_array_append_new(runs, json_string(c->run[run].title));
    for (uint32_t i = 0; i < c->selected_count; i++)
        json_array_append_new(metrics, row_json(c, c->selected[i]));
    all = json_pack("{s:o, s:o}", "runs", runs, "metrics", metrics);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}

/* --- CSV --------------------------------------------------------------------- */

void compare_csv(const struct report_comparison *c, FILE *out)
{
    fputs("name,scope,label,unit", out);
    for (uint32_t run = 0; run < c->runs; run++) {
        fputc(',', out);
        report_cell_csv(c->run[run].title, out);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];
        const char *const text[] = { r->name, r->scope, r->label, r->unit };

        for (int k = 0; k < 4; k++) {
            if (k)
                fputc(',', out);
            report_cell_csv(text[k], out);
        }
        for (uint32_t run = 0; run < c->runs; run++) {
            fputc(',', out);
            if (r->cell[run].is_there)
                fprintf(out, "%.17g", r->cell[run].value);
        }
        fputc('\n', out);
    }
}

/* --- Markdown ------------------------------------------------------------------ */

static void markdown_cell(const struct compare_row *r, uint32_t run, FILE *out)
{
    char buf[COMPARE_TEXT];
    const char mark = compare_mark(r, run);

    if (r->cell[run].is_there) {
        fprintf(out, " %s", compare_value(r, run, buf));
        if (compare_difference(r, run, buf)[0])
            fprintf(out, " %s", buf);
        if (mark != ' ')
            fprintf(out, " %c", mark);
    }
    fputs(" |", out);
}

void compare_markdown(const struct report_comparison *c, FILE *out)
{
    char name[512];

    fputs("| metric |", out);
    for (uint32_t run = 0; run < c->runs; run++) {
        fputc(' ', out);
        report_cell_markdown(c->run[run].title, out);
        fputs(" |", out);
    }
    fputs("\n| --- |", out);
    for (uint32_t run = 0; run < c->runs; run++)
        fputs(" ---: |", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];

        fputs("| ", out);
        report_cell_markdown(compare_row_name(r, name, sizeof(name)), out);
        fputs(" |", out);
        for (uint32_t run = 0; run < c->runs; run++)
            markdown_cell(r, run, out);
        fputc('\n', out);
    }
}
