/* reports/page/page_inputs.c - what the runs were made from, folded away. */
#include <inttypes.h>

#include "reports/page/page_private.h"

static void table_put(const struct report_page *p, FILE *out)
{
    static const char *const heads[][2] = {
        { "Run", "" },          { "Policy", "text" }, { "Trace", "text" },
        { "Topology", "text" }, { "GPUs", "" },       { "Seed", "" },
        { "Status", "text" },   { "gsim", "text" },
    };

    page_table_begin("inputs", "", "What the runs were made from.", out);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        page_head_put(heads[i][0], heads[i][1], out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct page_run *r = &p->run[run];

        page_print(out,
                   "<tr><th scope=\"row\">%s</th><td class=\"text\">%s</td>"
                   "<td class=\"text\">%s</td><td class=\"text\">%s</td>",
                   p->compare->run[run].title, r->policy, r->trace,
                   r->topology);
        fprintf(out, "<td>%.0f</td><td>%" PRIu64 "</td>", r->gpus,
                (uint64_t)r->seed);
        page_print(out,
                   "<td class=\"text\">%s</td><td class=\"text\">%s</td>"
                   "</tr>\n",
                   r->status, r->version);
    }
    fputs("</tbody></table></div>\n", out);
}

void page_inputs(const struct report_page *p, FILE *out)
{
    fputs("<section id=\"inputs\">\n<h2>Inputs and profiles</h2>\n<details>"
          "<summary>What the runs were made from</summary>\n",
          out);
    table_put(p, out);
    for (uint32_t run = 0; run < page_drawn(p); run++)
        page_print(out, "<h3>%s</h3>\n<pre>%s</pre>\n",
                   p->compare->run[run].title, p->run[run].profile);
    fputs("</details>\n</section>\n", out);
}
