/* import/kubernetes/kubernetes.c - see kubernetes.h. */
#include "import/kubernetes/kubernetes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/kai_pool.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/kinds.h"
#include "import/kubernetes/native/daemon.h"
#include "import/kubernetes/native/default_spread.h"
#include "import/kubernetes/native/even.h"
#include "import/kubernetes/native/gpu_memory.h"
#include "import/kubernetes/native/known_nodes.h"
#include "import/kubernetes/native/kube_cluster.h"
#include "import/kubernetes/native/lent_queues.h"
#include "import/kubernetes/native/node_terms.h"
#include "import/kubernetes/native/overcommit.h"
#include "import/kubernetes/native/trace.h"
#include "import/kubernetes/node/hyper_node.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/part.h"
#include "import/kubernetes/pod/budget.h"
#include "import/kubernetes/pod/claim.h"
#include "import/kubernetes/pod/core_service.h"
#include "import/kubernetes/pod/name_space.h"
#include "import/kubernetes/pod/runtime_class.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/past.h"
#include "import/kubernetes/workload/flow.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/owner.h"
#include "import/kubernetes/workload/pod.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/train.h"
#include "import/source.h"
#include "policies/profile/profile.h"

const struct kube_options kube_options_default = {
    .duration = 3600 * GS_SECOND,
    .span = 86400 * GS_SECOND,
    .at = KUBE_UNKNOWN,
};

struct kube_import {
    struct kube kube;
    struct kube_nodes nodes;
    struct kube_tiers tiers;
    struct kube_workloads workloads;
    struct kube_links links;
    struct kube_flows flows;
    struct kube_trains trains;
    struct kube_pods pods;
    struct kube_pod_groups pod_groups;
    struct kube_queues queues;
    struct kube_kueue kueue;
    struct kube_classes classes;
    struct kube_quotas quotas;
    struct kube_limits limits;
    struct kube_claims claims;
    struct kube_series series;
    const struct topo *known; /* nodes of a native topology; NULL: none */
    struct kube_runtime_classes runtimes;
    struct kube_budgets budgets;
    struct kube_spaces spaces;
    struct kube_services services;
    int64_t duration, span, at;
    bool history;
    struct kube_confs confs;
    uint64_t hash;
    struct gs_err skipped; /* why the first part of a source holds no objects */
};

struct kube_import *kube_import_create(struct gs_strtab *names,
                                       struct topo_dims *dims,
                                       struct import_account *account)
{
    struct kube_import *x = gs_array_new(1, sizeof(*x));

    x->kube = (struct kube){
        .arena = gs_arena_create(1 << 16),
        .names = names,
        .dims = dims,
        .account = account,
        .seen = KUBE_UNKNOWN,
        .begin = KUBE_UNKNOWN,
        .nodes = &x->nodes,
        .tiers = &x->tiers,
        .workloads = &x->workloads,
        .links = &x->links,
        .flows = &x->flows,
        .trains = &x->trains,
        .pods = &x->pods,
        .pod_groups = &x->pod_groups,
        .queues = &x->queues,
        .kueue = &x->kueue,
        .classes = &x->classes,
        .confs = &x->confs,
        .quotas = &x->quotas,
        .limits = &x->limits,
        .claims = &x->claims,
        .series = &x->series,
        .runtimes = &x->runtimes,
        .budgets = &x->budgets,
        .spaces = &x->spaces,
        .services = &x->services,
    };
    return x;
}

void kube_import_destroy(struct kube_import *x)
{
    if (!x)
        return;
    kube_hyper_nodes_free(&x->kube);
    kube_node_terms_free(x->kube.terms);
    kube_gpu_sizes_free(x->kube.gpu_sizes);
    gs_arena_destroy(x->kube.arena);
    gs_array_free(x->tiers.listed.at);
    gs_array_free(x->tiers.of);
    gs_array_free(x->nodes.at);
    gs_array_free(x->kube.pools.at);
    gs_array_free(x->workloads.at);
    gs_array_free(x->links.owner);
    gs_array_free(x->flows.template);
    gs_array_free(x->flows.job);
    gs_array_free(x->flows.by_name.at);
    gs_array_free(x->trains.runtime);
    gs_array_free(x->trains.job);
    gs_array_free(x->trains.by_name.at);
    gs_array_free(x->pods.at);
    gs_array_free(x->pod_groups.at);
    gs_array_free(x->pod_groups.by_name.at);
    gs_array_free(x->queues.at);
    kube_kueue_free(&x->kueue);
    gs_array_free(x->queues.by_name.at);
    gs_array_free(x->classes.at);
    gs_array_free(x->confs.at);
    gs_array_free(x->quotas.at);
    gs_array_free(x->quotas.by_space.at);
    gs_array_free(x->limits.at);
    gs_array_free(x->limits.by_space.at);
    kube_claims_free(&x->claims);
    kube_series_free(&x->series);
    kube_runtimes_free(&x->runtimes);
    kube_spaces_free(&x->spaces);
    kube_services_free(&x->services);
    gs_array_free(x->budgets.at);
    gs_array_free(x);
}

void kube_import_pool(struct kube_import *x, const char *pool)
{
    x->kube.pool = pool;
}

static int object_take(void *ctx, const struct import_object *o,
                       struct gs_err *err)
{
    struct kube_import *x = ctx;

    (void)err;
    kube_object_take(&x->kube, o);
    return 0;
}

static void part_skip(void *ctx, const struct gs_err *why)
{
    struct kube_import *x = ctx;
    char text[800];

    if (x->skipped.count == 0)
        x->skipped = *why;
    import_account_tell(x->kube.account, IMPORT_LEFT, NULL, NULL, "%s",
                        gs_err_format(why, 0, text, sizeof(text)));
}

static void key_replaced(void *ctx, const char *source,
                         const struct gs_ynode *key)
{
    struct kube_import *x = ctx;

    import_account_tell(x->kube.account, IMPORT_ASSUMED, source, key,
                        "a key that comes twice: its last value counts");
}

static int objects_read(struct kube_import *x, const char *path,
                        struct gs_input *in, struct gs_err *err)
{
    /* large, and of no use here but for the samples */
    static const struct gs_ypath unread[] = {
        [KUBE_UNREAD_VALUES] = { { "values" } },
        [KUBE_UNREAD_TIMES] = { { "timestamps" } },
        [KUBE_UNREAD_SERIES] = { { "histograms" } },
        { { "metadata", "managedFields" } },
        { { "metadata", "annotations",
            "kubectl.kubernetes.io/last-applied-configuration" } },
        { { "status", "images" } },
        { { "status", "addresses" } },
        { { "spec", "volumes" } },
    };
    const struct import_taker taker = {
        .take = object_take,
        .skip = part_skip,
        .replaced = key_replaced,
        .ctx = x,
        .unread = unread,
        .unread_count = sizeof(unread) / sizeof(unread[0]),
        .hash = &x->hash,
    };

    return in ? import_source_read_input(in, &taker, err)
              : import_source_read(path, &taker, err);
}

int kube_import_read_part(struct kube_import *x, const char *path,
                          struct gs_input *in, enum kube_part part,
                          struct gs_err *err)
{
    const struct kube_before before = kube_before(&x->kube);

    assert(path || in);
    x->series.no_nodes = part == KUBE_JOBS;
    x->series.only_nodes = part == KUBE_CLUSTER;
    if (objects_read(x, path, in, err) < 0)
        return -1;
    if (part == KUBE_JOBS)
        kube_nodes_drop(&x->kube, &before);
    if (part == KUBE_CLUSTER)
        kube_jobs_drop(&x->kube, &before);
    return 0;
}

int kube_import_read(struct kube_import *x, const char *path,
                     struct gs_err *err)
{
    return kube_import_read_part(x, path, NULL, KUBE_ALL, err);
}

void kube_import_know(struct kube_import *x, const struct topo *t)
{
    x->known = t;
}

uint64_t kube_import_hash(struct kube_import *x)
{
    const uint64_t hash = x->hash;

    x->hash = 0;
    return hash;
}

static int tier_take(struct kube *k, const char *spec, struct gs_err *err)
{
    const char *equals = strchr(spec, '=');
    const char *slash = strrchr(spec, '/');
    const char *name = equals ? equals + 1 : slash ? slash + 1 : spec;
    char label[320];
    const int len = equals ? (int)(equals - spec) : (int)strlen(spec);

    if (len == 0 || len > 316 || name[0] == '\0')
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "a tier is LABEL=NAME, a label of nodes (got '%.60s')",
                       spec);
    (void)snprintf(label, sizeof(label), "%.*s", len, spec);
    (void)kube_tier_add(k, kube_put(k, label), name);
    return 0;
}

int kube_import_finish(struct kube_import *x, const struct kube_options *o,
                       struct gs_err *err)
{
    assert(o->duration > 0 && o->span >= 0);
    x->duration = o->duration;
    for (uint32_t i = 0; i < o->tiers; i++) {
        if (tier_take(&x->kube, o->tier[i], err) < 0)
            return -1;
    }
    x->span = o->span;
    x->at = o->at;
    x->history = o->history;
    kube_pools_finish(&x->kube);
    kube_yunikorn_defaults_finish(&x->kube);
    kube_series_finish(&x->kube);
    if (x->kube.begin != KUBE_UNKNOWN)
        x->kube.begin = o->history              ? 0
                        : o->at != KUBE_UNKNOWN ? o->at
                                                : x->kube.begin;
    kube_flows_finish(&x->kube);
    kube_trains_finish(&x->kube);
    kube_runtimes_finish(&x->kube);
    kube_default_spreads_finish(&x->kube);
    kube_slices_place(&x->kube);
    kube_kueue_finish(&x->kube);
    kube_kueue_conf_finish(&x->kube);
    if (x->known)
        kube_nodes_know(&x->kube, x->known);
    kube_nodes_finish(&x->kube);
    if (!x->known)
        kube_tiers_find(&x->kube);
    kube_owners_find(&x->kube);
    kube_parts_split(&x->kube);
    kube_past_finish(&x->kube);
    kube_daemons_place(&x->kube);
    kube_nodes_even(&x->kube);
    if (!x->known && !o->history)
        kube_nodes_hold(&x->kube);
    return 0;
}

bool kube_import_has_queues(const struct kube_import *x)
{
    return x->queues.count > 0;
}

bool kube_import_has_topologies(const struct kube_import *x)
{
    return kube_kueue_has_topologies(&x->kube);
}

bool kube_import_lends(const struct kube_import *x)
{
    for (uint32_t i = 0; i < x->confs.count; i++) {
        if (x->confs.at[i]->lists_spreads)
            return true;
    }
    return kube_import_has_queues(x);
}

int kube_import_lend(struct kube_import *x, const char *path,
                     struct gs_err *err)
{
    struct import_account *own = x->kube.account;
    const struct kube_before before = kube_before(&x->kube);
    const uint32_t count = x->confs.count;
    int rc;

    if (kube_import_has_queues(x)) {
        x->queues.is_full = true;
        import_account_tell(own, IMPORT_IGNORED, path, NULL,
                            "queues of a policy: those of the jobs' own "
                            "source hold");
    }

    x->kube.account = import_account_create(); /* the policy has told it */
    rc = kube_import_read_part(x, path, NULL, KUBE_CLUSTER, err);
    kube_nodes_drop(&x->kube, &before);
    import_account_destroy(x->kube.account);
    x->kube.account = own;
    if (rc == 0)
        kube_default_spreads_finish(&x->kube);
    x->confs.count = count;
    return rc;
}

void kube_import_lend_queues(struct kube_import *x, struct trace_workload *w,
                             struct import_account *account)
{
    struct import_account *own = x->kube.account;

    x->kube.account = account;
    kube_lent_queues_make(&x->kube, w);
    x->kube.account = own;
}

const char *kube_import_queues_preset(const struct kube_import *x)
{
    if (kube_import_profiles(x) || !kube_import_has_queues(x)
        || kube_import_has_nodes(x) || kube_import_has_jobs(x)
        || kube_has_elastic(&x->kube))
        return NULL;
    if (x->kueue.locals || x->kueue.flavors)
        return "kueue";
    return x->queues.at[0].kai ? "kai" : "volcano";
}

int kube_import_check(const struct kube_import *x, const char *path,
                      struct gs_err *err)
{
    char why[400];

    if (import_account_sum(x->kube.account, IMPORT_USED))
        return 0;
    if (import_account_sum(x->kube.account, IMPORT_REFUSED)
        && import_account_notes(x->kube.account, IMPORT_LEFT)) {
        const struct gs_mark at = import_account_place(x->kube.account,
                                                       IMPORT_LEFT, 0);

        return gs_fail(
            err, GS_INPUT, at.source ? at : (struct gs_mark){ .source = path },
            "%s", import_account_note(x->kube.account, IMPORT_LEFT, 0));
    }
    if (x->skipped.count == 0)
        return gs_fail(
            err, GS_INPUT, (struct gs_mark){ .source = path },
            "holds no object of Kubernetes that gsim reads (%s)",
            import_account_reason(x->kube.account, why, sizeof(why)));
    gs_err_append(err, &x->skipped);
    return -1;
}

bool kube_import_has_nodes(const struct kube_import *x)
{
    return x->nodes.count > 0 && !x->known;
}

bool kube_import_has_jobs(const struct kube_import *x)
{
    bool any = false;

    for (uint32_t i = 0; i < x->workloads.count && !any; i++)
        any = x->workloads.at[i].life != KUBE_DAEMON;
    for (uint32_t i = 0; i < x->pods.count && !any; i++)
        any = !x->pods.at[i].is_daemon && !x->pods.at[i].is_left;
    return any;
}

int kube_import_trace(struct kube_import *x, struct trace_workload *w,
                      int64_t *epoch, struct gs_err *err)
{
    const struct kube_trace_options o = { .duration = x->duration,
                                          .span = x->span,
                                          .at = x->at,
                                          .history = x->history };

    return kube_trace_make(&x->kube, &o, w, epoch, err);
}

int kube_import_topology(struct kube_import *x, struct topo *t,
                         struct gs_err *err)
{
    return kube_cluster_make(&x->kube, t, err);
}

/* --- schedulers ----------------------------------------------------------- */

uint32_t kube_import_profiles(const struct kube_import *x)
{
    return x->confs.count;
}

const char *kube_import_profile_name(const struct kube_import *x, uint32_t i)
{
    assert(i < x->confs.count);
    return x->confs.at[i]->name;
}

uint32_t kube_import_profile_process(const struct kube_import *x, uint32_t i)
{
    assert(i < x->confs.count);
    return x->confs.at[i]->process;
}

struct gsched_profile *kube_import_profile(struct kube_import *x, uint32_t i,
                                           const char *name,
                                           struct gs_arena *arena,
                                           struct gs_err *err)
{
    const bool has_more = kube_import_has_nodes(x) || kube_import_has_jobs(x);
    const char *text;
    struct gsched_profile *p;

    assert(i < x->confs.count && name);
    text = kube_conf_text(&x->kube, x->confs.at[i], has_more);
    p = gsched_profile_parse(name, gs_arena_strndup(arena, text, strlen(text)),
                             arena, err);
    for (uint32_t u = 0; p && u < p->use_count; u++)
        p->use[u].may_lack = true;
    return p;
}
