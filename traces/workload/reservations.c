/* traces/workload/reservations.c - see reservations.h. */
#include "traces/workload/reservations.h"

#include <assert.h>

#include "base/array.h"
#include "traces/workload/workload.h"

uint32_t trace_reservation_add(struct trace_workload *w,
                               const struct trace_reservation *r,
                               const uint32_t *node, uint32_t count)
{
    struct trace_reservations *all = w->reservations;
    struct trace_reservation *to;

    assert(r->start < r->end);
    all->reserved_node = gs_array_grow(
        all->reserved_node, &all->reserved_node_cap,
        all->reserved_nodes + count, sizeof(*all->reserved_node));
    all->reservation = gs_array_grow(all->reservation, &all->reservation_cap,
                                     all->reservation_count + 1,
                                     sizeof(*all->reservation));
    to = &all->reservation[all->reservation_count];
    *to = *r;
    to->first_node = all->reserved_nodes;
    to->node_count = count;
    for (uint32_t i = 0; i < count; i++)
        all->reserved_node[all->reserved_nodes++] = node[i];
    return all->reservation_count++;
}

bool trace_reservation_is(const struct trace_workload *w, uint32_t name)
{
    bool found = false;

    for (uint32_t i = 0; i < w->reservations->reservation_count && !found; i++)
        found = w->reservations->reservation[i].name == name;
    return found;
}

void trace_reservations_free(struct trace_workload *w)
{
    gs_array_free(w->reservations->reservation);
    gs_array_free(w->reservations->reserved_node);
}
