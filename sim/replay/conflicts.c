/* sim/replay/conflicts.c - see conflicts.h. */
#include "sim/replay/conflicts.h"

#include <assert.h>

#include "base/array.h"
#include "policies/profile/profile.h"
#include "sim/replay/replay_private.h"

enum outcome {
    AS_DECIDED,
    OTHER_DEVICES, /* first: not as decided */
    NO_ROOM,
};

static const struct topo_request *request_of(const struct sim *s,
                                             const struct gsched_decision *d)
{
    const struct trace_job *j = &s->work->job[d->job];

    return &s->work->shape[trace_group_at(s->work, j->first_group + d->group)
                               ->shape];
}

/* --- what the nodes give -------------------------------------------------- */

static void outcomes_open(struct sim_conflicts *c,
                          const struct sim_scheduler *k)
{
    c->grant = gs_array_grow(c->grant, &c->grant_cap, k->count + 1,
                             sizeof(*c->grant));
    c->outcome = gs_array_grow(c->outcome, &c->outcome_cap, k->count + 1,
                               sizeof(*c->outcome));
    c->moved = gs_array_grow(c->moved, &c->moved_cap, k->count + 1,
                             sizeof(*c->moved));
    c->moved_to = gs_array_grow(c->moved_to, &c->moved_to_cap, k->count + 1,
                                sizeof(*c->moved_to));
    c->moved_count = 0;
}

/* Placements as decided come first, so that the others do not take their
 * devices.
 */
static void outcomes_find(struct sim *s, const struct sim_scheduler *k)
{
    struct sim_conflicts *c = &s->schedulers.conflicts;
    const struct gsched_decision *d = k->decision;
    const uint32_t mark = topo_cluster_begin(s->cluster);

    for (uint32_t i = 0; i < k->count; i++) {
        if (d[i].kind != GSCHED_PLACE)
            continue;
        c->grant[i] = d[i].grant;
        c->outcome[i] = topo_cluster_could_take(
                            s->cluster, request_of(s, &d[i]), &d[i].grant)
                            ? AS_DECIDED
                            : OTHER_DEVICES;
        if (c->outcome[i] == AS_DECIDED)
            topo_cluster_take(s->cluster, request_of(s, &d[i]), &d[i].grant);
    }
    for (uint32_t i = 0; i < k->count; i++) {
        const struct topo_request *r = request_of(s, &d[i]);
        const uint32_t node = d[i].grant.node;

        if (d[i].kind != GSCHED_PLACE || c->outcome[i] == AS_DECIDED)
            continue;
        if (topo_group_fit(s->cluster, topo_cluster_group_of(s->cluster, node),
                           r)
            >= d[i].grant.tasks)
            c->grant[i] = topo_cluster_allocate(s->cluster, node, r,
                                                d[i].grant.tasks, UINT32_MAX);
        else
            c->outcome[i] = NO_ROOM;
    }
    topo_cluster_rollback(s->cluster, mark);
}

/* --- giving back ---------------------------------------------------------- */

static void tell(struct sim *s, const struct sim_scheduler *k,
                 const struct gsched_decision *d)
{
    const struct report_conflict told = {
        .job = d->job,
        .group = d->group,
        .node = d->grant.node,
        .tasks = d->grant.tasks,
        .scheduler = k->profile->scheduler,
    };

    SIM_TELL(s, conflicted, &told);
}

/* Keep, in `moved`, the allocations that the job had before the cycle: the last
 * of its list.
 */
static void earlier_keep(struct sim *s, const struct sim_scheduler *k,
                         uint32_t job)
{
    struct sim_conflicts *c = &s->schedulers.conflicts;
    uint32_t now = gsched_placed(k->sched, job) - sim_life(s, job)->placed;
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    while (gsched_next_allocation(k->sched, job, &at, &d)) {
        if (now == 0) {
            c->moved = gs_array_grow(c->moved, &c->moved_cap,
                                     c->moved_count + 1, sizeof(*c->moved));
            c->moved[c->moved_count++] = d;
            continue;
        }
        assert(now >= d.grant.tasks);
        now -= d.grant.tasks;
    }
}

/* The job is back in the queue, with nothing. */
static void gave_all_back(struct sim *s, uint32_t job)
{
    struct sim_conflicts *c = &s->schedulers.conflicts;

    for (uint32_t i = 0; i < c->moved_count; i++)
        sim_job_gave_back(s, &c->moved[i]);
    s->evicted = (struct sim_evicted){ 0 };
    if (sim_life(s, job)->state == REPORT_PARTLY)
        sim_state_set(s, job, REPORT_PENDING);
    sim_life(s, job)->is_given_back = true;
}

static void give_back(struct sim *s, struct sim_scheduler *k,
                      const struct gsched_decision *d)
{
    struct sim_job *j = sim_life(s, d->job);

    tell(s, k, d);
    if (j->is_given_back)
        return;
    s->schedulers.conflicts.moved_count = 0;
    if (j->state == REPORT_PARTLY)
        earlier_keep(s, k, d->job);
    sim_accepted(gsched_give_back(k->sched, d, s->now));
    if (gsched_placed(k->sched, d->job) == 0)
        gave_all_back(s, d->job);
    assert(!j->is_given_back || j->placed == 0);
    k->is_dirty = true;
}

/* --- the others ----------------------------------------------------------- */

/* Call `place` for each placement that was not given back. */
static void placements_each(struct sim *s, struct sim_scheduler *k,
                            void (*place)(struct sim *s,
                                          struct sim_scheduler *k, uint32_t i,
                                          const struct gsched_decision *d))
{
    const struct sim_conflicts *c = &s->schedulers.conflicts;
    const struct gsched_decision *d = k->decision;

    for (uint32_t i = 0; i < k->count; i++) {
        if (d[i].kind == GSCHED_PLACE && c->outcome[i] != NO_ROOM
            && !sim_life(s, d[i].job)->is_given_back)
            place(s, k, i, &d[i]);
    }
}

static void moved_keep(struct sim *s, struct sim_scheduler *k, uint32_t i,
                       const struct gsched_decision *d)
{
    struct sim_conflicts *c = &s->schedulers.conflicts;

    (void)k;
    if (c->outcome[i] != OTHER_DEVICES)
        return;
    c->moved[c->moved_count] = *d;
    c->moved_to[c->moved_count++] = c->grant[i];
}

static void carry_out(struct sim *s, struct sim_scheduler *k, uint32_t i,
                      const struct gsched_decision *d)
{
    struct gsched_decision now = *d;

    now.grant = s->schedulers.conflicts.grant[i];
    k->busy_until = sim_decision_delay(k, d, k->busy_until);
    sim_job_decided(s, &now, k->busy_until - s->now);
}

void sim_conflicts_carry_out(struct sim *s, struct sim_scheduler *k)
{
    struct sim_conflicts *c = &s->schedulers.conflicts;
    const struct gsched_decision *d = k->decision;

    sim_others_learn_releases(s, k);
    for (uint32_t i = 0; i < k->count; i++) {
        if (d[i].kind != GSCHED_PLACE)
            sim_job_decided(s, &d[i], 0);
    }
    outcomes_open(c, k);
    outcomes_find(s, k);
    for (uint32_t i = k->count; i-- > 0;) { /* later tasks of a group first */
        if (d[i].kind == GSCHED_PLACE && c->outcome[i] == NO_ROOM)
            give_back(s, k, &d[i]);
    }
    c->moved_count = 0;
    placements_each(s, k, moved_keep);
    sim_accepted(gsched_devices_chosen(k->sched, c->moved, c->moved_to,
                                       c->moved_count, s->now));
    k->busy_until = s->now;
    placements_each(s, k, carry_out);
    for (uint32_t i = 0; i < k->count; i++)
        sim_life(s, d[i].job)->is_given_back = false;
}

void sim_conflicts_free(struct sim_conflicts *c)
{
    gs_array_free(c->grant);
    gs_array_free(c->outcome);
    gs_array_free(c->moved);
    gs_array_free(c->moved_to);
}
