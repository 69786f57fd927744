/* import/kubernetes/queue/kueue.c - kinds ClusterQueue and Cohort of Kueue.
 *
 * A ClusterQueue is a queue below its cohort, with quotas of flavors.  For
 * policies that know no flavors it deserves its nominal quotas, of all its
 * flavors together, and may hold what it may borrow besides.
 */
#include "import/kubernetes/queue/kueue.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

/* --- quotas --------------------------------------------------------------- */

/* The amount at `key`, if it is stated and not null. */
static bool amount_read(struct kube *k, const struct gs_ynode *r,
                        const char *key, uint32_t name, struct kube_amounts *to,
                        int64_t *milli)
{
    const struct gs_ynode *n = kube_at(r, key);

    if (!n || kube_quantity_read(k, n, milli) < 0)
        return false;
    kube_amount_add(k, to, name, *milli);
    return true;
}

/* `open`: resources of which the queue may borrow all. */
static void resource_read(struct kube *k, struct kube_queue *q,
                          struct kube_flavor_quota *f, const struct gs_ynode *r,
                          struct kube_amounts *open)
{
    const uint32_t name = kube_name(k, r, "name");
    int64_t quota, more = 0, lent;

    if (!name || !amount_read(k, r, "nominalQuota", name, &f->nominal, &quota))
        return;
    if (!amount_read(k, r, "borrowingLimit", name, &f->borrow, &more)
        && (q->parent || q->is_cohort))
        kube_amount_add(k, open, name, 1);
    (void)amount_read(k, r, "lendingLimit", name, &f->lend, &lent);
    kube_amount_add(k, &q->deserved, name, quota);
    kube_amount_add(k, &q->limit, name, quota);
    kube_amount_add(k, &q->limit, name, more);
}

static void flavor_read(struct kube *k, struct kube_queue *q, uint32_t *cap,
                        const struct gs_ynode *f, struct kube_amounts *open)
{
    struct kube_flavor_quota *x;

    q->flavor = gs_arena_grow(k->arena, q->flavor, cap, q->flavors,
                              sizeof(*q->flavor));
    x = &q->flavor[q->flavors];
    *x = (struct kube_flavor_quota){ .flavor = kube_name(k, f, "name") };
    for (const struct gs_ynode *r = kube_list(f, "resources"); r; r = r->next)
        resource_read(k, q, x, r, open);
    q->flavors += x->flavor && x->nominal.count;
}

static void groups_read(struct kube *k, struct kube_queue *q,
                        const struct gs_ynode *spec)
{
    struct kube_amounts open = { 0 };
    uint32_t kept = 0, cap = 0;

    for (const struct gs_ynode *g = kube_list(spec, "resourceGroups"); g;
         g = g->next) {
        for (const struct gs_ynode *f = kube_list(g, "flavors"); f; f = f->next)
            flavor_read(k, q, &cap, f, &open);
    }
    for (uint32_t i = 0; i < q->limit.count; i++) {
        if (!kube_amount_of(&open, q->limit.at[i].name))
            q->limit.at[kept++] = q->limit.at[i];
    }
    q->limit.count = kept;
}

/* --- terms ---------------------------------------------------------------- */

static void term_add(struct kube_queue *q, const struct gs_ynode *at,
                     const char *key, const char *word, int64_t number)
{
    assert(q->terms < KUBE_QUEUE_TERMS);
    q->term[q->terms++] = (struct kube_queue_term){ key, word, number, at->line,
                                                    at->column };
}

/* The words of a policy there and here. */
static const struct word {
    const char *path, *there, *key, *here;
} words[] = {
    { KUBE_EVICTS_OWN, "LowerPriority", "evicts_own", "lower" },
    { KUBE_EVICTS_OWN, "LowerOrNewerEqualPriority", "evicts_own",
      "lower-or-newer" },
    { KUBE_EVICTS_OTHERS, "LowerPriority", "evicts_others", "lower" },
    { KUBE_EVICTS_OTHERS, "Any", "evicts_others", "any" },
    { "preemption.borrowWithinCohort.policy", "LowerPriority",
      "evicts_borrowing", NULL },
    { "flavorFungibility.whenCanBorrow", "TryNextFlavor",
      "next_flavor_borrowing", NULL },
    { "flavorFungibility.preference", "PreemptionOverBorrowing",
      "flavor_prefers", "evicting" },
    { "queueingStrategy", "StrictFIFO", "head_blocks", NULL },
    { "admissionScope.admissionMode", "UsageBasedAdmissionFairSharing", "order",
      "fair" },
};

static bool is_word(const char *text, const char *const *known)
{
    for (; *known; known++) {
        if (strcmp(text, *known) == 0)
            return true;
    }
    return false;
}

/* Tell a word that Kueue does not know: it refuses the object. */
static void word_check(struct kube *k, const struct gs_ynode *n)
{
    static const char *const known[] = { "Never",
                                         "LowerPriority",
                                         "LowerOrNewerEqualPriority",
                                         "Any",
                                         "Borrow",
                                         "Preempt",
                                         "MayStopSearch",
                                         "TryNextFlavor",
                                         "BorrowingOverPreemption",
                                         "PreemptionOverBorrowing",
                                         "StrictFIFO",
                                         "BestEffortFIFO",
                                         "UsageBasedAdmissionFairSharing",
                                         "NoAdmissionFairSharing",
                                         NULL };

    if (n->kind != GS_YSCALAR || !is_word(n->text, known))
        import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                            "%.60s '%.60s' of a ClusterQueue: no word of Kueue",
                            n->key ? n->key->text : "a policy",
                            n->kind == GS_YSCALAR ? n->text : "");
}

void kube_kueue_policy(struct kube *k, struct kube_queue *q, const char *path,
                       const struct gs_ynode *n)
{
    if (!n)
        return;
    word_check(k, n);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (n->kind == GS_YSCALAR && strcmp(words[i].path, path) == 0
            && strcmp(n->text, words[i].there) == 0)
            term_add(q, n, words[i].key, words[i].here, 1);
    }
}

static void terms_read(struct kube *k, struct kube_queue *q,
                       const struct gs_ynode *spec)
{
    static const char *const paths[] = {
        KUBE_EVICTS_OWN,
        KUBE_EVICTS_OTHERS,
        "preemption.borrowWithinCohort.policy",
        "flavorFungibility.whenCanBorrow",
        "flavorFungibility.preference",
        "queueingStrategy",
        "admissionScope.admissionMode",
    };
    const struct gs_ynode *preempt = kube_at(
        spec, "flavorFungibility.whenCanPreempt");
    const struct gs_ynode *most = kube_at(
        spec, "preemption.borrowWithinCohort.maxPriorityThreshold");

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        kube_kueue_policy(k, q, paths[i], kube_at(spec, paths[i]));
    if (preempt)
        word_check(k, preempt);
    if (preempt && preempt->kind == GS_YSCALAR
        && (strcmp(preempt->text, "MayStopSearch") == 0
            || strcmp(preempt->text, "Preempt") == 0))
        term_add(q, preempt, "next_flavor_evicting", NULL, 0);
    if (most)
        term_add(q, most, "evicts_most", NULL,
                 kube_number(k, spec,
                             "preemption.borrowWithinCohort."
                             "maxPriorityThreshold",
                             0, INT32_MIN, INT32_MAX));
}

/* --- queues --------------------------------------------------------------- */

static double weight_read(struct kube *k, const struct gs_ynode *spec)
{
    const struct gs_ynode *w = kube_at(spec, "fairSharing.weight");
    int64_t milli;

    return w && kube_quantity_read(k, w, &milli) == 0 ? (double)milli / 1000
                                                      : 1;
}

static uint32_t cohort_put(struct kube *k, uint32_t name)
{
    return name ? kube_put(k, gs_arena_printf(k->arena, KUBE_COHORT "%.250s",
                                              kube_str(k, name)))
                : 0;
}

static uint32_t parent_read(struct kube *k, const struct gs_ynode *spec)
{
    static const char *const keys[] = { "cohortName", "cohort", "parentName",
                                        "parent" };
    uint32_t name = 0;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !name; i++)
        name = kube_name(k, spec, keys[i]);
    return cohort_put(k, name);
}

static void unread_tell(struct kube *k, const struct gs_ynode *spec)
{
    ignored(k, kube_at(spec, "admissionChecks"), "admission checks of Kueue");
    ignored(k, kube_at(spec, "admissionChecksStrategy"),
            "admission checks of Kueue");
}

/* The namespaces whose jobs the queue takes; NULL: all.  Without a selector it
 * is closed, as it takes none.
 */
static void spaces_read(struct kube *k, struct kube_queue *q,
                        const struct gs_ynode *spec)
{
    const struct gs_ynode *n = kube_at(spec, "namespaceSelector");
    struct kube_conditions c = { 0 };

    if (!n) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, spec,
                            "jobs of a ClusterQueue without namespaceSelector: "
                            "it takes none, and is closed");
        q->closed = true;
        return;
    }
    kube_conditions_add(k, &c, kube_at(n, "matchLabels"),
                        kube_at(n, "matchExpressions"));
    if (c.count)
        q->spaces = gs_arena_memdup(k->arena, &c, sizeof(c));
}

int kube_cluster_queue_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const char *stop = kube_text(spec, "stopPolicy");
    struct kube_queue q = {
        .name = kube_name(k, o->root, "metadata.name"),
        .weight = weight_read(k, spec),
        .closed = stop && stop[0] == 'H', /* Hold, HoldAndDrain */
        .parent = parent_read(k, spec),
        .is_cohort = strcmp(o->kind, "Cohort") == 0,
    };

    if (q.is_cohort)
        q.name = cohort_put(k, q.name);
    groups_read(k, &q, spec);
    terms_read(k, &q, spec);
    if (!q.is_cohort) {
        spaces_read(k, &q, spec);
        unread_tell(k, spec);
    }
    return kube_queue_add(k, &q);
}
