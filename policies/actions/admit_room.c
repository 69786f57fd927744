/* policies/actions/admit_room.c - see admit_room.h. */
#include "policies/actions/admit_room.h"

#include <assert.h>

#include "policies/actions/admit_heads.h"
#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/commit.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* --- one trial ------------------------------------------------------------ */

/* The groups of the job have the flavors and tasks of the choice; NULL: none.
 */
static void flavors_lend(struct gsched *s, uint32_t job,
                         const struct flavor_choice *c)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];
    const struct flavor_list *l = &q->queue[j->queue].flavors;

    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t at = j->first_group + g;

        q->group_flavors[at] =
            c ? gsched_quota_set(s, l, c->pick + (size_t)g * l->sets) : 0;
        if (c)
            q->group_tasks[at] = c->tasks[g];
    }
    q->on_trial = c ? job : NONE;
}

/* The decisions from `first` on are those of the last trial. */
static void found_keep(struct gsched *s, uint32_t first)
{
    struct gsched_admits *a = s->admits;

    a->found = s->decision_count - first;
    a->found_at = a->places;
    a->place = gs_array_grow(a->place, &a->place_cap, a->places + a->found,
                             sizeof(*a->place));
    for (uint32_t i = 0; i < a->found; i++)
        a->place[a->places + i] = s->decision[first + i];
}

static bool fits(struct gsched *s, uint32_t job)
{
    const struct queue_entry it = { gsched_job(s, job)->since, 0, job, NONE };
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    const bool is = gsched_entry_has_room(s, &it)
                    && gsched_gang_place(s, job, NULL);

    s->admits->found = 0;
    if (is)
        found_keep(s, first);
    gsched_undo(s, mark, first);
    return is;
}

static void room_begin(void *of, const struct flavor_choice *c)
{
    struct gsched *s = of;

    flavors_lend(s, s->admits->room_job, c);
}

static void room_end(void *of)
{
    struct gsched *s = of;

    flavors_lend(s, s->admits->room_job, NULL);
}

/* --- trials of jobs that ask for the same --------------------------------- */

/* The last trial of those that ask for the same as the job; NULL: they may
 * differ.
 */
static struct room_trial *trial_of(struct gsched *s, uint32_t job)
{
    struct gsched_admits *a = s->admits;
    const uint32_t cqueue = gsched_cqueue_of(s, job);

    if (cqueue == NONE || s->work->job[job].group_count > 1
        || s->evict->evicted_count > 0 || gsched_has_rules(s, job))
        return NULL;
    a->trial = gs_array_grow(a->trial, &a->trial_cap, s->pending->rclass_count,
                             sizeof(*a->trial));
    return &a->trial[s->pending->cqueue[cqueue].rclass];
}

/* Is it known how a trial would end?  One that failed does until something is
 * released, one that did not until something is placed.
 */
static bool is_known(const struct gsched *s, const struct room_trial *t,
                     uint32_t group)
{
    if (!t || t->round == 0 || t->flavors != s->quotas->group_flavors[group]
        || t->tasks != s->quotas->group_tasks[group])
        return false;
    return t->fits ? t->round == s->quotas->rounds && !s->admits->has_placed
                   : t->releases == s->allocations->releases;
}

static bool room_fits(void *of)
{
    struct gsched *s = of;
    struct gsched_admits *a = s->admits;
    const uint32_t group = s->work->job[a->room_job].first_group;
    struct room_trial *t = trial_of(s, a->room_job);

    if (!is_known(s, t, group)) {
        const bool is = fits(s, a->room_job);

        if (!t)
            return is;
        *t = (struct room_trial){ .round = s->quotas->rounds,
                                  .releases = s->allocations->releases,
                                  .flavors = s->quotas->group_flavors[group],
                                  .tasks = s->quotas->group_tasks[group],
                                  .first = a->places,
                                  .count = a->found,
                                  .fits = is };
        a->places += a->found; /* they stay for others */
    }
    a->found = t->count;
    a->found_at = t->first;
    return t->fits;
}

/* --- victims -------------------------------------------------------------- */

void gsched_admit_room_hide(struct gsched *s, uint32_t job)
{
    if (s->quotas->how.with_room && gsched_job(s, job)->placed > 0)
        gsched_evict(s, job, NONE, false);
}

void gsched_admit_room_show(struct gsched *s, uint32_t job)
{
    const struct gsched_evict *e = s->evict;

    for (uint32_t i = e->evicted_count; s->quotas->how.with_room && i-- > 0;) {
        if (e->evicted[i].job == job) {
            gsched_restore_one(s, i);
            return;
        }
    }
}

static void room_hide(void *of, uint32_t job)
{
    gsched_admit_room_hide(of, job);
}

static void room_show(void *of, uint32_t job)
{
    gsched_admit_room_show(of, job);
}

/* --- the action ----------------------------------------------------------- */

void gsched_admit_room_open(struct gsched *s)
{
    s->admits->room = (struct quota_room){ .begin = room_begin,
                                           .end = room_end,
                                           .fits = room_fits,
                                           .hide = room_hide,
                                           .show = room_show,
                                           .of = s };
}

/* Must it find room?  A gang that is not there yet is placed later. */
static bool is_asked(const struct gsched *s, uint32_t job)
{
    return s->quotas->how.with_room
           && gsched_job(s, job)->created >= s->work->job[job].gang;
}

const struct quota_room *gsched_admit_room(struct gsched *s, uint32_t job)
{
    if (!is_asked(s, job))
        return NULL;
    s->admits->room_job = job;
    return &s->admits->room;
}

void gsched_admit_places_keep(struct gsched *s, struct contest_entry *e)
{
    struct gsched_admits *a = s->admits;

    e->first_place = a->found_at;
    e->places = is_asked(s, e->job) && e->choice.mode == QUOTA_FITS
                        && !gsched_has_rules(s, e->job)
                    ? a->found
                    : 0;
    if (a->found_at == a->places)
        a->places += e->places;
}

/* Take the places that were found for the entry; false: others have some. */
static bool places_take(struct gsched *s, const struct contest_entry *e)
{
    const struct gsched_decision *d = s->admits->place + e->first_place;
    bool fits = true;

    for (uint32_t i = 0; i < e->places && fits; i++) {
        const struct topo_request *r = gsched_request(s, e->job, d[i].group);
        const uint32_t node = d[i].grant.node, tasks = d[i].grant.tasks;
        struct topo_grant g;

        fits = topo_group_fit(s->cluster,
                              topo_cluster_group_of(s->cluster, node), r)
               >= tasks;
        if (!fits)
            break;
        g = gsched_take(s, node, r, tasks);
        gsched_propose(s, e->job, d[i].group, d[i].first_task, &g);
    }
    return fits;
}

bool gsched_admit_has_room(struct gsched *s, const struct contest_entry *e)
{
    const uint32_t first = s->decision_count;
    uint32_t mark;
    bool is;

    if (!is_asked(s, e->job))
        return true;
    if (e->places) {
        mark = topo_cluster_begin(s->cluster);
        is = places_take(s, e);
        gsched_undo(s, mark, first);
        return is;
    }
    flavors_lend(s, e->job, &e->choice);
    is = fits(s, e->job);
    flavors_lend(s, e->job, NULL);
    return is;
}

bool gsched_admit_may_have_room(struct gsched *s, uint32_t job)
{
    return !is_asked(s, job) || gsched_never_fits(s, job) == GSCHED_NO_CAUSE;
}

bool gsched_admit_puts_off(struct gsched *s, struct contest_entry *e)
{
    if (!s->quotas->how.with_room || s->admits->taken.count == 0)
        return false;
    e->outcome = CONTEST_PUT_OFF;
    return true;
}

/* Where it was found; elsewhere, if others have some of that. */
static bool place(struct gsched *s, const struct contest_entry *e)
{
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);

    if (!e->places || !places_take(s, e)) {
        gsched_undo(s, mark, first);
        return gsched_place_gang(s, e->job);
    }
    topo_cluster_commit(s->cluster, mark);
    gsched_gang_commit(s, e->job, first);
    return true;
}

void gsched_admit_place(struct gsched *s, const struct contest_entry *e)
{
    const struct queue_entry it = { gsched_job(s, e->job)->since, 0, e->job,
                                    NONE };

    if (!is_asked(s, e->job) || !gsched_entry_allocatable(s, &it)
        || !place(s, e))
        return;
    gsched_pending_drop(s, e->job); /* with unit pod one entry a group */
    gsched_pending_add(s, e->job);
}

/* The decisions that placed the job at last, which begin there: what was
 * decided of it before is no part of them.
 */
static uint32_t placing_first(const struct gsched *s, uint32_t job)
{
    uint32_t first = s->decision_count;

    while (first > 0
           && (s->decision[first - 1].job != job
               || s->decision[first - 1].kind == GSCHED_PLACE))
        first--;
    return first;
}

bool gsched_admit_is_placed_now(const struct gsched *s, uint32_t job)
{
    const struct job_state *j = gsched_job(s, job);
    uint32_t tasks = 0;

    if (j->placed == 0 || j->placed_in != (uint32_t)s->cycle)
        return false;
    for (uint32_t i = placing_first(s, job); i < s->decision_count; i++)
        tasks += s->decision[i].job == job ? s->decision[i].grant.tasks : 0;
    return tasks == j->placed;
}

/* Remove them. */
static void placing_drop(struct gsched *s, uint32_t job)
{
    const uint32_t first = placing_first(s, job);
    uint32_t kept = first;

    for (uint32_t i = first; i < s->decision_count; i++) {
        if (s->decision[i].job != job)
            s->decision[kept++] = s->decision[i];
    }
    s->decision_count = kept;
}

void gsched_admit_place_back(struct gsched *s, uint32_t job,
                             const struct gsched_decision *why)
{
    const uint32_t decided = s->decision_count;

    gsched_put_back(s, job, gsched_since_again(s, job), why);
    s->decision_count = decided;
    placing_drop(s, job);
}

enum gsched_cause gsched_admit_room_cause(struct gsched *s,
                                          const struct contest_entry *e)
{
    const struct queue_entry it = { gsched_job(s, e->job)->since, 0, e->job,
                                    NONE };
    enum gsched_cause why;

    flavors_lend(s, e->job, &e->choice);
    why = gsched_cause_of(s, &it);
    flavors_lend(s, e->job, NULL);
    return why;
}

void gsched_admit_room_missed(struct gsched *s)
{
    s->quotas->lacks_room = true;
}

void gsched_admit_room_wake(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q->how.with_room || q->room_seen == s->allocations->releases)
        return;
    q->room_seen = s->allocations->releases;
    for (uint32_t t = 0; q->lacks_room && t < quotas_trees(q->q); t++) {
        q->wake[t].is_freed = true;
        gsched_quota_moved(s, t);
    }
    q->lacks_room = false;
}

void gsched_admit_room_done(const struct gsched *s)
{
    assert(!s->evict || s->evict->evicted_count == 0);
    assert(s->quotas->on_trial == NONE);
    (void)s;
}
