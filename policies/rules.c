/* policies/rules.c - the labels of jobs that rules between jobs name.
 *
 * Labels are numbered when a rule names them: at the start those of the whole
 * workload, later those of a job that was appended, when it is submitted.  Jobs
 * that have a label before a rule names it are kept in a list, so that naming
 * it finds them: modules are told of their tasks anew, and those that wait are
 * put among jobs with the same labels.  Labels that no rule names cost nothing.
 */
#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/scheduler_private.h"

/* --- numbers ---------------------------------------------------------------- */

uint32_t gsched_label_number(const struct gsched *s, uint32_t label)
{
    return label < s->label_cap ? s->label[label].number - 1 : NONE;
}

static const uint32_t *labels_of(const struct gsched *s, uint32_t job)
{
    return trace_job_labels(s->work, &s->work->job[job]);
}

static bool has_label(const struct gsched *s, uint32_t job, uint32_t label)
{
    for (uint32_t i = 0; i < s->work->job[job].label_count; i++) {
        if (labels_of(s, job)[i] == label)
            return true;
    }
    return false;
}

static struct label_state *label_at(struct gsched *s, uint32_t label)
{
    assert(label < gs_strtab_count(s->work->names));
    s->label = gs_array_grow(s->label, &s->label_cap, label + 1,
                             sizeof(*s->label));
    return &s->label[label];
}

/* --- naming a label that jobs have already ------------------------------------ */

/* Tell the modules with rules that the job's tasks were placed, or released. */
static void tell(const struct gsched *s, uint32_t job, bool placed)
{
    const struct gsp_job j = { s, job };

    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];
        void (*to)(void *self, const struct gsp_job *job, uint32_t group,
                   uint32_t node, uint32_t tasks) = placed
                                                        ? m->module->on_place
                                                        : m->module->on_release;

        for (uint32_t k = s->job[job].first_span;
             m->module->refuses && to && k != NONE; k = s->span[k].next)
            to(m->self, &j, s->span[k].group, s->span[k].grant.node,
               s->span[k].grant.tasks);
    }
}

static void seen_each(struct gsched *s, uint32_t label,
                      void (*call)(struct gsched *s, uint32_t job))
{
    for (uint32_t i = label_at(s, label)->seen; i; i = s->seen[i - 1].next) {
        const uint32_t job = s->seen[i - 1].job;

        if (s->job[job].phase != JOB_OVER && has_label(s, job, label))
            call(s, job);
    }
}

static void job_uncount(struct gsched *s, uint32_t job)
{
    tell(s, job, false);
}

static void job_count_anew(struct gsched *s, uint32_t job)
{
    tell(s, job, true);
    if (gsched_bin_of(s, job) == NONE)
        return;
    gsched_pending_drop(s, job);
    gsched_pending_add(s, job);
}

static void label_name(struct gsched *s, uint32_t label)
{
    if (label_at(s, label)->number)
        return;
    seen_each(s, label, job_uncount);
    label_at(s, label)->number = ++s->label_count;
    seen_each(s, label, job_count_anew);
    label_at(s, label)->seen = 0;
    s->moves++;
}

/* --- jobs --------------------------------------------------------------------- */

void gsched_rules_open(struct gsched *s)
{
    for (uint32_t i = 0; i < s->work->rule_count; i++) {
        if (s->work->rule[i].kind != TRACE_SPREAD)
            label_name(s, s->work->rule[i].label);
    }
}

void gsched_rules_submit(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    if (!s->may_refuse)
        return;
    for (uint32_t i = 0; i < j->label_count; i++) {
        struct label_state *l = label_at(s, labels_of(s, job)[i]);

        if (l->number)
            continue;
        s->seen = gs_array_grow(s->seen, &s->seen_cap, s->seen_count + 1,
                                sizeof(*s->seen));
        s->seen[s->seen_count] = (struct label_seen){ job, l->seen };
        l->seen = ++s->seen_count;
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = gsched_group(s, job, g);

        s->has_rules |= group->rule_count > 0;
        for (uint32_t i = 0; i < group->rule_count; i++) {
            const struct trace_rule *r = &s->work->rule[group->first_rule + i];

            if (r->kind != TRACE_SPREAD)
                label_name(s, r->label);
        }
    }
}

void gsched_rules_free(struct gsched *s)
{
    gs_array_free(s->label);
    gs_array_free(s->seen);
}

bool gsched_has_own_rules(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; s->has_rules && g < j->group_count; g++) {
        if (gsched_group(s, job, g)->rule_count)
            return true;
    }
    return false;
}

/* The number of the next of the job's labels that a rule names, from *at on. */
static uint32_t next_number(const struct gsched *s, uint32_t job, uint32_t *at)
{
    while (*at < s->work->job[job].label_count) {
        const uint32_t n = gsched_label_number(s, labels_of(s, job)[(*at)++]);

        if (n != NONE)
            return n;
    }
    return NONE;
}

bool gsched_has_rules(const struct gsched *s, uint32_t job)
{
    uint32_t at = 0;

    return s->has_rules
           && ((s->label_count && next_number(s, job, &at) != NONE)
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
