/* reports/diff/diff_print.c - prints a difference as a page for the terminal.
 */
#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "base/text.h"
#include "reports/diff/diff_private.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"

#define CELL 64u        /* bytes of a time, or an amount */
#define LABEL 20u       /* columns of a label */
#define NUMBER 14u      /* columns of a number, and of a node */
#define PLACES_SHOWN 4u /* nodes of a job in a sentence */
#define NODES_LEAST 2u  /* nodes in the table of scores */
#define NODE_MOST 29u   /* columns of such a node */

static const char *const names[2] = { "A", "B" };

static void heading(const struct report_layout *l, const char *text, FILE *out)
{
    fprintf(out, "\n%s%s%s", l->colour ? "\033[1m" : "", text,
            l->colour ? "\033[0m" : "");
}

static void cell(const char *s, FILE *out)
{
    report_format_text(s, NUMBER, false, out);
}

static const char *plural(int64_t n, int64_t one)
{
    return n == one ? "" : "s";
}

/* "3d4h", "-2h". */
static const char *span(double us, char *buf)
{
    const double most = (double)GS_TIME_MAX;

    buf[0] = '-';
    gs_duration_human((int64_t)(fabs(us) > most ? most : fabs(us)),
                      buf + (us < 0), CELL - 1);
    return buf;
}

/* "+3d4h", "-2h", "0". */
static const char *change(double us, char *buf)
{
    if (us == 0)
        return "0";
    buf[0] = '+';
    span(us, buf + (us > 0));
    return buf;
}

/* "8", "0.5". */
static const char *amount(double milli, char *buf)
{
    buf[0] = '\0';
    return isnan(milli) ? "-" : gs_text_add(buf, CELL, "%.10g", milli / 1000);
}

/* --- the decision --------------------------------------------------------- */

static void places_add(const struct report_diff_act *a, char *buf)
{
    char devices[256];

    for (uint32_t i = 0; i < a->places && i < PLACES_SHOWN; i++) {
        const struct report_diff_place *p = &a->place[i];

        gs_text_add(buf, REPORT_DIFF_TEXT, "%s%s", i ? ", " : " on ", p->node);
        report_format_devices(p->devices, devices, sizeof(devices));
        if (devices[0])
            gs_text_add(buf, REPORT_DIFF_TEXT, " (GPU %s)", devices);
        else if (p->tasks > 1)
            gs_text_add(buf, REPORT_DIFF_TEXT, " (%lld tasks)",
                        (long long)p->tasks);
    }
    if (a->places > PLACES_SHOWN)
        gs_text_add(buf, REPORT_DIFF_TEXT, " and %u more",
                    a->places - PLACES_SHOWN);
}

const char *report_diff_act_text(const struct report_diff_act *a, char *buf)
{
    buf[0] = '\0';
    gs_text_add(buf, REPORT_DIFF_TEXT, "%s", a->deed);
    if (a->kind[0])
        gs_text_add(buf, REPORT_DIFF_TEXT, " (%s%s%s)", a->kind,
                    a->by[0] ? " for " : "", a->by);
    places_add(a, buf);
    if (a->victims[0])
        gs_text_add(buf, REPORT_DIFF_TEXT, ", evicting %s", a->victims);
    return buf;
}

static void why_print(const struct report_diff_reason *r, FILE *out)
{
    if (r->cause && r->cause[0]) {
        fprintf(out, ": %s", r->cause);
        if (r->module[0])
            fprintf(out, ", refused by %s", r->module);
    }
    if (!r->other || !r->other[0])
        return;
    if (r->is_first)
        fprintf(out, "\n     and goes before %s", r->other);
    else
        fprintf(out, "\n     after %s", r->other);
    if (r->order_by[0])
        fprintf(out, ", by %s", r->order_by);
}

static void act_print(const struct report_diff *d, int side, FILE *out)
{
    char text[REPORT_DIFF_TEXT];

    fprintf(out, "  %s  it %s", names[side],
            report_diff_act_text(&d->act[side], text));
    why_print(&d->reason[side], out);
    if (d->reason[side].missing && d->act[side].cause[0]
        && strcmp(d->act[side].deed, "waits") == 0)
        fprintf(out, " (for %s, most of all its waiting)", d->act[side].cause);
    fputc('\n', out);
}

/* Why there are no points and no shares, once if it is the same for both. */
static void missing_print(const struct report_diff *d, FILE *out)
{
    const char *const why[2] = { d->reason[0].missing, d->reason[1].missing };

    if (why[0] && why[1] && strcmp(why[0], why[1]) == 0) {
        fprintf(out, "  not replayed, to tell why: %s\n", why[0]);
        return;
    }
    for (int side = 0; side < 2; side++) {
        if (why[side])
            fprintf(out, "  %s not replayed, to tell why: %s\n", names[side],
                    why[side]);
    }
}

static void decision_print(const struct report_diff *d,
                           const struct report_layout *l, FILE *out)
{
    const struct report_diff_job *j = report_diff_job(d);
    char at[CELL], gpus[CELL];

    heading(l, "The first decision that differs", out);
    fprintf(out, ": at %s, after %u equal placement%s\n",
            gs_instant_format(d->at, at, sizeof(at)), d->before,
            plural(d->before, 1));
    fprintf(out, "  job %s (#%u), %s GPU%s, queue %s", j->name, j->job,
            j->gpu_milli ? amount((double)j->gpu_milli, gpus) : "no",
            plural(j->gpu_milli ? j->gpu_milli : 1000, 1000), j->queue);
    if (d->together_count > 1)
        fprintf(out, "; %u more differ at this instant", d->together_count - 1);
    fputc('\n', out);
    for (int side = 0; side < 2; side++)
        act_print(d, side, out);
    missing_print(d, out);
}

/* --- scores --------------------------------------------------------------- */

static const char *points(int64_t score, char *buf)
{
    buf[0] = '\0';
    return score == 0 ? "0"
                      : gs_text_add(buf, CELL, "%.3f", (double)score / 1e6);
}

static bool has_points(const struct report_diff_reason *r, uint32_t module)
{
    bool has = false;

    for (uint32_t i = 0; i < r->nodes; i++)
        has |= r->node[i].points[module] != 0;
    return has;
}

/* True when any node accepts a task. */
static bool has_accepted(const struct report_diff_reason *r)
{
    bool has = false;

    for (uint32_t i = 0; i < r->nodes; i++)
        has |= !r->node[i].refused[0];
    return has;
}

/* Columns of a node: as many as the longest of the first names needs. */
static uint32_t node_width(const struct report_diff_reason *r)
{
    uint32_t width = NUMBER;

    for (uint32_t i = 0; i < r->nodes && i < NODES_LEAST; i++) {
        const size_t n = gs_text_length(r->node[i].node) + 2;

        width = n > width ? (uint32_t)n : width;
    }
    return width < NODE_MOST ? width : NODE_MOST;
}

static void scores_print(const struct report_diff *d, int side,
                         const struct report_layout *l, FILE *out)
{
    const struct report_diff_reason *r = &d->reason[side];
    const uint32_t width = node_width(r);
    const uint32_t fit = l->width >= LABEL + NODES_LEAST * width
                             ? (l->width - LABEL) / width
                             : NODES_LEAST;
    const uint32_t shown = r->nodes < fit ? r->nodes : fit;
    bool has_refused = false;
    char title[CELL], buf[CELL];

    if (!has_accepted(r))
        return;
    title[0] = '\0';
    heading(l,
            gs_text_add(title, CELL, "Points of nodes under %s", names[side]),
            out);
    fputs(", before it\n  ", out);
    report_format_text("", LABEL - 2, true, out);
    for (uint32_t i = 0; i < shown; i++)
        report_format_text(r->node[i].node, width, false, out);
    for (uint32_t m = 0; m < r->modules; m++) {
        if (!has_points(r, m))
            continue;
        fputs("\n  ", out);
        report_format_text(r->module_name[m], LABEL - 2, true, out);
        for (uint32_t i = 0; i < shown; i++)
            report_format_text(
                r->node[i].refused[0] ? "-" : points(r->node[i].points[m], buf),
                width, false, out);
    }
    fputs("\n  ", out);
    report_format_text("in all", LABEL - 2, true, out);
    for (uint32_t i = 0; i < shown; i++) {
        const struct report_diff_node *n = &r->node[i];

        report_format_text(n->refused[0] ? "-" : points(n->score, buf), width,
                           false, out);
        has_refused |= n->refused[0] != '\0';
    }
    if (has_refused) {
        fputs("\n  ", out);
        report_format_text("refused by", LABEL - 2, true, out);
    }
    for (uint32_t i = 0; i < shown && has_refused; i++) {
        const char *by = r->node[i].refused;

        report_format_text(by[0] ? by : "-", width, false, out);
    }
    fputc('\n', out);
}

static void queues_print(const struct report_diff *d, int side,
                         const struct report_layout *l, FILE *out)
{
    static const char *const title[] = { "held", "asked", "guarantee",
                                         "deserved", "limit" };
    const struct report_diff_reason *r = &d->reason[side];
    char buf[CELL];

    heading(l, "Queues then", out);
    fprintf(out, ", in %s\n", r->unit);
    report_format_text("", LABEL - 6, true, out);
    for (size_t i = 0; i < sizeof(title) / sizeof(title[0]); i++)
        report_format_text(title[i], NUMBER - 1, false, out);
    fputc('\n', out);
    for (uint32_t i = 0; i < r->queues; i++) {
        const struct report_diff_queue *q = &r->queue[i];
        const double v[] = { q->used, q->asked, q->guarantee, q->deserved,
                             q->limit };

        fputs("  ", out);
        report_format_text(q->name, LABEL - 8, true, out);
        for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); k++)
            report_format_text(amount(v[k], buf), NUMBER - 1, false, out);
        fputc('\n', out);
    }
}

/* --- profiles ------------------------------------------------------------- */

static void profiles_print(const struct report_diff *d, uint32_t list,
                           const struct report_layout *l, FILE *out)
{
    if (d->only_count[0] + d->only_count[1] == 0)
        return;
    heading(l, "What the profiles do not share", out);
    fputc('\n', out);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < d->only_count[side] && i < list; i++) {
            const char *line = d->only[side][i];
            const size_t most = l->width > 10 ? l->width - 6 : 10;
            const bool is_cut = gs_text_length(line) > most;

            fprintf(out, "  %s  %.*s%s\n", names[side],
                    (int)gs_text_bytes(line, is_cut ? most - 1 : most), line,
                    is_cut ? "~" : "");
        }
        if (d->only_count[side] > list)
            fprintf(out, "  %s  and %u more (--list N)\n", names[side],
                    d->only_count[side] - list);
    }
}

/* --- changes of waits -------------------------------------------------- */

static void count_cell(uint32_t n, FILE *out)
{
    char buf[CELL] = "";

    report_format_text(n ? gs_text_add(buf, CELL, "%u", n) : "-", 9, false,
                       out);
}

static void waits_cells(const double waited[2], FILE *out)
{
    char buf[CELL];

    for (int side = 0; side < 2; side++)
        cell(span(waited[side], buf), out);
    cell(change(waited[1] - waited[0], buf), out);
    fputc('\n', out);
}

static void groups_print(const char *title, const struct report_diff_groups *g,
                         uint32_t list, const struct report_layout *l,
                         FILE *out)
{
    if (g->count == 0)
        return;
    heading(l, title, out);
    fprintf(out, "%*s%9s%9s%14s%14s%14s\n", (int)(LABEL - strlen(title)), "",
            "less", "more", "A", "B", "change");
    for (uint32_t i = 0; i < g->count && i < list; i++) {
        fputs("  ", out);
        report_format_text(g->at[i].label, LABEL - 2, true, out);
        count_cell(g->at[i].gained, out);
        count_cell(g->at[i].lost, out);
        waits_cells(g->at[i].waited, out);
    }
    if (g->count > list)
        fprintf(out, "  and %u more (--list N)\n", g->count - list);
}

static void jobs_print(const char *title, const struct report_diff_job *j,
                       uint32_t count, const struct report_layout *l, FILE *out)
{
    char gpus[CELL];

    if (count == 0)
        return;
    heading(l, title, out);
    fprintf(out, "%*s%6s  %-10s%14s%14s%14s\n", (int)(LABEL - strlen(title)),
            "", "GPUs", "queue", "A", "B", "change");
    for (uint32_t i = 0; i < count; i++, j++) {
        const double waited[2] = { (double)j->waited[0], (double)j->waited[1] };

        fputs("  ", out);
        report_format_text(j->name, LABEL - 2, true, out);
        report_format_text(amount((double)j->gpu_milli, gpus), 6, false, out);
        fputs("  ", out);
        report_format_text(j->queue, 10, true, out);
        waits_cells(waited, out);
    }
}

static void run_print(const struct report_diff *d, int side, FILE *out)
{
    const struct report_stored_run *r = &d->run[side].run;
    char name[CELL], policy[CELL];

    fprintf(out, "%s  %s", names[side],
            gs_text_shown(r->name, name, sizeof(name)));
    if (strcmp(r->name, r->policy) != 0)
        fprintf(out, " (%s)", gs_text_shown(r->policy, policy, sizeof(policy)));
    fputc('\n', out);
}

void report_diff_print(const struct report_diff *d, uint32_t list,
                       const struct report_layout *layout, FILE *out)
{
    char buf[CELL], was[CELL], is[CELL], inputs[160];

    for (int side = 0; side < 2; side++)
        run_print(d, side, out);
    if (d->inputs)
        fprintf(out, "The runs differ in their inputs: %s\n",
                report_inputs_names(d->inputs, inputs, sizeof(inputs)));
    if (!d->differs) {
        fprintf(out, "No decision differs: %u jobs, %u placements\n", d->jobs,
                d->placed);
        return;
    }
    decision_print(d, layout, out);
    for (int side = 0; side < 2; side++)
        scores_print(d, side, layout, out);
    if (d->reason[0].queues || d->reason[1].queues)
        queues_print(d, d->reason[0].queues == 0, layout, out);
    profiles_print(d, list, layout, out);
    heading(layout, "Waiting", out);
    fprintf(
        out,
        ": %s under A, %s under B (%s)\n  of %u jobs %u wait%s less under B, "
        "%u more\n",
        span(d->waited[0], was), span(d->waited[1], is),
        change(d->waited[1] - d->waited[0], buf), d->jobs, d->gained,
        d->gained == 1 ? "s" : "", d->lost);
    groups_print("By queue", &d->queue, list, layout, out);
    groups_print("By GPUs of the job", &d->size, list, layout, out);
    groups_print("By cause", &d->cause, list, layout, out);
    jobs_print("Gained most", d->most_gained, d->gained_count, layout, out);
    jobs_print("Lost most", d->most_lost, d->lost_count, layout, out);
}
