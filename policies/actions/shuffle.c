/* policies/actions/shuffle.c - evicts tasks that modules want off their nodes.
 *
 * The modules of a tier choose among all running tasks (moves()); the first tier
 * that chooses any decides.  A task above its gang goes alone, otherwise its
 * whole job does.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/actions/actions.h"
#include "policies/lifecycle/allocations.h"
#include "policies/preemption/preemption.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct gsched_moves {
    struct gsp_placed *at; /* of all running tasks */
    struct gsp_job *job;   /* [i] job of at[i] */
    uint32_t *allocation;  /* [i] */
    uint8_t *goes, *scratch;
    uint32_t count, at_cap, job_cap, allocation_cap, goes_cap, scratch_cap;
    uint32_t *moved; /* [job] tasks chosen by the module in question */
    uint32_t moved_cap;
    /* [module] allocation_changes when it last chose nothing */
    uint64_t idle[GSCHED_MODULES_MAX + 1];
    bool has_new; /* tasks of this cycle, which stay in it */
};

void gsched_moves_open(struct gsched *s)
{
    if (gsched_has_action(s, GSCHED_SHUFFLE)) {
        s->moves = gs_arena_alloc(s->arena, 1, sizeof(*s->moves));
        memset(s->moves->idle, 0xff, sizeof(s->moves->idle));
    }
}

void gsched_moves_free(struct gsched *s)
{
    struct gsched_moves *m = s->moves;

    if (!m)
        return;
    gs_array_free(m->at);
    gs_array_free(m->job);
    gs_array_free(m->allocation);
    gs_array_free(m->goes);
    gs_array_free(m->scratch);
    gs_array_free(m->moved);
}

/* When module `i` is to be asked; GSCHED_NEVER. */
static int64_t due_at(const struct gsched *s, uint32_t i)
{
    const struct gsched_module *m = &s->modules->module[i];

    return m->module->moves && m->module->moves_at
                   && s->moves->idle[i] != s->allocations->allocation_changes
               ? m->module->moves_at(m->self)
               : GSCHED_NEVER;
}

int64_t gsched_moves_next(const struct gsched *s)
{
    int64_t first = GSCHED_NEVER;

    for (uint32_t i = 0; s->moves && i < s->modules->module_count; i++) {
        const int64_t at = due_at(s, i);

        first = at < first ? at : first;
    }
    return first < s->now ? s->now : first;
}

/* --- what runs ------------------------------------------------------------ */

static void placed_add(struct gsched *s, uint32_t i)
{
    struct gsched_moves *m = s->moves;
    const struct allocation *a = gsched_allocation_at(s, i);
    const struct job_state *j = &s->jobs->job[a->job];
    const bool is_new = j->placed_in == (uint32_t)s->cycle;
    const uint32_t n = m->count++;

    m->has_new |= is_new;
    m->at = gs_array_grow(m->at, &m->at_cap, n + 1, sizeof(*m->at));
    m->job = gs_array_grow(m->job, &m->job_cap, n + 1, sizeof(*m->job));
    m->allocation = gs_array_grow(m->allocation, &m->allocation_cap, n + 1,
                                  sizeof(*m->allocation));
    m->allocation[n] = i;
    m->job[n] = (struct gsp_job){ .s = s, .id = a->job, .group = a->group };
    m->at[n] = (struct gsp_placed){
        .group = a->group,
        .node = a->grant.node,
        .tasks = a->grant.tasks,
        .may_go = !is_new && !a->leaver && !gsched_is_fixed(s, a->job),
    };
}

static struct victim victim_of(const struct gsched *s, uint32_t i)
{
    const uint32_t job = gsched_allocation_at(s, i)->job;

    return (struct victim){ .job = job,
                            .allocation = i,
                            .is_whole = !gsched_may_go_alone(s, i, 0, 0),
                            .value = gsched_victim_value(s, job, i) };
}

/* Sort the tasks from `first` on, of one node, in the order of eviction. */
static void node_sort(struct gsched *s, uint32_t first)
{
    struct gsched_moves *m = s->moves;

    for (uint32_t i = first + 1; i < m->count; i++) {
        const uint32_t it = m->allocation[i];
        const struct gsp_placed placed = m->at[i];
        const struct gsp_job job = m->job[i];
        const struct victim v = victim_of(s, it);
        uint32_t k = i;

        for (; k > first; k--) {
            const struct victim u = victim_of(s, m->allocation[k - 1]);

            if (gsched_victim_compare(s, &u, &v) <= 0)
                break;
            m->allocation[k] = m->allocation[k - 1];
            m->at[k] = m->at[k - 1];
            m->job[k] = m->job[k - 1];
        }
        m->allocation[k] = it;
        m->at[k] = placed;
        m->job[k] = job;
    }
}

static void placed_gather(struct gsched *s)
{
    struct gsched_moves *m = s->moves;
    const struct allocation *all = s->allocations->allocation;

    m->count = 0;
    m->has_new = false;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const uint32_t first = m->count;

        for (uint32_t i = s->allocations->node_allocation[n]; i != NONE;
             i = all[i].after) {
            if (s->jobs->job[all[i].job].phase == JOB_RUNNING)
                placed_add(s, i);
        }
        node_sort(s, first);
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->at[i].job = &m->job[i];
    m->goes = gs_array_grow(m->goes, &m->goes_cap, m->count + 1, 1);
    m->scratch = gs_array_grow(m->scratch, &m->scratch_cap, m->count + 1, 1);
    m->moved = gs_array_grow(m->moved, &m->moved_cap, s->jobs->job_count + 1,
                             sizeof(*m->moved));
}

/* --- what goes ------------------------------------------------------------ */

/* Add the choice of a module.  Returns how many entries it has. */
static uint32_t choose(struct gsched *s, const struct gsched_module *by)
{
    struct gsched_moves *m = s->moves;
    const struct gsp_standing v = { m->count, m->at };
    uint32_t most, n = 0;

    memset(m->scratch, 0, m->count);
    memset(m->moved, 0, s->jobs->job_count * sizeof(*m->moved));
    most = by->module->moves(by->self, &v, m->scratch);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t *moved = &m->moved[m->job[i].id];

        if (!m->scratch[i] || !m->at[i].may_go || *moved >= most)
            continue;
        *moved += m->at[i].tasks;
        m->goes[i] = 1;
        n++;
    }
    return n;
}

static void evict_chosen(struct gsched *s)
{
    const struct gsched_moves *m = s->moves;
    const struct gsched_decision why = { .reason = GSCHED_MOVED, .by = NONE };

    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t job = m->job[i].id;

        if (!m->goes[i] || s->jobs->job[job].phase != JOB_RUNNING)
            continue; /* the whole job went before */
        if (gsched_may_go_alone(s, m->allocation[i], 0, 0))
            gsched_release_allocation(s, m->allocation[i], &why);
        else
            gsched_return(s, job, gsched_since_again(s, job), &why);
    }
    s->early.has_evicted = true;
}

void gsched_shuffle(struct gsched *s)
{
    const uint32_t count = s->modules->module_count;
    const struct gsched_module *by = s->modules->module;
    uint32_t n = 0;

    if (gsched_moves_next(s) > s->now)
        return;
    placed_gather(s);
    memset(s->moves->goes, 0, s->moves->count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t chosen;

        if (n > 0 && by[i].tier != by[i - 1].tier)
            break;
        if (due_at(s, i) > s->now)
            continue;
        chosen = choose(s, &by[i]);
        n += chosen;
        s->moves->idle[i] = chosen || s->moves->has_new
                                ? UINT64_MAX
                                : s->allocations->allocation_changes;
    }
    if (n > 0)
        evict_chosen(s);
}
