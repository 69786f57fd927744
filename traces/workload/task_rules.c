/* traces/workload/task_rules.c - see task_rules.h. */
#include "traces/workload/task_rules.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

uint32_t trace_workload_task_rules(struct trace_workload *w,
                                   const struct trace_task_rules *rules)
{
    if (w->task_rules_count
        && memcmp(&w->task_rules[w->task_rules_count - 1], rules,
                  sizeof(*rules))
               == 0)
        return w->task_rules_count;
    w->task_rules = gs_array_grow(w->task_rules, &w->task_rules_cap,
                                  w->task_rules_count + 1, sizeof(*rules));
    w->task_rules[w->task_rules_count++] = *rules;
    return w->task_rules_count;
}

void trace_task_rules_relate(uint64_t *relation,
                             const struct trace_group *group, uint32_t count,
                             uint32_t x, uint32_t y)
{
    assert(count <= TRACE_TASK_KINDS_MAX);
    for (uint32_t g = 0; g < count; g++) {
        for (uint32_t h = 0; h < count && group[g].name == x; h++) {
            if (group[h].name != y)
                continue;
            relation[g] |= UINT64_C(1) << h;
            relation[h] |= UINT64_C(1) << g;
        }
    }
}
