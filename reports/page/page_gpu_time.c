/* reports/page/page_gpu_time.c - all GPU time of each run as a stacked bar. */
#include <string.h>

#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"

#define PARTS_MAX 16u
#define LABEL_LEAST 0.06 /* share of a bar that has room for a number */

struct parts {
    const char *name[PARTS_MAX]; /* "useful" */
    const struct compare_row *row[PARTS_MAX];
    uint32_t count;
};

/* The parts that the runs have, in the order of the glossary. */
static struct parts parts_of(const struct report_page *p)
{
    const size_t length = strlen(METRIC_GPU_TIME);
    const struct report_metric_info *m;
    struct parts parts = { .count = 0 };

    for (size_t i = 0; (m = report_glossary_at(i)); i++) {
        const struct compare_row *r;

        if (strncmp(m->name, METRIC_GPU_TIME, length) != 0
            || !(r = page_row(p, m->name)) || parts.count == PARTS_MAX)
            continue;
        parts.name[parts.count] = m->name + length;
        parts.row[parts.count++] = r;
    }
    return parts;
}

static double share_of(const struct report_page *p, const struct parts *parts,
                       uint32_t part, uint32_t group)
{
    const struct compare_figure *f = page_figure(p, parts->row[part], group);

    return f->mean > 0 ? f->mean : 0;
}

/* Has any of the drawn runs the part? */
static bool is_there(const struct report_page *p, const struct parts *parts,
                     uint32_t part)
{
    bool is = false;

    for (uint32_t g = 0; g < page_drawn(p); g++)
        is |= share_of(p, parts, part, g) > 0;
    return is;
}

static void legend_put(const struct report_page *p, const struct parts *parts,
                       FILE *out)
{
    fputs("<ul class=\"legend\">\n", out);
    for (uint32_t i = 0; i < parts->count; i++) {
        if (is_there(p, parts, i))
            page_print(out,
                       "<li title=\"%s\"><i class=\"part%u\"></i>%s</li>\n",
                       parts->row[i]->info->definition, i, parts->name[i]);
    }
    fputs("</ul>\n", out);
}

/* "useful 53.16 %, idle 46.84 %", for screen readers. */
static void words_put(const struct report_page *p, const struct parts *parts,
                      uint32_t group, FILE *out)
{
    bool is_first = true;

    for (uint32_t i = 0; i < parts->count; i++) {
        const double share = share_of(p, parts, i, group);

        if (share <= 0)
            continue;
        page_print(out, "%s%s", is_first ? "" : ", ", parts->name[i]);
        fprintf(out, " %.2f %%", share * 100);
        is_first = false;
    }
}

static void bar_put(const struct report_page *p, const struct parts *parts,
                    uint32_t group, FILE *out)
{
    page_print(out,
               "<tr data-run=\"%s\"><th scope=\"row\">%s</th><td>"
               "<div class=\"bar\" role=\"img\" aria-label=\"",
               page_short(p, page_title(p, group)), page_title(p, group));
    words_put(p, parts, group, out);
    fputs("\">", out);
    for (uint32_t i = 0; i < parts->count; i++) {
        const double share = share_of(p, parts, i, group);

        if (share <= 0)
            continue;
        page_print(out, "<span class=\"part%u\" title=\"%s ", i,
                   parts->name[i]);
        fprintf(out, "%.2f %%\" style=\"flex-grow:%.6f\">", share * 100,
                share * 100);
        if (share >= LABEL_LEAST)
            fprintf(out, "%.0f&#160;%%", share * 100);
        fputs("</span>", out);
    }
    fputs("</div></td></tr>\n", out);
}

bool page_has_gpu_time(const struct report_page *p)
{
    return page_row(p, METRIC_GPU_TIME_USEFUL) != NULL;
}

void page_gpu_time(const struct report_page *p, FILE *out)
{
    const struct parts parts = parts_of(p);

    if (!page_has_gpu_time(p))
        return;
    fputs("<section id=\"gpu-time\">\n<h2>Where the GPU time went</h2>\n", out);
    legend_put(p, &parts, out);
    fputs("<table class=\"bars\">\n<caption>Parts of the GPUs of the cluster"
          " times the window.</caption>\n<tbody>\n",
          out);
    for (uint32_t g = 0; g < page_drawn(p); g++)
        bar_put(p, &parts, g, out);
    fputs("</tbody>\n</table>\n</section>\n", out);
}
