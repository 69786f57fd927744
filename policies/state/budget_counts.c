/* policies/state/budget_counts.c - disruption budgets, see budget_counts.h */
#include "policies/state/budget_counts.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "traces/workload/budgets.h"

void gsched_budgets_open(struct gsched *s)
{
    const struct trace_workload *w = s->work;
    struct gsched_budgets *b;

    if (w->budgets->budget_count == 0)
        return;
    b = s->budgets = gs_arena_alloc(s->arena, 1, sizeof(*b));
    b->first_count = gs_strtab_count(w->names);
    b->first = gs_arena_alloc(s->arena, b->first_count, sizeof(*b->first));
    b->next = gs_arena_alloc(s->arena, w->budgets->budget_count,
                             sizeof(*b->next));
    b->placed = gs_arena_alloc(s->arena, w->budgets->budget_count,
                               sizeof(*b->placed));
    b->asked = gs_arena_alloc(s->arena, w->budgets->budget_count,
                              sizeof(*b->asked));
    b->spent = gs_arena_alloc(s->arena, w->budgets->budget_count,
                              sizeof(*b->spent));
    for (uint32_t i = 0; i < w->budgets->budget_count; i++) {
        const uint32_t label = w->label[w->budgets->budget[i].first_label];

        b->next[i] = b->first[label];
        b->first[label] = i + 1;
    }
}

/* --- which budgets -------------------------------------------------------- */

/* A walk over the budgets of a task group. */
struct walk {
    uint32_t label; /* index among the labels of the group */
    uint32_t next;  /* 1 + budget to look at; 0: go to the next label */
};

static bool has_label(const struct gsched *s, uint32_t job, uint32_t group,
                      uint32_t label)
{
    for (uint32_t i = 0; i < gsched_label_count(s, job, group); i++) {
        if (gsched_label_of(s, job, group, i) == label)
            return true;
    }
    return false;
}

static bool counts(const struct gsched *s, const struct trace_budget *b,
                   uint32_t job, uint32_t group)
{
    for (uint32_t i = 1; i < b->label_count; i++) {
        if (!has_label(s, job, group, s->work->label[b->first_label + i]))
            return false;
    }
    return true;
}

/* The next budget that counts tasks of the group; NONE. */
static uint32_t walk_next(const struct gsched *s, uint32_t job, uint32_t group,
                          struct walk *at)
{
    const struct gsched_budgets *b = s->budgets;

    for (;;) {
        while (at->next == 0) {
            uint32_t label;

            if (at->label == gsched_label_count(s, job, group))
                return NONE;
            label = gsched_label_of(s, job, group, at->label++);
            at->next = label < b->first_count ? b->first[label] : 0;
        }
        while (at->next) {
            const uint32_t i = at->next - 1;

            at->next = b->next[i];
            if (counts(s, &s->work->budgets->budget[i], job, group))
                return i;
        }
    }
}

/* --- counts --------------------------------------------------------------- */

static void add(struct gsched *s, uint32_t job, uint32_t group, int64_t tasks,
                int64_t *count)
{
    struct walk at = { 0 };
    uint32_t i;

    while ((i = walk_next(s, job, group, &at)) != NONE) {
        count[i] += tasks;
        assert(count[i] >= 0);
    }
}

void gsched_budgets_placed(struct gsched *s, uint32_t job, uint32_t group,
                           int64_t tasks)
{
    if (s->budgets)
        add(s, job, group, tasks, s->budgets->placed);
}

void gsched_budgets_asked(struct gsched *s, uint32_t job, uint32_t group,
                          int64_t tasks)
{
    if (s->budgets)
        add(s, job, group, tasks, s->budgets->asked);
}

/* How many tasks of the budget may be evicted now, as the disruption controller
 * of Kubernetes counts (disruptionsAllowed): parts are rounded up.
 */
static int64_t left(const struct gsched *s, uint32_t i)
{
    const struct trace_budget *b = &s->work->budgets->budget[i];
    const int64_t all = s->budgets->asked[i];
    const int64_t amount = b->is_part ? (all * b->amount + 99) / 100
                                      : b->amount;
    const int64_t least = b->kind == TRACE_MIN_AVAILABLE ? amount
                                                         : all - amount;
    const int64_t more = s->budgets->placed[i] - (least > 0 ? least : 0);

    return more > 0 ? more : 0;
}

/* --- victims -------------------------------------------------------------- */

/* Spend `tasks` of the budgets of the group (below 0: give back); true when one
 * is exceeded.
 */
static bool spend(const struct gsched *s, uint32_t job, uint32_t group,
                  int64_t tasks)
{
    struct walk at = { 0 };
    bool exceeds = false;
    uint32_t i;

    while ((i = walk_next(s, job, group, &at)) != NONE) {
        s->budgets->spent[i] += tasks;
        exceeds |= s->budgets->spent[i] > left(s, i);
    }
    return exceeds;
}

/* The same for a victim: a task of one group, or all that the job holds. */
static bool victim_spend(const struct gsched *s, const struct gsp_victim *v,
                         int sign)
{
    const uint32_t job = v->job->id, group = v->job->group;
    bool exceeds = false;

    if (group != NONE)
        return spend(s, job, group, sign * (int64_t)v->job->tasks);
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        const uint32_t held =
            s->jobs->group_placed[s->work->job[job].first_group + g];

        exceeds |= held && spend(s, job, g, sign * (int64_t)held);
    }
    return exceeds;
}

void gsched_budgets_break(const struct gsched *s, const struct gsp_victims *v,
                          bool from_last, uint8_t *broken)
{
    for (uint32_t i = 0; i < v->count && s->budgets; i++) {
        const uint32_t k = from_last ? v->count - 1 - i : i;

        broken[k] |= victim_spend(s, &v->at[k], 1);
    }
    for (uint32_t i = 0; i < v->count && s->budgets; i++)
        (void)victim_spend(s, &v->at[i], -1);
}
