/* import/kubernetes/workload/spark.c - kind SparkApplication: a driver and
 * executors.
 *
 * Source of the rules: Spark's document "Running Spark on Kubernetes" and the
 * API of the Spark operator: a pod asks for its cores, or coreRequest, and for
 * its memory with an overhead: as stated, else a share (0.1; 0.4 of Python and
 * R) of the memory, at least 384 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/made.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/job_specs.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"
#include "traces/workload/workload.h"

#define MIB (INT64_C(1) << 20)
#define OVERHEAD_LEAST (384 * MIB)

/* A driver or an executor. */
struct role {
    const char *name;
    const struct gs_ynode *spec, *conf, *said; /* spec.driver; spec.sparkConf */
};

/* --- settings ------------------------------------------------------------- */

/* The setting `key` of the role (NULL: none), else spark.<role>.<conf>; NULL.
 */
static const char *setting(struct kube *k, const struct role *r,
                           const char *key, const char *conf)
{
    const char *own = key ? kube_text(r->spec, key) : NULL;
    const struct gs_ynode *v;

    if (own)
        return own;
    v = kube_key(r->conf,
                 gs_arena_printf(k->arena, "spark.%s.%s", r->name, conf));
    return v && v->kind == GS_YSCALAR ? v->text : NULL;
}

static int64_t unit_of(const char *s)
{
    static const char letters[] = "bkmgtp";
    const char *at;

    if (*s == '\0')
        return MIB;
    at = strchr(letters, *s | 0x20);
    if (!at || (s[1] && ((s[1] | 0x20) != 'b' || s[2])))
        return 0;
    return INT64_C(1) << (10 * (at - letters));
}

/* Bytes of "512m", "2g", "1024" (MiB). */
static int64_t bytes_of(struct kube *k, const struct role *r, const char *s,
                        int64_t fallback)
{
    char *end;
    const long long n = s ? strtoll(s, &end, 10) : 0;
    const int64_t unit = s && end != s ? unit_of(end) : 0;

    if (!s)
        return fallback;
    if (unit == 0 || n < 0 || n > (INT64_C(1) << 60) / unit) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, r->spec,
                            "an amount of memory that is none of Spark's "
                            "('%.40s')",
                            s);
        return fallback;
    }
    return n * unit;
}

/* --- pods ----------------------------------------------------------------- */

static int64_t memory_of(struct kube *k, const struct role *r)
{
    const int64_t memory = bytes_of(k, r, setting(k, r, "memory", "memory"),
                                    1024 * MIB);
    const char *type = kube_text(r->said, "type");
    const bool is_jvm = !type || strcmp(type, "Java") == 0
                        || strcmp(type, "Scala") == 0;
    const char *stated = setting(k, r, "memoryOverheadFactor",
                                 "memoryOverheadFactor");
    double share = is_jvm ? 0.1 : 0.4;
    int64_t overhead;

    if (!stated)
        stated = kube_text(r->said, "memoryOverheadFactor");
    if (stated)
        share = strtod(stated, NULL);
    share = share >= 0 && share < 100 ? share : 0;
    overhead = (int64_t)((double)memory * share);
    if (overhead < OVERHEAD_LEAST)
        overhead = OVERHEAD_LEAST;
    return memory
           + bytes_of(k, r, setting(k, r, "memoryOverhead", "memoryOverhead"),
                      overhead);
}

static void gpus_put(struct kube *k, const struct role *r,
                     struct gs_ynode *requests)
{
    const char *count = kube_text(r->spec, "gpu.quantity");
    const char *name = kube_text(r->spec, "gpu.name");

    if (!count)
        count = setting(k, r, NULL, "resource.gpu.amount");
    if (!name) {
        const char *vendor = setting(k, r, NULL, "resource.gpu.vendor");

        name = gs_arena_printf(k->arena, "%.200s/gpu",
                               vendor ? vendor : "nvidia.com");
    }
    kube_made_text(k, requests, name, count);
}

static const char *cores_of(struct kube *k, const struct role *r)
{
    const struct gs_ynode *conf = kube_key(
        r->conf, gs_arena_printf(k->arena, "spark.kubernetes.%s.request.cores",
                                 r->name));
    const char *cores = kube_text(r->spec, "coreRequest");

    if (!cores && conf && conf->kind == GS_YSCALAR)
        cores = conf->text;
    if (!cores)
        cores = setting(k, r, "cores", "cores");
    return cores ? cores : "1";
}

/* The pod's template, if it has one, with what the role itself says. */
static const struct kube_template *pods_of(struct kube *k, const struct role *r,
                                           uint32_t space)
{
    static const char *const keys[] = { "nodeSelector", "affinity",
                                        "tolerations", "schedulerName",
                                        "priorityClassName" };
    const struct gs_ynode *template = kube_at(r->spec, "template");
    struct gs_ynode *spec = kube_made_copy(k, kube_at(template, "spec"),
                                           r->spec);
    struct gs_ynode *requests = kube_made_map(k, r->spec);

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct gs_ynode *v = kube_at(r->spec, keys[i]);

        if (!v)
            v = kube_at(r->said, keys[i]);
        if (v) {
            struct gs_ynode *copy = gs_arena_memdup(k->arena, v, sizeof(*v));

            copy->next = NULL;
            kube_made_put(k, spec, keys[i], copy);
        }
    }
    kube_made_text(k, requests, "cpu", cores_of(k, r));
    kube_made_text(
        k, requests, "memory",
        gs_arena_printf(k->arena, "%lld", (long long)memory_of(k, r)));
    gpus_put(k, r, requests);
    return kube_template_read(
        k,
        kube_made_pod(k, template ? kube_at(template, "metadata") : r->spec,
                      spec, requests),
        space);
}

/* --- the application ------------------------------------------------------ */

static uint32_t number_of(struct kube *k, const struct role *r,
                          const char *conf, uint32_t fallback)
{
    const char *s = setting(k, r, NULL, conf);
    char *end;
    const long long n = s ? strtoll(s, &end, 10) : 0;

    return !s || end == s || *end || n < 0 ? fallback
           : n > TRACE_REPLICAS_MAX        ? TRACE_REPLICAS_MAX
                                           : (uint32_t)n;
}

/* Executors of min to max when Spark allocates them itself. */
static void executors_count(struct kube *k, const struct role *r,
                            struct kube_member *m)
{
    const struct gs_ynode *dynamic = kube_at(r->said, "dynamicAllocation");

    m->replicas = kube_count(k, r->spec, "instances",
                             number_of(k, r, "instances", 1));
    m->min = m->replicas ? 1 : 0;
    if (!kube_flag(dynamic, "enabled", false))
        return;
    m->min = kube_count(k, dynamic, "minExecutors", 0);
    m->replicas = kube_count(k, dynamic, "maxExecutors",
                             m->replicas > m->min ? m->replicas : m->min);
    m->min = m->min < m->replicas ? m->min : m->replicas;
    import_account_tell(k->account, IMPORT_ASSUMED, k->source, dynamic,
                        "executors that Spark allocates itself grow to "
                        "maxExecutors where there is room");
}

/* With YuniKorn the operator states a task group of the executors that Spark
 * begins with: the most of instances, initialExecutors and minExecutors.
 */
static void task_group_set(struct kube *k, const struct role *r,
                           struct kube_member *m)
{
    const struct gs_ynode *dynamic = kube_at(r->said, "dynamicAllocation");
    const uint32_t initial = kube_count(k, dynamic, "initialExecutors", 0);
    uint32_t all = kube_count(k, r->spec, "instances", 0);

    if (kube_flag(dynamic, "enabled", false)) {
        all = all > initial ? all : initial;
        all = all > m->min ? all : m->min;
    } else if (all == 0) {
        all = m->replicas;
    }
    m->min = all < m->replicas ? all : m->replicas;
}

void kube_spark_fill(struct kube *k, struct kube_workload *w,
                     const struct gs_ynode *spec)
{
    const struct gs_ynode *options = kube_at(spec, "batchSchedulerOptions");
    const struct gs_ynode *conf = kube_at(spec, "sparkConf");
    const char *scheduler = kube_text(spec, "batchScheduler");
    const struct role driver = { "driver", kube_at(spec, "driver"), conf,
                                 spec };
    const struct role executor = { "executor", kube_at(spec, "executor"), conf,
                                   spec };
    struct kube_member m = { .name = kube_put(k, "driver"),
                             .replicas = 1,
                             .min = 1,
                             .pods = pods_of(k, &driver, w->space) };

    kube_member_add(k, w, &m);
    m = (struct kube_member){ .name = kube_put(k, "executor"),
                              .pods = pods_of(k, &executor, w->space) };
    executors_count(k, &executor, &m);
    if (scheduler && strcmp(scheduler, "yunikorn") == 0)
        task_group_set(k, &executor, &m);
    kube_member_add(k, w, &m);
    w->queue = kube_at(options, "queue") ? kube_name(k, options, "queue")
                                         : w->queue;
    if (!w->priority_class)
        w->priority_class = kube_name(k, options, "priorityClassName");
}

int kube_spark_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);

    kube_spark_fill(k, &w, kube_at(o->root, "spec"));
    w.start = kube_date(o->root, "status.lastSubmissionAttemptTime");
    w.end = kube_date(o->root, "status.terminationTime");
    return kube_workload_add(k, &w);
}
