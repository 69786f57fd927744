/* import/kubernetes/series/kube_series.c - which series tell what, see
 * kube_series.h.  Names of v1 and v2 of kube-state-metrics.
 */
#include "import/kubernetes/series/kube_series.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/series_names.h"
#include "import/kubernetes/series/series_rows.h"
#include "import/source.h"

#define LABELS_MAX 256 /* of an object */

enum part { OF_PODS, OF_JOBS, OF_NODES };

static const struct row {
    const char *name;
    enum part part;
    series_fn take;
    const char *what;
} rows[] = {
    { "kube_pod_info", OF_PODS, past_pod_take_info, NULL },
    { "kube_pod_owner", OF_PODS, past_pod_take_owner, NULL },
    { "kube_pod_created", OF_PODS, past_pod_take_time, "created" },
    { "kube_pod_start_time", OF_PODS, past_pod_take_time, "start" },
    { "kube_pod_completion_time", OF_PODS, past_pod_take_time, "completion" },
    { "kube_pod_deletion_timestamp", OF_PODS, past_pod_take_time, "deletion" },
    { "kube_pod_status_scheduled_time", OF_PODS, past_pod_take_time,
      "scheduled" },
    { "kube_pod_status_phase", OF_PODS, past_pod_take_phase, NULL },
    { "kube_pod_status_scheduled", OF_PODS, past_pod_take_bound, NULL },
    { "kube_pod_labels", OF_PODS, past_pod_take_labels, "label_" },
    { "kube_pod_annotations", OF_PODS, past_pod_take_labels, "annotation_" },
    { "kube_pod_nodeselectors", OF_PODS, past_pod_take_labels,
      "nodeselector_" },
    { "kube_pod_tolerations", OF_PODS, past_pod_take_toleration, NULL },
    { "kube_pod_scheduler", OF_PODS, past_pod_take_scheduler, NULL },
    { "kube_pod_overhead_cpu_cores", OF_PODS, past_pod_take_overhead, "cpu" },
    { "kube_pod_overhead_memory_bytes", OF_PODS, past_pod_take_overhead,
      "memory" },
    { "kube_pod_container_resource_requests", OF_PODS, past_pod_take_request,
      NULL },
    { "kube_pod_container_resource_requests_cpu_cores", OF_PODS,
      past_pod_take_request, "cpu" },
    { "kube_pod_container_resource_requests_memory_bytes", OF_PODS,
      past_pod_take_request, "memory" },
    { "kube_pod_container_resource_requests_nvidia_gpu_devices", OF_PODS,
      past_pod_take_request, "nvidia_com_gpu" },
    { "kube_pod_container_resource_limits", OF_PODS, past_pod_take_limit,
      NULL },
    { "kube_pod_container_resource_limits_cpu_cores", OF_PODS,
      past_pod_take_limit, "cpu" },
    { "kube_pod_container_resource_limits_memory_bytes", OF_PODS,
      past_pod_take_limit, "memory" },
    { "kube_pod_container_resource_limits_nvidia_gpu_devices", OF_PODS,
      past_pod_take_limit, "nvidia_com_gpu" },
    { "kube_pod_init_container_resource_requests", OF_PODS,
      past_pod_take_init_request, NULL },
    { "kube_pod_init_container_resource_limits", OF_PODS,
      past_pod_take_init_limit, NULL },
    { "kube_pod_init_container_info", OF_PODS, past_pod_take_init, NULL },

    { "kube_job_info", OF_JOBS, past_job_take, NULL },
    { "kube_job_created", OF_JOBS, past_job_take, "created" },
    { "kube_job_spec_parallelism", OF_JOBS, past_job_take, "parallelism" },
    { "kube_job_spec_completions", OF_JOBS, past_job_take, "completions" },
    { "kube_job_spec_active_deadline_seconds", OF_JOBS, past_job_take,
      "deadline" },
    { "kube_job_status_start_time", OF_JOBS, past_job_take, "start" },
    { "kube_job_status_completion_time", OF_JOBS, past_job_take, "completion" },
    { "kube_job_labels", OF_JOBS, past_job_take_labels, NULL },

    { "kube_node_info", OF_NODES, past_node_take, NULL },
    { "kube_node_created", OF_NODES, past_node_take, "created" },
    { "kube_node_labels", OF_NODES, past_node_take_labels, NULL },
    { "kube_node_spec_taint", OF_NODES, past_node_take_taint, NULL },
    { "kube_node_spec_unschedulable", OF_NODES, past_node_take_cordon, NULL },
    { "kube_node_status_condition", OF_NODES, past_node_take_condition, NULL },
    { "kube_node_status_allocatable", OF_NODES, past_node_take_amount, NULL },
    { "kube_node_status_allocatable_cpu_cores", OF_NODES, past_node_take_amount,
      "cpu" },
    { "kube_node_status_allocatable_memory_bytes", OF_NODES,
      past_node_take_amount, "memory" },
    { "kube_node_status_allocatable_pods", OF_NODES, past_node_take_amount,
      "pods" },
    { "kube_node_status_allocatable_nvidia_gpu_cards", OF_NODES,
      past_node_take_amount, "nvidia_com_gpu" },
    { "kube_node_status_capacity", OF_NODES, past_node_take_capacity, NULL },
    { "kube_node_status_capacity_cpu_cores", OF_NODES, past_node_take_capacity,
      "cpu" },
    { "kube_node_status_capacity_memory_bytes", OF_NODES,
      past_node_take_capacity, "memory" },
    { "kube_node_status_capacity_pods", OF_NODES, past_node_take_capacity,
      "pods" },
    { "kube_resourcequota", OF_JOBS, past_quota_take, NULL },
};

/* --- labels and times ----------------------------------------------------- */

/* v1 writes "<none>" for what is not there. */
static uint32_t said(struct kube *k, const struct gs_ynode *v)
{
    return v && v->kind == GS_YSCALAR && strcmp(v->text, "<none>") != 0
               ? kube_put(k, v->text)
               : 0;
}

uint32_t kube_series_label(struct kube *k, const struct series *s,
                           const char *key)
{
    char exported[64] = "exported_";
    const struct gs_ynode *v;

    assert(strlen(key) < sizeof(exported) - strlen(exported));
    strcat(exported, key);
    v = kube_key(s->labels, exported);
    return said(k, v ? v : kube_key(s->labels, key));
}

static void label_add(struct kube *k, struct past_labels *l, uint32_t key,
                      uint32_t value)
{
    struct past_label *at;

    for (uint32_t i = 0; i < l->count; i++) {
        if (l->at[i].key == key) {
            l->at[i].value = value;
            return;
        }
    }
    if (l->count == LABELS_MAX)
        return;
    at = gs_arena_alloc(k->arena, l->count + 1, sizeof(*at));
    if (l->count)
        memcpy(at, l->at, l->count * sizeof(*at));
    at[l->count++] = (struct past_label){ key, value };
    l->at = at;
}

void kube_series_labels_add(struct kube *k, struct past_labels *l,
                            const struct series *s, const char *before)
{
    const size_t len = strlen(before);

    for (const struct gs_ynode *v = kube_map(s->labels, ""); v; v = v->next) {
        if (strncmp(v->key->text, before, len) == 0 && v->key->text[len]
            && v->kind == GS_YSCALAR)
            label_add(k, l, kube_put(k, v->key->text + len),
                      kube_put(k, v->text));
    }
}

int64_t kube_series_time(const struct series *s)
{
    const int64_t milli = s->samples.milli;

    return milli > GS_TIME_MAX / 1000 ? GS_TIME_MAX : milli * 1000;
}

int64_t kube_series_earlier(int64_t a, int64_t b)
{
    return a == KUBE_UNKNOWN || (b != KUBE_UNKNOWN && b < a) ? b : a;
}

int64_t kube_series_later(int64_t a, int64_t b)
{
    return a > b ? a : b; /* KUBE_UNKNOWN is the least */
}

/* --- series --------------------------------------------------------------- */

bool kube_series_is(const struct gs_ynode *root)
{
    const struct gs_ynode *metric = kube_at(root, "metric");

    return (metric && metric->kind == GS_YMAP) || kube_at(root, "errorType");
}

static const struct row *row_find(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

static void tell(struct kube *k, enum import_note note,
                 const struct import_object *o, const char *text)
{
    import_account_tell(k->account, note, o->source, o->root, "%s", text);
}

/* Of several clusters only the first counts: their nodes may share names. */
static bool is_of_cluster(struct kube *k, const struct series *s)
{
    const uint32_t cluster = said(k, kube_key(s->labels, "cluster"));

    if (!k->series->cluster)
        k->series->cluster = cluster;
    if (!cluster || cluster == k->series->cluster)
        return true;
    import_account_tell(k->account, IMPORT_LEFT, s->o->source, s->o->root,
                        "series of cluster '%.100s', beside those of '%.100s'",
                        kube_str(k, cluster), kube_str(k, k->series->cluster));
    return false;
}

static void range_note(struct kube_range *r, const struct kube_samples *s)
{
    if (s->first < r->first || !r->samples)
        r->first = s->first;
    if (s->last > r->last || !r->samples)
        r->last = s->last;
    if (s->step && (!r->step || s->step < r->step))
        r->step = s->step;
    r->samples += s->count;
}

static enum import_fate row_take(struct kube *k, const struct row *row,
                                 const struct series *s)
{
    struct kube_series *all = k->series;

    if (s->samples.count == 0 || !is_of_cluster(k, s))
        return IMPORT_NOTHING;
    if (row->part == OF_NODES && all->no_nodes) {
        tell(k, IMPORT_LEFT, s->o, "nodes beside those of the topology");
        return IMPORT_NOTHING;
    }
    if (row->part == OF_JOBS && all->only_nodes)
        return IMPORT_NOTHING;
    if (row->part == OF_PODS && !all->only_nodes)
        range_note(s->samples.is_instant ? &all->at_once : &all->of_pods,
                   &s->samples);
    if (row->part == OF_NODES)
        range_note(&all->of_nodes, &s->samples);
    row->take(k, s, row->what);
    return IMPORT_USED;
}

static void error_take(struct kube *k, const struct import_object *o)
{
    const char *type = kube_text(o->root, "errorType");
    const char *text = kube_text(o->root, "error");

    import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                        "an answer of Prometheus is an error: %.100s: %.300s",
                        type ? type : "", text ? text : "");
    import_account_count(k->account, "(answer)", IMPORT_REFUSED);
}

void kube_series_take(struct kube *k, const struct import_object *o)
{
    struct series s = { .o = o, .labels = kube_at(o->root, "metric") };
    const char *name = kube_text(s.labels, "__name__");
    const struct row *row = name ? row_find(name) : NULL;
    enum import_fate fate = name && strncmp(name, "kube_", 5) == 0
                                ? IMPORT_NOTHING
                                : IMPORT_UNKNOWN;

    if (!s.labels || s.labels->kind != GS_YMAP) {
        error_take(k, o);
        return;
    }
    if (!name)
        tell(k, IMPORT_LEFT, o,
             "series without a name (__name__): query them as they are, "
             "without functions");
    if (row && kube_samples_read(o, &s.samples) < 0) {
        tell(k, IMPORT_LEFT, o, "series whose samples are none of Prometheus");
        fate = IMPORT_REFUSED;
    } else if (row) {
        fate = row_take(k, row, &s);
    }
    import_account_count(k->account, name ? name : "(series)", fate);
}

/* Without parts of a second that are 0. */
static const char *date(int64_t us, char *buf, size_t size)
{
    char *point = strchr(gs_date_format(us, buf, size), '.');

    if (point && strcmp(point, ".000000") == 0)
        *point = '\0';
    return buf;
}

void kube_series_finish(struct kube *k)
{
    struct kube_range *r = &k->series->of_pods;
    char first[32], last[32], step[32];

    k->series->is_instant = r->samples == 0;
    if (k->series->is_instant)
        *r = k->series->at_once;
    kube_series_names_see(k);
    past_nodes_make(k);
    past_quotas_make(k);
    past_pods_make(k);
    if (!r->samples)
        return;
    k->begin = r->first;
    import_account_tell(
        k->account, IMPORT_ASSUMED, NULL, NULL,
        "times that no series states are those of the sample that shows them "
        "first: of %llu samples from %s to %s, %s apart",
        (unsigned long long)r->samples, date(r->first, first, sizeof(first)),
        date(r->last, last, sizeof(last)),
        gs_duration_format(r->step, step, sizeof(step)));
}

void kube_series_free(struct kube_series *s)
{
    gs_array_free(s->pod);
    gs_array_free(s->job);
    gs_array_free(s->node);
    gs_array_free(s->quota);
    gs_array_free(s->pod_at.at);
    gs_array_free(s->job_at.at);
    gs_array_free(s->node_at.at);
    gs_array_free(s->quota_at.at);
    gs_array_free(s->quota_last.at);
    gs_array_free(s->resources.at);
    gs_array_free(s->keys.at);
    gs_array_free(s->resource_of.at);
    gs_array_free(s->key_of.at);
}
