/* sim/study/whatif_words.c - the answer as sentences, and values as text. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "reports/table/cell_text.h"
#include "sim/study/inputs.h"
#include "sim/study/whatif.h"

/* --- values --------------------------------------------------------------- */

enum report_unit whatif_unit(const struct whatif *w, uint32_t key)
{
    const char *name = w->key[key];
    const struct report_metric_info *info = report_glossary_find(
        gs_arena_strndup(w->arena, name, strcspn(name, "[")));

    return info ? info->unit : REPORT_RATIO;
}

const char *whatif_trace_name(const struct whatif *w, uint32_t trace)
{
    return w->in[trace].trace_path;
}

const char *whatif_text(const struct whatif *w, const struct whatif_point *p,
                        const struct whatif_figures *f, uint32_t key)
{
    char value[REPORT_VALUE_TEXT], reach[REPORT_VALUE_TEXT];

    if (p->has_no_nodes)
        return "no nodes";
    if (!p->is_known || isnan(f->value[key]))
        return "-";
    if (isinf(f->value[key]))
        return "endless";
    report_format_value(whatif_unit(w, key), f->value[key], value);
    report_format_value(whatif_unit(w, key), f->reach[key], reach);
    return f->reach[key] > 0
               ? gs_arena_printf(w->arena, "%s \xc2\xb1%s", value, reach)
               : gs_arena_printf(w->arena, "%s", value);
}

/* --- words ---------------------------------------------------------------- */

/* " on busy.yaml", the trace of the target's worst value. */
static void on_trace(const struct whatif *w, const struct whatif_point *p,
                     FILE *out)
{
    if (w->traces > 1 && !p->has_no_nodes)
        fprintf(out, " on %s", whatif_trace_name(w, p->worst));
}

/* "binpack", "binpack with load=1.2" */
static void line_name(const struct whatif *w, const struct whatif_line *l,
                      FILE *out)
{
    fputs(w->policy[l->policy], out);
    if (w->axes > 1)
        fprintf(out, " with %s=%s", w->axis[1].path,
                w->axis[1].value[l->second]);
}

/* "nodes.h100=24" */
static void place(const struct whatif *w, const struct whatif_point *p,
                  FILE *out)
{
    fprintf(out, "%s=%s", w->axis[0].path, w->axis[0].value[p->at[0]]);
}

/* "(192 GPUs, 480 an hour)" */
static void size_of(const struct whatif *w, const struct whatif_point *p,
                    FILE *out)
{
    fprintf(out, "%.0f GPUs", p->gpus);
    if (w->prices)
        fprintf(out, ", %.2f an hour", p->cost);
}

/* The replayed point whose value is nearest to the target. */
static const struct whatif_point *nearest(const struct whatif *w,
                                          const struct whatif_line *l)
{
    const struct whatif_point *best = NULL;
    double least = (double)INFINITY;

    for (uint32_t i = l->point; i < l->point + l->search.count; i++) {
        const struct whatif_point *p = &w->point[i];
        const double off = p->is_known
                               ? fabs(p->all.value[0] - w->target->amount)
                               : (double)INFINITY;

        if (off < least
            || (!best && p->is_known && !p->has_no_nodes
                && isinf(p->all.value[0]))) {
            least = off;
            best = p;
        }
    }
    return best;
}

/* Print the value of the metric at the neighbour of the answer that misses the
 * target.
 */
static void beside(const struct whatif *w, const struct whatif_line *l,
                   uint32_t answer, FILE *out)
{
    const uint32_t at = answer - l->point;
    const bool from = l->search.first == at;
    const uint32_t other = from ? at - 1 : at + 1;
    const struct whatif_point *p;

    if (other >= l->search.count || !w->axis[0].number)
        return;
    p = &w->point[l->point + other];
    if (!p->is_known)
        return;
    fprintf(out, "; with %s it is %s", w->axis[0].value[other],
            whatif_text(w, p, &p->all, 0));
    on_trace(w, p, out);
}

/* Print the number of jobs whose waits are missing from the metrics. */
static void left_out(const struct whatif_point *p, FILE *out)
{
    if (p->all.rejected > 0)
        fprintf(out, "; but %.0f job%s rejected", p->all.rejected,
                p->all.rejected > 1 ? "s" : "");
    if (p->all.unfinished > 0)
        fprintf(out, "; but %.0f job%s never ended", p->all.unfinished,
                p->all.unfinished > 1 ? "s" : "");
}

static void line_answer(const struct whatif *w, const struct whatif_line *l,
                        FILE *out)
{
    const struct study_search *s = &l->search;
    const uint32_t answer = whatif_answer_of(w, l);
    const char *replayed = s->replayed < s->count ? " replayed" : "";
    const bool is_all = s->first == 0 && s->last == s->count - 1;
    const bool has_order = w->axis[0].number;
    const struct whatif_point *p;

    if (answer == STUDY_NO_POINT) {
        p = nearest(w, l);
        fprintf(out, "at no value%s%s", replayed,
                p ? "; the nearest is " : ", and no run has the metric");
        if (p) {
            fputs(whatif_text(w, p, &p->all, 0), out);
            on_trace(w, p, out);
            fputs(" with ", out);
            place(w, p, out);
        }
        return;
    }
    p = &w->point[answer];
    if (is_all)
        fprintf(out, "at every value%s; with ", replayed);
    else if (has_order && answer - l->point == s->first)
        fputs("from ", out);
    else if (has_order && answer - l->point == s->last)
        fputs("up to ", out);
    else
        fputs("at ", out);
    place(w, p, out);
    if (has_order && answer - l->point == s->first && s->first > 0)
        fputs(" on", out);
    fprintf(out, "%s%s", is_all ? " it is " : ": ",
            whatif_text(w, p, &p->all, 0));
    on_trace(w, p, out);
    fputs(" (", out);
    size_of(w, p, out);
    left_out(p, out);
    fputc(')', out);
    beside(w, l, answer, out);
}

/* Print on how many replays the answer is based. */
static void line_grounds(const struct whatif *w, const struct whatif_line *l,
                         FILE *out)
{
    const struct study_search *s = &l->search;

    if (s->replayed < s->count)
        fprintf(out,
                "    replayed %u of %u values: over these it only rises or "
                "only falls\n",
                s->replayed, s->count);
    else if (!s->is_monotone && w->axis[0].number)
        fprintf(out,
                "    replayed all %u values: %s goes up and down along them\n",
                s->count, w->target->key);
}

void whatif_words(const struct whatif *w, FILE *out)
{
    char limit[REPORT_VALUE_TEXT];
    uint32_t answer;

    if (!w->target || w->axes == 0)
        return;
    report_format_value(w->target->info->unit, w->target->amount, limit);
    fprintf(out, "%s is at %s %s", w->target->key,
            w->target->kind == REPORT_RULE_MAX ? "most" : "least", limit);
    if (w->traces > 1)
        fprintf(out, " on each of %u traces", w->traces);
    fputs(":\n", out);
    for (uint32_t i = 0; i < w->lines; i++) {
        fputs("  ", out);
        line_name(w, &w->line[i], out);
        fputs(": ", out);
        line_answer(w, &w->line[i], out);
        fputc('\n', out);
        line_grounds(w, &w->line[i], out);
    }
    answer = whatif_answer(w);
    if (w->lines < 2 || answer == STUDY_NO_POINT)
        return;
    fprintf(out, "%s: ", w->prices ? "Cheapest" : "Best");
    line_name(w, &w->line[answer / w->axis[0].count], out);
    fputs(w->axes > 1 ? " and " : " with ", out);
    place(w, &w->point[answer], out);
    fputs(", ", out);
    size_of(w, &w->point[answer], out);
    fputs(".\n", out);
}
