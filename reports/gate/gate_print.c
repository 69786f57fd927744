/* reports/gate/gate_print.c - prints verdicts for the terminal and for CI. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "reports/gate/gate.h"
#include "reports/glossary/glossary.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"

enum column { BASELINE, NOW, CHANGE, VERDICT, RULE, COLUMNS };

static const struct {
    const char *title;
    uint32_t width; /* 0: the rest of the line */
    bool is_left;
} columns[COLUMNS] = {
    [BASELINE] = { "baseline", 10, false }, [NOW] = { "now", 10, false },
    [CHANGE] = { "change", 7, false },      [VERDICT] = { "verdict", 12, true },
    [RULE] = { "rule", 0, true },
};

#define KEY_LEAST 24u
#define OTHERS 57u /* columns beside the key's */

static const char *const verdicts[REPORT_VERDICTS] = {
    [REPORT_HOLDS] = "holds",
    [REPORT_BROKEN] = "BROKEN",
    [REPORT_NO_BASELINE] = "no baseline",
    [REPORT_ABSENT] = "absent",
    [REPORT_NO_RUN] = "no run",
};

enum report_gate_format report_gate_format_find(const char *name)
{
    static const char *const names[REPORT_GATE_FORMATS] = {
        [REPORT_GATE_TABLE] = "table",
        [REPORT_GATE_MARKDOWN] = "markdown",
        [REPORT_GATE_GITHUB] = "github",
    };

    return (enum report_gate_format)gs_text_find(name, names,
                                                 REPORT_GATE_FORMATS);
}

/* "the baseline is of another trace and load" */
static const char *other_inputs(const struct report_finding *f, char *buf,
                                size_t size)
{
    char words[100];

    snprintf(buf, size, "the baseline is of another %s",
             report_inputs_names(f->inputs, words, sizeof(words)));
    return buf;
}

static bool begins_run(const struct report_gate *g, uint32_t i)
{
    return i == 0 || strcmp(g->finding[i].run, g->finding[i - 1].run) != 0;
}

static bool is_left_out(const struct report_gate *g, uint32_t i)
{
    return g->is_short && g->finding[i].verdict == REPORT_HOLDS;
}

/* True when all findings of the run that begins with this one hold. */
static bool is_run_left_out(const struct report_gate *g, uint32_t i)
{
    do {
        if (!is_left_out(g, i) || g->finding[i].inputs)
            return false;
        i++;
    } while (i < g->count && !begins_run(g, i));
    return true;
}

/* "+12.3%", "x20", "=", or "" where there is nothing to compare; of shares
 * "+4.4pt".
 */
static const char *change(const struct report_finding *f, char *buf)
{
    const double percent = (f->now - f->base) / fabs(f->base) * 100;

    if (!f->has_base || !f->has_now)
        return strcpy(buf, "");
    if (f->now == f->base)
        return strcpy(buf, "=");
    if (f->rule->info->unit == REPORT_SHARE)
        return report_format_change((f->now - f->base) * 100, "pt", buf);
    if (f->base == 0)
        return strcpy(buf, "from 0");
    if (fabs(percent) >= 1e5)
        return strcpy(buf, percent > 0 ? ">x999" : "<-x999");
    if (percent >= 900)
        snprintf(buf, REPORT_VALUE_TEXT, "x%.0f", f->now / f->base);
    else
        report_format_change(percent, "%", buf);
    return buf;
}

static const char *cell(const struct report_finding *f, enum column c,
                        char *buf)
{
    const enum report_unit unit = f->rule->info->unit;

    switch (c) {
    case BASELINE:
        return f->has_base ? report_format_value(unit, f->base, buf) : "-";
    case NOW:
        return f->has_now ? report_format_value(unit, f->now, buf) : "-";
    case CHANGE:
        return change(f, buf);
    case RULE:
        return f->rule->text;
    case VERDICT:
    case COLUMNS:
        break;
    }
    return verdicts[f->verdict];
}

static void total_print(const struct report_gate *g, FILE *out)
{
    if (g->is_short && g->broken)
        fprintf(out, "%u of %u metrics are not as in the baseline.\n",
                g->broken, g->count);
    else if (g->is_short)
        fprintf(out, "All %u metrics are as in the baseline.\n", g->count);
    else
        fprintf(out, "%u of %u rules %s.\n", g->broken ? g->broken : g->count,
                g->count, g->broken ? "broken" : "hold");
}

/* --- table ---------------------------------------------------------------- */

static void row_print(const struct report_finding *f, uint32_t key_width,
                      bool has_colour, FILE *out)
{
    const bool is_red = has_colour && f && f->verdict != REPORT_HOLDS;
    char buf[REPORT_VALUE_TEXT];

    report_format_text(f ? f->rule->key : "metric", key_width, true, out);
    for (int c = 0; c < COLUMNS; c++) {
        const char *s = f ? cell(f, (enum column)c, buf) : columns[c].title;

        if (c == VERDICT)
            fputs(is_red ? "  \033[31m" : "  ", out);
        if (columns[c].width)
            report_format_text(s, columns[c].width, columns[c].is_left, out);
        else
            fputs(s, out);
    }
    fputs(is_red ? "\033[0m\n" : "\n", out);
}

/* Width of the keys, limited by the terminal. */
static uint32_t key_width(const struct report_gate *g, uint32_t width)
{
    const size_t room = width > OTHERS + KEY_LEAST ? width - OTHERS : KEY_LEAST;
    size_t longest = KEY_LEAST;

    for (uint32_t i = 0; i < g->count; i++) {
        const size_t n = gs_text_length(g->finding[i].rule->key) + 1;

        longest = n > longest ? n : longest;
    }
    return (uint32_t)(longest < room ? longest : room);
}

void report_gate_table(const struct report_gate *g, uint32_t width,
                       bool has_colour, FILE *out)
{
    const uint32_t key = key_width(g, width);
    char other[160];

    assert(g && out);
    for (uint32_t i = 0; i < g->count; i++) {
        if (begins_run(g, i) && !is_run_left_out(g, i)) {
            fprintf(out, "%srun %s\n", i ? "\n" : "", g->finding[i].run);
            if (g->finding[i].inputs)
                fprintf(out, "(%s)\n",
                        other_inputs(&g->finding[i], other, sizeof(other)));
            row_print(NULL, key, false, out);
        }
        if (!is_left_out(g, i))
            row_print(&g->finding[i], key, has_colour, out);
    }
    fputc('\n', out);
    total_print(g, out);
}

/* --- Markdown ------------------------------------------------------------- */

void report_gate_markdown(const struct report_gate *g, FILE *out)
{
    char buf[REPORT_VALUE_TEXT], other[160];

    assert(g && out);
    fprintf(out, "### gsim gate: ");
    total_print(g, out);
    fputs("\n| run | metric | baseline | now | change | verdict | rule |\n"
          "| --- | --- | ---: | ---: | ---: | --- | --- |\n",
          out);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct report_finding *f = &g->finding[i];

        if (is_left_out(g, i))
            continue;
        fputs("| ", out);
        report_format_markdown(f->run, out);
        if (f->inputs)
            fprintf(out, " (%s)", other_inputs(f, other, sizeof(other)));
        fputs(" | ", out);
        report_format_markdown(f->rule->key, out);
        for (int c = 0; c < COLUMNS; c++) {
            fputs(" | ", out);
            report_format_markdown(cell(f, (enum column)c, buf), out);
        }
        fputs(" |\n", out);
    }
}

/* --- GitHub's workflow commands ------------------------------------------- */

/* Write a text with escapes: a command ends at the end of the line, a property
 * at a comma or colon.
 */
static void github_text(const char *s, bool is_property, FILE *out)
{
    for (; *s; s++) {
        if (*s == '%' || *s == '\r' || *s == '\n'
            || (is_property && (*s == ':' || *s == ',')))
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*s);
        else
            fputc(*s, out);
    }
}

void report_gate_github(const struct report_gate *g, FILE *out)
{
    char message[REPORT_MESSAGE], other[160];

    assert(g && out);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct report_finding *f = &g->finding[i];

        if (f->inputs && begins_run(g, i)) {
            fputs("::warning title=gsim gate%3A run ", out);
            github_text(f->run, true, out);
            fprintf(out, "::%s\n", other_inputs(f, other, sizeof(other)));
        }
        if (f->verdict == REPORT_HOLDS)
            continue;
        fputs("::error title=gsim gate%3A run ", out);
        github_text(f->run, true, out);
        fputs("%3A ", out);
        github_text(f->rule->key, true, out);
        fputs(",file=", out);
        github_text(f->source, true, out);
        if (f->rule->line)
            fprintf(out, ",line=%d,col=%d", f->rule->line, f->rule->column);
        fputs("::", out);
        github_text(report_gate_message(f, message), false, out);
        fputc('\n', out);
    }
    if (g->broken == 0)
        fprintf(out, "::notice title=gsim gate::all %u rules hold\n", g->count);
}

/* --- JUnit ---------------------------------------------------------------- */

/* Write a clean text, escaping what XML forbids. */
static void xml_text(const char *s, FILE *out)
{
    for (; *s; s++) {
        const char *entity = *s == '\'' ? "&apos;" : report_entity(*s);

        if (entity) {
            fputs(entity, out);
        } else if (strncmp(s, "\xef\xbf\xbe", 3) == 0
                   || strncmp(s, "\xef\xbf\xbf", 3) == 0) {
            fputc('?', out); /* U+FFFE and U+FFFF */
            s += 2;
        } else {
            fputc(*s, out);
        }
    }
}

static void testcase(const struct report_finding *f, FILE *out)
{
    char message[REPORT_MESSAGE];

    fputs("    <testcase classname=\"", out);
    xml_text(f->run, out);
    fputs("\" name=\"", out);
    xml_text(f->rule->key, out);
    fputc(' ', out);
    xml_text(f->rule->text, out);
    if (f->verdict == REPORT_HOLDS) {
        fputs("\"/>\n", out);
        return;
    }
    fprintf(out, "\">\n      <failure type=\"%s\" message=\"",
            verdicts[f->verdict]);
    xml_text(report_gate_message(f, message), out);
    fputs("\">", out);
    xml_text(f->source, out);
    if (f->rule->line)
        fprintf(out, ":%d:%d", f->rule->line, f->rule->column);
    fputs("</failure>\n    </testcase>\n", out);
}

void report_gate_junit(const struct report_gate *g, FILE *out)
{
    assert(g && out);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"gsim gate\" tests=\"%u\" failures=\"%u\">\n",
            g->count, g->broken);
    for (uint32_t i = 0, end = 0; i < g->count; i = end) {
        uint32_t failures = 0;

        for (end = i; end == i || (end < g->count && !begins_run(g, end));
             end++)
            failures += g->finding[end].verdict != REPORT_HOLDS;
        fputs("  <testsuite name=\"", out);
        xml_text(g->finding[i].run, out);
        fprintf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\">\n", end - i,
                failures);
        for (; i < end; i++)
            testcase(&g->finding[i], out);
        fputs("  </testsuite>\n", out);
    }
    fputs("</testsuites>\n", out);
}
