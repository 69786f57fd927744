/* policies/state/module_calls.c - combined answers of the modules of a profile.
 *
 *   order        the first that tells the two apart
 *   overused     any
 *   may it ...   all
 *   victims      see module_victims.c
 *   pick, subtree, backfill, preemption    the last that has an opinion
 */
#include "policies/state/module_calls.h"

#include <assert.h>
#include <string.h>

#include "base/strtab.h"
#include "policies/profile/extension_points.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

/* --- at the start --------------------------------------------------------- */

static void note_points(struct gsched *s, const struct gsched_module *use)
{
    const struct gsp_module *m = use->module;

    assert(s->modules->order_count <= GSCHED_MODULES_MAX);
    if (m->job_order)
        s->modules->order_by[s->modules->order_count++] = use;
    if (m->queue_order)
        s->modules->queues_by[s->modules->queues_by_count++] = use;
    if (m->on_place || m->on_release)
        s->modules->told[s->modules->told_count++] = use;
    if (m->overused)
        s->modules->overused_by[s->modules->overused_count++] = use;
    if (m->victims_ok)
        s->modules->judge[s->modules->judges++] = use;
    if (m->pick)
        s->modules->pick = use;
    if (m->subtree)
        s->modules->subtree = use;
    if (m->make_room)
        s->modules->room = use;
    if (m->fair_share)
        s->modules->fair_share = use;
    if (m->usage)
        s->modules->usage = use;
    s->modules->reorders |= m->reorder != NULL;
    if (m->pick || (m->score && !(m->promises & GSP_SCORE_RISES)))
        s->modules->fills_nodes = false;
    if (m->filter && !(m->promises & GSP_FILTER_STAYS)) {
        s->modules->filter_opens = true;
        s->modules->fills_nodes = false;
    }
    s->modules->has_queues |= m->queue_order || m->overused
                              || (m->allocatable
                                  && !(m->promises & GSP_ANY_QUEUE))
                              || m->preemptive || m->make_room;
    s->modules->has_quota |= m->allocatable || m->overused;
    s->modules->may_refuse |= m->refuses != NULL;
    s->modules->refuses_by_labels &= !m->refuses
                                     || (m->promises & GSP_REFUSES_BY_LABELS);
    s->modules->may_prefer |= m->regards && m->prefer;
    s->modules->orders_domains |= m->prefer_domain != NULL;
    s->modules->orders_groups |= m->group_order != NULL;
    s->modules->orders_tasks |= m->next_group != NULL;
    s->modules->may_break |= m->breaks != NULL;
    s->modules->bounds_gifts |= m->victims_ok && m->gives;
    s->modules->may_admit |= m->admits_at != NULL;
    s->modules->picks_devices |= m->device != NULL;
    if (m->promises & GSP_FOLLOWS_KINDS)
        topo_cluster_follow_kinds(s->cluster);
    s->modules->victims_are_lower |= m->victims
                                     && (m->promises & GSP_VICTIMS_ARE_LOWER)
                                     && gsched_points_have(use->only,
                                                           GSP_PREEMPT);
    s->modules->counts_entered |= m->enqueue != NULL;
    s->modules->counts_kept |= m->allocatable
                               && (m->reads & GSP_READS_PREEMPTIBLE);
}

/* The number of the gate of a module that may refuse a job for its queue or the
 * load; modules beyond GSCHED_GATES have none and are not named in reports.
 */
static uint8_t gate_number(struct gsched *s, const struct gsp_module *m)
{
    const bool refuses = m->overused || m->allocatable || m->enqueue
                         || m->admit;

    for (uint32_t g = 0; refuses && g < s->modules->gates; g++) {
        if (strcmp(s->modules->gate[g], m->name) == 0)
            return (uint8_t)g;
    }
    if (!refuses || s->modules->gates == GSCHED_GATES)
        return NO_GATE;
    s->modules->gate[s->modules->gates] = m->name;
    return (uint8_t)s->modules->gates++;
}

void gsched_modules_sum_up(struct gsched *s)
{
    struct gsched_modules *mods = s->modules;

    assert(mods->module_count <= GSCHED_MODULES_MAX + 1);
    mods->fills_nodes = mods->refuses_by_labels = true;
    mods->consolidation =
        (struct gsp_consolidation){ .price = INT64_C(600000000),
                                    .jobs = 16,
                                    .trials = 1000,
                                    .keeps_off = true };
    mods->refuser = NO_GATE;
    mods->hold_time = s->early.min_runtime_at = GSCHED_NEVER;
    s->early.admits_at = GSCHED_NEVER;
    for (uint32_t i = 0; i < mods->module_count; i++) {
        struct gsched_module *m = &mods->module[i];

        m->gate = gate_number(s, m->module);
        note_points(s, m);
        mods->needs_admission |= m->module->enqueue != NULL
                                 && gsched_has_action(s, GSCHED_ENQUEUE);
        if (m->module->hold_time) {
            const gsp_time t = m->module->hold_time(m->self);

            /* with 0, eviction and placement would repeat at once */
            if (t > 0 && t < mods->hold_time)
                mods->hold_time = t;
            mods->limits_hold = true;
            mods->holds_once |= m->module->holds_once
                                && m->module->holds_once(m->self);
        }
        if (m->module->spare_time) {
            const gsp_time t = m->module->spare_time(m->self);

            mods->min_runtime = t > mods->min_runtime ? t : mods->min_runtime;
        }
        if (m->module->backfill)
            m->module->backfill(m->self, &mods->backfill);
        if (m->module->preemption)
            m->module->preemption(m->self, &mods->preemption);
        if (m->module->consolidation)
            (void)m->module->consolidation(m->self, &mods->consolidation);
        if (m->module->usage_decay)
            (void)m->module->usage_decay(m->self, &mods->decay);
        if (m->module->passes)
            mods->has_passes |= m->module->passes(m->self, &mods->passes);
        if (m->module->retry)
            (void)m->module->retry(m->self, &mods->retry);
        if (m->module->keep && m->module->misfit
            && s->profile->unit == GSCHED_UNIT_POD
            && m->module->keep(m->self, &mods->keep))
            mods->keeper = m;
        if (m->module->number)
            mods->number = m;
        if (m->module->choice)
            mods->has_choice |= m->module->choice(m->self, &mods->choice);
    }
    mods->keep.delay = mods->keep.delay > 0 ? mods->keep.delay : 0;
    mods->retries = mods->retry.first > 0 || mods->retry.gang > 0;
    if (s->profile->unit != GSCHED_UNIT_POD)
        mods->retry.part = 0;
    for (uint32_t k = 0; k < s->work->class_count; k++)
        mods->victims_are_lower &= s->work->klass[k].victim_count == 0;
    for (uint32_t i = 0; mods->may_refuse && i < s->work->rule_count; i++)
        s->labels->has_rules |= s->work->rule[i].weight == 0;
}

bool gsched_modules_promise(const struct gsched *s, enum gsp_promise what)
{
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        if (s->modules->module[i].module->promises & what)
            return true;
    }
    return false;
}

/* --- order ---------------------------------------------------------------- */

int gsched_modules_compare(const struct gsched *s, const struct queue_entry *a,
                           const struct queue_entry *b)
{
    const struct gsp_job x = { .s = s, .id = a->job, .group = a->group };
    const struct gsp_job y = { .s = s, .id = b->job, .group = b->group };

    assert(a->job < s->work->job_count && b->job < s->work->job_count);
    for (uint32_t i = 0; i < s->modules->order_count; i++) {
        const struct gsched_module *m = s->modules->order_by[i];
        const int order = m->module->job_order(m->self, &x, &y);

        if (order != 0)
            return order;
    }
    return 0;
}

int gsched_modules_compare_groups(const struct gsched *s, uint32_t job,
                                  uint32_t a, uint32_t b)
{
    const uint32_t *placed = s->jobs->group_placed
                             + s->work->job[job].first_group;
    const struct gsp_part x = { placed[a], gsched_group(s, job, a)->min };
    const struct gsp_part y = { placed[b], gsched_group(s, job, b)->min };

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int order = m->module->group_order
                              ? m->module->group_order(m->self, &x, &y)
                              : 0;

        if (order != 0)
            return order;
    }
    return 0;
}

bool gsched_modules_reorder(const struct gsched *s)
{
    bool is_changed = false;

    for (uint32_t i = 0; s->modules->reorders && i < s->modules->module_count;
         i++) {
        const struct gsched_module *m = &s->modules->module[i];

        is_changed |= m->module->reorder && m->module->reorder(m->self);
    }
    return is_changed;
}

int64_t gsched_modules_reorder_at(const struct gsched *s)
{
    int64_t first = GSCHED_NEVER;

    for (uint32_t i = 0; s->modules->reorders && i < s->modules->module_count;
         i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int64_t at = m->module->reorders_at
                               ? m->module->reorders_at(m->self)
                               : GSCHED_NEVER;

        first = at < first ? at : first;
    }
    return first;
}

/* --- may it --------------------------------------------------------------- */

/* A module refused: the first that has a say, or one after others. */
static void refused(struct gsched_modules *m, uint8_t gate, bool is_first)
{
    m->refuser = gate;
    if (!is_first)
        m->blocker = NONE;
}

void gsched_modules_ease(struct gsched *s)
{
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->ease)
            m->module->ease(m->self);
    }
}

bool gsched_modules_overused(struct gsched *s, uint32_t queue)
{
    assert(queue < s->queues);
    for (uint32_t i = 0; i < s->modules->overused_count; i++) {
        const struct gsched_module *m = s->modules->overused_by[i];

        s->modules->blocker = NONE;
        if (m->module->overused(m->self, queue)) {
            refused(s->modules, m->gate, i == 0);
            return true;
        }
    }
    return false;
}

/* The gate of a limit, or of the module when there are too many. */
static uint8_t limit_gate(struct gsched_modules *m, uint8_t gate)
{
    for (uint32_t g = 0; g < m->gates; g++) {
        if (strcmp(m->gate[g], m->limit) == 0)
            return (uint8_t)g;
    }
    if (m->gates == GSCHED_GATES)
        return gate;
    m->gate[m->gates] = m->limit;
    return (uint8_t)m->gates++;
}

bool gsched_modules_allocatable(struct gsched *s, uint32_t job,
                                const int64_t *asked)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    bool is_first = true;

    assert(job < s->jobs->job_count && asked);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (!m->module->allocatable)
            continue;
        s->modules->limit = NULL;
        s->modules->blocker = NONE;
        if (!m->module->allocatable(m->self, &j, asked)) {
            refused(s->modules,
                    s->modules->limit ? limit_gate(s->modules, m->gate)
                                      : m->gate,
                    is_first);
            return false;
        }
        is_first = false;
    }
    return true;
}

bool gsched_modules_preemptive(const struct gsched *s, uint32_t job,
                               const int64_t *asked)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    assert(job < s->jobs->job_count && asked);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        s->modules->blocker = NONE;
        if (m->module->preemptive && !m->module->preemptive(m->self, &j, asked))
            return false;
    }
    return true;
}

bool gsched_modules_enqueue(struct gsched *s, uint32_t job)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    const struct gsched_module *m = s->modules->module;
    const uint32_t count = s->modules->module_count;
    bool is_due = false, is_first = true;

    assert(gsched_job(s, job)->phase == JOB_SUBMITTED);
    for (uint32_t i = 0; i < count; i++) {
        s->modules->blocker = NONE;
        if (m[i].module->enqueue && !m[i].module->enqueue(m[i].self, &j)) {
            refused(s->modules, m[i].gate, is_first);
            return false;
        }
        is_first = is_first && !m[i].module->enqueue;
        is_due |= m[i].module->admits_at
                  && m[i].module->admits_at(m[i].self, &j) <= s->now;
        if (is_due && (i + 1 == count || m[i + 1].tier != m[i].tier))
            return true; /* later tiers are not asked */
    }
    return true;
}

int64_t gsched_modules_admit_at(const struct gsched *s, uint32_t job)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };
    int64_t first = GSCHED_NEVER;

    for (uint32_t i = 0; s->modules->may_admit && i < s->modules->module_count;
         i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const int64_t at = m->module->admits_at
                               ? m->module->admits_at(m->self, &j)
                               : GSCHED_NEVER;

        first = at < first ? at : first;
    }
    return first;
}

bool gsched_modules_ready(const struct gsched *s, uint32_t job)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    assert(job < s->jobs->job_count);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->gang_ready && !m->module->gang_ready(m->self, &j))
            return false;
    }
    return true;
}

/* The first node after the domain of `node` at `level`. */
static uint32_t behind(const struct gsched *s, uint32_t node, uint32_t level)
{
    const struct topo_domain *d;

    assert(node < s->topo->node_count);
    if (level > s->topo->tier_count)
        return node + 1;
    d = &s->topo->domain[topo_domain_of(s->topo, node, level)];
    return d->first_node + d->node_count;
}

uint32_t gsched_modules_allow_node(const struct gsched *s,
                                   const struct scope *w, uint32_t node)
{
    const struct gsp_job j = { .s = s, .id = w->job, .group = NONE };

    assert(node >= w->from && node < w->end);
    if (w->avoid && w->avoid[node])
        return node + 1;
    if (!w->has_rules)
        return node;
    if (s->booked && gsched_booked_closes(s, w->job, node))
        return node + 1;
    if (gsched_has_claims(s) && gsched_claims_refuse(s, w, node))
        return node + 1;
    if (gsched_has_kept(s) && gsched_kept_refuses(s, w, node))
        return node + 1;
    if (s->quotas && gsched_quota_closes(s, w->job, w->group, node))
        return node + 1;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const uint32_t no = m->module->refuses ? m->module->refuses(
                                m->self, &j, w->group, node)
                                               : 0;

        if (no) /* whatever other modules answer */
            return behind(s, node, no - 1);
    }
    return node;
}

/* The group, if it has a topology of its own. */
static uint32_t kind_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    return gsched_group(s, job, group)->topology ? group : NONE;
}

enum gsp_regard gsched_modules_regard(const struct gsched *s, uint32_t job,
                                      uint32_t group)
{
    const struct gsp_job j = { .s = s,
                               .id = job,
                               .group = kind_of(s, job, group) };
    enum gsp_regard most = GSP_NO_REGARD;

    if (!s->modules->may_prefer)
        return most;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        const enum gsp_regard one = m->module->regards && m->module->prefer
                                        ? m->module->regards(m->self, &j, group)
                                        : GSP_NO_REGARD;

        most = one > most ? one : most;
    }
    return most;
}

void gsched_modules_prefer(const struct gsched *s, uint32_t job, uint32_t group,
                           const struct gsp_nodes *n, int64_t *score)
{
    const struct gsp_job j = { .s = s,
                               .id = job,
                               .group = kind_of(s, job, group) };

    assert(n->count > 0 && score);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (!m->module->regards || !m->module->prefer
            || m->module->regards(m->self, &j, group) == GSP_NO_REGARD)
            continue;
        m->module->prefer(m->self, &j, group, n, score);
        for (uint32_t k = 0; k < n->count; k++)
            score[k] = gsched_score_limited(score[k]);
    }
}

void gsched_modules_prefer_domain(const struct gsched *s, uint32_t job,
                                  uint32_t group, uint32_t level,
                                  const struct gsp_nodes *n, int64_t *score)
{
    const struct gsp_job j = { .s = s, .id = job, .group = group };

    assert(level > 0 && score);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (!m->module->prefer_domain)
            continue;
        m->module->prefer_domain(m->self, &j, level, n, score);
        for (uint32_t k = 0; k < n->count; k++)
            score[k] = gsched_score_limited(score[k]);
    }
}

/* --- following ------------------------------------------------------------ */

void gsched_tell(const struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t node, uint32_t tasks, enum gsched_told what)
{
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    assert(node < s->topo->node_count && tasks > 0);
    for (uint32_t i = 0; i < s->modules->told_count; i++) {
        const struct gsched_module *m = s->modules->told[i];
        void (*to)(void *self, const struct gsp_job *job, uint32_t group,
                   uint32_t node, uint32_t tasks) = what == TOLD_PLACED
                                                        ? m->module->on_place
                                                        : m->module->on_release;

        if (to)
            to(m->self, &j, group, node, tasks);
    }
}
