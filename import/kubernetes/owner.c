/* import/kubernetes/owner.c - which pods are of which workload. */
#include "import/kubernetes/owner.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/pod.h"
#include "import/kubernetes/pod_template.h"
#include "import/kubernetes/workload.h"

#define OWNERS_MAX 16 /* from a pod to the root */

/* [string id] workload of that uid, and 1; 0: none. */
struct uids {
    uint32_t *at, count;
};

static uint32_t find(const struct uids *u, uint32_t uid)
{
    return uid && uid < u->count ? u->at[uid] : 0;
}

/* Of two of one kind and name the later one counts. */
static void names_unite(struct kube *k)
{
    struct kube_workloads *all = k->workloads;
    struct gs_strtab *seen = gs_strtab_create();

    for (uint32_t i = all->count; i-- > 0;) {
        struct kube_workload *w = &all->at[i];
        const struct gs_ynode at = { .line = w->line, .column = w->column };
        const uint32_t before = gs_strtab_count(seen);
        char key[600];

        (void)snprintf(key, sizeof(key), "%.64s %.520s", kube_str(k, w->kind),
                       kube_str(k, w->name));
        if (w->is_named && gs_strtab_put(seen, key, strlen(key)) < before) {
            w->is_part = true;
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source),
                                &at, "a workload that comes again later");
        }
    }
    gs_strtab_destroy(seen);
}

/* The workload at the root of its owners, and 1. */
static uint32_t root_of(const struct kube *k, const struct uids *u, uint32_t at)
{
    for (int i = 0; at && i < OWNERS_MAX; i++) {
        const uint32_t above = find(u, k->workloads->at[at - 1].owner);

        if (!above || above == at)
            return at;
        at = above;
    }
    return at;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a == KUBE_UNKNOWN || (b != KUBE_UNKNOWN && b < a) ? b : a;
}

static void pod_join(struct kube_workload *w, const struct kube_pod *p)
{
    w->has_pods = true;
    if (w->life == KUBE_BATCH)
        w->start = earlier(w->start, p->start);
}

void kube_owners_find(struct kube *k)
{
    struct uids u = { .count = gs_strtab_count(k->names) };

    names_unite(k);
    u.at = gs_array_new(u.count, sizeof(*u.at));
    for (uint32_t i = 0; i < k->workloads->count; i++)
        u.at[k->workloads->at[i].uid] = i + 1;
    u.at[0] = 0;
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        struct kube_workload *w = &k->workloads->at[i];

        w->is_part = w->is_part || root_of(k, &u, i + 1) != i + 1;
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];

        p->workload = root_of(k, &u, find(&u, p->owner));
        if (p->workload)
            pod_join(&k->workloads->at[p->workload - 1], p);
    }
    gs_array_free(u.at);
}
