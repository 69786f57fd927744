/* policies/state/job_labels.c - job labels that rules about other jobs name.
 *
 * Labels get numbers when a rule names them, see lifecycle/label_naming.c.
 * Labels that no rule names cost nothing.
 */
#include "policies/state/job_labels.h"

#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* --- numbers ---------------------------------------------------------------- */

uint32_t gsched_label_number(const struct gsched *s, uint32_t label)
{
    return label < s->labels->label_cap ? s->labels->label[label].number - 1
                                        : NONE;
}

const uint32_t *gsched_labels_of(const struct gsched *s, uint32_t job)
{
    return trace_job_labels(s->work, &s->work->job[job]);
}

bool gsched_has_label(const struct gsched *s, uint32_t job, uint32_t label)
{
    for (uint32_t i = 0; i < s->work->job[job].label_count; i++) {
        if (gsched_labels_of(s, job)[i] == label)
            return true;
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

/* The number of the next label of the job, from *at on, that a rule names. */
static uint32_t next_number(const struct gsched *s, uint32_t job, uint32_t *at)
{
    while (*at < s->work->job[job].label_count) {
        const uint32_t n = gsched_label_number(
            s, gsched_labels_of(s, job)[(*at)++]);

        if (n != NONE)
            return n;
    }
    return NONE;
}

bool gsched_has_rules(const struct gsched *s, uint32_t job)
{
    uint32_t at = 0;

    return s->labels->has_rules
           && ((s->labels->label_count && next_number(s, job, &at) != NONE)
               || gsched_has_own_rules(s, job));
}

uint64_t gsched_labels_hash(const struct gsched *s, uint32_t job)
{
    uint64_t h = 0;
    uint32_t at = 0, n;

    while ((n = next_number(s, job, &at)) != NONE)
        h = (h ^ (n + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

bool gsched_labels_same(const struct gsched *s, uint32_t a, uint32_t b)
{
    uint32_t i = 0, k = 0, n;

    do {
        n = next_number(s, a, &i);
        if (n != next_number(s, b, &k))
            return false;
    } while (n != NONE);
    return true;
}
