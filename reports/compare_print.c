/* reports/compare_print.c - a comparison as a table for the terminal. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "reports/cells.h"
#include "reports/compare_private.h"

#define NAME_WIDTH 27u /* at least */
#define NAME_WIDTH_MAX 48u
#define FIRST_WIDTH 11u /* a value */
#define RUN_WIDTH 20u   /* a value, its difference, a mark */

/* --- cells ------------------------------------------------------------------- */

/* A run's cell; the first run has no difference to show, and the last of a
 * line no blanks after it.
 */
static void cell_print(const struct compare_row *r, uint32_t run, bool is_last,
                       const struct report_layout *l, FILE *out)
{
    static const char green[] = "\033[32m", red[] = "\033[31m",
                      plain[] = "\033[0m";
    char value[COMPARE_TEXT], diff[COMPARE_TEXT];
    const char mark = compare_mark(r, run);
    const bool colour = l->colour && (mark == '+' || mark == '-');

    fprintf(out, "%*s", (int)FIRST_WIDTH,
            r->cell[run].is_there ? compare_value(r, run, value) : "-");
    compare_difference(r, run, diff);
    if (run == 0 || (is_last && mark == ' ' && diff[0] == '\0'))
        return;
    if (colour)
        fputs(mark == '+' ? green : red, out);
    fprintf(out, " %6s", diff);
    if (!is_last || mark != ' ')
        fprintf(out, " %c", mark);
    if (colour)
        fputs(plain, out);
}

/* --- blocks ------------------------------------------------------------------ */

/* The block of the table that a metric stands in. */
static size_t block_of(const struct compare_row *r)
{
    static const struct {
        const char *prefix;
        size_t block;
    } blocks[] = {
        { "wait.by_cause.", 1 }, { "wait.", 0 },     { "jct.", 0 },
        { "slowdown.", 0 },      { "gpu.", 2 },      { "goodput", 2 },
        { "speed.", 2 },         { "frag.", 2 },     { "fair.", 3 },
        { "queue.", 3 },         { "deadlock.", 4 }, { "large.", 5 },
        { "placement.", 6 },     { "jobs.", 7 },     { "preempt.", 7 },
        { "gang.", 7 },          { "makespan", 8 },  { "bound.", 8 },
        { "throughput.", 8 },
    };

    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        if (strncmp(r->name, blocks[i].prefix, strlen(blocks[i].prefix)) == 0)
            return blocks[i].block;
    }
    return SIZE_MAX;
}

/* Runs [from, to) beside the names. */
static void part_print(const struct report_comparison *c, uint32_t from,
                       uint32_t to, uint32_t name_width,
                       const struct report_layout *l, FILE *out)
{
    const struct compare_row *last = NULL;
    char name[512];

    fprintf(out, "%*s", (int)name_width, "");
    for (uint32_t run = from; run < to; run++) {
        report_cell_text(c->run[run].title, run ? RUN_WIDTH - 2 : FIRST_WIDTH,
                         false, out);
        if (run && run + 1 < to)
            fputs("  ", out);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];

        if (last && block_of(last) != block_of(r))
            fputc('\n', out);
        report_cell_text(compare_row_name(r, name, sizeof(name)), name_width,
                         true, out);
        for (uint32_t run = from; run < to; run++)
            cell_print(r, run, run + 1 == to, l, out);
        fputc('\n', out);
        last = r;
    }
}

/* As wide as the names are, if that costs no run its place. */
static uint32_t name_width(const struct report_comparison *c, uint32_t room)
{
    size_t width = NAME_WIDTH;
    char name[512];

    for (uint32_t i = 0; i < c->selected_count; i++) {
        const size_t n = gs_text_length(
            compare_row_name(c->selected[i], name, sizeof(name)));

        width = n + 1 > width ? n + 1 : width;
    }
    width = width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
    room = room > NAME_WIDTH ? room : NAME_WIDTH;
    return width < room ? (uint32_t)width : room;
}

static void table_print(const struct report_comparison *c,
                        const struct report_layout *l, FILE *out)
{
    const uint32_t least = NAME_WIDTH + FIRST_WIDTH;
    const uint32_t more = l->width > least ? (l->width - least) / RUN_WIDTH : 0;
    const uint32_t runs = more + 1 < c->runs ? more + 1 : c->runs;
    const uint32_t taken = FIRST_WIDTH + (runs ? runs - 1 : 0) * RUN_WIDTH;
    const uint32_t width = name_width(c,
                                      l->width > taken ? l->width - taken : 0);
    const uint32_t others = l->width >= width + RUN_WIDTH
                                ? (l->width - width) / RUN_WIDTH
                                : 1;

    for (uint32_t from = 0, to; from < c->runs; from = to) {
        to = from ? from + others : runs;
        to = to < c->runs ? to : c->runs;
        if (from)
            fputc('\n', out);
        part_print(c, from, to, width, l, out);
    }
    if (c->runs > 1)
        fprintf(out, "\nPercentages compare with the first run: "
                     "+ better, - worse, = the same.\n");
}

void report_compare_print(const struct report_comparison *c,
                          const struct report_layout *layout, FILE *out)
{
    switch (layout->format) {
    case REPORT_TABLE:
        table_print(c, layout, out);
        break;
    case REPORT_JSON:
        compare_json(c, out);
        break;
    case REPORT_CSV:
        compare_csv(c, out);
        break;
    case REPORT_MARKDOWN:
        compare_markdown(c, out);
        break;
    case REPORT_FORMATS:
        break;
    }
}
