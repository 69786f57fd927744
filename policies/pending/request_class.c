/* policies/pending/request_class.c - finds the request class and the class
 * queue of a job.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/placement/candidates.h"
#include "policies/state/associations.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/running_index.h"
#include "traces/workload/slices.h"

/* True when tasks of the group may evict others: such are in classes of their
 * own.
 */
static bool may_preempt(const struct gsched *s, uint32_t job, uint32_t group)
{
    return s->running->may_evict && gsched_preempts(s, job, group);
}

/* The settings of the job, besides requests, that decide where it fits. */
static uint64_t manner(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    const uint64_t lists = may_preempt(s, job, NONE)
                                   && s->work->klass[j->klass].victim_count
                               ? j->klass
                               : 0;

    const bool by_levels = s->modules->has_choice
                           && s->modules->choice.by == GSP_CHOOSE_DOMAINS;
    const uint64_t tier = s->modules->subtree || by_levels
                              ? j->aside->within_tier
                              : 0;
    const uint64_t of = (uint64_t)j->aside->within << 1 | lists << 40
                        | tier << 8;
    const uint64_t inside = tier && j->aside->prefers
                                ? gs_hash_mix(of, j->aside->prefers)
                                : of;

    return by_levels && j->aside->slices ? gs_hash_mix(inside, j->aside->slices)
                                         : inside;
}

/* What decides, with reservations, when the job may be where. */
static uint64_t booking_of(const struct gsched *s, uint32_t job)
{
    return s->booked ? gs_hash_mix(
               gs_hash_mix(1, s->work->job[job].aside->reservation),
               (uint64_t)gsched_job(s, job)->estimate)
                     : 0;
}

/* May attempts be made to make room for it, which it has in its own turn? */
static bool may_make_room(const struct gsched *s, uint32_t job)
{
    static const enum gsched_action takes[] = { GSCHED_RECLAIM,
                                                GSCHED_GANG_RECLAIM,
                                                GSCHED_CONSOLIDATE };
    bool may = false;

    if (!s->running->may_evict)
        return false;
    for (uint32_t i = 0; i < sizeof(takes) / sizeof(takes[0]) && !may; i++)
        may = gsched_has_action(s, takes[i]);
    for (uint32_t g = 0; g < s->work->job[job].group_count && !may; g++) {
        const struct trace_class *k =
            &s->work->klass[gsched_class_of(s, job, g)];

        may = !s->modules->victims_are_lower || k->victim_count
              || k->value > s->running->place_value[0];
    }
    return may;
}

/* The job, if it is a class of its own, or one for each group; else NONE.  Jobs
 * with the same rules and labels are of one class, until tasks of one stand:
 * what hoards, and where more of them may be, depends on these.  Preferred
 * rules matter only where groups of different tasks compete for nodes.
 */
static uint32_t alone_of(const struct gsched *s, uint32_t job)
{
    return (gsched_has_own_rules(s, job)
            && (gsched_job(s, job)->placed || may_make_room(s, job)))
                   || (s->work->job[job].group_count > 1
                       && gsched_has_soft_rules(s, job))
               ? job
               : NONE;
}

/* May it go on where others may not begin? */
static bool goes_on(const struct gsched *s, enum request_kind kind,
                    uint32_t job)
{
    return s->modules->counts_jobs && kind != REQUEST_ANY
           && gsched_job(s, job)->placed > 0;
}

bool gsched_cqueue_goes_on(const struct gsched *s, uint32_t cqueue,
                           uint32_t job)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    return b->goes_on == goes_on(s, s->pending->rclass[b->rclass].kind, job);
}

bool gsched_cqueue_is_of(const struct gsched *s, uint32_t cqueue, uint32_t job)
{
    const uint32_t rclass = s->pending->cqueue[cqueue].rclass;

    return s->pending->rclass[rclass].alone == alone_of(s, job)
           && gsched_cqueue_goes_on(s, cqueue, job);
}

/* The rules among its tasks, as far as they decide where they stand. */
static uint32_t task_rules_of(const struct gsched *s, uint32_t job)
{
    return s->modules->orders_tasks ? s->work->job[job].aside->task_rules : 0;
}

/* The required rules of a group about other jobs, where a module acts on them.
 */
static uint64_t rules_hash(const struct gsched *s, uint32_t job, uint32_t group,
                           uint64_t h)
{
    const struct trace_group *g = gsched_group(s, job, group);

    for (uint32_t i = 0; s->labels->has_rules && i < g->rule_count; i++) {
        const struct trace_rule *r = &s->work->rule[g->first_rule + i];

        h = gs_hash_mix(h, (uint64_t)r->label << 32 | r->tier);
        h = gs_hash_mix(h, (uint64_t)r->max_skew << 8 | r->kind);
    }
    return h;
}

static bool same_rules(const struct gsched *s, const struct trace_group *a,
                       const struct trace_group *b)
{
    if (!s->labels->has_rules)
        return true;
    return a->rule_count == b->rule_count
           && (a->rule_count == 0
               || memcmp(&s->work->rule[a->first_rule],
                         &s->work->rule[b->first_rule],
                         a->rule_count * sizeof(*s->work->rule))
                      == 0);
}

/* Where tasks of the group stand together, as far as modules heed that; groups
 * that share a domain share flavors, too.
 */
static struct trace_topology topology_of(const struct gsched *s, uint32_t job,
                                         uint32_t group)
{
    const struct trace_group *g = gsched_group(s, job, group);
    const bool by_levels = s->modules->has_choice
                           && s->modules->choice.by == GSP_CHOOSE_DOMAINS;
    struct trace_topology t = { 0 };

    if (!g->topology)
        return t;
    if (by_levels || s->modules->subtree)
        t = s->work->topology[g->topology - 1];
    else if (s->quotas)
        t.together = s->work->topology[g->topology - 1].together;
    return t;
}

/* Groups share a class when rules name the same labels of them. */
static uint64_t group_hash(const struct gsched *s, uint32_t job, uint32_t group,
                           uint64_t h)
{
    const struct trace_topology t = topology_of(s, job, group);

    h = gs_hash_mix(h, gsched_group(s, job, group)->shape);
    if (t.within || t.slices)
        h = gs_hash_mix(gs_hash_mix(h, (uint64_t)t.within << 32 | t.tier),
                        t.slices);
    if (t.together)
        h = gs_hash_mix(h, t.together);
    if (t.prefers)
        h = gs_hash_mix(h, t.prefers);
    h = gs_hash_mix(h, may_preempt(s, job, group));
    h = gs_hash_mix(h, gsched_quota_flavors(s, job, group));
    h = rules_hash(s, job, group, h);
    return s->labels->has_rules && s->labels->label_count
               ? gs_hash_mix(h, gsched_labels_hash(s, job, group))
               : h;
}

static bool same_group(const struct gsched *s, uint32_t a, uint32_t a_group,
                       uint32_t b, uint32_t b_group)
{
    const struct trace_group *x = gsched_group(s, a, a_group);
    const struct trace_group *y = gsched_group(s, b, b_group);
    const struct trace_topology t = topology_of(s, a, a_group);
    const struct trace_topology u = topology_of(s, b, b_group);

    return x->shape == y->shape && t.tier == u.tier && t.within == u.within
           && t.slices == u.slices && t.together == u.together
           && t.prefers == u.prefers
           && gsched_quota_flavors(s, a, a_group)
                  == gsched_quota_flavors(s, b, b_group)
           && may_preempt(s, a, a_group) == may_preempt(s, b, b_group)
           && (!s->labels->has_rules || !s->labels->label_count
               || gsched_labels_same(s, a, a_group, b, b_group))
           && same_rules(s, x, y);
}

/* What the job states about its admission; 0 once it is admitted. */
static uint64_t admission_of(const struct gsched *s, enum request_kind kind,
                             uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const uint64_t tasks = s->quotas && j->aside->completions
                               ? gsched_quota_wanted(s, job, 0)
                               : 0;

    return kind == REQUEST_ADMISSION
               ? tasks << 33 | (uint64_t)j->aside->minimum << 1
                     | (j->aside->admitted && !s->quotas)
               : 0;
}

static uint64_t rclass_hash(const struct gsched *s, enum request_kind kind,
                            uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint64_t h = gs_hash_mix(17, kind);

    if (kind == REQUEST_ANY)
        return gs_hash_mix(h, gsched_queue_of(s, job));
    h = gs_hash_mix(h, manner(s, job));
    h = gs_hash_mix(h, booking_of(s, job));
    h = gs_hash_mix(h, task_rules_of(s, job));
    h = gs_hash_mix(h, alone_of(s, job));
    if (group != NONE)
        return group_hash(s, job, group, h);
    h = gs_hash_mix(h, j->gang);
    h = gs_hash_mix(h, admission_of(s, kind, job));
    for (uint32_t g = 0; g < j->group_count; g++) {
        h = group_hash(s, job, g, h);
        h = gs_hash_mix(h, gsched_group(s, job, g)->replicas);
        h = gs_hash_mix(h, gsched_group(s, job, g)->min);
    }
    return h;
}

static bool same_rclass(const struct gsched *s, const struct request_class *a,
                        uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const struct trace_job *k = &s->work->job[a->sample];

    if (a->kind == REQUEST_ANY)
        return a->queue == gsched_queue_of(s, job);
    if (manner(s, job) != manner(s, a->sample)
        || booking_of(s, job) != booking_of(s, a->sample))
        return false;
    if (a->alone != alone_of(s, job)
        || task_rules_of(s, job) != task_rules_of(s, a->sample))
        return false;
    if (group != NONE)
        return same_group(s, job, group, a->sample, a->sample_group);
    if (j->gang != k->gang || j->group_count != k->group_count
        || admission_of(s, a->kind, job) != admission_of(s, a->kind, a->sample))
        return false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *x = gsched_group(s, job, g);
        const struct trace_group *y = gsched_group(s, a->sample, g);

        if (x->replicas != y->replicas || x->min != y->min
            || !same_group(s, job, g, a->sample, g))
            return false;
    }
    return true;
}

static struct request_class rclass_made(struct gsched *s,
                                        enum request_kind kind, uint32_t job,
                                        uint32_t group)
{
    const uint32_t first = kind == REQUEST_GANG || group == NONE ? 0 : group;
    const struct trace_job *j = &s->work->job[job];
    const uint32_t enough = gsched_gang_enough(s, job);
    const uint32_t gang = gsched_gang_of(s, job, 0);

    gsched_job(s, job)->is_sample = true;
    return (struct request_class){
        .clock_at = s->now,
        .no_extra = UINT64_MAX,
        .sample = job,
        .sample_group = group,
        .alone = alone_of(s, job),
        .queue = gsched_queue_of(s, job),
        .shape = gsched_group(s, job, first)->shape,
        .need = kind != REQUEST_GANG ? 1
                : gang < enough      ? gang
                                     : enough,
        .first_cqueue = NONE,
        .unschedulable_at = NONE,
        .active_at = NONE,
        .roused_at = NONE,
        .kind = (uint8_t)kind,
        .cause = kind == REQUEST_ANY ? GSCHED_ORDER : GSCHED_LATENCY,
        .is_simple = !gsched_has_rules(s, job)
                     && (kind == REQUEST_TASK || kind == REQUEST_ELASTIC
                         || (kind == REQUEST_GANG && j->group_count == 1)),
    };
}

/* The request of a job, as the key of a class. */
struct request {
    const struct gsched *s;
    enum request_kind kind;
    uint32_t job, group;
};

static bool is_rclass(const void *of, uint32_t at)
{
    const struct request *r = of;
    const struct request_class *a = &r->s->pending->rclass[at];

    return a->kind == r->kind && same_rclass(r->s, a, r->job, r->group);
}

static uint32_t rclass_for(struct gsched *s, enum request_kind kind,
                           uint32_t job, uint32_t group)
{
    struct gsched_pending *p = s->pending;
    const struct request r = { s, kind, job, group };
    const uint64_t hash = rclass_hash(s, kind, job, group);
    const uint32_t found = gs_hash_find(&p->rclasses, hash, is_rclass, &r);

    if (found != GS_HASH_NONE)
        return found;
    p->rclass = gs_array_grow(p->rclass, &p->rclass_cap, p->rclass_count + 1,
                              sizeof(*p->rclass));
    p->rclass[p->rclass_count] = rclass_made(s, kind, job, group);
    if (kind == REQUEST_GANG)
        gsched_shape_known(s, p->rclass[p->rclass_count].shape)->classes++;
    gs_hash_put(&p->rclasses, hash, p->rclass_count);
    return p->rclass_count++;
}

struct sought_cqueue {
    const struct gsched_pending *p;
    uint32_t rclass, queue, limit_set, account;
    int32_t priority;
    bool keeps, goes_on;
};

static bool is_cqueue(const void *of, uint32_t at)
{
    const struct sought_cqueue *k = of;

    return k->p->cqueue[at].rclass == k->rclass
           && k->p->cqueue[at].queue == k->queue
           && k->p->cqueue[at].limit_set == k->limit_set
           && k->p->cqueue[at].account == k->account
           && k->p->cqueue[at].priority == k->priority
           && k->p->cqueue[at].keeps == k->keeps
           && k->p->cqueue[at].goes_on == k->goes_on;
}

uint32_t gsched_cqueue_for(struct gsched *s, enum request_kind kind,
                           uint32_t job, uint32_t group)
{
    struct gsched_pending *p = s->pending;
    const struct sought_cqueue k = {
        p,
        rclass_for(s, kind, job, group),
        s->quotas && kind == REQUEST_ADMISSION ? s->work->job[job].queue
                                               : gsched_queue_of(s, job),
        kind == REQUEST_ANY ? 0 : gsched_job_aside(s, job).limit_set,
        kind == REQUEST_ADMISSION && s->modules->usage
            ? gsched_association_of(s, job)
            : 0,
        s->quotas && kind == REQUEST_ADMISSION
            ? s->work->klass[s->work->job[job].klass].value
            : 0,
        kind != REQUEST_ANY && s->modules->counts_kept
            && s->work->job[job].fixed,
        goes_on(s, kind, job),
    };
    const uint64_t hash = gs_hash_mix(
        gs_hash_mix(k.rclass, (uint64_t)k.account << 32 | k.queue),
        gs_hash_mix((uint32_t)k.priority, (uint64_t)k.limit_set << 2
                                              | (uint64_t)k.goes_on << 1
                                              | k.keeps));
    const uint32_t found = gs_hash_find(&p->cqueues, hash, is_cqueue, &k);

    assert(k.queue < (s->quotas ? s->queues : s->queue_count));
    if (found != GS_HASH_NONE)
        return found;
    p->cqueue = gs_arena_grow(s->arena, p->cqueue, &p->cqueue_cap,
                              p->cqueue_count, sizeof(*p->cqueue));
    p->cqueue[p->cqueue_count] = (struct class_queue){
        .gate = NO_GATE,
        .rclass = k.rclass,
        .queue = k.queue,
        .limit_set = k.limit_set,
        .account = k.account,
        .priority = k.priority,
        .keeps = k.keeps,
        .goes_on = k.goes_on,
        .next = p->rclass[k.rclass].first_cqueue,
        .at = NONE,
        .blocker = NONE,
        .group = NONE,
        .asked_at = UINT64_MAX,
    };
    p->rclass[k.rclass].first_cqueue = p->cqueue_count;
    gs_hash_put(&p->cqueues, hash, p->cqueue_count);
    return p->cqueue_count++;
}
