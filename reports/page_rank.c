/* reports/page_rank.c - which run is the best by a metric, and which cannot be
 * called so.
 */
#include <math.h>
#include <string.h>

#include "reports/page_private.h"

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

double page_value(const struct report_page *p, const char *name, uint32_t run)
{
    const struct compare_row *r = page_row(p, name);

    return r && r->cell[run].is_there ? r->cell[run].value : 0;
}

void page_rank_prepare(struct report_page *p)
{
    const uint32_t runs = p->compare->runs;
    double least = (double)INFINITY;

    for (uint32_t i = 0; i < runs; i++)
        least = fmin(least, page_value(p, "jobs.unfinished", i));
    for (uint32_t i = 0; i < runs; i++)
        p->run[i].is_flattered = page_value(p, "jobs.unfinished", i)
                                 > least
                                       + 0.01 * page_value(p, "jobs.total", i);
}

bool page_is_ranked(const struct report_page *p, const struct compare_row *r,
                    uint32_t run)
{
    static const char *const of_finished[] = { "wait.", "jct.", "slowdown.",
                                               "large.start", "makespan" };

    if (!r->cell[run].is_there || !r->info || r->info->better == REPORT_NEITHER)
        return false;
    for (size_t i = 0; i < sizeof(of_finished) / sizeof(of_finished[0]); i++) {
        if (strncmp(r->name, of_finished[i], strlen(of_finished[i])) == 0
            && p->run[run].is_flattered)
            return false;
    }
    return true;
}

static bool is_before(const struct compare_row *r, uint32_t a, uint32_t b)
{
    const double x = r->cell[a].value, y = r->cell[b].value;

    return r->info->better == REPORT_LOWER ? x < y : x > y;
}

struct page_ranks page_rank(const struct report_page *p,
                            const struct compare_row *r)
{
    struct page_ranks k = { .count = 0 };

    for (uint32_t i = 0; r && i < p->compare->runs; i++) {
        if (!page_is_ranked(p, r, i))
            continue;
        if (k.count++ == 0) {
            k.best = k.next = k.worst = i;
        } else if (is_before(r, i, k.best)) {
            k.next = k.best;
            k.best = i;
        } else if (k.next == k.best || is_before(r, i, k.next))
            k.next = i;
        if (is_before(r, k.worst, i))
            k.worst = i;
    }
    for (uint32_t i = 0; k.count && i < p->compare->runs; i++)
        k.ties += page_is_ranked(p, r, i)
                  && r->cell[i].value == r->cell[k.best].value;
    return k;
}
