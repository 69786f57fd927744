/* traces/formats/write_yaml.c - native YAML: one line per job. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/yamltext.h"
#include "topology/mig.h"
#include "traces/formats/job_keys.h"
#include "traces/formats/native_budgets.h"
#include "traces/formats/reader.h"
#include "traces/formats/write_rules.h"
#include "traces/formats/writer.h"
#include "traces/formats/writing.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/quotas.h"
#include "traces/workload/records.h"
#include "traces/workload/slices.h"

static void put_text(FILE *out, const char *s)
{
    gs_yaml_put_text(out, s, strlen(s));
}

static void put_key(FILE *out, const char *key)
{
    fprintf(out, ", %s: ", key);
}

/* True when {key: value, ...} can express the selector.  Conditions are sorted
 * by key.
 */
static bool is_plain(const struct topo_condition *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_condition *c = &list[i];

        if (c->op != TOPO_IN || c->value_count != 1
            || (i && c[-1].key == c->key))
            return false;
    }
    return true;
}

static void put_condition(FILE *out, const struct trace_workload *w,
                          const struct topo_condition *c)
{
    fputs("{key: ", out);
    trace_put_id(out, w, c->key);
    fprintf(out, ", op: %s", topo_op_names[c->op]);
    for (uint32_t i = 0; i < c->value_count; i++) {
        fputs(i ? ", " : ", values: [", out);
        trace_put_id(out, w, c->value[i]);
    }
    if (c->value_count)
        putc(']', out);
    if (c->op == TOPO_GT || c->op == TOPO_LT)
        fprintf(out, ", value: %" PRId64, c->number);
    putc('}', out);
}

/* "nodes: {...}" or "nodes: [...]"; at least one condition. */
static void put_nodes(FILE *out, const struct trace_workload *w,
                      const struct topo_condition *list, uint32_t count)
{
    const bool plain = is_plain(list, count);

    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : plain ? "nodes: {" : "nodes: [", out);
        if (plain) {
            trace_put_id(out, w, list[i].key);
            fputs(": ", out);
            trace_put_id(out, w, list[i].value[0]);
        } else {
            put_condition(out, w, &list[i]);
        }
    }
    putc(plain ? '}' : ']', out);
}

static void put_prefer(FILE *out, const struct trace_workload *w,
                       const struct topo_request *q)
{
    for (uint32_t i = 0; i < q->preference_count; i++) {
        const struct topo_preference *p = &q->preference[i];

        fputs(i ? ", {" : ", prefer: [{", out);
        put_nodes(out, w, p->condition, p->condition_count);
        fprintf(out, ", weight: %" PRIu32 "}", p->weight);
    }
    if (q->preference_count)
        putc(']', out);
}

static void put_replicas(FILE *out, const struct trace_group *g)
{
    if (g->min)
        fprintf(out, "replicas: {min: %" PRIu32 ", max: %" PRIu32 "}", g->min,
                g->replicas);
    else
        fprintf(out, "replicas: %" PRIu32, g->replicas);
}

/* A node and how many tasks stand there. */
static void put_node_tasks(FILE *out, const struct trace_workload *w,
                           uint32_t node, uint32_t tasks)
{
    if (tasks == 1 && !strchr(gs_strtab_str(w->names, node), '*')) {
        trace_put_id(out, w, node);
        return;
    }
    putc('"', out);
    trace_put_inside(out, w, node);
    fprintf(out, "*%" PRIu32 "\"", tasks);
}

/* Where tasks of group `g` stand when time begins. */
static void put_running(FILE *out, const struct trace_workload *w,
                        const struct trace_job *j, uint32_t g)
{
    bool any = false;

    for (uint32_t i = 0; i < j->aside->stand_count; i++) {
        const struct trace_stand *s = &w->stand[j->aside->first_stand + i];

        if (s->group != g)
            continue;
        fputs(any ? ", " : ", running_on: [", out);
        any = true;
        put_node_tasks(out, w, s->node, s->tasks);
    }
    if (any)
        putc(']', out);
}

/* The runs that were recorded. */
static void put_recorded(FILE *out, const struct trace_workload *w,
                         const struct trace_job *j)
{
    const char *const before = j->record_count > 1 ? ", recorded: [{"
                                                   : ", recorded: {";

    for (uint32_t i = 0; i < j->record_count; i++) {
        const struct trace_record *r = &w->records->record[j->first_record + i];

        fputs(i ? ", {" : before, out);
        fputs("start: ", out);
        trace_put_time(out, trace_record_start(j, r));
        if (r->length != TRACE_FOREVER) {
            put_key(out, "end");
            trace_put_time(out, trace_record_end(j, r));
        }
        for (uint32_t k = 0; k < r->spot_count; k++) {
            const struct trace_spot *s = &w->records->spot[r->first_spot + k];

            fputs(k ? ", " : ", nodes: [", out);
            put_node_tasks(out, w, s->node, s->tasks);
        }
        fputs(r->spot_count ? "]}" : "}", out);
    }
    if (j->record_count > 1)
        putc(']', out);
}

/* Write the request of one task. */
static void put_request(FILE *out, const struct trace_workload *w,
                        const struct trace_group *g)
{
    static const struct {
        const char *key;
        int dim;
    } dims[] = { { "cpu", TOPO_CPU },
                 { "memory", TOPO_MEMORY },
                 { "rdma", TOPO_RDMA } };
    const struct topo_request *q = &w->shape[g->shape];
    char buf[32];

    if (q->gpus)
        fprintf(out, ", gpus: %" PRIu32, q->gpus);
    if (q->share_memory) {
        put_key(out, "gpu_memory");
        trace_put_amount(out, TOPO_MEMORY, q->share_memory);
    } else if (q->share)
        fprintf(out, ", gpu_share: %s",
                gs_quantity_format_milli(q->share, buf, sizeof(buf)));
    if (q->mig)
        fprintf(out, ", mig: %s", topo_mig_kind_name(q->mig));
    for (size_t i = 0; i < sizeof(dims) / sizeof(dims[0]); i++) {
        if (q->amount[dims[i].dim]) {
            put_key(out, dims[i].key);
            trace_put_amount(out, dims[i].dim, q->amount[dims[i].dim]);
        }
    }
    (void)trace_put_amounts(out, w, ", ", "resources", q->amount,
                            TOPO_DIMS_FIXED, 0);
    for (uint32_t i = 0; i < q->model_count; i++) {
        fputs(i ? ", " : ", model: [", out);
        trace_put_id(out, w, q->model[i]);
    }
    if (q->model_count)
        putc(']', out);
    if (q->selector_count) {
        fputs(", ", out);
        put_nodes(out, w, q->selector, q->selector_count);
    }
    put_prefer(out, w, q);
    trace_put_taints(out, w, "tolerations", q->toleration,
                     q->toleration_count - q->lent_tolerations);
    trace_put_spreads(out, w, g);
}

static void put_held(FILE *out, const struct trace_workload *w,
                     const struct trace_group *g)
{
    for (uint32_t i = 0; i < g->held_count; i++) {
        fputs(i ? ", " : ", flavors: [", out);
        trace_put_id(out, w, w->held[g->first_held + i]);
    }
    if (g->held_count)
        putc(']', out);
}

/* The group of a job whose tasks need no list; NULL. */
static const struct trace_group *only_group(const struct trace_workload *w,
                                            const struct trace_job *j)
{
    const struct trace_group *g = trace_group_at(w, j->first_group);

    return j->group_count == 1 && !g->name && !g->klass && !g->topology ? g
                                                                        : NULL;
}

/* Write the behaviour of the job on eviction, and others of job_keys.h. */
static void put_terms(FILE *out, const struct trace_workload *w,
                      const struct trace_job *j)
{
    const struct trace_whole_job own = { *j, *j->aside };
    const struct trace_job_key *k;

    for (size_t i = 0; (k = trace_job_key_at(i)); i++) {
        if (trace_key_stated(k, &own)) {
            put_key(out, k->name);
            trace_key_put(k, out, w->names, &own, put_text);
        }
    }
}

/* True when a reader derives the same gang without `gang`. */
static bool gang_follows(const struct trace_workload *w,
                         const struct trace_job *j)
{
    uint32_t least = 0, stated = 0;

    for (uint32_t i = 0; i < j->group_count; i++) {
        const struct trace_group *g = trace_group_at(w, j->first_group + i);

        least += g->min;
        stated += g->min > 0;
    }
    return stated ? stated == j->group_count && j->gang == least
                  : j->gang == j->tasks;
}

static void put_priority(FILE *out, const struct trace_workload *w,
                         uint32_t klass)
{
    put_key(out, "priority");
    if (klass == 0 || trace_class_is_number(w, klass))
        fprintf(out, "%" PRId32, w->klass[klass].value);
    else
        trace_put_id(out, w, w->klass[klass].name);
}

/* Write the keys that do not depend on tasks; affinities too, unless each
 * group has its own.
 */
static void put_job_keys(FILE *out, const struct trace_workload *w,
                         const struct trace_job *j, bool is_own)
{
    const struct trace_topology topology = trace_job_topology(j);

    trace_put_id(out, w, j->name);
    put_key(out, "submit");
    trace_put_time(out, j->submit);
    put_key(out, "duration");
    trace_put_time(out, j->duration);
    if (j->estimate != j->duration) {
        put_key(out, "estimate");
        trace_put_time(out, j->estimate);
    }
    if (j->queue) {
        put_key(out, "queue");
        trace_put_id(out, w, w->queue[j->queue].name);
    }
    if (j->klass)
        put_priority(out, w, j->klass);
    if (j->user) {
        put_key(out, "user");
        trace_put_id(out, w, j->user);
    }
    if (!gang_follows(w, j))
        fprintf(out, ", gang: %" PRIu32, j->gang);
    if (j->aside->task_interval) {
        put_key(out, "task_interval");
        trace_put_time(out, j->aside->task_interval);
    }
    trace_put_topology(out, w, &topology);
    trace_put_labels(out, w, trace_job_labels(w, j), j->aside->label_count,
                     only_group(w, j));
    if (!is_own)
        trace_put_affinities(out, w, trace_group_at(w, j->first_group));
    put_terms(out, w, j);
}

/* The quotas that the job counts against. */
static void put_quotas_of(FILE *out, const struct trace_workload *w,
                          const struct trace_job *j)
{
    const struct trace_quota_set *s =
        j->aside->quotas ? &w->quotas->quota_set[j->aside->quotas - 1] : NULL;

    for (uint32_t i = 0; s && i < s->count; i++) {
        fputs(i ? ", " : ", quotas: [", out);
        trace_put_id(out, w,
                     w->quotas->quota[w->quotas->quota_of[s->first + i]].name);
    }
    if (s)
        putc(']', out);
}

static void put_job(FILE *out, const struct trace_workload *w,
                    const struct trace_job *j, const uint32_t *named)
{
    const struct trace_group *g = trace_group_at(w, j->first_group);
    const bool is_own = trace_has_own_affinities(w, j);

    fputs("  - {name: ", out);
    put_job_keys(out, w, j, is_own);
    if (j->aside->minimum
        && !trace_put_amounts(out, w, ", ", "min_resources",
                              w->minimum[j->aside->minimum - 1].amount, 0, 0))
        fputs(", min_resources: {}", out);
    trace_put_task_rules(out, w, j);
    trace_put_after(out, w, j, named);
    put_quotas_of(out, w, j);
    trace_put_tokens(out, w, j->aside->pools);
    put_recorded(out, w, j);
    if (only_group(w, j)) {
        if (g->replicas != 1 || g->min) {
            fputs(", ", out);
            put_replicas(out, g);
        }
        put_request(out, w, g);
        put_held(out, w, g);
        put_running(out, w, j, 0);
        fputs("}\n", out);
        return;
    }
    fputs(", tasks: [", out);
    for (uint32_t i = 0; i < j->group_count; i++) {
        g = trace_group_at(w, j->first_group + i);
        /* a task always begins with some key, for the commas */
        fputs(i ? ", {" : "{", out);
        put_replicas(out, g);
        if (g->name) {
            put_key(out, "name");
            trace_put_id(out, w, g->name);
        }
        if (g->fixed)
            fputs(", preemptible: false", out);
        if (g->topology)
            trace_put_topology(out, w, &w->topology[g->topology - 1]);
        if (g->klass)
            put_priority(out, w, g->klass - 1);
        trace_put_labels(out, w, NULL, 0, g);
        if (is_own)
            trace_put_affinities(out, w, g);
        put_request(out, w, g);
        put_held(out, w, g);
        put_running(out, w, j, i);
        putc('}', out);
    }
    fputs("]}\n", out);
}

static void put_quotas(FILE *out, const struct trace_workload *w)
{
    if (w->quotas->quota_count)
        fputs("quotas:\n", out);
    for (uint32_t i = 0; i < w->quotas->quota_count; i++) {
        const struct trace_quota *q = &w->quotas->quota[i];

        fputs("  - {name: ", out);
        trace_put_id(out, w, q->name);
        (void)trace_put_amounts(out, w, ", ", "limit", q->limit, 0, -1);
        if (q->jobs >= 0)
            fprintf(out, ", jobs: %" PRId64, q->jobs);
        fputs("}\n", out);
    }
}

int trace_check_yaml(const struct trace_workload *w, struct gs_err *err)
{
    return trace_writing_check(w, err);
}

int trace_write_yaml(FILE *out, const struct trace_workload *w,
                     const struct trace_facts *facts,
                     const struct trace_writer_watch *watch, struct gs_err *err)
{
    uint32_t *named;
    char buf[64];

    assert(out && w);
    if (trace_writing_check(w, err) < 0)
        return -1;
    named = w->dependencies->dependency_count ? trace_jobs_by_name(w) : NULL;
    if (facts && facts->topology) {
        fputs("topology: ", out);
        put_text(out, facts->topology);
        putc('\n', out);
    }
    if (facts && facts->epoch)
        fprintf(out, "epoch: %s\n",
                gs_date_format(facts->epoch, buf, sizeof(buf)));
    trace_put_classes(out, w);
    trace_put_flavors(out, w);
    trace_put_queues(out, w);
    trace_put_budgets(out, w);
    put_quotas(out, w);
    trace_put_pools(out, w);
    trace_put_reservations(out, w);
    trace_put_accounts(out, w);
    fputs(w->job_count ? "jobs:\n" : "jobs: []\n", out);
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (watch && i % TRACE_WRITER_EVERY == 0)
            watch->tell(watch->ctx, i, w->job_count);
        put_job(out, w, &w->job[i], named);
    }
    gs_array_free(named);
    return trace_writing_finish(out, err);
}
