/* reports/page/page_rank.c - the best run, or group of runs, by a metric, and
 * runs that are not ranked.
 */
#include <math.h>
#include <string.h>

#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"

const struct compare_figure *page_figure(const struct report_page *p,
                                         const struct compare_row *r,
                                         uint32_t group)
{
    return &compare_figures(p->compare, r)[group];
}

bool page_is_clear(const struct report_page *p, const struct compare_row *r,
                   uint32_t a, uint32_t b)
{
    const struct compare_against between = compare_between(p->compare, r, a, b);

    return compare_is_clear(&between);
}

const struct compare_row *page_row(const struct report_page *p,
                                   const char *name)
{
    for (uint32_t i = 0; i < p->compare->rows; i++) {
        const struct compare_row *r = &p->compare->row[i];

        if (strcmp(r->name, name) == 0 && strcmp(r->scope, "cluster") == 0
            && r->label[0] == '\0')
            return r;
    }
    return NULL;
}

double page_value(const struct report_page *p, const char *name, uint32_t group)
{
    const struct compare_row *r = page_row(p, name);

    return r ? page_figure(p, r, group)->mean : 0;
}

/* The least number of unfinished jobs among groups with the inputs of `group`.
 */
static double least_unfinished(const struct report_page *p, uint32_t group)
{
    double least = (double)INFINITY;

    for (uint32_t i = 0; i < p->compare->groups; i++) {
        if (p->compare->group[i].input_class
            == p->compare->group[group].input_class)
            least = fmin(least, page_value(p, METRIC_JOBS_UNFINISHED, i));
    }
    return least;
}

void page_rank_prepare(struct report_page *p)
{
    if (p->compare->groups == 0)
        (void)report_page_group(p, REPORT_BY_SEED, NULL); /* cannot fail */
    for (uint32_t i = 0; i < p->compare->groups; i++)
        p->run[i].is_flattered =
            page_value(p, METRIC_JOBS_UNFINISHED, i)
            > least_unfinished(p, i)
                  + 0.01 * page_value(p, METRIC_JOBS_TOTAL, i);
}

bool page_is_ranked(const struct report_page *p, const struct compare_row *r,
                    uint32_t group)
{
    static const char *const of_finished[] = { METRIC_WAIT, METRIC_JCT,
                                               METRIC_SLOWDOWN, "large.start",
                                               METRIC_MAKESPAN };

    if (page_figure(p, r, group)->n == 0 || !r->info
        || r->info->better == REPORT_NEITHER)
        return false;
    for (size_t i = 0; i < sizeof(of_finished) / sizeof(of_finished[0]); i++) {
        if (strncmp(r->name, of_finished[i], strlen(of_finished[i])) == 0
            && p->run[group].is_flattered)
            return false;
    }
    return true;
}

static bool is_before(const struct report_page *p, const struct compare_row *r,
                      uint32_t a, uint32_t b)
{
    const double x = page_figure(p, r, a)->mean;
    const double y = page_figure(p, r, b)->mean;

    return r->info->better == REPORT_LOWER ? x < y : x > y;
}

struct page_ranks page_rank(const struct report_page *p,
                            const struct compare_row *r, uint32_t class)
{
    struct page_ranks k = { .count = 0 };

    for (uint32_t i = 0; r && i < p->compare->groups; i++) {
        if (p->compare->group[i].input_class != class
            || !page_is_ranked(p, r, i))
            continue;
        if (k.count++ == 0) {
            k.best = k.next = k.worst = i;
        } else if (is_before(p, r, i, k.best)) {
            k.next = k.best;
            k.best = i;
        } else if (k.next == k.best || is_before(p, r, i, k.next))
            k.next = i;
        if (is_before(p, r, k.worst, i))
            k.worst = i;
    }
    for (uint32_t i = 0; k.count && i < p->compare->groups; i++)
        k.ties +=
            p->compare->group[i].input_class == class && page_is_ranked(p, r, i)
            && !page_is_clear(p, r, k.best, i);
    return k;
}
