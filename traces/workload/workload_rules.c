/* traces/workload/workload_rules.c - rules and labels of groups and jobs, and
 * what stands when time begins.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "traces/workload/workload.h"

uint32_t trace_workload_rules(struct trace_workload *w,
                              const struct trace_rule *rule, uint32_t count)
{
    const uint32_t first = w->rule_count;
    const size_t size = count * sizeof(*rule);

    assert(rule || count == 0);
    if (count == 0)
        return 0;
    if (count <= first && memcmp(&w->rule[first - count], rule, size) == 0)
        return first - count;
    w->rule = gs_far_grow(w->far, w->rule, &w->rule_cap, first + count,
                          sizeof(*w->rule));
    memcpy(&w->rule[first], rule, size);
    w->rule_count += count;
    return first;
}

/* Copy the preferred rules, or the others, by kind: how many. */
static uint32_t rules_take(const struct trace_rule *rule, uint32_t count,
                           bool is_soft, struct trace_rule *to)
{
    static const enum trace_rule_kind kinds[] = { TRACE_NEAR, TRACE_APART,
                                                  TRACE_SPREAD };
    uint32_t n = 0;

    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (uint32_t i = 0; i < count; i++) {
            if (rule[i].kind == kinds[k] && (rule[i].weight > 0) == is_soft)
                to[n++] = rule[i];
        }
    }
    return n;
}

void trace_group_rules(struct trace_workload *w, struct trace_group *g,
                       const struct trace_rule *rule, uint32_t count)
{
    struct trace_rule sorted[TRACE_RULES_MAX + TRACE_SPREADS_MAX];

    assert(count <= TRACE_RULES_MAX + TRACE_SPREADS_MAX);
    g->rule_count = rules_take(rule, count, false, sorted);
    g->soft_count = rules_take(rule, count, true, sorted + g->rule_count);
    assert(g->rule_count + g->soft_count == count);
    g->first_rule = trace_workload_rules(w, sorted, count);
}

bool trace_group_same_rules(const struct trace_workload *w,
                            const struct trace_group *a,
                            const struct trace_group *b)
{
    const uint32_t count = a->rule_count + a->soft_count;

    return a->rule_count == b->rule_count && a->soft_count == b->soft_count
           && (count == 0 || a->first_rule == b->first_rule
               || memcmp(&w->rule[a->first_rule], &w->rule[b->first_rule],
                         count * sizeof(*w->rule))
                      == 0);
}

bool trace_group_same_labels(const struct trace_workload *w,
                             const struct trace_group *a,
                             const struct trace_group *b)
{
    return a->label_count == b->label_count
           && (a->label_count == 0 || a->first_label == b->first_label
               || memcmp(&w->label[a->first_label], &w->label[b->first_label],
                         a->label_count * sizeof(*w->label))
                      == 0);
}

/* Append to an array of string ids. */
static uint32_t ids_append(struct gs_far *far, uint32_t **to, uint32_t *cap,
                           uint32_t *first, const uint32_t *id, uint32_t count)
{
    const uint32_t at = *first;
    const size_t size = count * sizeof(*id);

    assert(id || count == 0);
    if (count == 0)
        return 0;
    if (count <= at && memcmp(*to + at - count, id, size) == 0)
        return at - count;
    *to = gs_far_grow(far, *to, cap, at + count, sizeof(**to));
    memcpy(*to + at, id, size);
    *first += count;
    return at;
}

uint32_t trace_workload_labels(struct trace_workload *w, const uint32_t *label,
                               uint32_t count)
{
    return ids_append(w->far, &w->label, &w->label_cap, &w->label_count, label,
                      count);
}

uint32_t trace_workload_held(struct trace_workload *w, const uint32_t *flavor,
                             uint32_t count)
{
    return ids_append(w->far, &w->held, &w->held_cap, &w->held_count, flavor,
                      count);
}

uint32_t trace_workload_victims(struct trace_workload *w, const uint32_t *klass,
                                uint32_t count)
{
    const uint32_t first = w->victim_count;

    assert(klass && count > 0);
    w->victim = gs_array_grow(w->victim, &w->victim_cap, first + count,
                              sizeof(*w->victim));
    memcpy(&w->victim[first], klass, count * sizeof(*klass));
    w->victim_count += count;
    return first;
}

bool trace_class_evicts(const struct trace_workload *w, uint32_t by,
                        uint32_t of)
{
    const struct trace_class *a, *b;

    assert(by < w->class_count && of < w->class_count);
    a = &w->klass[by];
    b = &w->klass[of];
    if (!a->preempts || a->victim_count == 0)
        return a->preempts && b->value < a->value;
    for (uint32_t i = 0; i < a->victim_count; i++) {
        if (w->victim[a->first_victim + i] == b->name)
            return true;
    }
    return false;
}

uint32_t trace_workload_stands(struct trace_workload *w,
                               const struct trace_stand *stand, uint32_t count)
{
    const uint32_t first = w->stand_count;

    assert(stand && count > 0);
    w->stand = gs_far_grow(w->far, w->stand, &w->stand_cap, first + count,
                           sizeof(*w->stand));
    memcpy(&w->stand[first], stand, count * sizeof(*stand));
    w->stand_count += count;
    return first;
}

uint32_t trace_workload_minimum(struct trace_workload *w,
                                const struct trace_minimum *minimum)
{
    if (w->minimum_count
        && memcmp(&w->minimum[w->minimum_count - 1], minimum, sizeof(*minimum))
               == 0)
        return w->minimum_count;
    w->minimum = gs_array_grow(w->minimum, &w->minimum_cap,
                               w->minimum_count + 1, sizeof(*w->minimum));
    w->minimum[w->minimum_count++] = *minimum;
    return w->minimum_count;
}

int64_t trace_job_ran_before(const struct trace_workload *w,
                             const struct trace_job *j)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < j->aside->stand_count; i++)
        tasks += w->stand[j->aside->first_stand + i].tasks;
    return j->aside->stand_count && tasks >= j->gang ? -j->aside->since : 0;
}
