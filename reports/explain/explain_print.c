/* reports/explain/explain_print.c - prints a job as a page. */
#include <assert.h>
#include <string.h>

#include "base/duration.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"
#include "reports/table/cell_text.h"

#define SPANS_SHOWN 40u
#define DEADLOCKS_SHOWN 4u
#define US_PER_HOUR 3.6e9

/* --- the page: what was asked --------------------------------------------- */

static const char *span(int64_t us, char *buf)
{
    return gs_duration_format(us, buf, EXPLAIN_CELL);
}

static const char *instant(int64_t us, char *buf)
{
    return gs_instant_format(us, buf, EXPLAIN_CELL);
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

void explain_heading(const struct report_layout *l, const char *text, FILE *out)
{
    fprintf(out, "%s%s%s", l->colour ? "\033[1m" : "", text,
            l->colour ? "\033[0m" : "");
}

static void asked_print(const struct report_explained *e, FILE *out)
{
    fprintf(out, "asked      %lld task%s", (long long)e->tasks,
            plural(e->tasks));
    if (e->gang < e->tasks)
        fprintf(out, " (a gang of %lld)", (long long)e->gang);
    if (e->completions > 0)
        fprintf(out, " at a time, %lld to complete", (long long)e->completions);
    fprintf(out, ", %lld", (long long)(e->gpu_milli / 1000));
    if (e->gpu_milli % 1000)
        fprintf(out, ".%03d", (int)(e->gpu_milli % 1000));
    fprintf(out, " GPU%s in all\n", plural(e->gpu_milli == 1000 ? 1 : 2));
    fprintf(out, "queue      %s\n", e->queue);
    if (e->priority[0])
        fprintf(out, "priority   %s\n", e->priority);
    if (e->user[0])
        fprintf(out, "user       %s\n", e->user);
    if (e->scheduler[0])
        fprintf(out, "scheduler  %s\n", e->scheduler);
}

/* When it came, and what kept it from waiting. */
static void submission_print(const struct report_explained *e, FILE *out)
{
    char at[EXPLAIN_CELL], after[EXPLAIN_CELL];

    if (e->has_stood)
        fprintf(
            out, "submitted  before the trace began, when it held nodes%s%s\n",
            e->before ? " for " : "", e->before ? span(e->before, after) : "");
    else
        fprintf(out, "submitted  %s\n", instant(e->arrived, at));
    if (strcmp(e->state, "held") == 0)
        fprintf(out, "           and held until the run ended, at %s\n",
                instant(e->run_end, at));
    else if (e->submit > e->arrived)
        fprintf(out, "held       %s, until %s\n",
                span(e->submit - e->arrived, after), instant(e->submit, at));
}

static void start_print(const struct report_explained *e, FILE *out)
{
    char at[EXPLAIN_CELL], after[EXPLAIN_CELL];

    if (e->has_stood)
        fprintf(out, "started    %s%s", e->start > 0 ? "" : "by ",
                instant(e->start, at));
    else
        fprintf(out, "started    %s, %s later", instant(e->start, at),
                span(e->start - e->submit, after));
    fprintf(out, "%s%s\n",
            e->tier[0] == '\0'                ? ""
            : strcmp(e->tier, "cluster") == 0 ? ", across the "
                                              : ", within one ",
            e->tier);
}

/* Is its reason the quota that it lacked? */
static bool is_lack(const struct report_explained *e)
{
    static const char *const others[] = { "failed", "rejected", "held" };
    bool is_other = e->reason[0] == '\0';

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        is_other |= strcmp(e->state, others[i]) == 0;
    return !is_other;
}

static void times_print(const struct report_explained *e, FILE *out)
{
    char at[EXPLAIN_CELL], after[EXPLAIN_CELL];

    submission_print(e, out);
    if (e->start >= 0)
        start_print(e, out);
    if (e->end >= 0 && e->start >= 0 && e->end >= e->start)
        fprintf(out, "ended      %s, %s later (%s)\n", instant(e->end, at),
                span(e->end - e->start, after), e->state);
    else if (e->end >= 0)
        fprintf(out, "%-9s  %s\n", e->state, instant(e->end, at));
    else if (e->submit > e->run_end && strcmp(e->state, "held") != 0)
        fprintf(out, "           that is after the run, which ended at %s\n",
                instant(e->run_end, at));
    else if (strcmp(e->state, "held") != 0)
        fprintf(out, "ended      not when the run did, at %s (%s)\n",
                instant(e->run_end, at), e->state);
    if (e->reason[0] && !is_lack(e))
        fprintf(out, "because    %s\n", e->reason);
    for (uint32_t i = 0; i < e->deadlocks && i < DEADLOCKS_SHOWN; i++)
        fprintf(out, "%s\n", e->deadlock_text[i]);
    if (e->deadlocks > DEADLOCKS_SHOWN)
        fprintf(out, "           and %u times more\n",
                e->deadlocks - DEADLOCKS_SHOWN);
}

/* --- the page: what happened ---------------------------------------------- */

/* The meaning of a cause for this job, in a sentence. */
static const char *meaning(const struct report_explained *e, const char *cause)
{
    const struct {
        const char *cause, *text;
    } meanings[] = {
        { "quota", e->quota },
        { "capacity", "less was free than it asks for" },
        { "fragmentation", "enough was free, but no set of nodes fitted" },
        { "topology", "not within the tier it asks for" },
        { "constraint", "no node that meets its constraints took tasks" },
        { "hoarding", "partially allocated jobs held what it lacks" },
        { "order", "jobs ahead of it went first" },
        { "latency", "tasks not created yet, or start not yet in effect" },
        { "", "no cause is known" },
    };

    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (strcmp(cause, meanings[i].cause) == 0)
            return meanings[i].text;
    }
    return "";
}

/* Names of limits are those of Slurm, and no names of modules. */
static bool is_limit(const char *name)
{
    return name[0] >= 'A' && name[0] <= 'Z';
}

/* "quota NAME", "pool NAME", "limit of user NAME in queue NAME". */
static bool is_named(const char *name)
{
    return strncmp(name, "quota ", 6) == 0 || strncmp(name, "pool ", 5) == 0
           || strncmp(name, "limit of ", 9) == 0;
}

/* Print "module overcommit refused it: ..." for one module, else the time of
 * each module.
 */
static void refusals_print(const struct report_explained *e, FILE *out)
{
    static const char *const why[][2] = {
        { "queue", ": its queue or user may not hold more (limit, user_limit, "
                   "guarantee of others)" },
        { "overcommit",
          ": the admitted jobs ask for its whole limit (factor)" },
        { "over-quota", ": its queue may not hold more (limit, deserved)" },
        { "queue-limits",
          ": its queue or user may not hold more (limit, user_limit)" },
        { "quota", ": its queue has no quota left (guarantee, borrow)" },
    };
    char us[EXPLAIN_CELL];

    for (uint32_t i = 0; i < e->refusals; i++) {
        const struct report_explained_refusal *r = &e->refusal[i];

        fprintf(out, "%s%s%s refused it", i ? ", " : "",
                is_named(r->module)   ? ""
                : is_limit(r->module) ? "limit "
                                      : "module ",
                r->module);
        for (size_t k = 0; k < sizeof(why) / sizeof(why[0]); k++) {
            if (e->refusals == 1 && !is_lack(e)
                && strcmp(why[k][0], r->module) == 0)
                fputs(why[k][1], out);
        }
        if (is_lack(e) && strcmp(r->module, "quota") == 0)
            fprintf(out, ": %s", e->reason);
        if (e->refusals > 1)
            fprintf(out, " for %s", span(r->us, us));
    }
}

/* The part of the waits that is after evictions, by cause. */
static void again_print(const struct report_explained *e,
                        const struct report_layout *l, FILE *out)
{
    char us[EXPLAIN_CELL];
    int64_t again = 0;

    for (uint32_t i = 0; i < e->waits; i++)
        again += e->wait[i].us - e->wait[i].first;
    if (again <= 0)
        return;
    explain_heading(l, "of which after evictions ", out);
    explain_heading(l, span(again, us), out);
    explain_heading(l, " for", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < e->waits; i++) {
        const struct report_explained_wait *w = &e->wait[i];

        if (w->us > w->first)
            fprintf(out, "  %-13s  %12s  %5.1f %%\n",
                    w->cause[0] ? w->cause : "-", span(w->us - w->first, us),
                    (double)(w->us - w->first) / (double)again * 100);
    }
}

static void waits_print(const struct report_explained *e,
                        const struct report_layout *l, FILE *out)
{
    char us[EXPLAIN_CELL];
    double all = 0;

    if (e->waits == 0)
        return;
    fputc('\n', out);
    explain_heading(l, e->start >= 0 || e->end >= 0 ? "Waited " : "Has waited ",
                    out);
    explain_heading(l, span(e->waited, us), out);
    explain_heading(l, " for", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < e->waits; i++)
        all += (double)e->wait[i].us;
    for (uint32_t i = 0; i < e->waits; i++) {
        const struct report_explained_wait *w = &e->wait[i];

        fprintf(out, "  %-13s  %12s  %5.1f %%  ", w->cause[0] ? w->cause : "-",
                span(w->us, us), all > 0 ? (double)w->us / all * 100 : 0);
        if (strcmp(w->cause, "quota") == 0 && e->refusals)
            refusals_print(e, out);
        else
            fputs(meaning(e, w->cause), out);
        if (w->cause[0] == '\0' && e->cause[0])
            fprintf(out, "; at last it was %s", e->cause);
        fputc('\n', out);
    }
    again_print(e, l, out);
    if (e->deadlocks && e->deadlock[e->deadlocks - 1].is_endless)
        fprintf(out,
                "  deadlock           for ever           since %s; the times "
                "above end with the run\n",
                span(e->deadlock[e->deadlocks - 1].start, us));
}

/* Width of a column: that of its content, within limits. */
static int width_of(size_t least, size_t length)
{
    return (int)(length > 40 ? 40 : length > least ? length : least);
}

static void cell(const char *s, int width, FILE *out)
{
    const int blanks = width - (int)gs_text_length(s);

    fprintf(out, "%s%*s  ", s, blanks > 0 ? blanks : 0, "");
}

/* "3", "0-7", "1:0-3" with the group where there are several. */
static const char *tasks_of(const struct report_explained_span *p,
                            bool has_groups, char *buf)
{
    buf[0] = '\0';
    if (has_groups)
        gs_text_add(buf, EXPLAIN_CELL, "%lld:", (long long)p->group);
    gs_text_add(buf, EXPLAIN_CELL, "%lld", (long long)p->first_task);
    if (p->tasks > 1)
        gs_text_add(buf, EXPLAIN_CELL, "-%lld",
                    (long long)(p->first_task + p->tasks - 1));
    return buf;
}

static void spans_print(const struct report_explained *e,
                        const struct report_layout *l, FILE *out)
{
    const uint32_t shown = e->spans < SPANS_SHOWN ? e->spans : SPANS_SHOWN;
    int from = 4, to = 5, node = 4, domain = 0, tasks = 8;
    bool has_groups = false;
    char buf[EXPLAIN_CELL], devices[256];

    for (uint32_t i = 0; i < e->spans; i++)
        has_groups |= e->span[i].group > 0;
    for (uint32_t i = 0; i < shown; i++) {
        const struct report_explained_span *p = &e->span[i];

        from = width_of((size_t)from, strlen(instant(p->start, buf)));
        to = width_of((size_t)to,
                      p->end < 0 ? 0 : strlen(instant(p->end, buf)));
        node = width_of((size_t)node, gs_text_length(p->node));
        domain = width_of((size_t)domain, gs_text_length(p->domain));
        tasks = width_of((size_t)tasks, strlen(tasks_of(p, has_groups, buf)));
    }
    if (shown == 0)
        return;
    fputc('\n', out);
    explain_heading(l, e->start >= 0 ? "Held" : "Held, without ever running",
                    out);
    fputs("\n  ", out);
    cell("from", from, out);
    cell("to", to, out);
    cell("node", node, out);
    if (domain)
        cell("in", domain, out);
    cell("task no.", tasks, out);
    fputs("GPU no.\n", out);
    for (uint32_t i = 0; i < shown; i++) {
        const struct report_explained_span *p = &e->span[i];

        fputs("  ", out);
        cell(instant(p->start, buf), from, out);
        cell(p->end < 0 ? "(end)" : instant(p->end, buf), to, out);
        cell(p->node, node, out);
        if (domain)
            cell(p->domain, domain, out);
        cell(tasks_of(p, has_groups, buf), tasks, out);
        report_format_devices(p->devices, devices, sizeof(devices));
        fprintf(out, "%s\n", devices[0] ? devices : "-");
    }
    if (shown < e->spans)
        fprintf(out, "  ... and %u more (all with --format json)\n",
                e->spans - shown);
}

static void eviction_print(const struct report_explained_eviction *v, FILE *out)
{
    char us[EXPLAIN_CELL];

    fprintf(out, "  %s  %s: %s%lld task%s", instant(v->at, us), v->kind,
            v->is_whole ? "all its " : "", (long long)v->tasks,
            plural(v->tasks));
    if (!v->is_whole)
        fputs(" above its gang", out);
    if (v->by_job >= 0)
        fprintf(out, ", for %s (job %lld%s%s)", v->by, (long long)v->by_job,
                v->by_queue[0] ? ", queue " : "", v->by_queue);
    else if (strcmp(v->kind, "move") == 0)
        fputs(", to empty its node", out);
    else if (strcmp(v->kind, "timeout") == 0)
        fputs(", its gang not being complete in time", out);
    else if (strcmp(v->kind, "lost") == 0)
        fputs(", with a node or GPU that failed or went", out);
    if (v->lost > 0)
        fprintf(out, "; %s of work lost (%.2f GPU h)", span(v->lost, us),
                (double)v->lost_gpu_us / US_PER_HOUR);
    fputc('\n', out);
}

static void evictions_print(const struct report_explained *e,
                            const struct report_layout *l, FILE *out)
{
    char text[EXPLAIN_CELL];

    if (e->evictions == 0)
        return;
    snprintf(text, sizeof(text), "Gave back %u time%s", e->evictions,
             plural(e->evictions));
    fputc('\n', out);
    explain_heading(l, text, out);
    if (e->lost_gpu_us > 0)
        fprintf(out, ", %.2f GPU h of work lost",
                (double)e->lost_gpu_us / US_PER_HOUR);
    fputc('\n', out);
    for (uint32_t i = 0; i < e->evictions; i++)
        eviction_print(&e->eviction[i], out);
}

void report_explain_print(const struct report_explained *e,
                          const struct report_layout *layout, FILE *out)
{
    assert(e && out);
    if (layout->format == REPORT_JSON) {
        explain_json(e, out);
        return;
    }
    explain_heading(layout, e->name, out);
    fprintf(out, " (job %lld) in run %s, policy %s: %s\n\n", (long long)e->job,
            e->run, e->policy, e->state);
    asked_print(e, out);
    times_print(e, out);
    waits_print(e, layout, out);
    explain_timeline_print(e, layout, out);
    spans_print(e, layout, out);
    explain_segments_print(e, layout->colour, out);
    evictions_print(e, layout, out);
}
