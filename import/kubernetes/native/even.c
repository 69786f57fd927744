/* import/kubernetes/native/even.c - nodes that are nearly alike are made
 * alike.
 */
#include "import/kubernetes/native/even.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/pod.h"

/* A node, with what tells types apart. */
struct alike {
    uint32_t node, type, device;
    int64_t cpu, devices;
    int64_t amount; /* thousandths of what is made even */
};

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_type(const struct alike *a, const struct alike *b)
{
    int c = compare(a->type, b->type);

    c = c ? c : compare(a->device, b->device);
    c = c ? c : compare(a->cpu, b->cpu);
    return c ? c : compare(a->devices, b->devices);
}

static int by_amount(const void *x, const void *y)
{
    const struct alike *a = x, *b = y;
    int c = by_type(a, b);

    c = c ? c : compare(a->amount, b->amount);
    return c ? c : compare(a->node, b->node);
}

static struct alike *alike_of(struct kube *k, uint32_t resource)
{
    const uint32_t type = kube_put(k, "node.kubernetes.io/instance-type");
    const uint32_t cpu = kube_put(k, "cpu");
    struct alike *all = gs_array_new(k->nodes->count, sizeof(*all));

    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const struct kube_node *n = &k->nodes->at[i];

        all[i] = (struct alike){
            .node = i,
            .type = kube_label_value(&n->labels, type),
            .device = n->device,
            .cpu = kube_amount_of(&n->amounts, cpu),
            .devices = n->device ? kube_amount_of(&n->amounts, n->device) : 0,
            .amount = kube_amount_of(&n->amounts, resource),
        };
    }
    if (k->nodes->count)
        qsort(all, k->nodes->count, sizeof(*all), by_amount);
    return all;
}

/* needed[node]: thousandths that daemons and pods on it ask for. */
static int64_t *needed_of(struct kube *k, uint32_t resource)
{
    const uint32_t known = gs_strtab_count(k->names);
    int64_t *needed = gs_array_new(k->nodes->count + 1, sizeof(*needed));
    uint32_t *node = gs_array_new(known, sizeof(*node));

    for (uint32_t i = 0; i < k->nodes->count; i++) {
        node[k->nodes->at[i].name] = i + 1;
        needed[i] = kube_amount_of(&k->nodes->at[i].daemons, resource);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];
        struct kube_amounts a;
        int64_t more;

        if (p->is_daemon || p->phase == KUBE_ENDED || !p->pods->node
            || p->pods->node >= known || !node[p->pods->node])
            continue;
        a = kube_template_request(k, p->pods, NULL);
        more = kube_amount_of(&a, resource);
        needed[node[p->pods->node] - 1] += more < INT64_MAX / 4 ? more : 0;
    }
    gs_array_free(node);
    return needed;
}

static void lower(struct kube *k, const struct kube_node *n, uint32_t resource,
                  int64_t milli)
{
    const struct gs_ynode at = { .line = n->line, .column = n->column };

    for (uint32_t i = 0; i < n->amounts.count; i++) {
        if (n->amounts.at[i].name == resource)
            n->amounts.at[i].milli = milli;
    }
    import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, n->source), &at,
                        "nodes of one type whose %s differs by less than 1 %% "
                        "have the least of it",
                        kube_str(k, resource));
}

static void even(struct kube *k, const char *name)
{
    const uint32_t resource = kube_put(k, name), count = k->nodes->count;
    struct alike *all = alike_of(k, resource);
    int64_t *needed = NULL;

    for (uint32_t i = 1, first = 0; i < count; i++) {
        const int64_t least = all[first].amount;

        if (by_type(&all[i], &all[first]) != 0
            || all[i].amount - least > least / 128) {
            first = i;
            continue;
        }
        if (all[i].amount == least)
            continue;
        needed = needed ? needed : needed_of(k, resource);
        if (needed[all[i].node] <= least)
            lower(k, &k->nodes->at[all[i].node], resource, least);
    }
    gs_array_free(needed);
    gs_array_free(all);
}

void kube_nodes_even(struct kube *k)
{
    even(k, "memory");
    even(k, "ephemeral-storage");
}
