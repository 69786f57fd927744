/* policies/policy/host.h - services that the host lends to a module.  Part of
 * policy.h.
 */
#ifndef POLICIES_POLICY_HOST_H
#define POLICIES_POLICY_HOST_H

#include "view.h"

/* Services the host lends to a module.  Appended to, never reordered. */
struct gsp_host {
    uint32_t size; /* sizeof(struct gsp_host) in the host */

    /* Zeroed memory, valid while the module is open; never NULL. */
    void *(*keep)(void *ctx, size_t size);
    /* Uniform in [0, below), from the module's own stream of the seed. */
    uint64_t (*random)(void *ctx, uint64_t below);

    uint32_t (*dims)(void *ctx);
    int64_t (*dim_total)(void *ctx, uint32_t dim); /* of the cluster */

    /* More columns of a view. */
    const int64_t *(*free)(const struct gsp_view *v, uint32_t dim);
    const int64_t *(*capacity)(const struct gsp_view *v, uint32_t dim);

    int64_t (*amount)(const struct gsp_task *t, uint32_t dim);
    uint32_t (*gpus)(const struct gsp_task *t);  /* whole devices */
    uint32_t (*share)(const struct gsp_task *t); /* thousandths of a device.
                                                    Both are 0 for a MIG
                                                    instance, see amount */

    /* When the job entered the queue: its submission or its last eviction. */
    gsp_time (*job_since)(const struct gsp_job *j);
    int32_t (*job_priority)(const struct gsp_job *j);
    uint32_t (*job_queue)(const struct gsp_job *j);
    uint32_t (*job_gang)(const struct gsp_job *j); /* least tasks */
    uint32_t (*job_placed)(const struct gsp_job *j);
    uint32_t (*job_id)(const struct gsp_job *j); /* dense, from 0 */
    /* Start of its current run, below 0 when it ran before time 0
     * (gsched_adopt, also while on_place() tells of it); GSP_NEVER while it
     * does not run.
     */
    gsp_time (*job_started)(const struct gsp_job *j);
    bool (*job_preempts)(const struct gsp_job *j); /* its class allows it */
    /* By dimension: what the job holds; what its whole gang asks for.  Valid
     * until the next call.
     */
    const int64_t *(*job_used)(const struct gsp_job *j);
    const int64_t *(*job_minimum)(const struct gsp_job *j);

    gsp_time (*now)(void *ctx); /* of the cycle */

    /* For open(): set the message "WHY 'DETAIL'" (detail may be NULL) and
     * return -1.
     */
    int (*fail)(void *ctx, const char *why, const char *detail);

    /* Queues form a tree.  Their numbers have no order: a parent may have a
     * higher number than its children.
     */
    uint32_t (*queues)(void *ctx);
    uint32_t (*queue_parent)(void *ctx, uint32_t queue);  /* or GSP_NONE */
    double (*queue_weight)(void *ctx, uint32_t queue);    /* >= 0 */
    int32_t (*queue_priority)(void *ctx, uint32_t queue); /* 0 when not
                                                             stated */
    bool (*queue_is_open)(void *ctx, uint32_t queue);     /* accepts jobs */
    bool (*queue_reclaimable)(void *ctx, uint32_t queue); /* may be reclaimed
                                                             from */
    /* By dimension. */
    const int64_t *(*queue_amount)(void *ctx, uint32_t queue,
                                   enum gsp_amount which);
    /* Held by the job's user in the job's own queue. */
    const int64_t *(*user_used)(const struct gsp_job *j);
    /* Increases when the amounts of any queue change. */
    uint64_t (*ledger)(void *ctx);

    /* Tiers. */
    uint32_t (*levels)(void *ctx); /* cluster, tiers, node */
    uint32_t (*level_find)(void *ctx, const char *tier); /* or GSP_NONE */
    uint32_t (*domains)(void *ctx, uint32_t level);
    /* The domain at a level that holds a node, [0, domains(level)). */
    uint32_t (*domain_of)(void *ctx, uint32_t node, uint32_t level);
    /* The tier that the job states (`topology: {within: ...}`), and whether it
     * is required; GSP_NONE: none stated.
     */
    uint32_t (*job_within)(const struct gsp_job *j, bool *required);
    bool (*job_has_label)(const struct gsp_job *j, uint32_t label);
    uint32_t (*job_rules)(const struct gsp_job *j, uint32_t group);
    struct gsp_rule (*job_rule)(const struct gsp_job *j, uint32_t group,
                                uint32_t i);

    /* Set *left to the thousandths left on each partly used device of state
     * `i`, ascending.  Returns their number.
     */
    uint32_t (*parts)(const struct gsp_view *v, uint32_t i,
                      const uint16_t **left);
    /* Fragmentation of a node in state `i` under the task mix; and after the
     * task is placed there, its share on a device with `left` thousandths left.
     * In thousandths of a GPU x mix_weight.
     */
    int64_t (*fragment)(void *ctx, const struct gsp_view *v, uint32_t i);
    int64_t (*fragment_with)(void *ctx, const struct gsp_view *v, uint32_t i,
                             const struct gsp_task *t, uint32_t left);
    int64_t (*mix_weight)(void *ctx);
    /* The kinds of tasks in the mix, [0, mix_kinds), with their weights; and
     * whether nodes of a class, [0, classes), have hardware that suits a kind.
     */
    uint32_t (*mix_kinds)(void *ctx);
    const struct gsp_task *(*mix_kind)(void *ctx, uint32_t kind,
                                       int64_t *weight);
    bool (*mix_suits)(void *ctx, uint32_t kind, uint32_t klass);
    uint32_t (*classes)(void *ctx);
    /* Thousandths of GPUs on all nodes of a class. */
    int64_t (*class_gpus)(void *ctx, uint32_t klass);

    /* The labels of all tasks of the job, [0, job_labels): the number of the
     * i-th, or GSP_NONE while no rule names it.  When a rule of a later job
     * names it first, the host calls on_release and then on_place for all tasks
     * with the label.
     */
    uint32_t (*job_labels)(const struct gsp_job *j);
    uint32_t (*job_label)(const struct gsp_job *j, uint32_t i);
    /* True when the group's models and `nodes` conditions allow the node;
     * taints and size are not checked.
     */
    bool (*job_selects)(const struct gsp_job *j, uint32_t group, uint32_t node);

    /* --- from ABI 3.1 --- */

    /* Sum of the weights of the group's `prefer`; of those that the node
     * meets.
     */
    uint32_t (*job_prefers)(const struct gsp_job *j, uint32_t group);
    uint32_t (*job_points)(const struct gsp_job *j, uint32_t group,
                           uint32_t node);
    /* Number of taints PreferNoSchedule of all node classes; of those of the
     * node that the group's tasks do not tolerate.
     */
    uint32_t (*soft_taints)(void *ctx);
    uint32_t (*job_soft_taints)(const struct gsp_job *j, uint32_t group,
                                uint32_t node);
    /* The group's preferred rules, [0, job_soft_rules). */
    uint32_t (*job_soft_rules)(const struct gsp_job *j, uint32_t group);
    struct gsp_soft_rule (*job_soft_rule)(const struct gsp_job *j,
                                          uint32_t group, uint32_t i);

    /* --- from ABI 3.2 --- */

    /* The labels of tasks of the group, as job_labels: those of the job, then
     * those of the group alone.
     */
    uint32_t (*task_labels)(const struct gsp_job *j, uint32_t group);
    uint32_t (*task_label)(const struct gsp_job *j, uint32_t group, uint32_t i);
    bool (*task_has_label)(const struct gsp_job *j, uint32_t group,
                           uint32_t label);

    /* What the node has when it is empty, by dimension; equal for nodes of one
     * class.
     */
    const int64_t *(*node_capacity)(void *ctx, uint32_t node);
    /* Free amount of a dimension in the domain at a level that holds the node;
     * nothing of a cordoned node is free.
     */
    int64_t (*domain_free)(void *ctx, uint32_t node, uint32_t level,
                           uint32_t dim);
    /* Thousandths of the cpu or memory of nodes of a class that are in use
     * beside tasks; -1: not known.
     */
    int32_t (*class_load)(void *ctx, uint32_t klass, uint32_t dim);
    /* Millionths of a device that share() is before it is rounded up. */
    int64_t (*share_exact)(const struct gsp_task *t);
    /* Number of tasks of the job; what a task of the group asks for. */
    uint32_t (*job_tasks)(const struct gsp_job *j);
    const struct gsp_task *(*job_task)(const struct gsp_job *j, uint32_t group);

    /* Set broken[i] of victims whose eviction exceeds a disruption budget of
     * the workload when those before it are evicted, too; or with `from_last`
     * those after it.  For victims() and breaks().
     */
    void (*break_budgets)(void *ctx, const struct gsp_victims *v,
                          bool from_last, uint8_t *broken);

    /* The longest wait that the job states; 0: none. */
    gsp_time (*job_max_wait)(const struct gsp_job *j);
    /* Names of the job's priority class and of its user; "": none. */
    const char *(*job_class)(const struct gsp_job *j);
    const char *(*job_user)(const struct gsp_job *j);

    /* --- from ABI 3.3 --- */

    /* Accounts and their users are entries of one tree, numbered from the root,
     * 0, as they were at the creation of the scheduler; an entry has a higher
     * number than its parent, GSP_NONE of the root.
     */
    uint32_t (*accounts)(void *ctx);
    uint32_t (*account_parent)(void *ctx, uint32_t account);
    bool (*account_is_user)(void *ctx, uint32_t account);
    /* Whole shares among the children of one parent; GSP_NONE: the children of
     * the entry stand beside it, as if they were of its parent.
     */
    uint32_t (*account_shares)(void *ctx, uint32_t account);
    /* What it used before time 0, without the entries below it. */
    double (*account_usage)(void *ctx, uint32_t account);
    /* The entry of the job's user in its account; that of the account for a
     * user that was not known at creation, and the root without an account.
     */
    uint32_t (*job_account)(const struct gsp_job *j);

    /* The job's QOS, [0, qos_levels), or GSP_NONE. */
    uint32_t (*qos_levels)(void *ctx);
    uint32_t (*job_qos)(const struct gsp_job *j);
    uint32_t (*qos_priority)(void *ctx, uint32_t qos);
    double (*qos_usage_factor)(void *ctx, uint32_t qos); /* >= 0 */

    /* The job's partition, [0, partitions), or GSP_NONE. */
    uint32_t (*partitions)(void *ctx);
    uint32_t (*job_partition)(const struct gsp_job *j);
    uint32_t (*partition_tier)(void *ctx, uint32_t partition);
    uint32_t (*partition_factor)(void *ctx, uint32_t partition);

    int32_t (*job_nice)(const struct gsp_job *j);
    /* How long the job is estimated to run, us; GSP_NEVER. */
    gsp_time (*job_estimate)(const struct gsp_job *j);
    /* How often the number job_id() was given to another job. */
    uint32_t (*job_life)(const struct gsp_job *j);
    /* fair_share() of the last module of the profile that has it; whether one
     * does.
     */
    double (*fair_share)(const struct gsp_job *j);
    bool (*has_fair_share)(void *ctx);

    /* Of rule `i` of the group, a required spread: true when the node makes its
     * domain count; domains of which the least is 0 if fewer count.
     */
    bool (*spread_counts)(const struct gsp_job *j, uint32_t group, uint32_t i,
                          uint32_t node);
    uint32_t (*spread_domains)(const struct gsp_job *j, uint32_t group,
                               uint32_t i);

    /* The limit of its QOS, account or user, or the pool without enough tokens,
     * that keeps the job from taking `asked` more, by dimension; NULL: none.
     * For allocatable().
     */
    const char *(*job_limit)(const struct gsp_job *j, const int64_t *asked);

    /* May jobs of the priority class of `j` evict the victim? */
    bool (*job_evicts)(const struct gsp_job *j, const struct gsp_job *victim);

    /* Priority of the tasks in question among those of their job; job_priority
     * is that of the job, or with `unit: pod` of the task.
     */
    int32_t (*task_priority)(const struct gsp_job *j);
    /* By dimension: what counts when it is admitted, as it states or that of
     * its whole gang.  Valid until the next call.
     */
    const int64_t *(*job_admission)(const struct gsp_job *j);

    /* us since 1970 at time 0 of the run; 0: not known. */
    int64_t (*epoch)(void *ctx);
    uint32_t (*node_class)(void *ctx, uint32_t node);
    /* False: the node accepts no tasks at all. */
    bool (*node_takes)(void *ctx, uint32_t node);
    /* The value of the taint of nodes of the class; NULL: they have none. */
    const char *(*class_taint)(void *ctx, uint32_t klass, const char *key);
    /* True when the task tolerates taints with the key, and the value (NULL:
     * any).
     */
    bool (*tolerates)(void *ctx, const struct gsp_task *t, const char *key,
                      const char *value);
    bool (*job_stays)(const struct gsp_job *j); /* it is not preemptible */
    /* A node on which the eviction would release something. */
    uint32_t (*victim_node)(const struct gsp_victim *v);

    /* --- from ABI 3.4 --- */

    struct gsp_task_rules (*job_task_rules)(const struct gsp_job *j);
    uint32_t (*group_tasks)(const struct gsp_job *j, uint32_t group);
    /* The next tasks of the job that stand on a node, before what is placed in
     * trial; false: no more.  *at is GSP_NONE for the first ones.
     */
    bool (*job_stands)(const struct gsp_job *j, uint32_t *at,
                       struct gsp_placed *out);
    /* As job_since, but not before the end of the delay that kept it away after
     * an eviction (module preemption, with `requeue: last`).
     */
    gsp_time (*job_ready)(const struct gsp_job *j);

    /* --- from ABI 3.5 --- */

    /* For queue_order(), by dimension: how what the queue holds changes with
     * what is served next of it and the queues below.  The request of its first
     * pending job; while victims are listed what its victims so far and the
     * next one hold, below 0.  NULL: nothing.  Valid until the next call.
     */
    const int64_t *(*queue_change)(void *ctx, uint32_t queue);

    /* The queues of which amounts changed since ledger() was `since`, the last
     * one first: the one after `after`; GSP_NONE begins, and ends.
     */
    uint32_t (*queue_changed)(void *ctx, uint64_t since, uint32_t after);
    /* For overused(), allocatable(), preemptive(), enqueue(), and room_at()
     * that is GSP_NEVER: they refuse because of the amounts of the queue
     * (GSP_NONE: of the cluster), and will refuse jobs that ask for as much in
     * any queue below it, until what it holds or admitted falls, or until the
     * module says by queue_eases() that it may have more.
     */
    void (*refused_by)(void *ctx, uint32_t queue);
    void (*queue_eases)(void *ctx, uint32_t queue);

    /* Of the terms in `terms` of struct gsp_module. */
    int64_t (*queue_term)(void *ctx, uint32_t queue, enum gsp_queue_term term);
    /* Weight of the queue where what no queue deserves is divided; without one
     * queue_weight(), which is to be stated in `reads`, too.
     */
    double (*queue_over_quota)(void *ctx, uint32_t queue, uint32_t dim);
    uint32_t (*flavors)(void *ctx);
    const char *(*flavor_name)(void *ctx, uint32_t flavor);
    /* Have nodes of the class all labels of the flavor? */
    bool (*flavor_allows)(void *ctx, uint32_t flavor, uint32_t klass);
    uint32_t (*queue_flavors)(void *ctx, uint32_t queue);
    struct gsp_queue_flavor (*queue_flavor)(void *ctx, uint32_t queue,
                                            uint32_t i);

    /* The highest priority of the jobs that wait in the queue, without those
     * below it; INT32_MIN: none waits.  Increases when any of these changes.
     */
    int32_t (*queue_waiting_priority)(void *ctx, uint32_t queue);
    uint64_t (*waiting_changes)(void *ctx);
    /* Number of jobs that hold tasks, in the queue and below it. */
    uint32_t (*queue_jobs)(void *ctx, uint32_t queue);
    /* For queue_key(): its numbers may differ although no amount of the queue
     * changed.
     */
    void (*queue_moves)(void *ctx, uint32_t queue);

    /* --- from ABI 3.8 --- */

    /* The tier of which the job would have one domain: one inside the tier that
     * it requires, or that of job_within() if it is not required; GSP_NONE:
     * none.
     */
    uint32_t (*job_prefers_tier)(const struct gsp_job *j);

    /* --- from ABI 3.9 --- */

    /* The queues of which queue_waiting_priority() changed since
     * waiting_changes() was `since`, as queue_changed().
     */
    uint32_t (*waiting_changed)(void *ctx, uint64_t since, uint32_t after);

    /* --- from ABI 3.10 --- */

    /* The kind of tasks that subtree(), prefer_domain() or prefer() is asked
     * about, if it has a topology of its own, which job_within() and
     * job_prefers_tier() then are about; GSP_NONE: the job's holds.
     */
    uint32_t (*domain_kind)(const struct gsp_job *j);
    /* What has to stand in the domain: the gang, or the tasks of it of that
     * kind.
     */
    const int64_t *(*domain_minimum)(const struct gsp_job *j);

    /* --- from ABI 3.13 --- */

    /* Number of attempts so far to place the gang of a job, or a part of it: in
     * each the first task is placed anew.
     */
    uint64_t (*attempts)(void *ctx);

    /* --- from ABI 3.14 --- */

    /* True when a task of the group would fit on the node if it were empty: its
     * models, `nodes` conditions, taints and size.
     */
    bool (*job_suits)(const struct gsp_job *j, uint32_t group, uint32_t node);
};

#endif /* POLICIES_POLICY_HOST_H */
