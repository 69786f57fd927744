/* reports/compare/compare_group.c - groups runs into columns. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/compare/compare_private.h"

enum report_by report_by_find(const char *name)
{
    static const char *const names[REPORT_BYS] = {
        [REPORT_BY_SEED] = "seed",
        [REPORT_BY_POLICY] = "policy",
        [REPORT_BY_RUN] = "run",
    };

    assert(name);
    return (enum report_by)gs_text_find(name, names, REPORT_BYS);
}

/* --- runs of one group ---------------------------------------------------- */

/* Length of "x" in "x-s7" of seed 7, a name given by gsim replay --seeds, or in
 * "x/s7", given by a sweep; 0: another name.
 */
static size_t stem(const struct compare_run *r)
{
    const size_t len = strlen(r->name);
    char end[32];
    size_t n;

    for (const char *mark = "-/"; *mark; mark++) {
        n = (size_t)snprintf(end, sizeof(end), "%cs%" PRIu64, *mark, r->seed);
        if (len > n && strcmp(r->name + len - n, end) == 0)
            return len - n;
    }
    return 0;
}

static bool is_pair(const struct compare_run *a, const struct compare_run *b)
{
    return a->seed == b->seed && strcmp(a->inputs, b->inputs) == 0;
}

static bool is_of_group(enum report_by by, const struct compare_run *a,
                        const struct compare_run *b)
{
    const size_t n = stem(a);

    if (by == REPORT_BY_RUN || strcmp(a->profile, b->profile) != 0)
        return false;
    return by == REPORT_BY_POLICY
           || (n && n == stem(b) && memcmp(a->name, b->name, n) == 0
               && strcmp(a->path, b->path) == 0
               && strcmp(a->version, b->version) == 0
               && strcmp(a->inputs, b->inputs) == 0);
}

uint32_t compare_twin(const struct report_comparison *c,
                      const struct compare_group *g,
                      const struct compare_run *r)
{
    for (uint32_t k = 0; k < g->runs; k++) {
        if (is_pair(&c->run[g->run[k]], r))
            return g->run[k];
    }
    return COMPARE_RUNS_MAX;
}

static void group_extend(struct report_comparison *c, struct compare_group *g,
                         uint32_t run)
{
    g->run = gs_arena_grow(c->arena, g->run, &g->cap, g->runs, sizeof(*g->run));
    g->run[g->runs++] = run;
    c->is_grouped |= g->runs > 1;
}

/* Put the run into its group; by seed, a second run of the same inputs and seed
 * starts a group of its own.
 */
static int run_put(struct report_comparison *c, enum report_by by, uint32_t run,
                   struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const struct compare_run *r = &c->run[run];

    for (uint32_t i = 0; i < c->groups; i++) {
        struct compare_group *g = &c->group[i];
        uint32_t same;

        if (!is_of_group(by, &c->run[g->run[0]], r))
            continue;
        same = compare_twin(c, g, r);
        if (same == COMPARE_RUNS_MAX) {
            group_extend(c, g, run);
            return 0;
        }
        if (by == REPORT_BY_POLICY)
            return gs_fail(err, GS_USAGE, nowhere,
                           "runs '%.60s' and '%.60s' are of one policy, trace "
                           "and seed: choose by '--run', or '--by run'",
                           c->run[same].title, r->title);
    }
    group_extend(c, &c->group[c->groups++], run);
    return 0;
}

/* --- titles ---------------------------------------------------------- */

/* "x" of "x-s7", with the path where the runs' titles need it. */
static const char *seed_title(struct report_comparison *c,
                              const struct compare_run *r)
{
    const bool has_path = r->title != r->name;

    return gs_arena_printf(c->arena, "%.*s%s%s", (int)stem(r), r->name,
                           has_path ? "@" : "", has_path ? r->path : "");
}

/* The policy, with a run of it where profiles of one name differ. */
static const char *policy_title(struct report_comparison *c, uint32_t group)
{
    const struct compare_run *r = &c->run[c->group[group].run[0]];

    for (uint32_t i = 0; i < c->groups; i++) {
        if (i != group
            && strcmp(c->run[c->group[i].run[0]].policy, r->policy) == 0)
            return gs_arena_printf(c->arena, "%s (%s)", r->policy, r->title);
    }
    return r->policy;
}

static void titles_make(struct report_comparison *c, enum report_by by)
{
    for (uint32_t i = 0; i < c->groups; i++) {
        struct compare_group *g = &c->group[i];

        g->title = by == REPORT_BY_POLICY ? policy_title(c, i)
                   : g->runs > 1          ? seed_title(c, &c->run[g->run[0]])
                                          : c->run[g->run[0]].title;
    }
}

/* --- the order of runs ---------------------------------------------------- */

/* Number the runs anew: the first run of each group comes first. */
static void runs_order(struct report_comparison *c)
{
    struct compare_run *run = gs_arena_alloc(c->arena, c->runs, sizeof(*run));
    struct compare_cell *cell = gs_arena_alloc(c->arena, c->runs,
                                               sizeof(*cell));
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->groups; i++)
        c->was[n++] = c->group[i].run[0];
    for (uint32_t i = 0; i < c->groups; i++) {
        for (uint32_t k = 0; k < c->group[i].runs; k++) {
            if (k)
                c->was[n] = c->group[i].run[k];
            c->group[i].run[k] = k ? n++ : i;
        }
    }
    for (uint32_t i = 0; i < c->runs; i++)
        run[i] = c->run[c->was[i]];
    memcpy(c->run, run, c->runs * sizeof(*run));
    for (uint32_t k = 0; k < c->rows; k++) {
        for (uint32_t i = 0; i < c->runs; i++)
            cell[i] = c->row[k].cell[c->was[i]];
        memcpy(c->row[k].cell, cell, c->runs * sizeof(*cell));
    }
}

static bool is_certain(const struct report_comparison *c,
                       const struct compare_group *g)
{
    const uint32_t first = g->run[0];

    for (uint32_t k = 1; k < g->runs; k++) {
        const uint32_t run = g->run[k];

        if (strcmp(c->run[run].inputs, c->run[first].inputs) != 0)
            return false;
        for (uint32_t i = 0; i < c->rows; i++) {
            const struct compare_cell *a = &c->row[i].cell[first];
            const struct compare_cell *b = &c->row[i].cell[run];

            if (a->is_there != b->is_there || a->value != b->value)
                return false;
        }
    }
    return true;
}

/* True when the inputs of every run occur in the other group, too. */
static bool has_inputs_of(const struct report_comparison *c,
                          const struct compare_group *a,
                          const struct compare_group *b)
{
    for (uint32_t i = 0; i < a->runs; i++) {
        const char *inputs = c->run[a->run[i]].inputs;
        bool is_there = false;

        for (uint32_t k = 0; k < b->runs && !is_there; k++)
            is_there = strcmp(c->run[b->run[k]].inputs, inputs) == 0;
        if (!is_there)
            return false;
    }
    return true;
}

static void classes_make(struct report_comparison *c)
{
    for (uint32_t g = 0; g < c->groups; g++) {
        struct compare_group *group = &c->group[g];
        uint32_t k = 0;

        while (k < g
               && (c->group[k].input_class != k
                   || !has_inputs_of(c, group, &c->group[k])
                   || !has_inputs_of(c, &c->group[k], group)))
            k++;
        group->input_class = k;
    }
}

int report_compare_group(struct report_comparison *c, enum report_by by,
                         struct gs_err *err)
{
    c->group = gs_arena_alloc(c->arena, c->runs, sizeof(*c->group));
    for (uint32_t i = 0; i < c->runs; i++) {
        if (run_put(c, by, i, err) < 0)
            return -1;
    }
    titles_make(c, by);
    for (uint32_t i = 0; i < c->groups; i++)
        c->group[i].is_certain = is_certain(c, &c->group[i]);
    if (c->is_grouped)
        runs_order(c);
    classes_make(c);
    return 0;
}
