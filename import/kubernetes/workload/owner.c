/* import/kubernetes/workload/owner.c - which pods are of which workload. */
#include "import/kubernetes/workload/owner.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"

#define OWNERS_MAX 16 /* from a pod to the root */

/* [string id] workload of that uid, and 1; 0: none. */
struct uids {
    uint32_t *at, count;
};

static uint32_t find(const struct uids *u, uint32_t uid)
{
    return uid && uid < u->count ? u->at[uid] : 0;
}

static bool has_containers(const struct kube_workload *w)
{
    bool any = false;

    for (uint32_t i = 0; i < w->members && !any; i++)
        any = w->member[i].pods->containers > 0;
    return any;
}

/* Of two of one kind and name the later one counts: those with containers
 * before those without, such as patches, and those that are (`templates` is
 * false) before those that a wrapper would make.
 */
static void names_unite(struct kube *k, struct gs_strtab *seen, bool templates,
                        bool whole)
{
    struct kube_workloads *all = k->workloads;

    for (uint32_t i = all->count; i-- > 0;) {
        struct kube_workload *w = &all->at[i];
        const struct gs_ynode at = { .line = w->line, .column = w->column };
        const uint32_t before = gs_strtab_count(seen);
        char key[620];

        if (w->is_template != templates || !w->is_named
            || has_containers(w) != whole)
            continue;
        (void)snprintf(key, sizeof(key), "%u %.64s %.520s", w->group,
                       kube_str(k, w->kind), kube_str(k, w->name));
        if (gs_strtab_put(seen, key, strlen(key)) < before) {
            w->is_part = true;
            import_account_tell(
                k->account, IMPORT_LEFT, kube_str(k, w->source), &at,
                templates ? "a template whose workload is there"
                : whole   ? "a workload that comes again later"
                          : "a workload without containers that comes again");
        }
    }
}

/* A folder may hold a pod in several dumps, and its manifest.  Two of one name
 * with uids of their own are two: the second was made when the first was gone.
 */
static void pods_unite(struct kube *k)
{
    struct kube_pods *all = k->pods;
    struct kube_index last = { 0 }; /* of a uid, or a name */
    uint32_t kept = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_pod *p = &all->at[i];

        if (p->is_named && !p->is_past)
            kube_index_put(&last, p->name, i);
    }
    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_pod *p = &all->at[i];

        if (p->uid && p->is_named && !p->is_past) {
            kube_index_put(&last, p->uid, i);
            kube_index_put(&last, p->name, i);
        }
    }
    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_pod *p = &all->at[i];
        const struct gs_ynode at = { .line = p->pods->line,
                                     .column = p->pods->column };

        if (p->is_named && !p->is_past
            && kube_index_get(&last, p->uid ? p->uid : p->name) != i + 1)
            import_account_tell(k->account, IMPORT_LEFT,
                                kube_str(k, p->pods->source), &at,
                                "a pod that comes again");
        else
            all->at[kept++] = *p;
    }
    all->count = kept;
    gs_array_free(last.at);
}

/* A template without a name is left out once its wrapper has made a workload of
 * that kind.
 */
static void templates_unite(struct kube *k, uint32_t ids)
{
    struct kube_workloads *all = k->workloads;
    uint32_t *made = gs_array_new(ids, sizeof(*made)); /* kind by owner */

    for (uint32_t i = 0; i < all->count; i++) {
        if (!all->at[i].is_template)
            made[all->at[i].owner] = all->at[i].kind;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        struct kube_workload *w = &all->at[i];

        if (w->is_template && !w->is_named && w->wrapper
            && made[w->wrapper] == w->kind)
            w->is_part = true;
    }
    gs_array_free(made);
}

static uint32_t owner_linked(const struct kube *k, uint32_t uid)
{
    return uid < k->links->cap ? k->links->owner[uid] : 0;
}

static void link_put(struct kube *k, uint32_t uid, uint32_t owner)
{
    struct kube_links *l = k->links;

    if (!uid || !owner)
        return;
    l->owner = gs_array_grow(l->owner, &l->cap, uid + 1, sizeof(*l->owner));
    l->owner[uid] = owner;
}

void kube_link_add(struct kube *k, const struct gs_ynode *object)
{
    const uint32_t owner = kube_owner_of(k, object);

    if (owner)
        link_put(k, kube_name(k, object, "metadata.uid"), owner);
}

/* The workload at the root of what owns the object with this uid, and 1; 0:
 * none, or its owners own each other.
 */
static uint32_t root_of(const struct kube *k, const struct uids *u,
                        uint32_t uid)
{
    uint32_t root = 0;

    for (int i = 0; uid && i < OWNERS_MAX; i++) {
        const uint32_t at = find(u, uid);

        root = at ? at : root;
        uid = at ? k->workloads->at[at - 1].owner : owner_linked(k, uid);
    }
    return uid ? 0 : root;
}

/* The quota that Kueue's Workload holds is that of the workload that owns it:
 * of members of one name, or else in their order.
 */
static void quota_pass(const struct kube *k, struct kube_workload *to,
                       const struct kube_workload *from)
{
    if (to->uid != from->owner || to->copies > 1 || to->schedule)
        return;
    to->holds_quota = true;
    to->admitted = from->admitted;
    to->queue = from->cluster ? from->cluster : to->queue;
    for (uint32_t i = 0; i < to->members; i++) {
        struct kube_member *m = &to->member[i];
        uint32_t at = from->members == to->members ? i : from->members;

        for (uint32_t n = 0; n < from->members && n < KUBE_POD_SETS_MAX; n++) {
            if (strcasecmp(kube_str(k, from->member[n].name),
                           kube_str(k, m->name))
                == 0)
                at = n;
        }
        if (at == from->members)
            continue;
        m->held = from->member[at].held;
        m->helds = from->member[at].helds;
        m->assigned = from->member[at].assigned;
        m->assigneds = from->member[at].assigneds;
    }
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

/* --- owners that the source does not hold --------------------------------- */

/* Which workload the owner of a kind belongs to: by what stands before the last
 * '-' of its name, or by a label of its pods.
 */
static const struct heir {
    const char *owner, *label, *kind;
} heirs[] = {
    { "ReplicaSet", NULL, "Deployment" },
    { "ReplicaSet", NULL, "Rollout" },
    { "Job", "jobset.sigs.k8s.io/jobset-name", "JobSet" },
    { "StatefulSet", "leaderworkerset.sigs.k8s.io/name", "LeaderWorkerSet" },
    { "RayCluster", "ray.io/originated-from-cr-name", "RayJob" },
    { "RayCluster", "ray.io/originated-from-cr-name", "RayService" },
};

static uint32_t called(const struct kube *k, const char *kind, const char *name)
{
    char text[680];

    (void)snprintf(text, sizeof(text), "%.64s %.600s", kind, name);
    return kube_put(k, text);
}

/* "namespace/web" of a pod of ReplicaSet web-5d59d67564, which its label
 * pod-template-hash must not deny; false: its name is none of these.
 */
static bool name_cut(const struct kube *k, const struct kube_pod *p, char *name,
                     size_t size)
{
    const char *owner = kube_str(k, p->owner_name);
    const char *dash = strrchr(owner, '-');
    const uint32_t hash = kube_label_value(&p->pods->labels,
                                           kube_put(k, "pod-template-hash"));

    if (!dash || dash == owner
        || (hash && strcmp(kube_str(k, hash), dash + 1) != 0))
        return false;
    (void)snprintf(name, size, "%.253s/%.*s", kube_str(k, p->pods->space),
                   (int)(dash - owner < 253 ? dash - owner : 253), owner);
    return true;
}

/* The workload that the pod is of by names, and 1; 0. */
static uint32_t heir_of(const struct kube *k, const struct kube_index *by_name,
                        const struct kube_pod *p)
{
    uint32_t found = 0;
    char name[600];

    for (size_t i = 0; i < sizeof(heirs) / sizeof(heirs[0]) && !found; i++) {
        const struct heir *h = &heirs[i];
        const uint32_t value = h->label ? kube_label_value(
                                   &p->pods->labels, kube_put(k, h->label))
                                        : 0;

        if (strcmp(kube_str(k, p->owner_kind), h->owner) != 0
            || (h->label ? !value : !name_cut(k, p, name, sizeof(name))))
            continue;
        if (h->label)
            (void)snprintf(name, sizeof(name), "%.253s/%.253s",
                           kube_str(k, p->pods->space), kube_str(k, value));
        found = kube_index_get(by_name, called(k, h->kind, name));
    }
    return found;
}

/* Pods whose owner is no object of the source are of the workload that made it,
 * told by names: a Deployment without its ReplicaSets has its pods.
 */
static void heirs_find(struct kube *k, const struct uids *u)
{
    struct kube_index by_name = { 0 };

    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];

        if (!w->is_template)
            kube_index_put(
                &by_name, called(k, kube_str(k, w->kind), kube_str(k, w->name)),
                i);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];
        const uint32_t heir = p->workload || !p->owner || p->is_daemon
                                  ? 0
                                  : heir_of(k, &by_name, p);
        const struct kube_workload *w = heir ? &k->workloads->at[heir - 1]
                                             : NULL;
        const uint32_t root = w && w->owner ? root_of(k, u, w->owner) : 0;

        if (!w || (w->is_part && !root))
            continue;
        p->workload = root ? root : heir;
        pod_join(&k->workloads->at[p->workload - 1], p);
        import_account_tell(k->account, IMPORT_ASSUMED,
                            kube_str(k, p->pods->source),
                            &(struct gs_ynode){ .line = p->pods->line,
                                                .column = p->pods->column },
                            "pods of a %s that is not in the source are those "
                            "of its %s, by their names",
                            kube_str(k, p->owner_kind), kube_str(k, w->kind));
    }
    gs_array_free(by_name.at);
}

void kube_owners_find(struct kube *k)
{
    struct uids u = { .count = gs_strtab_count(k->names) };
    struct gs_strtab *seen = gs_strtab_create();

    for (int i = 0; i < 4; i++)
        names_unite(k, seen, i >= 2, i % 2 == 0);
    gs_strtab_destroy(seen);
    pods_unite(k);
    templates_unite(k, u.count);
    u.at = gs_array_new(u.count, sizeof(*u.at));
    for (uint32_t i = 0; i < k->workloads->count; i++)
        u.at[k->workloads->at[i].uid] = i + 1;
    u.at[0] = 0;
    for (uint32_t i = 0; i < k->pods->count; i++)
        link_put(k, k->pods->at[i].uid, k->pods->at[i].owner);
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        struct kube_workload *w = &k->workloads->at[i];
        const uint32_t root = root_of(k, &u, w->owner);

        if (root && w->holds_quota && !w->is_part)
            quota_pass(k, &k->workloads->at[root - 1], w);
        w->is_part = w->is_part || root;
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];

        p->workload = root_of(k, &u, p->owner);
        if (p->workload)
            pod_join(&k->workloads->at[p->workload - 1], p);
    }
    heirs_find(k, &u);
    gs_array_free(u.at);
}
