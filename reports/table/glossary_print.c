/* reports/table/glossary_print.c - the glossary for the terminal. */
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "reports/glossary/glossary.h"

#define WIDTH 80u
#define INDENT 4u

/* Print a paragraph, wrapped at blanks. */
static void paragraph_print(const char *text, FILE *out)
{
    size_t at = 0;

    while (*text) {
        const size_t n = strcspn(text, " ");

        if (at && at + 1 + n > WIDTH) {
            fputc('\n', out);
            at = 0;
        }
        at += (size_t)fprintf(out, "%*s%.*s", at ? 1 : (int)INDENT, "", (int)n,
                              text);
        text += n;
        text += *text == ' ';
    }
    fputc('\n', out);
}

/* True when the glob selects the entry: "wait.p95" and "wait.p9?" select
 * "wait.*".
 */
static bool matches(const struct report_metric_info *m, const char *glob)
{
    return fnmatch(glob, m->name, 0) == 0 || report_glossary_find(glob) == m;
}

static void metric_print(const struct report_metric_info *m, FILE *out)
{
    const char *better = report_better_name(m->better);

    fprintf(out, "%s (%s%s%s; %s)\n", m->name, report_unit_name(m->unit),
            *better ? ", " : "", better, report_glossary_scopes(m));
    paragraph_print(m->definition, out);
}

size_t report_glossary_print(const char *glob, FILE *out)
{
    const struct report_metric_info *m;
    const struct report_term *t;
    size_t count = 0;

    for (size_t i = 0; (m = report_glossary_at(i)); i++) {
        if (!glob || matches(m, glob)) {
            metric_print(m, out);
            count++;
        }
    }
    for (size_t i = 0; !glob && (t = report_glossary_term(i)); i++) {
        fprintf(out, "%s%s\n", i ? "" : "\n", t->term);
        paragraph_print(t->definition, out);
    }
    return count;
}
