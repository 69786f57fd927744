/* policies/lifecycle/label_naming.c - numbers job labels when a rule names
 * them.
 *
 * At the start these are the labels that rules of the whole workload name,
 * later those of each job that is submitted.  Jobs that have a label before a
 * rule names it are kept in a list.  Naming the label finds them there: modules
 * are informed about their tasks again, and pending ones are queued again among
 * jobs with the same labels.
 */
#include "policies/lifecycle/label_naming.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"

/* Inform the modules about all tasks of the job. */
static void tell(const struct gsched *s, uint32_t job, enum gsched_told what)
{
    for (uint32_t k = gsched_job(s, job)->first_allocation; k != NONE;
         k = s->allocations->allocation[k].next) {
        const struct allocation *a = &s->allocations->allocation[k];

        gsched_tell(s, job, a->group, a->grant.node, a->grant.tasks, what);
    }
}

static void seen_each(struct gsched *s, uint32_t label,
                      void (*call)(struct gsched *s, uint32_t job))
{
    for (uint32_t i = gsched_label_at(s, label)->seen; i;
         i = s->labels->seen[i - 1].next) {
        const uint32_t job = s->labels->seen[i - 1].job;

        if (s->labels->seen[i - 1].life == gsched_job(s, job)->life
            && gsched_job(s, job)->phase != JOB_OVER
            && gsched_has_label(s, job, label))
            call(s, job);
    }
}

static void job_uncount(struct gsched *s, uint32_t job)
{
    tell(s, job, TOLD_RELEASED);
}

static void job_count_anew(struct gsched *s, uint32_t job)
{
    tell(s, job, TOLD_PLACED);
    if (gsched_cqueue_of(s, job) == NONE)
        return;
    gsched_pending_drop(s, job);
    gsched_pending_add(s, job);
}

static void label_name(struct gsched *s, uint32_t label)
{
    if (gsched_label_at(s, label)->number)
        return;
    seen_each(s, label, job_uncount);
    gsched_label_at(s, label)->number = ++s->labels->label_count;
    seen_each(s, label, job_count_anew);
    gsched_label_at(s, label)->seen = 0;
    gsched_label_at(s, label)->moves++;
    s->allocations->rule_changes++;
}

void gsched_rules_open(struct gsched *s)
{
    s->labels = gs_arena_alloc(s->arena, 1, sizeof(*s->labels));
    for (uint32_t i = 0; i < s->work->rule_count; i++) {
        if (s->work->rule[i].label)
            label_name(s, s->work->rule[i].label);
    }
}

/* Remove stale entries, so the list is bounded by the jobs that are known. */
static void seen_compact(struct gsched *s)
{
    struct gsched_labels *l = s->labels;
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->label_cap; i++) {
        uint32_t at = l->label[i].seen;

        l->label[i].seen = 0;
        for (uint32_t next; at; at = next) { /* marked with their label */
            next = l->seen[at - 1].next;
            l->seen[at - 1].next = i;
        }
    }
    for (uint32_t i = 0; i < l->seen_count; i++) {
        struct label_seen e = l->seen[i];
        struct label_state *of = &l->label[e.next];

        if (e.life != gsched_job(s, e.job)->life || of->number)
            continue;
        e.next = of->seen;
        l->seen[n] = e;
        of->seen = ++n;
    }
    l->seen_count = n;
    l->seen_stale = 0;
}

void gsched_rules_forget(struct gsched *s, uint32_t job)
{
    if (!s->modules->may_refuse && !s->modules->may_prefer)
        return;
    s->labels->seen_stale += s->work->job[job].aside->label_count;
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++)
        s->labels->seen_stale += gsched_group(s, job, g)->label_count;
    if (s->labels->seen_stale > 64
        && s->labels->seen_stale > s->labels->seen_count / 2)
        seen_compact(s);
}

/* Keep the job for labels of it that no rule names yet. */
static void labels_see(struct gsched *s, uint32_t job, uint32_t first,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct label_state *l = gsched_label_at(s, s->work->label[first + i]);

        if (l->number)
            continue;
        s->labels->seen = gs_array_grow(s->labels->seen, &s->labels->seen_cap,
                                        s->labels->seen_count + 1,
                                        sizeof(*s->labels->seen));
        s->labels->seen[s->labels->seen_count] =
            (struct label_seen){ job, gsched_job(s, job)->life, l->seen };
        l->seen = ++s->labels->seen_count;
    }
}

void gsched_rules_submit(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    if (!s->modules->may_refuse && !s->modules->may_prefer)
        return;
    labels_see(s, job, j->aside->first_label, j->aside->label_count);
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = gsched_group(s, job, g);

        labels_see(s, job, group->first_label, group->label_count);
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = gsched_group(s, job, g);

        s->labels->has_rules |= s->modules->may_refuse && group->rule_count;
        for (uint32_t i = 0; i < group->rule_count + group->soft_count; i++) {
            const struct trace_rule *r = &s->work->rule[group->first_rule + i];

            if (r->label)
                label_name(s, r->label);
        }
    }
}
