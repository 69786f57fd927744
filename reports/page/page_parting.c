/* reports/page/page_parting.c - where each run parts from the first. */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "reports/diff/diff.h"
#include "reports/page/page_private.h"
#include "reports/table/cell_text.h"

void page_parting_read(struct report_page *p)
{
    const uint32_t runs = page_drawn(p);

    p->parting = gs_arena_alloc(p->arena, PAGE_DRAWN, sizeof(*p->parting));
    for (uint32_t i = 1; i < runs; i++) {
        const struct report_choice a = { p->run[0].store, p->run[0].stored };
        const struct report_choice b = { p->run[i].store, p->run[i].stored };
        struct report_diff *d = gs_arena_alloc(p->arena, 1, sizeof(*d));

        /* of other jobs, or stored without them: not compared */
        if (report_diff(&a, &b, 0, p->arena, d, NULL) == 0)
            p->parting[i] = d;
    }
}

bool page_parting_is_there(const struct report_page *p)
{
    for (uint32_t i = 1; i < page_drawn(p); i++) {
        if (p->parting[i])
            return true;
    }
    return false;
}

static void decision_put(const struct report_diff *d, FILE *out)
{
    const struct report_diff_job *j = report_diff_job(d);
    char at[32], text[REPORT_DIFF_TEXT];

    page_print(out, "<td class=\"text\">%s: %s (#%u)</td>",
               gs_instant_human(d->at, at, sizeof(at)), j->name, j->job);
    for (int side = 0; side < 2; side++)
        page_print(out, "<td class=\"text\">it %s</td>",
                   report_diff_act_text(&d->act[side], text));
}

/* "+3d4h" of microseconds. */
static const char *change_text(const struct report_page *p, double us)
{
    char span[REPORT_VALUE_TEXT];

    report_format_value(REPORT_SECONDS, (us < 0 ? -us : us) / 1e6, span);
    return us == 0
               ? "0"
               : gs_arena_printf(p->arena, "%s%s", us < 0 ? "-" : "+", span);
}

static void row_put(const struct report_page *p, uint32_t run, FILE *out)
{
    const struct report_diff *d = p->parting[run];

    page_print(out, "<tr><th scope=\"row\">%s</th>", page_title(p, run));
    if (!d->differs) {
        fputs("<td class=\"text\" colspan=\"3\">no decision differs</td>", out);
    } else {
        decision_put(d, out);
    }
    page_print(out, "<td>%u</td><td>%u</td><td>%s</td></tr>\n", d->gained,
               d->lost, change_text(p, d->waited[1] - d->waited[0]));
}

void page_parting(const struct report_page *p, FILE *out)
{
    const char *caption;

    if (!page_parting_is_there(p))
        return;
    caption = gs_arena_printf(
        p->arena,
        "The first decision of each run that is not as in "
        "%s, and how many jobs wait less and more than "
        "there; gsim diff tells why",
        page_title(p, 0));
    fputs("<section id=\"parting\">\n<h2>Where the runs part</h2>\n", out);
    page_table_begin("where runs part", "", caption, out);
    page_head_put("run", "text", out);
    page_head_put("first decision", "text", out);
    page_head_put(page_title(p, 0), "text", out);
    page_head_put("the run", "text", out);
    page_head_put("less", "", out);
    page_head_put("more", "", out);
    page_head_put("all waiting", "", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 1; i < page_drawn(p); i++) {
        if (p->parting[i])
            row_put(p, i, out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}
