/* policies/state/booked_nodes.c - see booked_nodes.h. */
#include "policies/state/booked_nodes.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "base/strtab.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "traces/workload/reservations.h"

struct gsched_booked {
    uint32_t *first; /* [node] its times in at[], to that of the next node */
    uint32_t *at;    /* reservation of the workload */
    int64_t *turn;   /* begins and ends, ascending */
    uint32_t turns;
    uint8_t *flexible; /* [string id] 1: jobs of it may run anywhere */
    int64_t look;      /* see gsched_booked_look() */
};

static bool is_later(const void *of, uint32_t a, uint32_t b)
{
    const int64_t *turn = of;

    return turn[a] > turn[b];
}

GS_HEAP_SWAP(turn_swap, int64_t)

static void turns_sort(struct gsched_booked *b)
{
    static const struct gs_heap latest = { is_later, turn_swap };

    gs_heap_build(&latest, b->turn, b->turns);
    for (uint32_t n = b->turns; n > 1; n--) {
        turn_swap(b->turn, 0, n - 1);
        (void)gs_heap_sink(&latest, b->turn, n - 1, 0);
    }
}

/* Call `put` for each time of each node that the topology has. */
static void nodes_walk(struct gsched *s, const uint32_t *node_of, bool fills)
{
    const struct trace_workload *w = s->work;
    uint32_t *first = s->booked->first;

    for (uint32_t i = w->reservations->reservation_count; i-- > 0;) {
        const struct trace_reservation *r = &w->reservations->reservation[i];

        for (uint32_t k = 0; k < r->node_count; k++) {
            const uint32_t n =
                node_of[w->reservations->reserved_node[r->first_node + k]];

            if (n && fills)
                s->booked->at[--first[n - 1]] = i;
            else if (n)
                first[n - 1]++;
        }
    }
}

void gsched_booked_open(struct gsched *s)
{
    const struct trace_workload *w = s->work;
    const uint32_t nodes = s->topo->node_count,
                   n = w->reservations->reservation_count;
    struct gsched_booked *b;
    uint32_t *node_of;

    if (n == 0)
        return;
    b = s->booked = gs_arena_alloc(s->arena, 1, sizeof(*b));
    b->look = GSCHED_NEVER;
    b->first = gs_arena_alloc(s->arena, nodes + 1, sizeof(*b->first));
    b->turn = gs_arena_alloc(s->arena, (size_t)n * 2, sizeof(*b->turn));
    node_of = gs_array_new(gs_strtab_count(w->names), sizeof(*node_of));
    for (uint32_t i = 0; i < nodes; i++)
        node_of[s->topo->node_name[i]] = i + 1;
    nodes_walk(s, node_of, false);
    for (uint32_t i = 0; i < nodes; i++)
        b->first[i + 1] += b->first[i];
    b->at = gs_arena_alloc(s->arena, b->first[nodes] + 1, sizeof(*b->at));
    nodes_walk(s, node_of, true);
    gs_array_free(node_of);
    b->flexible = gs_arena_alloc(s->arena, gs_strtab_count(w->names), 1);
    for (uint32_t i = 0; i < n; i++) {
        b->flexible[w->reservations->reservation[i].name] |=
            w->reservations->reservation[i].is_flexible;
        b->turn[b->turns++] = w->reservations->reservation[i].start;
        b->turn[b->turns++] = w->reservations->reservation[i].end;
    }
    turns_sort(b);
    s->labels->has_rules = true; /* nodes are asked one by one */
}

bool gsched_booked_refuses(const struct gsched *s, uint32_t job, uint32_t node,
                           int64_t at, int64_t time)
{
    const struct gsched_booked *b = s->booked;
    const uint32_t own = s->work->job[job].aside->reservation;
    const int64_t end = time < GSCHED_LAST - at ? at + time : GSCHED_LAST;
    bool needs_own = own != 0, is_closed = false;

    assert(b && node < s->topo->node_count);
    for (uint32_t i = b->first[node]; i < b->first[node + 1]; i++) {
        const struct trace_reservation *r =
            &s->work->reservations->reservation[b->at[i]];
        const bool is_own = r->name == own;

        if (is_own && r->start <= at && at < r->end)
            needs_own = false;
        is_closed |= !is_own && r->start < end && at < r->end;
    }
    return is_closed || (needs_own && !b->flexible[own]);
}

int64_t gsched_booked_turn(const struct gsched *s, uint32_t node, int64_t at,
                           int64_t time)
{
    const struct gsched_booked *b = s->booked;
    int64_t first = GSCHED_NEVER;

    for (uint32_t i = b->first[node]; i < b->first[node + 1]; i++) {
        const struct trace_reservation *r =
            &s->work->reservations->reservation[b->at[i]];
        const int64_t turn[] = { r->start, r->end, r->start - time + 1 };

        for (int k = 0; k < 3; k++)
            first = turn[k] > at && turn[k] < first ? turn[k] : first;
    }
    return first;
}

bool gsched_booked_closes(const struct gsched *s, uint32_t job, uint32_t node)
{
    const int64_t look = s->booked->look;

    return gsched_booked_refuses(s, job, node,
                                 look == GSCHED_NEVER ? s->now : look,
                                 gsched_job(s, job)->estimate);
}

void gsched_booked_look(struct gsched *s, int64_t at)
{
    if (s->booked)
        s->booked->look = at;
}

int64_t gsched_booked_next(const struct gsched *s, int64_t after)
{
    const struct gsched_booked *b = s->booked;
    uint32_t low = 0, high = b ? b->turns : 0;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (b->turn[middle] > after)
            high = middle;
        else
            low = middle + 1;
    }
    return b && low < b->turns ? b->turn[low] : GSCHED_NEVER;
}
