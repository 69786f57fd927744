/* import/kubernetes/native/class_terms.c - priority classes of the trace. */
#include "import/kubernetes/native/class_terms.h"

#include <string.h>

#include "import/account.h"
#include "import/kubernetes/native/kai_class.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "traces/workload/workload.h"

/* Those that every cluster has. */
static const struct {
    const char *name;
    int32_t value;
} built_in[] = { { "system-cluster-critical", 2000000000 },
                 { "system-node-critical", 2000001000 } };

/* The class called `name`, with its value. */
static uint32_t class_put(struct trace_workload *w, uint32_t name,
                          int32_t value, bool preempts)
{
    const uint32_t id = trace_class_put(w, name);

    w->klass[id].value = value;
    w->klass[id].preempts = preempts;
    return id;
}

/* Has the class, which has no object, a value all the same? */
static bool has_value(struct kube *k, const char *name, bool is_kai,
                      int32_t *value)
{
    for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++) {
        *value = built_in[i].value;
        if (strcmp(name, built_in[i].name) == 0)
            return true;
    }
    if (!is_kai || !kube_kai_class_value(name, value))
        return false;
    import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                        "priority class '%s' has no object: value %d, as KAI's "
                        "chart makes it",
                        name, (int)*value);
    return true;
}

uint32_t kube_class_default(const struct kube *k)
{
    for (uint32_t i = k->classes->count; i-- > 0;) {
        if (k->classes->at[i].is_default)
            return k->classes->at[i].name;
    }
    return 0;
}

uint32_t kube_class_of(struct kube *k, struct trace_workload *w, uint32_t name,
                       const struct kube_template *t)
{
    const bool is_kai = kube_is_kai(kube_str(k, t->scheduler));
    int32_t value;

    name = name ? name : t->priority_class;
    if (!name && t->priority != KUBE_UNKNOWN)
        return trace_class_value(w, (int32_t)t->priority);
    name = name ? name : kube_class_default(k);
    if (!name)
        return 0;
    if (trace_class_find(w, name) != TRACE_NONE)
        return trace_class_find(w, name);
    if (t->priority != KUBE_UNKNOWN && (!is_kai || name == t->priority_class))
        return class_put(w, name, (int32_t)t->priority, !t->never);
    if (has_value(k, kube_str(k, name), is_kai, &value))
        return class_put(w, name, value, true);
    import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                        "priority class '%s' has no object: value 0",
                        kube_str(k, name));
    return trace_class_put(w, name);
}

uint32_t kube_class_boost(struct trace_workload *w, uint32_t klass,
                          int32_t boost)
{
    const int64_t value = (int64_t)w->klass[klass].value + boost;

    return trace_class_value(w, value < INT32_MIN   ? INT32_MIN
                                : value > INT32_MAX ? INT32_MAX
                                                    : (int32_t)value);
}

void kube_classes_make(const struct kube *k, struct trace_workload *w)
{
    for (uint32_t i = 0; i < k->classes->count; i++) {
        const struct kube_class *c = &k->classes->at[i];

        if (c->name)
            (void)class_put(w, c->name, c->value, !c->never);
    }
}

bool kube_class_keeps(const struct kube *k, const struct kube_template *t)
{
    const bool is_yunikorn = t->scheduler
                                 ? strcmp(kube_str(k, t->scheduler), "yunikorn")
                                       == 0
                                 : k->yunikorn != NULL;

    for (uint32_t i = 0; i < k->classes->count && is_yunikorn; i++) {
        const struct kube_class *c = &k->classes->at[i];

        if (c->keeps && c->name == t->priority_class)
            return true;
    }
    return false;
}
