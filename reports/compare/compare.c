/* reports/compare/compare.c - collects the runs and selects the metrics of a
 * comparison.
 */
#include <assert.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/choose.h"
#include "reports/store/deadlocks.h"
#include "reports/store/figures.h"
#include "reports/store/run_inputs.h"
#include "reports/store/store.h"

/* The headline metrics, in the order of the table. */
static const struct headline {
    const char *glob;
    bool unless_zero; /* omitted when it is 0 in all runs */
} headline[] = {
    { METRIC_GPU_TIME_USEFUL, false },
    { METRIC_GPU_TIME_REPEATED, true },
    { METRIC_GPU_TIME_STARTING, true },
    { METRIC_GPU_TIME_HOARDED, true },
    { METRIC_GPU_TIME_FRAGMENTED, true },
    { METRIC_GPU_TIME_SHORT, true },
    { METRIC_GPU_TIME_QUOTA, true },
    { METRIC_GPU_TIME_ORDER, true },
    { METRIC_GPU_TIME_IDLE, true },
    { METRIC_GPU_TIME_DOWN, true },
    { METRIC_WAIT "mean", false },
    { METRIC_WAIT "p50", false },
    { METRIC_WAIT "p95", false },
    { METRIC_WAIT "max", false },
    { METRIC_JCT "mean", false },
    { METRIC_SLOWDOWN "mean", false },
    { METRIC_WAIT_BY_CAUSE "*", true },
    { METRIC_GPU_BUSY, false },
    { METRIC_GOODPUT, false },
    { METRIC_FRAG_NODE_SHARE, false },
    { METRIC_FRAG_DEMAND, false },
    { METRIC_FRAG_LARGEST_GANG, false },
    { METRIC_FRAG_BLOCKED, true },
    { METRIC_FAIR_JAIN, false },
    { METRIC_FAIR_DRF_MAX_GAP, false },
    { METRIC_DEADLOCK_ENDLESS, false },
    { METRIC_DEADLOCK_EPISODES, false },
    { METRIC_DEADLOCK_JOBS, false },
    { METRIC_DEADLOCK_GPU_HOURS, false },
    { METRIC_LARGE_COUNT, false },
    { METRIC_LARGE_SUCCESS, false },
    { METRIC_LARGE_START_DELAY "mean", false },
    { METRIC_PLACEMENT_TIER_SHARE "node", false },
    { METRIC_JOBS_DONE, false },
    { METRIC_JOBS_REJECTED, false },
    { METRIC_JOBS_HELD, true },
    { METRIC_JOBS_UNFINISHED, false },
    { METRIC_SPEED_MEAN, true },
    { METRIC_SPEED_STRETCH, true },
    { METRIC_PREEMPT_COUNT, true },
    { METRIC_PREEMPT_LOST_GPU_HOURS, true },
    { METRIC_PREEMPT_OVER_BUDGET, true },
    { METRIC_MOVES_COUNT, true },
    { METRIC_MOVES_LOST_GPU_HOURS, true },
    { METRIC_GANG_TIMEOUTS, true },
    { METRIC_CONFLICTS, true },
    { METRIC_FAILURE_RESTARTS, true },
    { METRIC_FAILURE_LOST_GPU_HOURS, true },
    { METRIC_NODE_HOURS_PAID, true },
    { METRIC_NODE_AVAILABILITY, true },
    { METRIC_AUTOSCALE_UPS, true },
    { METRIC_SERVICE_UNSERVED_HOURS, true },
    { METRIC_MAKESPAN, false },
    { METRIC_MAKESPAN_OVER_BOUND, false },
    { METRIC_THROUGHPUT_JOBS_PER_HOUR, false },
};

#define N_HEADLINE (sizeof(headline) / sizeof(headline[0]))

enum report_format report_format_find(const char *name)
{
    static const char *const names[REPORT_FORMATS] = {
        [REPORT_TABLE] = "table",
        [REPORT_JSON] = "json",
        [REPORT_CSV] = "csv",
        [REPORT_MARKDOWN] = "markdown",
    };

    assert(name);
    return (enum report_format)gs_text_find(name, names, REPORT_FORMATS);
}

struct report_comparison *report_compare_create(struct gs_arena *arena)
{
    struct report_comparison *c = gs_arena_alloc(arena, 1, sizeof(*c));

    assert(arena);
    c->arena = arena;
    return c;
}

static struct compare_row *row_for(struct report_comparison *c,
                                   const struct report_stored_metric *m,
                                   uint32_t hint)
{
    struct compare_row *r;

    for (uint32_t k = 0; k < c->rows; k++) {
        r = &c->row[(hint + k) % c->rows]; /* runs usually have the same rows */
        if (strcmp(r->name, m->name) == 0 && strcmp(r->scope, m->scope) == 0
            && strcmp(r->label, m->label) == 0)
            return r;
    }
    c->row = gs_arena_grow(c->arena, c->row, &c->cap, c->rows, sizeof(*r));
    r = &c->row[c->rows++];
    *r = (struct compare_row){
        .name = m->name,
        .scope = m->scope,
        .label = m->label,
        .unit = m->unit,
        .info = report_glossary_find(m->name),
        .cell = gs_arena_alloc(c->arena, COMPARE_RUNS_MAX, sizeof(*r->cell)),
    };
    return r;
}

/* Read the notes, a JSON list of texts; anything else has none. */
static void notes_add(struct report_comparison *c,
                      const struct report_stored_run *run,
                      struct compare_run *to)
{
    json_t *list = json_loads(run->notes, 0, NULL), *text;
    size_t i;

    to->note = gs_arena_alloc(c->arena, json_array_size(list) + 1,
                              sizeof(*to->note));
    json_array_foreach(list, i, text)
    {
        if (json_is_string(text))
            to->note[to->notes++] = gs_text_copy(c->arena,
                                                 json_string_value(text));
    }
    json_decref(list);
}

static int run_add(struct report_comparison *c, struct report_store *s,
                   const struct report_stored_run *run, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    struct report_stored_metric *m;
    struct report_deadlock *d;
    struct compare_run *to;
    uint32_t count;

    if (c->runs == COMPARE_RUNS_MAX)
        return gs_fail(err, GS_LIMIT, nowhere,
                       "at most %u runs can be compared: choose by '--run'",
                       COMPARE_RUNS_MAX);
    if (report_store_metrics(s, run->id, c->arena, &m, &count, err) < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        row_for(c, &m[i], i)->cell[c->runs] = (struct compare_cell){ m[i].value,
                                                                     true };
    to = &c->run[c->runs];
    c->was[c->runs] = c->runs;
    c->runs++;
    *to = (struct compare_run){
        .name = gs_text_copy(c->arena, run->name),
        .path = gs_text_copy(c->arena, report_store_path(s)),
        .policy = gs_text_copy(c->arena, run->policy),
        .seed = run->seed,
        /* with the settings of queues, which no profile contains */
        .profile = gs_arena_printf(c->arena, "%s%s", run->profile,
                                   report_inputs_settings(run, c->arena)),
        .version = run->version,
        .inputs = report_inputs_text(run, c->arena),
    };
    to->title = to->name;
    notes_add(c, run, to);
    if (report_deadlocks_read(s, run->id, -1, c->arena, &d, &to->deadlocks, err)
        < 0)
        return -1;
    to->deadlock = report_deadlock_texts(d, to->deadlocks, c->arena);
    return 0;
}

/* Runs of several databases may have the same name. */
static void titles_make(struct report_comparison *c)
{
    for (uint32_t i = 0; i < c->runs; i++) {
        for (uint32_t k = 0; k < c->runs; k++) {
            if (strcmp(c->run[i].name, c->run[k].name) == 0
                && strcmp(c->run[i].path, c->run[k].path) != 0)
                c->run[i].title = gs_arena_printf(
                    c->arena, "%s@%s", c->run[i].name, c->run[i].path);
        }
    }
}

int report_compare_put(struct report_comparison *c,
                       const struct report_choice *choice, uint32_t count,
                       struct gs_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (run_add(c, choice[i].store, &choice[i].run, err) < 0)
            return -1;
    }
    titles_make(c);
    return 0;
}

int report_compare_take(struct report_comparison *c,
                        struct report_store *const *store, size_t stores,
                        const char *const *name, size_t names,
                        struct gs_err *err)
{
    struct report_choice *choice;
    uint32_t count;

    if (report_choose(store, stores, name, names, c->arena, &choice, &count,
                      err)
        < 0)
        return -1;
    return report_compare_put(c, choice, count, err);
}

int report_compare_add(struct report_comparison *c, struct report_store *s,
                       const char *const *name, size_t count,
                       struct gs_err *err)
{
    return report_compare_take(c, &s, 1, name, count, err);
}

/* --- choosing ------------------------------------------------------------- */

bool compare_is_named(struct gs_arena *arena, const char *glob,
                      const char *name, const char *scope, const char *label)
{
    const char *full = gs_arena_printf(arena, "%s%s%s", name,
                                       label[0] ? "." : "", label);

    return fnmatch(glob, full, 0) == 0
           || strcmp(glob, report_figure_key(arena, name, scope, label)) == 0;
}

static bool matches(struct report_comparison *c, const struct compare_row *r,
                    const char *glob)
{
    return fnmatch(glob, r->name, 0) == 0
           || compare_is_named(c->arena, glob, r->name, r->scope, r->label);
}

/* Order size classes by their smallest size, after the others ("CPU only",
 * "share").
 */
static int label_compare(const struct compare_row *a,
                         const struct compare_row *b)
{
    const bool are_sizes = strcmp(a->scope, "size") == 0;
    const long x = are_sizes ? strtol(a->label, NULL, 10) : 0;
    const long y = are_sizes ? strtol(b->label, NULL, 10) : 0;

    return x != y ? (x > y) - (x < y) : strcmp(a->label, b->label);
}

/* Order by name, scope and label: a metric that only some runs have is next to
 * related ones.
 */
static int row_compare(const void *pa, const void *pb)
{
    const struct compare_row *a = *(const struct compare_row *const *)pa;
    const struct compare_row *b = *(const struct compare_row *const *)pb;
    int order = strcmp(a->name, b->name);

    if (order == 0)
        order = strcmp(a->scope, b->scope);
    return order ? order : label_compare(a, b);
}

static void select_row(struct report_comparison *c, const struct compare_row *r)
{
    c->selected[c->selected_count++] = r;
}

static bool is_zero(const struct report_comparison *c,
                    const struct compare_row *r)
{
    for (uint32_t run = 0; run < c->runs; run++) {
        if (r->cell[run].is_there && r->cell[run].value != 0)
            return false;
    }
    return true;
}

static bool is_headline(const struct report_comparison *c,
                        const struct compare_row *r, const struct headline *h)
{
    return r->label[0] == '\0' && fnmatch(h->glob, r->name, 0) == 0
           && !(h->unless_zero && is_zero(c, r));
}

/* Select the rows that match the pattern and are not selected yet, by name. */
static uint32_t glob_select(struct report_comparison *c, const char *glob)
{
    const uint32_t before = c->selected_count;
    uint32_t matched = 0;

    for (uint32_t i = 0; i < c->rows; i++) {
        bool is_there = false;

        if (!matches(c, &c->row[i], glob))
            continue;
        matched++;
        for (uint32_t k = 0; k < before && !is_there; k++)
            is_there = c->selected[k] == &c->row[i];
        if (!is_there)
            select_row(c, &c->row[i]);
    }
    if (c->selected_count > before)
        qsort(c->selected + before, c->selected_count - before,
              sizeof(*c->selected), row_compare);
    return matched;
}

const char *report_compare_select_all(struct report_comparison *c,
                                      const char *const *glob, size_t count)
{
    const char *none = NULL;

    if (c->groups == 0)
        (void)report_compare_group(c, REPORT_BY_SEED, NULL); /* cannot fail */
    c->selected = gs_arena_alloc(c->arena, c->rows + 1, sizeof(*c->selected));
    c->selected_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (glob_select(c, glob[i]) == 0 && !none)
            none = glob[i];
    }
    for (uint32_t k = 0; count == 0 && k < N_HEADLINE; k++) {
        for (uint32_t i = 0; i < c->rows; i++) {
            if (is_headline(c, &c->row[i], &headline[k]))
                select_row(c, &c->row[i]);
        }
    }
    return none;
}

void report_compare_select(struct report_comparison *c, const char *glob)
{
    (void)report_compare_select_all(c, &glob, glob != NULL);
}

uint32_t report_compare_runs(const struct report_comparison *c)
{
    assert(c);
    return c->runs;
}

uint32_t report_compare_rows(const struct report_comparison *c)
{
    assert(c);
    return c->selected_count;
}
