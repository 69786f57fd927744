/* policies/state/kept_nodes.c - see kept_nodes.h. */
#include "policies/state/kept_nodes.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"

void gsched_kept_open(struct gsched *s)
{
    const uint32_t nodes = s->topo->node_count;

    if (!s->modules->keeper)
        return;
    s->kept = gs_arena_alloc(s->arena, 1, sizeof(*s->kept));
    s->kept->of = gs_arena_alloc(s->arena, nodes, sizeof(*s->kept->of));
    for (uint32_t n = 0; n < nodes; n++)
        s->kept->of[n].job = NONE;
    s->kept->due = GSCHED_NEVER;
}

void gsched_kept_free(struct gsched *s)
{
    if (!s->kept)
        return;
    gs_array_free(s->kept->node.at);
    gs_array_free(s->kept->reopened.at);
    gs_array_free(s->kept->first);
    gs_array_free(s->kept->tasks);
    gs_array_free(s->kept->entry);
}

bool gsched_kept_refuses(const struct gsched *s, const struct scope *w,
                         uint32_t node)
{
    const struct kept_node *k = &s->kept->of[node];

    assert(node < s->topo->node_count);
    return k->job != NONE
           && (k->job != w->job || (w->group != NONE && k->group != w->group));
}

static uint32_t key_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    assert(group < s->work->job[job].group_count);
    return s->work->job[job].first_group + group;
}

uint32_t gsched_kept_for(const struct gsched *s, uint32_t job, uint32_t group)
{
    const uint32_t key = key_of(s, job, group);

    return key < s->kept->task_cap ? s->kept->tasks[key] : 0;
}

void gsched_node_keep(struct gsched *s, uint32_t node, uint32_t job,
                      uint32_t group)
{
    const uint32_t key = key_of(s, job, group);
    struct gsched_kept *k = s->kept;

    assert(k->of[node].job == NONE);
    assert(gsched_kept_for(s, job, group)
           < gsched_group_missing(s, job, group));
    k->first = gs_array_grow(k->first, &k->first_cap, key + 1,
                             sizeof(*k->first));
    k->tasks = gs_array_grow(k->tasks, &k->task_cap, key + 1,
                             sizeof(*k->tasks));
    k->of[node] = (struct kept_node){ .job = job,
                                      .group = group,
                                      .at = gs_numbers_add(&k->node, node),
                                      .next = k->first[key],
                                      .since = s->now };
    k->first[key] = node + 1;
    k->tasks[key]++;
}

void gsched_kept_drop(struct gsched *s, uint32_t node)
{
    struct gsched_kept *k = s->kept;
    struct kept_node *n = &k->of[node];
    const uint32_t key = key_of(s, n->job, n->group);
    uint32_t *link = &k->first[key];

    assert(n->job != NONE && k->tasks[key] > 0);
    while (*link != node + 1)
        link = &k->of[*link - 1].next;
    *link = n->next;
    k->tasks[key]--;
    k->of[gs_numbers_take(&k->node, n->at)].at = n->at;
    n->job = NONE;
    (void)gs_numbers_add(&k->reopened, node);
}

void gsched_kept_met(struct gsched *s, uint32_t job, uint32_t group,
                     uint32_t node, uint32_t missing)
{
    const struct kept_node *n = &s->kept->of[node];

    if (n->job == job && n->group == group)
        gsched_kept_drop(s, node);
    while (gsched_kept_for(s, job, group) > missing)
        gsched_kept_drop(s, s->kept->first[key_of(s, job, group)] - 1);
}

void gsched_kept_close(struct gsched *s, uint32_t job)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        while (gsched_kept_for(s, job, g))
            gsched_kept_drop(s, s->kept->first[key_of(s, job, g)] - 1);
    }
}
