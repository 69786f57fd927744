/* reports/compare_print.c - a comparison for eyes and for programs. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/duration.h"
#include "reports/compare_private.h"

#define CELL 64u
#define NAME_WIDTH 27u
#define FIRST_WIDTH 11u /* a value */
#define RUN_WIDTH 20u   /* a value, its difference, a mark */

/* --- values ------------------------------------------------------------------ */

static const char *value_format(const struct compare_row *r, double v,
                                char *buf)
{
    const enum report_unit unit = r->info ? r->info->unit : REPORT_RATIO;

    switch (unit) {
    case REPORT_SECONDS:
        return gs_duration_human((int64_t)(v * 1e6 + 0.5), buf, CELL);
    case REPORT_SHARE:
        snprintf(buf, CELL, "%.2f %%", v * 100);
        return buf;
    case REPORT_COUNT:
        snprintf(buf, CELL, "%.0f", v);
        return buf;
    case REPORT_RATIO:
    case REPORT_GPU_HOURS:
    case REPORT_JOBS_PER_HOUR:
        break;
    }
    snprintf(buf, CELL, v < 100 ? "%.2f" : "%.0f", v);
    return buf;
}

/* '+' better than the first run, '-' worse, '=' the same, ' ' no opinion. */
static char judge(const struct compare_row *r, uint32_t run)
{
    const double a = r->cell[0].value, b = r->cell[run].value;

    if (run == 0 || !r->info || r->info->better == REPORT_NEITHER
        || !r->cell[0].is_there || !r->cell[run].is_there)
        return ' ';
    if (a == b)
        return '=';
    return (b < a) == (r->info->better == REPORT_LOWER) ? '+' : '-';
}

/* Difference to the first run in percent, or "". */
static const char *difference(const struct compare_row *r, uint32_t run,
                              char *buf)
{
    const double a = r->cell[0].value, b = r->cell[run].value;

    buf[0] = '\0';
    if (run == 0 || !r->cell[0].is_there || !r->cell[run].is_there || a == 0
        || a == b)
        return buf;
    if (fabs(b / a) >= 10)
        snprintf(buf, CELL, "x%.0f", b / a);
    else
        snprintf(buf, CELL, "%+.0f%%", (b - a) / a * 100);
    return buf;
}

/* Bytes that a terminal acts on become '?'; at most `width` bytes. */
static const char *shown(const char *s, char *buf, size_t width)
{
    size_t n = 0;

    for (; s[n] && n < width && n + 1 < CELL * 2; n++)
        buf[n] = (unsigned char)s[n] < 0x20 || s[n] == 0x7f ? '?' : s[n];
    buf[n] = '\0';
    if (s[n] && n > 2)
        buf[n - 1] = '~';
    return buf;
}

static const char *row_name(const struct compare_row *r, char *buf, size_t size)
{
    snprintf(buf, size, r->label[0] ? "%s [%s]" : "%s%s", r->name, r->label);
    return buf;
}

/* --- a table for the terminal ------------------------------------------------- */

/* A run's cell; the first run has no difference to show. */
static void cell_print(const struct compare_row *r, uint32_t run,
                       const struct report_layout *l, FILE *out)
{
    static const char green[] = "\033[32m", red[] = "\033[31m",
                      plain[] = "\033[0m";
    char value[CELL], diff[CELL];
    const char mark = judge(r, run);
    const bool colour = l->colour && (mark == '+' || mark == '-');

    if (!r->cell[run].is_there) {
        fprintf(out, "%*s", (int)(run ? RUN_WIDTH : FIRST_WIDTH), "-");
        return;
    }
    fprintf(out, "%*s", (int)FIRST_WIDTH,
            value_format(r, r->cell[run].value, value));
    if (run == 0)
        return;
    if (colour)
        fputs(mark == '+' ? green : red, out);
    fprintf(out, " %6s %c", difference(r, run, diff), mark);
    if (colour)
        fputs(plain, out);
}

/* The block of the table that a metric stands in. */
static size_t block_of(const struct compare_row *r)
{
    static const char *const first[] = { "wait.",   "gpu.",  "deadlock.",
                                         "large.",  "jobs.", "placement.",
                                         "makespan" };
    static const char *const joins[] = { "jct.",   "slowdown.",   "frag.",
                                         "bound.", "throughput.", "preempt." };
    static const size_t joined[] = { 0, 0, 1, 6, 6, 4 };

    for (size_t i = 0; i < sizeof(joins) / sizeof(joins[0]); i++) {
        if (strncmp(r->name, joins[i], strlen(joins[i])) == 0)
            return joined[i];
    }
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        if (strncmp(r->name, first[i], strlen(first[i])) == 0)
            return i;
    }
    return SIZE_MAX;
}

static void heads_print(const struct report_comparison *c, uint32_t from,
                        uint32_t to, FILE *out)
{
    char buf[CELL * 2];

    fprintf(out, "%-*s", (int)NAME_WIDTH, "");
    for (uint32_t run = from; run < to; run++) {
        const uint32_t width = run ? RUN_WIDTH - 2 : FIRST_WIDTH;

        fprintf(out, "%*s%s", (int)width, shown(c->run[run], buf, width - 1),
                run ? "  " : "");
    }
    fputc('\n', out);
}

static void part_print(const struct report_comparison *c, uint32_t from,
                       uint32_t to, const struct report_layout *l, FILE *out)
{
    char buf[CELL * 2], name[512];
    const struct compare_row *last = NULL;

    heads_print(c, from, to, out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = &c->row[c->selected[i]];

        if (last && block_of(last) != block_of(r))
            fputc('\n', out);
        fprintf(out, "%-*s", (int)NAME_WIDTH,
                shown(row_name(r, name, sizeof(name)), buf, NAME_WIDTH - 1));
        for (uint32_t run = from; run < to; run++)
            cell_print(r, run, l, out);
        fputc('\n', out);
        last = r;
    }
}

static void table_print(const struct report_comparison *c,
                        const struct report_layout *l, FILE *out)
{
    const uint32_t room = l->width > NAME_WIDTH ? l->width - NAME_WIDTH : 0;

    for (uint32_t from = 0, to; from < c->runs; from = to) {
        const uint32_t used = from ? 0 : FIRST_WIDTH;

        to = from + !from;
        to += room > used ? (room - used) / RUN_WIDTH : 0;
        to = to > from ? to : from + 1;
        to = to < c->runs ? to : c->runs;

        if (from)
            fputc('\n', out);
        part_print(c, from, to, l, out);
    }
    if (c->runs > 1)
        fprintf(out, "\nPercentages compare with the first run: "
                     "+ better, - worse, = the same.\n");
}

/* --- for programs -------------------------------------------------------------- */

static json_t *row_json(const struct report_comparison *c,
                        const struct compare_row *r)
{
    json_t *values = json_array();

    for (uint32_t run = 0; run < c->runs; run++)
        json_array_append_new(values, r->cell[run].is_there
                                          ? json_real(r->cell[run].value)
                                          : json_null());
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", r->name, "scope",
                     r->scope, "label", r->label, "unit", r->unit, "values",
                     values);
}

static void json_print(const struct report_comparison *c, FILE *out)
{
    json_t *runs = json_array(), *metrics = json_array(), *all;

    for (uint32_t run = 0; run < c->runs; run++)
        json_array_append_new(runs, json_string(c->run[run]));
    for (uint32_t i = 0; i < c->selected_count; i++)
        json_array_append_new(metrics, row_json(c, &c->row[c->selected[i]]));
    all = json_pack("{s:o, s:o}", "runs", runs, "metrics", metrics);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}

static void csv_text(const char *s, FILE *out)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void csv_print(const struct report_comparison *c, FILE *out)
{
    fputs("name,scope,label,unit", out);
    for (uint32_t run = 0; run < c->runs; run++) {
        fputc(',', out);
        csv_text(c->run[run], out);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = &c->row[c->selected[i]];
        const char *const text[] = { r->name, r->scope, r->label, r->unit };

        for (int k = 0; k < 4; k++) {
            if (k)
                fputc(',', out);
            csv_text(text[k], out);
        }
        for (uint32_t run = 0; run < c->runs; run++) {
            fputc(',', out);
            if (r->cell[run].is_there)
                fprintf(out, "%.17g", r->cell[run].value);
        }
        fputc('\n', out);
    }
}

static void markdown_text(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (strchr("|\\`*_<>[]", *s))
            fputc('\\', out);
        fputc((unsigned char)*s < 0x20 ? '?' : *s, out);
    }
}

static void markdown_print(const struct report_comparison *c, FILE *out)
{
    char value[CELL], diff[CELL], name[512];

    fputs("| metric |", out);
    for (uint32_t run = 0; run < c->runs; run++) {
        fputc(' ', out);
        markdown_text(c->run[run], out);
        fputs(" |", out);
    }
    fputs("\n| --- |", out);
    for (uint32_t run = 0; run < c->runs; run++)
        fputs(" ---: |", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = &c->row[c->selected[i]];

        fputs("| ", out);
        markdown_text(row_name(r, name, sizeof(name)), out);
        fputs(" |", out);
        for (uint32_t run = 0; run < c->runs; run++) {
            if (r->cell[run].is_there)
                fprintf(out, " %s %s",
                        value_format(r, r->cell[run].value, value),
                        difference(r, run, diff));
            fputs(" |", out);
        }
        fputc('\n', out);
    }
}

void report_compare_print(const struct report_comparison *c,
                          const struct report_layout *layout, FILE *out)
{
    switch (layout->format) {
    case REPORT_TABLE:
        table_print(c, layout, out);
        break;
    case REPORT_JSON:
        json_print(c, out);
        break;
    case REPORT_CSV:
        csv_print(c, out);
        break;
    case REPORT_MARKDOWN:
        markdown_print(c, out);
        break;
    case REPORT_FORMATS:
        break;
    }
}
