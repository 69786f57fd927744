/* import/kubernetes/native/lent_queues.c - see lent_queues.h. */
#include "import/kubernetes/native/lent_queues.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/yunikorn/yunikorn.h"
#include "traces/workload/workload.h"

#define SPACE_MAX 253 /* bytes of the name of a namespace */

struct lending {
    struct kube *k;
    struct trace_workload *w;
    uint32_t *named; /* [queue that was] string id of its name; 0: default */
    uint32_t rejected, first; /* jobs, the name of the first */
};

/* Put the namespace of a job into `space` of SPACE_MAX + 1 bytes. */
static char *space_of(const struct lending *l, const struct trace_job *j,
                      char *space)
{
    const char *name = kube_str(l->k, j->name), *slash = strchr(name, '/');
    const int len = slash ? (int)(slash - name) : 0;

    if (len == 0 || len > SPACE_MAX)
        (void)snprintf(space, SPACE_MAX + 1, "default");
    else
        (void)snprintf(space, SPACE_MAX + 1, "%.*s", len, name);
    return space;
}

/* --- YuniKorn ------------------------------------------------------------- */

/* A path of the trace as YuniKorn writes it: below the root, with dots. */
static const char *dotted(const char *path, char *to)
{
    char *end;

    if (!strchr(path, '/'))
        return path;
    (void)snprintf(to, YUNIKORN_PATH_MAX + 1, "%s%s",
                   strncmp(path, "root/", 5) == 0 ? "" : "root.", path);
    for (end = to; *end; end++)
        *end = *end == '/' ? '.' : *end;
    return to;
}

static uint32_t placed(struct lending *l, struct trace_job *j, uint32_t named)
{
    struct kube *k = l->k;
    char path[YUNIKORN_PATH_MAX + 1], name[SPACE_MAX + 1];
    struct kube_yunikorn_space space = { k, kube_put(k, space_of(l, j, name)) };
    const char *group = kube_str(k, j->aside->user_group);
    struct yunikorn_words groups = { &group, j->aside->user_group != 0 };
    const struct yunikorn_application a = {
        .queue = named ? dotted(kube_str(k, named), path) : "",
        .user = j->user ? kube_str(k, j->user) : YUNIKORN_NOBODY,
        .groups = &groups,
        .tag = kube_yunikorn_tag,
        .ctx = &space,
    };
    const uint32_t known = k->queues->count;
    uint32_t at = kube_yunikorn_place(k, &a, space.name);

    if (k->has_user_limits && !j->user)
        j->user = kube_put(k, YUNIKORN_NOBODY);
    if (!at || !trace_queue_name_ok(kube_str(k, at))) {
        l->first = l->rejected++ ? l->first : j->name;
        at = kube_put(k, KUBE_YUNIKORN_REJECTED);
    }
    kube_terms_queues(k, l->w, known);
    return trace_queue_put(l->w, at);
}

/* --- others --------------------------------------------------------------- */

/* The LocalQueue of the job's namespace, or the one that is named in full. */
static const struct kube_local *local_of(const struct lending *l,
                                         const struct trace_job *j,
                                         uint32_t named)
{
    char space[SPACE_MAX + 1];
    const uint32_t full = kube_index_get(&l->k->kueue->local_by_name, named);

    if (full)
        return &l->k->kueue->local[full - 1];
    return kube_local_find(l->k, kube_put(l->k, space_of(l, j, space)), named);
}

static uint32_t found(const struct lending *l, struct trace_job *j,
                      uint32_t named)
{
    struct kube *k = l->k;
    char space[SPACE_MAX + 1];
    const struct kube_local *local = named ? local_of(l, j, named) : NULL;
    struct trace_job_aside aside = *j->aside;
    uint32_t path;

    if (local && !aside.account) {
        aside.account = local->name;
        trace_job_aside_set(l->w, (uint32_t)(j - l->w->job), &aside);
    }
    if (local && local->is_stopped)
        import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                            "stopPolicy of LocalQueue '%.80s'",
                            kube_str(k, local->name));
    if (local && local->cluster)
        named = local->cluster;
    if (!named && kube_has_elastic(k))
        named = kube_elastic_queue(k, kube_put(k, space_of(l, j, space)));
    if (!named)
        return 0;
    path = kube_queue_find(k, named) ? kube_terms_path(k, named) : named;
    if (path && trace_queue_find(l->w, path) != TRACE_NONE)
        return trace_queue_find(l->w, path);
    import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                        "queue '%.80s' of the trace is none of these: weight "
                        "1, no limits",
                        kube_str(k, named));
    return trace_queue_put(l->w, path ? path : named);
}

/* --- all ------------------------------------------------------------------ */

/* What the policy states beside its queues, for pods. */
static void others_tell(struct kube *k)
{
    bool spreads = false;

    for (uint32_t i = 0; i < k->confs->count; i++)
        spreads |= k->confs->at[i]->lists_spreads;
    if (spreads)
        import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                            "defaultConstraints: they are for pods of objects");
    if (k->classes->count)
        import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                            "priority classes: the trace states its own");
    if (k->quotas->count)
        import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                            "quotas of namespaces: they are for pods of "
                            "objects");
}

void kube_lent_queues_make(struct kube *k, struct trace_workload *w)
{
    struct lending l = {
        .k = k,
        .w = w,
        .named = gs_array_new(w->queue_count, sizeof(*l.named)),
    };
    uint32_t count;

    assert(!trace_queues_are_stated(w));
    for (uint32_t i = 1; i < w->queue_count; i++)
        l.named[i] = w->queue[i].name;
    trace_queues_clear(w);
    kube_kueue_make(k, w);
    kube_terms_queues(k, w, 0);
    w->queue[0].keeps = w->queue[0].keeps || kube_has_elastic(k);
    count = w->queue_count - 1;
    import_account_tell(k->account, IMPORT_BECAME, NULL, NULL,
                        "the trace states no queues: it takes the %u of this "
                        "policy",
                        count);
    for (uint32_t i = 0; i < w->job_count; i++) {
        struct trace_job *j = &w->job[i];
        const uint32_t named = l.named[j->queue];

        j->queue = k->yunikorn ? placed(&l, j, named) : found(&l, j, named);
    }
    if (l.rejected)
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "%u jobs that its placement rules reject are in "
                            "queue '" KUBE_YUNIKORN_REJECTED
                            "', the first is %.80s",
                            l.rejected, kube_str(k, l.first));
    others_tell(k);
    trace_workload_finish(w, 0);
    gs_array_free(l.named);
}
