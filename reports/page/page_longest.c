/* reports/page/page_longest.c - the jobs that waited longest, and the command
 * that explains each.
 */
#include <sqlite3.h>

#include "reports/page/page_private.h"
#include "reports/store/store_private.h"

#define JOBS 5 /* of a run */

static const char longest[] =
    "SELECT name, job, queue, gpus, wait, coalesce(cause, '') FROM v_jobs"
    " WHERE run = (SELECT name FROM runs WHERE id = ?1) AND wait > 0"
    " ORDER BY wait DESC, job LIMIT ?2";

static void job_put(const struct report_page *p, uint32_t run, sqlite3_stmt *st,
                    FILE *out)
{
    const struct page_run *r = &p->run[run];
    const char *name = store_clean_text(st, 0, p->arena);
    char text[REPORT_VALUE_TEXT];

    page_print(out,
               "<tr data-run=\"%s\"><th scope=\"row\">%s</th>"
               "<td class=\"text\">%s</td><td class=\"text\">%s</td>",
               page_short(p, p->compare->run[run].title),
               p->compare->run[run].title, name,
               store_clean_text(st, 2, p->arena));
    fprintf(out, "<td>%g</td>", sqlite3_column_double(st, 3));
    report_format_value(REPORT_SECONDS, sqlite3_column_double(st, 4), text);
    page_print(out, "<td>%s</td><td class=\"text\">%s</td>", text,
               store_clean_text(st, 5, p->arena));
    page_print(out,
               "<td class=\"text\"><code>gsim explain %s %s &#39;#%u&#39;"
               "</code></td></tr>\n",
               report_store_path(r->store), r->stored.name,
               (unsigned)sqlite3_column_int64(st, 1));
}

static int run_put(const struct report_page *p, uint32_t run, FILE *out)
{
    sqlite3_stmt *st = store_ask(p->run[run].store, longest, p->run[run].id,
                                 JOBS, 0);
    int rc = st ? SQLITE_ROW : SQLITE_ERROR;

    while (st && (rc = sqlite3_step(st)) == SQLITE_ROW)
        job_put(p, run, st, out);
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

int page_longest(const struct report_page *p, FILE *out, struct gs_err *err)
{
    static const char *const heads[][2] = {
        { "Run", "" },     { "Job", "text" }, { "Queue", "text" },
        { "GPUs", "" },    { "Waited", "" },  { "Last for", "text" },
        { "Why", "text" },
    };

    fputs("<section id=\"longest\">\n<h2>Longest waits</h2>\n", out);
    page_table_begin("the longest waits", "", "The command explains the job.",
                     out);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        page_head_put(heads[i][0], heads[i][1], out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t run = 0; run < page_drawn(p); run++) {
        if (run_put(p, run, out) < 0)
            return store_fail(p->run[run].store, "cannot read the jobs", err);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
    return 0;
}
