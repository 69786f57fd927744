/* policies/pending/ruled_wakes.c - see ruled_wakes.h. */
#include "policies/pending/ruled_wakes.h"

#include <assert.h>

#include "policies/pending/cause_follow.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

/* Do nothing but rules and room decide whether jobs of the class are placed, and
 * do attempts in vain change nothing?
 */
static bool is_decided_by_rules(const struct gsched *s,
                                const struct request_class *a)
{
    const struct gsched_modules *m = s->modules;

    return m->refuses_by_labels && !m->has_quota && !m->keeps_order
           && !m->filter_opens && !m->has_queues && !m->reorders
           && !m->has_passes && !m->retries && !m->is_planned && !s->sample
           && !s->quotas && !s->booked && !gsched_has_claims(s)
           && !gsched_has_kept(s) && s->decision_limit == UINT32_MAX
           && s->allocations->partial.count == 0
           && (a->kind == REQUEST_GANG || a->kind == REQUEST_TASK);
}

static void labels_list(struct gsched *s, struct request_class *a)
{
    const struct trace_job *j = &s->work->job[a->sample];

    a->labels.count = 0;
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = gsched_group(s, a->sample, g);

        for (uint32_t i = 0; i < gsched_label_count(s, a->sample, g); i++)
            (void)gs_numbers_add(&a->labels,
                                 gsched_label_of(s, a->sample, g, i));
        for (uint32_t i = 0; i < group->rule_count; i++) {
            const struct trace_rule *r = &s->work->rule[group->first_rule + i];

            if (r->label)
                (void)gs_numbers_add(&a->labels, r->label);
        }
    }
}

/* The number of placements and releases that concern labels of the class. */
static uint64_t moves_of(const struct gsched *s, const struct request_class *a)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < a->labels.count; i++)
        sum += gsched_label_moves(s, a->labels.at[i]);
    return sum;
}

/* The first entry of one of its class queues; its sample, if it has none. */
static uint32_t first_of(const struct gsched *s, const struct request_class *a)
{
    return a->filled.count ? s->pending->cqueue[a->filled.at[0]].heap[0].job
                           : a->sample;
}

void gsched_rules_noted(struct gsched *s, struct request_class *a)
{
    a->rule_changes = a->cause_changes = s->allocations->rule_changes;
    a->cause_due = false;
    a->by_rules = is_decided_by_rules(s, a) && a->alone == NONE
                  && gsched_has_label_rules(s, a->sample);
    if (!a->by_rules)
        return;
    labels_list(s, a);
    a->label_moves = moves_of(s, a);
}

bool gsched_rules_cause_due(const struct gsched *s, struct request_class *a)
{
    const bool due = a->by_rules
                     && a->cause_changes != s->allocations->rule_changes;

    a->cause_changes = s->allocations->rule_changes;
    a->falls += due;
    return due;
}

bool gsched_rules_help(const struct gsched *s, const struct request_class *a)
{
    if (a->rule_changes == s->allocations->rule_changes)
        return false;
    return a->by_rules && is_decided_by_rules(s, a)
               ? a->label_moves != moves_of(s, a)
               : gsched_has_rules(s, a->kind == REQUEST_ANY ? first_of(s, a)
                                                            : a->sample);
}

bool gsched_rules_allow_freed(struct gsched *s, const struct request_class *a)
{
    const struct gs_numbers *freed = &s->allocations->freed;
    const uint32_t job = first_of(s, a);
    const struct scope w = { 0, s->topo->node_count, job, 0, true, NULL };

    if (!a->by_rules || !is_decided_by_rules(s, a) || a->filled.count != 1
        || s->work->job[job].group_count != 1 || a->need != 1
        || s->allocations->taken_since_freed)
        return true;
    for (uint32_t i = 0; i < freed->count; i++) {
        const uint32_t group = freed->at[i];

        if (topo_cluster_groups(s->cluster)->nodes[group] == 0
            || (gsched_shape_suits(s, a->shape, group)
                && gsched_state_allows(s, group, &w)))
            return true;
    }
    return false;
}

void gsched_rules_saved(struct gsched *s, uint32_t rclass, bool was_freed)
{
    struct request_class *a = &s->pending->rclass[rclass];
    const bool moved = a->rule_changes != s->allocations->rule_changes;

    if (!a->by_rules || (!moved && !was_freed))
        return;
    if (!a->cause_due)
        (void)gs_numbers_add(&s->pending->saved, rclass);
    a->cause_due = true;
    a->saved_in = s->pending->activations;
}

/* The first entry of the only class queue of the class that has entries. */
static const struct queue_entry *head_of(const struct gsched *s,
                                         const struct request_class *a)
{
    return &s->pending->cqueue[a->filled.at[0]].heap[0];
}

void gsched_rules_turn(struct gsched *s, const struct queue_entry *it)
{
    struct gs_numbers *saved = &s->pending->saved;

    if (saved->count == 0 || (it && !gsched_entry_has_room(s, it)))
        return;
    for (uint32_t i = saved->count; i-- > 0;) {
        struct request_class *a = &s->pending->rclass[saved->at[i]];

        if (a->cause_due && a->filled.count && it
            && gsched_entry_compare(s, head_of(s, a), it) >= 0)
            continue;
        (void)gs_numbers_take(saved, i);
        if (!a->cause_due)
            continue;
        a->cause_due = false;
        a->cause_changes = s->allocations->rule_changes;
        a->falls++;
        gsched_cause_find(s, a);
    }
}

void gsched_rules_wake(struct gsched *s, const struct queue_entry *it)
{
    struct gsched_pending *p = s->pending;

    if (p->rule_changes_seen == s->allocations->rule_changes)
        return;
    for (uint32_t i = p->complex.count; i-- > 0;) {
        const uint32_t rclass = p->complex.at[i];
        const struct request_class *a = &p->rclass[rclass];

        if (a->saved_in == p->activations && a->filled.count == 1
            && gsched_rules_help(s, a)
            && gsched_entry_compare(s, it, &p->cqueue[a->filled.at[0]].heap[0])
                   < 0)
            gsched_rclass_activate(s, rclass);
    }
}
