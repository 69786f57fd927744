/* import/kubernetes/native/kai_class.c - KAI's own priority classes. */
#include "import/kubernetes/native/kai_class.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "import/kubernetes/native/class_terms.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"

bool kube_kai_class_value(const char *name, int32_t *value)
{
    static const struct {
        const char *name;
        int32_t value;
    } of[] = { { "train", 50 },
               { "build-preemptible", 75 },
               { "build", 100 },
               { "inference", 125 } };

    assert(name && value);
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        *value = of[i].value;
        if (strcmp(name, of[i].name) == 0)
            return true;
    }
    return false;
}

uint32_t kube_kai_class(struct kube *k, uint32_t label, uint32_t kind,
                        const struct kube_template *t)
{
    static const struct {
        const char *kind, *name;
    } kinds[] = { { "Deployment", "inference" },
                  { "Service", "inference" },
                  { "Notebook", "build" } };
    const char *name = "train";

    if (!label)
        label = kube_label_value(&t->labels, kube_put(k, "priorityClassName"));
    if (label || t->priority_class)
        return label ? label : t->priority_class;
    if (t->priority != KUBE_UNKNOWN && t->priority != 0)
        return 0; /* 0 is that of pods without a class */
    if (kube_class_default(k))
        return kube_class_default(k);
    if (kube_label_has(&t->labels, kube_put(k, "pod-template-hash")))
        name = "inference"; /* a Deployment made its ReplicaSet */
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kube_str(k, kind), kinds[i].kind) == 0)
            name = kinds[i].name;
    }
    return kube_put(k, name);
}
