/* policies/placement/group_choice.c - nodes chosen together on the cluster as
 * it is, see node_choice.h.
 */
#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/node_choice.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

/* The cluster as it is, for a group. */
struct cluster_now {
    struct gsched *s;
    const struct scope *w;
    const struct topo_request *request;
    uint32_t shape, task; /* placed so far */
    uint32_t most;        /* on one node; UINT32_MAX: as many as fit */
    uint32_t group;
    const struct topo_request *beside; /* of a leader; NULL */
};

static uint32_t state_count(const struct cluster_now *x, uint32_t state)
{
    return gsched_candidate(x->s, x->shape, state)
               ? topo_group_fit(x->s->cluster, state, x->request)
               : 0;
}

/* The same, counted once for each state while the tasks are chosen. */
static uint32_t state_fit(const struct cluster_now *x, uint32_t state)
{
    struct node_choice *c = x->s->choice;

    if (c->state_seen[state] != c->calls) {
        c->state_seen[state] = c->calls;
        c->state_fits[state] = state_count(x, state);
    }
    return c->state_fits[state];
}

static uint32_t now_fit(void *of, uint32_t node)
{
    const struct cluster_now *x = of;
    const uint32_t fits = state_fit(x,
                                    topo_cluster_group_of(x->s->cluster, node));

    if (fits == 0
        || ((x->w->avoid || x->w->has_rules)
            && gsched_modules_allow_node(x->s, x->w, node) != node))
        return 0;
    return fits < x->most ? fits : x->most;
}

static uint32_t leader_fit(void *of, uint32_t node)
{
    const struct cluster_now *x = of;

    return state_count(x, topo_cluster_group_of(x->s->cluster, node)) > 0
           && (!(x->w->avoid || x->w->has_rules)
               || gsched_modules_allow_node(x->s, x->w, node) == node);
}

/* Tasks that fit beside the leader, which fits. */
static uint32_t now_fit_beside(void *of, uint32_t node)
{
    const struct cluster_now *x = of;
    const struct topo_groups *g = topo_cluster_groups(x->s->cluster);
    const uint32_t state = topo_cluster_group_of(x->s->cluster, node);
    int64_t fits = now_fit(of, node);

    for (uint32_t d = 0; d < x->s->dims; d++) {
        const int64_t asked = x->request->amount[d];
        const int64_t left = g->free[d][state] - x->beside->amount[d];

        if (asked > 0 && left / asked < fits)
            fits = left > 0 ? left / asked : 0;
    }
    return (uint32_t)fits;
}

static int64_t now_idle(void *of, uint32_t node, uint32_t dim)
{
    const struct cluster_now *x = of;

    return topo_cluster_groups(x->s->cluster)
        ->free[dim][topo_cluster_group_of(x->s->cluster, node)];
}

static void now_take(void *of, uint32_t node, uint32_t tasks)
{
    const uint32_t at_once =
        topo_request_is_part(((struct cluster_now *)of)->request) ? 1 : tasks;
    struct cluster_now *x = of;

    for (uint32_t i = 0; i < tasks; i += at_once) {
        const struct topo_grant g = gsched_take(x->s, node, x->request,
                                                at_once);

        gsched_propose(x->s, x->w->job, x->group, x->task, &g);
        x->task += at_once;
    }
}

static struct cluster_now now_of(struct gsched *s, uint32_t group,
                                 const struct scope *w)
{
    const struct trace_group *g = gsched_group(s, w->job, group);
    const uint32_t most = gsched_most_on_node(s, w->job, group);
    const uint32_t shape = g->shape;

    (void)gsched_shape(s, shape);
    return (struct cluster_now){
        .s = s,
        .w = w,
        .request = &s->work->shape[shape],
        .shape = shape,
        .most = most < g->replicas ? most : UINT32_MAX,
        .group = group,
    };
}

static struct choice_ask ask_of(struct cluster_now *now, uint32_t count)
{
    return (struct choice_ask){ .job = now->w->job,
                                .group = now->group,
                                .need = count,
                                .from = now->w->from,
                                .end = now->w->end,
                                .of = now,
                                .fit = now_fit,
                                .idle = now_idle,
                                .take = now_take };
}

static bool choose(struct gsched *s, const struct choice_ask *ask)
{
    const uint32_t states = topo_cluster_groups(s->cluster)->count;
    struct node_choice *c = s->choice;

    c->calls++;
    c->state_fits = gs_array_grow(c->state_fits, &c->state_fits_cap, states,
                                  sizeof(*c->state_fits));
    c->state_seen = gs_array_grow(c->state_seen, &c->state_seen_cap, states,
                                  sizeof(*c->state_seen));
    return gsched_nodes_choose(s, ask);
}

bool gsched_group_choose(struct gsched *s, uint32_t count,
                         const struct scope *w)
{
    struct cluster_now now = now_of(s, w->group, w);
    const struct choice_ask ask = ask_of(&now, count);

    return count == 0 || choose(s, &ask);
}

bool gsched_groups_have_domains(const struct gsched *s, uint32_t job)
{
    bool any = false;

    for (uint32_t g = 0; g < s->work->job[job].group_count; g++)
        any |= gsched_group(s, job, g)->topology != 0;
    return any && s->modules->has_choice
           && s->modules->choice.by == GSP_CHOOSE_DOMAINS;
}

/* --- a leader ------------------------------------------------------------- */

bool gsched_leader_of(const struct gsched *s, uint32_t job, uint32_t *leader,
                      uint32_t *others)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t groups = 0, of[2];

    if (s->modules->choice.by != GSP_CHOOSE_DOMAINS
        || j->aside->within_tier == 0 || j->group_count < 2)
        return false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (gsched_gang_of(s, job, g) == 0 || gsched_group(s, job, g)->topology)
            continue;
        if (groups == 2 || !gsched_is_chosen(s, job, g)
            || topo_request_is_part(gsched_request(s, job, g)))
            return false;
        of[groups++] = g;
    }
    if (groups < 2
        || (gsched_gang_of(s, job, of[0]) > 1
            && gsched_gang_of(s, job, of[1]) > 1))
        return false;
    *leader = gsched_gang_of(s, job, of[1]) > 1 ? of[0] : of[1];
    *others = *leader == of[0] ? of[1] : of[0];
    return true;
}

bool gsched_joins_many(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t joined = 0, single = 0;

    for (uint32_t g = 0; g < j->group_count; g++) {
        if (!trace_groups_join(s->work, j, group, g))
            continue;
        joined++;
        single += gsched_group(s, job, g)->replicas == 1;
    }
    return joined > 2 || (joined == 2 && single == 0);
}

/* A group whose name joins it with the one, of which one is a single task;
 * NONE.
 */
static uint32_t joined_with(const struct gsched *s, uint32_t job,
                            uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0;
         g < j->group_count && !gsched_joins_many(s, job, group); g++) {
        if (g != group && trace_groups_join(s->work, j, group, g))
            return g;
    }
    return NONE;
}

bool gsched_pair_of(const struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t *leader, uint32_t *others)
{
    const uint32_t with = s->modules->choice.by == GSP_CHOOSE_DOMAINS
                              ? joined_with(s, job, group)
                              : NONE;
    const bool leads = with != NONE
                       && (gsched_gang_of(s, job, group) == 1
                           && (gsched_gang_of(s, job, with) > 1
                               || group > with));

    if (with == NONE || gsched_gang_of(s, job, with) == 0
        || gsched_gang_of(s, job, group) == 0
        || !gsched_is_chosen(s, job, group) || !gsched_is_chosen(s, job, with))
        return false;
    *leader = leads ? group : with;
    *others = leads ? with : group;
    return !topo_request_is_part(gsched_request(s, job, group))
           && !topo_request_is_part(gsched_request(s, job, with));
}

bool gsched_domain_is_chosen(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t groups = 0, one = 0, leader, others;

    if (!s->modules->has_choice || s->modules->choice.by != GSP_CHOOSE_DOMAINS
        || gsched_orders_tasks(s, job))
        return false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        groups += gsched_gang_of(s, job, g) > 0;
        one = gsched_gang_of(s, job, g) > 0 ? g : one;
    }
    return groups == 1 ? gsched_is_chosen(s, job, one)
                       : gsched_leader_of(s, job, &leader, &others);
}

bool gsched_pair_choose(struct gsched *s, uint32_t leader, uint32_t others,
                        const struct scope *w)
{
    struct scope of_leader = *w, of_others = *w;
    struct cluster_now first, now;
    struct choice_ask ask_first, ask;

    of_leader.group = leader;
    of_others.group = others;
    first = now_of(s, leader, &of_leader);
    now = now_of(s, others, &of_others);
    ask_first = ask_of(&first, 1);
    ask = ask_of(&now, gsched_gang_of(s, w->job, others));
    now.beside = first.request;
    ask_first.fit = leader_fit;
    ask.leader = &ask_first;
    ask.fit_beside = now_fit_beside;
    return choose(s, &ask);
}
