/* policies/state/limit_users.c - limits of users and of groups in queues; see
 * limit_sets.h.
 *
 * On each level of the way from the job's queue up, the limit of its user
 * holds, or that of all others.  Its group counts under one name on the whole
 * way: its own, or that of all others, whichever a queue limits first, from the
 * job's up (YuniKorn, scheduler/ugm).
 */
#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/state/limit_counts.h"
#include "traces/workload/queue_terms.h"

struct sought_name {
    const struct gsched_limits *l;
    uint32_t queue, name;
    bool is_group;
};

static bool is_name(const void *of, uint32_t at)
{
    const struct sought_name *k = of;
    const struct limited_name *n = &k->l->name[at];

    return n->queue == k->queue && n->name == k->name
           && n->is_group == k->is_group;
}

static uint64_t hash_of(uint32_t queue, uint32_t name, bool is_group)
{
    return gs_hash_mix(gs_hash_mix(queue, name), is_group);
}

/* The limit that the queue states of the user or group; NONE. */
static uint32_t limit_find(const struct gsched_limits *l, uint32_t queue,
                           uint32_t name, bool is_group)
{
    const struct sought_name k = { l, queue, name, is_group };
    const uint32_t at = gs_hash_find(
        &l->limited, hash_of(queue, name, is_group), is_name, &k);

    return at == GS_HASH_NONE ? NONE : l->name[at].limit;
}

/* Of several limits of one name in a queue the first holds. */
static void name_put(struct gsched_limits *l, uint32_t queue, uint32_t name,
                     bool is_group, uint32_t limit)
{
    if (limit_find(l, queue, name, is_group) != NONE)
        return;
    l->name = gs_array_grow(l->name, &l->name_cap, l->names + 1,
                            sizeof(*l->name));
    l->name[l->names] = (struct limited_name){ queue, name, limit, is_group };
    gs_hash_put(&l->limited, hash_of(queue, name, is_group), l->names);
    l->names++;
}

void gsched_limits_users_open(struct gsched *s)
{
    struct gsched_limits *l = s->limits;
    const struct trace_workload *w = s->work;

    l->has_users = true;
    l->all = gs_strtab_find(w->names, "*", 1);
    for (uint32_t q = 0; q < s->queues; q++) {
        const struct trace_queue_extra *x = trace_queue_extra(w, &w->queue[q]);

        for (uint32_t i = 0; i < x->user_limits; i++) {
            const uint32_t limit = x->first_user_limit + i;
            const struct trace_user_limit *u = &w->terms->user_limit[limit];

            for (uint32_t k = 0; k < u->users + u->groups; k++)
                name_put(l, q, w->terms->limited[u->first_name + k],
                         k >= u->users, limit);
        }
    }
}

/* The name under which the group counts in the queue; 0: none. */
static uint32_t group_of(const struct gsched *s, uint32_t queue, uint32_t group)
{
    const struct gsched_limits *l = s->limits;

    for (uint32_t q = queue; group && q != TRACE_NONE;
         q = s->work->queue[q].parent) {
        if (limit_find(l, q, group, true) != NONE)
            return group;
        if (limit_find(l, q, l->all, true) != NONE)
            return l->all;
    }
    return 0;
}

void gsched_limits_users_of(const struct gsched *s, uint32_t job,
                            struct limit_set *set)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t q = j->queue; q != TRACE_NONE && !set->queue;
         q = s->work->queue[q].parent) {
        if (trace_queue_extra(s->work, &s->work->queue[q])->user_limits)
            set->queue = j->queue + 1;
    }
    if (!set->queue)
        return;
    set->user = j->user;
    set->group = group_of(s, j->queue, j->aside->user_group);
}

/* Add the check of a user or a group in the queue. */
static void add(struct gsched *s, uint32_t queue, uint32_t name, bool is_group,
                uint32_t limit)
{
    const struct trace_user_limit *u = &s->work->terms->user_limit[limit];
    const struct gs_strtab *names = s->work->names;
    const enum trace_limit_scope scope = is_group ? TRACE_LIMIT_GROUP
                                                  : TRACE_LIMIT_USER;
    struct limit_check c = {
        .count = gsched_limits_count(
            s->limits,
            (struct count_key){ LIMIT_OF_QUEUE, scope, queue, name }),
        .kind = TRACE_LIMIT_HOLDS,
        .holder = LIMIT_OF_QUEUE,
        .scope = scope,
        .reason = gs_arena_printf(
            s->arena, "limit of %s %s in queue %s", is_group ? "group" : "user",
            name ? gs_strtab_str(names, name) : "-",
            gs_strtab_str(names, s->work->queue[queue].name)),
        .each = 1,
        .jobs = u->max_jobs,
        .wall = -1,
    };

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        c.amount[d] = u->limit[d];
    gsched_limits_check(s->limits, &c);
}

void gsched_limits_users_add(struct gsched *s, const struct limit_set *set)
{
    const struct gsched_limits *l = s->limits;

    assert(set->queue > 0);
    for (uint32_t q = set->queue - 1; q != TRACE_NONE;
         q = s->work->queue[q].parent) {
        uint32_t limit = limit_find(l, q, set->user, false);

        if (limit == NONE)
            limit = limit_find(l, q, l->all, false);
        if (limit != NONE)
            add(s, q, set->user, false, limit);
        limit = set->group ? limit_find(l, q, set->group, true) : NONE;
        if (limit != NONE)
            add(s, q, set->group, true, limit);
    }
}
