/* policies/create.c - creates a scheduler and destroys it. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/actions/actions.h"
#include "policies/actions/passes.h"
#include "policies/actions/queue_depth.h"
#include "policies/actions/room_list.h"
#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/label_naming.h"
#include "policies/lifecycle/node_windows.h"
#include "policies/pending/back_off.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/quota_rivals.h"
#include "policies/pending/refusals.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/placement/partitions.h"
#include "policies/preemption/preemption.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/reads.h"
#include "policies/profile/share_nodes.h"
#include "policies/reservation/reservation.h"
#include "policies/scheduler.h"
#include "policies/solver/solver.h"
#include "policies/state/associations.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/budget_counts.h"
#include "policies/state/fragmentation.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/limit_sets.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_properties.h"
#include "policies/state/module_services.h"
#include "policies/state/queue_keys.h"
#include "policies/state/quota_holds.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"
#include "policies/state/usage.h"
#include "policies/state/waiting_priority.h"

const char *gsched_version(void)
{
    return GSIM_VERSION;
}

static int cannot_start(const struct gsched_module *m,
                        const struct gsched_use *u, struct gs_err *err)
{
    if (!m->why)
        return gs_fail(err, GS_INPUT, u->at, "module '%s' cannot start",
                       u->module->name);
    return gs_fail(err, GS_INPUT, u->at,
                   m->detail ? "module '%s': %s '%s'" : "module '%s': %s",
                   u->module->name, m->why, m->detail);
}

static int module_open(struct gsched *s, const struct gsched_use *u,
                       uint64_t seed, struct gs_err *err)
{
    struct gsched_module *m = &s->modules->module[s->modules->module_count];
    union gsp_value *value = gs_arena_alloc(s->arena, GSCHED_PARAMS_MAX,
                                            sizeof(*value));

    *m = (struct gsched_module){
        .module = gsched_points_of(u->module, u->only, s->arena),
        .s = s,
        .tier = u->tier,
        .only = u->only,
        .plain = { &gsched_host, m, value },
        .self = &m->plain,
    };
    s->modules->module_reads |= gsched_module_reads(u->module);
    if ((u->module->reads & (GSP_READS_ACCOUNTS | GSP_READS_LIMITS))
        && !s->accounts)
        gsched_associations_open(s);
    gs_rng_init(&m->rng, seed, u->module->name);
    if (gsched_use_values(u, s->profile->source, s->topo->dims, s->topo->names,
                          s->arena, value, err)
        < 0)
        return -1;
    gsched_limits_open(
        s,
        u->module->reads & ~(u->module->unread ? u->module->unread(value) : 0));
    if (u->module->open
        && u->module->open(&gsched_host, m, value, &m->self) < 0)
        return cannot_start(m, u, err);
    s->modules->module_count++;
    return 0;
}

/* The module fit is part of every profile, whether stated or not. */
static int fit_open(struct gsched *s, uint64_t seed, struct gs_err *err)
{
    extern const struct gsp_module gsp_module_fit;
    const struct gsched_use fit = { .module = &gsp_module_fit };

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        if (s->modules->module[i].module
            == &gsp_module_fit) /* with all extension points */
            return 0;
    }
    return module_open(s, &fit, seed, err);
}

/* Select the kind of reservations. */
static void reservations_open(struct gsched *s)
{
    struct gsched_modules *m = s->modules;
    const bool reserves = m->backfill.mode >= GSP_BACKFILL_EASY
                          && gsched_has_action(s, GSCHED_BACKFILL);

    m->is_windowed = reserves && m->backfill.mode == GSP_BACKFILL_WINDOWED;
    m->is_planned = reserves && m->backfill.mode == GSP_BACKFILL_CONSERVATIVE;
    m->keeps_order = reserves || m->has_passes
                     || (s->profile->is_recorded
                         && s->profile->unit == GSCHED_UNIT_GANG);
    m->grows_in_turn &= !m->keeps_order;
    m->depth = m->is_planned ? UINT32_MAX : reserves && !m->is_windowed ? 1 : 0;
}

/* Reservations need unit gang. */
static int reservations_check(const struct gsched *s, struct gs_err *err)
{
    const struct gs_mark at = { .source = s->profile->source };

    if (s->modules->keeps_order && s->profile->unit != GSCHED_UNIT_GANG)
        return gs_fail(
            err, GS_INPUT, at,
            "backfill with reservations, and passes, need 'unit: gang'");
    if (s->modules->has_passes && s->modules->depth > 0)
        return gs_fail(err, GS_INPUT, at,
                       "module 'passes' goes with backfill of mode windowed, "
                       "not easy or conservative");
    if (s->profile->depth_at.line && s->modules->keeps_order)
        return gs_fail(err, GS_INPUT, s->profile->depth_at,
                       "'queue_depth' goes neither with reservations nor with "
                       "passes");
    if (s->modules->retries && s->modules->keeps_order)
        return gs_fail(err, GS_INPUT, at,
                       "module 'retry' goes neither with reservations nor with "
                       "passes");
    return 0;
}

static int created_check(const struct topo_cluster *c,
                         const struct trace_workload *w,
                         const struct gsched_profile *p, struct gs_err *err)
{
    const struct gs_mark nowhere = { .source = NULL };
    const struct topo *t;

    if (!c || !w || !p)
        return gs_fail(err, GS_INPUT, nowhere,
                       "a scheduler needs a cluster, a workload and a profile");
    t = topo_cluster_topology(c);
    if (t->dims != w->dims || t->names != w->names)
        return gs_fail(err, GS_INPUT, nowhere,
                       "the workload and the topology must share their names"
                       " and resources");
    return 0;
}

/* Compute totals and domain indices of the cluster, which do not change. */
static void cluster_sum_up(struct gsched *s)
{
    uint32_t count[TOPO_TIERS_MAX + 1] = { 0 };

    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        if (!gsched_node_is_shared(s->profile, s->topo, n))
            continue;
        for (uint32_t d = 0; d < s->dims; d++)
            s->dim_total[d] +=
                s->topo->klass[s->topo->node_class[n]].capacity[d];
    }
    s->domain_place = gs_arena_alloc(s->arena, s->topo->domain_count,
                                     sizeof(*s->domain_place));
    for (uint32_t d = 0; d < s->topo->domain_count; d++)
        s->domain_place[d] = count[s->topo->domain[d].level]++;
}

struct gsched *gsched_create(struct topo_cluster *c,
                             const struct trace_workload *w,
                             const struct gsched_profile *p, uint64_t seed,
                             struct gs_err *err)
{
    struct gsched *s;

    if (created_check(c, w, p, err) < 0)
        return NULL;
    s = gs_array_new(1, sizeof(*s));
    s->arena = gs_arena_create(4096);
    s->cluster = c;
    s->topo = topo_cluster_topology(c);
    s->work = w;
    s->profile = p;
    s->adopts_since = GSCHED_NEVER;
    s->dims = w->dims->count;
    s->queues = w->queue_count;
    s->classes = w->class_count;
    s->decision = gs_array_grow(NULL, &s->decision_cap, 1,
                                sizeof(*s->decision));
    s->decision_limit = UINT32_MAX;
    s->head = NONE;
    s->early.early_at = -1;
    cluster_sum_up(s);
    s->modules = gs_arena_alloc(s->arena, 1, sizeof(*s->modules));
    gsched_jobs_open(s);
    gsched_usage_open(s);
    gsched_budgets_open(s);
    gsched_fragment_open(s);
    gsched_allocations_open(s);
    gsched_back_off_open(s);
    gsched_shapes_open(s);
    gsched_sample_open(s);
    gsched_pending_open(s);
    gsched_waits_open(s);
    gsched_admission_open(s);
    gsched_services_open(s);
    gsched_rules_open(s);
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (module_open(s, &p->use[i], seed, err) < 0)
            goto fail;
    }
    if (fit_open(s, seed, err) < 0)
        goto fail;
    gsched_modules_sum_up(s);
    gsched_usage_sum_up(s);
    gsched_queue_keys_open(s);
    reservations_open(s);
    gsched_quotas_open(s);
    gsched_rivals_open(s);
    gsched_admits_open(s);
    if (gsched_has_action(s, GSCHED_ENQUEUE) && p->action[0] != GSCHED_ENQUEUE)
        s->modules->needs_admission =
            true; /* even if all may: it comes in its turn */
    if (reservations_check(s, err) < 0)
        goto fail;
    gsched_choice_open(s);
    gsched_order_open(s);
    gsched_running_open(s);
    gsched_refusals_open(s);
    gsched_waiting_open(s);
    gsched_attempt_open(s, seed);
    gsched_room_list_open(s);
    gsched_solver_open(s);
    gsched_booked_open(s);
    gsched_grace_open(s);
    gsched_kept_open(s);
    gsched_windows_open(s);
    gsched_moves_open(s);
    gsched_depths_open(s);
    return s;
fail:
    gsched_destroy(s);
    return NULL;
}

void gsched_destroy(struct gsched *s)
{
    if (!s)
        return;
    for (uint32_t i = s->modules->module_count; i-- > 0;) {
        if (s->modules->module[i].module->close)
            s->modules->module[i].module->close(s->modules->module[i].self);
    }
    gsched_depths_free(s);
    gsched_moves_free(s);
    gsched_solver_free(s);
    gsched_running_close(s);
    gsched_admits_free(s);
    gsched_rivals_free(s);
    gsched_quotas_free(s);
    gsched_attempt_free(s);
    gsched_grace_free(s);
    gsched_kept_free(s);
    gsched_reservations_free(s);
    gsched_passes_free(s);
    gsched_choice_free(s);
    gsched_partitions_free(s);
    gsched_order_close(s);
    gsched_queue_keys_free(s);
    gsched_refusals_free(s);
    gsched_admission_free(s);
    gsched_waits_close(s);
    gsched_pending_free(s);
    gsched_shapes_free(s);
    gsched_allocations_free(s);
    gsched_back_off_free(s);
    gsched_fragment_free(s);
    gsched_usage_free(s);
    gsched_associations_free(s);
    gsched_limits_free(s);
    gsched_rules_free(s);
    gsched_jobs_free(s);
    gs_array_free(s->decision);
    gs_arena_destroy(s->arena);
    gs_array_free(s);
}
