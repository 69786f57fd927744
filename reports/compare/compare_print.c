/* reports/compare/compare_print.c - a comparison as a table for the
 * terminal.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"
#include "reports/table/titles.h"

#define NAME_WIDTH 27u /* at least */
#define NAME_WIDTH_MAX 48u
#define VALUE_WIDTH 11u /* a value */
#define SPREAD_WIDTH 9u /* half its interval */
#define DEADLOCKS_TOLD 3u
#define AGAINST_WIDTH 9u /* its difference, a mark */

/* --- cells ---------------------------------------------------------------- */

static uint32_t first_width(const struct report_comparison *c)
{
    return VALUE_WIDTH + (c->is_grouped ? SPREAD_WIDTH : 0);
}

static uint32_t other_width(const struct report_comparison *c)
{
    return first_width(c) + AGAINST_WIDTH;
}

static void right_print(const char *s, uint32_t width, FILE *out)
{
    const size_t n = gs_text_length(s);

    fprintf(out, "%*s%s", n < width ? (int)(width - n) : 0, "", s);
}

/* Print the cell of a group; the first group has no difference, and the last
 * cell of a line no trailing blanks.
 */
static void cell_print(const struct report_comparison *c,
                       const struct compare_row *r, uint32_t group,
                       uint32_t width, bool is_last,
                       const struct report_layout *l, FILE *out)
{
    static const char green[] = "\033[32m", red[] = "\033[31m",
                      plain[] = "\033[0m";
    const struct compare_figure *f = &compare_figures(c, r)[group];
    char value[COMPARE_TEXT], spread[COMPARE_TEXT], diff[COMPARE_TEXT];
    const char mark = compare_mark(r, f);
    const bool colour = l->colour && (mark == '+' || mark == '-');

    fprintf(out, "%*s",
            (int)(width - (group ? other_width(c) : first_width(c))), "");
    right_print(f->n ? compare_value(r, f, value) : "-", VALUE_WIDTH, out);
    if (c->is_grouped) {
        fputc(' ', out);
        right_print(compare_spread(r, f, spread), SPREAD_WIDTH - 1, out);
    }
    compare_difference(r, f, diff);
    if (group == 0 || (is_last && mark == ' ' && diff[0] == '\0'))
        return;
    if (colour)
        fputs(mark == '+' ? green : red, out);
    fprintf(out, " %6s", diff);
    if (!is_last || mark != ' ')
        fprintf(out, " %c", mark);
    if (colour)
        fputs(plain, out);
}

/* --- blocks --------------------------------------------------------------- */

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

/* The widths of the columns. */
struct plan {
    uint32_t name;            /* width of the names of metrics */
    uint32_t *width;          /* [groups] */
    uint32_t *end;            /* [groups] end of the part that begins with it */
    const char *const *title; /* [groups] that fit */
    bool is_numbered;
};

/* Print groups [from, to) beside the names. */
static void part_print(const struct report_comparison *c,
                       const struct plan *plan, uint32_t from, uint32_t to,
                       const struct report_layout *l, FILE *out)
{
    const struct compare_row *last = NULL;
    char name[512];

    fprintf(out, "%*s", (int)plan->name, "");
    for (uint32_t g = from; g < to; g++) {
        right_print(plan->title[g], plan->width[g] - (g ? 2 : 0), out);
        if (g && g + 1 < to)
            fputs("  ", out);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < c->selected_count; i++) {
        const struct compare_row *r = c->selected[i];

        if (last && block_of(last) != block_of(r))
            fputc('\n', out);
        report_format_text(compare_row_title(c, r, name, sizeof(name)),
                           plan->name, true, out);
        for (uint32_t g = from; g < to; g++)
            cell_print(c, r, g, plan->width[g], g + 1 == to, l, out);
        fputc('\n', out);
        last = r;
    }
}

/* The width of the longest name, or less if a column would not fit. */
static uint32_t name_width(const struct report_comparison *c, uint32_t room)
{
    size_t width = NAME_WIDTH;
    char name[512];

    for (uint32_t i = 0; i < c->selected_count; i++) {
        const size_t n = gs_text_length(
            compare_row_title(c, c->selected[i], name, sizeof(name)));

        width = n + 1 > width ? n + 1 : width;
    }
    width = width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
    room = room > NAME_WIDTH ? room : NAME_WIDTH;
    return width < room ? (uint32_t)width : room;
}

/* --- what stands above and below ------------------------------------------ */

/* Before the figures: the inputs that differ. */
static void inputs_print(const struct report_comparison *c, FILE *out)
{
    const unsigned differ = compare_inputs_differ(c);
    uint32_t unfair = 0;
    char words[128];

    if (!differ)
        return;
    for (uint32_t g = 1; g < c->groups; g++)
        unfair += !compare_is_fair(c, g);
    report_inputs_names(differ, words, sizeof(words));
    if (unfair + 1 == c->groups)
        fprintf(out, "The runs differ in %s: none is better or worse.\n\n",
                words);
    else {
        fprintf(out,
                "Of another %s than the first, so neither better nor "
                "worse:\n",
                words);
        for (uint32_t g = 1, n = 0; g < c->groups; g++) {
            if (!compare_is_fair(c, g))
                fprintf(out, "%s%s", n++ ? ", " : "  ", c->group[g].title);
        }
        fputs("\n\n", out);
    }
}

/* Below the figures: the number of runs of each mean, the meaning of marks. */
static void legend_print(const struct report_comparison *c, FILE *out)
{
    bool any_fair = false;

    for (uint32_t g = 1; g < c->groups; g++)
        any_fair = any_fair || compare_is_fair(c, g);
    if (!c->is_grouped && c->groups > 1)
        fprintf(out,
                "\nDifferences are to the first run, of shares in points "
                "(pt)%s\n",
                any_fair ? ":\n+ better, - worse, = the same." : ".");
    if (!c->is_grouped)
        return;
    fputs("\nMeans of several runs (", out);
    for (uint32_t g = 0; g < c->groups; g++)
        fprintf(out, "%s%s: %u", g ? ", " : "", c->group[g].title,
                (unsigned)c->group[g].runs);
    fputs("),\nwith half the width of their 95 % confidence intervals.\n", out);
    if (c->groups > 1)
        fputs(any_fair
                  ? "Differences are to the first column, of shares in points "
                    "(pt): + better,\n- worse, = the same, ~ no significant "
                    "difference (5 %, each metric by itself;\nsee "
                    "--explain).\n"
                  : "Differences are to the first column, of shares in points "
                    "(pt).\n",
              out);
    for (uint32_t g = 1; g < c->groups; g++) {
        if (!compare_has_pairs(c, g))
            fprintf(out, "Not of the traces and seeds of the first: %s.\n",
                    c->group[g].title);
    }
}

/* The jobs of the deadlocks, and what each lacks. */
static void deadlocks_print(const struct report_comparison *c, FILE *out)
{
    bool is_asked = false, any = false;

    for (uint32_t i = 0; i < c->selected_count; i++)
        is_asked = is_asked
                   || strncmp(c->selected[i]->name, "deadlock.", 9) == 0;
    for (uint32_t g = 0; is_asked && g < c->groups; g++) {
        const struct compare_run *r = &c->run[c->group[g].run[0]];

        for (uint32_t k = 0; k < r->deadlocks && k < DEADLOCKS_TOLD; k++) {
            fputs(any ? "" : "\n", out);
            any = true;
            fprintf(out, "%s: %s.\n", r->title, r->deadlock[k]);
        }
        if (r->deadlocks > DEADLOCKS_TOLD)
            fprintf(out, "%s: %u times more.\n", r->title,
                    (unsigned)(r->deadlocks - DEADLOCKS_TOLD));
    }
}

static void numbers_print(const struct report_comparison *c,
                          const struct plan *plan, FILE *out)
{
    char end[16];

    if (!plan->is_numbered)
        return;
    fputc('\n', out);
    for (uint32_t g = 0; g < c->groups; g++) {
        const char *title = plan->title[g];
        const int n = snprintf(end, sizeof(end), "~%u", (unsigned)g + 1);
        const size_t len = strlen(title);

        if (len >= (size_t)n && strcmp(title + len - (size_t)n, end) == 0)
            fprintf(out, "%s: %s\n", end, c->group[g].title);
    }
}

/* --- the table ------------------------------------------------------------ */

/* Share the room that is left among the columns [from, to) whose titles need
 * it, evenly.
 */
static void room_share(const struct report_comparison *c, struct plan *plan,
                       uint32_t from, uint32_t to, uint32_t room)
{
    for (bool gave = true; room && gave;) {
        gave = false;
        for (uint32_t g = from; room && g < to; g++) {
            const size_t needs = gs_text_length(c->group[g].title) + 1
                                 + (g ? 2 : 0);

            if (plan->width[g] < needs) {
                plan->width[g]++;
                room--;
                gave = true;
            }
        }
    }
}

static void plan_make(const struct report_comparison *c,
                      const struct report_layout *l, struct plan *plan)
{
    const uint32_t first = first_width(c), other = other_width(c);
    const uint32_t least = NAME_WIDTH + first;
    const uint32_t more = l->width > least ? (l->width - least) / other : 0;
    const uint32_t groups = more + 1 < c->groups ? more + 1 : c->groups;
    const uint32_t taken = first + (groups ? groups - 1 : 0) * other;
    const char **title = gs_arena_alloc(c->arena, c->groups + 1,
                                        sizeof(*title));
    uint32_t *room = gs_arena_alloc(c->arena, c->groups + 1, sizeof(*room));
    uint32_t others;

    *plan = (struct plan){
        .name = name_width(c, l->width > taken ? l->width - taken : 0),
        .width = gs_arena_alloc(c->arena, c->groups + 1, sizeof(*plan->width)),
        .end = gs_arena_alloc(c->arena, c->groups + 1, sizeof(*plan->end)),
    };
    others = l->width >= plan->name + other ? (l->width - plan->name) / other
                                            : 1;
    for (uint32_t from = 0, to; from < c->groups; from = to) {
        uint32_t used = plan->name;

        to = from ? from + others : groups;
        to = to < c->groups ? to : c->groups;
        plan->end[from] = to;
        for (uint32_t g = from; g < to; g++)
            used += plan->width[g] = g ? other : first;
        room_share(c, plan, from, to, l->width > used ? l->width - used : 0);
    }
    for (uint32_t g = 0; g < c->groups; g++) {
        title[g] = c->group[g].title;
        room[g] = plan->width[g] - (g ? 3 : 1);
    }
    plan->title = report_titles_fit(title, room, c->groups, c->arena,
                                    &plan->is_numbered);
}

static void table_print(const struct report_comparison *c,
                        const struct report_layout *l, FILE *out)
{
    struct plan plan;

    plan_make(c, l, &plan);
    inputs_print(c, out);
    for (uint32_t from = 0; from < c->groups; from = plan.end[from]) {
        if (from)
            fputc('\n', out);
        part_print(c, &plan, from, plan.end[from], l, out);
    }
    numbers_print(c, &plan, out);
    deadlocks_print(c, out);
    legend_print(c, out);
}

void report_compare_print(const struct report_comparison *c,
                          const struct report_layout *layout, FILE *out)
{
    assert(c && out);
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
