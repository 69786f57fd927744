/* policies/state/module_services.h - the functions that the host offers to
 * modules.
 */
#ifndef POLICIES_STATE_MODULE_SERVICES_H
#define POLICIES_STATE_MODULE_SERVICES_H

#include <assert.h>

#include "policies/state/module_calls.h"
#include "policies/state/state.h"

struct gsched_services {
    int64_t used[TOPO_DIMS_MAX], minimum[TOPO_DIMS_MAX]; /* last returned */
    uint64_t asked; /* settings that modules have read so far */
};

extern const struct gsp_host gsched_host;
/* The settings (enum gsp_input) that modules have read so far. */
uint64_t gsched_services_asked(const struct gsched *s);
/* A view of the state groups [first, first + states); `room` and `hardware`
 * have [states] elements, as in struct gsp_view.
 */
struct gsp_view gsched_view(const struct gsched *s, uint32_t first,
                            uint32_t states, const uint8_t *room,
                            const uint8_t *hardware);
void gsched_services_open(struct gsched *s);

/* Record that a module reads one of these settings of the trace; some module of
 * the profile must have stated it in `reads`.
 */
static inline void gsched_services_ask(const struct gsched *s, uint64_t inputs)
{
    assert(s->modules->module_reads & inputs);
    s->services->asked |= inputs & s->modules->module_reads;
}

/* What the trace states of the job. */
static inline const struct trace_job *gsched_spec(const struct gsp_job *j)
{
    assert(j->id < j->s->work->job_count);
    return &j->s->work->job[j->id];
}

/* The level of the tier that string id `name` names; GSP_NONE. */
uint32_t gsched_level_named(const struct topo *t, uint32_t name);

/* Members of struct gsp_host: module_jobs.c. */
gsp_time gsched_host_job_since(const struct gsp_job *j);
gsp_time gsched_host_job_ready(const struct gsp_job *j);
int32_t gsched_host_job_priority(const struct gsp_job *j);
int32_t gsched_host_task_priority(const struct gsp_job *j);
gsp_time gsched_host_job_max_wait(const struct gsp_job *j);
bool gsched_host_job_evicts(const struct gsp_job *j,
                            const struct gsp_job *victim);
bool gsched_host_job_stays(const struct gsp_job *j);
const char *gsched_host_job_class(const struct gsp_job *j);
const char *gsched_host_job_user(const struct gsp_job *j);
uint32_t gsched_host_job_queue(const struct gsp_job *j);
uint32_t gsched_host_job_gang(const struct gsp_job *j);
uint32_t gsched_host_job_placed(const struct gsp_job *j);
uint32_t gsched_host_job_id(const struct gsp_job *j);
gsp_time gsched_host_job_started(const struct gsp_job *j);
bool gsched_host_job_preempts(const struct gsp_job *j);
gsp_time gsched_host_job_estimate(const struct gsp_job *j);
uint32_t gsched_host_job_life(const struct gsp_job *j);
const int64_t *gsched_host_job_used(const struct gsp_job *j);
const int64_t *gsched_host_job_minimum(const struct gsp_job *j);
const int64_t *gsched_host_job_admission(const struct gsp_job *j);
const int64_t *gsched_host_user_used(const struct gsp_job *j);
uint32_t gsched_host_domain_kind(const struct gsp_job *j);
const int64_t *gsched_host_domain_minimum(const struct gsp_job *j);
uint64_t gsched_host_attempts(void *ctx);
uint32_t gsched_host_job_within(const struct gsp_job *j, bool *required);
uint32_t gsched_host_job_prefers_tier(const struct gsp_job *j);
uint32_t gsched_host_job_labels(const struct gsp_job *j);
uint32_t gsched_host_job_label(const struct gsp_job *j, uint32_t i);
bool gsched_host_job_has_label(const struct gsp_job *j, uint32_t label);
uint32_t gsched_host_task_labels(const struct gsp_job *j, uint32_t group);
uint32_t gsched_host_task_label(const struct gsp_job *j, uint32_t group,
                                uint32_t i);
bool gsched_host_task_has_label(const struct gsp_job *j, uint32_t group,
                                uint32_t label);
uint32_t gsched_host_job_tasks(const struct gsp_job *j);
const struct gsp_task *gsched_host_job_task(const struct gsp_job *j,
                                            uint32_t group);

/* The same: module_preferences.c. */
uint32_t gsched_host_job_rules(const struct gsp_job *j, uint32_t group);
struct gsp_rule gsched_host_job_rule(const struct gsp_job *j, uint32_t group,
                                     uint32_t i);
uint32_t gsched_host_job_soft_rules(const struct gsp_job *j, uint32_t group);
struct gsp_soft_rule gsched_host_job_soft_rule(const struct gsp_job *j,
                                               uint32_t group, uint32_t i);
bool gsched_host_spread_counts(const struct gsp_job *j, uint32_t group,
                               uint32_t i, uint32_t node);
uint32_t gsched_host_spread_domains(const struct gsp_job *j, uint32_t group,
                                    uint32_t i);
bool gsched_host_job_selects(const struct gsp_job *j, uint32_t group,
                             uint32_t node);
bool gsched_host_job_suits(const struct gsp_job *j, uint32_t group,
                           uint32_t node);
uint32_t gsched_host_job_prefers(const struct gsp_job *j, uint32_t group);
uint32_t gsched_host_job_points(const struct gsp_job *j, uint32_t group,
                                uint32_t node);
uint32_t gsched_host_soft_taints(void *ctx);
uint32_t gsched_host_job_soft_taints(const struct gsp_job *j, uint32_t group,
                                     uint32_t node);

/* The same: module_queues.c. */
uint32_t gsched_host_queues(void *ctx);
uint32_t gsched_host_queue_parent(void *ctx, uint32_t queue);
double gsched_host_queue_weight(void *ctx, uint32_t queue);
int32_t gsched_host_queue_priority(void *ctx, uint32_t queue);
bool gsched_host_queue_is_open(void *ctx, uint32_t queue);
bool gsched_host_queue_reclaimable(void *ctx, uint32_t queue);
const int64_t *gsched_host_queue_amount(void *ctx, uint32_t queue,
                                        enum gsp_amount which);
uint64_t gsched_host_ledger(void *ctx);
void gsched_host_queue_moves(void *ctx, uint32_t queue);
const int64_t *gsched_host_queue_change(void *ctx, uint32_t queue);
uint32_t gsched_host_queue_changed(void *ctx, uint64_t since, uint32_t after);
void gsched_host_refused_by(void *ctx, uint32_t queue);
void gsched_host_queue_eases(void *ctx, uint32_t queue);
int64_t gsched_host_queue_term(void *ctx, uint32_t queue,
                               enum gsp_queue_term term);
double gsched_host_queue_over_quota(void *ctx, uint32_t queue, uint32_t dim);
uint32_t gsched_host_flavors(void *ctx);
const char *gsched_host_flavor_name(void *ctx, uint32_t flavor);
bool gsched_host_flavor_allows(void *ctx, uint32_t flavor, uint32_t klass);
uint32_t gsched_host_queue_flavors(void *ctx, uint32_t queue);
struct gsp_queue_flavor gsched_host_queue_flavor(void *ctx, uint32_t queue,
                                                 uint32_t i);
int32_t gsched_host_queue_waiting_priority(void *ctx, uint32_t queue);
uint64_t gsched_host_waiting_changes(void *ctx);
uint32_t gsched_host_waiting_changed(void *ctx, uint64_t since, uint32_t after);
uint32_t gsched_host_queue_jobs(void *ctx, uint32_t queue);

/* The same: module_fragments.c. */
uint32_t gsched_host_parts(const struct gsp_view *v, uint32_t i,
                           const uint16_t **left);
int64_t gsched_host_mix_weight(void *ctx);
uint32_t gsched_host_mix_kinds(void *ctx);
const struct gsp_task *gsched_host_mix_kind(void *ctx, uint32_t kind,
                                            int64_t *weight);
bool gsched_host_mix_suits(void *ctx, uint32_t kind, uint32_t klass);
uint32_t gsched_host_classes(void *ctx);
int64_t gsched_host_class_gpus(void *ctx, uint32_t klass);
int64_t gsched_host_fragment(void *ctx, const struct gsp_view *v, uint32_t i);
int64_t gsched_host_fragment_with(void *ctx, const struct gsp_view *v,
                                  uint32_t i, const struct gsp_task *t,
                                  uint32_t left);

/* The same: module_accounts.c. */
uint32_t gsched_host_accounts(void *ctx);
uint32_t gsched_host_account_parent(void *ctx, uint32_t account);
bool gsched_host_account_is_user(void *ctx, uint32_t account);
uint32_t gsched_host_account_shares(void *ctx, uint32_t account);
double gsched_host_account_usage(void *ctx, uint32_t account);
uint32_t gsched_host_job_account(const struct gsp_job *j);
uint32_t gsched_host_qos_levels(void *ctx);
uint32_t gsched_host_job_qos(const struct gsp_job *j);
uint32_t gsched_host_qos_priority(void *ctx, uint32_t qos);
double gsched_host_qos_usage_factor(void *ctx, uint32_t qos);
uint32_t gsched_host_partitions(void *ctx);
uint32_t gsched_host_job_partition(const struct gsp_job *j);
uint32_t gsched_host_partition_tier(void *ctx, uint32_t partition);
uint32_t gsched_host_partition_factor(void *ctx, uint32_t partition);
const char *gsched_host_job_limit(const struct gsp_job *j,
                                  const int64_t *asked);
int32_t gsched_host_job_nice(const struct gsp_job *j);

/* Nodes and the date: module_nodes.c. */
const int64_t *gsched_host_node_capacity(void *ctx, uint32_t node);
int32_t gsched_host_class_load(void *ctx, uint32_t klass, uint32_t dim);
uint32_t gsched_host_node_class(void *ctx, uint32_t node);
bool gsched_host_node_takes(void *ctx, uint32_t node);
const char *gsched_host_class_taint(void *ctx, uint32_t klass, const char *key);
bool gsched_host_tolerates(void *ctx, const struct gsp_task *t, const char *key,
                           const char *value);
int64_t gsched_host_epoch(void *ctx);
int64_t gsched_host_domain_free(void *ctx, uint32_t node, uint32_t level,
                                uint32_t dim);
uint32_t gsched_host_domains(void *ctx, uint32_t level);

/* --- kinds of tasks of a job: module_task_rules.c ------------------------- */

struct gsp_task_rules gsched_host_job_task_rules(const struct gsp_job *j);
uint32_t gsched_host_group_tasks(const struct gsp_job *j, uint32_t group);
bool gsched_host_job_stands(const struct gsp_job *j, uint32_t *at,
                            struct gsp_placed *out);

#endif /* POLICIES_STATE_MODULE_SERVICES_H */
