/* policies/profile/registry.c - the built-in modules, one line each, and the
 * presets of share/policies/presets.yaml.
 */
#include "policies/profile/registry.h"

#include <assert.h>
#include <string.h>

#include "policies/policy.h"

extern const struct gsp_module gsp_module_fifo, gsp_module_priority,
    gsp_module_gang, gsp_module_fit, gsp_module_consolidate, gsp_module_binpack,
    gsp_module_gpu_binpack, gsp_module_least_allocated,
    gsp_module_most_allocated, gsp_module_balanced, gsp_module_random,
    gsp_module_backfill, gsp_module_topology, gsp_module_constraints,
    gsp_module_drf, gsp_module_queue, gsp_module_overcommit,
    gsp_module_min_runtime, gsp_module_requested_to_capacity_ratio,
    gsp_module_fgd, gsp_module_best_fit, gsp_module_dot_product,
    gsp_module_gpu_packing, gsp_module_gpu_clustering,
    gsp_module_resource_strategy_fit, gsp_module_lookahead,
    gsp_module_node_affinity, gsp_module_taint_toleration,
    gsp_module_pod_affinity, gsp_module_topology_spread, gsp_module_node_size,
    gsp_module_tier_affinity, gsp_module_scarce, gsp_module_budgets,
    gsp_module_gpu_sharing, gsp_module_load, gsp_module_exempt,
    gsp_module_max_wait, gsp_module_gang_quota, gsp_module_preemption,
    gsp_module_passes, gsp_module_limits, gsp_module_multifactor,
    gsp_module_fairshare, gsp_module_time_windows, gsp_module_rebalance,
    gsp_module_retry, gsp_module_node_choice, gsp_module_task_affinity,
    gsp_module_over_quota, gsp_module_elastic, gsp_module_remaining,
    gsp_module_full_domains, gsp_module_moves, gsp_module_fair_queues,
    gsp_module_queue_jobs, gsp_module_queue_limits,
    gsp_module_guarantee_victims, gsp_module_limit_victims,
    gsp_module_node_usage, gsp_module_quota, gsp_module_account_usage,
    gsp_module_keep_nodes;

static const struct gsp_module *const modules[] = {
    &gsp_module_fifo,
    &gsp_module_priority,
    &gsp_module_gang,
    &gsp_module_fit,
    &gsp_module_consolidate,
    &gsp_module_binpack,
    &gsp_module_gpu_binpack,
    &gsp_module_least_allocated,
    &gsp_module_most_allocated,
    &gsp_module_remaining,
    &gsp_module_requested_to_capacity_ratio,
    &gsp_module_balanced,
    &gsp_module_random,
    &gsp_module_backfill,
    &gsp_module_passes,
    &gsp_module_topology,
    &gsp_module_full_domains,
    &gsp_module_constraints,
    &gsp_module_node_affinity,
    &gsp_module_taint_toleration,
    &gsp_module_pod_affinity,
    &gsp_module_topology_spread,
    &gsp_module_task_affinity,
    &gsp_module_drf,
    &gsp_module_queue,
    &gsp_module_over_quota,
    &gsp_module_quota,
    &gsp_module_account_usage,
    &gsp_module_elastic,
    &gsp_module_limits,
    &gsp_module_overcommit,
    &gsp_module_preemption,
    &gsp_module_moves,
    &gsp_module_retry,
    &gsp_module_min_runtime,
    &gsp_module_budgets,
    &gsp_module_exempt,
    &gsp_module_max_wait,
    &gsp_module_multifactor,
    &gsp_module_fairshare,
    &gsp_module_gang_quota,
    &gsp_module_time_windows,
    &gsp_module_rebalance,
    &gsp_module_fgd,
    &gsp_module_best_fit,
    &gsp_module_dot_product,
    &gsp_module_gpu_packing,
    &gsp_module_gpu_clustering,
    &gsp_module_resource_strategy_fit,
    &gsp_module_tier_affinity,
    &gsp_module_node_size,
    &gsp_module_node_choice,
    &gsp_module_scarce,
    &gsp_module_gpu_sharing,
    &gsp_module_load,
    &gsp_module_lookahead,
    &gsp_module_fair_queues,
    &gsp_module_queue_jobs,
    &gsp_module_queue_limits,
    &gsp_module_guarantee_victims,
    &gsp_module_limit_victims,
    &gsp_module_node_usage,
    &gsp_module_keep_nodes,
};

#define N_MODULES (sizeof(modules) / sizeof(modules[0]))

const struct gsp_module *gsched_module_at(size_t i)
{
    return i < N_MODULES ? modules[i] : NULL;
}

const struct share_preset *gsched_preset_at(size_t i)
{
    return i < share_preset_count ? &share_presets[i] : NULL;
}

const struct gsp_module *gsched_module_find(const char *name)
{
    assert(name);
    for (size_t i = 0; i < N_MODULES; i++) {
        if (strcmp(modules[i]->name, name) == 0)
            return modules[i];
    }
    return NULL;
}

const struct share_preset *gsched_preset_find(const char *name)
{
    for (size_t i = 0; i < share_preset_count; i++) {
        if (strcmp(share_presets[i].name, name) == 0)
            return &share_presets[i];
    }
    return NULL;
}
