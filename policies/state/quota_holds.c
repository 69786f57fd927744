/* policies/state/quota_holds.c - see quota_holds.h. */
#include "policies/state/quota_holds.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"
#include "traces/workload/queue_terms.h"

/* Flavors as the quotas number them: those of the workload from 1 on, 0 for the
 * amounts that a queue states without any.
 */
enum { PLAIN };

/* --- the quotas that the workload states ------------------------------------- */

static const struct trace_queue_extra *extra_of(const struct gsched *s,
                                                uint32_t queue)
{
    return trace_queue_extra(s->work, &s->work->queue[queue]);
}

static bool states_plain(const struct gsched *s, uint32_t queue, uint32_t dim)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    return s->work->queue[queue].guarantee[dim] > 0 || x->borrow[dim] >= 0
           || x->lend[dim] >= 0;
}

static void cells_set(struct gsched *s)
{
    const struct trace_workload *w = s->work;
    struct quotas *q = s->quotas->q;

    for (uint32_t n = 0; n < s->queues; n++) {
        const struct trace_queue_extra *x = extra_of(s, n);

        for (uint32_t d = 0; d < s->dims; d++) {
            if (states_plain(s, n, d))
                quotas_cell(q, n, PLAIN, d);
            for (uint32_t i = 0; i < x->flavor_count; i++) {
                const struct trace_queue_flavor *f =
                    &w->queue_flavor[x->first_flavor + i];

                if (f->guarantee[d] >= 0)
                    quotas_cell(q, n, f->flavor + 1, d);
            }
        }
    }
    quotas_cells_done(q);
}

static void amounts_set(struct gsched *s, uint32_t n)
{
    const struct trace_queue_extra *x = extra_of(s, n);
    struct quotas *q = s->quotas->q;

    for (uint32_t d = 0; d < s->dims; d++) {
        if (states_plain(s, n, d))
            quotas_amount_set(q, n, quotas_cell_find(q, n, PLAIN, d),
                              s->work->queue[n].guarantee[d], x->borrow[d],
                              x->lend[d]);
        for (uint32_t i = 0; i < x->flavor_count; i++) {
            const struct trace_queue_flavor *f =
                &s->work->queue_flavor[x->first_flavor + i];

            if (f->guarantee[d] >= 0)
                quotas_amount_set(q, n,
                                  quotas_cell_find(q, n, f->flavor + 1, d),
                                  f->guarantee[d], f->borrow[d], f->lend[d]);
        }
    }
}

static void policy_set(struct gsched *s, uint32_t n)
{
    const int64_t *term = extra_of(s, n)->term;
    struct quota_node *node = quotas_node(s->quotas->q, n);

    node->weight = s->work->queue[n].weight;
    node->policy = (struct quota_policy){
        .within = (enum quota_victims_of)term[TRACE_TERM_EVICTS_OWN],
        .reclaim = (enum quota_victims_of)term[TRACE_TERM_EVICTS_OTHERS],
        .borrows = term[TRACE_TERM_EVICTS_BORROWING] != 0,
        .has_most = term[TRACE_TERM_EVICTS_MOST] != INT64_MIN,
        .most = term[TRACE_TERM_EVICTS_MOST],
        .next_if_borrows = term[TRACE_TERM_NEXT_BORROWING] != 0,
        .next_if_preempts = term[TRACE_TERM_NEXT_EVICTING] != 0,
        .borrows_last = term[TRACE_TERM_FLAVOR_PREFERS] == 1,
        .is_strict = term[TRACE_TERM_HEAD_BLOCKS] != 0,
    };
}

/* --- flavors of a queue ------------------------------------------------------- */

static void flavor_add(struct flavor_list *l, uint32_t flavor)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->flavor[i] == flavor)
            return;
    }
    if (l->count < FLAVORS_MAX)
        l->flavor[l->count++] = flavor;
}

/* Add those that the queue states, in order. */
static void flavors_stated(const struct gsched *s, uint32_t queue,
                           struct flavor_list *l)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    for (uint32_t i = 0; i < x->flavor_count; i++)
        flavor_add(l, s->work->queue_flavor[x->first_flavor + i].flavor + 1);
}

/* A queue without flavors has those of the next queue above that states some, or
 * all of its tree.
 */
static void flavors_list(const struct gsched *s, uint32_t queue,
                         struct flavor_list *l)
{
    const struct quotas *q = s->quotas->q;
    const uint32_t tree = quotas_node(q, queue)->tree;

    for (uint32_t n = queue; n != TRACE_NONE && l->count == 0;
         n = s->work->queue[n].parent)
        flavors_stated(s, n, l);
    for (uint32_t c = 0; l->count == 0 && c < quotas_tree(q, tree)->cells;
         c++) {
        if (quotas_cell_at(q, tree, c)->flavor != PLAIN)
            flavor_add(l, quotas_cell_at(q, tree, c)->flavor);
    }
    flavor_add(l, PLAIN);
}

static bool states(const struct gsched *s, const struct trace_queue_extra *x,
                   uint32_t flavor, uint32_t dim)
{
    bool states = false;

    for (uint32_t i = 0; i < x->flavor_count && !states; i++) {
        const struct trace_queue_flavor *f =
            &s->work->queue_flavor[x->first_flavor + i];

        states = f->flavor == flavor && f->guarantee[dim] >= 0;
    }
    return states;
}

/* Which cells each flavor of the queue has: those that the queue states, or any
 * that its tree has where it states no flavors.  What flavors cover the plain
 * amounts do not.
 */
static void flavor_cells(const struct gsched *s, uint32_t queue,
                         struct flavor_list *l)
{
    const struct trace_queue_extra *x = extra_of(s, queue);

    for (uint32_t i = 0; i < l->count; i++) {
        for (uint32_t d = 0; d < s->dims; d++) {
            uint32_t *cell = &l->cell[(size_t)i * s->dims + d];
            bool covers = true;

            if (l->flavor[i] == PLAIN) {
                for (uint32_t k = 0; k < i && covers; k++)
                    covers = l->cell[(size_t)k * s->dims + d] == QUOTA_NONE;
            } else if (x->flavor_count) {
                covers = states(s, x, l->flavor[i] - 1, d);
            }
            *cell = covers
                        ? quotas_cell_find(s->quotas->q, queue, l->flavor[i], d)
                        : QUOTA_NONE;
        }
    }
}

/* Flavors that share a resource are of one set. */
static void sets_find(const struct gsched *s, struct flavor_list *l)
{
    memset(l->set_of_dim, FLAVOR_NONE, s->dims);
    for (uint32_t i = 0; i < l->count; i++) {
        uint8_t set = FLAVOR_NONE;

        for (uint32_t d = 0; d < s->dims; d++) {
            if (l->cell[(size_t)i * s->dims + d] != QUOTA_NONE
                && l->set_of_dim[d] < set)
                set = l->set_of_dim[d];
        }
        if (set == FLAVOR_NONE)
            set = (uint8_t)l->sets++;
        l->set[i] = set;
        for (uint32_t d = 0; d < s->dims; d++) {
            const uint8_t other = l->set_of_dim[d];

            if (l->cell[(size_t)i * s->dims + d] == QUOTA_NONE)
                continue;
            for (uint32_t k = 0; other != FLAVOR_NONE && k < i; k++) {
                if (l->set[k] == other)
                    l->set[k] = set;
            }
            for (uint32_t k = 0; other != FLAVOR_NONE && k < s->dims; k++) {
                if (l->set_of_dim[k] == other)
                    l->set_of_dim[k] = set;
            }
            l->set_of_dim[d] = set;
        }
    }
}

static void queue_open(struct gsched *s, uint32_t queue)
{
    struct flavor_list *l = &s->quotas->queue[queue].flavors;
    uint32_t flavor[FLAVORS_MAX];

    l->flavor = flavor;
    flavors_list(s, queue, l);
    l->flavor = gs_arena_alloc(s->arena, l->count, sizeof(*l->flavor));
    memcpy(l->flavor, flavor, l->count * sizeof(*flavor));
    l->set = gs_arena_alloc(s->arena, l->count, 1);
    l->set_of_dim = gs_arena_alloc(s->arena, s->dims, 1);
    l->cell = gs_arena_alloc(s->arena, (size_t)l->count * s->dims,
                             sizeof(*l->cell));
    flavor_cells(s, queue, l);
    sets_find(s, l);
    s->quotas->queue[queue].tried_job = NONE;
}

/* --- open ---------------------------------------------------------------------- */

static void how_set(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    q->gate = NO_GATE;
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];

        if (m->module->admit && m->module->admit(m->self, &q->how))
            q->gate = m->gate;
    }
    q->search.shares = q->how.shares;
    q->search.final_first = q->how.final_first;
    q->search.then_initial = q->how.then_initial;
}

void gsched_quotas_open(struct gsched *s)
{
    struct gsched_quotas *q;
    uint32_t *parent;

    if (!gsched_has_action(s, GSCHED_ADMIT))
        return;
    q = s->quotas = gs_arena_alloc(s->arena, 1, sizeof(*q));
    parent = gs_array_new(s->queues, sizeof(*parent));
    for (uint32_t n = 0; n < s->queues; n++)
        parent[n] = s->work->queue[n].parent == TRACE_NONE
                        ? QUOTA_NONE
                        : s->work->queue[n].parent;
    q->q = quotas_create(s->queues, parent);
    gs_array_free(parent);
    cells_set(s);
    for (uint32_t n = 0; n < s->queues; n++) {
        amounts_set(s, n);
        policy_set(s, n);
    }
    quotas_settle(q->q);
    q->queue = gs_arena_alloc(s->arena, s->queues, sizeof(*q->queue));
    q->wake = gs_arena_alloc(s->arena, quotas_trees(q->q), sizeof(*q->wake));
    for (uint32_t n = 0; n < s->queues; n++)
        queue_open(s, n);
    how_set(s);
    contest_open(&q->contest, q->q, q->how.shares);
    q->set_count = 1; /* 0: any node */
    q->set = gs_array_grow(NULL, &q->set_cap, 1, sizeof(*q->set));
    s->modules->needs_admission = true;
    s->labels->has_rules |= s->work->flavor_count > 0;
}

void gsched_quotas_free(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q)
        return;
    for (uint32_t n = 0; n < s->queues; n++) {
        gs_array_free(q->queue[n].active.at);
        gs_array_free(q->queue[n].tried);
    }
    for (uint32_t t = 0; t < quotas_trees(q->q); t++) {
        gs_array_free(q->wake[t].aside.at);
        gs_array_free(q->wake[t].blocked.at);
    }
    gs_array_free(q->news.at);
    gs_array_free(q->moved.at);
    quota_search_free(&q->search);
    contest_free(&q->contest);
    flavor_choice_free(&q->choice);
    gs_array_free(q->hold);
    gs_array_free(q->group_flavors);
    gs_array_free(q->group_tasks);
    gs_array_free(q->set);
    gs_hash_free(&q->sets);
    gs_array_free(q->suits);
    gs_array_free(q->waits);
    gs_array_free(q->kind);
    quotas_free(q->q);
}

void gsched_quotas_grow(struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q)
        return;
    quotas_jobs_grow(q->q, s->work->job_count);
    if (q->hold_count < s->work->job_count) {
        q->hold_count = s->work->job_count;
        q->hold = gs_array_grow(q->hold, &q->hold_cap, q->hold_count,
                                sizeof(*q->hold));
    }
    if (q->group_count >= s->work->group_count)
        return;
    q->group_count = s->work->group_count;
    q->group_flavors = gs_array_grow(q->group_flavors, &q->flavors_cap,
                                     q->group_count, sizeof(*q->group_flavors));
    q->group_tasks = gs_array_grow(q->group_tasks, &q->tasks_cap,
                                   q->group_count, sizeof(*q->group_tasks));
}

/* --- what a job asks for ---------------------------------------------------------- */

static bool shape_suits(const struct gsched *s, uint32_t shape, uint32_t flavor)
{
    const struct trace_flavor *f = &s->work->flavor[flavor];

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
                                 q->shapes * s->work->flavor_count, 1);
    }
    known = &q->suits[(size_t)shape * s->work->flavor_count + flavor];
    if (*known == 0)
        *known = shape_suits(s, shape, flavor) ? 1 : 2;
    return *known == 1;
}

static uint64_t flavors_allowed(struct gsched *s, const struct flavor_list *l,
                                uint32_t shape)
{
    uint64_t allowed = 0;

    for (uint32_t i = 0; i < l->count; i++) {
        if (l->flavor[i] == PLAIN || is_suited(s, shape, l->flavor[i] - 1))
            allowed |= UINT64_C(1) << i;
    }
    return allowed;
}

static bool has_cells(const struct gsched *s, uint32_t queue)
{
    const struct quotas *q = s->quotas->q;

    return quotas_tree(q, quotas_node(q, queue)->tree)->cells > 0;
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

        q->kind[g] = (struct flavor_tasks){
            .amount = s->work->shape[group->shape].amount,
            .tasks = group->replicas,
            .least = group->min ? group->min : group->replicas,
            .allowed = flavors_allowed(s, l, group->shape),
        };
    }
    return (struct flavor_query){
        .q = q->q,
        .search = &q->search,
        .list = l,
        .dims = s->dims,
        .node = j->queue,
        .priority = s->work->klass[j->klass].value,
        .since = s->jobs->job[job].since,
        .kind = q->kind,
        .kinds = j->group_count,
        .refuses_uncovered = q->how.refuses_uncovered && has_cells(s, j->queue),
        .pods = TOPO_PODS
    };
}

/* --- where tasks may be placed -------------------------------------------------- */

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

/* The number of the list of flavors of the workload; 0 for those with no labels. */
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

static uint32_t set_of(struct gsched *s, const struct flavor_list *l,
                       const struct flavor_pick *pick)
{
    uint32_t flavor[FLAVORS_MAX], count = 0;

    for (uint32_t g = 0; g < l->sets; g++) {
        const uint32_t f = pick[g].flavor == FLAVOR_NONE
                               ? PLAIN
                               : l->flavor[pick[g].flavor];

        if (f != PLAIN && s->work->flavor[f - 1].label_count)
            flavor[count++] = f - 1;
    }
    return set_put(s, flavor, count);
}

static bool class_has(const struct gsched *s, uint32_t klass, uint32_t flavor)
{
    const struct trace_flavor *f = &s->work->flavor[flavor];
    bool all = true;

    for (uint32_t i = 0; i < f->label_count && all; i++)
        all = topo_class_has_label(s->topo, klass, &f->label[i]);
    return all;
}

bool gsched_quota_closes(const struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t node)
{
    const uint32_t set = gsched_quota_flavors(s, job, group);
    const uint32_t klass = s->topo->node_class[node];
    bool closes = false;

    for (uint32_t i = 0; set && i < s->quotas->set[set] && !closes; i++)
        closes = !class_has(s, klass, s->quotas->set[set + 1 + i]);
    return closes;
}

bool gsched_quota_confines(const struct gsched *s, uint32_t job)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (gsched_quota_flavors(s, job, g))
            return true;
    }
    return false;
}

/* --- holding ---------------------------------------------------------------------- */

/* Add the job to those that must run soon. */
static void wait_begin(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;

    q->hold[job].is_unready = true;
    q->unready++;
    if (q->how.ready == 0)
        return;
    q->hold[job].until = s->now < GSCHED_LAST - q->how.ready
                             ? s->now + q->how.ready
                             : GSCHED_LAST;
    q->waits = gs_array_grow(q->waits, &q->wait_cap, q->wait_count + 1,
                             sizeof(*q->waits));
    q->waits[q->wait_count++] = (struct quota_wait){ q->hold[job].until, job };
}

void gsched_quota_take(struct gsched *s, uint32_t job,
                       const struct flavor_choice *c, int64_t reserved)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];
    const struct flavor_list *l = &q->queue[j->queue].flavors;
    const struct quota_job of = { .node = j->queue,
                                  .need = quotas_need(q->q, c->ask, c->asks),
                                  .priority = s->work->klass[j->klass].value,
                                  .since = s->jobs->job[job].since,
                                  .reserved = reserved,
                                  .stays = j->fixed };

    quotas_job_add(q->q, job, &of);
    for (uint32_t g = 0; g < j->group_count; g++) {
        q->group_flavors[j->first_group + g] = set_of(
            s, l, c->pick + (size_t)g * l->sets);
        q->group_tasks[j->first_group + g] = c->tasks[g];
    }
    if (s->jobs->job[job].phase != JOB_RUNNING)
        wait_begin(s, job);
    gsched_quota_moved(s, quotas_node(q->q, j->queue)->tree);
}

/* Can the node be one of the flavor? */
static bool is_of(const struct gsched *s, const struct flavor_list *l,
                  uint32_t flavor, uint32_t node)
{
    return node == NONE || l->flavor[flavor] == PLAIN
           || class_has(s, s->topo->node_class[node], l->flavor[flavor] - 1);
}

void gsched_quota_adopt(struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t node, int64_t since)
{
    struct gsched_quotas *q = s->quotas;
    struct flavor_query f;

    if (!q || (gsched_quota_holds(s, job) && s->jobs->job[job].placed))
        return; /* its other tasks told */
    gsched_quotas_grow(s);
    gsched_quota_drop(s, job);
    f = gsched_quota_query(s, job);
    for (uint32_t k = 0; k < f.kinds; k++) {
        uint64_t allowed = 0;

        for (uint32_t i = 0; i < f.list->count; i++) {
            if ((q->kind[k].allowed >> i & 1)
                && is_of(s, f.list, i, k == group ? node : NONE))
                allowed |= UINT64_C(1) << i;
        }
        q->kind[k].allowed = allowed;
    }
    flavor_choose_first(&f, &q->choice);
    gsched_quota_take(s, job, &q->choice, since);
}

void gsched_quota_drop(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;
    const struct trace_job *j = &s->work->job[job];

    if (!q || !gsched_quota_holds(s, job))
        return;
    quotas_job_drop(q->q, job);
    q->unready -= q->hold[job].is_unready;
    q->hold[job].is_unready = false;
    for (uint32_t g = 0; g < j->group_count; g++)
        q->group_flavors[j->first_group + g] = 0;
    q->wake[quotas_node(q->q, j->queue)->tree].is_freed = true;
    gsched_quota_moved(s, quotas_node(q->q, j->queue)->tree);
}

void gsched_quota_end(struct gsched *s, uint32_t job)
{
    if (!s->quotas)
        return;
    gsched_quota_drop(s, job);
    s->quotas->progress++;
    s->quotas->hold[job] = (struct quota_hold){ .until = 0 };
}

void gsched_quota_ready(struct gsched *s, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;

    if (!q || !q->hold[job].is_unready)
        return;
    q->hold[job].is_unready = false;
    q->unready--;
    q->progress += !q->hold[job].has_run;
    q->hold[job].has_run = true;
}

int64_t gsched_quota_pause(const struct gsp_admit *how, uint32_t times)
{
    int64_t pause = how->pause;

    for (uint32_t i = 0; i < times && pause > 0 && pause < how->pause_most; i++)
        pause = pause > how->pause_most - pause ? how->pause_most
                                                : pause + pause;
    return pause < how->pause_most ? pause : how->pause_most;
}

int64_t gsched_quotas_next(const struct gsched *s)
{
    struct gsched_quotas *q = s->quotas;

    if (!q)
        return GSCHED_NEVER;
    if (q->is_held && q->unready == 0)
        return s->now + 1;
    for (; q->wait_first < q->wait_count; q->wait_first++) {
        const struct quota_wait *w = &q->waits[q->wait_first];

        if (q->hold[w->job].is_unready && q->hold[w->job].until == w->until)
            return w->until > s->now ? w->until : s->now;
    }
    q->wait_first = q->wait_count = 0;
    return GSCHED_NEVER;
}

/* --- what changed ------------------------------------------------------------------ */

void gsched_quota_news(struct gsched *s, uint32_t queue)
{
    struct gsched_quotas *q = s->quotas;

    if (q->queue[queue].is_news)
        return;
    q->queue[queue].is_news = true;
    (void)gs_numbers_add(&q->news, queue);
}

void gsched_quota_moved(struct gsched *s, uint32_t tree)
{
    struct gsched_quotas *q = s->quotas;

    if (q->wake[tree].is_listed)
        return;
    q->wake[tree].is_listed = true;
    (void)gs_numbers_add(&q->moved, tree);
}
