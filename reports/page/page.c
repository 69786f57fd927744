/* reports/page/page.c - the content of the page. */
#include "reports/page/page.h"

#include <assert.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/page/page_private.h"
#include "reports/store/choose.h"
#include "reports/store/store_private.h"
#include "share/share.h"

/* --- gathering ------------------------------------------------------------ */

struct report_page *report_page_create(struct gs_arena *arena)
{
    struct report_page *p = gs_arena_alloc(arena, 1, sizeof(*p));

    assert(arena);
    p->arena = arena;
    p->compare = report_compare_create(arena);
    p->run = gs_arena_alloc(arena, COMPARE_RUNS_MAX, sizeof(*p->run));
    return p;
}

static int run_read(struct report_page *p, struct report_store *s, int64_t id,
                    struct page_run *r)
{
    sqlite3_stmt *st = store_ask(
        s,
        "SELECT coalesce(from_us, 0), gpus, policy, status, version, trace,"
        " topology, trace_hash, topology_hash, seed, coalesce(to_us, end_us),"
        " profile FROM runs WHERE id = ?1",
        id, 0, 0);
    const char **const text[] = { &r->policy,       &r->status,
                                  &r->version,      &r->trace,
                                  &r->topology,     &r->trace_hash,
                                  &r->topology_hash };
    const bool is_there = st && sqlite3_step(st) == SQLITE_ROW;

    if (is_there) {
        r->store = s;
        r->id = id;
        r->from_us = sqlite3_column_int64(st, 0);
        r->gpus = sqlite3_column_double(st, 1);
        for (int i = 0; i < 7; i++)
            *text[i] = store_clean_text(st, 2 + i, p->arena);
        r->seed = sqlite3_column_int64(st, 9);
        r->profile = store_clean_text(st, 11, p->arena);
        r->to_us = sqlite3_column_int64(st, 10);
        r->from_us = r->from_us < 0 ? 0 : r->from_us;
        r->to_us = r->to_us < r->from_us ? r->from_us : r->to_us;
    }
    sqlite3_finalize(st);
    return is_there ? 0 : -1;
}

int report_page_take(struct report_page *p, struct report_store *const *store,
                     size_t stores, const char *const *name, size_t names,
                     struct gs_err *err)
{
    const uint32_t before = report_compare_runs(p->compare);
    struct report_choice *choice;
    uint32_t count;

    assert(p && store);
    if (report_choose(store, stores, name, names, p->arena, &choice, &count,
                      err)
            < 0
        || report_compare_put(p->compare, choice, count, err) < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        struct page_run *r = &p->run[before + i];

        if (run_read(p, choice[i].store, choice[i].run.id, r) < 0)
            return store_fail(choice[i].store, "cannot read the runs", err);
        r->stored = choice[i].run;
        if (report_axes_read(&r->axes, choice[i].store, &choice[i].run,
                             p->arena, err)
            < 0)
            return -1;
    }
    return 0;
}

int report_page_group(struct report_page *p, enum report_by by,
                      struct gs_err *err)
{
    const uint32_t runs = report_page_runs(p);
    struct page_run *was;

    if (report_compare_group(p->compare, by, err) < 0)
        return -1;
    was = gs_arena_memdup(p->arena, p->run, runs * sizeof(*was));
    for (uint32_t i = 0; i < runs; i++)
        p->run[i] = was[p->compare->was[i]];
    page_axes_read(p);
    for (uint32_t i = 0; i < page_drawn(p); i++)
        p->end_s = fmax(p->end_s,
                        (double)(p->run[i].to_us - p->run[i].from_us) / 1e6);
    return 0;
}

int report_page_metrics(struct report_page *p, const char *const *glob,
                        size_t count, struct gs_err *err)
{
    const char *none = NULL;

    assert(p && (glob || count == 0));
    p->metric = glob;
    p->metrics = count;
    if (count)
        none = report_compare_select_all(p->compare, glob, count);
    return none ? gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                          "no metric matches '%.60s' (see 'gsim compare "
                          "--explain')",
                          none)
                : 0;
}

uint32_t report_page_runs(const struct report_page *p)
{
    assert(p);
    return report_compare_runs(p->compare);
}

uint32_t page_drawn(const struct report_page *p)
{
    const uint32_t groups = p->compare->groups;

    return groups < PAGE_DRAWN ? groups : PAGE_DRAWN;
}

const char *page_short(const struct report_page *p, const char *s)
{
    const size_t length = gs_text_length(s);
    size_t head, tail;

    if (length <= PAGE_SHORT)
        return s;
    /* names often differ at their ends */
    head = gs_text_bytes(s, PAGE_SHORT / 2);
    tail = gs_text_bytes(s, length - (PAGE_SHORT - 1 - PAGE_SHORT / 2));
    return gs_arena_printf(p->arena, "%.*s~%s", (int)head, s, s + tail);
}

/* --- laying out ----------------------------------------------------------- */

static void head_put(const struct report_page *p, FILE *out)
{
    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
          "<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\""
          " content=\"default-src 'none'; img-src data:;"
          " style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n",
          out);
    page_print(out, "<title>gsim report: %s", page_title(p, 0));
    if (p->compare->groups > 1)
        page_print(out, " and %u more", p->compare->groups - 1);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            share_page_page_css);
}

static void nav_put(const struct report_page *p, FILE *out)
{
    static const char link[] = "<li><a href=\"#%s\">%s</a></li>\n";

    fputs("<nav aria-label=\"contents\"><ul>\n", out);
    if (page_curve_axis(p, 0))
        fprintf(out, link, page_curves_picture.name, page_curves_picture.title);
    fprintf(out, link, "pictures", "Over time");
    fprintf(out, link, page_map_picture.name, page_map_picture.title);
    fprintf(out, link, "longest", "Longest waits");
    if (page_parting_is_there(p))
        fprintf(out, link, "parting", "Where the runs part");
    fprintf(out, link, "verdict", "In words");
    fprintf(out, link, "tables", "All figures");
    fprintf(out, link, "inputs", "Inputs and profiles");
    fprintf(out, link, "glossary", "What the metrics mean");
    fputs("</ul></nav>\n", out);
}

static bool is_of_one_trace(const struct report_page *p)
{
    for (uint32_t i = 1; i < p->compare->runs; i++) {
        if (strcmp(p->run[i].trace_hash, p->run[0].trace_hash) != 0)
            return false;
    }
    return true;
}

static void titles_put(const struct report_page *p, FILE *out)
{
    page_print(out,
               "<header>\n<h1>gsim report</h1>\n<p class=\"soft\">%u run%s of "
               "%s%s",
               p->compare->runs, p->compare->runs == 1 ? "" : "s",
               p->run[0].trace, is_of_one_trace(p) ? "" : " and other traces");
    if (p->run[0].topology[0])
        page_print(out, " on %s", p->run[0].topology);
    fprintf(out, ", %.0f GPUs.</p>\n</header>\n", p->run[0].gpus);
}

int report_page_write(struct report_page *p, FILE *out, struct gs_err *err)
{
    int rc;

    assert(p && out);
    p->has_gnuplot = report_gnuplot_is_there();
    page_rank_prepare(p);
    page_parting_read(p);
    head_put(p, out);
    titles_put(p, out);
    nav_put(p, out);
    fputs("<main>\n", out);
    page_board(p, out);
    page_gpu_time(p, out);
    if (page_curves_put(p, out, err) < 0)
        return -1;
    fputs("<section id=\"pictures\">\n<h2>Over time</h2>\n", out);
    if (!p->has_gnuplot)
        fputs("<p class=\"note\">gnuplot is not installed, so there are no "
              "pictures, only their data (on Debian and Ubuntu: package "
              "gnuplot-nox).</p>\n",
              out);
    if (p->compare->is_grouped)
        fputs("<p class=\"note\">Of the first run of each mean.</p>\n", out);
    if (p->compare->groups > PAGE_DRAWN)
        page_print(out, "<p class=\"note\">Of the first %u %s.</p>\n",
                   PAGE_DRAWN, p->compare->is_grouped ? "of them" : "runs");
    rc = page_figures(p, out, err);
    fputs("</section>\n", out);
    if (rc == 0)
        rc = page_longest(p, out, err);
    page_parting(p, out);
    page_verdict(p, out);
    page_tables(p, out);
    page_inputs(p, out);
    page_glossary(out);
    fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n",
            share_page_page_js);
    return rc;
}
