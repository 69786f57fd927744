/* policies/state/module_preferences.c - the services about where jobs must, or
 * had better, stand: rules between jobs, preferred nodes, taints.
 */
#include <assert.h>

#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"

uint32_t gsched_level_named(const struct topo *t, uint32_t name)
{
    const int level = topo_level_find(t, name);

    return level < 0 ? GSP_NONE : (uint32_t)level;
}

static const struct topo_request *request(const struct gsp_job *j,
                                          uint32_t group)
{
    return &j->s->work->shape[gsched_group(j->s, j->id, group)->shape];
}

/* --- rules ---------------------------------------------------------------- */

static const enum gsp_rule_kind kinds[] = {
    [TRACE_NEAR] = GSP_NEAR,
    [TRACE_APART] = GSP_APART,
    [TRACE_SPREAD] = GSP_SPREAD,
};

static const struct trace_rule *rule_at(const struct gsp_job *j, uint32_t group,
                                        uint32_t i)
{
    return &j->s->work->rule[gsched_group(j->s, j->id, group)->first_rule + i];
}

static uint32_t label_of(const struct gsp_job *j, const struct trace_rule *r)
{
    return r->label ? gsched_label_number(j->s, r->label) : GSP_NONE;
}

uint32_t gsched_host_job_rules(const struct gsp_job *j, uint32_t group)
{
    gsched_services_ask(j->s, GSP_READS_RULES | GSP_READS_SOFT_AFFINITY);
    return gsched_group(j->s, j->id, group)->rule_count;
}

struct gsp_rule gsched_host_job_rule(const struct gsp_job *j, uint32_t group,
                                     uint32_t i)
{
    const struct trace_rule *r = rule_at(j, group, i);

    assert(i < gsched_group(j->s, j->id, group)->rule_count);
    return (struct gsp_rule){ .kind = kinds[r->kind],
                              .label = label_of(j, r),
                              .level = gsched_level_named(j->s->topo, r->tier),
                              .max_skew = r->max_skew };
}

uint32_t gsched_host_job_soft_rules(const struct gsp_job *j, uint32_t group)
{
    gsched_services_ask(j->s, GSP_READS_SOFT_AFFINITY | GSP_READS_SOFT_SPREAD);
    return gsched_group(j->s, j->id, group)->soft_count;
}

struct gsp_soft_rule gsched_host_job_soft_rule(const struct gsp_job *j,
                                               uint32_t group, uint32_t i)
{
    const struct trace_group *g = gsched_group(j->s, j->id, group);
    const struct trace_rule *r = rule_at(j, group, g->rule_count + i);

    assert(i < g->soft_count && r->weight > 0);
    return (struct gsp_soft_rule){
        .kind = kinds[r->kind],
        .label = label_of(j, r),
        .level = gsched_level_named(j->s->topo, r->tier),
        .max_skew = r->max_skew,
        .weight = r->weight,
    };
}

/* --- nodes ---------------------------------------------------------------- */

bool gsched_host_job_selects(const struct gsp_job *j, uint32_t group,
                             uint32_t node)
{
    const struct topo *t = j->s->topo;
    const enum topo_misfit misfit = topo_class_misfit(t, t->node_class[node],
                                                      request(j, group));

    return misfit != TOPO_NO_MODEL && misfit != TOPO_NO_LABEL;
}

bool gsched_host_job_suits(const struct gsp_job *j, uint32_t group,
                           uint32_t node)
{
    const struct topo *t = j->s->topo;

    return topo_class_misfit(t, t->node_class[node], request(j, group))
           == TOPO_FITS;
}

bool gsched_host_spread_counts(const struct gsp_job *j, uint32_t group,
                               uint32_t i, uint32_t node)
{
    const struct trace_rule *r = rule_at(j, group, i);
    const struct topo *t = j->s->topo;
    const struct topo_request *q = request(j, group);
    const uint32_t klass = t->node_class[node];

    assert(r->kind == TRACE_SPREAD);
    return (r->counts & TRACE_SPREAD_ANY
            || gsched_host_job_selects(j, group, node))
           && !(r->counts & TRACE_SPREAD_TOLERATED
                && !topo_class_is_tolerated(t, klass, q));
}

uint32_t gsched_host_spread_domains(const struct gsp_job *j, uint32_t group,
                                    uint32_t i)
{
    const struct trace_rule *r = rule_at(j, group, i);

    assert(r->kind == TRACE_SPREAD);
    return r->min_domains;
}

uint32_t gsched_host_job_prefers(const struct gsp_job *j, uint32_t group)
{
    const struct topo_request *r = request(j, group);
    uint32_t points = 0;

    gsched_services_ask(j->s, GSP_READS_PREFER);
    for (uint32_t i = 0; i < r->preference_count; i++)
        points += r->preference[i].weight;
    return points;
}

uint32_t gsched_host_job_points(const struct gsp_job *j, uint32_t group,
                                uint32_t node)
{
    gsched_services_ask(j->s, GSP_READS_PREFER);
    return topo_class_points(j->s->topo, j->s->topo->node_class[node],
                             request(j, group));
}

uint32_t gsched_host_soft_taints(void *ctx)
{
    const struct topo *t = gsched_of_module(ctx)->topo;
    uint32_t n = 0;

    for (uint32_t k = 0; k < t->class_count; k++) {
        for (uint32_t i = 0; i < t->klass[k].taint_count; i++)
            n += t->klass[k].taint[i].effect == TOPO_PREFER_NO_SCHEDULE;
    }
    return n;
}

uint32_t gsched_host_job_soft_taints(const struct gsp_job *j, uint32_t group,
                                     uint32_t node)
{
    return topo_class_taints(j->s->topo, j->s->topo->node_class[node],
                             request(j, group));
}
