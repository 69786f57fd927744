/* reports/compare.c - gathering and choosing what to compare. */
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/compare_private.h"
#include "reports/store.h"

/* What is shown unless asked otherwise, in this order. */
static const struct headline {
    const char *glob;
    bool unless_zero; /* only where some run has more than none of it */
} headline[] = {
    { "wait.mean", false },
    { "wait.p50", false },
    { "wait.p95", false },
    { "wait.max", false },
    { "jct.mean", false },
    { "slowdown.mean", false },
    { "wait.by_cause.*", true },
    { "gpu.allocated", false },
    { "gpu.hoarded", false },
    { "goodput", false },
    { "frag.node_share", false },
    { "frag.free_share", false },
    { "frag.capacity_share", false },
    { "frag.demand", false },
    { "frag.largest_gang", false },
    { "frag.blocked", true },
    { "fair.jain", false },
    { "fair.drf_max_gap", false },
    { "deadlock.episodes", false },
    { "deadlock.jobs", false },
    { "deadlock.gpu_hours", false },
    { "large.count", false },
    { "large.success", false },
    { "large.start_delay.mean", false },
    { "placement.tier_share.node", false },
    { "jobs.done", false },
    { "jobs.rejected", false },
    { "jobs.unfinished", false },
    { "speed.mean", true },
    { "speed.stretch", true },
    { "preempt.count", true },
    { "preempt.lost_gpu_hours", true },
    { "gang.timeouts", true },
    { "failure.restarts", true },
    { "failure.lost_gpu_hours", true },
    { "node.hours_paid", true },
    { "node.availability", true },
    { "autoscale.ups", true },
    { "service.unserved_hours", true },
    { "makespan", false },
    { "makespan.over_bound", false },
    { "throughput.jobs_per_hour", false },
};

#define N_HEADLINE (sizeof(headline) / sizeof(headline[0]))

static const char *clean(struct gs_arena *arena, const char *s)
{
    char *copy = gs_arena_strndup(arena, s, strlen(s));

    gs_text_clean(copy);
    return copy;
}

enum report_format report_format_find(const char *name)
{
    static const char *const names[REPORT_FORMATS] = {
        [REPORT_TABLE] = "table",
        [REPORT_JSON] = "json",
        [REPORT_CSV] = "csv",
        [REPORT_MARKDOWN] = "markdown",
    };
    int f = 0;

    while (f < REPORT_FORMATS && strcmp(names[f], name) != 0)
        f++;
    return (enum report_format)f;
}

struct report_comparison *report_compare_create(struct gs_arena *arena)
{
    struct report_comparison *c = gs_arena_alloc(arena, 1, sizeof(*c));

    c->arena = arena;
    return c;
}

static struct compare_row *row_for(struct report_comparison *c,
                                   const struct report_stored_metric *m,
                                   uint32_t hint)
{
    struct compare_row *grown, *r;

    for (uint32_t k = 0; k < c->rows; k++) {
        r = &c->row[(hint + k) % c->rows]; /* mostly the next one */
        if (strcmp(r->name, m->name) == 0 && strcmp(r->scope, m->scope) == 0
            && strcmp(r->label, m->label) == 0)
            return r;
    }
    if (c->rows == c->cap) {
        c->cap = c->cap * 2 + 64;
        grown = gs_arena_alloc(c->arena, c->cap, sizeof(*grown));
        if (c->rows)
            memcpy(grown, c->row, c->rows * sizeof(*grown));
        c->row = grown;
    }
    r = &c->row[c->rows++];
    *r = (struct compare_row){
        .name = m->name,
        .scope = m->scope,
        .label = m->label,
        .unit = clean(c->arena, m->unit),
        .info = report_glossary_find(m->name),
        .cell = gs_arena_alloc(c->arena, COMPARE_RUNS_MAX, sizeof(*r->cell)),
    };
    return r;
}

/* What runs must have in common to be told apart by nothing but policy and
 * seed.  What --set changed is in the profile.
 */
static const char *inputs_make(struct report_comparison *c,
                               const struct report_stored_run *run)
{
    json_t *options = json_loads(run->options, JSON_REJECT_DUPLICATES, NULL);
    char *text, *made;
    size_t size;

    (void)json_object_del(options, "set"); /* fails where it is not there */
    text = json_dumps(options, JSON_SORT_KEYS);
    size = strlen(run->inputs) + 1 + strlen(text ? text : run->options) + 1;
    made = gs_arena_alloc(c->arena, size, 1);
    snprintf(made, size, "%s %s", run->inputs, text ? text : run->options);
    free(text);
    json_decref(options);
    return made;
}

static int run_add(struct report_comparison *c, struct report_store *s,
                   const struct report_stored_run *run, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    struct report_stored_metric *m;
    struct compare_run *to;
    uint32_t count;

    if (c->runs == COMPARE_RUNS_MAX)
        return gs_fail(err, GS_LIMIT, nowhere,
                       "at most %u runs can be compared: choose by '--run'",
                       COMPARE_RUNS_MAX);
    if (report_store_metrics(s, run->id, c->arena, &m, &count, err) < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        m[i].name = clean(c->arena, m[i].name);
        m[i].scope = clean(c->arena, m[i].scope);
        m[i].label = clean(c->arena, m[i].label);
        row_for(c, &m[i], i)->cell[c->runs] = (struct compare_cell){ m[i].value,
                                                                     true };
    }
    to = &c->run[c->runs];
    c->was[c->runs] = c->runs;
    c->runs++;
    *to = (struct compare_run){
        .name = clean(c->arena, run->name),
        .path = clean(c->arena, report_store_path(s)),
        .policy = clean(c->arena, run->policy),
        .seed = run->seed,
        .profile = run->profile,
        .version = run->version,
        .inputs = inputs_make(c, run),
    };
    to->title = to->name;
    return 0;
}

/* "name@path" */
static const char *long_title(struct report_comparison *c,
                              const struct compare_run *r)
{
    const size_t size = strlen(r->name) + strlen(r->path) + 2;
    char *title = gs_arena_alloc(c->arena, size, 1);

    return strcat(strcat(strcpy(title, r->name), "@"), r->path);
}

/* Runs of several databases may have the same name. */
static void titles_make(struct report_comparison *c)
{
    for (uint32_t i = 0; i < c->runs; i++) {
        for (uint32_t k = 0; k < c->runs; k++) {
            if (strcmp(c->run[i].name, c->run[k].name) == 0
                && strcmp(c->run[i].path, c->run[k].path) != 0)
                c->run[i].title = long_title(c, &c->run[i]);
        }
    }
}

static int not_there(struct report_store *s, const char *name,
                     struct gs_err *err)
{
    const struct gs_mark at = { .source = report_store_path(s) };
    char names[160];

    return gs_fail(err, GS_USAGE, at,
                   "no run is called '%.60s' (there are: %s)", name,
                   report_store_names(s, names, sizeof(names)));
}

int report_compare_add(struct report_comparison *c, struct report_store *s,
                       const char *const *name, size_t count,
                       struct gs_err *err)
{
    struct report_stored_run *run;
    uint32_t runs;

    if (report_store_runs(s, c->arena, &run, &runs, err) < 0)
        return -1;
    for (uint32_t i = 0; count == 0 && i < runs; i++) {
        if (run_add(c, s, &run[i], err) < 0)
            return -1;
    }
    for (size_t k = 0; k < count; k++) {
        uint32_t i = 0;

        while (i < runs && strcmp(run[i].name, name[k]) != 0)
            i++;
        if (i == runs)
            return not_there(s, name[k], err);
        if (run_add(c, s, &run[i], err) < 0)
            return -1;
    }
    titles_make(c);
    return 0;
}

/* --- choosing ----------------------------------------------------------------- */

/* Does the pattern match "name" or "name.label"? */
static bool matches(struct report_comparison *c, const struct compare_row *r,
                    const char *glob)
{
    const size_t size = strlen(r->name) + strlen(r->label) + 2;
    char *full = gs_arena_alloc(c->arena, size, 1);

    strcpy(full, r->name);
    if (r->label[0])
        strcat(strcat(full, "."), r->label);
    return fnmatch(glob, r->name, 0) == 0 || fnmatch(glob, full, 0) == 0;
}

/* Size classes by their least size, others ("CPU only", "share") before. */
static int label_compare(const struct compare_row *a,
                         const struct compare_row *b)
{
    const bool are_sizes = strcmp(a->scope, "size") == 0;
    const long x = are_sizes ? strtol(a->label, NULL, 10) : 0;
    const long y = are_sizes ? strtol(b->label, NULL, 10) : 0;

    return x != y ? (x > y) - (x < y) : strcmp(a->label, b->label);
}

/* By name, so that a metric that only some runs have stands in its place. */
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

void report_compare_select(struct report_comparison *c, const char *glob)
{
    if (c->groups == 0)
        (void)report_compare_group(c, REPORT_BY_SEED, NULL); /* cannot fail */
    c->selected = gs_arena_alloc(c->arena, c->rows, sizeof(*c->selected));
    c->selected_count = 0;
    for (uint32_t i = 0; glob && i < c->rows; i++) {
        if (matches(c, &c->row[i], glob))
            select_row(c, &c->row[i]);
    }
    if (glob && c->selected_count)
        qsort(c->selected, c->selected_count, sizeof(*c->selected),
              row_compare);
    for (uint32_t k = 0; !glob && k < N_HEADLINE; k++) {
        for (uint32_t i = 0; i < c->rows; i++) {
            if (is_headline(c, &c->row[i], &headline[k]))
                select_row(c, &c->row[i]);
        }
    }
}

uint32_t report_compare_runs(const struct report_comparison *c)
{
    return c->runs;
}

uint32_t report_compare_rows(const struct report_comparison *c)
{
    return c->selected_count;
}
