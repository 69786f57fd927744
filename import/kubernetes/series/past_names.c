/* import/kubernetes/series/past_names.c - pods that some series tell by their
 * uids and others by their names only.
 */
#include <stdio.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/series_rows.h"

uint32_t past_full_name(const struct kube *k, uint32_t space, uint32_t name)
{
    char text[600];

    (void)snprintf(text, sizeof(text), "%.253s/%.253s", kube_str(k, space),
                   kube_str(k, name));
    return kube_put(k, text);
}

static void seen_join(struct past_seen *to, const struct past_seen *from)
{
    to->bound = kube_series_earlier(to->bound, from->bound);
    to->run_first = kube_series_earlier(to->run_first, from->run_first);
    to->run_last = kube_series_later(to->run_last, from->run_last);
    to->ended = kube_series_earlier(to->ended, from->ended);
    to->first = kube_series_earlier(to->first, from->first);
    to->last = kube_series_later(to->last, from->last);
}

/* What `from` says and `to` does not; its times too, when it is the same pod.
 */
static void pod_join(struct past_pod *to, const struct past_pod *from,
                     bool is_same)
{
    to->node = to->node ? to->node : from->node;
    to->priority_class = to->priority_class ? to->priority_class
                                            : from->priority_class;
    to->scheduler = to->scheduler ? to->scheduler : from->scheduler;
    if (!to->owner_kind || (from->is_controlled && !to->is_controlled)) {
        to->owner_kind = from->owner_kind;
        to->owner_name = from->owner_name;
    }
    if (!to->containers) {
        to->container = from->container;
        to->containers = from->containers;
    }
    if (!to->tolerations) {
        to->toleration = from->toleration;
        to->tolerations = from->tolerations;
    }
    to->labels = to->labels.count ? to->labels : from->labels;
    to->annotations = to->annotations.count ? to->annotations
                                            : from->annotations;
    to->selectors = to->selectors.count ? to->selectors : from->selectors;
    to->overhead = to->overhead.count ? to->overhead : from->overhead;
    if (!is_same)
        return;
    to->created = kube_series_earlier(to->created, from->created);
    to->started = kube_series_earlier(to->started, from->started);
    to->scheduled = kube_series_earlier(to->scheduled, from->scheduled);
    to->completed = kube_series_later(to->completed, from->completed);
    to->deleted = kube_series_earlier(to->deleted, from->deleted);
    seen_join(&to->seen, &from->seen);
    seen_join(&to->at_once, &from->at_once);
}

void past_names_join(struct kube *k, uint8_t *is_joined)
{
    struct kube_series *all = k->series;
    uint32_t *next = gs_array_new(all->pods, sizeof(*next));
    struct kube_index last = { 0 };

    for (uint32_t i = 0; i < all->pods; i++) {
        const struct past_pod *p = &all->pod[i];
        const uint32_t name = past_full_name(k, p->space, p->name);

        if (!p->uid)
            continue;
        next[i] = kube_index_get(&last, name);
        kube_index_put(&last, name, i);
    }
    for (uint32_t i = 0; i < all->pods; i++) {
        const struct past_pod *p = &all->pod[i];
        const uint32_t first =
            p->uid
                ? 0
                : kube_index_get(&last, past_full_name(k, p->space, p->name));

        is_joined[i] = first != 0;
        for (uint32_t at = first; at; at = next[at - 1])
            pod_join(&all->pod[at - 1], p, next[first - 1] == 0);
        if (first && next[first - 1])
            import_account_tell(
                k->account, IMPORT_ASSUMED, kube_str(k, p->source),
                &(struct gs_ynode){ .line = p->line, .column = 1 },
                "pods that came again under their name, of series without a "
                "label uid, ask for the same");
    }
    gs_array_free(next);
    gs_array_free(last.at);
}
