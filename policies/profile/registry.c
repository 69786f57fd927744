/* policies/profile/registry.c - one line a module, one entry a preset. */
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
    gsp_module_resource_strategy_fit, gsp_module_lookahead;

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
    &gsp_module_requested_to_capacity_ratio,
    &gsp_module_balanced,
    &gsp_module_random,
    &gsp_module_backfill,
    &gsp_module_topology,
    &gsp_module_constraints,
    &gsp_module_drf,
    &gsp_module_queue,
    &gsp_module_overcommit,
    &gsp_module_min_runtime,
    &gsp_module_fgd,
    &gsp_module_best_fit,
    &gsp_module_dot_product,
    &gsp_module_gpu_packing,
    &gsp_module_gpu_clustering,
    &gsp_module_resource_strategy_fit,
    &gsp_module_lookahead,
};

static const struct gsched_preset presets[] = {
    {
        "fifo",
        "first come, first served: a head that does not fit blocks",
        "actions: [allocate]\n"
        "head: block       # nobody overtakes a job that does not fit\n"
        "unit: gang\n"
        "modules: [fifo, gang, fit]\n",
    },
    {
        "binpack",
        "gangs, first come first served, on the fullest nodes that fit",
        "actions: [enqueue, allocate]\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n",
    },
    {
        "spread",
        "gangs, first come first served, on the emptiest nodes",
        "actions: [enqueue, allocate]\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  - least-allocated: {resources: {gpu: 1, cpu: 1, memory: 1}}\n",
    },
    {
        "kube-default",
        "as kube-scheduler: pod by pod, spread, priorities preempt",
        "actions: [allocate, preempt]\n"
        "unit: pod\n"
        "modules:\n"
        "  - priority\n"
        "  - fit\n"
        "  - constraints   # affinity, anti-affinity, spread\n"
        "  # GPUs count too, since GPU traces seldom tell CPU and memory\n"
        "  - least-allocated: {resources: {cpu: 1, memory: 1, gpu: 1}}\n"
        "  - balanced: {resources: {cpu: 1, memory: 1, gpu: 1}}\n",
    },
    {
        "consolidated",
        "fifo, each job within one rack (Tiresias' \"yarn\")",
        "actions: [allocate]\n"
        "head: block\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  - consolidate: {tier: rack}\n",
    },
    {
        "drf",
        "gangs; queues and jobs with the smallest dominant share first",
        "actions: [enqueue, allocate]\n"
        "unit: gang\n"
        "modules:\n"
        "  - drf\n"
        "  - gang\n"
        "  - fit\n"
        "  - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n",
    },
    {
        "volcano",
        "as Volcano for GPUs: gangs, drf, proportion, binpack",
        "actions: [enqueue, allocate, backfill]\n"
        "unit: gang\n"
        "modules:\n"
        "  - [priority, gang]\n"
        "  - - drf: {queues: no}\n"
        "    - fit\n"
        "    - constraints\n"
        "    - queue: {enqueue_asks: ancestors}\n"
        "    - least-allocated: {resources: {cpu: 1, memory: 1}}\n"
        "    - balanced: {resources: {cpu: 1, memory: 1, gpu: 1}}\n"
        "    # upstream ignores GPUs unless they are listed\n"
        "    - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n"
        "    - backfill: {mode: best-effort}\n",
    },
    {
        "volcano-default",
        "Volcano's own default: no binpack, no preemption, no reclaim",
        "actions: [enqueue, allocate, backfill]\n"
        "unit: gang\n"
        "modules:\n"
        "  - [priority, gang]\n"
        "  - - overcommit\n"
        "    - drf: {queues: no}\n"
        "    - fit\n"
        "    - constraints\n"
        "    - queue: {enqueue_asks: ancestors}\n"
        "    - least-allocated: {resources: {cpu: 1, memory: 1}}\n"
        "    - balanced: {resources: {cpu: 1, memory: 1, gpu: 1}}\n"
        "    - backfill: {mode: best-effort}\n",
    },
    {
        "easy",
        "fifo, and others before a blocked head that do not delay it",
        "actions: [allocate, backfill]\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  - backfill: {mode: easy}\n",
    },
    {
        "conservative",
        "fifo, and others before blocked jobs at no delay to them",
        "actions: [allocate, backfill]\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  # keep reservations and move them up; or plan: replan\n"
        "  - backfill: {mode: conservative, plan: keep}\n",
    },
    {
        "topology",
        "gangs on the smallest subtree that holds them, packed",
        "actions: [enqueue, allocate]\n"
        "unit: gang\n"
        "modules:\n"
        "  - fifo\n"
        "  - gang\n"
        "  - fit\n"
        "  - topology\n"
        "  - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n",
    },
    {
        "priority-preempt",
        "gangs by priority; the higher evict the lower, of any queue",
        "actions: [enqueue, allocate, preempt]\n"
        "unit: gang\n"
        "modules:\n"
        "  - priority\n"
        "  - gang\n"
        "  - fit\n"
        "  - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n",
    },
    {
        "hybrid",
        "gangs, topology, binpack, EASY backfill, preemption",
        "actions: [enqueue, allocate, preempt, backfill]\n"
        "unit: gang\n"
        "modules:\n"
        "  - priority\n"
        "  - gang\n"
        "  - fit\n"
        "  - topology\n"
        "  - binpack: {weight: 10, resources: {gpu: 5, cpu: 1, memory: 1}}\n"
        "  - backfill: {mode: easy}\n",
    },
    {
        "random",
        "gangs, first come first served, on nodes drawn by the seed",
        "actions: [enqueue, allocate]\n"
        "unit: gang\n"
        "modules: [fifo, gang, fit, random]\n",
    },
    {
        "fgd",
        "pod by pod, where fragmentation grows least (ATC'23)",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, fgd]\n",
    },
    {
        "lookahead",
        "pod by pod, where least is wasted of what is yet to come",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, lookahead]\n",
    },
    {
        "best-fit",
        "pod by pod on the node that is left the least (ATC'23)",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, best-fit]\n",
    },
    {
        "dot-product",
        "pod by pod, where the rest is least like the task (ATC'23)",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, dot-product]\n",
    },
    {
        "gpu-packing",
        "pod by pod, on used GPUs, free ones, empty nodes (ATC'23)",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, gpu-packing]\n",
    },
    {
        "gpu-clustering",
        "pod by pod beside tasks of the same kind (ATC'23)",
        "actions: [allocate]\n"
        "unit: pod\n"
        "modules: [fit, gpu-clustering]\n",
    },
};

#define N_MODULES (sizeof(modules) / sizeof(modules[0]))
#define N_PRESETS (sizeof(presets) / sizeof(presets[0]))

const struct gsp_module *gsched_module_at(size_t i)
{
    return i < N_MODULES ? modules[i] : NULL;
}

const struct gsched_preset *gsched_preset_at(size_t i)
{
    return i < N_PRESETS ? &presets[i] : NULL;
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

const struct gsched_preset *gsched_preset_find(const char *name)
{
    for (size_t i = 0; i < N_PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    }
    return NULL;
}
