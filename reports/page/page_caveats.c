/* reports/page/page_caveats.c - limits of the comparison, shown before the
 * verdict.
 */
#include <string.h>

#include "base/text.h"
#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"
#include "reports/store/run_inputs.h"

#define DEADLOCKS_TOLD 3u
#define NOTES_TOLD 160u

/* "X: 7 jobs ...", and of several runs "X: on average 6.5 jobs ...". */
static void trouble_begin(const struct report_page *p, uint32_t group,
                          double count, FILE *out)
{
    page_print(out, "<p class=\"note\"><b>%s</b>", page_title(p, group));
    if (p->compare->group[group].runs > 1)
        fprintf(out, ": on average %.1f jobs ", count);
    else
        fprintf(out, ": %.0f job%s ", count, count > 1 ? "s" : "");
}

/* Write the first deadlocks of the first run of the group, as texts. */
static void deadlocks_put(const struct report_page *p, uint32_t group,
                          FILE *out)
{
    const struct compare_run *r =
        &p->compare->run[p->compare->group[group].run[0]];

    for (uint32_t i = 0; i < r->deadlocks && i < DEADLOCKS_TOLD; i++) {
        const char *text = r->deadlock[i];

        /* begin with a capital letter */
        fprintf(out, "<br/>%c", text[0] - 'a' + 'A');
        page_print(out, "%s.", text + 1);
    }
}

static void troubles_put(const struct report_page *p, uint32_t run, FILE *out)
{
    const double waiting = page_value(p, METRIC_WAIT_UNFINISHED_COUNT, run);
    const double rejected = page_value(p, METRIC_JOBS_REJECTED, run);
    const double episodes = page_value(p, METRIC_DEADLOCK_EPISODES, run);

    if (episodes > 0) {
        trouble_begin(p, run, page_value(p, METRIC_DEADLOCK_JOBS, run), out);
        fprintf(out, "were deadlocked (episodes: %.*f), ",
                p->compare->group[run].runs > 1, episodes);
        if (page_value(p, METRIC_DEADLOCK_ENDLESS, run) > 0)
            fputs("for ever: the GPU hours that they hold have no end.", out);
        else
            fprintf(out, "holding %.4g GPU hours.",
                    page_value(p, METRIC_DEADLOCK_GPU_HOURS, run));
        deadlocks_put(p, run, out);
        fputs("</p>\n", out);
    }
    if (waiting > 0) {
        trouble_begin(p, run, waiting, out);
        fprintf(out,
                "had not started when the run ended. Their waits are in no "
                "mean%s.</p>\n",
                p->run[run].is_flattered ? ", so the run is not ranked by means"
                                         : "");
    }
    if (rejected > 0) {
        trouble_begin(p, run, rejected, out);
        fputs("were rejected.</p>\n", out);
    }
}

/* Write the inputs that differ: such runs are not compared. */
static void inputs_put(const struct report_page *p, FILE *out)
{
    const unsigned differ = compare_inputs_differ(p->compare);
    char words[128];

    if (differ)
        fprintf(out,
                "<p class=\"note\">The runs differ in %s: only runs of the "
                "same are called better or worse than each other.</p>\n",
                report_inputs_names(differ, words, sizeof(words)));
}

/* Write the number of runs of each mean. */
static void repeats_put(const struct report_page *p, FILE *out)
{
    const struct report_comparison *c = p->compare;

    if (!c->is_grouped)
        return;
    fputs("<p class=\"soft\">Figures are means of several runs (", out);
    for (uint32_t g = 0; g < c->groups; g++) {
        page_print(out, "%s%s: %u", g ? ", " : "", page_title(p, g),
                   c->group[g].runs);
    }
    fputs(") with half the width of their 95 % confidence intervals. What may "
          "be chance (5 %, each metric by itself) is no significant difference."
          "</p>\n",
          out);
}

/* Write the notes of the runs about their inputs, each once. */
static void notes_put(const struct report_page *p, FILE *out)
{
    const char *told[NOTES_TOLD];
    const struct report_comparison *c = p->compare;
    uint32_t n = 0;
    bool more = false;

    for (uint32_t r = 0; r < c->runs; r++) {
        for (uint32_t i = 0; i < c->run[r].notes; i++) {
            const bool is_new = gs_text_find(c->run[r].note[i], told, n) == n;

            if (is_new && n < NOTES_TOLD)
                told[n++] = c->run[r].note[i];
            else
                more |= is_new;
        }
    }
    if (n == 0)
        return;
    fputs("<p class=\"note\">Notes on the inputs:", out);
    for (uint32_t k = 0; k < n; k++)
        page_print(out, k ? ";<br/>%s" : "<br/>%s", told[k]);
    fputs(more ? "; and more: see notes of the runs.</p>\n" : ".</p>\n", out);
}

void page_caveats(const struct report_page *p, FILE *out)
{
    inputs_put(p, out);
    repeats_put(p, out);
    for (uint32_t g = 0; g < p->compare->groups; g++)
        troubles_put(p, g, out);
    notes_put(p, out);
}
