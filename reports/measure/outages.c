/* reports/measure/outages.c - node time by state and type, see outages.h. */
#include "reports/measure/outages.h"

#include <assert.h>

#include "base/array.h"
#include "base/strtab.h"
#include "reports/glossary/metric_names.h"
#include "topology/topology.h"

/* Nodes of a type. */
struct type {
    uint32_t name; /* string id */
    uint32_t nodes[REPORT_NODE_STATES];
    report_wide us[REPORT_NODE_STATES]; /* nodes x us */
};

struct report_outages {
    const struct topo *topo;
    struct type *type;
    uint32_t type_count;
    uint32_t *type_of; /* [class] */
    uint8_t *state;    /* [node] */
    uint32_t broken;   /* GPUs */
    report_wide broken_us;
    uint32_t ups, downs;
    const struct report_window *window;
    int64_t since;
    bool is_any; /* a node event occurred */
};

static uint32_t type_find(struct report_outages *o, uint32_t name)
{
    uint32_t i = 0;

    while (i < o->type_count && o->type[i].name != name)
        i++;
    if (i == o->type_count)
        o->type[o->type_count++].name = name;
    return i;
}

struct report_outages *report_outages_create(const struct topo *t,
                                             const struct report_window *w)
{
    struct report_outages *o = gs_array_new(1, sizeof(*o));

    assert(t);
    o->topo = t;
    o->window = w;
    o->type = gs_array_new(t->class_count, sizeof(*o->type));
    o->type_of = gs_array_new(t->class_count, sizeof(*o->type_of));
    o->state = gs_array_new(t->node_count, sizeof(*o->state));
    for (uint32_t k = 0; k < t->class_count; k++)
        o->type_of[k] = type_find(o, t->klass[k].type);
    for (uint32_t n = 0; n < t->node_count; n++)
        o->type[o->type_of[t->node_class[n]]].nodes[REPORT_NODE_OPEN]++;
    return o;
}

void report_outages_destroy(struct report_outages *o)
{
    if (!o)
        return;
    gs_array_free(o->type);
    gs_array_free(o->type_of);
    gs_array_free(o->state);
    gs_array_free(o);
}

static void advance(struct report_outages *o, int64_t now)
{
    const uint64_t dt = (uint64_t)report_window_overlap(o->window, o->since,
                                                        now);

    o->since = now;
    if (dt == 0)
        return;
    for (uint32_t i = 0; i < o->type_count; i++) {
        for (int k = 0; k < REPORT_NODE_STATES; k++)
            o->type[i].us[k] += (report_wide)o->type[i].nodes[k] * dt;
    }
    o->broken_us += (report_wide)o->broken * dt;
}

void report_outages_node(struct report_outages *o, int64_t now,
                         const struct report_node *n)
{
    struct type *type = &o->type[o->type_of[o->topo->node_class[n->node]]];
    bool is_scaled;

    assert(o && now >= 0);
    advance(o, now);
    o->is_any = true;
    if (n->device != UINT32_MAX) {
        o->broken += n->state == REPORT_NODE_FAILED ? 1 : UINT32_MAX;
        return;
    }
    is_scaled = n->is_scaled && report_window_has(o->window, now);
    o->ups += is_scaled && n->state != REPORT_NODE_ABSENT;
    o->downs += is_scaled && n->state == REPORT_NODE_ABSENT;
    assert(type->nodes[o->state[n->node]] > 0);
    type->nodes[o->state[n->node]]--;
    type->nodes[n->state]++;
    o->state[n->node] = (uint8_t)n->state;
}

static report_wide paid(const struct type *t)
{
    return t->us[REPORT_NODE_OPEN] + t->us[REPORT_NODE_DRAINED]
           + t->us[REPORT_NODE_FAILED];
}

void report_outages_put(struct report_outages *o, struct report_metrics *m,
                        const struct report_log *log)
{
    struct type all = { 0 };

    if (!o->is_any)
        return;
    advance(o, log->end);
    for (uint32_t i = 0; i < o->type_count; i++) {
        const char *name = gs_strtab_str(o->topo->names, o->type[i].name);

        for (int k = 0; k < REPORT_NODE_STATES; k++)
            all.us[k] += o->type[i].us[k];
        report_metrics_put(m, METRIC_NODE_HOURS_PAID, "type", name,
                           (double)paid(&o->type[i]) / REPORT_US_PER_HOUR);
    }
    report_metrics_put_cluster(m, METRIC_NODE_HOURS_PAID,
                               (double)paid(&all) / REPORT_US_PER_HOUR);
    report_metrics_put_cluster(m, METRIC_NODE_DOWN_HOURS,
                               (double)all.us[REPORT_NODE_FAILED]
                                   / REPORT_US_PER_HOUR);
    report_metrics_put_cluster(m, METRIC_NODE_DRAINED_HOURS,
                               (double)all.us[REPORT_NODE_DRAINED]
                                   / REPORT_US_PER_HOUR);
    if (paid(&all))
        report_metrics_put_cluster(m, METRIC_NODE_AVAILABILITY,
                                   (double)all.us[REPORT_NODE_OPEN]
                                       / (double)paid(&all));
    if (o->topo->gpu_count)
        report_metrics_put_cluster(m, METRIC_GPU_DOWN_HOURS,
                                   (double)o->broken_us / REPORT_US_PER_HOUR);
    report_metrics_put_cluster(m, METRIC_AUTOSCALE_UPS, o->ups);
    report_metrics_put_cluster(m, METRIC_AUTOSCALE_DOWNS, o->downs);
    report_failures_put(m, log);
}
