/* import/kubernetes/workload/assigned.c - see assigned.h.
 *
 * v1beta1 lists the domains one by one; v1beta2 in slices, in which values and
 * counts that are equal stand once, and names without what all begin and end
 * with.
 */
#include "import/kubernetes/workload/assigned.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/kube_workload.h"

struct domains {
    struct kube *k;
    const struct gs_ynode *at; /* the assignment */
    struct kube_assigned *put; /* NULL: they are counted */
    uint32_t count;
};

static const struct gs_ynode *last_of(const struct gs_ynode *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}

static const char *text_of(const struct gs_ynode *n)
{
    return n && n->kind == GS_YSCALAR ? n->text : "";
}

/* `tasks` pods are on the host. */
static void domain_add(struct domains *d, const char *host, uint64_t tasks)
{
    if (!d->put && (!*host || tasks == 0))
        import_account_tell(d->k->account, IMPORT_LEFT, d->k->source, d->at,
                            "domains of a topologyAssignment without a value "
                            "or a count of pods");
    if (!*host || tasks == 0)
        return;
    if (d->put)
        d->put[d->count] = (struct kube_assigned){
            .host = kube_put(d->k, host),
            .tasks = kube_clip(d->k, tasks),
        };
    d->count++;
}

/* All domains of a slice have that value, or that count, unless it lists them;
 * what they share is not said again for each.
 */
static void slice_read(struct domains *d, const struct gs_ynode *slice)
{
    const struct gs_ynode *level = last_of(kube_list(slice, "valuesPerLevel"));
    const struct gs_ynode *root = kube_list(level, "individual.roots");
    const struct gs_ynode *each = kube_list(slice, "podCounts.individual");
    const char *same = kube_text(level, "universal");
    const char *prefix = kube_text(level, "individual.prefix");
    const char *suffix = kube_text(level, "individual.suffix");
    const uint32_t all = kube_count(d->k, slice, "podCounts.universal", 0);
    const uint32_t domains = kube_count(d->k, slice, "domainCount", 1);
    char name[800];

    if (same && !each) {
        domain_add(d, same, (uint64_t)domains * all);
        return;
    }
    do {
        (void)snprintf(name, sizeof(name), "%.253s%.253s%.253s",
                       prefix && !same ? prefix : "",
                       same ? same : text_of(root),
                       suffix && !same ? suffix : "");
        domain_add(d, same || root ? name : "",
                   each ? kube_count(d->k, each, "", 0) : all);
        root = root ? root->next : NULL;
        each = each ? each->next : NULL;
    } while (root || (same && each));
}

static void domains_read(struct domains *d)
{
    for (const struct gs_ynode *x = kube_list(d->at, "slices"); x; x = x->next)
        slice_read(d, x);
    for (const struct gs_ynode *x = kube_list(d->at, "domains"); x; x = x->next)
        domain_add(d, text_of(last_of(kube_list(x, "values"))),
                   kube_count(d->k, x, "count", 0));
}

void kube_assigned_read(struct kube *k, const struct gs_ynode *assigned,
                        struct kube_member *m)
{
    struct domains d = { .k = k,
                         .at = kube_at(assigned, "topologyAssignment") };

    if (!d.at)
        return;
    if (strcmp(text_of(last_of(kube_list(d.at, "levels"))),
               "kubernetes.io/hostname")
        != 0) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, d.at,
                            "a topologyAssignment whose lowest level is not "
                            "kubernetes.io/hostname: its pods hold quota, and "
                            "their nodes are found at time 0");
        return;
    }
    domains_read(&d);
    d.put = gs_arena_alloc(k->arena, d.count, sizeof(*d.put));
    m->assigned = d.put;
    m->assigneds = d.count;
    d.count = 0;
    domains_read(&d);
}
