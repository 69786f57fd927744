/* policies/placement/node_choice.c - see node_choice.h.
 *
 * Runs of neighbours and least loaded nodes, as _eval_nodes_consec(),
 * _eval_nodes_lln() and _eval_nodes_serial() of Slurm choose them.
 */
#include "policies/placement/node_choice.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/strtab.h"
#include "policies/placement/candidates.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

__extension__ typedef __int128 wide;

#define ONE_CPU 1000 /* millicores */

/* --- weights -------------------------------------------------------------- */

/* The number in the label; 0 without one. */
static int64_t weight_in(const struct gsched *s, const struct topo_class *k,
                         const char *label)
{
    for (uint32_t i = 0; i < k->label_count; i++) {
        int64_t weight = 0;

        if (strcmp(gs_strtab_str(s->topo->names, k->label[i].key), label) != 0)
            continue;
        return topo_label_number(
                   gs_strtab_str(s->topo->names, k->label[i].value), &weight)
                   ? weight
                   : 0;
    }
    return 0;
}

/* The labels that the topology states: those that no job asks for are not among
 * those of the classes here.
 */
static void weights_read(struct gsched *s, const char *label)
{
    const struct topo *t = s->topo->stated ? s->topo->stated : s->topo;
    int64_t *of_class = gs_array_new(t->class_count, sizeof(*of_class));

    for (uint32_t k = 0; k < t->class_count; k++)
        of_class[k] = weight_in(s, &t->klass[k], label);
    for (uint32_t n = 0; n < t->node_count; n++)
        s->choice->weight[n] = of_class[t->node_class[n]];
    gs_array_free(of_class);
}

void gsched_choice_open(struct gsched *s)
{
    const struct topo *t = s->topo;
    struct node_choice *c;

    if (!s->modules->has_choice && !s->modules->is_windowed)
        return;
    c = s->choice = gs_array_new(1, sizeof(*c));
    c->weight = gs_array_new(t->node_count, sizeof(*c->weight));
    if (s->modules->choice.weight)
        weights_read(s, s->modules->choice.weight);
    c->fits = gs_array_new(t->node_count, sizeof(*c->fits));
    c->idle = gs_array_new(t->node_count, sizeof(*c->idle));
    c->domain = gs_array_new(t->domain_count, sizeof(*c->domain));
    if (s->modules->choice.by == GSP_CHOOSE_DOMAINS)
        gsched_levels_open(s);
}

void gsched_choice_free(struct gsched *s)
{
    struct node_choice *c = s->choice;

    if (!c)
        return;
    gsched_levels_free(s);
    gs_array_free(c->weight);
    gs_array_free(c->fits);
    gs_array_free(c->idle);
    gs_array_free(c->domain);
    gs_array_free(c->run);
    gs_array_free(c->state_fits);
    gs_array_free(c->state_seen);
    gs_array_free(c);
}

uint32_t gsched_choice_take(struct gsched *s, const struct choice_ask *ask,
                            uint32_t node, uint32_t need)
{
    uint32_t *fits = &s->choice->fits[node];
    const uint32_t tasks = *fits < need ? *fits : need;

    assert(node >= ask->from && node < ask->end);
    *fits = 0;
    if (tasks > 0)
        ask->take(ask->of, node, tasks);
    return need - tasks;
}

static uint32_t main_dim(const struct gsched *s)
{
    return s->dim_total[TOPO_CPU] > 0 ? TOPO_CPU : TOPO_GPU;
}

/* --- runs of neighbours --------------------------------------------------- */

/* In order: of low weight, large, of low numbers. */
static bool run_before(const void *of, uint32_t a, uint32_t b)
{
    const struct node_run *r = of;

    /* a heap with the last one on top */
    if (r[a].weight != r[b].weight)
        return r[a].weight > r[b].weight;
    return r[a].size != r[b].size ? r[a].size < r[b].size
                                  : r[a].node > r[b].node;
}

GS_HEAP_SWAP(run_swap, struct node_run)

static void runs_sort(struct node_run *run, uint32_t runs)
{
    static const struct gs_heap last = { run_before, run_swap };

    gs_heap_build(&last, run, runs);
    for (uint32_t n = runs; n > 1; n--) {
        run_swap(run, 0, n - 1);
        (void)gs_heap_sink(&last, run, n - 1, 0);
    }
    for (uint32_t i = runs; i-- > 0;) {
        const bool is_last = i + 1 == runs || run[i + 1].weight > run[i].weight;

        run[i].most = is_last || run[i].tasks > run[i + 1].most
                          ? run[i].tasks
                          : run[i + 1].most;
    }
}

/* The run to take next, of those from place `from` on: the smallest of the
 * lowest weight that is enough, else the largest.
 */
static uint32_t run_best(const struct node_choice *c, uint32_t from,
                         uint64_t need)
{
    const struct node_run *run = c->run;
    uint32_t best = NONE;

    assert(from < c->runs);
    if (run[from].most < need)
        return from;
    for (uint32_t i = from; i < c->runs && run[i].weight == run[from].weight;
         i++) {
        if (run[i].tasks >= need
            && (best == NONE || run[i].size < run[best].size))
            best = i;
    }
    return best;
}

/* By what nodes compare: see gsp_choice. */
static uint64_t size_of(const struct gsched *s, const struct choice_ask *ask,
                        uint32_t node)
{
    return s->modules->choice.by_free
               ? (uint64_t)ask->idle(ask->of, node, main_dim(s))
               : s->choice->fits[node];
}

static void runs_find(struct gsched *s, const struct choice_ask *ask)
{
    struct node_choice *c = s->choice;

    c->runs = 0;
    for (EACH_ASKED(n, ask)) {
        struct node_run *r = c->runs ? &c->run[c->runs - 1] : NULL;

        if (c->fits[n] == 0)
            continue;
        if (!r || r->node + r->nodes != n
            || r->weight != gsched_weight_of(s, n)) {
            c->run = gs_array_grow(c->run, &c->run_cap, c->runs + 1,
                                   sizeof(*c->run));
            r = &c->run[c->runs++];
            *r = (struct node_run){ .node = n,
                                    .weight = gsched_weight_of(s, n) };
        }
        r->nodes++;
        r->tasks += c->fits[n];
        r->size += size_of(s, ask, n);
    }
    runs_sort(c->run, c->runs);
}

/* Take tasks in the run: on the smallest node that is enough, else from its
 * begin on.
 */
static uint32_t run_take(struct gsched *s, const struct choice_ask *ask,
                         const struct node_run *r, uint32_t need)
{
    const uint32_t *fits = s->choice->fits;
    const uint32_t end = r->node + r->nodes;
    uint32_t best = NONE;

    for (uint32_t n = r->node; n < end; n++) {
        if (fits[n] >= need
            && (best == NONE || size_of(s, ask, n) < size_of(s, ask, best)))
            best = n;
    }
    if (best != NONE)
        return gsched_choice_take(s, ask, best, need);
    for (uint32_t n = r->node; n < end && need > 0; n++)
        need = gsched_choice_take(s, ask, n, need);
    return need;
}

static bool choose_runs(struct gsched *s, const struct choice_ask *ask)
{
    const struct node_choice *c = s->choice;
    uint32_t need = ask->need;

    runs_find(s, ask);
    for (uint32_t i = 0; i < c->runs && need > 0; i++)
        need = run_take(s, ask, &c->run[run_best(c, i, need)], need);
    return need == 0;
}

/* --- the least loaded ----------------------------------------------------- */

static bool idle_before(const void *of, uint32_t a, uint32_t b)
{
    const struct idle_node *x = (const struct idle_node *)of + a;
    const struct idle_node *y = (const struct idle_node *)of + b;
    const wide of_x = (wide)x->free * y->all, of_y = (wide)y->free * x->all;

    if (x->weight != y->weight)
        return x->weight < y->weight;
    return of_x != of_y ? of_x > of_y : x->node < y->node;
}

GS_HEAP_SWAP(idle_swap, struct idle_node)

const struct gs_heap gsched_idle_first = { idle_before, idle_swap };

/* In the order of idle_before(): by the free part, or those that ask->first
 * takes before the others.
 */
static bool choose_idle(struct gsched *s, const struct choice_ask *ask)
{
    const uint32_t dim = main_dim(s);
    struct node_choice *c = s->choice;
    uint32_t need = ask->need, count = 0;

    for (EACH_ASKED(n, ask)) {
        struct idle_node it = { .weight = gsched_weight_of(s, n), .node = n };

        if (c->fits[n] == 0)
            continue;
        it.free = ask->first ? ask->first(ask->of, n)
                             : ask->idle(ask->of, n, dim);
        it.all = ask->first
                     ? 1
                     : s->topo->klass[s->topo->node_class[n]].capacity[dim];
        c->idle[count++] = it;
    }
    gs_heap_build(&gsched_idle_first, c->idle, count);
    while (count > 0 && need > 0) {
        need = gsched_choice_take(s, ask, c->idle[0].node, need);
        c->idle[0] = c->idle[--count];
        (void)gs_heap_sink(&gsched_idle_first, c->idle, count, 0);
    }
    return need == 0;
}

bool gsched_choice_limit(struct gsched *s, const struct choice_ask *ask,
                         int64_t *limit)
{
    struct node_choice *c = s->choice;
    uint32_t count = 0;
    uint64_t tasks = 0;

    for (EACH_ASKED(n, ask)) {
        if (c->fits[n])
            c->idle[count++] = (struct idle_node){
                .weight = gsched_weight_of(s, n), .all = 1, .node = n
            };
    }
    gs_heap_build(&gsched_idle_first, c->idle, count);
    while (count > 0 && tasks < ask->need) {
        *limit = c->idle[0].weight;
        tasks += c->fits[c->idle[0].node];
        c->idle[0] = c->idle[--count];
        (void)gs_heap_sink(&gsched_idle_first, c->idle, count, 0);
    }
    return tasks >= ask->need;
}

/* --- a single task at the end --------------------------------------------- */

/* One task that asks for one CPU at most. */
static bool is_serial(const struct gsched *s, const struct choice_ask *ask)
{
    return ask->need == 1
           && gsched_request(s, ask->job, ask->group)->amount[TOPO_CPU]
                  <= ONE_CPU;
}

static bool choose_last(struct gsched *s, const struct choice_ask *ask)
{
    uint32_t best = NONE;

    for (EACH_ASKED(n, ask)) {
        if (s->choice->fits[n]
            && (best == NONE
                || gsched_weight_of(s, n) <= gsched_weight_of(s, best)))
            best = n;
    }
    return best != NONE && gsched_choice_take(s, ask, best, ask->need) == 0;
}

bool gsched_nodes_choose(struct gsched *s, const struct choice_ask *ask)
{
    const struct gsp_choice *how = &s->modules->choice;
    struct node_choice *c = s->choice;

    assert(ask->from <= ask->end && ask->end <= s->topo->node_count);
    if (how->by == GSP_CHOOSE_DOMAINS)
        return gsched_choose_levels(s, ask);
    for (EACH_ASKED(n, ask)) {
        const uint32_t fits = ask->fit(ask->of, n);

        c->fits[n] = fits < ask->need ? fits : ask->need;
    }
    if (how->by == GSP_CHOOSE_BLOCKS && s->topo->tier_count > 0)
        return gsched_choose_blocks(s, ask);
    if (ask->first || how->by == GSP_CHOOSE_LEAST_LOADED)
        return choose_idle(s, ask);
    if (how->serial_last && is_serial(s, ask))
        return choose_last(s, ask);
    if (how->by == GSP_CHOOSE_TREE && s->topo->tier_count > 0)
        return gsched_choose_tree(s, ask);
    return choose_runs(s, ask);
}

/* --- on the cluster now --------------------------------------------------- */

/* A rule of the group that only spreads its own tasks over nodes, as many as
 * there are: so many run on a node; 0: another rule.
 */
static uint32_t spread_most(const struct gsched *s, const struct trace_group *g,
                            const struct trace_rule *r)
{
    return r->kind == TRACE_SPREAD && g->replicas <= s->topo->node_count
                   && topo_level_find(s->topo, r->tier)
                          == (int)s->topo->tier_count + 1
               ? r->max_skew
               : 0;
}

uint32_t gsched_most_on_node(const struct gsched *s, uint32_t job,
                             uint32_t group)
{
    const struct trace_group *g = gsched_group(s, job, group);
    uint32_t most = g->replicas;

    for (uint32_t i = 0; gsched_has_rules(s, job) && i < g->rule_count; i++) {
        const uint32_t n = spread_most(s, g, &s->work->rule[g->first_rule + i]);

        most = n && n < most ? n : most;
    }
    return most;
}

bool gsched_is_chosen(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_group *g = gsched_group(s, job, group);

    if (!s->modules->has_choice
        || (s->modules->choice.by == GSP_CHOOSE_DOMAINS
            && !gsched_levels_ask(s, job, group)))
        return false;
    for (uint32_t i = 0; gsched_has_rules(s, job) && i < g->rule_count; i++) {
        const struct trace_rule *r = &s->work->rule[g->first_rule + i];

        if (r->weight == 0 && spread_most(s, g, r) == 0)
            return false;
    }
    return true;
}
