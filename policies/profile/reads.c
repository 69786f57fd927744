/* policies/profile/reads.c - settings that a profile reads, see reads.h. */
#include "policies/profile/reads.h"

#include "policies/profile/extension_points.h"
#include "policies/profile/profile.h"

#define OF_VICTIMS \
    (GSP_READS_PREEMPTION | GSP_READS_PREEMPTIBLE | GSP_READS_BUDGETS)

static bool has_action(const struct gsched_profile *p, enum gsched_action a)
{
    for (uint32_t i = 0; i < p->action_count; i++) {
        if (p->action[i] == a)
            return true;
    }
    return false;
}

static bool reclaims(const struct gsched_profile *p)
{
    return has_action(p, GSCHED_RECLAIM) || has_action(p, GSCHED_GANG_RECLAIM);
}

/* Does it make room by eviction? */
static bool evicts(const struct gsched_profile *p)
{
    return has_action(p, GSCHED_PREEMPT) || has_action(p, GSCHED_GANG_PREEMPT)
           || reclaims(p);
}

/* Settings that the actions read, whatever the modules. */
static uint32_t actions_read(const struct gsched_profile *p)
{
    uint32_t reads = 0;

    if (has_action(p, GSCHED_SHUFFLE) || has_action(p, GSCHED_CONSOLIDATE))
        reads |= GSP_READS_PREEMPTIBLE;
    if (evicts(p))
        reads |= GSP_READS_PREEMPTION | GSP_READS_PREEMPTIBLE
                 | GSP_READS_PRIORITY;
    if (reclaims(p))
        reads |= GSP_READS_QUEUE_RECLAIMABLE;
    return reads;
}

/* Settings that modules are not asked about without these actions. */
static uint32_t actions_leave_out(const struct gsched_profile *p)
{
    uint32_t out = 0;

    if (!evicts(p))
        out |= OF_VICTIMS;
    if (!reclaims(p))
        out |= GSP_READS_QUEUE_RECLAIMABLE;
    if (!has_action(p, GSCHED_ENQUEUE))
        out |= GSP_READS_ADMISSION;
    if (!has_action(p, GSCHED_BACKFILL))
        out |= GSP_READS_ESTIMATE;
    return out;
}

int gsched_profile_reads(const struct gsched_profile *p,
                         const struct topo_dims *dims,
                         const struct gs_strtab *names, struct gs_arena *arena,
                         uint64_t *reads, struct gs_err *err)
{
    *reads = 0;
    for (uint32_t i = 0; i < p->use_count; i++) {
        const struct gsp_module *m = p->use[i].module;
        union gsp_value value[GSCHED_PARAMS_MAX];

        if (gsched_use_values(&p->use[i], p->source, dims, names, arena, value,
                              err)
            < 0)
            return -1;
        *reads |= gsched_module_reads(m)
                  & ~(uint64_t)(m->unread ? m->unread(value) : 0);
    }
    *reads = (*reads & ~(uint64_t)actions_leave_out(p)) | actions_read(p);
    return 0;
}
