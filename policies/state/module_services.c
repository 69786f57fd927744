/* policies/state/module_services.c - the functions that the host offers to
 * modules.
 */
#include "policies/state/module_services.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/state/budget_counts.h"
#include "topology/cluster.h"

static void *host_keep(void *ctx, size_t size)
{
    return gs_arena_alloc(gsched_of_module(ctx)->arena, 1, size);
}

static uint64_t host_random(void *ctx, uint64_t below)
{
    return gs_rng_below(&((struct gsched_module *)ctx)->rng, below);
}

static uint32_t host_dims(void *ctx)
{
    return gsched_of_module(ctx)->topo->dims->count;
}

/* Modules know GPUs of any model only: models are no resources for shares. */
static int64_t host_dim_total(void *ctx, uint32_t dim)
{
    const struct gsched *s = gsched_of_module(ctx);

    assert(dim < TOPO_DIMS_MAX);
    return s->topo->model_dims >> dim & 1 ? 0 : s->dim_total[dim];
}

static const int64_t *host_free(const struct gsp_view *v, uint32_t dim)
{
    return v->of->groups->free[dim] + v->first;
}

static const int64_t *host_capacity(const struct gsp_view *v, uint32_t dim)
{
    return v->of->groups->capacity[dim] + v->first;
}

static int64_t host_amount(const struct gsp_task *t, uint32_t dim)
{
    assert(dim < TOPO_DIMS_MAX);
    return dim && dim == t->request.model_dim ? 0 : t->request.amount[dim];
}

static uint32_t host_gpus(const struct gsp_task *t)
{
    return t->request.gpus;
}

static uint32_t host_share(const struct gsp_task *t)
{
    return t->request.share;
}

static int64_t host_share_exact(const struct gsp_task *t)
{
    const struct topo_request *r = &t->request;

    return r->share && r->share_memory ? (int64_t)((double)r->share_memory * 1e6
                                                   / (double)r->device_memory)
                                       : (int64_t)r->share * 1000;
}

static uint32_t host_victim_node(const struct gsp_victim *v)
{
    return v->job->node;
}

static double host_fair_share(const struct gsp_job *j)
{
    const struct gsched_module *m = j->s->modules->fair_share;

    assert(m);
    return m->module->fair_share(m->self, j);
}

static bool host_has_fair_share(void *ctx)
{
    const struct gsched_profile *p = gsched_of_module(ctx)->profile;

    for (uint32_t i = 0; i < p->use_count; i++) {
        if (p->use[i].module->fair_share)
            return true;
    }
    return false;
}

static gsp_time host_now(void *ctx)
{
    return gsched_of_module(ctx)->now;
}

static int host_fail(void *ctx, const char *why, const char *detail)
{
    struct gsched_module *m = ctx;

    assert(why && *why);
    m->why = why;
    m->detail = detail;
    return -1;
}

/* --- tiers -------------------------------------------------------- */

static uint32_t host_levels(void *ctx)
{
    return gsched_of_module(ctx)->topo->tier_count + 2;
}

static uint32_t host_level_find(void *ctx, const char *tier)
{
    const struct topo *t = gsched_of_module(ctx)->topo;

    return gsched_level_named(t, gs_strtab_find(t->names, tier, strlen(tier)));
}

static uint32_t host_domain_of(void *ctx, uint32_t node, uint32_t level)
{
    const struct gsched *s = gsched_of_module(ctx);

    return level > s->topo->tier_count
               ? node
               : s->domain_place[topo_domain_of(s->topo, node, level)];
}

static void host_break_budgets(void *ctx, const struct gsp_victims *v,
                               bool from_last, uint8_t *broken)
{
    gsched_services_ask(gsched_of_module(ctx), GSP_READS_BUDGETS);
    gsched_budgets_break(gsched_of_module(ctx), v, from_last, broken);
}

const struct gsp_host gsched_host = {
    .size = sizeof(struct gsp_host),
    .keep = host_keep,
    .random = host_random,
    .dims = host_dims,
    .dim_total = host_dim_total,
    .free = host_free,
    .capacity = host_capacity,
    .amount = host_amount,
    .gpus = host_gpus,
    .share = host_share,
    .job_since = gsched_host_job_since,
    .job_priority = gsched_host_job_priority,
    .job_queue = gsched_host_job_queue,
    .job_gang = gsched_host_job_gang,
    .job_placed = gsched_host_job_placed,
    .job_id = gsched_host_job_id,
    .job_started = gsched_host_job_started,
    .job_preempts = gsched_host_job_preempts,
    .job_used = gsched_host_job_used,
    .job_minimum = gsched_host_job_minimum,
    .now = host_now,
    .fail = host_fail,
    .queues = gsched_host_queues,
    .queue_parent = gsched_host_queue_parent,
    .queue_weight = gsched_host_queue_weight,
    .queue_priority = gsched_host_queue_priority,
    .queue_is_open = gsched_host_queue_is_open,
    .queue_reclaimable = gsched_host_queue_reclaimable,
    .queue_amount = gsched_host_queue_amount,
    .user_used = gsched_host_user_used,
    .ledger = gsched_host_ledger,
    .levels = host_levels,
    .level_find = host_level_find,
    .domains = gsched_host_domains,
    .domain_of = host_domain_of,
    .job_within = gsched_host_job_within,
    .job_prefers_tier = gsched_host_job_prefers_tier,
    .domain_kind = gsched_host_domain_kind,
    .domain_minimum = gsched_host_domain_minimum,
    .attempts = gsched_host_attempts,
    .job_has_label = gsched_host_job_has_label,
    .job_rules = gsched_host_job_rules,
    .job_rule = gsched_host_job_rule,
    .parts = gsched_host_parts,
    .fragment = gsched_host_fragment,
    .fragment_with = gsched_host_fragment_with,
    .mix_weight = gsched_host_mix_weight,
    .mix_kinds = gsched_host_mix_kinds,
    .mix_kind = gsched_host_mix_kind,
    .mix_suits = gsched_host_mix_suits,
    .classes = gsched_host_classes,
    .class_gpus = gsched_host_class_gpus,
    .job_labels = gsched_host_job_labels,
    .job_label = gsched_host_job_label,
    .job_selects = gsched_host_job_selects,
    .job_suits = gsched_host_job_suits,
    .job_prefers = gsched_host_job_prefers,
    .job_points = gsched_host_job_points,
    .soft_taints = gsched_host_soft_taints,
    .job_soft_taints = gsched_host_job_soft_taints,
    .job_soft_rules = gsched_host_job_soft_rules,
    .job_soft_rule = gsched_host_job_soft_rule,
    .task_labels = gsched_host_task_labels,
    .task_label = gsched_host_task_label,
    .task_has_label = gsched_host_task_has_label,
    .node_capacity = gsched_host_node_capacity,
    .class_load = gsched_host_class_load,
    .share_exact = host_share_exact,
    .domain_free = gsched_host_domain_free,
    .job_tasks = gsched_host_job_tasks,
    .job_task = gsched_host_job_task,
    .break_budgets = host_break_budgets,
    .job_max_wait = gsched_host_job_max_wait,
    .job_class = gsched_host_job_class,
    .job_user = gsched_host_job_user,
    .accounts = gsched_host_accounts,
    .account_parent = gsched_host_account_parent,
    .account_is_user = gsched_host_account_is_user,
    .account_shares = gsched_host_account_shares,
    .account_usage = gsched_host_account_usage,
    .job_account = gsched_host_job_account,
    .qos_levels = gsched_host_qos_levels,
    .job_qos = gsched_host_job_qos,
    .qos_priority = gsched_host_qos_priority,
    .qos_usage_factor = gsched_host_qos_usage_factor,
    .partitions = gsched_host_partitions,
    .job_partition = gsched_host_job_partition,
    .partition_tier = gsched_host_partition_tier,
    .partition_factor = gsched_host_partition_factor,
    .job_nice = gsched_host_job_nice,
    .job_estimate = gsched_host_job_estimate,
    .job_life = gsched_host_job_life,
    .fair_share = host_fair_share,
    .has_fair_share = host_has_fair_share,
    .spread_counts = gsched_host_spread_counts,
    .spread_domains = gsched_host_spread_domains,
    .job_limit = gsched_host_job_limit,
    .job_evicts = gsched_host_job_evicts,
    .task_priority = gsched_host_task_priority,
    .job_admission = gsched_host_job_admission,
    .epoch = gsched_host_epoch,
    .node_class = gsched_host_node_class,
    .node_takes = gsched_host_node_takes,
    .class_taint = gsched_host_class_taint,
    .tolerates = gsched_host_tolerates,
    .job_stays = gsched_host_job_stays,
    .victim_node = host_victim_node,
    .job_task_rules = gsched_host_job_task_rules,
    .group_tasks = gsched_host_group_tasks,
    .job_stands = gsched_host_job_stands,
    .job_ready = gsched_host_job_ready,
    .queue_change = gsched_host_queue_change,
    .queue_changed = gsched_host_queue_changed,
    .refused_by = gsched_host_refused_by,
    .queue_eases = gsched_host_queue_eases,
    .queue_term = gsched_host_queue_term,
    .queue_over_quota = gsched_host_queue_over_quota,
    .flavors = gsched_host_flavors,
    .flavor_name = gsched_host_flavor_name,
    .flavor_allows = gsched_host_flavor_allows,
    .queue_flavors = gsched_host_queue_flavors,
    .queue_flavor = gsched_host_queue_flavor,
    .queue_waiting_priority = gsched_host_queue_waiting_priority,
    .waiting_changes = gsched_host_waiting_changes,
    .queue_jobs = gsched_host_queue_jobs,
    .queue_moves = gsched_host_queue_moves,
    .waiting_changed = gsched_host_waiting_changed,
};

struct gsp_view gsched_view(const struct gsched *s, uint32_t first,
                            uint32_t states, const uint8_t *room,
                            const uint8_t *hardware)
{
    const struct topo_groups *g = s->states.groups;

    assert(first + states <= g->count && room && hardware);
    return (struct gsp_view){ .states = states,
                              .gpus_free = g->gpus_free + first,
                              .klass = g->klass + first,
                              .room = room,
                              .hardware = hardware,
                              .kinds = g->kinds + first,
                              .of = &s->states,
                              .first = first };
}

void gsched_services_open(struct gsched *s)
{
    s->services = gs_arena_alloc(s->arena, 1, sizeof(*s->services));
    s->states = (struct gsp_states){
        s->cluster,
        topo_cluster_groups(s->cluster),
    };
}

uint64_t gsched_services_asked(const struct gsched *s)
{
    return s->services->asked;
}
