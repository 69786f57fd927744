/* policies/actions/shuffle.c - evicts tasks that modules want off their nodes.
 *
 * The modules of a tier choose among all running tasks (moves()); the first
 * tier that chooses any decides.  A task above its gang goes alone, otherwise
 * its whole job does.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "policies/actions/actions.h"
#include "policies/lifecycle/allocations.h"
#include "policies/preemption/preemption.h"
#include "policies/preemption/standing.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct gsched_moves {
    struct standing standing; /* all running tasks */
    uint8_t *goes, *scratch;
    uint32_t goes_cap, scratch_cap;
    uint32_t *moved; /* [job] tasks chosen by the module in question */
    uint32_t moved_cap;
    /* [module] allocation_changes when it last chose nothing */
    uint64_t idle[GSCHED_MODULES_MAX + 1];
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
    gsched_standing_free(&m->standing);
    gs_array_free(m->goes);
    gs_array_free(m->scratch);
    gs_far_free(s->work->far, m->moved);
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

/* --- what goes ------------------------------------------------------------ */

static void moves_gather(struct gsched *s)
{
    struct gsched_moves *m = s->moves;

    gsched_standing_gather(s, &m->standing, false);
    m->goes = gs_array_grow(m->goes, &m->goes_cap, m->standing.count + 1, 1);
    m->scratch = gs_array_grow(m->scratch, &m->scratch_cap,
                               m->standing.count + 1, 1);
    m->moved = gs_far_grow(s->work->far, m->moved, &m->moved_cap,
                           s->jobs->job_count + 1, sizeof(*m->moved));
}

/* Add the choice of a module.  Returns how many entries it has. */
static uint32_t choose(struct gsched *s, const struct gsched_module *by)
{
    struct gsched_moves *m = s->moves;
    const struct standing *all = &m->standing;
    const struct gsp_standing v = { all->count, all->at };
    uint32_t most, n = 0;

    memset(m->scratch, 0, all->count);
    memset(m->moved, 0, s->jobs->job_count * sizeof(*m->moved));
    most = by->module->moves(by->self, &v, m->scratch);
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t *moved = &m->moved[all->job[i].id];

        if (!m->scratch[i] || !all->at[i].may_go || *moved >= most)
            continue;
        *moved += all->at[i].tasks;
        m->goes[i] = 1;
        n++;
    }
    return n;
}

static void evict_chosen(struct gsched *s)
{
    const struct standing *all = &s->moves->standing;
    const struct gsched_decision why = { .reason = GSCHED_MOVED, .by = NONE };

    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t job = all->job[i].id;

        if (!s->moves->goes[i] || gsched_job(s, job)->phase != JOB_RUNNING)
            continue; /* the whole job went before */
        if (gsched_may_go_alone(s, all->allocation[i], 0, 0))
            gsched_release_allocation(s, all->allocation[i], &why);
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
    moves_gather(s);
    memset(s->moves->goes, 0, s->moves->standing.count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t chosen;

        if (n > 0 && by[i].tier != by[i - 1].tier)
            break;
        if (due_at(s, i) > s->now)
            continue;
        chosen = choose(s, &by[i]);
        n += chosen;
        s->moves->idle[i] = chosen || s->moves->standing.has_new
                                ? UINT64_MAX
                                : s->allocations->allocation_changes;
    }
    if (n > 0)
        evict_chosen(s);
}
