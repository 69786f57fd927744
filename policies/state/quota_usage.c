/* policies/state/quota_usage.c - the module that orders jobs by what their
 * accounts used of quotas.
 */
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"

void gsched_quota_tell(struct gsched *s, uint32_t job, bool holds)
{
    const struct gsched_quotas *q = s->quotas;
    const struct quota_job *of = quotas_job(q->q, job);
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    int64_t amount[TOPO_DIMS_MAX] = { 0 };
    uint32_t asks;
    const struct quota_ask *ask = quotas_need_at(q->q, of->need, &asks);
    const uint32_t tree = quotas_node(q->q, of->node)->tree;

    for (uint32_t i = 0; i < asks; i++)
        amount[quotas_cell_at(q->q, tree, ask[i].cell)->dim] += ask[i].amount;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->on_quota)
            m->module->on_quota(m->self, &j, amount, holds);
    }
    s->quotas->tells++;
}

double gsched_quota_usage(const void *of, uint32_t job)
{
    const struct gsched *s = of;
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    return s->modules->usage->module->usage(s->modules->usage->self, &j);
}
