/* import/kubernetes/workload/task_rules.c - see task_rules.h.
 *
 * Source: Volcano's pkg/scheduler/plugins/task-topology.
 */
#include "import/kubernetes/workload/task_rules.h"

#include <string.h>

#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "traces/workload/task_rules.h"

static uint32_t value_of(struct kube *k, const struct gs_ynode *object,
                         const char *key)
{
    const struct gs_ynode *v = kube_key(kube_at(object, "metadata.annotations"),
                                        key);

    return v && v->kind == GS_YSCALAR && v->len ? kube_put(k, v->text) : 0;
}

struct kube_task_rules kube_task_rules_read(struct kube *k,
                                            const struct gs_ynode *object)
{
    return (struct kube_task_rules){
        value_of(k, object, "volcano.sh/task-topology-affinity"),
        value_of(k, object, "volcano.sh/task-topology-anti-affinity"),
        value_of(k, object, "volcano.sh/task-topology-task-order"),
    };
}

bool kube_has_task_rules(const struct kube_task_rules *r)
{
    return r->together || r->apart || r->order;
}

/* The groups of the job that is made. */
struct kinds {
    struct kube *k;
    const struct trace_group *group;
    uint32_t count;
};

#define NO_TASK UINT32_MAX

/* The next name of a list before `end`, or NO_TASK for one that no task has; ""
 * counts as one.  *s moves behind it.
 */
static uint32_t name_next(const struct kinds *of, const char **s,
                          const char *end)
{
    const size_t len = strcspn(*s, ",") < (size_t)(end - *s)
                           ? strcspn(*s, ",")
                           : (size_t)(end - *s);
    const uint32_t id = gs_strtab_put(of->k->names, *s, len);
    bool any = len == 0;

    for (uint32_t g = 0; g < of->count && !any; g++)
        any = of->group[g].name == id;
    *s += len + (*s + len < end);
    return any ? id : NO_TASK;
}

/* Read the names of a list, each once; false when one is no task's. */
static bool names_read(const struct kinds *of, const char *s, const char *end,
                       uint32_t *name, uint32_t *count)
{
    const uint32_t none = kube_put(of->k, "");

    *count = 0;
    while (s < end) {
        const uint32_t id = name_next(of, &s, end);

        if (id == none)
            continue;
        if (id == NO_TASK || *count == TRACE_TASK_KINDS_MAX)
            return false;
        for (uint32_t i = 0; i < *count; i++) {
            if (name[i] == id)
                return false;
        }
        name[(*count)++] = id;
    }
    return true;
}

/* "ps,worker;ps" */
static bool relation_read(const struct kinds *of, uint32_t value,
                          uint64_t *relation)
{
    const char *s = kube_str(of->k, value);
    uint32_t name[TRACE_TASK_KINDS_MAX], n;

    while (value && *s) {
        const char *end = s + strcspn(s, ";");

        if (!names_read(of, s, end, name, &n))
            return false;
        for (uint32_t y = 0; y < n; y++) {
            for (uint32_t x = 0; x < y; x++)
                trace_task_rules_relate(relation, of->group, of->count, name[x],
                                        name[y]);
        }
        if (n == 1)
            trace_task_rules_relate(relation, of->group, of->count, name[0],
                                    name[0]);
        s = end + (*end == ';');
    }
    return true;
}

static bool order_read(const struct kinds *of, uint32_t value, uint8_t *order)
{
    const char *s = kube_str(of->k, value);
    uint32_t name[TRACE_TASK_KINDS_MAX], n = 0;

    if (value && !names_read(of, s, s + strlen(s), name, &n))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t g = 0; g < of->count; g++) {
            if (of->group[g].name == name[i])
                order[g] = (uint8_t)(i + 1);
        }
    }
    return true;
}

void kube_task_rules_make(struct kube *k, struct trace_workload *w,
                          const struct kube_task_rules *r,
                          const struct trace_group *group, uint32_t count,
                          struct trace_job *j)
{
    const struct kinds of = { k, group, count };
    struct trace_task_rules rules = { 0 };

    if (!kube_has_task_rules(r))
        return;
    if (count > TRACE_TASK_KINDS_MAX
        || !relation_read(&of, r->together, rules.together)
        || !relation_read(&of, r->apart, rules.apart)
        || !order_read(&of, r->order, rules.order)) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "annotations volcano.sh/task-topology-* that name "
                            "a task twice, or none of their job: none of them "
                            "holds, as in Volcano");
        return;
    }
    j->aside->task_rules = trace_workload_task_rules(w, &rules);
}
