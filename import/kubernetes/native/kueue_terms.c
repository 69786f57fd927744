/* import/kubernetes/native/kueue_terms.c - flavors, quotas of flavors, accounts
 * and queue terms of the trace that Kueue's objects state.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kueue_gates.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kueue.h"
#include "traces/workload/accounts.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

#define FLAVOR_LIST_MAX 64 /* of each, in a native trace; Kueue has 8 */

/* As many as a flavor of the trace may have. */
static uint32_t list_clip(struct kube *k, uint32_t name, uint32_t count)
{
    if (count <= FLAVOR_LIST_MAX)
        return count;
    import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                        "labels, taints and tolerations of flavor '%s' beyond "
                        "%d each",
                        kube_str(k, name), FLAVOR_LIST_MAX);
    return FLAVOR_LIST_MAX;
}

/* Of which tasks it is, where some flavors have a Topology and some have none.
 */
static enum trace_flavor_of tasks_of(const struct kube *k,
                                     const struct kube_flavor *f)
{
    if (!kube_kueue_has_topologies(k)
        || k->kueue->with_levels == k->kueue->flavors)
        return TRACE_OF_ALL;
    return f->has_levels ? TRACE_OF_PLACED : TRACE_OF_LOOSE;
}

/* The flavor of the trace; of one without an object all nodes are. */
static uint32_t flavor_put(struct kube *k, struct trace_workload *w,
                           uint32_t name)
{
    const uint32_t at = kube_index_get(&k->kueue->flavor_by_name, name);
    const uint32_t known = trace_flavor_find(w, name);
    const struct kube_flavor *from = at ? &k->kueue->flavor[at - 1] : NULL;
    struct trace_flavor *f;
    uint32_t flavor;

    if (known != TRACE_NONE || w->terms->flavor_count == TRACE_FLAVORS_MAX)
        return known;
    flavor = trace_flavor_put(w, name);
    f = &w->terms->flavor[flavor];
    if (!from) {
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "flavor '%s' has no object: it is of all nodes",
                            kube_str(k, name));
        return flavor;
    }
    f->of = tasks_of(k, from);
    f->label_count = list_clip(k, name, from->labels.count);
    f->taint_count = list_clip(k, name, from->taints);
    f->toleration_count = list_clip(k, name, from->tolerations);
    f->label = gs_arena_memdup(w->arena, from->labels.at,
                               f->label_count * sizeof(*f->label));
    f->taint = gs_arena_memdup(w->arena, from->taint,
                               f->taint_count * sizeof(*f->taint));
    f->toleration = gs_arena_memdup(w->arena, from->toleration,
                                    f->toleration_count
                                        * sizeof(*f->toleration));
    return flavor;
}

/* LocalQueues share their ClusterQueue by their weights. */
static void accounts_make(struct kube *k, struct trace_workload *w)
{
    const struct kube_kueue *q = k->kueue;
    bool differ = false;

    for (uint32_t i = 0; i < q->locals; i++)
        differ |= q->local[i].weight != 1000;
    for (uint32_t i = 0; i < q->locals && differ; i++) {
        const int64_t shares = q->local[i].weight;

        if (trace_account_find(w, q->local[i].name, 0) != TRACE_NONE)
            continue;
        trace_account_add(
            w, &(struct trace_account){ .name = q->local[i].name,
                                        .shares = shares < 1 ? 0
                                                  : shares > TRACE_SHARES_MAX
                                                      ? TRACE_SHARES_MAX
                                                      : (uint32_t)shares });
    }
}

void kube_kueue_make(struct kube *k, struct trace_workload *w)
{
    for (uint32_t i = 0; i < k->kueue->flavors; i++)
        (void)flavor_put(k, w, k->kueue->flavor[i].name);
    accounts_make(k, w);
}

/* --- a queue -------------------------------------------------------------- */

/* Is the last flavor of the queue another than those before, and of the same
 * resources or of others only?
 */
static bool agrees(const struct trace_workload *w,
                   const struct trace_queue_extra *extra)
{
    const struct trace_queue_flavor
        *all = &w->terms->queue_flavor[extra->first_flavor],
        *f = &all[extra->flavor_count - 1];

    for (const struct trace_queue_flavor *x = all; x < f; x++) {
        if (x->flavor == f->flavor || !trace_queue_flavors_agree(x, f))
            return false;
    }
    return true;
}

static void flavors_put(struct kube *k, struct trace_workload *w,
                        struct trace_queue *q, const struct kube_queue *from)
{
    if (from->flavors && trace_queue_extra(w, q)->flavor_count) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "flavors of a second queue '%s'",
                            kube_queue_text(k, from->name));
        return;
    }
    for (uint32_t i = 0; i < from->flavors; i++) {
        const struct kube_flavor_quota *x = &from->flavor[i];
        const uint32_t flavor = flavor_put(k, w, x->flavor);
        struct trace_queue_extra *extra = trace_queue_extra_put(w, q);
        struct trace_queue_flavor *f;

        if (flavor == TRACE_NONE
            || extra->flavor_count == TRACE_QUEUE_FLAVORS_MAX) {
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "flavors of queue '%s' beyond %d",
                                kube_queue_text(k, from->name),
                                TRACE_QUEUE_FLAVORS_MAX);
            return;
        }
        f = trace_queue_flavor_add(w, extra, flavor);
        kube_terms_amounts(k, &x->nominal, f->guarantee);
        kube_terms_amounts(k, &x->borrow, f->borrow);
        kube_terms_amounts(k, &x->lend, f->lend);
        if (!agrees(w, extra)) {
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "flavor '%s' of queue '%s': one before covers "
                                "a part of its resources, or is the same",
                                kube_str(k, x->flavor),
                                kube_queue_text(k, from->name));
            trace_queue_flavor_drop(w, extra);
        }
    }
}

/* The value of a word of the term; -1. */
static int64_t word_value(const struct trace_term_info *t, const char *word)
{
    for (int64_t i = 0; t->words && t->words[i]; i++) {
        if (strcmp(t->words[i], word) == 0)
            return i;
    }
    return -1;
}

static void term_put(struct kube *k, struct trace_workload *w,
                     struct trace_queue *q, const struct kube_queue_term *x)
{
    const struct gs_ynode at = { .line = x->line, .column = x->column };

    for (uint32_t i = 0; i < TRACE_QUEUE_TERMS; i++) {
        const struct trace_term_info *t = &trace_term_info[i];

        if (strcmp(t->key, x->key) != 0)
            continue;
        trace_queue_extra_put(w, q)->term[i] = x->word ? word_value(t, x->word)
                                                       : x->number;
        return;
    }
    import_account_tell(k->account, IMPORT_IGNORED, NULL, x->line ? &at : NULL,
                        "what a queue says of '%s'", x->key);
}

/* Is it of flavorFungibility? */
static bool is_of_flavors(const struct kube_queue_term *x)
{
    return strncmp(x->key, "next_flavor_", 12) == 0
           || strcmp(x->key, "flavor_prefers") == 0;
}

static void fungibility_tell(struct kube *k, const struct kube_queue_term *x)
{
    const struct gs_ynode at = { .line = x->line, .column = x->column };

    import_account_tell(k->account, IMPORT_ASSUMED, NULL, x->line ? &at : NULL,
                        "flavorFungibility of ClusterQueues does not count, as "
                        "featureGates, FlavorFungibility is shut: the first "
                        "flavor that fits is taken, else the first with which "
                        "others are evicted");
}

void kube_kueue_put(struct kube *k, struct trace_workload *w,
                    struct trace_queue *q, const struct kube_queue *from)
{
    flavors_put(k, w, q, from);
    for (uint32_t i = 0; i < from->terms; i++) {
        if (is_of_flavors(&from->term[i])
            && !kube_gate_is_open(k, KUBE_GATE_FUNGIBILITY))
            fungibility_tell(k, &from->term[i]);
        else
            term_put(k, w, q, &from->term[i]);
    }
}
