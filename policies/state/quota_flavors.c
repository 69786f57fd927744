/* policies/state/quota_flavors.c - which flavors suit a job, and where its
 * tasks may be placed with those that it got; see quota_holds.h.
 */
#include <string.h>

#include "policies/state/jobs.h"
#include "policies/state/quota_holds.h"
#include "topology/cluster.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/slices.h"

/* --- what a job asks for -------------------------------------------------- */

static bool shape_suits(const struct gsched *s, uint32_t shape, uint32_t flavor)
{
    const struct trace_flavor *f = &s->work->terms->flavor[flavor];

    return topo_request_allows(s->topo, &s->work->shape[shape], f->label,
                               f->label_count)
           && topo_request_tolerates(&s->work->shape[shape], f->taint,
                                     f->taint_count, f->toleration,
                                     f->toleration_count);
}

/* The same, kept. */
static bool is_suited(struct gsched *s, uint32_t shape, uint32_t flavor)
{
    struct gsched_quotas *q = s->quotas;
    uint8_t *known;

    if (q->shapes < s->work->shape_count) {
        q->shapes = s->work->shape_count;
        q->suits = gs_array_grow(q->suits, &q->suits_cap,
                                 q->shapes * s->work->terms->flavor_count, 1);
    }
    known = &q->suits[(size_t)shape * s->work->terms->flavor_count + flavor];
    if (*known == 0)
        *known = shape_suits(s, shape, flavor) ? 1 : 2;
    return *known == 1;
}

/* Of which tasks is flavor i of the queue, which is not QUOTA_PLAIN? */
static enum trace_flavor_of tasks_of(const struct gsched *s,
                                     const struct flavor_list *l, uint32_t i)
{
    return s->work->terms->flavor[l->flavor[i] - 1].of;
}

/* Does the request name a resource of the set, beside pods themselves? */
static bool asks_set(const struct gsched *s, const struct flavor_list *l,
                     uint32_t shape, uint8_t set)
{
    bool asks = false;

    for (uint32_t d = 0; d < s->dims && !asks; d++)
        asks = d != TOPO_PODS && l->set_of_dim[d] == set
               && s->work->shape[shape].amount[d] > 0;
    return asks;
}

/* Is it of such tasks, as they state a topology or none? */
static bool is_of(const struct gsched *s, const struct flavor_list *l,
                  uint32_t i, uint32_t shape, bool placed)
{
    switch (tasks_of(s, l, i)) {
    case TRACE_OF_PLACED:
        return placed;
    case TRACE_OF_LOOSE:
        return !placed || !asks_set(s, l, shape, l->set[i]);
    case TRACE_OF_ALL:
        break;
    }
    return true;
}

static bool is_placed(const struct gsched *s, const struct trace_job *j,
                      const struct trace_group *g)
{
    const struct trace_topology t = trace_group_topology(s->work, j, g);

    return t.tier || t.slices || t.within != TRACE_ANYWHERE;
}

/* Where all flavors of a queue are of tasks with a topology, all its tasks
 * count as such.
 */
static uint64_t flavors_allowed(struct gsched *s, const struct flavor_list *l,
                                const struct trace_job *j,
                                const struct trace_group *g)
{
    bool placed = true;
    uint64_t allowed = 0;

    for (uint32_t i = 0; i < l->count && placed; i++)
        placed = l->flavor[i] == QUOTA_PLAIN
                 || tasks_of(s, l, i) == TRACE_OF_PLACED;
    placed = placed || is_placed(s, j, g);
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->flavor[i] == QUOTA_PLAIN
            || (is_of(s, l, i, g->shape, placed)
                && is_suited(s, g->shape, l->flavor[i] - 1)))
            allowed |= UINT64_C(1) << i;
    }
    return allowed;
}

static bool has_cells(const struct gsched *s, uint32_t queue)
{
    const struct quotas *q = s->quotas->q;

    return quotas_tree(q, quotas_node(q, queue)->tree)->cells > 0;
}

uint64_t gsched_quota_held(const struct gsched *s, uint32_t job, uint32_t group,
                           const struct flavor_list *l)
{
    const struct trace_group *g = gsched_group(s, job, group);
    uint64_t held = 0;

    for (uint32_t i = 0; i < g->held_count; i++) {
        const uint32_t flavor = trace_flavor_find(
            s->work, s->work->held[g->first_held + i]);

        for (uint32_t k = 0; k < l->count && flavor != TRACE_NONE; k++)
            held |= l->flavor[k] == flavor + 1 ? UINT64_C(1) << k : 0;
    }
    return held;
}

uint32_t gsched_quota_wanted(const struct gsched *s, uint32_t job,
                             uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];

    return j->group_count == 1 ? trace_job_left(j, s->quotas->hold[job].ended)
                               : gsched_group(s, job, group)->replicas;
}

/* Join the group with the one before it that has the same name for this. */
static void kinds_join(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    struct flavor_tasks *kind = s->quotas->kind;
    const uint32_t name =
        trace_group_topology(s->work, j, gsched_group(s, job, group)).together;

    for (uint32_t g = group; g-- > 0 && name;) {
        if (trace_group_topology(s->work, j, gsched_group(s, job, g)).together
            == name) {
            kind[g].next = group;
            kind[group].follows = true;
            return;
        }
    }
}

struct flavor_query gsched_quota_query(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];
    const struct flavor_list *l = &q->queue[j->queue].flavors;

    q->kind = gs_array_grow(q->kind, &q->kind_cap, j->group_count,
                            sizeof(*q->kind));
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *group = gsched_group(s, job, g);

        const uint32_t tasks = gsched_quota_wanted(s, job, g);

        q->kind[g] = (struct flavor_tasks){
            .amount = s->work->shape[group->shape].amount,
            .tasks = tasks,
            .least = group->min && group->min < tasks ? group->min : tasks,
            .allowed = flavors_allowed(s, l, j, group),
            .next = QUOTA_NONE,
        };
        kinds_join(s, job, g);
    }
    return (struct flavor_query){
        .q = q->q,
        .search = &q->search,
        .list = l,
        .dims = s->dims,
        .node = j->queue,
        .priority = s->work->klass[j->klass].value,
        .since = gsched_job(s, job)->since,
        .kind = q->kind,
        .kinds = j->group_count,
        .refuses_uncovered = q->how.refuses_uncovered && has_cells(s, j->queue),
        .pods = TOPO_PODS
    };
}

/* --- where tasks may be placed -------------------------------------------- */

struct sought_set {
    const struct gsched_quotas *q;
    const uint32_t *flavor;
    uint32_t count;
};

static bool is_set(const void *of, uint32_t at)
{
    const struct sought_set *k = of;

    return k->q->set[at] == k->count
           && memcmp(k->q->set + at + 1, k->flavor,
                     k->count * sizeof(*k->flavor))
                  == 0;
}

/* The number of the list of flavors of the workload; 0 for an empty one. */
static uint32_t set_put(struct gsched *s, const uint32_t *flavor,
                        uint32_t count)
{
    struct gsched_quotas *q = s->quotas;
    const struct sought_set k = { q, flavor, count };
    uint64_t hash = count;
    uint32_t found;

    if (count == 0)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        hash = gs_hash_mix(hash, flavor[i]);
    found = gs_hash_find(&q->sets, hash, is_set, &k);
    if (found != GS_HASH_NONE)
        return found;
    found = q->set_count;
    q->set = gs_array_grow(q->set, &q->set_cap, found + 1 + count,
                           sizeof(*q->set));
    q->set[found] = count;
    memcpy(q->set + found + 1, flavor, count * sizeof(*flavor));
    q->set_count += 1 + count;
    gs_hash_put(&q->sets, hash, found);
    return found;
}

uint32_t gsched_quota_set(struct gsched *s, const struct flavor_list *l,
                          const struct flavor_pick *pick)
{
    uint32_t flavor[FLAVORS_MAX], count = 0;

    for (uint32_t g = 0; g < l->sets; g++) {
        const uint32_t f = pick[g].flavor == FLAVOR_NONE
                               ? QUOTA_PLAIN
                               : l->flavor[pick[g].flavor];

        if (f != QUOTA_PLAIN
            && (s->work->terms->flavor[f - 1].label_count
                || s->work->terms->flavor[f - 1].toleration_count))
            flavor[count++] = f - 1;
    }
    return set_put(s, flavor, count);
}

bool gsched_quota_class_has(const struct gsched *s, uint32_t klass,
                            uint32_t flavor)
{
    const struct trace_flavor *f = &s->work->terms->flavor[flavor];
    bool all = true;

    for (uint32_t i = 0; i < f->label_count && all; i++)
        all = topo_class_has_label(s->topo, klass, &f->label[i]);
    return all;
}

static const struct topo_request *request_of(const struct gsched *s,
                                             uint32_t job, uint32_t group)
{
    return &s->work->shape[gsched_group(s, job, group)->shape];
}

/* Does the request, with what flavors of the set lend, tolerate the taint? */
static bool tolerates(const struct gsched *s, const struct topo_request *r,
                      uint32_t set, const struct topo_taint *taint)
{
    bool may = topo_request_tolerates(r, taint, 1, NULL, 0);

    for (uint32_t i = 0; i < s->quotas->set[set] && !may; i++) {
        const struct trace_flavor *f =
            &s->work->terms->flavor[s->quotas->set[set + 1 + i]];

        may = topo_request_tolerates(r, taint, 1, f->toleration,
                                     f->toleration_count);
    }
    return may;
}

bool gsched_quota_closes(const struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t node)
{
    const uint32_t set = gsched_quota_flavors(s, job, group);
    const struct topo_request *r = request_of(s, job, group);
    const uint32_t klass = s->topo->node_class[node];
    const struct topo_class *k = &s->topo->klass[klass];
    bool closes = false;

    for (uint32_t i = 0; i < s->quotas->set[set] && !closes; i++)
        closes = !gsched_quota_class_has(s, klass, s->quotas->set[set + 1 + i]);
    for (uint32_t i = 0; r->lent_tolerations && i < k->taint_count && !closes;
         i++)
        closes = !tolerates(s, r, set, &k->taint[i]);
    return closes;
}

bool gsched_quota_confines(const struct gsched *s, uint32_t job)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (gsched_quota_flavors(s, job, g)
            || request_of(s, job, g)->lent_tolerations)
            return true;
    }
    return false;
}
