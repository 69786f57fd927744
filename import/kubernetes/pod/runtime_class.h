/* import/kubernetes/pod/runtime_class.h - kind RuntimeClass: what pods of one
 * runtime ask for beside their containers, and where they stand.
 */
#ifndef KUBE_RUNTIME_CLASS_H
#define KUBE_RUNTIME_CLASS_H

#include <stdint.h>

#include "import/kubernetes/object/amounts.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/index.h"

struct kube;
struct kube_template;
struct topo_taint;

struct kube_runtime_classes {
    struct kube_runtime_class {
        struct kube_amounts overhead;
        struct kube_conditions nodes;
        struct topo_taint *toleration;
        uint32_t tolerations;
    } * at;
    uint32_t count, cap;
    struct kube_index by_name;
    struct kube_runtime_use { /* templates that name a class */
        struct kube_template *pods;
        uint32_t name;
    } * use;
    uint32_t uses, use_cap;
};

/* The pods of `t` name the class `name`. */
void kube_runtime_use(struct kube *k, struct kube_template *t, uint32_t name);
/* All is read: give templates what their classes say. */
void kube_runtimes_finish(struct kube *k);
void kube_runtimes_free(struct kube_runtime_classes *all);

#endif /* KUBE_RUNTIME_CLASS_H */
