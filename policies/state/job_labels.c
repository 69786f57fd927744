/* policies/state/job_labels.c - job labels that rules about other jobs name.
 *
 * Labels get numbers when a rule names them, see lifecycle/label_naming.c.
 * Labels that no rule names cost nothing.
 */
#include "policies/state/job_labels.h"

#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"

/* --- numbers -------------------------------------------------------------- */

uint32_t gsched_label_number(const struct gsched *s, uint32_t label)
{
    return label < s->labels->label_cap ? s->labels->label[label].number - 1
                                        : NONE;
}

uint64_t gsched_label_moves(const struct gsched *s, uint32_t label)
{
    return label < s->labels->label_cap ? s->labels->label[label].moves : 0;
}

static void label_moved(struct gsched *s, uint32_t label)
{
    if (gsched_label_number(s, label) != NONE)
        s->labels->label[label].moves++;
}

void gsched_labels_moved(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_group *g = gsched_group(s, job, group);

    for (uint32_t i = 0; i < gsched_label_count(s, job, group); i++)
        label_moved(s, gsched_label_of(s, job, group, i));
    for (uint32_t i = 0; i < g->rule_count; i++) {
        const struct trace_rule *r = &s->work->rule[g->first_rule + i];

        if (r->kind == TRACE_APART)
            label_moved(s, r->label);
    }
}

uint32_t gsched_label_of(const struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t i)
{
    const struct trace_job *j = &s->work->job[job];
    const struct trace_group *g = gsched_group(s, job, group);

    assert(i < gsched_label_count(s, job, group));
    return i < j->aside->label_count
               ? s->work->label[j->aside->first_label + i]
               : s->work->label[g->first_label + i - j->aside->label_count];
}

uint32_t gsched_label_count(const struct gsched *s, uint32_t job,
                            uint32_t group)
{
    return s->work->job[job].aside->label_count
           + gsched_group(s, job, group)->label_count;
}

bool gsched_has_label(const struct gsched *s, uint32_t job, uint32_t label)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        for (uint32_t i = 0; i < gsched_label_count(s, job, g); i++) {
            if (gsched_label_of(s, job, g, i) == label)
                return true;
        }
    }
    return false;
}

struct label_state *gsched_label_at(struct gsched *s, uint32_t label)
{
    assert(label < gs_strtab_count(s->work->names));
    s->labels->label = gs_array_grow(s->labels->label, &s->labels->label_cap,
                                     label + 1, sizeof(*s->labels->label));
    return &s->labels->label[label];
}

/* --- labels and rules of a job --- */

void gsched_rules_free(struct gsched *s)
{
    gs_array_free(s->labels->label);
    gs_array_free(s->labels->seen);
}

bool gsched_has_own_rules(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; s->labels->has_rules && g < j->group_count; g++) {
        if (gsched_group(s, job, g)->rule_count)
            return true;
    }
    return false;
}

bool gsched_has_soft_rules(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; s->modules->may_prefer && g < j->group_count; g++) {
        if (gsched_group(s, job, g)->soft_count)
            return true;
    }
    return false;
}

/* The number of the next label of the group, from *at on, that a rule names. */
static uint32_t next_number(const struct gsched *s, uint32_t job,
                            uint32_t group, uint32_t *at)
{
    const uint32_t count = gsched_label_count(s, job, group);

    while (*at < count) {
        const uint32_t n = gsched_label_number(
            s, gsched_label_of(s, job, group, (*at)++));

        if (n != NONE)
            return n;
    }
    return NONE;
}

/* True when rules name a label of one of its groups. */
static bool is_named(const struct gsched *s, uint32_t job)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        uint32_t at = g ? s->work->job[job].aside->label_count : 0;

        if (next_number(s, job, g, &at) != NONE)
            return true;
    }
    return false;
}

bool gsched_has_label_rules(const struct gsched *s, uint32_t job)
{
    return s->labels->has_rules
           && ((s->labels->label_count && is_named(s, job))
               || gsched_has_own_rules(s, job));
}

bool gsched_has_rules(const struct gsched *s, uint32_t job)
{
    return s->booked || gsched_has_claims(s) || gsched_has_kept(s)
           || (s->quotas && gsched_quota_confines(s, job))
           || gsched_has_label_rules(s, job);
}

uint64_t gsched_labels_hash(const struct gsched *s, uint32_t job,
                            uint32_t group)
{
    uint64_t h = 0;
    uint32_t at = 0, n;

    while ((n = next_number(s, job, group, &at)) != NONE)
        h = (h ^ (n + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

bool gsched_labels_same(const struct gsched *s, uint32_t a, uint32_t a_group,
                        uint32_t b, uint32_t b_group)
{
    uint32_t i = 0, k = 0, n;

    do {
        n = next_number(s, a, a_group, &i);
        if (n != next_number(s, b, b_group, &k))
            return false;
    } while (n != NONE);
    return true;
}
