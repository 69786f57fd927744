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

#include "policies/state/booked_nodes.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/quota_holds.h"
#include "policies/state/state.h"

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
