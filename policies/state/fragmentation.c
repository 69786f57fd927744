/* policies/state/fragmentation.c - the task mix, and fragmentation for modules.
 */
#include "policies/state/fragmentation.h"

#include "base/arena.h"
#include "base/array.h"
#include "policies/state/check.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_properties.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "traces/workload/workload_mix.h"

#define UNKNOWN (-1)

/* The task mix, and the fragmentation of states under it. */
struct gsched_fragments {
    struct topo_mix *mix, *own_mix; /* own_mix: owned, destroyed at the end */
    int64_t *fragment;              /* [group] fragmentation; -1: not
                                       computed */
    uint32_t fragment_count, fragment_cap;
};

int gsched_mix_set(struct gsched *s, struct topo_mix *mix)
{
    if (!s)
        return -1;
    if (s->cycle)
        return gsched_refuse(s, "the task mix is set before the first cycle");
    topo_mix_destroy(s->fragments->own_mix);
    s->fragments->own_mix = NULL;
    s->fragments->mix = mix;
    s->fragments->fragment_count = 0;
    return 0;
}

void gsched_fragment_free(struct gsched *s)
{
    topo_mix_destroy(s->fragments->own_mix);
    gs_array_free(s->fragments->fragment);
}

void gsched_fragment_forget(struct gsched *s)
{
    s->fragments->fragment_count = 0; /* groups were renumbered */
}

bool gsched_wants_whole_mix(const struct gsched *s)
{
    return s && gsched_modules_promise(s, GSP_WHOLE_MIX);
}

struct topo_mix *gsched_mix_of(struct gsched *s)
{
    if (!s->fragments->mix)
        s->fragments->mix = s->fragments->own_mix = trace_mix_create(
            s->work, s->topo,
            gsched_wants_whole_mix(s) ? TRACE_MIX_WHOLE : TRACE_MIX_FULL);
    return s->fragments->mix;
}

int64_t gsched_fragment_of(struct gsched *s, uint32_t group)
{
    struct gsched_fragments *f = s->fragments;

    if (group >= f->fragment_count) {
        const uint32_t n = topo_cluster_groups(s->cluster)->count;

        f->fragment = gs_array_grow(f->fragment, &f->fragment_cap, n,
                                    sizeof(*f->fragment));
        for (uint32_t k = f->fragment_count; k < n; k++)
            f->fragment[k] = UNKNOWN;
        f->fragment_count = n;
    }
    if (f->fragment[group] == UNKNOWN) {
        struct topo_free is_free;

        topo_free_of(s->cluster, group, &is_free);
        f->fragment[group] = topo_mix_fragment(gsched_mix_of(s), &is_free);
    }
    return f->fragment[group];
}

void gsched_fragment_open(struct gsched *s)
{
    s->fragments = gs_arena_alloc(s->arena, 1, sizeof(*s->fragments));
}
