/* reports/page/page_verdict.c - the best run, by how much, where and why, as
 * sentences.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "reports/glossary/cause_info.h"
#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"

/* The metrics of the verdict, the main one first. */
static const struct judged {
    const char *name, *what;
} judged[] = {
    { METRIC_WAIT "mean", "Shortest mean wait" },
    { METRIC_WAIT "p95", "Shortest wait of 95 % of the jobs" },
    { METRIC_JCT "mean", "Shortest mean completion time" },
    { METRIC_LARGE_START_DELAY "mean", "Soonest start of large jobs" },
    { METRIC_FRAG_CAPACITY_SHARE, "Fewest scattered GPUs" },
    { METRIC_GPU_HOARDED, "Fewest hoarded GPUs" },
    { METRIC_GOODPUT, "Least work lost or GPUs held in vain (goodput)" },
    { METRIC_FAIR_DRF_MAX_GAP,
      "Least that a queue lacked of what it deserved" },
    { METRIC_MAKESPAN, "Soonest end of it all" },
};

#define CLASSES_MAX 16u /* verdicts of different inputs */
#define N_JUDGED (sizeof(judged) / sizeof(judged[0]))

const char *page_title(const struct report_page *p, uint32_t group)
{
    return p->compare->group[group].title;
}

static bool is_of_class(const struct report_page *p, uint32_t group,
                        uint32_t class)
{
    return p->compare->group[group].input_class == class;
}

/* A mean, with half its interval if that is above 0. */
static const char *value_of(const struct report_page *p,
                            const struct compare_row *r, uint32_t group)
{
    const struct compare_figure *f = page_figure(p, r, group);
    const bool has_spread = f->low < f->high;
    char mean[COMPARE_TEXT], spread[COMPARE_TEXT] = "";

    compare_value(r, f, mean);
    if (has_spread)
        compare_spread(r, f, spread);
    return gs_arena_printf(p->arena, "%s%s%s", mean, has_spread ? " " : "",
                           spread);
}

/* --- the best and the worst ----------------------------------------------- */

/* The difference of the best from another: "12 % less than", "the same as" ...
 */
static const char *distance_of(const struct report_page *p,
                               const struct compare_row *r, uint32_t best,
                               uint32_t other)
{
    const struct compare_against to = compare_between(p->compare, r, other,
                                                      best);
    const double a = to.to, b = to.from;
    const char *word = r->info->better == REPORT_LOWER ? "less" : "more";

    if (a == b)
        return "the same as";
    if (to.test == COMPARE_NONE)
        return "too few runs to tell it from";
    if (!compare_is_clear(&to))
        return "no significant difference to";
    if (r->info->unit == REPORT_SHARE)
        return gs_arena_printf(p->arena, "%.2f points %s than",
                               fabs(a - b) * 100, word);
    if (b == 0 || !isfinite((a - b) / b))
        return gs_arena_printf(p->arena, "%s than", word);
    return gs_arena_printf(p->arena, "%.3g %% %s than", fabs((a - b) / b) * 100,
                           word);
}

static bool are_equal(const struct report_page *p, const struct compare_row *r,
                      const struct page_ranks *k)
{
    return page_figure(p, r, k->best)->mean
           == page_figure(p, r, k->worst)->mean;
}

static void judged_put(const struct report_page *p, const struct judged *j,
                       uint32_t class, FILE *out)
{
    const struct compare_row *r = page_row(p, j->name);
    const struct page_ranks k = page_rank(p, r, class);

    if (k.count < 2 || (k.ties == k.count && are_equal(p, r, &k)))
        return;
    if (k.ties == k.count
        && compare_between(p->compare, r, k.best, k.worst).test == COMPARE_NONE)
        return;
    page_print(out, "<li>%s: ", j->what);
    if (k.ties == k.count) {
        fputs("no significant difference.</li>\n", out);
        return;
    }
    page_print(out, "<b>%s</b>", page_title(p, k.best));
    if (k.ties > 1)
        page_print(out,
                   p->compare->is_grouped ? " (not clearly better than %u more)"
                                          : " and %u more",
                   k.ties - 1);
    page_print(out, ", %s; %s %s (%s)</li>\n", value_of(p, r, k.best),
               distance_of(p, r, k.best, k.worst), page_title(p, k.worst),
               value_of(p, r, k.worst));
}

/* "12 % less than the next, X (7h)" */
static void lead_other_put(const struct report_page *p,
                           const struct compare_row *r, uint32_t best,
                           uint32_t other, const char *place, FILE *out)
{
    page_print(out, "%s the %s, <b>%s</b> (%s)", distance_of(p, r, best, other),
               place, page_title(p, other), value_of(p, r, other));
}

/* The number of groups with these inputs. */
static uint32_t class_size(const struct report_page *p, uint32_t class)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->compare->groups; i++)
        n += is_of_class(p, i, class);
    return n;
}

/* The main metric, in a sentence. */
static void lead_put(const struct report_page *p, uint32_t class, FILE *out)
{
    const struct compare_row *r = page_row(p, judged[0].name);
    const struct page_ranks k = page_rank(p, r, class);

    fputs("<p class=\"lead\">", out);
    if (k.count == 0)
        fputs("No job started, so there are no waits to judge by.", out);
    else if (k.count == 1)
        page_print(out, "<b>%s</b>: jobs wait %s on average.%s",
                   page_title(p, k.best), value_of(p, r, k.best),
                   class_size(p, class) > 1
                       ? " The other runs left too many jobs unfinished to be "
                         "compared with it by waits."
                       : "");
    else if (k.ties == k.count && are_equal(p, r, &k))
        page_print(out, "Jobs wait the same under all runs: %s on average.",
                   value_of(p, r, k.best));
    else {
        page_print(out, "<b>%s</b> %s: %s, ", page_title(p, k.best),
                   k.ties > 1 ? "has the shortest mean wait"
                              : "is best at the mean wait",
                   value_of(p, r, k.best));
        lead_other_put(p, r, k.best, k.next, "next", out);
        if (k.worst != k.next) {
            fputs(", and ", out);
            lead_other_put(p, r, k.best, k.worst, "last", out);
        }
        fputc('.', out);
    }
    fputs("</p>\n", out);
}

/* --- where ---------------------------------------------------------------- */

/* The label of a scope in which group `a` waits most seconds less than `b`;
 * NULL when it never does, or not significantly.
 */
static const struct compare_row *widest(const struct report_page *p,
                                        const char *scope, uint32_t a,
                                        uint32_t b)
{
    const struct compare_row *found = NULL;
    double most = 0;

    for (uint32_t i = 0; i < p->compare->rows; i++) {
        const struct compare_row *r = &p->compare->row[i];
        struct compare_against gap;

        if (strcmp(r->name, METRIC_WAIT "mean") != 0
            || strcmp(r->scope, scope) != 0)
            continue;
        gap = compare_between(p->compare, r, a, b);
        if (compare_is_clear(&gap) && gap.to - gap.from > most) {
            most = gap.to - gap.from;
            found = r;
        }
    }
    return found;
}

/* "jobs of 8 GPUs", "queue a" */
static const char *label_of(const struct report_page *p,
                            const struct compare_row *r)
{
    const bool is_whole = strcmp(r->label, "CPU only") != 0
                          && strcmp(r->label, "share") != 0;

    if (strcmp(r->scope, "size") != 0)
        return gs_arena_printf(p->arena, "queue %s", r->label);
    return gs_arena_printf(p->arena, "jobs of %s%s", r->label,
                           !is_whole                    ? ""
                           : strcmp(r->label, "1") == 0 ? " GPU"
                                                        : " GPUs");
}

/* "X gains most in queue a, 2m under X and 7m under Y." of the waits `r`. */
static void gap_put(const struct report_page *p, const struct compare_row *r,
                    const char *verb, uint32_t best, uint32_t other, FILE *out)
{
    if (r)
        page_print(out,
                   "<li><b>%s</b> %s most in %s, %s under %s and %s under "
                   "%s.</li>\n",
                   page_title(p, best), verb, label_of(p, r),
                   value_of(p, r, best), page_title(p, best),
                   value_of(p, r, other), page_title(p, other));
}

static void where_put(const struct report_page *p, uint32_t class, FILE *out)
{
    static const char *const scopes[] = { "size", "queue" };
    const struct page_ranks k = page_rank(p, page_row(p, judged[0].name),
                                          class);

    for (size_t i = 0; k.count > 1 && k.ties < k.count && i < 2; i++) {
        gap_put(p, widest(p, scopes[i], k.best, k.worst), "gains", k.best,
                k.worst, out);
        gap_put(p, widest(p, scopes[i], k.next, k.best), "loses", k.best,
                k.next, out);
    }
}

/* --- why ------------------------------------------------------------------ */

/* The waiting time of all jobs of the group by cause; 0 when unknown. */
static double cause_value(const struct report_page *p, enum report_cause cause,
                          uint32_t group)
{
    const char *metric = report_cause_info(cause)->metric;

    return metric ? fmax(page_value(p, metric, group), 0) : 0;
}

/* The cause with the most time, except `other`; REPORT_NO_CAUSE when there is
 * none.
 */
static enum report_cause cause_largest(const struct report_page *p,
                                       uint32_t run, enum report_cause other)
{
    enum report_cause found = REPORT_NO_CAUSE;

    for (int i = 0; i < REPORT_CAUSES; i++) {
        const enum report_cause c = (enum report_cause)i;

        if (c != other && cause_value(p, c, run) > cause_value(p, found, run))
            found = c;
    }
    return found;
}

static void why_put(const struct report_page *p, uint32_t run, FILE *out)
{
    double sum = 0;
    enum report_cause cause = REPORT_NO_CAUSE;

    for (int c = 0; c < REPORT_CAUSES; c++)
        sum += cause_value(p, (enum report_cause)c, run);
    page_print(out, "<li><b>%s</b>%s", page_title(p, run),
               page_value(p, METRIC_DEADLOCK_ENDLESS, run) > 0
                   ? ": jobs wait for ever in a deadlock; until the run ended, "
               : sum > 0 ? ": "
                         : ": no job waited, or it is not known why");
    for (int k = 0; sum > 0 && k < 2; k++) {
        double v;

        cause = cause_largest(p, run, cause);
        v = cause_value(p, cause, run);
        if (v < 0.01 * sum)
            break;
        fprintf(out, "%s%.3g %% of the waiting is <i>%s</i> (%s)",
                k ? ", " : "", v / sum * 100, report_cause_info(cause)->name,
                report_cause_info(cause)->text);
    }
    fputs(".</li>\n", out);
}

/* --- all of it ------------------------------------------------------------ */

/* The common value of all runs of the class on an axis on which runs differ;
 * NULL: none.
 */
static const char *class_value(const struct report_page *p, uint32_t class,
                               const struct page_axis *a)
{
    const char *value = page_group_value(p, class, a);

    for (uint32_t g = 0; g < p->compare->groups; g++) {
        if (is_of_class(p, g, class)
            && strcmp(page_group_value(p, g, a), value) != 0)
            return NULL;
    }
    return a->values > 1 && page_axis_find(a, value) < a->values ? value : NULL;
}

/* True when the axes distinguish the runs of the class from all others. */
static bool is_told_by_axes(const struct report_page *p, uint32_t class)
{
    for (uint32_t g = 0; g < p->compare->groups; g++) {
        bool is_other = is_of_class(p, g, class);

        for (uint32_t i = 0; i < p->axes && !is_other; i++) {
            const char *value = class_value(p, class, &p->axis[i]);

            is_other = value
                       && strcmp(page_group_value(p, g, &p->axis[i]), value)
                              != 0;
        }
        if (!is_other)
            return false;
    }
    return true;
}

/* "load 0.8, cluster more (6 runs)" */
static void axes_title_put(const struct report_page *p, uint32_t class,
                           FILE *out)
{
    uint32_t n = 0, runs = 0;

    fputs("<h3>", out);
    for (uint32_t i = 0; i < p->axes; i++) {
        const char *value = class_value(p, class, &p->axis[i]);

        if (!value)
            continue;
        page_print(out, "%s%s %s", n++ ? ", " : "", p->axis[i].name,
                   page_axis_text(p->axis[i].name, value));
    }
    for (uint32_t g = 0; g < p->compare->groups; g++) {
        if (is_of_class(p, g, class))
            runs += p->compare->group[g].runs;
    }
    fprintf(out, " (%u runs)</h3>\n", (unsigned)runs);
}

/* Write the runs of a verdict, when there are several verdicts. */
static void class_title_put(const struct report_page *p, uint32_t class,
                            FILE *out)
{
    uint32_t n = 0;

    if (is_told_by_axes(p, class)) {
        axes_title_put(p, class, out);
        return;
    }
    fputs("<h3>Of ", out);
    for (uint32_t i = 0; i < p->compare->groups; i++) {
        if (!is_of_class(p, i, class))
            continue;
        page_print(out, "%s%s", n++ ? ", " : "", page_title(p, i));
    }
    fputs("</h3>\n", out);
}

static void class_put(const struct report_page *p, uint32_t class, FILE *out)
{
    lead_put(p, class, out);
    page_caveats(p, out);
    fputs("<ul>\n", out);
    where_put(p, class, out);
    for (size_t k = 1; k < N_JUDGED; k++)
        judged_put(p, &judged[k], class, out);
    /* a list must not be empty */
    if (p->compare->groups == 1)
        fprintf(out, "<li>One %s only: nothing to compare it with.</li>\n",
                p->compare->is_grouped ? "policy" : "run");
    fputs("</ul>\n", out);
}

/* A verdict for each set of runs with the same inputs. */
static void classes_put(const struct report_page *p, FILE *out)
{
    const struct report_comparison *c = p->compare;
    uint32_t shown = 0;

    if (class_size(p, 0) == c->groups) {
        class_put(p, 0, out);
        return;
    }
    page_caveats(p, out);
    for (uint32_t g = 0; g < c->groups; g++) {
        if (c->group[g].input_class != g || class_size(p, g) < 2)
            continue;
        if (shown++ == CLASSES_MAX) {
            fputs("<p class=\"soft\">More are left out.</p>\n", out);
            break;
        }
        class_title_put(p, g, out);
        lead_put(p, g, out);
    }
    if (shown == 0)
        fputs("<p>No two columns replayed the same: none is called best.</p>\n",
              out);
}

void page_verdict(const struct report_page *p, FILE *out)
{
    fputs("<section id=\"verdict\">\n<h2>In words</h2>\n", out);
    classes_put(p, out);
    fputs("<h3>Why jobs wait</h3>\n<ul>\n", out);
    for (uint32_t g = 0; g < p->compare->groups; g++)
        why_put(p, g, out);
    fputs("</ul>\n</section>\n", out);
}
