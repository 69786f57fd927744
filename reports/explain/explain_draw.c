/* reports/explain/explain_draw.c - draws a time line with its axis and legend.
 */
#include <string.h>

#include "base/duration.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"
#include "reports/glossary/cause_info.h"

static const struct {
    const char *ascii, *utf8, *colour, *text;
} lives[TIMELINE_LIVES] = {
    [LIFE_WAITING] = { "?", "?", "\033[33m", "waits" },
    [LIFE_AGAIN] = { ".", "\xe2\x96\x91", "\033[33m", "waits again" },
    [LIFE_HOLDING] = { "=", "\xe2\x96\x92", "\033[35m", "holds, does not run" },
    [LIFE_RUNNING] = { "#", "\xe2\x96\x88", "\033[32m", "runs" },
};

/* The meaning of each of TIMELINE_MARKS; NULL: the state of the job. */
static const char *const mark_texts[TIMELINE_MARK_COUNT] = {
    "starts", "gives back", NULL, "goes on", "several of these",
};

static char letter_at(const struct timeline *t, uint32_t column)
{
    const uint32_t wait = t->wait[column];

    for (int c = 0; wait < t->job->waits && c < REPORT_CAUSES; c++) {
        const struct report_cause_info *i = report_cause_info(
            (enum report_cause)c);

        if (strcmp(i->name, t->job->wait[wait].cause) == 0)
            return i->letter;
    }
    return '?';
}

/* --- the axis ------------------------------------------------------------- */

#define DAY (86400 * GS_SECOND)

/* A round time that is at least `us`. */
static int64_t step_above(int64_t us)
{
    static const int32_t seconds[] = { 1,    2,    5,     10,    15,   30,
                                       60,   120,  300,   600,   900,  1800,
                                       3600, 7200, 10800, 21600, 43200 };
    static const int digits[] = { 1, 2, 5 };

    for (int64_t unit = 1; unit < GS_SECOND; unit *= 10) {
        for (int d = 0; d < 3; d++) {
            if (unit * digits[d] >= us)
                return unit * digits[d];
        }
    }
    for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
        if (seconds[i] * GS_SECOND >= us)
            return seconds[i] * GS_SECOND;
    }
    for (int64_t unit = DAY;; unit *= 10) {
        for (int d = 0; d < 3; d++) {
            if (unit * digits[d] >= us)
                return unit * digits[d];
        }
    }
}

/* The time between ticks, such that their labels fit. */
static int64_t step_find(const struct timeline *t)
{
    char last[EXPLAIN_CELL];
    int64_t step = 1;

    for (uint32_t room = 9;; room = (uint32_t)strlen(last) + 2) {
        const int64_t least = t->length / t->columns * room
                              + t->length % t->columns * room / t->columns;

        step = step_above(least > step ? least : step);
        gs_duration_format(t->length / step * step, last, sizeof(last));
        if (strlen(last) + 2 <= room)
            return step;
    }
}

static void axis_print(const struct timeline *t, const struct report_layout *l,
                       FILE *out)
{
    static const char *const ascii[] = { "|", "-", "+", "|" };
    static const char *const utf8[] = { "\xe2\x94\x9c", "\xe2\x94\x80",
                                        "\xe2\x94\xbc", "\xe2\x94\xa4" };
    const char *const *part = l->is_utf8 ? utf8 : ascii;
    const int64_t step = step_find(t);
    char label[EXPLAIN_CELL];
    uint32_t end = 0, tick = 0;

    fputs("  ", out);
    for (int64_t at = 0; at < t->length; at += step) {
        const uint32_t column = timeline_column(t, at);

        gs_duration_format(at, label, sizeof(label));
        if (column + strlen(label) > t->columns)
            break;
        fprintf(out, "%*s%s", (int)(column - end), "", label);
        end = column + (uint32_t)strlen(label);
    }
    fputs("\n  ", out);
    for (uint32_t c = 0; c < t->columns; c++) {
        const bool is_tick = c > 0 && (int64_t)tick * step < t->length
                             && timeline_column(t, tick * step) == c;

        if (c == 0 || is_tick)
            tick++;
        fputs(part[c == 0                ? 0
                   : c == t->columns - 1 ? 3
                   : is_tick             ? 2
                                         : 1],
              out);
    }
    fputc('\n', out);
}

/* --- the bar -------------------------------------------------------------- */

static void bar_print(const struct timeline *t, const struct report_layout *l,
                      FILE *out)
{
    fputs("  ", out);
    for (uint32_t c = 0; c < t->columns; c++) {
        const unsigned life = t->life[c];
        const bool is_first = c == 0 || t->life[c - 1] != life;
        const bool is_last = c + 1 == t->columns || t->life[c + 1] != life;

        if (l->colour && is_first)
            fputs(lives[life].colour, out);
        if (life == LIFE_WAITING)
            fputc(letter_at(t, c), out);
        else
            fputs(l->is_utf8 ? lives[life].utf8 : lives[life].ascii, out);
        if (l->colour && is_last)
            fputs("\033[0m", out);
    }
    fputc('\n', out);
}

static void marks_print(const struct timeline *t, FILE *out)
{
    uint32_t length = t->columns;

    while (length > 0 && t->mark[length - 1] == ' ')
        length--;
    fprintf(out, "  %.*s\n", (int)length, t->mark);
}

/* --- the legend ----------------------------------------------------------- */

struct legend {
    uint32_t width, used; /* of a line */
    FILE *out;
};

static void legend_add(struct legend *g, const char *sign, const char *text)
{
    const uint32_t length = (uint32_t)(gs_text_length(sign)
                                       + gs_text_length(text) + 3);

    if (g->used && g->used + length > g->width) {
        fputc('\n', g->out);
        g->used = 0;
    }
    fprintf(g->out, "  %s %s", sign, text);
    g->used += length;
}

static void legend_end(struct legend *g)
{
    if (g->used)
        fputc('\n', g->out);
    g->used = 0;
}

static bool has_letter(const struct timeline *t, char letter)
{
    for (uint32_t c = 0; c < t->columns; c++) {
        if (t->life[c] == LIFE_WAITING && letter_at(t, c) == letter)
            return true;
    }
    return false;
}

static void causes_print(const struct timeline *t, struct legend *g)
{
    int shown = 0;

    for (int c = REPORT_NO_CAUSE + 1; c < REPORT_CAUSES; c++) {
        const struct report_cause_info *i = report_cause_info(
            (enum report_cause)c);

        if (has_letter(t, i->letter)) {
            legend_add(g, (char[]){ i->letter, '\0' }, i->name);
            shown++;
        }
    }
    if (has_letter(t, '?')) {
        legend_add(g, "?", "unknown");
        shown++;
    }
    if (shown > 1)
        legend_add(g, "--", "causes by share, not by time");
    legend_end(g);
}

static void legend_print(const struct timeline *t,
                         const struct report_layout *l, FILE *out)
{
    struct legend g = { t->columns + 4, 0, out };

    causes_print(t, &g);
    for (int i = LIFE_AGAIN; i < TIMELINE_LIVES; i++) {
        if (memchr(t->life, i, t->columns))
            legend_add(&g, l->is_utf8 ? lives[i].utf8 : lives[i].ascii,
                       lives[i].text);
    }
    for (size_t i = 0; i < TIMELINE_MARK_COUNT; i++) {
        if (t->has_mark[i])
            legend_add(&g, (char[]){ TIMELINE_MARKS[i], '\0' },
                       mark_texts[i] ? mark_texts[i] : t->job->state);
    }
    legend_end(&g);
}

void explain_timeline_print(const struct report_explained *e,
                            const struct report_layout *layout, FILE *out)
{
    struct timeline t;
    char at[EXPLAIN_CELL];

    if ((e->end >= 0 ? e->end : e->run_end) <= e->submit)
        return;
    timeline_init(&t, e, layout->width > 40 ? layout->width - 4 : 36);
    fputc('\n', out);
    explain_heading(layout, "Time line", out);
    fprintf(out, " from %s at %s\n",
            e->has_stood ? "the begin" : "its submission",
            gs_instant_format(e->submit, at, sizeof(at)));
    axis_print(&t, layout, out);
    bar_print(&t, layout, out);
    marks_print(&t, out);
    legend_print(&t, layout, out);
    timeline_fini(&t);
}
